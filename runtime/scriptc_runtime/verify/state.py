"""Checks the state that a module comes with: its weights, and the objects that refer to them."""

import math
from collections.abc import Mapping, Sequence

from scriptc_runtime.errors import InvalidIRError
from scriptc_runtime.ir import (
    Constant,
    FieldValue,
    ListValue,
    Module,
    ObjectDecl,
    ObjectRef,
    View,
    Weight,
    WeightRef,
    names_of_line,
)
from scriptc_runtime.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STR,
    ClassType,
    Container,
    DequeType,
    DictType,
    DType,
    ListType,
    OptionalType,
    PyType,
    SetType,
    TensorType,
    TupleType,
    Type,
    assignable,
    substitute_dims,
)

# Freeing a chain of objects takes stack for each.
MAX_OBJECT_DEPTH = 100
_CONSTANTS: Mapping[type, PyType] = {
    bool: BOOL,
    int: INT,
    float: FLOAT,
    complex: COMPLEX,
    str: STR,
    type(None): NONE,
}
_KINDS: Mapping[str, PyType] = {"b": BOOL, "i": INT, "u": INT, "f": FLOAT, "c": COMPLEX}


def check_weights(module: Module) -> None:
    """Check the sizes of weights, and where views of others lie.  Raises InvalidIRError."""
    for weight in module.weights.values():
        type_ = _array_type(weight)
        if any(not d.is_constant or d.constant < 0 for d in type_.dims):
            raise InvalidIRError(f"weight @{weight.name}: the sizes of a weight are numbers")
        if weight.view is not None:
            _check_view(weight, weight.view, module)


def _array_type(weight: Weight) -> TensorType:
    if not isinstance(weight.type, TensorType):
        raise InvalidIRError(f"weight @{weight.name} is a {weight.type}, not an array")
    return weight.type


def _check_view(weight: Weight, view: View, module: Module) -> None:
    where = f"weight @{weight.name}"
    whole = weight_of(view.weight, module, where)
    type_, stored = _array_type(weight), _array_type(whole)
    if whole.view is not None or type_.dtype is not stored.dtype:
        raise InvalidIRError(f"{where}: @{whole.name} is a view itself, or of another dtype")
    sizes = [d.constant for d in type_.dims]
    if len(view.strides) != len(sizes):
        raise InvalidIRError(f"{where}: {len(sizes)} axes and {len(view.strides)} strides")
    # As many elements as there are, so that a small file stays a small array.
    most = math.prod(d.constant for d in stored.dims)
    reach = [stride * (size - 1) for size, stride in zip(sizes, view.strides, strict=True)]
    first = view.offset + sum(r for r in reach if r < 0)
    last = view.offset + sum(r for r in reach if r > 0)
    if not (1 <= math.prod(sizes) <= most and first >= 0 and last < most):
        raise InvalidIRError(f"{where}: its elements are not among those of @{whole.name}")


def weight_of(name: str, module: Module, where: str) -> Weight:
    """Return a weight of the module.  Raises InvalidIRError where there is none."""
    if name not in module.weights:
        raise InvalidIRError(f"{where}: there is no weight @{name}")
    return module.weights[name]


def check_objects(module: Module) -> None:
    """Check that objects are as their classes declare them.  Raises InvalidIRError.

    An object refers to such as stand before it: there are no rings.
    """
    depths: dict[str, int] = {}
    for instance in module.objects.values():
        depths[instance.name] = _ObjectChecker(module, depths, instance).run()


