"""Merge: the loops over the last axes of a nest become one where the rows lie one behind the other.

    loop %n [parallel=true] {(%j)            %one = adjoin %m, %a, %c [axis=-2] and %m is small
      loop %m [parallel=true] {(%k)    =>    loop (%one ? 1 : %n) [parallel=true] {(%j)
        load %a, %j + 1, %k                    loop (%one ? %n * %m : %m) [parallel=true] {(%k)
        store %c, ..., %j, %k }}                 load %a, %j + 1, %k; store %c, ..., %j, %k }}

Short rows, those of an image of three colours, would not fill a vector. Element `k` of the row `j`
lies where element `j * m + k` of the first row would: no address changes, only the counts of the
loops do, so one nest serves both ways. The index of the last axis must be the iteration itself;
that of the axis before may be some rows away. A nest whose outermost iterations are shared among
threads gets blocks of rows there.

Needs: low IR after `fuse` and the folds' passes, before `outline`.
Gives: low IR, same results up to the order of sums.
Does not: touch loops with conditions inside, or that read an array along other axes, or one axis
of an array for two of the loops'.
Cases: tests/cases/loops/collapse.
"""

from collections.abc import Iterator, Mapping, Sequence

from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.remarks import Kind, Message, Topic, place_of, remark
from scriptc.kernels.builder import Code
from scriptc.kernels.loops.nest import Chain, chain_of, is_access
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import Renaming, clone, rebuild_outermost
from scriptc_runtime.ir import Block, Builder, Function, Instr, Value, walk
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops import low
from scriptc_runtime.ops.reshaping import RESHAPED
from scriptc_runtime.record import replace

# Elements of a row that is long enough by itself, and about those of a block of rows.
_LONG, _BLOCK = 256, 4096
# What is known to have elements side by side along its last axis.
_DENSE_ROWS = (low.NEW_ARRAY, low.ASSUME_CONTIGUOUS)
_SAME = (low.ASSUME_DISTINCT,)


MERGED = Message(
    "collapse",
    Topic.ORDER,
    Kind.DONE,
    "collapsed: where rows follow each other in memory, the last {axes} loops are one",
)


@per_function
def collapse(function: Function) -> Function:
    """Return `function` with such loops merged."""
    if not any(i.op in (low.LOOP, low.REDUCE) for i in walk(function.body)):
        return function
    made = definitions_of(function)
    body = rebuild_outermost(function.body, lambda instr, builder: _merged(instr, made, builder))
    return function if body is function.body else replace(function, body=body)


def may_merge(loop: Instr, made: Mapping[Value, Instr]) -> bool:
    """Whether the last axes of the nest that `loop` is may be one, as far as can be told here."""
    chain = chain_of(loop)
    return chain is not None and Forms(chain, made).may_merge(len(chain.loops) - 2)


def rows_adjoin(code: Code, loop: Instr, made: Mapping[Value, Instr]) -> Value:
    """Return whether the rows of a nest that `may_merge` are short, one behind the other."""
    chain = chain_of(loop)
    assert chain is not None
    level = len(chain.loops) - 2
    return may_run_on(code, chain, Forms(chain, made), level, chain.counts[-1])


def _merged(instr: Instr, made: Mapping[Value, Instr], builder: Builder) -> bool:
    """Emit the nest that `instr` is with its last loops merged, if they may be."""
    chain = chain_of(instr)
    if chain is None:
        return False
    forms = Forms(chain, made)
    outermost = len(chain.loops) - 1
    while outermost and forms.may_merge(outermost - 1):
        outermost -= 1
    if outermost == len(chain.loops) - 1:
        return False
    code = Code(builder, instr.loc)
    if outermost == 0 and instr.op is low.LOOP:
        if len(chain.loops) > 2:
            outermost = 1  # whose rows are long enough together
        elif forms.is_stencil():
            return False  # rows side by side have more in common
        else:
            remark(MERGED, place_of(instr), axes=len(chain.loops))
            _emit_blocks(code, chain, forms)
            return True
    remark(MERGED, place_of(instr), axes=len(chain.loops) - outermost)
    _emit(code, chain, _merged_counts(code, chain, forms, outermost))
    return True


