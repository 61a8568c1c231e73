"""The state of objects as declarations of a file.

What is one array or one object stays one, and arrays that share memory go on sharing it: they
become views of one weight. A list that is reached twice, and a ring of objects, are refused.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple, NoReturn, cast

import numpy as np
from numpy.lib.array_utils import byte_bounds
from numpy.lib.stride_tricks import as_strided

from scriptc_runtime.collection_classes import limit_of
from scriptc_runtime.containers import python_of
from scriptc_runtime.dims import Dim
from scriptc_runtime.errors import Diagnostic, UnsupportedError
from scriptc_runtime.ir import (
    FieldValue,
    ListValue,
    ObjectDecl,
    ObjectRef,
    View,
    Weight,
    WeightRef,
)
from scriptc_runtime.ops.arrays import Array
from scriptc_runtime.types import (
    FROM_NUMPY,
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
    holds_list,
    parts_of,
)
from scriptc_runtime.values import Instance
from scriptc_runtime.verify.state import MAX_OBJECT_DEPTH, hashed_part, is_plain_key

MAX_ITEMS = 10_000
# How long NumPy may think about whether two arrays share memory; after that they are taken to.
_MAX_WORK = 100_000


class Held(NamedTuple):
    """What an object holds: its class, as the file declares it, and the values of its fields."""

    class_name: str
    fields: Sequence[tuple[str, Type, object]]


class State(NamedTuple):
    """Declarations, and the arrays behind those weights that are no views."""

    weights: dict[str, Weight]
    arrays: dict[str, Array]
    objects: dict[str, ObjectDecl]


class Snapshot:
    """Collects arrays and objects; `held` says what an object holds."""

    def __init__(self, held: Callable[[object], Held]) -> None:
        self._held = held
        self._arrays: dict[object, tuple[str, Array]] = {}
        self._objects: dict[str, ObjectDecl] = {}
        # By identity, with what keeps it: the name of what was reached already.
        self._known: dict[int, tuple[str, object]] = {}
        self._open: list[int] = []
        self._items = 0

    def add_array(self, name: str, array: Array) -> str:
        """Return the name of the weight that is this array: `name`, or an older one."""
        # Of no elements, only the object itself can be the same array.
        place = array.ctypes.data if array.size else id(array)
        key = (place, array.dtype.str, array.shape, array.strides)
        return self._arrays.setdefault(key, (name, array))[0]

    def add_object(self, name: str, value: object) -> str:
        """Return the name of the declared object that is `value`.  Raises UnsupportedError."""
        if id(value) in self._open:
            _refuse(f"{name!r} is an object that holds it, in a ring", "leave one of them out")
        if id(value) in self._known:
            return self._known[id(value)][0]
        if len(self._open) == MAX_OBJECT_DEPTH:
            _refuse(f"objects stand in one another more than {MAX_OBJECT_DEPTH} deep")
        self._known[id(value)] = name, value
        self._open.append(id(value))
        held = self._held(value)
        fields = tuple((n, self._value(f"{name}.{n}", t, v)) for n, t, v in held.fields)
        self._open.pop()
        self._objects[name] = ObjectDecl(name, held.class_name, fields)
        return name

    # One arm for each kind of type.
    def _value(self, name: str, type_: Type, value: object) -> FieldValue:  # noqa: C901
        match type_:
            case OptionalType(item):
                return None if value is None else self._value(name, item, value)
            case ClassType():
                return ObjectRef(self.add_object(name, value))
            case TensorType():
                return WeightRef(self.add_array(name, cast(Array, value)))
            case TupleType(items):
                values = cast("tuple[object, ...]", value)
                parts = enumerate(zip(items, values, strict=True))
                return tuple(self._value(f"{name}.{i}", t, v) for i, (t, v) in parts)
            case ListType(item, True):
                values = cast("tuple[object, ...]", value)
                return self._listed(name, item, values).items
            case ListType(item):
                return self._list(name, item, cast("list[object]", value))
            case DType():
                return cast("int | float", cast("np.generic[object]", value).item())
            case PyType():
                return cast("bool | int | float | complex | str | None", value)
            case DictType() | SetType() | DequeType():
                return self._container(name, type_, value)
            case NamedType():
                _refuse(f"{name!r} is of {type_.name}", "keep its number, its name or its items")
            case UnionType() | CellType():
                _refuse(f"{name!r} is one of {type_}", "keep it in a field for each of its types")

    def _container(self, name: str, type_: Container, value: object) -> FieldValue:
        """Return a dict as pairs, a set as its items, a deque as its items and its limit."""
        key = hashed_part(type_)
        if key is not None and not is_plain_key(key):
            _refuse(f"{name!r} is a {type_.name} of keys of {key}", "keep them in a list")
        if any(map(holds_list, parts_of(type_))):
            # Whether one of them is held elsewhere, too, is not known.
            _refuse(f"{name!r} is a {type_.name} that holds lists or the like", "tuples in it")
        self._meet(name, value, type_.name)
        if isinstance(value, Instance):
            value = python_of(type_, value, lambda _, part: part)
        match type_:
            case DictType(key, held):
                pairs = list(cast("dict[object, object]", value).items())
                return self._listed(name, TupleType((key, held)), pairs)
            case SetType(item):
                return self._listed(name, item, list(cast("set[object]", value)))
            case DequeType(item):
                items = self._listed(name, item, list(cast("deque[object]", value)))
                return items, limit_of(value)

    def _list(self, name: str, item: Type, values: list[object]) -> ListValue:
        self._meet(name, values, "list")
        return self._listed(name, item, values)

    def _meet(self, name: str, value: object, kind: str) -> None:
        """Refuse what two fields hold and can change, as each would have its own later."""
        first, _ = self._known.setdefault(id(value), (name, value))
        if first != name:
            _refuse(f"the fields {first!r} and {name!r} are one {kind}", f"copy it for {name!r}")

    def _listed(self, name: str, item: Type, values: Sequence[object]) -> ListValue:
        self._items += len(values)
        if self._items > MAX_ITEMS:
            _refuse(f"lists of more than {MAX_ITEMS} items, up to {name!r}", "use an array")
        return ListValue(tuple(self._value(f"{name}.{i}", item, v) for i, v in enumerate(values)))

    def finish(self) -> State:
        """Return the declarations.  Raises UnsupportedError."""
        weights: dict[str, Weight] = {}
        arrays: dict[str, Array] = {}
        for group in _groups(list(self._arrays.values())):
            memory = _Memory(group)
            arrays |= memory.array
            weights |= {w.name: w for w in memory.weights()}
        return State(weights, arrays, self._objects)


def _refuse(message: str, instead: str = "") -> NoReturn:
    raise UnsupportedError(Diagnostic("saved-field", message, instead=instead))


_Named = tuple[str, Array]


def _groups(arrays: Sequence[_Named]) -> Iterable[Sequence[_Named]]:
    """Return arrays in groups, and those of a group in order, such that groups share no memory."""
    groups: dict[int, list[int]] = {number: [number] for number in range(len(arrays))}
    bounds = [byte_bounds(array) for _, array in arrays]
    by_address = sorted((n for n in groups if arrays[n][1].size), key=lambda n: bounds[n])
    for place, first in enumerate(by_address):
        for other in by_address[place + 1 :]:
            if bounds[other][0] >= bounds[first][1]:
                break
            if groups[first] is not groups[other] and _share(arrays[first][1], arrays[other][1]):
                groups[first] += groups[other]
                groups |= dict.fromkeys(groups[other], groups[first])
    found = {id(group): sorted(group) for group in groups.values()}
    return [[arrays[number] for number in group] for group in found.values()]


def _share(first: Array, second: Array) -> bool:
    try:
        return np.shares_memory(first, second, max_work=_MAX_WORK)  # pyright: ignore[reportArgumentType] -- its stubs know two numbers
    except np.exceptions.TooHardError:
        return True


class _Memory:
    """Arrays that share memory, and one array that has the elements of all of them."""

    def __init__(self, group: Sequence[_Named]) -> None:
        self._group = group
        self._check()
        bounds = [byte_bounds(array) for _, array in group]
        self._low, high = min(low for low, _ in bounds), max(high for _, high in bounds)
        whole = [
            named
            for named, ends in zip(group, bounds, strict=True)
            if named[1].flags.c_contiguous and ends == (self._low, high)
        ]
        if whole or (len(group) == 1 and not _overlaps_itself(group[0][1])):
            self._name, array = whole[0] if whole else group[0]
            # Not by `ascontiguousarray`, which gives an axis to an array without any.
            stored = np.array(array, order="C")
        else:
            self._name, stored = f"{group[0][0]}.memory", self._filled(high - self._low)
        self.array = {self._name: stored}

    def _check(self) -> None:
        for (name, array), (other_name, other) in pairwise(self._group):
            apart = (array.ctypes.data - other.ctypes.data) % array.itemsize
            if array.dtype != other.dtype or apart:
                _refuse(
                    f"the fields {name!r} and {other_name!r} share memory, as arrays of "
                    f"{array.dtype} and {other.dtype}",
                    f".copy() for {other_name!r}",
                )
        for name, array in self._group:
            low, high = byte_bounds(array)
            if array.nbytes > high - low:
                _refuse(f"elements of the array {name!r} share memory", ".copy()")

    def _filled(self, size: int) -> Array:
        """Return memory with the elements of all arrays, zero between them."""
        _, first = self._group[0]
        stored = np.zeros(size // first.itemsize, first.dtype)
        for _, array in self._group:
            as_strided(stored[self._offset(array) :], array.shape, array.strides)[...] = array
        return stored

    def _offset(self, array: Array) -> int:
        return (array.ctypes.data - self._low) // array.itemsize

    def weights(self) -> Iterable[Weight]:
        """Yield the weight that is stored, and the views of it."""
        ((name, stored),) = self.array.items()
        yield Weight(name, _type_of(stored))
        for other, array in self._group:
            if other != name:
                strides = tuple(stride // array.itemsize for stride in array.strides)
                yield Weight(other, _type_of(array), View(name, self._offset(array), strides))


def _overlaps_itself(array: Array) -> bool:
    """Whether two indices may stand for one element."""
    axes = zip(map(abs, array.strides), array.shape, strict=True)
    reach = 0
    for stride, size in sorted(axis for axis in axes if axis[1] > 1):
        if stride <= reach:
            return True
        reach += stride * (size - 1)
    return False


def _type_of(array: Array) -> TensorType:
    if array.dtype not in FROM_NUMPY:
        _refuse(f"a file holds no arrays of {array.dtype}")
    return TensorType(FROM_NUMPY[array.dtype], tuple(map(Dim, array.shape)))
