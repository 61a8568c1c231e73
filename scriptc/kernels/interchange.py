"""Interchange: the loop over neighbouring elements goes inside, where LLVM makes vectors of it.

    for j in range(m):                     for k in range(n):
        for k in range(n):         =>          for j in range(m):
            c[j] += a[k] * b[k, j]                 c[j] += a[k] * b[k, j]

    for j in range(m):                     for j in range(m): c[j] = 0.0
        s = 0.0                            for k in range(n):
        for k in range(n):         =>          for j in range(m):
            s += a[k] * b[k, j]                    c[j] += a[k] * b[k, j]
        c[j] = s

Each element of `c` meets the same values in the same order as before, so each float is rounded as
before; only what happens to different elements changes places. Nothing in such a nest can raise.

Needs: low IR with what `layouts` assumes of arrays.
Gives: low IR, same results bit for bit.
Does not: change the order of sums, or interchange loops that may stop early.
"""

from collections.abc import Mapping, Sequence

from scriptc.passes.ranges import ADDS, SUBS, Ranges, ranges
from scriptc.passes.rebuild import Renaming, clone
from scriptc_runtime.ir import Block, Builder, Function, Instr, Label, Module, Value, walk
from scriptc_runtime.ops import control, data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Trait
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import TensorType

_CONVERSIONS = (e.CAST,)


def interchange(module: Module) -> Module:
    """Return `module` with nests turned around where that is legal and pays."""
    return module.with_functions({n: _function(f) for n, f in module.functions.items()})


def _function(function: Function) -> Function:
    if not any(i.op is low.ASSUME_DISTINCT for i in walk(function.body)):
        return function
    if not any(_shape(i) for i in walk(function.body)):
        return function
    definitions = {r: i for i in walk(function.body) for r in i.results}
    turner = _Turner(definitions, ranges(function))
    body = turner.block(function.body)
    return function if body is function.body else replace(function, body=body)


@record(eq=False)
class _Nest:
    """A loop that holds one other: what stands before it, the inner loop, what stands after."""

    outer: Instr
    before: Sequence[Instr]
    inner: Instr
    rounds: Sequence[Instr]
    after: Sequence[Instr]

    @property
    def everything(self) -> Sequence[Instr]:
        """All instructions of a round."""
        return (*self.before, *self.rounds, *self.after)


def _shape(outer: Instr) -> _Nest | None:
    """Return the parts of a nest of two counted loops, straight code apart from that."""
    if outer.op is not control.FOR or outer.attrs or len(outer.operands) != 3:
        return None
    *body, last = outer.blocks[0].body
    loops = [i for i in body if i.blocks]
    if len(loops) != 1 or loops[0].op is not control.FOR or not _is_next(last, outer):
        return None
    (inner,) = loops
    *rounds, end = inner.blocks[0].body
    if any(i.blocks for i in rounds) or not _is_next(end, inner):
        return None
    at = body.index(inner)
    return _Nest(outer, body[:at], inner, rounds, body[at + 1 :])


def _is_next(instr: Instr, loop: Instr) -> bool:
    return instr.target is not None and instr.target.next and instr.target.label is loop.label


