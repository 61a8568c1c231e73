"""Rows of nested sums: they are one row, and added side by side, where a processor has them so.

    loop n [parallel=true] {(%i)           %one = is_contiguous %x and %k is small and adjoin ...
      reduce m {(%j)                 =>    loop n [parallel=true] {(%i)
        reduce k {(%l)                       reduce (%one ? 1 : %m) {(%j)
          load %x, %i, %j, %l }}}              reduce (%one ? %m * %k : %k) {(%l)
                                                 load %x, %i, %j, %l }}}

The order in which floats are added follows from how the loops are nested, so a device has the bits
of a processor where the same loops are one.  A processor has a version of a nest for arrays with
elements side by side, in which `collapse` has tests; here there is one for all layouts, and the
tests stand before it.

Needs: low IR after `fuse`, before `split_for_device`.
Gives: low IR, same results up to the order of sums.
Does not: touch sums whose order is no matter, those of all elements, which `split_for_device` has,
    and arrays and sizes that a nest makes.
Cases: tests/cases/device/collapse_sums.
"""

from collections.abc import Mapping, Sequence

from scriptc.analysis.definitions import definitions_of
from scriptc.kernels.builder import Code
from scriptc.kernels.loops.collapse import with_counts
from scriptc.kernels.loops.rows_of_sums import Rows
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import rebuild_outermost
from scriptc_runtime.ir import Builder, Function, Instr, Value, walk
from scriptc_runtime.ops import low
from scriptc_runtime.record import replace


@per_function
def collapse_sums(function: Function) -> Function:
    """Return `function` with rows of sums inside of parallel nests as one where they may be."""
    if not any(i.op is low.REDUCE for i in walk(function.body)):
        return function
    made = definitions_of(function)

    def emit(instr: Instr, builder: Builder) -> bool:
        if instr.op is not low.LOOP or not instr.attrs["parallel"]:
            return False
        return _collapsed(Code(builder, instr.loc), instr, made)

    body = rebuild_outermost(function.body, emit)
    return function if body is function.body else replace(function, body=body)


def _collapsed(code: Code, nest: Instr, made: Mapping[Value, Instr]) -> bool:
    """Emit a nest with what is before it, if there are rows of sums in it."""
    inside = {r for i in walk(nest.blocks[0]) for r in i.results}
    found: dict[Instr, Sequence[Value]] = {}
    for instr in walk(nest.blocks[0]):
        if instr.op is not low.REDUCE or any(instr in walk(outer.blocks[0]) for outer in found):
            continue
        rows = Rows.of(instr, nest, made)
        if rows is not None and inside.isdisjoint(rows.needed()):
            found[instr] = rows.counts(code)
    if not found:
        return False

    def with_rows(instr: Instr, builder: Builder) -> bool:
        if instr in found:
            builder.append(with_counts(instr, found[instr]))
        return instr in found

    block = rebuild_outermost(nest.blocks[0], with_rows)
    code.builder.append(replace(nest, blocks=(block,)))
    return True
