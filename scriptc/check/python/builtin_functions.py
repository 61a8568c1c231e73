"""Python's builtin functions and those of `math`."""

from collections.abc import Callable, Mapping, Sequence

from scriptc.check import bigints as check_bigints
from scriptc.check import class_tests, container_sizes, hashes, operators, protocols, records
from scriptc.check.bindings import Known, Typed, items_at, merge
from scriptc.check.checked import Check, Computation, Convert, Literal, Select
from scriptc.check.context import Context, Value
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.library.definitions import Entry
from scriptc.check.named_types import is_records
from scriptc.check.never_given import may_raise
from scriptc.check.numpy import ufuncs
from scriptc.check.open_types import is_empty, is_open
from scriptc.check.operators import COUNTS, whole_literal
from scriptc.check.orders import has_order
from scriptc.check.python import complex_numbers, strings
from scriptc.check.python.exception_values import check_issubclass, check_type
from scriptc.check.python.instance_tests import classes_named_by
from scriptc.check.python.number_methods import divmod_of_objects, of_objects
from scriptc.check.python.printing import PRINT, text_of
from scriptc.check.python.stand_in_defaults import alone, default_beside
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import (
    arrays,
    bigints,
    data,
    elementary,
    elementwise,
    exceptions,
    integers,
    sequences,
    texts,
    tuples,
)
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    TEXTS,
    ClassType,
    DequeType,
    DictType,
    DType,
    ListType,
    NamedType,
    OptionalType,
    PyType,
    SetType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    element_of,
    is_complex,
    is_number,
    is_tuple_of,
)
from scriptc_runtime.unions import members_of


def _len(call: LibraryCall) -> Typed:
    value = call.typed("x")
    if is_open(value.type):
        # The length is an int all the same: `d[k] = len(d)` tells what the dict holds.
        call.context.not_known_yet(call.node)
        call.context.facts.types[call.node] = INT
        return Typed(INT, call.context.span(call.node))
    whole = call.operand("x")
    match value.type:
        case PyType.STR | PyType.BYTES:
            return call.apply(data.STR_LEN, whole)
        case ListType():
            return call.apply(data.LIST_LEN, whole)
        case TupleType(items):
            size = Literal(len(items), INT)
            found = Typed(INT, call.context.span(call.node), known=Known(len(items)))
            if isinstance(call.nodes["x"], n.Name):
                return call.context.constant(call.node, size, found)
            call.result(size)
            return found
        case TensorType(_, dims) if dims:
            return call.apply(arrays.DIM, whole, axis=0)
        case PyType.EXCEPTION_ARGS:
            return call.apply(exceptions.ARGUMENT_COUNT, whole)
        case DictType() | SetType() | DequeType():
            return call.result(container_sizes.size_of(call.context, call.node, whole))
        case ClassType() | NamedType() if (found := _own_length(call, whole)) is not None:
            return call.result(found)
        case _:
            call.refuse(
                f"{value.type} has no length",
                call.nodes["x"],
                "arrays with axes, lists, tuples, texts and objects with __len__ have one",
            )


def _hash(call: LibraryCall) -> Typed:
    call.is_plain = False
    return call.result(hashes.hash_of(call.context, call.node, call.operand("x")))


def _id(call: LibraryCall) -> Typed:
    return call.result(hashes.place_of(call.context, call.node, call.operand("x")))


def _own_length(call: LibraryCall, whole: Computation) -> Computation | None:
    if is_records(whole.type):
        return records.length(call.context, call.node, whole)
    return protocols.length(call.context, call.node, whole)


def _abs(call: LibraryCall) -> Typed:
    if call.typed("x").type is BIGINT:
        return call.apply(bigints.BIGINT_ABS, call.operand("x"))
    value = call.operand("x")
    if element_of(value.type) is None:
        call.refuse(f"{value.type} has no absolute value", call.nodes["x"], "np.abs of lists")
    if element_of(value.type) is DType.B1:
        return call.result(ufuncs.copied(call, value))
    return call.apply(elementwise.ABS, converted(value, INT) if value.type is BOOL else value)


def _scalar(call: LibraryCall, name: str = "x") -> Computation:
    value = call.scalar(name)
    if is_complex(value.type):
        call.refuse(f"{value.type} has two parts", call.nodes[name], "take one: x.real, abs(x)")
    if is_number(value.type) or value.type is BIGINT:
        return value
    instead = "test `is not None` first" if isinstance(value.type, OptionalType) else ""
    if isinstance(value.type, TensorType):
        instead = f"x.astype({call.name}) converts each element, {call.name}(x[0]) one"
    call.refuse(f"{name} must be a number, not {value.type}", call.nodes[name], instead)


