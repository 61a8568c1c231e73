"""Operators: which op computes them, and to which type each operand is converted first.

Python's numbers follow Python; as soon as one operand is NumPy's, NEP 50 decides: Python's
numbers are weak, NumPy's dtypes are promoted.
"""

from collections.abc import Mapping, Sequence
from functools import partial

from scriptc.check import (
    bigints,
    container_sizes,
    equal_items,
    member_choices,
    operand_refusals,
    protocols,
)
from scriptc.check.bindings import Typed
from scriptc.check.checked import Apply, Check, Computation, Convert, Literal, Select
from scriptc.check.context import Context
from scriptc.check.conversion import converted
from scriptc.check.library.standard import standard_function
from scriptc.check.named import operators as of_classes
from scriptc.check.named_types import is_records
from scriptc.check.python import complex_operators, text_operators
from scriptc.check.python.dicts import counters
from scriptc.syntax.nodes import Node
from scriptc_runtime.ops import arrays, data, elementwise, unions
from scriptc_runtime.ops.arrays import COPY, DIM, MATMUL, VIEW
from scriptc_runtime.ops.opdef import Attrs, OpDef
from scriptc_runtime.ops.reductions import SUM
from scriptc_runtime.ops.reshaping import RESHAPE
from scriptc_runtime.promotion import promote, promote_weak
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    BYTES,
    COMPLEX,
    FLOAT,
    INT,
    INTEGERS,
    NONE,
    STR,
    TEXTS,
    ClassType,
    DequeType,
    DictType,
    DType,
    Element,
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
    holds_int,
    is_complex,
)
from scriptc_runtime.unions import without_none

Side = tuple[Typed, Computation]

_ARITHMETIC: Mapping[str, OpDef] = {
    "+": elementwise.ADD,
    "-": elementwise.SUB,
    "*": elementwise.MUL,
    "/": elementwise.DIV,
    "//": elementwise.FLOORDIV,
    "%": elementwise.MOD,
    "**": elementwise.POW,
}
_BITWISE: Mapping[str, OpDef] = {
    "&": elementwise.AND,
    "|": elementwise.OR,
    "^": elementwise.XOR,
    "<<": elementwise.SHL,
    ">>": elementwise.SHR,
}
_OF_CLASSES = (ClassType, NamedType)
_SHIFTS = ("<<", ">>")
# NumPy computes sums and products of bools as logic, and these as int8.
_LOGICAL: Mapping[str, OpDef] = {"+": elementwise.OR, "*": elementwise.AND}
_OF_BOOLS_AS_INT8 = ("//", "%", "**", "<<", ">>")
# What may count, index and slice: the types whose values have `__index__`, bools aside.
INDEX_TYPES = (INT, BIGINT, *INTEGERS)
_COMPARISONS: Mapping[str, OpDef] = {
    "==": elementwise.EQ,
    "!=": elementwise.NE,
    "<": elementwise.LT,
    "<=": elementwise.LE,
    ">": elementwise.GT,
    ">=": elementwise.GE,
}


# What sums and products of truth values are.
COUNTS: Mapping[Type, PyType | DType] = {BOOL: INT, DType.B1: DType.I64}


def whole_literal(number: int, type_: Type) -> Literal:
    """Return a whole number as a constant of a type of numbers."""
    if is_complex(type_):
        return Literal(complex(number), type_)
    is_float = type_ is FLOAT or (isinstance(type_, DType) and type_.kind == "f")
    return Literal(float(number) if is_float else number, type_)


def common_dtype(first: Type, second: Type) -> DType:
    """Return the dtype in which NumPy computes on operands of which at least one is NumPy's."""
    one, two = element_of(first), element_of(second)
    if isinstance(one, DType) and isinstance(two, DType):
        return promote(one, two)
    if isinstance(one, DType) and isinstance(two, PyType):
        return promote_weak(one, two)
    assert isinstance(one, PyType)
    assert isinstance(two, DType)
    return promote_weak(two, one)


