"""Kinds of values from Python, by which a call finds its specialisation.

`key_of` tells kinds of values apart without knowing any annotation, so that a warm start finds its
machine code by it, and loads no more than this of what is known of arguments.
"""

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, cast

import numpy as np

from scriptc_runtime.errors import Diagnostic, TypeCheckError
from scriptc_runtime.random_generators import source_type
from scriptc_runtime.types import (
    CellType,
    ClassType,
    Container,
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
    parts_of,
)

Array = np.ndarray[tuple[int, ...], np.dtype[np.generic]]

# Of the third kind are NumPy's functions that are written in Python.
_DISPATCHED: type = type(cast(Any, np.sum))  # pyright: ignore[reportUnknownVariableType]
_FUNCTIONS: tuple[type, ...] = (FunctionType, BuiltinFunctionType, _DISPATCHED)
_STATIC: tuple[type, ...] = (*_FUNCTIONS, np.ufunc, np.dtype, type)
# Most values are of these, and are no arrays of a device.
_NO_ARRAYS = frozenset({int, float, bool, complex, str, bytes, type(None), np.float64, np.int64})
_DICTS = (dict, defaultdict, OrderedDict)
_ON_HOST = _NO_ARRAYS | {np.ndarray}
_NAMED = "named"
_CUPY = "cupy"
_INTERFACE = "__cuda_array_interface__"
_DLPACK, _DLPACK_DEVICE = "__dlpack__", "__dlpack_device__"
_CUDA = (2, 13)  # kinds of devices in DLPack: a GPU's memory, and what moves there by itself
_CONSTANTS = frozenset({int, bool, str})  # what may decide on types by its value
_PLAIN: Mapping[type, str] = {
    int: "int",
    float: "float",
    complex: "complex",
    bool: "bool",
    str: "str",
    bytes: "bytes",
    type(None): "None",
    **{d.numpy.type: d.value for d in DType},
}


_CONTAINERS: Mapping[type, str] = {
    **{cls: cls.__name__ for cls in (list, dict, set, frozenset)},
    **{cls: f"collections.{cls.__name__}" for cls in (deque, defaultdict, Counter, OrderedDict)},
}


def key_of(value: object) -> Hashable:
    """Return what tells the kind of a value from others: equal keys share a specialisation.

    Sizes are no part of it. A class stands for itself; what the language lacks has a key, too.
    """
    kind = type(value)
    plain = _PLAIN.get(kind)
    if plain is not None:
        return plain
    if kind is np.ndarray:
        array = cast(Array, value)
        return f"{array.dtype.str}[{array.ndim}]"
    if kind is tuple:
        return ("tuple", *map(key_of, cast("tuple[object, ...]", value)))
    if kind is slice or (tuple in kind.__mro__ and hasattr(kind, "_fields")):
        return (_NAMED, kind, *_keys_of_named(value))
    name = _CONTAINERS.get(kind) or _name_of_foreign(kind)
    if name is not None:
        try:
            held = cast("Collection[object]", value)
            if isinstance(held, dict):
                pairs = cast("dict[object, object]", held)
                return (name, frozenset(map(key_of, pairs)), frozenset(map(key_of, pairs.values())))
            return (name, frozenset(map(key_of, held)))
        except RecursionError:
            raise _without_end(kind) from None
    if issubclass(kind, np.ndarray):
        # Inside a function: most programs pass no objects of subclasses.
        from scriptc_runtime.array_classes import is_plain_array

        array, cls = cast(Array, value), cast(type, kind)
        return key_of(array.view(np.ndarray)) if is_plain_array(cls) else cls
    if is_static(value):
        # A scripted function stands for the one that it was made of, a class for itself.
        live = value if isinstance(value, type) else getattr(value, "python", value)
        return ("static", cast(Hashable, live))
    source = source_type(kind)
    return kind if source is None else source.value


def _name_of_foreign(kind: type) -> str | None:
    """Return the name of the container that objects of another library's class are taken for."""
    if not kind.__module__.startswith("numba."):
        return None
    # Inside a function: most programs pass nothing of Numba's.
    from scriptc_runtime.typed_lists import is_typed_list

    return "list" if is_typed_list(kind) else None


