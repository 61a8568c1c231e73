"""Ops that compute each element of the result from the same elements of the operands.

The same op works on Python scalars, NumPy scalars and, with broadcasting, on tensors.  All
operands of arithmetic have one element type: lowering inserts the casts that promotion asks for.
Ufuncs on 0-d arrays give scalars, as in NumPy; `where` gives an array.
"""

import operator
from collections.abc import Callable, Sequence
from typing import cast

import numpy as np

from scriptc_runtime.dims import Dim, broadcast
from scriptc_runtime.ops.opdef import (
    PURE,
    Attrs,
    Effects,
    OpDef,
    OpSizeError,
    OpTypeError,
    Trait,
    TypeRule,
)
from scriptc_runtime.type_lists import join_types
from scriptc_runtime.types import (
    BOOL,
    BYTES,
    COMPLEX,
    COMPLEX_DTYPES,
    FLOAT,
    INT,
    INTEGERS,
    SIGNED,
    STR,
    DType,
    Element,
    PyType,
    TensorType,
    Type,
    element_of,
    part_of,
)
from scriptc_runtime.values import checked_int

Binary = Callable[..., object]

_DTYPES = tuple(DType)
_CONVERTED = (BOOL, INT, FLOAT, COMPLEX, *DType)
_COMPLEX = (COMPLEX, *COMPLEX_DTYPES)
_FLOATS = (FLOAT, DType.F16, DType.F32, DType.F64)
_NUMPY_FLOATS = (DType.F16, DType.F32, DType.F64)
_NUMPY_FLOATS_AND_COMPLEX = (*_NUMPY_FLOATS, *COMPLEX_DTYPES)
_NUMPY_NUMBERS = (*INTEGERS, *_NUMPY_FLOATS)
_NUMBERS = (INT, FLOAT, *_NUMPY_NUMBERS)
_ALL_NUMBERS = (*_NUMBERS, *_COMPLEX)
_INTEGERS = (INT, *INTEGERS)
_LOGICAL = (BOOL, DType.B1, *_INTEGERS)


def broadcast_dims(types: Sequence[Type]) -> tuple[tuple[Dim, ...] | None, bool]:
    """Return the dims of tensors broadcast together, and whether they may fail to fit.

    None where no operand is a tensor.  Raises OpTypeError where they can never fit.
    """
    shapes = [t.dims for t in types if isinstance(t, TensorType)]
    if not shapes:
        return None, False
    result, may_fail = shapes[0], False
    for shape in shapes[1:]:
        long, short = (result, shape) if len(result) >= len(shape) else (shape, result)
        head, tail = long[: len(long) - len(short)], long[len(long) - len(short) :]
        try:
            pairs = [broadcast(a, b) for a, b in zip(tail, short, strict=True)]
        except ValueError as error:
            raise OpSizeError(f"sizes {error} cannot be broadcast together") from None
        result = (*head, *(dim for dim, _ in pairs))
        may_fail = may_fail or any(fails for _, fails in pairs)
    return result, may_fail


def shaped(element: Element, dims: tuple[Dim, ...] | None) -> Type:
    """Return the type of a ufunc's result: a tensor, or a scalar where there is no axis."""
    if not dims:
        return element
    assert isinstance(element, DType)
    return TensorType(element, dims)


def _common_element(types: Sequence[Type], accepted: Sequence[Element]) -> Element:
    elements = {element_of(t) for t in types}
    if len(elements) != 1:
        raise OpTypeError(f"operands must have one element type, got {join_types(types)}")
    (element,) = elements
    if element not in accepted:
        raise OpTypeError(f"not defined on {types[0]}")
    return cast(Element, element)  # it is in `accepted`


