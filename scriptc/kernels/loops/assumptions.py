"""What the fast version of a loop assumes of its arrays, and the guard that proves it.

    for i ...:                         if contiguous a, b and not may_overlap a, b:
        a[i] = 2.0 * b[i]      =>          a1 = assume_distinct (assume_contiguous a), b; b1 = ...
                                           for i ...: a1[i] = 2.0 * b1[i]
                                       else: as it was

Two arrays of one call may share memory, so without the guard each store may change what the next
load gives, and nothing can be kept in a register or computed eight at a time.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations

from scriptc.analysis.contiguity import Contiguity, Order
from scriptc.analysis.effects import FunctionEffects
from scriptc.analysis.remarks import Named, Reason, same_as
from scriptc.kernels.builder import Code
from scriptc.passes.rebuild import Renaming
from scriptc_runtime.ir import Block, Function, Instr, Value, walk
from scriptc_runtime.ops import arrays, control, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import record
from scriptc_runtime.types import TensorType

_READS = (low.LOAD, arrays.INDEX)
_WRITES = (low.STORE, arrays.SET_INDEX)
_LOOPS = (control.FOR, control.WHILE)
# More arrays than these would make the guard longer than many a loop.
_MOST_ARRAYS, _MOST_PAIRS = 10, 16


@record(eq=False)
class Memory:
    """What is known of the arrays of a function: where their elements lie, and which share some."""

    contiguity: Contiguity
    effects: FunctionEffects


@record(eq=False)
class Layout:
    """The arrays of a loop, and the pairs of which one is written."""

    arrays: Sequence[Value]
    written: Sequence[Value]
    pairs: Sequence[tuple[Value, Value]]

    def covers(self, pairs: Sequence[tuple[Value, Value]]) -> bool:
        """Whether the guard compares the arrays of each of `pairs`."""
        tested = {*self.pairs, *((b, a) for a, b in self.pairs)}
        return all(pair in tested for pair in pairs)

    def unknown(self, known: Memory) -> "Layout":
        """Return what of all this has to be tested: `written` are to be spread."""
        orders = {a: known.contiguity.of(a) for a in self.arrays}
        unknown = [a for a, order in orders.items() if order is Order.UNKNOWN]
        # Where an axis has strides of one, its indices have elements of their own.
        spread = [a for a in self.written if _rank(a) > 1 and orders[a] is not Order.DENSE]
        return Layout(unknown, spread, [p for p in self.pairs if known.effects.may_alias(*p)])

    def conditions(self, code: Code, known: Memory) -> list[Value]:
        """Emit the tests that the assumptions need, but for those of what is known."""
        tested = self.unknown(known)
        tests = [code.op(low.IS_CONTIGUOUS, *tested.arrays)] if tested.arrays else []
        tests += [code.op(low.IS_SPREAD, a) for a in tested.written]
        tests += [code.op(e.NOT, code.op(low.MAY_OVERLAP, *pair)) for pair in tested.pairs]
        return tests

    def said(self, definitions: Mapping[Value, Instr]) -> list[Reason]:
        """Put tests into words."""

        def named(arrays: Sequence[Value]) -> list[Named]:
            return [Named(a, definitions) for a in arrays]

        found: list[Reason] = []
        if self.arrays:
            found.append(Reason("{arrays} in C order", arrays=named(self.arrays)))
        if self.written:
            found.append(
                Reason("no two elements of {arrays} share memory", arrays=named(self.written))
            )
        for pair in self.pairs:
            found.append(Reason("no memory shared by {pair}", pair=named(pair)))
        return found

    def assume(self, code: Code, names: Renaming) -> None:
        """Emit the arrays as the guard has proven them, and let `names` put them in place."""
        dense = {a: code.op(low.ASSUME_CONTIGUOUS, a) for a in self.arrays}
        others: dict[Value, list[Value]] = {a: [] for a in self.arrays}
        for first, second in self.pairs:
            others[first].append(second)
            others[second].append(first)
        for array, apart in others.items():
            made = dense[array]
            distinct = apart or array in self.written
            names[array] = code.op(low.ASSUME_DISTINCT, made, *apart) if distinct else made
            same_as(made, array)
            same_as(names[array], array)


NOTHING = Layout((), (), ())


def _rank(array: Value) -> int:
    return array.type.rank if isinstance(array.type, TensorType) else 0


def long_lived(function: Function) -> set[Value]:
    """Return the arrays that are made once in a call: those that no loop makes anew.

    What is assumed of an array holds for all that is computed through it, in each iteration of the
    loops around.
    """
    found = {p for p in function.params if isinstance(p.type, TensorType)}
    _add_arrays(function.body, found)
    return found


def _add_arrays(block: Block, found: set[Value]) -> None:
    for instr in block.body:
        found.update(r for r in instr.results if isinstance(r.type, TensorType))
        if instr.op not in _LOOPS:
            for inner in instr.blocks:
                _add_arrays(inner, found)


def layout_of(loop: Instr, lasting: set[Value]) -> Layout:
    """Return what to assume in `loop`, of arrays whose accesses keep their checks, too."""
    body = tuple(walk(loop.blocks[0]))
    touched = {i.operands[0] for i in body if i.op in _WRITES}
    found = [i.operands[0] for i in body if i.op in (*_READS, *_WRITES)]
    used = [a for a in dict.fromkeys(found) if a in lasting and _rank(a)]
    if not used or len(used) > _MOST_ARRAYS or not _is_worth_it(loop):
        return NOTHING
    written = [a for a in used if a in touched]
    pairs = [pair for pair in combinations(used, 2) if not touched.isdisjoint(pair)]
    return Layout(used, written, pairs) if len(pairs) <= _MOST_PAIRS else Layout(used, (), ())


def _is_worth_it(loop: Instr) -> bool:
    """Whether a counted or an inner loop has accesses: a search is over before a guard has paid."""
    loops = [i for i in walk(loop.blocks[0]) if i.op in _LOOPS]
    if loop.op is control.FOR:
        loops.append(loop)
    accesses = (*_READS, *_WRITES)
    return any(i.op in accesses for inner in loops for i in walk(inner.blocks[0]))