class Forms:
    """What the values inside a chain have to do with the iterations of its loops."""

    def __init__(
        self, chain: Chain, made: Mapping[Value, Instr], dense: Sequence[Value] = ()
    ) -> None:
        self._chain = chain
        self._made = made
        self._dense = dense  # what a guard finds to have elements side by side
        inside = (*(i for each in chain.between for i in each), *chain.body)
        self._inside = {r: i for i in inside for r in i.results}
        self._uses: dict[Value, frozenset[Value]] = {v: frozenset([v]) for v in chain.iterations}
        for value, instr in self._inside.items():
            # What is loaded is data, wherever it was.
            used = () if instr.op is low.LOAD else instr.operands
            self._uses[value] = frozenset(v for u in used for v in self._iterations_in(u))

    def _iterations_in(self, value: Value) -> frozenset[Value]:
        return self._uses.get(value, frozenset())

    def accesses(self) -> Iterator[tuple[Value, Sequence[Value]]]:
        """Yield the array and the index of each load and store."""
        for instr in self._chain.body:
            if is_access(instr):
                first = 1 if instr.op is low.LOAD else 2
                yield instr.operands[0], instr.operands[first:]

    def arrays(self, level: int) -> list[Value]:
        """Return the arrays whose elements go along with the loops from `level` on."""
        merged = set(self._chain.iterations[level:])
        pairs = self.accesses()
        found = (a for a, index in pairs if any(merged & self._iterations_in(v) for v in index))
        return list(dict.fromkeys(found))

    def is_stencil(self) -> bool:
        """Whether an array is read at several places."""
        found = {(self._base(array), tuple(index)) for array, index in self.accesses()}
        return len(found) != len({array for array, _ in found})

    def may_merge(self, level: int) -> bool:
        """Whether the loop at `level` and all inside it may become one."""
        iterations, merged = self._chain.iterations[level:], set(self._chain.iterations[level:])
        if any(c in self._inside for c in self._chain.counts):
            return False
        for instr in self._chain.body:
            data = {low.LOAD: (), low.STORE: instr.operands[1:2]}.get(instr.op, ())
            data = instr.operands if instr.target is not None else data
            if any(merged & self._iterations_in(v) for v in data):
                return False
        found = [self._goes_along(a, i, iterations) for a, i in self.accesses()]
        return all(found) and bool(self.arrays(level))

    def _goes_along(
        self, array: Value, index: Sequence[Value], iterations: Sequence[Value]
    ) -> bool:
        """Whether the last axes of `array` are the loops', or none of them has to do with those."""
        merged = set(iterations)
        if not any(merged & self._iterations_in(v) for v in index):
            return True
        if array in self._inside or len(index) < len(iterations) or not self._has_dense_rows(array):
            return False
        before, (first, *last) = index[: -len(iterations)], index[-len(iterations) :]
        if any(merged & self._iterations_in(v) for v in before) or list(last) != list(
            iterations[1:]
        ):
            return False
        return self._is_shifted(first, iterations[0], merged)

    def _is_shifted(self, value: Value, index: Value, merged: set[Value]) -> bool:
        """Whether `value` is `index` and something that the merged loops do not change."""
        if value is index:
            return True
        instr = self._inside.get(value)
        if instr is None or instr.op not in (e.ADD, e.SUB):
            return False
        first, second = instr.operands
        if instr.op is e.ADD and not merged & self._iterations_in(first):
            first, second = second, first
        return not merged & self._iterations_in(second) and self._is_shifted(first, index, merged)

    def _has_dense_rows(self, array: Value) -> bool:
        return array in self._dense or has_dense_rows(array, self._made)

    def sizes_made_with(self, array: Value) -> Sequence[Value] | None:
        """Return the sizes of an array that is made here and is whole."""
        definition = self._made.get(self._base(array))
        made = definition is not None and definition.op is low.NEW_ARRAY
        return definition.operands if made and definition is not None else None

    def _base(self, array: Value) -> Value:
        definition = self._made.get(array)
        while definition is not None and definition.op in (*_SAME, low.ASSUME_CONTIGUOUS):
            array = definition.operands[0]
            definition = self._made.get(array)
        return array