def _int(call: LibraryCall) -> Typed:
    if "x" not in call.values:
        return _of_nothing(call, 0, INT)
    is_text = call.typed("x").type is STR
    if not is_text and "base" in call.values:
        message = "int() can't convert non-string with explicit base"
        call.refuse(message, call.nodes["base"], "int(x), or the text of the number")
    if is_text:
        base = call.operand("base") if "base" in call.values else Literal(10, INT)
        if call.context.whole is BIGINT:
            return call.apply(bigints.BIGINT_OF_TEXT, call.operand("x"), converted(base, INT))
        if base.type not in (INT, BOOL):
            call.refuse(f"the base must be an int, not {base.type}", call.nodes["base"])
        return strings.int_of_text(call, converted(base, INT))
    value = _scalar(call)
    return call.result(value if value.type is BIGINT else to_int(value, call.context.whole))


def to_int(value: Computation, whole: PyType = INT) -> Computation:
    """Return int(value): the cast from a Python float is the one that checks."""
    if isinstance(value.type, DType) and value.type.kind == "f":
        value = Convert(value, FLOAT)
    return Convert(value, BIGINT) if whole is BIGINT else converted(value, INT)


def _of_nothing(call: LibraryCall, value: float | str, type_: PyType) -> Typed:
    """Return what a class gives for no argument."""
    if call.values:
        call.refuse("the value is missing", instead=f"{call.name}(x, ...)")
    return call.result(Literal(value, type_))


def _float(call: LibraryCall) -> Typed:
    if "x" not in call.values:
        return _of_nothing(call, 0.0, FLOAT)
    value = call.typed("x")
    if value.type is STR:
        if value.known and (number := _read(str(value.known.value))) is not None:
            call.drop("x")
            return call.result(Literal(number, FLOAT))
        return call.apply(texts.STR_TO_FLOAT, call.operand("x"))
    return call.result(converted(_scalar(call), FLOAT))


def _read(text: str) -> float | None:
    """Return the number that a constant text says, as float("inf"); None where it says none."""
    try:
        return float(text)
    except ValueError:
        return None


def _bool(call: LibraryCall) -> Typed:
    call.is_plain = False
    if "x" not in call.values:
        return _of_nothing(call, False, BOOL)
    # A refusal is about the argument: np.any(x), not np.any(bool(x)).
    at, whole = call.nodes["x"], call.operand("x")
    return call.result(operators.truth_or_presence(call.context, at, whole))


def _str(call: LibraryCall) -> Typed:
    call.is_plain = False
    if "x" not in call.values:
        return _of_nothing(call, "", STR)
    return call.result(text_of(call, "x", "s", call.node))


def _repr(call: LibraryCall) -> Typed:
    call.is_plain = False
    return call.result(text_of(call, "x", "r", call.node))


def _ascii(call: LibraryCall) -> Typed:
    call.is_plain = False
    return call.result(text_of(call, "x", "a", call.node))


def _extreme(symbol: str) -> Callable[[LibraryCall], Typed]:
    """Return the check of min or max of two values or more: the first of equal ones is kept."""

    def check(call: LibraryCall) -> Typed:
        names = [name for name in call.values if name != "default"]
        if "default" in call.values:
            return _extreme_or_default(call, names, symbol)
        call.is_plain = len(names) == 1  # one of several values is the result, with its class
        given = [(call.typed(name), call.operand(name), call.nodes[name]) for name in names]
        if len(names) == 1 and isinstance(given[0][0].type, TupleType):
            given = _items_of_tuple(call, names[0])
        elif len(names) < 2:
            return _extreme_of_items(call, names, symbol)
        best, best_value, _ = given[0]
        if not has_order(call.context, best.type):
            call.refuse(f"no order between values of {best.type} is built")
        for other, other_value, at in given[1:]:
            if not has_order(call.context, other.type):
                call.refuse(f"no order between {best.type} and {other.type} is built")
            merged = merge(best, other) or call.context.unite(best, other)
            if merged is None:
                call.context.refuse_merge(
                    f"{call.name}: the result is {best.type} or {other.type}",
                    at,
                    best,
                    other,
                    why="an expression has one type",
                )
            sides = (other, other_value), (best, best_value)
            better = call.context.compared(call.node, symbol, *sides)
            better = operators.truth(call.context, call.node, better)
            type_ = merged.type
            chosen, kept = _as(other_value, type_), _as(best_value, type_)
            best, best_value = merged, Select(better, chosen, kept, type_)
        return call.result(best_value)

    return check


