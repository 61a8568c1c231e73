"""IR text: what the writer writes the reader takes back, and the grammar says the same as it."""

import logging
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import lark
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scriptc_runtime.dims import UNKNOWN, Dim, symbol
from scriptc_runtime.errors import InvalidIRError, LoadError, Source
from scriptc_runtime.ir import (
    CORE_ROLES,
    ClassDecl,
    Entry,
    Function,
    Instr,
    ListValue,
    Loc,
    Module,
    ObjectDecl,
    ObjectRef,
    Role,
    Value,
    View,
    Weight,
    WeightRef,
    walk,
)
from scriptc_runtime.ops import data, elementwise
from scriptc_runtime.ops.opdef import Attr, Level
from scriptc_runtime.text.attributes import attr_text
from scriptc_runtime.text.reader import read_module
from scriptc_runtime.text.tokens import Cursor
from scriptc_runtime.text.type_names import read_type
from scriptc_runtime.text.type_text import ir_text
from scriptc_runtime.text.writer import write_module
from scriptc_runtime.types import (
    CellType,
    ClassType,
    DType,
    ListType,
    OptionalType,
    PyType,
    TensorType,
    TupleType,
    Type,
)
from scriptc_runtime.verify.module import verify
from tests.support import ir_programs as programs
from tests.support.ir_programs import VECTOR, Body, module_of

GRAMMAR = Path(__file__).parents[3] / "grammar" / "ir.lark"
FUNCTIONS: list[Callable[[], Function]] = [
    programs.softmax,
    programs.fibonacci,
    programs.first_factor,
    programs.countdown,
    programs.guarded_division,
    programs.failing,
    programs.forever,
    programs.low_sum,
    lambda: programs.doubling_kernel()[0],
    lambda: programs.doubling_kernel()[1],
]

SPECIMEN = """\
class @Net {w: tensor<f32, [N, 2*N+-1]>, name: optional<str>, depth: int}
weight @net.w : tensor<f32, [3, 5]>
object @net : class<Net> (w=@net.w, name=none, depth=4)

func @go(%self: class<Net>, %x: list<tuple<int, tuple<>>>) -> None file="a b.py" loc(1:1) {
  %0 = const [value=-0.0] : float loc(2:3 in @f.2 at 7:8)
  %1 = const [value="\\u00e9\\n"] : str
  %2 = const [value=-inf, dtype=f32] : f32
  %3 = const [value=nan] : float
  %4 = const [value=none] : None
  exit @return %4
}

entry "go" = @go object=@net captures=(@net.w)
"""


STATE = """\
class @Net {w: tensor<f32, [N]>}
class @Wide : @Net {w: tensor<f32, [N]>, width: int}
class @Nest {nets: list<class<Net>>, pair: tuple<tuple<float>, tuple<>>, z: complex}
weight @w : tensor<f32, [15]>
weight @v : tensor<f32, [2, 5]> = @w [offset=10, strides=(-5, 1)]
object @net : class<Net> (w=@v)
object @wide : class<Wide> (w=@v, width=3)
object @all : class<Nest> (nets=[object @net, object @wide], \
pair=((-0.0,), ()), z=complex(0.0, nan))
object @none : class<Nest> (nets=[], pair=((inf,), ()), z=complex(1.0, 2.0))
"""


GIVEN = """\
func @f(%x: tensor<f64, [N, 2]>, %n: int, %y: tensor<f64, [M]>) -> None dense(%x, %y) \
apart(%x, %y) several(%x, 1) several(%y, 0) {
  %0 = const [value=none] : None
  exit @return %0
}
"""


class Grammar:
    """The grammar, as Lark reads it."""

    def __init__(self) -> None:
        self._lark = lark.Lark(GRAMMAR.read_text(encoding="utf-8"), parser="lalr")

    def parse(self, text: str) -> None:
        self._lark.parse(text)  # pyright: ignore[reportUnknownMemberType]


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    return Grammar()


@pytest.mark.parametrize("program", FUNCTIONS)
def test_what_is_written_is_read_back(program: Callable[[], Function], grammar: Grammar) -> None:
    function = program()
    text = write_module(module_of(function))
    back = read_module(text)
    assert write_module(back) == text
    grammar.parse(text)
    ends = (i.target and i.target.next for i in walk(function.body))
    assert [i.target and i.target.next for i in walk(back.functions[function.name].body)] == [*ends]


