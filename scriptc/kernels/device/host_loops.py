"""Loops of host code that threads may share: the walk of the passes that look for them."""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.induction import are_few
from scriptc.kernels.builder import Code
from scriptc.passes.rebuild import Renaming, map_blocks, rebuild_block
from scriptc_runtime.ir import Block, Builder, Function, Instr, Value, walk
from scriptc_runtime.ops import control, low
from scriptc_runtime.record import record, replace

# Emits what stands for a loop and returns its results, None where nothing does; the last argument
# says whether host code knows that it comes here.
Emit = Callable[[Code, Instr, bool], Sequence[Value] | None]
_LOOPS = (control.FOR, control.WHILE, low.LOOP)


def rebuild_host_loops(function: Function, emit: Emit) -> Function:
    """Return `function` with its loops of many iterations offered to `emit`, outer ones first.

    Loops inside of others are, too, if these launch kernels anyway.
    """
    if not any(i.op is control.FOR for i in walk(function.body)):
        return function
    names = Renaming()
    found = _Walk(emit, definitions_of(function), _of_elements(function), names)
    body = rebuild_block(found.block(function.body), lambda instr, builder: None, names)
    return function if body is function.body else replace(function, body=body)


@record(eq=False)
class _Walk:
    emit: Emit
    definitions: Mapping[Value, Instr]
    of_elements: AbstractSet[Value]
    names: Renaming  # of results, filled in on the way
    host_knows: bool = True

    def block(self, block: Block) -> Block:
        builder = Builder()
        builder.open(*block.params)
        for instr in block.body:
            results = None
            if instr.op is control.FOR and not are_few(instr, self.definitions):
                results = self.emit(Code(builder, instr.loc), instr, self.host_knows)
            if results is None:
                builder.append(self._within(instr))
                continue
            for result, value in zip(instr.results, results, strict=True):
                self.names[result] = value
        new = builder.close()
        return block if new.body == block.body else new

    def _within(self, instr: Instr) -> Instr:
        """Return an instruction with the loops in it offered."""
        is_of_elements = instr.op is control.IF and instr.operands[0] in self.of_elements
        if is_of_elements and not _launches(instr):
            # One thread decides, and looks for what a check has found to be there: no host waits.
            return map_blocks(instr, replace(self, host_knows=False).block)
        if instr.op not in _LOOPS:
            return map_blocks(instr, self.block)
        if instr.attrs:
            return instr  # of threads that share it already
        return map_blocks(instr, self.block) if _launches(instr) else instr


def _launches(instr: Instr) -> bool:
    """Whether there are parallel loops in an instruction, which host code launches."""
    inner = (i for block in instr.blocks for i in walk(block))
    return any(i.op is low.LOOP and bool(i.attrs["parallel"]) for i in inner)


def _of_elements(function: Function) -> AbstractSet[Value]:
    """Return what host code could know by reading elements alone."""
    found = set[Value]()
    for instr in walk(function.body):
        reads = instr.op is low.LOAD or any(i.op is low.LOAD for b in instr.blocks for i in walk(b))
        if reads or not found.isdisjoint(instr.operands):
            found.update(instr.results)
    return found