def binary(context: Context, at: Node, symbol: str, left: Side, right: Side) -> Computation:
    """Return the computation of `left symbol right`."""
    right = _for_complex(left, right)
    (_, lhs), (_, rhs) = left, right
    is_format = lhs.type is STR and symbol == "%"
    if not is_format and (isinstance(lhs.type, _OF_CLASSES) or isinstance(rhs.type, _OF_CLASSES)):
        return _own_binary(context, at, symbol, left, right)
    if lhs.type in TEXTS or rhs.type in TEXTS:
        found = text_operators.binary(context, at, symbol, left, right)
        return found or operand_refusals.refuse_operands(context, at, symbol, left, right)
    if isinstance(lhs.type, TupleType) and isinstance(rhs.type, TupleType) and symbol == "+":
        return _joined_tuples(context, at, lhs, rhs)
    if BIGINT in (lhs.type, rhs.type):
        if FLOAT in (lhs.type, rhs.type):
            return binary(context, at, symbol, *map(bigints.as_float, (left, right)))
        if sides := bigints.beside_numbers(left, right):
            return binary(context, at, symbol, *sides)
        found = bigints.binary(context, at, symbol, left, right)
        return found or operand_refusals.refuse_operands(context, at, symbol, left, right)
    one, two = element_of(lhs.type), element_of(rhs.type)
    if one is None or two is None:
        operand_refusals.refuse_operands(context, at, symbol, left, right)
    if symbol == "@":
        return product(context, at, left, right)
    if isinstance(one, PyType) and isinstance(two, PyType):
        return _python_binary(context, at, symbol, left, right)
    return _numpy_binary(context, at, symbol, left, right)


def _own_binary(context: Context, at: Node, symbol: str, left: Side, right: Side) -> Computation:
    found = of_classes.binary(context, at, symbol, left, right)
    sides = of_classes.plain_side(left), of_classes.plain_side(right)
    if found is None and sides != (left, right):
        return binary(context, at, symbol, *sides)
    return found or operand_refusals.refuse_operands(context, at, symbol, left, right)


def _for_complex(left: Side, right: Side) -> Side:
    """Return the right side as a `complex` takes it: np.float64 is a float to it."""
    value, rhs = right
    if left[1].type is not COMPLEX or rhs.type is not DType.F64:
        return right
    return Typed(FLOAT, value.span), converted(rhs, FLOAT)


def _joined_tuples(context: Context, at: Node, *tuples: Computation) -> Computation:
    """Return a tuple of the items of several."""
    items: list[Computation] = []
    for whole in tuples:
        assert isinstance(whole.type, TupleType)
        places = range(len(whole.type.items))
        items += [context.apply(at, data.ITEM, whole, index=place) for place in places]
    return context.apply(at, data.TUPLE, *items)


def _numpy_binary(context: Context, at: Node, symbol: str, left: Side, right: Side) -> Computation:
    (_, lhs), (_, rhs) = left, right
    dtype = common_dtype(lhs.type, rhs.type)
    if dtype is DType.B1 and symbol in _OF_BOOLS_AS_INT8:
        dtype = DType.I8
    if symbol in _BITWISE:
        return _numpy_bitwise(context, at, symbol, left, right, dtype)
    if symbol == "/" and dtype.kind in "biu":
        dtype = DType.F64
    if dtype is DType.B1 and symbol not in _LOGICAL:
        operand_refusals.refuse_bools(context, at, symbol)
    if dtype.kind == "c":
        return _complex_binary(context, at, symbol, left, right, dtype)
    op = _LOGICAL[symbol] if dtype is DType.B1 else _ARITHMETIC[symbol]
    first, second = converted(lhs, dtype), converted(rhs, dtype)
    if symbol == "**":
        # NumPy has no product of bools: their square is of int8, where the exponent is an int.
        is_square = element_of(lhs.type) is DType.B1 and dtype.kind == "i"
        base = converted(lhs, DType.I8) if is_square else first
        if quick := _array_power(context, at, base, right[0]):
            return quick
    return context.apply(at, op, first, second)


