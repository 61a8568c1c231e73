"""The verifier accepts what is right and names what is broken, and where."""

from collections.abc import Callable

import pytest

from scriptc_runtime.dims import UNKNOWN, Dim
from scriptc_runtime.errors import InvalidIRError
from scriptc_runtime.ir import (
    Block,
    ClassDecl,
    Entry,
    Function,
    Instr,
    Label,
    Module,
    ObjectDecl,
    Target,
    Value,
    Weight,
    WeightRef,
    make,
)
from scriptc_runtime.ops import arrays, control, data, elementwise, low
from scriptc_runtime.ops import classes as object_classes
from scriptc_runtime.ops.opdef import Attr, Level, OpDef, OpTypeError
from scriptc_runtime.record import replace
from scriptc_runtime.text.reader import read_module
from scriptc_runtime.types import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    ClassType,
    DType,
    ListType,
    OptionalType,
    TensorType,
    Type,
)
from scriptc_runtime.verify.module import MAX_DEPTH, Known, verify
from tests.support import ir_programs as programs
from tests.support.ir_programs import F64, I64, VECTOR, Body, N, module_of

RIGHT = [
    programs.softmax,
    programs.fibonacci,
    programs.first_factor,
    programs.countdown,
    programs.guarded_division,
    programs.failing,
    programs.forever,
]


@pytest.mark.parametrize("program", RIGHT)
def test_a_right_function_passes(program: Callable[[], Function]) -> None:
    verify(module_of(program()))


def function(*params: Value, body: Callable[[Body, Label], object]) -> Function:
    """A function that returns None after what `body` adds."""
    b, label = Body(), Label()
    b.open()
    body(b, label)
    b.exit(label, b.none())
    return Function("f", params, NONE, b.close(), label)


def refused(*functions: Function, level: Level = Level.CORE) -> str:
    with pytest.raises(InvalidIRError) as caught:
        verify(module_of(*functions), level=level)
    return str(caught.value)


def test_a_value_is_used_after_its_definition_only() -> None:
    stranger = Value(INT)
    message = refused(function(body=lambda b, _: b.emit(elementwise.NEG, stranger)))
    assert "before its definition" in message
    assert "@f" in message
    assert "neg" in message


def test_a_value_is_not_seen_outside_its_block() -> None:
    def body(b: Body, _: Label) -> None:
        inner, region = Body(), Label()
        inner.open()
        value = inner.int(1)
        inner.exit(region)
        b.region(control.BLOCK, [], [inner.close()], region, [])
        b.emit(elementwise.NEG, value)

    assert "out of its block" in refused(function(body=body))


def test_a_value_is_defined_once() -> None:
    def body(b: Body, _: Label) -> None:
        value = Value(INT)
        for number in (1, 2):
            b.append(Instr(data.CONST, (), {"value": number}, (value,)))

    assert "twice" in refused(function(body=body))


def test_a_block_ends_with_its_terminator() -> None:
    f = function(body=lambda b, _: None)
    no_end = replace(f, body=Block((), f.body.body[:-1]))
    assert "terminator" in refused(no_end)
    early = replace(f, body=Block((), (*f.body.body[::-1], f.body.body[-1])))
    assert "terminator" in refused(early)
    assert "terminator" in refused(replace(f, body=Block((), ())))


def test_an_exit_names_a_label_around_it() -> None:
    f = function(body=lambda b, _: None)
    exit_ = replace(f.body.body[-1], target=Target(Label()))
    assert "not around" in refused(replace(f, body=Block((), (*f.body.body[:-1], exit_))))


def test_only_a_loop_has_a_next_iteration() -> None:
    b, label = Body(), Label()
    b.open()
    b.exit(label, b.none(), next=True)
    assert "next iteration" in refused(Function("f", (), NONE, b.close(), label))


def test_an_exit_carries_what_is_declared() -> None:
    b, label = Body(), Label()
    b.open()
    b.exit(label, b.int(1))
    assert "int where float" in refused(Function("f", (), FLOAT, b.close(), label))


def test_the_result_of_a_loop_fits_what_it_carries() -> None:
    def body(b: Body, _: Label) -> None:
        inner, loop, i, k = Body(), Label(), Value(INT), Value(INT)
        inner.open(i, k)
        inner.exit(loop, k, next=True)
        one = b.int(1)
        b.region(control.FOR, [one, one, one, one], [inner.close()], loop, [FLOAT])

    assert "end of the range" in refused(function(body=body))


def test_a_declared_result_is_what_the_rule_gives() -> None:
    def body(b: Body, _: Label) -> None:
        b.append(Instr(data.CONST, (), {"value": 1}, (Value(FLOAT),)))

    assert "declared float, the op gives int" in refused(function(body=body))