def _extreme_or_default(call: LibraryCall, names: Sequence[str], symbol: str) -> Typed:
    """Check min or max of items that may be missing."""
    at, default = call.nodes["default"], call.typed("default")
    if len(names) != 1:
        call.refuse("a default goes with one list or array of items", at, "leave it out")
    whole = call.typed(names[0])
    if is_empty(whole.type) and default.type is not NONE and not is_open(default.type):
        return alone(call)
    call.context.require_items(call.nodes[names[0]], whole)
    item, value = _ordered_items(call, names[0]), call.operand("default")
    if default.type is not NONE:
        value = default_beside(call, item, whole, "items")
    function = "min_or" if symbol == "<" else "max_or"
    return call.result(call.standard("sequences", function, call.operand(names[0]), value))


def _items_of_tuple(call: LibraryCall, name: str) -> list[tuple[Typed, Computation, n.Expression]]:
    """Return the items of the one argument, a tuple that is not empty."""
    whole, at = call.typed(name), call.nodes[name]
    assert isinstance(whole.type, TupleType)
    if not whole.type.items:
        call.refuse("of an empty tuple there is none", at, "test it first: if xs: ...")
    typed = [
        Typed(item, whole.span, items_at(whole.literals, place))
        for place, item in enumerate(whole.type.items)
    ]
    values = [value for value, _ in call.items(name)]
    return [(item, value, at) for item, value in zip(typed, values, strict=True)]


def _extreme_of_items(call: LibraryCall, names: Sequence[str], symbol: str) -> Typed:
    if not names:
        call.refuse("it needs an argument", instead="values, or what holds them")
    if is_number(call.typed(names[0]).type):
        found, at = call.typed(names[0]).type, call.nodes[names[0]]
        call.refuse(f"{found} holds no items", at, "two values or more, or what holds them")
    call.context.require_items(call.nodes[names[0]], call.typed(names[0]))
    item = _ordered_items(call, names[0])
    if item in sequences.NUMBERS:
        op = sequences.ITEMS_MIN if symbol == "<" else sequences.ITEMS_MAX
        return call.apply(op, call.operand(names[0]))
    if item is NONE:
        texts = Literal(call.name, STR), Literal(symbol, STR)
        items = call.operand(names[0])
        return call.result(call.standard("sequences", "extreme_of_none", items, *texts))
    function = "least" if symbol == "<" else "greatest"
    return call.result(call.standard("sequences", function, call.operand(names[0])))


def _ordered_items(call: LibraryCall, name: str) -> Type:
    """Return the type of the items of an argument, which have an order among each other."""
    item = call.one_by_one(name)
    held = item.item if isinstance(item, OptionalType) else item  # None raises when it is compared
    if held is not NONE and not has_order(call.context, held):
        message = f"no order between values of {item} is built"
        call.refuse(message, call.nodes[name], "a loop that compares what is meant")
    return item


def _are_arrays(type_: Type) -> bool:
    """Whether a loop over values of a type runs over arrays."""
    if isinstance(type_, ListType):
        return isinstance(type_.item, TensorType)
    return isinstance(type_, TensorType) and type_.rank > 1


def _has_sum(item: Type) -> bool:
    """Whether `+` may add values of a type to another one than its own: to the 0 that is first."""
    kinds = ClassType | NamedType | ListType | TupleType
    return all(isinstance(member, kinds) for member in members_of(item))


def _first(call: LibraryCall, item: Type | None = None) -> Computation:
    """Return what a sum starts with; the items tell what `[]` holds."""
    if "start" not in call.values:
        return Literal(0, INT)
    start, node = call.typed("start"), call.nodes["start"]
    if item is not None and call.context.learn_items(start, Typed(item, start.span)):
        raise call.context.not_known_yet(node)
    call.context.require_items(node, start)
    return call.operand("start")