def _array_power(context: Context, at: Node, base: Computation, power: Typed) -> Apply | None:
    """Return what NumPy computes for `array ** 2`, which is not what pow() gives."""
    if not isinstance(base.type, TensorType) or power.known is None:
        return None
    exponent = power.known.value
    if exponent == 2:
        return context.apply(at, elementwise.MUL, base, base)
    if exponent == 0.5 and base.type.dtype.kind == "f":
        return context.apply(at, elementwise.SQRT, base)
    return None


def _python_binary(context: Context, at: Node, symbol: str, left: Side, right: Side) -> Computation:
    (_, lhs), (exponent, rhs) = left, right
    types = {lhs.type, rhs.type}
    if symbol in _BITWISE:
        if FLOAT in types or COMPLEX in types:
            operand_refusals.refuse_operands(context, at, symbol, left, right)
        element = BOOL if types == {BOOL} and symbol not in _SHIFTS else INT
        op = _BITWISE[symbol]
    else:
        element = next((t for t in (COMPLEX, FLOAT) if t in types), INT)
        if element is COMPLEX:
            return _complex_binary(context, at, symbol, left, right, COMPLEX)
        op = _ARITHMETIC[symbol]
        known = exponent.known.value if exponent.known else None
        if symbol == "**" and isinstance(known, int) and known < 0:
            element = FLOAT
    return context.apply(at, op, converted(lhs, element), converted(rhs, element))


def _complex_binary(
    context: Context, at: Node, symbol: str, left: Side, right: Side, element: Element
) -> Computation:
    (_, lhs), (exponent, rhs) = left, right
    if symbol in ("//", "%"):
        operand_refusals.refuse_operands(context, at, symbol, left, right)
    if symbol == "**":
        return complex_operators.power(context, at, converted(lhs, element), exponent, rhs)
    operands = converted(lhs, element), converted(rhs, element)
    return context.apply(at, _ARITHMETIC[symbol], *operands)


def _numpy_bitwise(
    context: Context, at: Node, symbol: str, left: Side, right: Side, dtype: DType
) -> Computation:
    if dtype.kind not in "biu":
        operand_refusals.refuse_operands(context, at, symbol, left, right)
    lhs, rhs = converted(left[1], dtype), converted(right[1], dtype)
    return context.apply(at, _BITWISE[symbol], lhs, rhs)


def product(
    context: Context, at: Node, left: Side, right: Side, called: str | None = None
) -> Computation:
    """Return a matrix product; `called` is NumPy's function, whose messages are its own."""
    lhs, rhs = left[1], right[1]
    if not (isinstance(lhs.type, TensorType) and isinstance(rhs.type, TensorType)):
        operand_refusals.refuse_operands(context, at, "@", left, right)
    dtype = common_dtype(lhs.type, rhs.type)
    # A product of bools says whether any pair is true: whether their count is not zero.
    counted = DType.I64 if dtype is DType.B1 else dtype
    lhs, rhs = converted(lhs, counted), converted(rhs, counted)
    return converted(_numeric_product(context, at, lhs, rhs, called), dtype)


def _numeric_product(
    context: Context, at: Node, lhs: Computation, rhs: Computation, called: str | None
) -> Computation:
    assert isinstance(lhs.type, TensorType)
    assert isinstance(rhs.type, TensorType)
    if lhs.type.rank > 2 and rhs.type.rank <= 2:
        return _stacked_product(context, at, lhs, rhs)
    if rhs.type.rank > 2 and lhs.type.rank > 0:
        return _product_of_stacks(context, at, lhs, rhs)
    attrs: Attrs = {} if called is None else {"called": called}
    return context.apply(at, MATMUL, lhs, rhs, **attrs)


# Functions for stacks of matrices of floats by their numbers of axes.
_STACKS = {3: "product_of_stacks", 4: "product_of_deep_stacks"}