def _keys_of_named(value: object) -> Iterator[Hashable]:
    """Yield the keys of the items of a named tuple, or of the bounds of a slice."""
    if not isinstance(value, slice):
        yield from map(key_of, cast("tuple[object, ...]", value))
        return
    part = cast("slice[object, object, object]", value)
    for bound in (part.start, part.stop, part.step):
        # All slices are of one type: each bound may be None.
        yield "int" if bound is None else key_of(bound)


def _without_end(kind: type) -> Exception:
    """Return the refusal of a container that holds itself."""
    message = f"a {kind.__name__} that holds itself, or is nested hundreds deep, has no type"
    instead = "objects of a @script class, whose fields may hold others of the class"
    return TypeCheckError(Diagnostic("type-size", message, None, instead=instead))


PLAIN = "plain"  # the part of a key that says that `lie_plainly` holds


def for_layouts(key: Hashable) -> tuple[Hashable, Hashable]:
    """Return a key for arrays of any layout, and the same for those that lie plainly."""
    parts = cast("tuple[Hashable, ...]", key)
    kinds = parts[:-1] if parts[-1:] == (PLAIN,) else parts
    return kinds, (*kinds, PLAIN)


def lie_plainly(values: Sequence[object]) -> bool:
    """Whether the arrays among arguments, as most do, lie in C order and share no memory.

    Code for such calls needs no tests of layouts, and no slow ways for others.
    """
    arrays = [cast(Array, value) for value in values if isinstance(value, np.ndarray)]
    if not all([array.flags.c_contiguous for array in arrays]):
        return False
    if len(arrays) < 2:
        return True
    starts = [(cast(int, a.__array_interface__["data"][0]), a.nbytes) for a in arrays]
    starts.sort()
    return all([start + size <= nxt for (start, size), (nxt, _) in pairwise(starts)])


def is_static(value: object) -> bool:
    """Whether code is compiled for this very object: a function, a class or a dtype."""
    if isinstance(value, BuiltinFunctionType):
        return isinstance(value.__self__, ModuleType | None)  # no method, which holds an object
    is_scripted = callable(value) and isinstance(getattr(value, "python", None), FunctionType)
    return is_scripted or isinstance(value, _STATIC)


def without_static(values: Sequence[object]) -> list[object]:
    """Return what compiled code takes: None for what it is compiled for."""
    return [None if is_static(value) else value for value in values]


def plain_constant(value: object) -> tuple[()] | tuple[Any]:
    """Return a value that may decide on types, in a tuple; () for what does not."""
    if type(value) is tuple:
        items = cast("tuple[object, ...]", value)
        return (cast(Any, value),) if all(type(item) in _CONSTANTS for item in items) else ()
    return (cast(Any, value),) if type(value) in _CONSTANTS else ()


def decided(values: Sequence[object], places: Sequence[int]) -> Sequence[str]:
    """Return what a key says of the values in places that types depend on."""
    # What is no constant there decides on nothing: its kind says all.
    return [f"{place}={values[place]!r}" for place in places if plain_constant(values[place])]


def keys_of_type(type_: Type, classes: Sequence[type] = ()) -> Sequence[Hashable]:
    """Return the keys of the values that need no conversion to a type; none where too many.

    `classes` are those that the type names.
    """

    def keys(inner: Type) -> Sequence[Hashable]:
        return keys_of_type(inner, classes)

    match type_:
        case PyType() | DType():
            return (str(type_),)
        case TensorType(dtype, dims):
            return (f"{dtype.numpy.str}[{len(dims)}]",)
        case TupleType(items):
            return [("tuple", *found) for found in product(*map(keys, items))]
        case ListType(frozen=True):
            return ()  # of each length there are others
        case ListType(item) | SetType(item) | DequeType(item):
            name = "list" if isinstance(type_, ListType) else _class_name(type_)
            return [(name, frozenset((key,))) for key in keys(item)]
        case DictType(key, held):
            pairs = product(keys(key), keys(held))
            name = _class_name(type_)
            return [(name, frozenset((one,)), frozenset((other,))) for one, other in pairs]
        case OptionalType() | UnionType():
            return _keys_of_several(type_, keys)
        case ClassType() | NamedType() | CellType():
            return _keys_of_own(type_, classes)


def _keys_of_several(
    type_: OptionalType | UnionType, keys: Callable[[Type], Sequence[Hashable]]
) -> Sequence[Hashable]:
    if isinstance(type_, UnionType) and type_.parts is not type_.members:
        return ()  # it holds itself: of each depth there are others
    absent = ["None"] if isinstance(type_, OptionalType) else []
    return [*absent, *(key for member in parts_of(type_) for key in keys(member))]