def _sum(call: LibraryCall) -> Typed:
    if _are_arrays(call.typed("values").type):
        values = call.operand("values")
        return call.result(call.standard("sequences", "sum_arrays", values, _first(call)))
    if isinstance(call.typed("values").type, TupleType):
        values = call.operand("values")
        return call.result(call.standard("sequences", "sum_items", values, _first(call)))
    item = call.one_by_one("values")
    is_union = isinstance(item, UnionType) and any(map(is_number, item.members))
    if is_union or _has_sum(item) or (item in TEXTS and may_raise(call.context)):
        first = _first(call, item)
        return call.result(call.standard("sequences", "sum_items", call.operand("values"), first))
    if item is BIGINT:
        given = (call.operand("values"), check_bigints.of_any_size(_first(call)))
        return call.result(call.standard("sequences", "items_sum", *given))
    values = call.operand("values")
    if isinstance(item, OptionalType) and is_number(item.item):
        first = Literal("start" not in call.values, BOOL)
        item, name = item.item, Literal(str(COUNTS.get(item.item, item.item)), STR)
        values = call.standard("sequences", "addends", values, name, first)
    if not is_number(item):
        call.refuse(f"values of {item} are not added up here", instead="add them in a loop")
    # 0 takes the type of what is added to it, and is counted on from where that is a truth value.
    total = COUNTS.get(item, item)
    start = whole_literal(0, total) if "start" not in call.values else _scalar(call, "start")
    # So does a start that is written down; of no items it is the sum, which has one type.
    given = call.typed("start") if "start" in call.values else None
    merged = merge(Typed(total, call.typed("values").span), given) if given else None
    if merged and merged.type == total:
        start = _as(start, total)
    if start.type is not total:
        call.refuse(f"the start is {start.type}, the items are {item}", instead="convert the start")
    if item in sequences.NUMBERS:
        return call.apply(sequences.ITEMS_SUM, values, start)
    return call.result(call.standard("sequences", "items_sum", values, start))


def _decided(call: LibraryCall) -> Typed:
    return call.result(call.standard("sequences", f"items_{call.name}", call.operand("values")))


def _as(value: Computation, type_: Type) -> Computation:
    return value if value.type == type_ else Convert(value, type_)


def _side(call: LibraryCall, name: str) -> operators.Side:
    return call.typed(name), call.operand(name)


def _divmod(call: LibraryCall) -> Typed:
    sides = _side(call, "x"), _side(call, "y")
    if any(isinstance(value.type, ClassType) for _, value in sides):
        return divmod_of_objects(call, sides[0][1], sides[1][1])
    types = {value.type for _, value in sides}
    if BIGINT in types and types <= {BIGINT, INT, BOOL}:
        pair = (check_bigints.of_any_size(value) for _, value in sides)
        return call.apply(bigints.BIGINT_DIVMOD, *pair)
    for name, (_, value) in zip(("x", "y"), sides, strict=True):
        if element_of(value.type) is None and value.type is not BIGINT:
            message = f"{name} must be a number or an array, not {value.type}"
            call.refuse(message, call.nodes[name])
    quotient = operators.binary(call.context, call.node, "//", *sides)
    rest = operators.binary(call.context, call.node, "%", *sides)
    if quotient.type is FLOAT:
        divisor = converted(sides[1][1], FLOAT)
        some = call.context.apply(call.node, elementwise.NE, divisor, Literal(0.0, FLOAT))
        message = "float divmod()"
        quotient = Check(some, "ZeroDivisionError", message, quotient, FLOAT)
    return call.apply(data.TUPLE, quotient, rest)


def _pow(call: LibraryCall) -> Typed:
    if "mod" not in call.values:
        sides = _side(call, "base"), _side(call, "exp")
        return call.result(operators.binary(call.context, call.node, "**", *sides))
    values = [call.operand(name) for name in ("base", "exp", "mod")]
    if any(v.type is BIGINT for v in values) and all(v.type in check_bigints.WHOLE for v in values):
        return call.apply(bigints.BIGINT_POW_MOD, *map(check_bigints.of_any_size, values))
    if any(v.type not in (INT, BOOL) for v in values):
        call.refuse("a modulus goes with three ints", instead="convert them: int(x)")
    return call.apply(integers.POW_MOD, *(converted(v, INT) for v in values))


def _round(call: LibraryCall) -> Typed:
    value = _scalar(call, "number")
    if value.type is DType.B1:
        call.refuse("NumPy's bool has no rounding", call.nodes["number"], "convert it: int(x)")
    if value.type is BIGINT and not call.is_given("ndigits"):
        return call.result(value)
    if call.is_given("ndigits"):
        return call.result(_rounded(call, value))
    if value.type in (FLOAT, DType.F32, DType.F64):
        whole = Convert(converted(value, DType.F64), DType.F64)
        value = Convert(call.context.apply(call.node, elementary.RINT, whole), FLOAT)
    return call.result(to_int(value, call.context.whole))


