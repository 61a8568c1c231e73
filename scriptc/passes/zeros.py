"""Zeros: what a module leaves unwritten in a new array is zero.

    %1 = empty %n [dtype=f64, dims=(none,)]     =>     %0 = const [value=0, dtype=f64]
                                                       %1 = full %0, %n [dims=(none,)]

A module that comes from elsewhere could show what stood in memory before.

Needs: core IR, before library ops are opened: what their bodies make they also fill.
Gives: the same, without `empty`.
Does not: look which elements are written later.
"""

from collections.abc import Sequence

from scriptc.passes.rebuild import rebuild
from scriptc_runtime.ir import Builder, Instr, Module, Value
from scriptc_runtime.ops import arrays, data
from scriptc_runtime.ops.opdef import Attr
from scriptc_runtime.record import replace
from scriptc_runtime.types import DType


def zeros(module: Module) -> Module:
    """Return `module` with zeros in every array that `empty` makes."""
    return module.with_functions({n: rebuild(f, _filled) for n, f in module.functions.items()})


def _filled(instr: Instr, builder: Builder) -> Sequence[Value] | None:
    if instr.op is not arrays.EMPTY:
        return None
    dtype = instr.attrs["dtype"]
    assert isinstance(dtype, DType)
    value: Attr = False if dtype is DType.B1 else 0
    zero = builder.emit(data.CONST, loc=instr.loc, value=value, dtype=dtype)
    attrs = {"dims": instr.attrs["dims"]}
    made = replace(instr, op=arrays.FULL, operands=(zero, *instr.operands), attrs=attrs)
    return builder.append(made).results