def test_a_declared_dim_may_be_unknown_but_not_invented() -> None:
    def declared(dim: Dim) -> Function:
        x = Value(VECTOR, "x")

        def body(b: Body, _: Label) -> None:
            b.append(Instr(elementwise.NEG, (x,), {}, (Value(TensorType(F64, (dim,))),)))

        return function(x, body=body)

    verify(module_of(declared(UNKNOWN)))
    assert "declared" in refused(declared(Dim(3)))


def test_attributes_are_exactly_those_of_the_op() -> None:
    x = Value(VECTOR, "x")

    def with_attrs(**attrs: int | str | bool) -> Function:
        dim = Instr(arrays.DIM, (x,), attrs, (Value(INT),))
        return function(x, body=lambda b, _: b.append(dim))

    verify(module_of(with_attrs(axis=0)))
    assert "needs the attribute axis" in refused(with_attrs())
    assert "no attribute order" in refused(with_attrs(axis=0, order=1))
    assert "cannot be 'x'" in refused(with_attrs(axis="x"))
    assert "cannot be True" in refused(with_attrs(axis=True))
    assert "no axis 1" in refused(with_attrs(axis=1))


def test_the_number_of_operands_is_checked_before_the_rule() -> None:
    add = Instr(elementwise.ADD, (), {}, (Value(INT),))
    assert "takes 2 operands" in refused(function(body=lambda b, _: b.append(add)))


def test_low_ops_stand_in_low_ir_only() -> None:
    f = programs.low_sum()
    verify(module_of(f), level=Level.LOW)
    assert "low op" in refused(f)


def test_a_launch_fits_its_kernel() -> None:
    kernel, host = programs.doubling_kernel()
    verify(module_of(kernel, host), level=Level.LOW)
    short = replace(kernel, params=kernel.params[:2])
    assert "no kernel" in refused(host, short, level=Level.LOW)


def test_an_exit_does_not_leave_a_fold() -> None:
    x = Value(VECTOR, "x")

    def body(b: Body, label: Label) -> None:
        inner, loop = Body(), Label()
        inner.open(Value(I64))
        inner.exit(label, inner.none())
        count = b.emit(low.SIZE, x, axis=0)
        b.append(
            Instr(low.LOOP, (count,), {"parallel": False}, (), blocks=(inner.close(),), label=loop)
        )

    assert "leaves a loop" in refused(function(x, body=body), level=Level.LOW)


@pytest.mark.parametrize("outside", [False, True])
def test_a_prange_is_not_left_before_its_end(outside: bool) -> None:
    text = """\
func @f(%n: int) -> None {
  while @L0 {
    for @L1 %n, %n, %n [grows=()] {(%i: int)
      exit @GOAL
    }
    exit @L0.next
  }
  %none = const [value=none] : None
  exit @return %none
}
"""
    module = read_module(text.replace("GOAL", "L0" if outside else "L1"))
    with pytest.raises(InvalidIRError, match="the exit leaves a for before its end"):
        verify(module)


def nested(depth: int) -> Function:
    b, label = Body(), Label()
    labels = [Label() for _ in range(depth)]
    b.open()
    for _ in labels:
        b.open()
    b.exit(label, b.none())
    for region in labels:
        block = b.close()
        b.region(control.BLOCK, [], [block], region, [])
        b.exit(label, b.none())
    return Function("f", (), NONE, b.close(), label)


def test_blocks_are_so_deep_and_no_deeper() -> None:
    verify(module_of(nested(MAX_DEPTH - 1)))
    assert "deep" in refused(nested(MAX_DEPTH))
    assert "deep" in refused(nested(5 * MAX_DEPTH))


def test_one_label_stands_for_one_region() -> None:
    def body(b: Body, _: Label) -> None:
        region = Label()
        for _number in range(2):
            b.open()
            b.exit(region)
            b.region(control.BLOCK, [], [b.close()], region, [])

    assert "two regions" in refused(function(body=body))


def square_pair() -> Function:
    """A callee that needs two arrays of one size."""
    x, y = Value(VECTOR, "x"), Value(VECTOR, "y")
    f = function(x, y, body=lambda b, _: b.emit(elementwise.ADD, x, y))
    return replace(f, name="pair")


def test_a_call_binds_the_symbols_of_its_callee() -> None:
    x = Value(TensorType(F64, (Dim(4),)), "x")
    good = function(x, body=lambda b, _: b.emit(control.CALL, x, x, callee="pair", result=NONE))
    verify(module_of(good, square_pair()))