def _rounded(call: LibraryCall, value: Computation) -> Computation:
    """Round to decimal places: Python's numbers exactly, NumPy's as np.round does."""
    if isinstance(value.type, DType):
        return ufuncs.rounded(call, value, call.constant_int("ndigits", 0))
    places = call.operand("ndigits")
    if places.type not in (INT, BOOL):
        call.refuse(f"ndigits must be an int, not {places.type}", call.nodes["ndigits"])
    if value.type is BIGINT:
        return call.standard("bigint_math", "round_int", value, converted(places, INT))
    name, type_ = ("round_float", FLOAT) if value.type is FLOAT else ("round_int", INT)
    return call.standard("arithmetic", name, converted(value, type_), converted(places, INT))


def _tuple(call: LibraryCall) -> Typed:
    """Check tuple(): it has a length that is known where its argument has."""
    if "x" not in call.values:
        return call.result(call.context.apply(call.node, data.TUPLE))
    value = call.typed("x")
    items = None if "x" in call.displays else call.items_of_list("x")
    if items is not None:
        return call.result(call.context.apply(call.node, data.TUPLE, *items))
    if isinstance(value.type, TupleType) or is_tuple_of(value.type):
        return replace(call.result(call.operand("x")), known=value.known)
    call.context.require_items(call.nodes["x"], value)
    whole = call.operand("x")
    if not isinstance(value.type, ListType):
        call.one_by_one("x")
        whole = call.standard("list_methods", "copied", whole)
    return call.apply(tuples.TUPLE_OF, whole)


def _loop_only(call: LibraryCall) -> Typed:
    call.refuse(
        "only a `for` loop can take it",
        instead=f"write for ... in {call.name}(...) where it is needed",
    )


def _one(name: str, check: Callable[[LibraryCall], Typed]) -> Library:
    return Library(name, ("x",), 1, check)


def _maker(name: str, check: Callable[[LibraryCall], Typed]) -> Library:
    return Library(name, ("x",), 0, check)


def _many(name: str, check: Callable[[LibraryCall], Typed]) -> Library:
    return Library(name, ("value",), 1, check, variadic=True, consumes=True)


TABLE: Mapping[object, Entry] = {
    hash: _one("hash", _hash),
    id: _one("id", _id),
    len: Library("len", ("x",), 1, _len, tells_items=True),
    abs: of_objects(_one("abs", _abs), ("__abs__",)),
    int: of_objects(
        Library("int", ("x", "base"), 0, _int), ("__int__", "__index__", "__trunc__"), INT
    ),
    float: of_objects(_maker("float", _float), ("__float__", "__index__"), FLOAT),
    **complex_numbers.BUILTINS,
    bool: _maker("bool", _bool),
    str: _maker("str", _str),
    tuple: Library("tuple", ("x",), 0, _tuple, displays=True, consumes=True),
    repr: _one("repr", _repr),
    ascii: _one("ascii", _ascii),
    **strings.BUILTINS,
    print: PRINT,
    min: replace(_many("min", _extreme("<")), options=("default",)),
    max: replace(_many("max", _extreme(">")), options=("default",)),
    divmod: Library("divmod", ("x", "y"), 2, _divmod),
    pow: Library("pow", ("base", "exp", "mod"), 2, _pow),
    round: of_objects(Library("round", ("number", "ndigits"), 1, _round), ("__round__",)),
    any: Library("any", ("values",), 1, _decided, consumes=True),
    all: Library("all", ("values",), 1, _decided, consumes=True),
    sum: Library("sum", ("values", "start"), 1, _sum, consumes=True),
    range: _many("range", _loop_only),
    enumerate: _many("enumerate", _loop_only),
    zip: _many("zip", _loop_only),
    reversed: _many("reversed", _loop_only),
}


def check_class(context: Context, node: n.Call, function: object) -> Value | None:
    """Check `type(x)` and `issubclass(type(e), ...)`; None where nothing tells the class."""
    if function is type:
        return check_type(context, node) or class_tests.class_of_value(context, node)
    if len(node.args) != 2 or node.keywords:
        return None
    return check_issubclass(context, node, classes_named_by(context, node.args[1]))