def _product_of_stacks(
    context: Context, at: Node, lhs: Computation, rhs: Computation
) -> Computation:
    """Return the product of two stacks of matrices, or a vector and one.

    Its dtype is that of both: what a sum of narrow integers has beyond it is cut off.
    """
    assert isinstance(lhs.type, TensorType)
    assert isinstance(rhs.type, TensorType)
    dtype = lhs.type.dtype
    left, right = lhs.type.rank, rhs.type.rank
    if left == right and left in _STACKS and dtype in (DType.F32, DType.F64):
        return context.call(at, standard_function("linear", _STACKS[left]), (lhs, rhs))
    # A single element must not be taken for as many as the other side has.
    inner = [
        context.apply(at, DIM, side, axis=axis)
        for side, axis in ((lhs, left - 1), (rhs, right - 2))
    ]
    fits = context.apply(at, elementwise.EQ, *inner)
    message = "matmul: Input operand 1 has a mismatch in its core dimension 0"
    lhs = Check(fits, "ValueError", message, lhs, lhs.type)
    none = (Literal(None, NONE),) * 3
    if left == 1:
        first = context.apply(at, VIEW, lhs, *none, axes="sn")
        pair = (first, rhs)
    else:
        first = context.apply(at, VIEW, lhs, *none * left, axes="s" * left + "n")
        second = context.apply(at, VIEW, rhs, *none * right, axes="s" * (right - 2) + "nss")
        pair = (first, second)
    products = context.apply(at, elementwise.MUL, *pair)
    assert isinstance(products.type, TensorType)
    axis = products.type.rank - 2
    return converted(context.apply(at, SUM, products, axis=axis, keepdims=False), dtype)


def _stacked_product(context: Context, at: Node, lhs: Computation, rhs: Computation) -> Computation:
    """Return the product of a stack of matrices with a matrix or vector: of all rows at once."""
    assert isinstance(lhs.type, TensorType)
    assert isinstance(rhs.type, TensorType)
    apply = context.apply
    *outer, inner = [apply(at, DIM, lhs, axis=axis) for axis in range(lhs.type.rank)]
    rows = outer[0]
    for size in outer[1:]:
        rows = apply(at, elementwise.MUL, rows, size)
    flat = _in_shape(context, at, lhs, [rows, inner])
    product = apply(at, MATMUL, flat, rhs)
    columns = [apply(at, DIM, rhs, axis=axis) for axis in range(1, rhs.type.rank)]
    return _in_shape(context, at, product, [*outer, *columns])


def in_place_product(
    context: Context, at: Node, target: Computation, product: Computation
) -> Computation:
    """Return what `target @= x` writes: it has the shape of the target, and is not broadcast."""
    assert isinstance(target.type, TensorType)
    rank = target.type.rank
    if not isinstance(product.type, TensorType) or product.type.rank != rank:
        context.fail(
            "dims",
            f"{target.type} cannot take {product.type}, the product, in place",
            at,
            why="NumPy raises ValueError",
            instead="bind the product to a variable: y = x @ a",
        )
    return _in_shape(
        context, at, product, [context.apply(at, DIM, target, axis=axis) for axis in range(rank)]
    )


def _in_shape(
    context: Context, at: Node, array: Computation, sizes: Sequence[Computation]
) -> Computation:
    dims = (None,) * len(sizes)
    return context.apply(at, RESHAPE, array, *sizes, dims=dims, dense=False)


