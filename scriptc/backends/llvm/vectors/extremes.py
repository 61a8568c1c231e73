"""The largest of several vectors of floats, lane by lane, and the smallest.

    %1 = maximum %s, %a                    m = the larger of a and b, of that and c, ...
    %2 = maximum %1, %b            =>      ordered = a and b are no NaN, c and d are none, ...
    %3 = maximum %2, %c ...                the larger of m and s where ordered holds, else NaN

A maximum that keeps NaN takes three instructions; a plain one takes one, but loses some. So numbers
are compared by plain ones, and two elements at a time are looked at for NaN besides: one and a half
for each of them. Which zero is the larger one is open, and so is which NaN is given.
"""

from collections import Counter
from collections.abc import Mapping, Sequence, Set

from scriptc.backends.llvm.emitter.function import Emitter
from scriptc.backends.llvm.vectors import lanes as vectors_lanes
from scriptc_runtime.ir import Block, Instr, Value, walk
from scriptc_runtime.ops import elementwise as ops
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import DType

_LARGER: Mapping[OpDef, str] = {ops.MAXIMUM: "ogt", ops.MINIMUM: "olt"}
_NAN = "0x7FF8000000000000"
# Of fewer of them, no instructions are saved.
_LEAST = 4


def extremes(body: Block, lanes: Set[Value]) -> Mapping[Instr, Sequence[Value]]:
    """Return chains of maxima, or minima, by the last of each: what they are the extremes of.

    Those before the last have nothing; the first one of what is compared is the start of the chain.
    """
    uses = Counter(v for instr in walk(body) for v in instr.operands)
    chains: dict[Value, tuple[Sequence[Instr], Sequence[Value]]] = {}
    for instr in body.body:
        if not _compares(instr, lanes):
            continue
        start, other = instr.operands
        before = chains.get(start)
        if before is None or uses[start] != 1 or before[0][-1].op is not instr.op:
            before = (), (start,)
        else:
            del chains[start]
        chains[instr.result] = (*before[0], instr), (*before[1], other)
    long = [chain for chain in chains.values() if len(chain[1]) >= _LEAST]
    found = {instr: () for links, _ in long for instr in links}
    return found | {links[-1]: compared for links, compared in long}


def _compares(instr: Instr, lanes: Set[Value]) -> bool:
    floats = instr.op in _LARGER and instr.result.type in (DType.F64, DType.F32)
    return floats and instr.result in lanes


def write_extreme(e: Emitter, lanes: int, op: OpDef, type_: DType, values: Sequence[str]) -> str:
    """Write the extreme of some vectors, and return it."""
    v, masks, larger = vectors_lanes.vector(lanes, type_), f"<{lanes} x i1>", _LARGER[op]
    start, best, *others = values

    def better(first: str, second: str) -> str:
        # The second one where they cannot be compared: as the processor's own instruction has it.
        wins = e.let(f"fcmp {larger} {v} {first}, {second}")
        return e.let(f"select {masks} {wins}, {v} {first}, {v} {second}")

    looked_at = [best, *others]
    ordered = ""
    for first, second in zip(looked_at[::2], [*looked_at[1::2], looked_at[-1]], strict=False):
        pair = e.let(f"fcmp ord {v} {first}, {second}")
        ordered = e.let(f"and {masks} {ordered}, {pair}") if ordered else pair
    for value in others:
        best = better(value, best)
    # A NaN that was there before stays: it is the second one.
    nan = f"splat ({vectors_lanes.element(type_)} {_NAN})"
    return e.let(f"select {masks} {ordered}, {v} {better(best, start)}, {v} {nan}")
