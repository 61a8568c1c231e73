"""What CPython says of an operation on types that do not have it: CPython is asked at once.

Its TypeErrors and AttributeErrors depend on types alone, so that a value of each type is enough.
"""

import operator
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, cast

import numpy as np

from scriptc_runtime.collection_classes import class_of
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    BYTES,
    COMPLEX,
    FLOAT,
    GENERATOR,
    INT,
    NONE,
    STR,
    ClassType,
    DequeType,
    DictType,
    DType,
    ListType,
    PyType,
    SetType,
    TensorType,
    TupleType,
    Type,
    all_parts,
    is_number,
    is_tuple_of,
)
from scriptc_runtime.unions import members_of

_VALUES: Mapping[Type, object] = {
    INT: 1,
    FLOAT: 1.5,
    BOOL: True,
    COMPLEX: 1j,
    STR: "a",
    BYTES: b"a",
    NONE: None,
}


def _contains(item: Any, whole: Any) -> object:
    return item in whole


def _binary(name: str) -> Callable[[Any, Any], object]:
    # By name: the types of those of `operator` are not all known.
    return cast("Callable[[Any, Any], object]", getattr(operator, name))


_OPERATORS: Mapping[str, Callable[[Any, Any], object]] = {
    "+": _binary("add"),
    "-": _binary("sub"),
    "*": _binary("mul"),
    "/": _binary("truediv"),
    "//": _binary("floordiv"),
    "%": _binary("mod"),
    "**": _binary("pow"),
    "@": _binary("matmul"),
    "&": _binary("and_"),
    "|": _binary("or_"),
    "^": _binary("xor"),
    "<<": _binary("lshift"),
    ">>": _binary("rshift"),
    "+=": _binary("iadd"),
    "-=": _binary("isub"),
    "*=": _binary("imul"),
    "/=": _binary("itruediv"),
    "//=": _binary("ifloordiv"),
    "%=": _binary("imod"),
    "**=": _binary("ipow"),
    "@=": _binary("imatmul"),
    "&=": _binary("iand"),
    "|=": _binary("ior"),
    "^=": _binary("ixor"),
    "<<=": _binary("ilshift"),
    ">>=": _binary("irshift"),
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": _contains,
    "not in": _contains,
    "[]": operator.getitem,
}
_UNARY: Mapping[str, Callable[[Any], object]] = {
    "-": operator.neg,
    "+": operator.pos,
    "~": operator.invert,
}
# Functions that do nothing but ask their arguments, and modules whose functions are so.
_MODULES = ("math", "cmath", "dataclasses", "numpy", "numpy.linalg")
_FUNCTIONS = (
    len, abs, int, float, hash, iter, round, sum, min, max, divmod, pow, sorted, reversed, range,
    dict, list, set, frozenset, tuple, any, all, enumerate
)  # fmt: skip
_NUMPYS = (np.ndarray, np.generic)
_RANDOM = "numpy.random"  # 9 ms to load, which nothing here does unless the program has done so

Error = tuple[str, str]
_Kinds = type[Exception] | tuple[type[Exception], ...]


def of_operator(symbol: str, *types: Type) -> Error | None:
    """Return class and message of the TypeError of an operator; None where there may be none."""
    table = _OPERATORS if len(types) == 2 else _UNARY
    # What `%` says of a text depends on the text.
    if symbol not in table or (symbol in ("%", "%=") and types[0] is STR):
        return None
    return _error(table[symbol], types)


def of_item(symbol: str, whole: Type, index: Type) -> Error | None:
    """Return class and message of the TypeError of an item of what has none, or none to write."""
    return _of_no_index(whole, index) or _error(_ITEMS[symbol], (whole, index))


def of_iteration(whole: Type) -> Error | None:
    """Return class and message of the TypeError of a loop over what is no iterable."""
    return _error(iter, (whole,))


def of_slice(whole: Type) -> Error | None:
    """Return class and message of the TypeError of a slice of what has none."""
    return _error(_whole_slice, (whole,))


def _whole_slice(whole: Any) -> object:
    return whole[:]


def of_format(whole: Type, spec: str) -> Error | None:
    """Return class and message of the TypeError of a value by a format that its class lacks."""
    return _error(partial(_formatted, spec), (whole,))