class _Turner:
    def __init__(self, definitions: Mapping[Value, Instr], found: Ranges) -> None:
        self._definitions = definitions
        self._found = found

    def block(self, block: Block) -> Block:
        body: list[Instr] = []
        for instr in block.body:
            nest = _shape(instr)
            target = self._target(nest) if nest else None
            if nest and target:
                body += _turned(nest, target)
                continue
            blocks = tuple(self.block(b) for b in instr.blocks)
            changed = any(new is not b for new, b in zip(blocks, instr.blocks, strict=True))
            body.append(replace(instr, blocks=blocks) if changed else instr)
        return block if tuple(body) == block.body else Block(block.params, tuple(body))

    def _target(self, nest: _Nest) -> Instr | None:
        """Return the store whose element a round of the outer loop computes, if that is all."""
        if not all(map(_is_quiet, nest.everything)) or not self._rises(nest.outer):
            return None
        inside = self._inside(nest)
        if any(v in inside for v in nest.inner.operands[:3]):
            return None
        if len(nest.inner.operands) == 3:
            return self._in_memory(nest, inside)
        return self._in_register(nest, inside)

    def _rises(self, loop: Instr) -> bool:
        """Whether a loop goes up by a constant."""
        step = self._definitions.get(loop.operands[2])
        by = step.attrs["value"] if step is not None and step.op is data.CONST else None
        return isinstance(by, int) and by > 0

    def _inside(self, nest: _Nest) -> set[Value]:
        params = (*nest.outer.blocks[0].params, *nest.inner.blocks[0].params)
        return {*params, *(r for i in nest.everything for r in i.results), *nest.inner.results}

    def _in_memory(self, nest: _Nest, inside: set[Value]) -> Instr | None:
        """Look at `c[j] += ...`: one store, and loads of the same element or of others' memory."""
        stores = [i for i in nest.everything if i.op is low.STORE]
        if len(stores) != 1 or stores[0] not in nest.rounds or nest.after:
            return None
        (store,) = stores
        if not self._runs_along(store, nest, inside, of_target=True):
            return None
        loads = [i for i in nest.rounds if i.op is low.LOAD and i.operands[0] is store.operands[0]]
        if not any(self._is_same(load, store) for load in loads):
            return None  # each round overwrites the last one: no reduction
        return store if self._reads_well(nest, store, inside) else None

    def _in_register(self, nest: _Nest, inside: set[Value]) -> Instr | None:
        """Look at `s = 0.0; ...; c[j] = s`: a sum that may as well grow where it is stored."""
        stores = [i for i in nest.everything if i.op is low.STORE]
        if len(stores) != 1 or stores[0] not in nest.after or len(nest.inner.operands) != 4:
            return None
        (store,) = stores
        (total,) = nest.inner.results
        array = store.operands[0]
        assert isinstance(array.type, TensorType)
        if total.type is not array.type.dtype:
            return None
        if any(i.op is low.LOAD and i.operands[0] is array for i in nest.everything):
            return None
        along = self._runs_along(store, nest, inside, of_target=True)
        return store if along and self._reads_well(nest, store, inside) else None

    def _reads_well(self, nest: _Nest, store: Instr, inside: set[Value]) -> bool:
        made = self._definitions.get(store.operands[0])
        if made is None or made.op is not low.ASSUME_DISTINCT:
            return False
        for instr in nest.everything:
            if instr.op is not low.LOAD:
                continue
            array = instr.operands[0]
            if array is store.operands[0]:
                same = self._is_same(instr, store) and instr in nest.rounds
                if not same and not self._is_elsewhere(instr, store, inside):
                    return False
            elif not self._is_apart(array, made):
                return False
            if not self._runs_along(instr, nest, inside, of_target=False):
                return False
        return True

    def _is_same(self, load: Instr, store: Instr) -> bool:
        read, written = load.operands[1:], store.operands[2:]
        return all(self._root(a) is self._root(b) for a, b in zip(read, written, strict=True))

    def _is_apart(self, array: Value, target: Instr) -> bool:
        """Whether the guard has compared an array with the one that is written."""
        made = self._definitions.get(array)
        if made is None or made.op is not low.ASSUME_DISTINCT:
            return False
        origin = self._definitions.get(made.operands[0])
        return origin is not None and origin.operands[0] in target.operands[1:]

    def _is_elsewhere(self, load: Instr, store: Instr, inside: set[Value]) -> bool:
        """Whether no round reads there what any round writes: rows or columns are kept apart."""
        read, written = self._found.seen.get(load), self._found.seen.get(store)
        if read is None or written is None:
            return False
        for a, b in zip(read.operands, written.operands, strict=True):
            if a.high < b.low or b.high < a.low:
                return True
            for first, second in ((a, b), (b, a)):
                for key, by in first.above.items():
                    fixed = not (isinstance(key, Value) and key in inside)
                    if fixed and key in second.below and by < second.below[key]:
                        return True
        return False

    def _runs_along(
        self, access: Instr, nest: _Nest, inside: set[Value], *, of_target: bool
    ) -> bool:
        """Whether an access goes from neighbour to neighbour with the outer loop.

        The target must, and must not depend on the inner loop; others may also stand still.
        """
        variable = nest.outer.blocks[0].params[0]
        *rows, column = access.operands[2 if access.op is low.STORE else 1 :] or (None,)
        if column is None:
            return not of_target
        depends = [self._depends(v, variable, inside) for v in rows]
        if of_target:
            fixed = not any(self._root(v) in inside for v in rows)
            return fixed and self._counts(column, variable, inside)
        moves = self._depends(column, variable, inside)
        return not any(depends) and (not moves or self._counts(column, variable, inside))

    def _root(self, value: Value) -> Value:
        while (made := self._definitions.get(value)) is not None and made.op in _CONVERSIONS:
            value = made.operands[0]
        return value

    def _depends(self, value: Value, variable: Value, inside: set[Value]) -> bool:
        root = self._root(value)
        if root is variable:
            return True
        made = self._definitions.get(root)
        if root not in inside or made is None:
            return False
        return any(self._depends(v, variable, inside) for v in made.operands)

    def _counts(self, value: Value, variable: Value, inside: set[Value]) -> bool:
        """Whether a value is the variable, plus or minus what stays the same."""
        root = self._root(value)
        if root is variable:
            return True
        made = self._definitions.get(root)
        if made is None or root not in inside or made.op not in (*ADDS, *SUBS):
            return False
        first, second = made.operands
        if made.op in ADDS and self._counts(second, variable, inside):
            first, second = second, first
        return self._counts(first, variable, inside) and self._root(second) not in inside