def test_what_callers_make_sure_of_is_read_back(grammar: Grammar) -> None:
    module = read_module(GIVEN)
    assert write_module(module) == GIVEN
    grammar.parse(GIVEN)
    (x, _, y), given = module.functions["f"].params, module.functions["f"].given
    assert given.dense == (x, y)
    assert given.apart == ((x, y),)
    assert given.several == ((x, 1), (y, 0))
    verify(module, level=Level.LOW)
    # A file cannot say so.
    with pytest.raises(InvalidIRError, match="only low IR"):
        verify(module)
    with pytest.raises(InvalidIRError, match="arrays among the parameters"):
        verify(read_module(GIVEN.replace("dense(%x, %y)", "dense(%n)")), level=Level.LOW)
    with pytest.raises(InvalidIRError, match="an axis that is not there"):
        verify(read_module(GIVEN.replace("several(%y, 0)", "several(%y, 1)")), level=Level.LOW)
    with pytest.raises(LoadError, match="not defined"):
        read_module(GIVEN.replace("dense(%x, %y)", "dense(%z)"))


@pytest.mark.parametrize("role", Role)
def test_what_a_function_is_for_is_read_back(role: Role, grammar: Grammar) -> None:
    word = f"{role.value} " if role.value else ""
    text = f"func {word}@f(%x: int) -> int {{\n  exit @return %x\n}}\n"
    grammar.parse(text)
    module = read_module(text)
    assert module.functions["f"].role is role
    assert write_module(module) == text
    verify(module, level=Level.LOW)
    if role not in CORE_ROLES:
        with pytest.raises(InvalidIRError, match=f"only a compilation makes a {role.value}: @f"):
            verify(module)


def test_an_entry_is_no_function_of_the_library() -> None:
    text = 'func library @f(%x: int) -> int {\n  exit @return %x\n}\n\nentry "f" = @f\n'
    with pytest.raises(InvalidIRError, match="no one's but ours"):
        verify(read_module(text))


def test_every_declaration_is_read_back(grammar: Grammar) -> None:
    module = read_module(SPECIMEN)
    assert write_module(module) == SPECIMEN
    grammar.parse(SPECIMEN)
    assert module.classes["Net"] == ClassDecl(
        "Net",
        (
            (
                "w",
                TensorType(DType.F32, (symbol("N"), symbol("N").times(2).plus(Dim(-1)))),
            ),
            ("name", OptionalType(PyType.STR)),
            ("depth", PyType.INT),
        ),
    )
    assert module.weights["net.w"] == Weight("net.w", TensorType(DType.F32, (Dim(3), Dim(5))))
    fields = (("w", WeightRef("net.w")), ("name", None), ("depth", 4))
    assert module.objects["net"] == ObjectDecl("net", "Net", fields)
    assert module.entries == (Entry("go", "go", "net", ("net.w",)),)
    first = walk(module.functions["go"].body)[0]
    assert first.loc == Loc(2, 3, "f.2", Loc(7, 8))


def test_the_state_of_objects_is_read_back(grammar: Grammar) -> None:
    module = read_module(STATE)
    assert write_module(module) == STATE
    grammar.parse(STATE)
    assert module.weights["v"].view == View("w", 10, (-5, 1))
    nets, pair, _ = dict(module.objects["all"].fields).values()
    assert (nets, pair) == (ListValue((ObjectRef("net"), ObjectRef("wide"))), ((-0.0,), ()))


def test_comments_and_blank_lines_are_free(grammar: Grammar) -> None:
    text = "# head\n\n" + SPECIMEN.replace("\n", "  # why\n\n")
    assert write_module(read_module(text)) == SPECIMEN
    grammar.parse(text)


def test_the_last_line_needs_no_newline() -> None:
    assert write_module(read_module(SPECIMEN.rstrip("\n"))) == SPECIMEN


def test_the_grammar_has_no_conflicts(caplog: pytest.LogCaptureFixture) -> None:
    # Lark settles a shift-reduce conflict silently, and says so only to its log.
    with caplog.at_level(logging.DEBUG, logger=lark.logger.name):
        lark.Lark(GRAMMAR.read_text(encoding="utf-8"), parser="lalr", debug=True)
    assert not [r for r in caplog.records if "conflict" in r.getMessage().lower()]