def has_dense_rows(array: Value, made: Mapping[Value, Instr]) -> bool:
    """Whether it is known that an array has elements side by side along its last axis."""
    definition = made.get(array)
    while definition is not None and definition.op in _SAME:
        definition = made.get(definition.operands[0])
    if definition is None:
        return False
    return definition.op in _DENSE_ROWS or (
        definition.op is RESHAPED and bool(definition.attrs["dense"])
    )


def may_run_on(code: Code, chain: Chain, forms: Forms, level: int, row: Value) -> Value:
    """Return whether rows of the loops behind `level`, of `row` elements, are short and adjoin."""
    tests = [code.test(e.LT, row, code.number(_LONG))]
    inner = chain.counts[level + 1 :]
    others: list[Value] = []
    for array in forms.arrays(level):
        sizes = forms.sizes_made_with(array)
        if sizes is None:
            others.append(array)
            continue
        # Rows of what is made here adjoin: they have to be as long as the loops' alone.
        pairs = zip(sizes[-len(inner) :], inner, strict=True)
        tests += [code.test(e.EQ, size, count) for size, count in pairs if size is not count]
    if others:
        axis = level - len(chain.loops)
        tests.append(code.builder.emit(low.ADJOIN, row, *others, loc=code.loc, axis=axis))
    return code.both(tests)


def _merged_counts(code: Code, chain: Chain, forms: Forms, outermost: int) -> Sequence[Value]:
    """Emit the trip count of the loops, those from `outermost` on as one where that may be."""
    counts = list(chain.counts)
    row, so_far = counts[-1], None
    for level in range(len(counts) - 2, outermost - 1, -1):
        here = may_run_on(code, chain, forms, level, row)
        so_far = here if so_far is None else code.both([so_far, here])
        whole = code.op(e.MUL, counts[level], row)
        counts[level] = code.select(so_far, code.number(1), counts[level])
        counts[-1] = code.select(so_far, whole, counts[-1])
        row = whole
    return counts


def _emit(code: Code, chain: Chain, counts: Sequence[Value]) -> None:
    """Emit the chain with other counts."""
    names = Renaming()
    instr = with_counts(chain.loops[0], counts)
    (made,) = clone(Block((), (instr,)), names, {}, lambda loc: loc).body
    code.builder.append(replace(made, results=chain.loops[0].results))


def with_counts(loop: Instr, counts: Sequence[Value]) -> Instr:
    """Return a loop and those in it with other counts."""
    first, *others = counts
    (block,) = loop.blocks
    if others:
        *before, inner, last = block.body
        block = Block(block.params, (*before, with_counts(inner, others), last))
    return replace(loop, operands=(first,), blocks=(block,))


def _emit_blocks(code: Code, chain: Chain, forms: Forms) -> None:
    """Emit a nest of two loops whose outer one goes over blocks of rows that lie together."""
    outer, inner = chain.loops
    count, row = chain.counts
    one = code.number(1)
    together = code.op(e.FLOORDIV, code.number(_BLOCK), code.op(e.MAXIMUM, row, one))
    rows = code.select(may_run_on(code, chain, forms, 0, row), together, one)
    more = code.op(e.ADD, count, code.op(e.SUB, rows, one))
    blocks = code.op(e.FLOORDIV, more, rows)

    def block(number: Value) -> None:
        first = code.op(e.MUL, number, rows)
        left = code.op(e.MINIMUM, rows, code.op(e.SUB, count, first))
        names = Renaming()
        names[chain.iterations[0]] = first
        whole = replace(inner, operands=(code.op(e.MUL, left, row),))
        code.again((*chain.between[0], whole), names)

    code.loop(blocks, block, parallel=bool(outer.attrs["parallel"]))