def test_a_call_proves_that_sizes_of_one_name_are_equal() -> None:
    x = Value(TensorType(F64, (Dim(4),)), "x")
    for other in (Dim(5), UNKNOWN, N):
        y = Value(TensorType(F64, (other,)), "y")
        bad = function(
            x, y, body=lambda b, _, y=y: b.emit(control.CALL, x, y, callee="pair", result=NONE)
        )
        assert "N is 4 and" in refused(bad, square_pair())


def test_two_unknown_sizes_are_not_one() -> None:
    x = Value(TensorType(F64, (UNKNOWN,)), "x")
    bad = function(x, body=lambda b, _: b.emit(control.CALL, x, x, callee="pair", result=NONE))
    assert "N is ? and ?" in refused(bad, square_pair())


def test_a_call_takes_as_many_arguments_and_gives_the_result_of_its_callee() -> None:
    x = Value(VECTOR, "x")
    few = function(x, body=lambda b, _: b.emit(control.CALL, x, callee="pair", result=NONE))
    assert "takes 2 arguments" in refused(few, square_pair())
    other = function(x, body=lambda b, _: b.emit(control.CALL, x, x, callee="pair", result=INT))
    assert "returns None" in refused(other, square_pair())
    none = function(x, body=lambda b, _: b.emit(control.CALL, x, callee="nowhere", result=NONE))
    assert "no function @nowhere" in refused(none)


def test_a_known_caller_is_looked_at_again_when_its_callee_has_changed() -> None:
    x = Value(VECTOR, "x")
    caller = function(x, body=lambda b, _: b.emit(control.CALL, x, x, callee="pair", result=NONE))
    module, known = module_of(caller, square_pair()), Known()
    for _ in range(2):
        verify(module, known=known)
    single = replace(function(x, body=lambda b, _: b.none()), name="pair")
    for others in ({"pair": single}, dict[str, Function]()):
        with pytest.raises(InvalidIRError, match="@f"):
            verify(module.with_functions({"f": caller, **others}), known=known)


POINT = ClassDecl("Point", (("x", FLOAT), ("w", VECTOR)))


def with_class(*functions: Function, **more: object) -> Module:
    return replace(module_of(*functions), classes={"Point": POINT}, **more)


def point_user(
    field: str = "x", type_: object = FLOAT, fields: tuple[str, ...] = ("x", "w")
) -> Function:
    x, w = Value(FLOAT, "x"), Value(VECTOR, "w")

    def body(b: Body, _: Label) -> None:
        point = b.emit(data.NEW, x, w, cls="Point", fields=fields)
        b.emit(data.FIELD, point, name=field, type=type_)  # pyright: ignore[reportArgumentType]
        b.effect(data.SET_FIELD, point, x, name="x")

    return function(x, w, body=body)


def test_fields_are_those_of_the_class() -> None:
    verify(with_class(point_user()))
    verify(with_class(point_user("w", TensorType(F64, (UNKNOWN,)))))
    for bad in (
        point_user("y"),
        point_user("x", INT),
        # The class's symbol means nothing outside the instance.
        point_user("w", VECTOR),
        point_user(fields=("w", "x")),
        point_user(fields=("x",)),
    ):
        with pytest.raises(InvalidIRError):
            verify(with_class(bad))


WIDE = replace(POINT, name="Wide", fields=(*POINT.fields, ("y", FLOAT)), base="Point")


def test_a_class_starts_with_the_fields_of_a_base_before_it() -> None:
    f = function(body=lambda b, _: None)

    def module(*classes: ClassDecl) -> Module:
        return replace(module_of(f), classes={c.name: c for c in classes})

    verify(module(POINT, WIDE))
    ring = replace(POINT, base="Wide")
    for bad in ((WIDE,), (WIDE, POINT), (ring, WIDE), (replace(POINT, base="Point"),)):
        with pytest.raises(InvalidIRError, match="before it"):
            verify(module(*bad))
    for fields in ((), POINT.fields[:1], POINT.fields[::-1], (("x", INT), ("w", VECTOR))):
        with pytest.raises(InvalidIRError, match="fields of its base"):
            verify(module(POINT, replace(WIDE, fields=fields)))


