"""Stage: host routines work on copies of a device's arrays in the host's memory.

    sort_row %row    =>    %d = ... a copy of %row, in C order
                           %h = to_host %d
                           sort_row %h
                           %e = to_device %h
                           ... a copy of %e to %row

Each copy is a nest of its own, which becomes a kernel; what goes over the bus lies in C order.

Needs: low IR before `enclose`; routines that give no arrays.
Gives: low IR; such routines read and write arrays of the host alone.
Does not: spare the way to the host where a routine only writes; nothing is copied for it, though.
Cases: tests/cases/device/stage.
"""

from collections.abc import Sequence

from scriptc.analysis.instr_kinds import effects_of
from scriptc.kernels.builder import Code
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import rebuild_outermost
from scriptc_runtime.ir import Builder, Function, Instr, Value
from scriptc_runtime.ops import device, generators, low, products, sorting, texts
from scriptc_runtime.record import replace
from scriptc_runtime.types import TensorType

# Routines of the host that go through the elements of their operands.
STAGED = frozenset({*sorting.LOW_OPS, generators.FILL_RANDOM, products.GEMM, texts.ARRAY_TEXT})


@per_function
def stage(function: Function) -> Function:
    """Return `function` with the arrays of host routines copied there and back."""

    def staged(instr: Instr, builder: Builder) -> bool:
        if instr.op not in STAGED:
            inside = instr.op is low.LOOP and bool(instr.attrs["parallel"])
            if inside:
                builder.append(instr)  # kernels have routines of their own
            return inside
        code = Code(builder, instr.loc)
        effects = effects_of(instr)
        operands = list(instr.operands)
        for place, value in enumerate(instr.operands):
            if isinstance(value.type, TensorType):
                made = _like(code, value)
                if place in effects.reads:
                    _copy_into(code, made, value)
                operands[place] = builder.emit(device.TO_HOST, made, loc=instr.loc)
        builder.append(replace(instr, operands=tuple(operands)))
        for place in sorted(effects.writes):
            target = instr.operands[place]
            if isinstance(target.type, TensorType):
                back = builder.emit(device.TO_DEVICE, operands[place], loc=instr.loc)
                _copy_into(code, target, back)
        return True

    body = rebuild_outermost(function.body, staged)
    return function if body is function.body else replace(function, body=body)


def _like(code: Code, array: Value) -> Value:
    """Emit a new array of the shape of another one, in C order."""
    assert isinstance(array.type, TensorType)
    return code.new_array(array.type, [code.size(array, a) for a in range(array.type.rank)])


def _copy_into(code: Code, target: Value, source: Value) -> None:
    """Emit a nest that copies an array to one of its shape."""
    assert isinstance(source.type, TensorType)
    sizes = [code.size(source, axis) for axis in range(source.type.rank)]

    def over(axis: int, index: Sequence[Value]) -> None:
        if axis < len(sizes):
            code.loop(sizes[axis], lambda i: over(axis + 1, (*index, i)), parallel=True)
            return
        value = code.op(low.LOAD, source, *index)
        code.builder.effect(low.STORE, target, value, *index, loc=code.loc)

    over(0, ())