def _formatted(spec: str, whole: Any) -> str:
    return format(whole, spec)


def of_unpacking(expected: int | None, whole: Type) -> Error | None:
    """Return class and message of what is raised where a value is taken apart.

    It is no iterable, or a tuple that has not as many items as there are targets; None of them
    stands for any number.
    """
    if isinstance(whole, TupleType) and expected is not None:
        return of_count(len(whole.items), expected)
    return _error(_unpack, (whole,))


def of_count(count: int, expected: int) -> Error | None:
    """Return class and message for a number of values that is not that of the targets."""
    if count == expected:
        return None
    few = f"not enough values to unpack (expected {expected}, got {count})"
    return (
        "ValueError",
        few if count < expected else f"too many values to unpack (expected {expected})",
    )


def of_rank(rank: int, count: int) -> Error | None:
    """Return class and message for more indices than an array has axes."""
    if count <= rank:
        return None
    said = f"array is {rank}-dimensional, but {count} were indexed"
    return "IndexError", f"too many indices for array: {said}"


def _unpack(whole: Any) -> object:
    first, *_ = whole
    return first


def _set_item(whole: Any, index: Any) -> None:
    whole[index] = None


_ITEMS: Mapping[str, Callable[[Any, Any], object]] = {
    "[]": _binary("getitem"),
    "[]=": _set_item,
    "del": _binary("delitem"),
}


def of_values(symbol: str, *values: Any) -> Error | None:
    """Return class and message of the TypeError of an operator of one or two values."""
    table = _OPERATORS if len(values) == 2 else _UNARY
    return _raised(table[symbol], values, TypeError) if symbol in table else None


def of_index(whole: Type | None, member: Type) -> Error | None:
    """Return the error for an index of an array that turns out to be no number.

    Of None and bools NumPy makes an axis of one or no element, which nobody means by
    `x[node.feature]` or by `x[labels == k]`, where `labels` is None.
    """
    if not isinstance(whole, TensorType) or member not in (NONE, BOOL):
        return _of_no_index(whole, member)
    what = "None" if member is NONE else "a bool"
    return "TypeError", f"an index of an array that is {what} has to be written down"


def _of_no_index(whole: Type | None, index: Type) -> Error | None:
    """Return NumPy's IndexError for what is no index of any array."""
    number = isinstance(index, DType) and index.kind not in "iub"
    plain = index in (FLOAT, COMPLEX, STR, BYTES) or isinstance(index, DictType | SetType)
    if not (isinstance(whole, TensorType) and (number or plain)):
        return None
    return _raised(_binary("getitem"), (np.zeros(1), *_value(index)), IndexError)


def asked(function: object) -> Callable[..., object] | None:
    """Return a function of which CPython is asked what it raises; None for one that does more."""
    owner = getattr(function, "__self__", None)
    if _RANDOM in sys.modules and isinstance(owner, np.random.RandomState):
        # That of another source, as this one has a state that the program goes on with.
        return getattr(np.random.RandomState(0), getattr(function, "__name__", ""), None)
    asks = getattr(function, "__module__", None) in _MODULES or isinstance(function, np.ufunc)
    if callable(function) and (asks or any(function is one for one in _FUNCTIONS)):
        return function
    return None


def is_of_numpy(function: object) -> bool:
    """Whether a function or method is NumPy's."""
    module: object = getattr(function, "__module__", None)
    owner = getattr(function, "__self__", None)
    if isinstance(function, np.ufunc) or isinstance(owner, _NUMPYS) or _is_generator(owner):
        return True
    return isinstance(module, str) and module.partition(".")[0] == "numpy"


def _is_generator(owner: object) -> bool:
    return _RANDOM in sys.modules and isinstance(owner, np.random.Generator | np.random.RandomState)


def of_attribute(type_: Type, name: str) -> Error | None:
    """Return class and message of the AttributeError for what values of a type do not have."""
    value = _value(type_)
    if not value:
        return None
    try:
        getattr(value[0], name)
    except AttributeError as error:
        return "AttributeError", str(error)
    return None


_ASKED = (ClassType, ListType, DictType, SetType, DequeType)