def test_objects_become_those_of_classes_that_inherit_alone() -> None:
    point, wide, other = (ClassType(name) for name in ("Point", "Wide", "Other"))
    classes = {c.name: c for c in (POINT, WIDE, replace(POINT, name="Other"))}

    def check(given: Type, op: OpDef, **attrs: Attr) -> None:
        p = Value(given, "p")
        f = function(p, body=lambda b, _: b.append(make(op, [p], attrs)))
        verify(replace(module_of(f), classes=classes))

    check(wide, object_classes.UPCAST, type=point)
    check(OptionalType(wide), object_classes.UPCAST, type=OptionalType(point))
    check(point, object_classes.DOWNCAST, cls="Wide", classes=("Wide",))
    check(point, object_classes.IS_INSTANCE, classes=("Wide", "Point"))
    for given, type_ in ((point, wide), (other, point), (ListType(wide), ListType(point))):
        with pytest.raises((InvalidIRError, OpTypeError)):
            check(given, object_classes.UPCAST, type=type_)
    for cls, names in (("Wide", ("Point",)), ("Other", ("Other",)), ("Wide", ("Nowhere",))):
        with pytest.raises((InvalidIRError, OpTypeError)):
            check(point, object_classes.DOWNCAST, cls=cls, classes=names)
    with pytest.raises((InvalidIRError, OpTypeError)):
        check(point, object_classes.IS_INSTANCE, classes=("Other",))


def test_a_type_names_a_class_that_exists() -> None:
    p = Value(ListType(ClassType("Point")), "p")
    f = function(p, body=lambda b, _: None)
    verify(with_class(f))
    assert "no class @Point" in refused(f)


WEIGHT = Weight("w", TensorType(F64, (Dim(3),)))


def method() -> Function:
    return function(Value(ClassType("Point"), "self"), body=lambda b, _: None)


def with_object(instance: ObjectDecl, *entries: Entry, weight: Weight = WEIGHT) -> Module:
    return with_class(
        method(), objects={instance.name: instance}, weights={weight.name: weight}, entries=entries
    )


GOOD = ObjectDecl("p", "Point", (("x", 1.5), ("w", WeightRef("w"))))


def test_an_object_holds_what_its_class_declares() -> None:
    verify(with_object(GOOD, Entry("go", "f", "p")))
    for fields in (
        (("x", 1), ("w", WeightRef("w"))),
        (("x", 1.5), ("w", WeightRef("v"))),
        (("x", 1.5), ("w", 2.5)),
        (("x", WeightRef("w")), ("w", WeightRef("w"))),
        (("x", 1.5),),
        (("w", WeightRef("w")), ("x", 1.5)),
    ):
        with pytest.raises(InvalidIRError):
            verify(with_object(replace(GOOD, fields=fields)))


@pytest.mark.parametrize(
    "type_",
    [
        TensorType(DType.F32, (Dim(3),)),
        TensorType(F64, (Dim(3), Dim(1))),
        TensorType(F64, (N,)),
        TensorType(F64, (UNKNOWN,)),
        TensorType(F64, (Dim(-3),)),
        STR,
    ],
)
def test_a_weight_is_an_array_of_known_size_that_fits(type_: TensorType) -> None:
    with pytest.raises(InvalidIRError):
        verify(with_object(GOOD, weight=replace(WEIGHT, type=type_)))


@pytest.mark.parametrize(
    "entry",
    [
        Entry("go", "nowhere"),
        Entry("go", "f", "q"),
        Entry("go", "f", "p", ("w",)),
        Entry("go", "f", None, ("w",)),
        Entry("go", "f", None, ("v",)),
    ],
)
def test_an_entry_refers_to_what_exists_and_fits(entry: Entry) -> None:
    with pytest.raises(InvalidIRError):
        verify(with_object(GOOD, entry))


def test_an_entry_stands_once() -> None:
    with pytest.raises(InvalidIRError, match="twice"):
        verify(with_object(GOOD, Entry("go", "f", "p"), Entry("go", "f", "p")))


@pytest.mark.parametrize("name", ["", "a b", "a..b", "1a", "a\n", "a.", "@a"])
def test_a_name_is_one_that_the_text_can_hold(name: str) -> None:
    f = replace(function(body=lambda b, _: None), name=name)
    assert "cannot be called" in refused(f)


def test_a_name_is_that_of_its_place() -> None:
    with pytest.raises(InvalidIRError, match="stands under"):
        verify(Module({"g": method()}))


def test_conditions_are_bools() -> None:
    def body(b: Body, _: Label) -> None:
        blocks: list[Block] = []
        region = Label()
        for _number in range(2):
            b.open()
            b.exit(region)
            blocks.append(b.close())
        b.region(control.IF, [b.emit(data.CONST, value=True, dtype=DType.B1)], blocks, region, [])

    assert "must be a bool" in refused(function(Value(BOOL, "c"), body=body))


def test_the_bytes_of_records_are_those_of_a_new_array() -> None:
    text = """func @f(%x: tensor<u8, [?, 16]>) -> tensor<f64, [?]> {
  %0 = record_field %x [offset=8, dtype=f64, shape=()] : tensor<f64, [?]>
  exit @return %0
}"""
    with pytest.raises(InvalidIRError, match="the bytes of records are not those of a new array"):
        verify(read_module(text))