def _is_quiet(instr: Instr) -> bool:
    """Whether an instruction only computes, loads or stores, and never raises."""
    if instr.op in (low.LOAD, low.STORE):
        return True
    if instr.target or Trait.REGION in instr.op.traits:
        return False
    effects = instr.op.effects([v.type for v in instr.operands], instr.attrs)
    scalar = not any(isinstance(v.type, TensorType) for v in (*instr.operands, *instr.results))
    noisy = effects.raises or effects.io or effects.writes or effects.reads or effects.allocates
    return scalar and not noisy and (bool(instr.results) or instr.op is data.CONST)


# ------------------------------------------------------------------------------ the new nest


def _turned(nest: _Nest, store: Instr) -> list[Instr]:
    """Return what stands for the nest.

    Loads that all rounds of its new inner loop share stand before it: there must be such a round.
    """
    start, stop, _ = nest.outer.operands
    label = Label("if")
    builder = Builder()
    builder.open()
    some = builder.emit(e.LT, start, stop, loc=nest.outer.loc)
    builder.open()
    for instr in _parts(nest, store):
        builder.append(instr)
    builder.exit(label, loc=nest.outer.loc)
    full = builder.close()
    builder.open()
    builder.exit(label, loc=nest.outer.loc)
    builder.region(control.IF, (some,), (full, builder.close()), label, (), nest.outer.loc)
    return list(builder.close().body)


def _parts(nest: _Nest, store: Instr) -> list[Instr]:
    """Return the loops that stand for the nest."""
    computed = [i for i in nest.before if i.op is not low.STORE]
    if len(nest.inner.operands) == 3:
        return [_swapped(nest, (*computed, *nest.rounds))]
    (total,), start = nest.inner.results, nest.inner.operands[3]
    param = nest.inner.blocks[0].params[1]
    (following,) = nest.inner.blocks[0].body[-1].operands
    array, value, *place = store.operands
    load = Instr(low.LOAD, (array, *place), {}, (param,), store.loc)
    begin = Instr(low.STORE, (array, start, *place), {}, (), store.loc)
    keep = Instr(low.STORE, (array, following, *place), {}, (), store.loc)
    placed = _needed(nest.after, place)
    rest = [i for i in nest.after if i not in placed]
    first = _alone(nest.outer, (*computed, *placed, begin))
    main = _swapped(nest, (*computed, *placed, load, *nest.rounds, keep))
    if rest == [store] and value is total:
        return [first, main]
    ending = Instr(low.LOAD, (array, *place), {}, (total,), store.loc)
    return [first, main, _alone(nest.outer, (*computed, *placed, ending, *rest))]


def _needed(body: Sequence[Instr], values: Sequence[Value]) -> list[Instr]:
    """Return the instructions of `body` that compute some values, in order."""
    wanted = set(values)
    needed: list[Instr] = []
    for instr in reversed(body):
        if wanted.intersection(instr.results):
            needed.append(instr)
            wanted.update(instr.operands)
    return needed[::-1]


def _alone(loop: Instr, body: Sequence[Instr]) -> Instr:
    """Return a copy of a loop with other instructions in it."""
    return _loop(loop, loop.blocks[0].params, body)


def _swapped(nest: _Nest, body: Sequence[Instr]) -> Instr:
    """Return the loops turned around; what the inner one computes alike stands before it."""
    moving = {nest.outer.blocks[0].params[0]}
    still: list[Instr] = []
    within: list[Instr] = []
    for instr in body:
        if not moving.isdisjoint(instr.operands):
            moving.update(instr.results)
            within.append(instr)
        else:
            still.append(instr)
    builder = Builder()
    builder.open(nest.inner.blocks[0].params[0])
    for instr in (*still, _loop(nest.outer, nest.outer.blocks[0].params, within)):
        builder.append(instr)
    label = Label("for")
    builder.exit(label, next=True, loc=nest.inner.loc)
    block = builder.close()
    bounds = nest.inner.operands[:3]
    return _copy(Instr(control.FOR, bounds, {}, (), nest.inner.loc, (block,), label))


def _loop(loop: Instr, params: Sequence[Value], body: Sequence[Instr]) -> Instr:
    builder = Builder()
    builder.open(*params)
    for instr in body:
        builder.append(instr)
    label = Label("for")
    builder.exit(label, next=True, loc=loop.loc)
    block = builder.close()
    return _copy(Instr(control.FOR, loop.operands[:3], {}, (), loop.loc, (block,), label))


def _copy(loop: Instr) -> Instr:
    """Return a loop whose values are all new: parts of a nest may stand in several loops."""
    assert loop.label is not None
    label = Label(loop.label.name)
    block = clone(loop.blocks[0], Renaming(), {loop.label: label}, lambda loc: loc)
    return replace(loop, blocks=(block,), label=label)
