"""Nested sums of floats on a device: rows that are one where a processor has them so.

A processor has a version of a nest for arrays with elements side by side, in which `collapse` makes
one loop of those over short rows.  A device has one version for all layouts: here the tests stand
before it, and the counts of its loops follow from them, so floats are added in the same order.
"""

from collections.abc import Mapping, Sequence

from scriptc.kernels.builder import I64, Code
from scriptc.kernels.loops.collapse import Forms, has_dense_rows, may_run_on, with_counts
from scriptc.kernels.loops.nest import Chain, chain_of, is_access
from scriptc.passes.rebuild import Renaming, copied
from scriptc_runtime.dims import UNKNOWN
from scriptc_runtime.ir import Block, Instr, Value, walk
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops import low
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import DType, TensorType

_ROUNDED = (DType.F32, DType.F64)


@record(eq=False)
class Rows:
    """Nested sums of floats, the last axes of which may be one."""

    chain: Chain
    forms: Forms
    tested: Sequence[Value]  # arrays that must have elements side by side
    outermost: int  # of the loops that may be one

    @classmethod
    def of(cls, fold: Instr, nest: Instr, made: Mapping[Value, Instr]) -> "Rows | None":
        """Return the rows of a fold; None where it has none, or their order is no matter."""
        if fold.result.type not in _ROUNDED or fold.attrs["kind"] not in ("sum", "product"):
            return None
        chain = chain_of(fold)
        if chain is None:
            return None
        inside = {r for i in walk(fold.blocks[0]) for r in i.results}
        if not inside.isdisjoint(chain.counts):
            return None
        # A processor tests the arrays of the whole nest.
        accesses = [i for i in walk(Block((), (nest,))) if is_access(i)]
        arrays = dict.fromkeys(i.operands[0] for i in accesses)
        tested = [a for a in arrays if not has_dense_rows(a, made)]
        forms = Forms(chain, made, tested)
        outermost = len(chain.loops) - 1
        while outermost and forms.may_merge(outermost - 1):
            outermost -= 1
        return cls(chain, forms, tested, outermost)

    def needed(self) -> Sequence[Value]:
        """Return what the tests and the counts of the loops follow from."""
        return (*self.tested, *self.forms.arrays(self.outermost), *self.chain.counts)

    def together(self, code: Code) -> Mapping[int, Value]:
        """Emit for each loop but the last whether it and all in it are one."""
        found: dict[int, Value] = {}
        row = self.chain.counts[-1]
        dense = [code.op(low.IS_CONTIGUOUS, *self.tested)] if self.tested else []
        for level in range(len(self.chain.loops) - 2, self.outermost - 1, -1):
            here = may_run_on(code, self.chain, self.forms, level, row)
            before = [found[level + 1]] if level + 1 in found else dense
            found[level] = code.both([*before, here])
            row = code.op(e.MUL, self.chain.counts[level], row)
        return found

    def counts(self, code: Code) -> Sequence[Value]:
        """Emit the counts of the loops."""
        return counts_of_rows(code, self.chain.counts, self.together(code))


def counts_of_rows(
    code: Code, counts: Sequence[Value], together: Mapping[int, Value]
) -> Sequence[Value]:
    """Emit the counts of loops where those from a level on are one if `together` says so."""
    found = list(counts)
    row = counts[-1]
    for level in sorted(together, reverse=True):
        row = code.op(e.MUL, counts[level], row)
        found[level] = code.select(together[level], code.number(1), counts[level])
        found[-1] = code.select(together[level], row, found[-1])
    return found


class ChunksOfRows:
    """The sums of the rows of a fold in chunks: an array, made by all threads."""

    def __init__(self, code: Code, fold: Instr, rows: Rows, size: Value, chunks: Value) -> None:
        self._code = code
        together = dict(rows.together(code)) if rows.outermost < len(rows.chain.loops) - 1 else {}
        self._whole = together.pop(0, None)
        count = fold.operands[0]
        number = count if self._whole is None else code.select(self._whole, chunks, count)
        type_ = TensorType(_dtype_of(fold), (UNKNOWN,))
        self._sums = code.new_array(type_, [number])
        within = counts_of_rows(code, rows.chain.counts, together)

        def row(place: Value) -> None:
            first, counts = place, within
            if self._whole is not None:
                first = code.select(self._whole, code.op(e.MUL, place, size), place)
                left = code.op(e.MINIMUM, size, code.op(e.SUB, count, first))
                whole = left
                for each in rows.chain.counts[1:]:
                    whole = code.op(e.MUL, whole, each)
                one = code.number(1)
                short = [code.select(self._whole, one, c) for c in within[1:-1]]
                counts = (count, *short, code.select(self._whole, whole, within[-1]))
            value = self._row(fold, first, counts[1:])
            code.builder.effect(low.STORE, self._sums, value, place, loc=code.loc)

        code.loop(number, row, parallel=True)

    def _row(self, fold: Instr, first: Value, counts: Sequence[Value]) -> Value:
        """Emit the sum of the row that begins at an iteration of the fold."""
        *before, inner, _ = fold.blocks[0].body
        names = Renaming()
        names[fold.blocks[0].params[0]] = first
        self._code.again(before, names)
        return self._code.again((with_counts(inner, counts),), names)[0].result

    def chunk(self, fold: Instr, number: Value, first: Value, length: Value) -> Value:
        """Emit the fold of a chunk."""
        code, whole = self._code, self._whole
        if whole is not None:
            first = code.select(whole, number, first)
            length = code.select(whole, code.number(1), length)
        builder, index = code.builder, Value(I64, "i")
        builder.open(index)
        value = code.op(low.LOAD, self._sums, code.op(e.ADD, first, index))
        assert fold.label is not None
        builder.exit(fold.label, value, next=True, loc=code.loc)
        part = replace(fold, operands=(length,), blocks=(builder.close(),))
        return builder.append(copied(part)).result


def _dtype_of(fold: Instr) -> DType:
    assert isinstance(fold.result.type, DType)
    return fold.result.type