def _same(accepted: Sequence[Element]) -> Callable[[Sequence[Type], Attrs], tuple[Type, ...]]:
    def infer(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
        element = _common_element(types, accepted)
        return (shaped(element, broadcast_dims(types)[0]),)

    return infer


def _true_division(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    element = _common_element(types, (INT, *_FLOATS, *_COMPLEX))
    return (shaped(FLOAT if element is INT else element, broadcast_dims(types)[0]),)


def _size(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    element = _common_element(types, _ALL_NUMBERS)
    size = part_of(element) if element in _COMPLEX else element
    return (shaped(size, broadcast_dims(types)[0]),)


def _part(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    element = _common_element(types, _COMPLEX)
    return (shaped(part_of(element), broadcast_dims(types)[0]),)


def _whole(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    element = _common_element(types, [part_of(c) for c in _COMPLEX])
    whole = next(c for c in _COMPLEX if part_of(c) is element)
    return (shaped(whole, broadcast_dims(types)[0]),)


def _equality(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    return (BOOL,) if set(types) == {COMPLEX} else _comparison(types, attrs, ordered=False)


def _comparison(types: Sequence[Type], attrs: Attrs, *, ordered: bool = True) -> tuple[Type, ...]:
    if set(types) <= {INT, FLOAT} or set(types) in ({STR}, {BYTES}, {BOOL}):
        return (BOOL,)
    if {element_of(t) for t in types} == {DType.I64, DType.U64}:
        return (shaped(DType.B1, broadcast_dims(types)[0]),)
    element = _common_element(types, _DTYPES)
    assert isinstance(element, DType)
    if ordered and element.kind == "c":
        raise OpTypeError("complex numbers have no order")
    return (shaped(DType.B1, broadcast_dims(types)[0]),)


def _negation(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    element = _common_element(types, (BOOL, DType.B1))
    return (shaped(element, broadcast_dims(types)[0]),)


def _where(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if element_of(types[0]) is not DType.B1:
        raise OpTypeError(f"the condition must be of dtype bool, got {types[0]}")
    element = _common_element(types[1:], _DTYPES)
    assert isinstance(element, DType)
    return (TensorType(element, broadcast_dims(types)[0] or ()),)


def _cast(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    source, target = element_of(types[0]), attrs["to"]
    if source not in _CONVERTED or target not in _CONVERTED:
        raise OpTypeError(f"cannot convert {types[0]} to {target}")
    if source in _COMPLEX and target not in (*_COMPLEX, BOOL, DType.B1):
        raise OpTypeError(f"{types[0]} has two parts, {target} has one")
    if isinstance(types[0], TensorType):
        if not isinstance(target, DType):
            raise OpTypeError(f"cannot convert {types[0]} to {target}")
        return (TensorType(target, types[0].dims),)
    return (target,)


def _tensors(types: Sequence[Type]) -> frozenset[int]:
    return frozenset(i for i, t in enumerate(types) if isinstance(t, TensorType))


_RAISES = Effects(raises=True)


def _effects(types: Sequence[Type], raises: bool) -> Effects:
    tensors = _tensors(types)
    if not tensors:
        return _RAISES if raises else PURE
    return Effects(
        reads=tensors, raises=raises or broadcast_dims(types)[1], allocates=bool(tensors)
    )


def _raises_on(*elements: Element) -> Callable[[Sequence[Type], Attrs], Effects]:
    """Return the effects of an op that raises on some Python scalars, or where shapes differ."""

    def effects(types: Sequence[Type], attrs: Attrs) -> Effects:
        return _effects(types, element_of(types[0]) in elements)

    return effects


def _cast_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    if isinstance(types[0], TensorType):
        return _effects(types, False)
    source, target = element_of(types[0]), cast(Element, attrs["to"])
    # NumPy's own scalars wrap into each other; Python's do not fit, or are no numbers.
    if isinstance(source, DType):
        raises = target is INT and (source.kind == "f" or source is DType.U64)
    elif source is FLOAT:
        raises = target is INT or (isinstance(target, DType) and target.kind in "iu")
    else:
        small = isinstance(target, DType) and target.kind in "iu" and target is not DType.I64
        raises = source is INT and small
    return _effects(types, raises)


def _where_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    """Return the effects of an op that gives an array even for scalars."""
    return Effects(reads=_tensors(types), raises=broadcast_dims(types)[1], allocates=True)


_never = _raises_on()


# The stubs of `operator` have no types for these.
_truediv = cast(Binary, operator.truediv)  # pyright: ignore[reportUnknownMemberType]
_floordiv = cast(Binary, operator.floordiv)  # pyright: ignore[reportUnknownMemberType]
_and = cast(Binary, operator.and_)  # pyright: ignore[reportUnknownMemberType]
_or = cast(Binary, operator.or_)  # pyright: ignore[reportUnknownMemberType]
_xor = cast(Binary, operator.xor)  # pyright: ignore[reportUnknownMemberType]
_lshift = cast(Binary, operator.lshift)  # pyright: ignore[reportUnknownMemberType]
_rshift = cast(Binary, operator.rshift)  # pyright: ignore[reportUnknownMemberType]


def _checked(function: Binary) -> Callable[..., object]:
    """Return `function` with the 64-bit check on a Python int result."""

    def evaluate(x: object, y: object) -> object:
        result = function(x, y)
        return checked_int(result) if type(result) is int else result

    return evaluate


def _power(x: object, y: object) -> object:
    if isinstance(x, np.ndarray | np.generic) or isinstance(y, np.ndarray | np.generic):
        return np.power(cast("np.ndarray", x), cast("np.ndarray", y))
    if type(x) is int and type(y) is int:
        if y < 0:
            raise ValueError("a negative exponent that is not a literal: use float(x) ** y")
        # Refuse before computing: 10 ** 10**9 would never end.
        if abs(x) > 1 and y > 63:
            raise OverflowError("integer result does not fit in 64 bits")
        return checked_int(x**y)
    result: object = cast(float, x) ** cast(float, y)
    if isinstance(result, complex) and not isinstance(x, complex):
        raise ValueError("a negative number to a fractional power is complex")
    return result


def _shift_left(x: object, y: object) -> object:
    if type(x) is int and type(y) is int:
        if y > 63 and x:
            raise OverflowError("integer result does not fit in 64 bits")
        return checked_int(x << y)
    return _lshift(x, y)


def _negative(x: object) -> object:
    result: object = -cast(int, x)
    return checked_int(result) if type(result) is int else result


def _absolute(x: object) -> object:
    # The stubs know no abs() of an object.
    result: object = abs(cast(int, x))
    return checked_int(result) if type(result) is int else result


def _real(x: object) -> object:
    return _copied(cast(complex, x).real)


def _imag(x: object) -> object:
    return _copied(cast(complex, x).imag)


def _copied(part: object) -> object:
    """Return parts as a ufunc gives them: an array of its own, or a scalar."""
    if not isinstance(part, np.ndarray):
        return part
    array = cast("np.ndarray[tuple[int, ...], np.dtype[np.generic]]", part)
    return array.copy() if array.ndim else cast(object, array[()])


def _complex_of(real: object, imag: object) -> object:
    if type(real) is float:
        return complex(real, cast(float, imag))
    parts = np.broadcast_arrays(cast("np.ndarray", real), cast("np.ndarray", imag))
    dtype = np.complex64 if parts[0].dtype == np.float32 else np.complex128
    whole = np.empty(parts[0].shape, dtype)
    # Not real + 1j * imag, which loses signs of zeros.
    whole.real, whole.imag = parts
    return whole if whole.ndim else whole[()]


def _not(x: object) -> object:
    return not x if isinstance(x, bool) else np.logical_not(cast("np.ndarray", x))


def _array_where(condition: object, x: object, y: object) -> object:
    return np.where(cast("np.ndarray", condition), cast("np.ndarray", x), cast("np.ndarray", y))


def convert(x: object, *, to: PyType | DType) -> object:
    """Return `x` as an element of type `to`; floats to int truncate, as int() does."""
    if isinstance(x, np.ndarray):
        assert isinstance(to, DType)
        return cast("np.ndarray[tuple[int, ...], np.dtype[np.generic]]", x).astype(to.numpy)
    if isinstance(to, DType):
        return to.numpy.type(cast(float, x))
    match to:
        case PyType.INT:
            return checked_int(int(cast(float, x)))
        case PyType.FLOAT:
            return float(cast(float, x))
        case PyType.BOOL:
            return bool(x)
        case PyType.COMPLEX:
            return complex(cast(complex, x))
        case _:
            raise TypeError(f"no conversion to {to}")


def _binary(
    name: str,
    doc: str,
    evaluate: Callable[..., object],
    accepted: Sequence[Element],
    raises: Sequence[Element] = (),
    traits: Trait = Trait.NONE,
) -> OpDef:
    return OpDef(
        name=name,
        doc=doc,
        operands=("lhs", "rhs"),
        infer=_same(accepted),
        evaluate=evaluate,
        effects=_raises_on(*raises),
        traits=Trait.ELEMENTWISE | traits,
    )


def _compare(
    name: str,
    doc: str,
    evaluate: Binary,
    traits: Trait = Trait.NONE,
    infer: TypeRule = _comparison,
) -> OpDef:
    return OpDef(
        name=name,
        doc=doc,
        operands=("lhs", "rhs"),
        infer=infer,
        evaluate=evaluate,
        effects=_never,
        traits=Trait.ELEMENTWISE | traits,
    )


def _unary(
    name: str,
    doc: str,
    evaluate: Callable[..., object],
    accepted: Sequence[Element],
    raises: Sequence[Element] = (),
) -> OpDef:
    return OpDef(
        name=name,
        doc=doc,
        operands=("x",),
        infer=_same(accepted),
        evaluate=evaluate,
        effects=_raises_on(*raises),
        traits=Trait.ELEMENTWISE,
    )


_COMMUTES = Trait.COMMUTATIVE
ADD = _binary("add", "Sum.", _checked(operator.add), _ALL_NUMBERS, (INT,), _COMMUTES)
SUB = _binary("sub", "Difference.", _checked(operator.sub), _ALL_NUMBERS, (INT,))
MUL = _binary("mul", "Product.", _checked(operator.mul), _ALL_NUMBERS, (INT,), _COMMUTES)
DIV = OpDef(
    name="div",
    doc="True quotient; two ints give the float nearest to the exact quotient.",
    operands=("lhs", "rhs"),
    infer=_true_division,
    evaluate=_truediv,
    effects=_raises_on(INT, FLOAT, COMPLEX),
    traits=Trait.ELEMENTWISE,
)
FLOORDIV = _binary(
    "floordiv", "Floor of the quotient.", _checked(_floordiv), _NUMBERS, (INT, FLOAT)
)
MOD = _binary("mod", "Remainder with the sign of `rhs`.", operator.mod, _NUMBERS, (INT, FLOAT))
POW = _binary("pow", "Power.", _power, _ALL_NUMBERS, (INT, FLOAT, COMPLEX, *SIGNED))
AND = _binary("and", "Bitwise and.", _and, _LOGICAL, (), _COMMUTES)
OR = _binary("or", "Bitwise or.", _or, _LOGICAL, (), _COMMUTES)
XOR = _binary("xor", "Bitwise exclusive or.", _xor, _LOGICAL, (), _COMMUTES)
SHL = _binary("shl", "Left shift.", _shift_left, _INTEGERS, (INT,))
SHR = _binary("shr", "Right shift that keeps the sign.", _rshift, _INTEGERS, (INT,))
NEG = _unary("neg", "Minus `x`.", _negative, _ALL_NUMBERS, (INT,))
ABS = OpDef(
    name="abs",
    doc="Absolute value; of a complex number a float.",
    operands=("x",),
    infer=_size,
    evaluate=_absolute,
    effects=_raises_on(INT, COMPLEX),
    traits=Trait.ELEMENTWISE,
)
REAL = OpDef(
    name="real",
    doc="Real part.",
    operands=("x",),
    infer=_part,
    evaluate=_real,
    effects=_never,
    traits=Trait.ELEMENTWISE,
)
IMAG = OpDef(
    name="imag",
    doc="Imaginary part.",
    operands=("x",),
    infer=_part,
    evaluate=_imag,
    effects=_never,
    traits=Trait.ELEMENTWISE,
)
COMPLEX_OF = OpDef(
    name="complex_of",
    doc="The complex number of two parts.",
    operands=("real", "imag"),
    infer=_whole,
    evaluate=_complex_of,
    effects=_never,
    traits=Trait.ELEMENTWISE,
)
INVERT = _unary("invert", "Bitwise complement.", operator.invert, (DType.B1, *_INTEGERS))
NOT = OpDef(
    name="not",
    doc="Logical complement.",
    operands=("x",),
    infer=_negation,
    evaluate=_not,
    effects=_never,
    traits=Trait.ELEMENTWISE,
)
EQ = _compare("eq", "Whether equal.", operator.eq, _COMMUTES, _equality)
NE = _compare("ne", "Whether not equal.", operator.ne, _COMMUTES, _equality)
LT = _compare("lt", "Whether less.", operator.lt)
LE = _compare("le", "Whether less or equal.", operator.le)
GT = _compare("gt", "Whether greater.", operator.gt)
GE = _compare("ge", "Whether greater or equal.", operator.ge)
EXP = _unary("exp", "e to the power `x`.", np.exp, _NUMPY_FLOATS_AND_COMPLEX)
LOG = _unary("log", "Natural logarithm; NaN below zero.", np.log, _NUMPY_FLOATS_AND_COMPLEX)
SQRT = _unary("sqrt", "Square root; NaN below zero.", np.sqrt, _NUMPY_FLOATS_AND_COMPLEX)
MAXIMUM = _binary(
    "maximum", "The larger; NaN if either is.", np.maximum, (DType.B1, *_NUMPY_NUMBERS)
)
MINIMUM = _binary(
    "minimum", "The smaller; NaN if either is.", np.minimum, (DType.B1, *_NUMPY_NUMBERS)
)
WHERE = OpDef(
    name="where",
    doc="`x` where `condition` holds, else `y`; always an array.",
    operands=("condition", "x", "y"),
    infer=_where,
    evaluate=_array_where,
    effects=_where_effects,
    traits=Trait.ELEMENTWISE,
)
CAST = OpDef(
    name="cast",
    doc="`x` converted to the element type `to`.",
    operands=("x",),
    attrs=("to",),
    infer=_cast,
    evaluate=convert,
    effects=_cast_effects,
    traits=Trait.ELEMENTWISE,
)

ARITHMETIC = (ADD, SUB, MUL, DIV, FLOORDIV, MOD, POW, NEG, ABS)
BITWISE = (AND, OR, XOR, SHL, SHR, INVERT, NOT)
COMPARISONS = (EQ, NE, LT, LE, GT, GE)
FUNCTIONS = (EXP, LOG, SQRT, MAXIMUM, MINIMUM, WHERE, CAST, REAL, IMAG, COMPLEX_OF)
OPS = (*ARITHMETIC, *BITWISE, *COMPARISONS, *FUNCTIONS)