def _class_name(type_: Container) -> str:
    return next(name for name in _CONTAINERS.values() if name.rpartition(".")[2] == type_.name)


def _keys_of_own(
    type_: ClassType | NamedType | CellType, classes: Sequence[type]
) -> Sequence[Hashable]:
    """Return the keys of the objects of a class of the user's."""
    if isinstance(type_, CellType):
        return ()
    found = [cls for cls in classes if cls.__name__ == type_.name]
    if not (isinstance(type_, NamedType) and isinstance(type_.base, TupleType)):
        return found
    items = [keys_of_type(item, classes) for item in type_.base.items]
    return [(_NAMED, cls, *keys) for cls in found for keys in product(*items)]


def live_in(key: Hashable) -> Iterator[FunctionType | type]:
    """Yield the functions and the classes of the user's that a key mentions."""
    if isinstance(key, type | FunctionType):
        yield key
    elif isinstance(key, tuple | frozenset):
        for part in cast("tuple[Hashable, ...]", key):
            yield from live_in(part)


def classes_in(key: Hashable) -> Iterator[type]:
    """Yield the classes of the user's that a key mentions."""
    return (live for live in live_in(key) if isinstance(live, type))


def in_main(text: str) -> str:
    """Return a text with the name of the main script's module as the first process has it."""
    return text.replace("__mp_main__", "__main__")  # that of processes of multiprocessing


def key_text(key: Hashable) -> str:
    """Return a key as text that is the same in every process."""
    match key:
        case type():
            return in_main(f"class {key.__module__}.{key.__qualname__}")
        case tuple():
            return f"({','.join(map(key_text, cast('tuple[Hashable, ...]', key)))})"
        case frozenset():
            return f"{{{','.join(sorted(map(key_text, cast('frozenset[Hashable]', key))))}}}"
        case _ if isinstance(key, _FUNCTIONS):
            return in_main(f"function {key.__module__}.{cast(FunctionType, key).__qualname__}")
        case _:
            return str(key)


class Parameter:
    """A parameter of one specialisation."""

    __slots__ = ("name", "type")

    def __init__(self, name: str, type: Type) -> None:
        self.name = name
        self.type = type


def is_on_device(value: object) -> bool:
    """Whether a value is an array on a CUDA device, or a tuple or container that has one."""
    kind = type(value)
    if kind in _ON_HOST:
        return False
    if kind in _DICTS:
        value = cast("dict[object, object]", value).values()
    elif kind not in (list, deque) and not isinstance(value, tuple):
        return is_device_array(value)
    items = cast("Iterable[object]", value)
    first = next(iter(items), None)
    if not isinstance(value, tuple) and type(first) in _NO_ARRAYS:
        return False  # items are of one kind
    try:
        return any(map(is_on_device, items))
    except RecursionError:
        return False  # it holds itself, which `key_of` refuses


def library_of(value: object) -> str:
    """Return the name of the package that a value's class comes from."""
    return type(value).__module__.partition(".")[0]


def is_device_array(value: object) -> bool:
    """Whether a value is an array on a CUDA device."""
    kind = type(value)
    if kind in _ON_HOST:
        return False
    if library_of(value) == _CUPY and kind.__name__ == "ndarray":
        return True  # without a driver, its interface cannot be asked for
    if hasattr(kind, _DLPACK) and hasattr(kind, _DLPACK_DEVICE):
        return cast(Any, value).__dlpack_device__()[0] in _CUDA
    if not hasattr(kind, _INTERFACE):
        return False
    try:
        return hasattr(value, _INTERFACE)  # PyTorch's on the host have it in their class alone
    except RuntimeError:
        return False  # and those that need a gradient tell so


def kind_text(key: object) -> str:
    """Return a key as text, the same in each process."""
    if isinstance(key, tuple):
        return f"({', '.join(map(kind_text, cast('tuple[object, ...]', key)))})"
    if isinstance(key, frozenset):
        return f"{{{', '.join(sorted(map(kind_text, cast('frozenset[object]', key))))}}}"
    return f"{key.__module__}.{key.__qualname__}" if isinstance(key, type) else str(key)