def comparison(context: Context, at: Node, symbol: str, left: Side, right: Side) -> Computation:
    """Return the computation of one comparison other than `is` and `in`."""
    (_, lhs), (_, rhs) = left, right
    if symbol not in _COMPARISONS:
        context.fail(
            "operator",
            f"{symbol!r} is not in the language",
            at,
            instead="compare with ==; only None is compared with `is`",
        )
    if member_choices.are_compared(symbol, lhs.type, rhs.type):
        found = member_choices.compared(context, at, symbol, left, right)
        return found or operand_refusals.refuse_operands(context, at, symbol, left, right)
    if isinstance(lhs.type, _OF_CLASSES) or isinstance(rhs.type, _OF_CLASSES):
        return _own_comparison(context, at, symbol, left, right)
    if BIGINT in (lhs.type, rhs.type):
        return _bigint_comparison(context, at, symbol, left, right)
    right = _for_complex(left, right)
    rhs = right[1]
    op = _COMPARISONS[symbol]
    types = {lhs.type, rhs.type}
    if types in ({STR}, {BYTES}, {BOOL}) or types <= {INT, FLOAT}:
        return context.apply(at, op, lhs, rhs)
    one, two = element_of(lhs.type), element_of(rhs.type)
    if one is None or two is None:
        operand_refusals.refuse_operands(context, at, symbol, left, right)
    if isinstance(one, PyType) and isinstance(two, PyType):
        # A bool beside an int or a float counts as 0 or 1.
        if COMPLEX in types and symbol in ("==", "!="):
            return complex_operators.equality(context, at, symbol, lhs, rhs)
        first, second = (converted(c, INT) if c.type is BOOL else c for c in (lhs, rhs))
        return context.apply(at, op, first, second)
    lhs, rhs = _comparable(left, right)
    if symbol not in ("==", "!=") and is_complex(element_of(lhs.type)):
        return complex_operators.ordered(context, at, symbol, lhs, rhs)
    return context.apply(at, op, lhs, rhs)


def _bigint_comparison(
    context: Context, at: Node, symbol: str, left: Side, right: Side
) -> Computation:
    if sides := bigints.beside_numbers(left, right):
        return comparison(context, at, symbol, *sides)
    found = bigints.comparison(context, at, symbol, left, right)
    return found or operand_refusals.refuse_operands(context, at, symbol, left, right)


def _own_comparison(
    context: Context, at: Node, symbol: str, left: Side, right: Side
) -> Computation:
    found = of_classes.comparison(context, at, symbol, left, right)
    sides = of_classes.plain_side(left), of_classes.plain_side(right)
    if found is None and sides != (left, right):
        return context.compared(at, symbol, *sides)
    if found is None and symbol == "!=":
        same = truth(context, at, comparison(context, at, "==", left, right))
        return of_classes.negated(context, at, same)
    if found is not None and symbol == "==":
        equal = partial(truth, context, at, found)
        return equal_items.in_containers(context, at, left[1], right[1], equal) or found
    return found or operand_refusals.refuse_operands(context, at, symbol, left, right)


def _comparable(left: Side, right: Side) -> tuple[Computation, Computation]:
    """Return two operands of which one at least is NumPy's, as a comparison takes them.

    Integers are compared exactly, whatever their dtypes: an int that the dtype beside it does not
    hold is no error here.
    """
    (first, lhs), (second, rhs) = left, right
    dtypes = _exact_dtype(first, rhs.type), _exact_dtype(second, lhs.type)
    if dtypes[0] is None or dtypes[1] is None:
        dtype = common_dtype(lhs.type, rhs.type)
        return converted(lhs, dtype), converted(rhs, dtype)
    if set(dtypes) == {DType.I64, DType.U64}:
        return converted(lhs, dtypes[0]), converted(rhs, dtypes[1])
    dtype = promote(*dtypes)
    return converted(lhs, dtype), converted(rhs, dtype)


def _exact_dtype(value: Typed, other: Type) -> DType | None:
    """Return a dtype that holds an integer operand; the other one's, where that is known to do."""
    element, beside = element_of(value.type), element_of(other)
    if isinstance(element, DType):
        return element if element in INTEGERS else None
    if element is not INT or beside not in INTEGERS:
        return None
    assert isinstance(beside, DType)
    known = value.known.value if value.known else None
    if isinstance(known, int) and holds_int(beside, known):
        return beside
    return DType.I64


def _of_dict(context: Context, at: Node, symbol: str, value: Computation) -> Computation:
    """Return `+c` or `-c` of a Counter."""
    found = counters.unary(context, at, symbol, value)
    return (
        found
        if found is not None
        else operand_refusals.refuse_unary(context, at, symbol, value.type)
    )