def test_unnamed_parameters_are_numbered() -> None:
    b, f = Body(), programs.forever()
    params = (Value(PyType.INT), Value(PyType.INT, "x"), Value(PyType.INT, "x"))
    b.open()
    b.exit(f.label, b.none())
    text = write_module(module_of(Function("f", params, PyType.NONE, b.close(), f.label)))
    assert "(%0: int, %x: int, %1: int)" in text
    assert write_module(read_module(text)) == text


BAD = {
    "an unknown op": ("const [value=none]", "konst [value=none]", "no op konst", 10),
    "another type": (": float loc", ": int loc", "const gives float", 6),
    "an undefined value": ("exit @return %4", "exit @return %5", "%5 is not defined", 11),
    "a value defined twice": ("%4 =", "%3 =", "%3 is defined already", 10),
    "an unknown label": ("@return %4", "@somewhere %4", "no label @somewhere", 11),
    "no brace": ("}\n\nentry", "\nentry", "no op entry", 13),
    "a declaration twice": ("weight @net.w", "weight @net.w : str\nweight @net.w", "already", 3),
    "a deep type": ("list<tuple", "list<" * 25 + "tuple", "levels", 5),
    "a large integer": ("depth=4", "depth=18446744073709551616", "64 bits", 3),
    "a long integer": ("depth=4", "depth=" + "9" * 5000, "characters", 3),
    "an attribute twice": ("value=-0.0", "value=-0.0, value=1.0", "twice", 6),
    "a wrong attribute": ("dtype=f32", "dtype=int", "cannot be", 8),
    "a carriage return": ("depth=4)", "depth=4)\r", "no token", 3),
    "a bad escape": ("\\u00e9", "\\x", "no token", 7),
    "a tuple that is none": ("value=none", "value=(1)", "comma", 10),
    "more after the end": ("exit @return %4", "exit @return %4 }", "end of the line", 11),
    "a field of an array": ("depth=4", "depth=int", "no constant", 3),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_text_is_refused_with_its_line(name: str) -> None:
    good, bad, message, line = BAD[name]
    assert good in SPECIMEN
    with pytest.raises(LoadError) as caught:
        read_module(SPECIMEN.replace(good, bad, 1))
    assert message in str(caught.value)
    assert f"module.ir:{line}:" in str(caught.value)


def test_limits_are_kept_without_much_work() -> None:
    block = "  block @L{} {{\n"
    deep = "".join(block.format(i) for i in range(200))
    for text in (
        "func @f() -> None {\n" + deep,
        "x" * (2**26 + 1),
        "#" + " " * 2**20 + "\n",
        "weight @w : tensor<f64, [" + "+".join(f"N{i}" for i in range(1000)) + "]>\n",
        "func @f() -> None loc(1:1" + " at 1:1" * 1000 + ") {\n",
        "func @f(%x: " + "optional<" * 10_000,
        "func @f() -> None {\n  %0 = const [value=" + "(" * 10_000,
    ):
        with pytest.raises(LoadError):
            read_module(text)


# Texts made from the specimen by small damage: most are no longer sentences.
TOKENS = ["%0", "@f", "x", "1", "-2.5", '"s"', "->", *"=:,()[]{}<>+*?\n", "f64", "loc", "#", "true"]


def damaged(number: int) -> Iterator[str]:
    source = random.Random(number)
    texts = [SPECIMEN, *(write_module(module_of(f())) for f in FUNCTIONS)]
    for _ in range(60):
        text = source.choice(texts)
        for _ in range(source.randint(1, 2)):
            at, length = source.randrange(len(text)), source.choice((0, 1, 1, 3))
            text = text[:at] + source.choice(["", *TOKENS]) + text[at + length :]
        yield text if text.endswith("\n") else text + "\n"


@pytest.mark.parametrize("number", range(8))
def test_the_reader_refuses_the_syntax_that_the_grammar_refuses(
    number: int, grammar: Grammar
) -> None:
    for text in damaged(number):
        try:
            grammar.parse(text)
            sentence = True
        except lark.exceptions.UnexpectedInput:
            sentence = False
        assert sentence or not reads(text), text
        assert not sentence or syntax_fits(text), text


@pytest.mark.parametrize("number", range(8, 14))
def test_what_is_read_is_verified_and_written_without_surprises(number: int) -> None:
    for text in damaged(number):
        try:
            module = read_module(text)
        except LoadError:
            continue
        again = write_module(module)
        assert write_module(read_module(again)) == again
        with suppress(InvalidIRError):
            verify(module, level=Level.LOW)


def reads(text: str) -> bool:
    try:
        read_module(text)
    except LoadError:
        return False
    return True


def syntax_fits(text: str) -> bool:
    try:
        read_module(text)
    except LoadError as error:
        return error.diagnostics[0].code == "ir-meaning"
    return True


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.sampled_from("".join(TOKENS) + "func entry%@ \t\0é\ud800"), max_size=80))
def test_any_text_gives_a_module_or_a_load_error(text: str) -> None:
    reads(text)
    reads("func @f() -> None {\n" + text)


