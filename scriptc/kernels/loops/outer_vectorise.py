"""Side by side: iterations that run loops of their own over the same numbers are lanes of a vector.

    for x in range(n):                              loop %n [parallel=true] {(%x)
        s = 0.0                                       %s = for %a, 0.0 {(%a, %s)
        for a in range(m):                 =>           ... load %b, %x + %a ... }
            s += b[x + a] * k[a]                      store %c, %s, %x }
        c[x] = s

The sum in an iteration waits for each of its additions, and has to: in another order it is another
sum. Neighbouring iterations do not wait for each other. Each lane adds up its own, in the order in
which it did, so the bits stay. The back end makes vectors of such a loop, see `vectors/columns.py`.

Needs: low IR with what `assumptions` assumes of arrays, after the passes that rearrange loops.
Gives: low IR, same results.
Does not: touch iterations whose loops have different lengths, or that meet elements which are no
neighbours.
Cases: tests/cases/loops/outer_vectorise.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from scriptc.analysis.affine import LoopForms
from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.induction import are_few, counts_by_one, is_next
from scriptc.analysis.remarks import Kind, Message, Topic, remark
from scriptc.kernels.loops import perfect_nest
from scriptc.kernels.loops.nest_parts import is_quiet
from scriptc.kernels.loops.parallelise import is_independent
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import rebuild_outermost
from scriptc_runtime.ir import Block, Builder, Function, Instr, Value, walk
from scriptc_runtime.ops import control, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import replace
from scriptc_runtime.types import BOOL, INT, DType, TensorType

_NUMBERS = (DType.F64, DType.F32, DType.I64, DType.I32)
_TYPES = (*_NUMBERS, DType.B1, BOOL)
# What the back end computes in lanes.
_IN_LANES = frozenset(
    {
        *(e.ADD, e.SUB, e.MUL, e.DIV, e.NEG, e.ABS, e.SQRT, e.CAST, e.MAXIMUM, e.MINIMUM),
        *(low.SELECT, low.LOAD, low.STORE),
        *e.COMPARISONS,
    }
)


OUTER = Message(
    "outer_vectorise",
    Topic.VECTORS,
    Kind.DONE,
    "iterations of this outer loop are the lanes of vectors: each lane runs the loops inside",
)


@per_function
def outer_vectorise(function: Function) -> Function:
    """Return `function` with such loops as nests."""
    if not any(i.op is control.FOR for i in walk(function.body)):
        return function
    made = definitions_of(function)
    uses = Counter(v for i in walk(function.body) for v in i.operands)

    def emit(instr: Instr, builder: Builder) -> bool:
        loops = _chain(instr, made)
        if not loops or are_few(instr, made):
            return False
        if not all(is_independent(loop, made, uses) for loop in loops):
            return False
        remark(OUTER, loops[-1].loc)
        nest = perfect_nest.IndexedNest(loops, made)
        for each in (*nest.counts, nest.loop):
            builder.append(each)
        return True

    body = rebuild_outermost(function.body, emit)
    return function if body is function.body else replace(function, body=body)


def _chain(instr: Instr, made: Mapping[Value, Instr]) -> Sequence[Instr]:
    """Return the loops from `instr` on, each alone in the one before, to one of such iterations."""
    loops: list[Instr] = []
    inside: set[Value] = set()
    inner = instr
    while _counts(inner, made) and inside.isdisjoint(inner.operands[:2]):
        loops.append(inner)
        if _Iterations(inner, made).fit():
            return loops
        body = inner.blocks[0].body[:-1]
        inside.update(r for i in body for r in i.results)
        found = [i for i in body if i.op is control.FOR]
        if len(found) != 1 or not all(i in found or is_quiet(i) for i in body):
            return []
        (inner,) = found
    return []


def _counts(loop: Instr, made: Mapping[Value, Instr]) -> bool:
    """Whether it is a loop over `range` that carries nothing."""
    plain = loop.op is control.FOR and not loop.attrs and len(loop.operands) == 3
    return plain and counts_by_one(loop, made)


class _Iterations:
    """What the iterations of a loop do, seen as lanes."""

    def __init__(self, loop: Instr, made: Mapping[Value, Instr]) -> None:
        self._loop = loop
        self._made = made
        self._forms = LoopForms(loop, made)
        self._variable = loop.blocks[0].params[0]

    def fit(self) -> bool:
        """Whether they run loops, over the same numbers, and meet neighbours or what they share."""
        block = self._loop.blocks[0]
        inner = [i for i in block.body if i.op is control.FOR]
        if all(are_few(i, self._made) for i in inner):
            return False  # straight code, of whose iterations LLVM makes vectors by itself
        stores = any(i.op is low.STORE for i in walk(block))
        return self._variable in self._forms.variables and stores and self._block(block, self._loop)

    def _block(self, block: Block, loop: Instr) -> bool:
        *body, last = block.body
        return is_next(last, loop) and all(map(self._instr, body))

    def _instr(self, instr: Instr) -> bool:
        if instr.op is control.FOR:
            return self._inner(instr)
        if instr.op is control.IF:
            arms = (i for block in instr.blocks for i in block.body[:-1])
            return perfect_nest.is_choice(instr) and all(map(self._instr, arms))
        if not is_quiet(instr):
            return False
        if instr.op in (low.LOAD, low.STORE) and not self._is_beside(instr):
            return False
        if instr.op not in (low.LOAD, low.STORE) and self._is_index(instr):
            return True
        values = [v for v in (*instr.operands, *instr.results) if v.type is not INT]
        known = all(v.type in _TYPES or isinstance(v.type, TensorType) for v in values)
        return instr.op in _IN_LANES and known

    def _is_index(self, instr: Instr) -> bool:
        """Whether it computes a whole number that follows the iterations, or is invariant."""
        return all(r.type in (INT, DType.I64) and self._step(r) is not None for r in instr.results)

    def _inner(self, loop: Instr) -> bool:
        bounds, carried = loop.operands[:3], loop.operands[3:]
        if loop.attrs or any(v.type not in _NUMBERS for v in carried):
            return False
        return all(self._step(v) == 0 for v in bounds) and self._block(loop.blocks[0], loop)

    def _step(self, value: Value) -> int | None:
        """Return by how much a number changes from iteration to iteration, if that is known."""
        form = self._forms.form(value)
        return None if form is None else dict(form.terms).get(self._variable, 0)

    def _is_beside(self, access: Instr) -> bool:
        """Whether iterations meet neighbours in an access, or all of them the same element."""
        array, *index = access.operands
        stored = access.op is low.STORE
        steps = [self._step(v) for v in index[int(stored) :]]
        assert isinstance(array.type, TensorType)
        if array.type.dtype not in _NUMBERS or not steps or any(s != 0 for s in steps[:-1]):
            return False
        return steps[-1] == 1 or (steps[-1] == 0 and not stored)
