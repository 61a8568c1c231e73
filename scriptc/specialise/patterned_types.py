"""The pattern of a call's sizes in the types of the parameters, and what code for it leaves open.

A size that an annotation names means what it says there. What a pattern tells is the sizes that are
left open: an axis is 1, or as long as another axis of the arguments, or has a size of its own. Rows
of two to four elements are that long in the types, where there are many of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import cast

from scriptc.analysis.contiguity import picked_axis
from scriptc.cache.request import ExplicitType, Request
from scriptc.check.checked import CheckedFunction
from scriptc.check.parameter_types import declared_for
from scriptc.check.size_names import without_sizes
from scriptc.passes.sizes import with_params
from scriptc.specialise.arguments import declared_types
from scriptc.values.kinds import Parameter
from scriptc.values.size_patterns import NUMBERS, Pattern, Sizes, sizes_of
from scriptc_runtime.call_graph import callees
from scriptc_runtime.dims import ONE, Dim, symbol
from scriptc_runtime.ir import Function, Module, Value, walk
from scriptc_runtime.ops import arrays
from scriptc_runtime.ops.opdef import Trait
from scriptc_runtime.record import record
from scriptc_runtime.types import OptionalType, TensorType, TupleType, Type

# So many rows make the length of each worth code of its own.
_MANY_ROWS = 8


def explicit_sizes(arguments: Sequence[ExplicitType]) -> Sizes | None:
    """Return what stands for the sizes of arguments of which only the types are known.

    Names of sizes stand for themselves, and each size that is left open is one of its own. None
    where an argument may or may not be an array: that leaves all open.
    """
    if any(_may_be_array(argument.type) for argument in arguments):
        return None
    found: list[object] = [*NUMBERS]
    for argument in arguments:
        if argument.example is not None:
            found += sizes_of((argument.example,))[len(NUMBERS) :]
        else:
            number = len(found)
            found += [_stand_in(d, number + i) for i, d in enumerate(dims_in(argument.type))]
    return tuple(found)


def _may_be_array(type_: Type) -> bool:
    if isinstance(type_, OptionalType):
        return bool(dims_in(type_.item))
    return isinstance(type_, TupleType) and any(map(_may_be_array, type_.items))


def dims_in(type_: Type) -> Sequence[Dim]:
    """Return the dims of the arrays that a type is, or has in tuples."""
    if isinstance(type_, TensorType):
        return type_.dims
    items = type_.items if isinstance(type_, TupleType) else ()
    return [dim for item in items for dim in dims_in(item)]


def _stand_in(dim: Dim, number: int) -> object:
    if dim.is_constant:
        return dim.constant
    return str(dim) if dim.known else f"?{number}"


@record
class _Axis:
    """An axis of an argument.

    Its place in the row of sizes, that in its array, counted from the last axis, its dim in the
    type of the parameter, and whether that leaves the size open.
    """

    number: int
    place: int
    dim: Dim
    is_open: bool


def for_sizes(
    request: Request, given: Sequence[Parameter], root: CheckedFunction, module: Module
) -> "tuple[Module, SizePattern | None]":
    """Return a program for the pattern of the sizes of a request, and that; None for any sizes.

    `given` are the parameters of its `root` as annotations and arguments have them.
    """
    # A function that calls itself does so with arguments of other sizes.
    called = any(root.name in callees(f) for f in module.functions.values())
    if request.sizes is None or called:
        return module, None
    declared = [
        type_ if not isinstance(argument, ExplicitType) else _declared(annotated, type_)
        for (_, annotated), type_, argument in zip(
            declared_types(request), [p.type for p in given], request.arguments, strict=True
        )
    ]
    types = [p.type for p in root.params]
    captured = [c.type for c in root.captures]
    # Where an op is known to fail for axes of such numbers, no more is said of these.
    for numbers in (True, False):
        sized = SizePattern(request, declared, types, numbers=numbers)
        if list(sized.types) == types:
            return module, sized
        found = with_params(module, root.name, [*sized.types, *captured])
        if found is not None:
            return found, sized
    return module, None


def _declared(annotated: Type | None, given: Type) -> Type:
    """Return a type with the sizes that the annotation says, not those of an explicit type."""
    return without_sizes(given) if annotated is None else declared_for(annotated, given)


class SizePattern:
    """The pattern of the sizes of a call, in the types of a function's parameters.

    `given` are these types as annotations have them; in `types`, open axes may have names. Without
    `numbers`, no axis has a number for its size.
    """

    def __init__(
        self, request: Request, given: Sequence[Type], types: Sequence[Type], *, numbers: bool
    ) -> None:
        assert request.sizes is not None
        self._sizes = request.sizes
        self._axes = list(_axes(given, types, request.arguments))
        assert len(self._axes) == len(request.sizes) - len(NUMBERS)
        self._dims = self._chosen(numbers)
        dims = iter(self._dims)
        pairs = zip(types, request.arguments, strict=True)
        self.types = tuple(_with_dims(type_, argument, dims) for type_, argument in pairs)
        # The first axis of each size; if one of these has a name, that.
        self._first: dict[Dim, _Axis] = {}
        for axis, dim in zip(self._axes, self._dims, strict=True):
            known = self._first.setdefault(dim, axis)
            if known.is_open and not axis.is_open:
                self._first[dim] = axis
        self._numbers = {dim: axis.number for dim, axis in self._first.items()}
        # Open axes that have a number are compared with it.
        places = {Dim(number): place for place, number in enumerate(NUMBERS)}
        self._numbers |= {d: p for d, p in places.items() if d == ONE or self._is_open(d)}

    def _chosen(self, numbers: bool) -> list[Dim]:
        """Return the dim of each axis: of those that are open, what the sizes of the call say."""
        taken = {name for axis in self._axes for name, _ in axis.dim.terms}
        told = self._short_rows() | {1} if numbers else set[object]()
        chosen: list[Dim] = []
        for axis in self._axes:
            size = self._sizes[axis.number]
            if not axis.is_open:
                chosen.append(axis.dim)
            elif size in told:
                chosen.append(Dim(cast(int, size)))
            elif size == 1:
                chosen.append(_own_name(axis, taken))
            else:
                chosen.append(self._same_size(axis, chosen) or _own_name(axis, taken))
        return chosen

    def _short_rows(self) -> set[object]:
        """Return the numbers that are sizes of rows of which an array has many.

        Of few rows nothing is told: functions are tried with small matrices of many sizes.
        """
        found = set[object]()
        rows = 1
        for axis in self._axes:
            size = self._sizes[axis.number]
            if axis.place == -1:
                if axis.is_open and size in NUMBERS and rows >= _MANY_ROWS:
                    found.add(size)
                rows = 1
            else:
                rows = rows * size if isinstance(size, int) else _MANY_ROWS
        return found

    def _same_size(self, axis: _Axis, before: Sequence[Dim]) -> Dim | None:
        """Return the dim of another axis of the size of an open one, None where it is the first.

        Of those with names the one that stands at the same place is the most likely to be meant.
        """
        size = self._sizes[axis.number]
        same = [a for a in self._axes if self._sizes[a.number] == size]
        named = [a for a in same if not a.is_open and _is_bound(a.dim)]
        if named:
            return min(named, key=lambda a: a.place != axis.place).dim
        earlier = zip(self._axes, before, strict=False)
        return next((d for a, d in earlier if a.is_open and a in same), None)

    def unequal(self, function: Function) -> tuple[tuple[Dim, Dim], ...]:
        """Return sizes that must differ in a call, as in this one, for code of these types.

        They are those whose equality `function` has to ask for: where they are equal, code that
        knows this is the better one.
        """
        return tuple(
            (a, b)
            for a, b in sorted(_asked(function, self._numbers), key=str)
            if any(map(self._is_open, (a, b)))
            and self._sizes[self._numbers[a]] != self._sizes[self._numbers[b]]
        )

    def _is_open(self, dim: Dim) -> bool:
        return dim in self._first and dim != ONE and self._first[dim].is_open

    def pattern(self, unequal: Sequence[tuple[Dim, Dim]]) -> Pattern:
        """Return the pattern of the calls that code of these types serves."""
        numbers = self._numbers
        pairs = zip(self._axes, self._dims, strict=True)
        equal = [(axis.number, numbers[dim]) for axis, dim in pairs if axis.is_open]
        return (
            tuple((a, b) for a, b in equal if a != b),
            tuple((numbers[a], numbers[b]) for a, b in unequal),
        )


def axes_of_several(
    function: Function, unequal: Sequence[tuple[Dim, Dim]]
) -> tuple[tuple[Value, int], ...]:
    """Return the axes of parameters whose size is not 1 in calls in which these sizes differ."""
    larger = {a for a, b in unequal if b == ONE}
    return tuple(
        (param, axis)
        for param in function.params
        if isinstance(param.type, TensorType)
        for axis, dim in enumerate(param.type.dims)
        if dim in larger
    )


def _is_bound(dim: Dim) -> bool:
    return dim.is_constant or (dim.constant == 0 and [c for _, c in dim.terms] == [1])


def _own_name(axis: _Axis, taken: set[str]) -> Dim:
    if axis.dim.known:
        return axis.dim
    name = f"size{axis.number}"
    while name in taken:
        name += "_"
    taken.add(name)
    return symbol(name)


def _axes(
    given: Sequence[Type], types: Sequence[Type], arguments: Sequence[object]
) -> Iterator[_Axis]:
    """Yield the axes of arguments in the order in which a row of sizes has them."""
    number = len(NUMBERS)
    for declared, type_, argument in zip(given, types, arguments, strict=True):
        for place, was, dim in _dims_given(declared, type_, argument):
            yield _Axis(number, place, dim, was is not None and not was.known)
            number += 1


def _dims_given(
    given: Type, type_: Type, argument: object
) -> Iterator[tuple[int, Dim | None, Dim]]:
    """Yield the place of each axis, its dim in `given`, and that in `type_`.

    Of an array that may be missing, but is there, no size is open.
    """
    match given, type_:
        case TensorType(_, before), TensorType(_, dims):
            yield from zip(range(-len(dims), 0), before, dims, strict=True)
        case TupleType(items), TupleType(others):
            parts = _parts(argument, len(items))
            for item, other, part in zip(items, others, parts, strict=True):
                yield from _dims_given(item, other, part)
        case OptionalType(item), OptionalType(other) if argument is not None:
            for place, _, dim in _dims_given(item, other, argument):
                yield place, None, dim
        case _:
            return


def _parts(argument: object, count: int) -> Sequence[object]:
    """Return the items of a tuple; of one of which only the type is known, what stands for them."""
    if isinstance(argument, ExplicitType):
        return (argument,) * count
    return cast("tuple[object, ...]", argument)


def _with_dims(type_: Type, argument: object, dims: Iterator[Dim]) -> Type:
    """Return a type with other dims, which come in the order of the axes."""
    match type_:
        case TensorType(dtype, old):
            return TensorType(dtype, tuple(next(dims) for _ in old))
        case TupleType(items):
            pairs = zip(items, _parts(argument, len(items)), strict=True)
            return TupleType(tuple(_with_dims(item, part, dims) for item, part in pairs))
        case OptionalType(item) if argument is not None:
            _with_dims(item, argument, dims)
            return type_
        case _:
            return type_


def _asked(function: Function, known: Mapping[Dim, int]) -> set[tuple[Dim, Dim]]:
    """Return pairs of sizes that decide on something where the types do not say it.

    They are what arrays are broadcast for, and the sizes of rows of which one element is taken: the
    elements taken are neighbours where it is the only one.
    """
    found: set[tuple[Dim, Dim]] = set()
    for instr in walk(function.body):
        picked = picked_axis(instr)
        if picked is not None and picked in known and picked != ONE:
            found.add((picked, ONE))
        if Trait.ELEMENTWISE not in instr.op.traits and instr.op is not arrays.ASSIGN:
            continue
        shapes = [v.type.dims for v in instr.operands if isinstance(v.type, TensorType)]
        for first, second in combinations(shapes, 2):
            for a, b in zip(first[::-1], second[::-1], strict=False):
                if a != b and ONE not in (a, b) and a in known and b in known:
                    found |= {(a, b), (a, ONE), (b, ONE)}
    return found