def unary(context: Context, at: Node, symbol: str, side: Side) -> Computation:
    """Return the computation of `-x`, `+x` or `~x`."""
    _, value = side
    if isinstance(value.type, _OF_CLASSES):
        if (found := of_classes.unary(context, at, symbol, value)) is not None:
            return found
        value = of_classes.plain_computation(value)
    if value.type is BIGINT or isinstance(value.type, DictType):
        of = bigints.unary if value.type is BIGINT else _of_dict
        return of(context, at, symbol, value)
    element = element_of(value.type)
    if element is None or (symbol == "~" and not _has_bits(element)):
        operand_refusals.refuse_unary(context, at, symbol, value.type)
    if element is BOOL:
        value, element = Convert(value, INT), INT
    if element is DType.B1 and symbol != "~":
        operand_refusals.refuse_bools(context, at, symbol)
    match symbol:
        case "-":
            return context.apply(at, elementwise.NEG, value)
        case "~":
            return context.apply(at, elementwise.INVERT, value)
        case "+":
            array = isinstance(value.type, TensorType)
            return context.apply(at, COPY, value) if array else value
        case _:
            raise AssertionError(symbol)


def _has_bits(element: Element) -> bool:
    return element in (BOOL, INT, DType.B1, *INTEGERS)


def truth(context: Context, at: Node, value: Computation) -> Computation:
    """Return whether `value` counts as true, as a bool."""
    match value.type:
        case PyType.BOOL:
            return value
        case PyType.INT | PyType.BIGINT | PyType.FLOAT | PyType.COMPLEX | DType():
            return Convert(value, BOOL)
        case UnionType():
            found = member_choices.by_member(context, at, value, partial(truth, context, at))
            assert found is not None  # all of them are bools
            return found
        case PyType.STR | PyType.BYTES:
            return _is_not_zero(context, at, context.apply(at, data.STR_LEN, value))
        case ListType():
            return _is_not_zero(context, at, context.apply(at, data.LIST_LEN, value))
        case TupleType() | PyType() if value.type is not PyType.EXCEPTION_ARGS:
            return Literal(value.type not in (NONE, TupleType(())), BOOL)
        case DictType() | SetType() | DequeType():
            return _is_not_zero(context, at, container_sizes.size_of(context, at, value))
        case ClassType() | NamedType() if not is_records(value.type):
            found = of_classes.truth(context, at, value)
            return found or truth(context, at, of_classes.plain_computation(value))
        case TensorType():
            return _truth_of_array(context, at, value, value.type)
        case _:
            context.fail(
                "array-truth",
                f"{value.type} has no truth value in scripts",
                at,
                instead="compare what is meant: x.size > 0, `is not None`, or a method",
            )


def _truth_of_array(context: Context, at: Node, value: Computation, type_: TensorType) -> Convert:
    if not type_.dims:
        return Convert(context.apply(at, arrays.INDEX, value), BOOL)
    span = context.span(at)
    text = span.source.text[span.lo : span.hi]
    context.fail(
        "array-truth",
        f"{type_} has no single truth value",
        at,
        why="NumPy refuses it too, except for one element",
        instead=f"reduce it: np.any({text}), or np.all({text})",
    )


def truth_or_presence(context: Context, at: Node, value: Computation) -> Computation:
    """Return whether `value` counts as true; an Optional does where it is there and true."""
    if not isinstance(value.type, OptionalType):
        return truth(context, at, value)
    present = context.apply(at, data.HAS_VALUE, value)
    item = value.type.item
    if isinstance(item, ClassType) and not protocols.has_truth(context, item):
        return present
    inner = truth(context, at, Convert(value, value.type.item))
    return Select(present, inner, Literal(False, BOOL), BOOL)


def presence(context: Context, at: Node, value: Computation) -> Computation:
    """Return whether a value that may be None is not."""
    if isinstance(value.type, OptionalType):
        return context.apply(at, data.HAS_VALUE, value)
    return context.apply(at, unions.HOLDS, value, type=without_none(value.type))


def _is_not_zero(context: Context, at: Node, length: Computation) -> Computation:
    return context.apply(at, elementwise.NE, length, Literal(0, INT))
