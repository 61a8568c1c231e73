"""Decompose: open library ops with their bodies from the standard library.

    %1 = var %x [axis=1, keepdims=false]     =>     %1 = call %x [callee="stdlib.var"]

The bodies are functions of the script language, checked and lowered for the operand types they
meet; the driver provides them, as passes know nothing of source text.  Small ones are inlined
by the next `inline`.

Needs: core IR.
Gives: core IR without the library ops in `OPENED`, low ops where a list is made, half precision
computed in single precision, and sums of complex arrays as those of their parts; whether a device
runs it is a constant.
Does not: open an op that the backend computes itself.
Cases: tests/cases/passes/decompose.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Protocol

from scriptc.analysis.contiguity import Contiguity, Order
from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.element_types import by_parts, is_half, narrowed, widened
from scriptc.passes.rebuild import rebuild
from scriptc_runtime import refusals
from scriptc_runtime.errors import TypeCheckError
from scriptc_runtime.ir import Builder, Function, Instr, Module, Value, make, walk
from scriptc_runtime.ops import (
    arrays,
    bigints,
    control,
    data,
    device,
    elementwise,
    fourier,
    generators,
    integers,
    linalg,
    list_items,
    list_parts,
    picking,
    reductions,
    scans,
    sequences,
    sorting,
)
from scriptc_runtime.ops.opdef import Attr, OpDef
from scriptc_runtime.record import record
from scriptc_runtime.types import NONE, DType, TensorType, Type


@record(exact=True)
class BodyRequest:
    """A library function for operands of these types, with constants bound by name."""

    file: str
    function: str
    types: tuple[Type, ...]
    constants: tuple[tuple[str, Attr], ...] = ()


class Library(Protocol):
    """Where bodies come from."""

    def body(self, request: BodyRequest) -> tuple[str, Mapping[str, Function]]:
        """Return the name of the function and all functions it needs, itself included."""
        ...


# The file of the standard library that holds the function named like the op.
OPENED: Mapping[OpDef, str] = {
    reductions.MEAN: "arrays",
    reductions.VAR: "arrays",
    reductions.ARGMAX: "arrays",
    reductions.ARGMIN: "arrays",
    reductions.CLIP: "arrays",
    scans.SCAN: "scans",
    picking.PLACES: "picking",
    picking.TALLY: "picking",
    **dict.fromkeys(sorting.SORTS, "sorting"),
    **dict.fromkeys(sorting.SELECTIONS, "selection"),
    data.LIST_LEN: "lists",
    data.LIST_GET: "lists",
    data.LIST_SET: "lists",
    data.LIST_APPEND: "lists",
    data.LIST_INSERT: "lists",
    data.LIST_EXTEND: "lists",
    **dict.fromkeys(list_parts.OPS, "lists"),
    data.LIST_ROOM: "lists",
    data.LIST_POP: "lists",
    **dict.fromkeys(linalg.LIBRARY_OPS, "linalg"),
    **dict.fromkeys(fourier.OPS, "fourier"),
    **dict.fromkeys(integers.OPS, "integers"),
    **dict.fromkeys(bigints.LIBRARY_OPS, "bigints"),
    **dict.fromkeys(bigints.OF_BITS, "bigint_bits"),
    **dict.fromkeys(bigints.OF_POWERS, "bigint_powers"),
    bigints.BIGINT_GCD: "bigint_gcd",
    **dict.fromkeys(sequences.OPS, "sequences"),
    generators.SHUFFLE: "random",
}
# What does otherwise where rows may lie along another axis.
_BY_LAYOUT = (reductions.ARGMAX, reductions.ARGMIN)


def decompose(
    module: Module,
    library: Library,
    opened: Mapping[OpDef, str] = OPENED,
    *,
    on_device: bool = False,
) -> Module:
    """Return `module` with the ops in `opened` replaced by bodies, and those that these use.

    Bodies for a device share the work of more threads; they know by a constant, `ON_DEVICE`, and
    functions that were checked before by the op `on_device`.
    """
    waiting = dict(module.functions)
    done: dict[str, Function] = {}
    while waiting:
        name, function = waiting.popitem()
        opener = _Opener(library, function, opened, on_device)
        done[name] = rebuild(function, opener.rewrite)
        waiting.update({n: f for n, f in opener.needed.items() if n not in done})
    # The order of the source first, then the library's.
    order = [*module.functions, *sorted(n for n in done if n not in module.functions)]
    return module.with_functions({n: done[n] for n in order})


class _Opener:
    def __init__(
        self, library: Library, function: Function, opened: Mapping[OpDef, str], on_device: bool
    ) -> None:
        self._library = library
        self._opened = opened
        self._on_device = on_device
        self._function = function
        self.needed: dict[str, Function] = {}

    @cached_property
    def _definitions(self) -> Mapping[Value, Instr]:
        return definitions_of(self._function)

    @cached_property
    def _contiguity(self) -> Contiguity:
        return Contiguity(self._function, {})

    @cached_property
    def _sized(self) -> Mapping[Value, Instr]:
        """The empty lists that are given room at once."""
        return {
            one.result: one
            for one, other in pairwise(walk(self._function.body))
            if one.op is data.LIST
            and not one.operands
            and other.op is data.LIST_ROOM
            and other.operands[0] is one.result
        }

    def rewrite(self, instr: Instr, builder: Builder) -> Sequence[Value] | None:
        if instr.op is data.LIST:
            if instr.result in self._sized:
                return (instr.result,)  # emitted with its room
            return (_make_list(instr, builder),)
        if instr.op is data.LIST_ROOM and instr.operands[0] in self._sized:
            _make_room(self._sized[instr.operands[0]], instr, builder)
            return ()
        if instr.op is device.ON_DEVICE:
            return (builder.emit(data.CONST, loc=instr.loc, value=self._on_device),)
        if instr.op is generators.DRAW_ARRAY:
            return (_drawn_array(instr, builder),)
        if is_half(instr):
            single = widened(instr, builder)
            (value,) = self.rewrite(single, builder) or builder.append(single).results
            return (narrowed(instr, value, builder),)
        if (value := by_parts(instr, builder, rows_too=self._on_device)) is not None:
            return (value,)
        if instr.op not in self._opened or _is_of_rows(instr):
            return None
        request = BodyRequest(
            self._opened[instr.op],
            f"{instr.op.name}_last" if self._pops_last(instr) else instr.op.name,
            tuple(v.type for v in instr.operands),
            (*self._constants(instr), *((("ON_DEVICE", True),) if self._on_device else ())),
        )
        try:
            name, functions = self._library.body(request)
        except TypeCheckError as error:
            # The op takes more types than its body does.
            types = ", ".join(map(str, request.types))
            what = f"{instr.op.name} of {types}"
            raise refusals.refusal(self._function, instr.loc, what) from error
        self.needed.update(functions)
        result = instr.result.type if instr.results else NONE
        attrs = {"callee": name, "result": result}
        call = builder.append(make(control.CALL, instr.operands, attrs, instr.loc))
        return call.results if instr.results else ()

    def _pops_last(self, instr: Instr) -> bool:
        """Whether the last item of a list is removed, which moves no other."""
        if instr.op is not data.LIST_POP:
            return False
        index = self._definitions.get(instr.operands[1])
        return index is not None and index.op is data.CONST and index.attrs["value"] == -1

    def _constants(self, instr: Instr) -> tuple[tuple[str, Attr], ...]:
        """Return what the body takes for its constants; see stdlib/arrays.py."""
        if "axis" not in instr.attrs or instr.op in picking.OPS:
            return tuple((name.upper(), value) for name, value in instr.attrs.items())
        (operand,) = instr.operands
        assert isinstance(operand.type, TensorType)
        rank = operand.type.rank
        axes = reductions.reduced_axes(operand.type, instr.attrs)
        behind = tuple(range(axes[-1] + 1, rank)) if axes else ()
        found = (
            *(("RANK", rank), ("AXES", axes), ("BEHIND", behind)),
            ("KEEPDIMS", instr.attrs["keepdims"]),
        )
        if instr.op not in _BY_LAYOUT or not behind:
            return found
        return (*found, ("DENSE", self._contiguity.of(operand) is Order.DENSE))


def _is_of_rows(instr: Instr) -> bool:
    """Whether an op writes to places of an array with several axes: no body does."""
    if instr.op is not picking.PUT_AT:
        return False
    target = instr.operands[0].type
    assert isinstance(target, TensorType)
    return target.rank > 1


def _drawn_array(instr: Instr, builder: Builder) -> Value:
    """Emit an array and the instruction that fills it."""
    dims = instr.attrs["dims"]
    assert isinstance(dims, tuple)
    count = len(instr.operands) - len(dims)
    source, *parameters = instr.operands[:count]
    dtype = instr.attrs["dtype"]
    sizes = instr.operands[count:]
    array = builder.emit(arrays.EMPTY, *sizes, loc=instr.loc, dtype=dtype, dims=dims)
    for place, parameter in enumerate(parameters):
        if isinstance(parameter.type, TensorType):
            own = parameter.type.dtype
            spread = builder.emit(arrays.EMPTY, *sizes, loc=instr.loc, dtype=own, dims=dims)
            builder.effect(arrays.ASSIGN, spread, parameter, loc=instr.loc)
            parameters[place] = spread
    attrs = {name: value for name, value in instr.attrs.items() if name != "dims"}
    builder.effect(generators.FILL_RANDOM, source, array, *parameters, loc=instr.loc, **attrs)
    return array


def _make_room(made: Instr, instr: Instr, builder: Builder) -> None:
    """Emit an empty list that has room from the beginning."""
    none = builder.emit(data.CONST, loc=instr.loc, value=0, dtype=DType.I64)
    count = builder.emit(elementwise.CAST, instr.operands[1], loc=instr.loc, to=DType.I64)
    room = builder.emit(elementwise.MAXIMUM, none, count, loc=instr.loc)
    attrs = {"item": made.attrs["item"]}
    builder.append(Instr(list_items.LIST_ALLOC, (room,), attrs, made.results, made.loc))


def _make_list(instr: Instr, builder: Builder) -> Value:
    """Emit a list display: its room is known, so its items are stored directly."""

    def number(value: int) -> Value:
        return builder.emit(data.CONST, loc=instr.loc, value=value, dtype=DType.I64)

    count = number(len(instr.operands))
    items = builder.emit(list_items.LIST_ALLOC, count, loc=instr.loc, item=instr.attrs["item"])
    builder.effect(list_items.LIST_SET_SIZE, items, count, loc=instr.loc)
    for index, value in enumerate(instr.operands):
        builder.effect(list_items.LIST_STORE, items, number(index), value, loc=instr.loc)
    return items