def linear(constant: int, coefficient: int, name: str) -> Dim:
    return symbol(name).times(coefficient).plus(Dim(constant))


DIMS = st.one_of(
    st.just(UNKNOWN),
    st.integers(0, 2**63 - 1).map(Dim),
    st.builds(linear, st.integers(-9, 9), st.integers(-3, 3), st.sampled_from("NMé")),
)
TENSORS = st.builds(TensorType, st.sampled_from(DType), st.lists(DIMS, max_size=3).map(tuple))
PLAIN = st.one_of(st.sampled_from(PyType), st.sampled_from(DType), TENSORS)
TYPES: st.SearchStrategy[Type] = st.recursive(
    st.one_of(PLAIN, st.sampled_from(["Net", "Net.2"]).map(ClassType)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(tuple).map(TupleType),
        inner.map(ListType),
        inner.map(OptionalType),
        inner.map(CellType),
    ),
    max_leaves=6,
)


@settings(max_examples=200, deadline=None)
@given(TYPES)
def test_every_type_is_read_back(type_: Type) -> None:
    text = ir_text(type_)
    cursor = Cursor(Source("t", text), 0, text)
    assert read_type(cursor) == type_
    cursor.take("end")


CONSTANTS = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(), st.text()
)


@settings(max_examples=200, deadline=None)
@given(CONSTANTS)
def test_every_constant_keeps_its_bits(value: bool | int | float | str | None) -> None:
    b, f = Body(), programs.forever()
    b.open()
    b.emit(data.CONST, value=value)
    b.exit(f.label, b.none())
    text = write_module(module_of(Function("f", (), PyType.NONE, b.close(), f.label)))
    back = walk(read_module(text).functions["f"].body)[0].attrs["value"]
    assert type(back) is type(value)
    assert attr_text(back) == attr_text(value)


@st.composite
def straight_functions(draw: st.DrawFn) -> Function:
    """Functions of arithmetic on an int, a float, an f64 and a vector."""
    x = [Value(PyType.INT, "i"), Value(PyType.FLOAT), Value(DType.F64, "v"), Value(VECTOR, "a")]
    b, label = Body(), programs.forever().label
    b.open()
    values = list(x)
    for _ in range(draw(st.integers(0, 12))):
        first = draw(st.sampled_from(values))
        fitting = [v for v in values if v.type == first.type]
        op = draw(st.sampled_from([elementwise.ADD, elementwise.MUL, elementwise.DIV]))
        loc = Loc(draw(st.integers(1, 99)), draw(st.integers(1, 99)))
        values.append(b.emit(op, first, draw(st.sampled_from(fitting)), loc=loc))
    b.exit(label, values[-1])
    return Function("f", tuple(x), values[-1].type, b.close(), label)


@settings(max_examples=60, deadline=None)
@given(straight_functions())
def test_generated_functions_are_read_back(function: Function) -> None:
    text = write_module(module_of(function))
    assert write_module(read_module(text)) == text
    without = write_module(module_of(function), locations=False)
    assert write_module(read_module(without)) == without


def test_enum_is_kept_for_later() -> None:
    with pytest.raises(LoadError, match="`enum` is a word kept for a later format"):
        read_module("enum @Colour {RED, GREEN}\n")


def test_declared_types_may_be_less_precise() -> None:
    x = Value(VECTOR, "x")
    b, f = Body(), programs.forever()
    b.open()
    wide = TensorType(DType.F64, (UNKNOWN,))
    b.append(Instr(elementwise.NEG, (x,), dict[str, Attr](), (Value(wide),)))
    b.exit(f.label, b.none())
    module = module_of(Function("f", (x,), PyType.NONE, b.close(), f.label))
    text = write_module(module)
    assert write_module(read_module(text)) == text
    assert isinstance(module, Module)
