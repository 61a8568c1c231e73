"""Nested loops, each alone in the one before: a chain of them, around scalars, loads and stores."""

from collections.abc import Sequence

from scriptc.analysis.instr_kinds import computes_only
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import low
from scriptc_runtime.record import record


@record(eq=False)
class Chain:
    """Loops of one kind, each alone in the one before, and what is computed in and between them."""

    loops: Sequence[Instr]
    body: Sequence[Instr]
    between: Sequence[Sequence[Instr]]  # in each loop but the last, before the next one

    @property
    def iterations(self) -> Sequence[Value]:
        """The number of the iteration in each loop."""
        return [loop.blocks[0].params[0] for loop in self.loops]

    @property
    def counts(self) -> Sequence[Value]:
        """How many iterations each loop has."""
        return [loop.operands[0] for loop in self.loops]


def chain_of(instr: Instr, *, loads_between: bool = False) -> Chain | None:
    """Return the loops that `instr` begins, down to the innermost; None if there is one alone.

    If `loads_between`, elements may be loaded before an inner loop as well.
    """
    if instr.op not in (low.LOOP, low.REDUCE) or not _is_free(instr):
        return None
    loops, between = [instr], list[Sequence[Instr]]()
    while True:
        *body, last = loops[-1].blocks[0].body
        inner = body[-1] if body else None
        if inner is None or inner.op is not instr.op:
            break
        if not _is_free(inner) or inner.attrs.get("kind") != instr.attrs.get("kind"):
            return None
        if tuple(last.operands) != tuple(inner.results):
            return None
        loops.append(inner)
        between.append(body[:-1])
    *body, last = loops[-1].blocks[0].body
    before = [i for each in between for i in each if not loads_between or i.op is not low.LOAD]
    simple = all(computes_only(i) for i in before)
    if len(loops) < 2 or not simple or not all(computes_only(i) or is_access(i) for i in body):
        return None
    return Chain(loops, (*body, last), between)


def _is_free(loop: Instr) -> bool:
    """Whether iterations may run in any order, or as if they were those of another loop."""
    return loop.op is low.REDUCE or bool(loop.attrs["parallel"])


def is_access(instr: Instr) -> bool:
    """Whether an instruction loads or stores an element."""
    return instr.op in (low.LOAD, low.STORE)