class _ObjectChecker:
    """Checks one object; `depths` says how deep those before it are."""

    def __init__(self, module: Module, depths: Mapping[str, int], instance: ObjectDecl) -> None:
        self._module = module
        self._depths = depths
        self._instance = instance
        self._where = f"object @{instance.name}"
        self._depth = 1

    def run(self) -> int:
        """Return the depth of the object."""
        instance = self._instance
        if instance.class_name not in self._module.classes:
            raise InvalidIRError(f"{self._where}: there is no class @{instance.class_name}")
        declared = self._module.classes[instance.class_name].fields
        if [name for name, _ in instance.fields] != [name for name, _ in declared]:
            raise InvalidIRError(f"{self._where}: its fields are not those of its class, in order")
        for (name, type_), (_, value) in zip(declared, instance.fields, strict=True):
            if not self._fits(value, substitute_dims(type_, {})):
                raise InvalidIRError(f"{self._where}: field {name} is declared as {type_}")
        if self._depth > MAX_OBJECT_DEPTH:
            raise InvalidIRError(f"{self._where}: objects more than {MAX_OBJECT_DEPTH} deep")
        return self._depth

    def _fits(self, value: FieldValue, type_: Type) -> bool:
        match value, type_:
            case None, OptionalType():
                return True
            case _, OptionalType(item):
                return self._fits(value, item)
            case WeightRef(name), _:
                return assignable(weight_of(name, self._module, self._where).type, type_)
            case ObjectRef(name), _:
                named = self._class_of(name)
                line = names_of_line(named, self._module.classes)
                return isinstance(type_, ClassType) and type_.name in line
            case (tuple() as items, ListType(item, True)) | (
                ListValue(items),
                ListType(item, False),
            ):
                return all(self._fits(value, item) for value in items)
            case tuple(), TupleType(items):
                return self._tuple_fits(value, items)
            case _, DictType() | SetType() | DequeType():
                return self._container_fits(value, type_)
            case ((ListValue() | tuple()), _):
                return False
            case _:
                return constant_fits(value, type_)

    def _container_fits(self, value: FieldValue, type_: Container) -> bool:
        """Whether pairs are those of a dict, items those of a set, or of a deque with its limit."""
        match value, type_:
            case ListValue(items), DictType(key, held):
                pairs = TupleType((key, held))
                if not (is_plain_key(key) and all(self._fits(pair, pairs) for pair in items)):
                    return False
                keys = {pair[0] for pair in items if isinstance(pair, tuple)}
                return len(keys) == len(items)
            case ListValue(items), SetType(item):
                fitting = is_plain_key(item) and all(self._fits(part, item) for part in items)
                return fitting and len(set(items)) == len(items)
            case (ListValue(items), int() as limit), DequeType(item):
                fits = limit == -1 or limit >= len(items)
                known = type(limit) is int and fits and _in_range(limit, DType.I64)
                return known and all(self._fits(part, item) for part in items)
            case _:
                return False

    def _tuple_fits(self, values: Sequence[FieldValue], types: Sequence[Type]) -> bool:
        return len(values) == len(types) and all(map(self._fits, values, types))

    def _class_of(self, name: str) -> str:
        if name not in self._depths:
            raise InvalidIRError(f"{self._where}: there is no object @{name} before it")
        self._depth = max(self._depth, self._depths[name] + 1)
        return self._module.objects[name].class_name


def hashed_part(type_: Container) -> Type | None:
    """Return the type of what a container finds by its hash; None for a deque."""
    if isinstance(type_, DictType):
        return type_.key
    return type_.item if isinstance(type_, SetType) else None


def is_plain_key(type_: Type) -> bool:
    """Whether keys of a type are in files: numbers, texts and tuples of them."""
    if isinstance(type_, TupleType):
        return all(map(is_plain_key, type_.items))
    return type_ in (BOOL, INT, FLOAT, STR)


def constant_fits(value: Constant, type_: Type) -> bool:
    """Whether a constant can be a value of `type_`; NumPy scalars are kept as Python's numbers."""
    match type_:
        case OptionalType(item):
            return value is None or constant_fits(value, item)
        case DType():
            return _CONSTANTS[type(value)] is _KINDS[type_.kind] and _in_range(value, type_)
        case _:
            return _CONSTANTS[type(value)] is type_ and _in_range(value, DType.I64)


def _in_range(value: Constant, dtype: DType) -> bool:
    if type(value) is not int:
        return True
    bits = 8 * dtype.itemsize
    lowest = 0 if dtype.kind == "u" else -(2 ** (bits - 1))
    return lowest <= value < lowest + 2**bits