def never_equal(first: Type, second: Type) -> bool:
    """Whether no value of one type equals one of the other: a text is no number."""
    if isinstance(first, TupleType) and isinstance(second, TupleType):
        return _tuples_differ(first, second)
    kinds = _kind(first), _kind(second)
    return None not in kinds and kinds[0] != kinds[1]


def _tuples_differ(first: TupleType, second: TupleType) -> bool:
    """Whether items that are neither asked, as objects are, nor without a hash differ."""
    parts = (*all_parts(first), *all_parts(second))
    if any(isinstance(part, _ASKED) and not is_tuple_of(part) for part in parts):
        return False
    if len(first.items) != len(second.items):
        return True
    return any(map(never_equal, first.items, second.items))


def never_in(item: Type, whole: Type) -> bool:
    """Whether nothing that a list, tuple or dict holds equals a value of another type."""
    match whole:
        case DictType() | SetType() if isinstance(
            item, ListType | DictType | SetType | DequeType
        ) and not is_tuple_of(item):
            return False  # which raises, as these have no hash
        case ListType(held) | DictType(held) | SetType(held) | DequeType(held):
            return never_equal(item, held)
        case TupleType(items):
            return all(never_equal(item, held) for held in items)
        case _:
            return False


def _kind(type_: Type) -> object:
    if is_number(type_) or type_ is BIGINT:
        return "number"
    if is_tuple_of(type_):
        return TupleType
    if isinstance(type_, ListType | TupleType | DictType | SetType | DequeType):
        return type(type_)
    return type_ if type_ in (STR, BYTES, NONE) else None


def common(
    function: Callable[..., object],
    rows: Iterable[Sequence[Any]],
    kinds: _Kinds = TypeError,
) -> Error | None:
    """Return class and message of what a function raises for each row of arguments, if it does."""
    found: set[Error | None] = set()
    for row in rows:
        found.add(_raised(function, row, kinds))
        if len(found) > 1:
            return None
    return found.pop() if found else None


def values_of(type_: Type) -> tuple[Any, ...]:
    """Return a value of each type that values of a type may have; none where one has none."""
    parts = [_value(member) for member in members_of(type_)]
    return tuple(part[0] for part in parts) if all(parts) else ()


def _error(function: Callable[..., object], types: Sequence[Type]) -> Error | None:
    values = [_value(type_) for type_ in types]
    if not all(values):
        return None
    # No array is made of None: `x @ None` has no matrix, and neither has what has no axes.
    lacks_axes = NONE in types or (function is _OPERATORS["@"] and any(map(_has_no_axes, types)))
    kinds: _Kinds = (TypeError, ValueError) if lacks_axes else TypeError
    if isinstance(types[0], DictType):
        kinds = (TypeError, AttributeError)  # `Counter() += 1` asks the number for its items
    return _raised(function, [value[0] for value in values], kinds)


def _has_no_axes(type_: Type) -> bool:
    return is_number(type_) or (isinstance(type_, TensorType) and not type_.dims)


def _raised(
    function: Callable[..., object],
    values: Sequence[Any],
    kinds: _Kinds,
) -> Error | None:
    try:
        function(*values)
    except Exception as error:
        # Others are a matter of these values, as a division by zero is.
        if not isinstance(error, kinds):
            return None
        # By the name of Python's own class: NumPy has some that inherit from these.
        named = (TypeError, AttributeError, ValueError, IndexError)
        return next(kind.__name__ for kind in named if isinstance(error, kind)), str(error)
    return None


def _value(type_: Type) -> tuple[Any, ...]:
    """Return a value of a type in a tuple, () where none is made."""
    match type_:
        case _ if type_ in _VALUES:
            return (_VALUES[type_],)
        case DType():
            return (type_.numpy.type(1),)
        case PyType.GENERATOR | PyType.RANDOM_STATE:
            made = np.random.default_rng if type_ is GENERATOR else np.random.RandomState
            return (made(0),)
        case TensorType(dtype, dims):
            return (np.ones((1,) * len(dims), dtype.numpy),)
        case ListType(frozen=frozen):
            return ((),) if frozen else ([],)
        case DictType() | SetType() | DequeType():
            return (class_of(type_)(),)
        case TupleType(items):
            parts = [_value(item) for item in items]
            return (tuple(part[0] for part in parts),) if all(parts) else ()
        case _:
            return ()
