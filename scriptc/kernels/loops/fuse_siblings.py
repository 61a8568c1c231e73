"""Fuse siblings: loops and folds over the same elements go over them together, strip by strip.

    %s = reduce %n [kind="sum"] {(%i)           loop %strips [parallel=true] {(%c)
      ... load %x, %i ...                         %p = reduce %size [kind="sum"] {(%j)
    }                                               ... load %x, %c * 2048 + %j ...
    loop %n [parallel=true] {(%i)                 }
      ... load %x, %i ...             =>          store %partial, %p, %c
      store %y, ..., %i                           loop %size [parallel=true] {(%j)
    }                                               ... load %x, %c * 2048 + %j ...
                                                    store %y, ..., %c * 2048 + %j
                                                  }
                                                }
                                                %s = two of %partial are combined to one, and so on

A strip is read from memory once, and from a near cache by all but the first; and there is one
launch.  Each strip has the same power of two of elements, and strips are combined as blocks are in
a fold, so a sum has the bits that it has alone, whole or in chunks.  Of folds of rows a strip is a
chunk, as `split_reductions` makes them for one of them.

Siblings stand in one block and need nothing of one another, but a sum of squared distances from a
number that follows from others, a variance: strips need not know it, see `squared_distances.py`. Of
folds that are the same, one is computed.  Where one writes an array that another
one accesses, both do so at the element of the iteration alone.  What stands between them only
computes.  An array that siblings alone use gets room for a strip.  In a loop, folds of few elements
without loops beside them stay as they are: a launch would take longer.  A fold that computes for
long for each element stays apart, unless it stores what others read: it does not wait for memory.

Needs: low IR after `fuse`.
Gives: low IR; folds of strips stand in parallel loops, for `outline`.
Does not: move loops over what has effects, or touch folds inside nests, and those known to be
short; fuse loops that store alone, as `fuse` does that, or loops over rows that store.
Cases: tests/cases/loops/fuse_siblings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial

from scriptc.analysis.costs import LONG
from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.effects import FunctionEffects, ModuleEffects
from scriptc.analysis.induction import constant_int
from scriptc.analysis.instr_kinds import computes_only
from scriptc.analysis.remarks import Kind, Message, Topic, about, place_of, remark
from scriptc.kernels.builder import I64, Code
from scriptc.kernels.loops import squared_distances as loops_squared_distances
from scriptc.kernels.loops.loop_functions import LoopFunctions
from scriptc.kernels.loops.nest_parts import is_quiet
from scriptc.kernels.loops.split_reductions import LOOPS, combine, part_of_fold, part_of_loop
from scriptc.passes.rebuild import copied, map_blocks
from scriptc_runtime.dims import UNKNOWN, Dim
from scriptc_runtime.ir import Block, Builder, Function, Instr, Module, Role, Value, walk
from scriptc_runtime.ops import control, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import field, record, replace
from scriptc_runtime.types import DType, TensorType

TOGETHER = Message(
    "fuse_siblings",
    Topic.FUSION,
    Kind.DONE,
    "one pass over memory for {count} loops over the same elements, by strips of {elements}, which "
    "threads share; the result is the same for any number of threads",
)

STRIP = 2048  # elements, a power of two of blocks of a fold: two arrays fit a first-level cache


def fuse_siblings(module: Module) -> Module:
    """Return `module` with siblings in one loop over strips."""
    found = [n for n, f in module.functions.items() if _may_have_siblings(f.body)]
    if not found:
        return module
    effects, made = ModuleEffects(module), dict[str, Function]()
    functions = dict(module.functions)
    for name in found:
        function = functions[name]
        about(function)
        fuser = _Fuser(function, effects.function(name), made)
        body = fuser.block(function.body, looped=False)
        functions[name] = function if body is function.body else replace(function, body=body)
        made.update(fuser.apart)
    return module.with_functions({**functions, **made})


def _may_have_siblings(block: Block) -> bool:
    folds = sum(i.op is low.REDUCE for i in block.body)
    loops = sum(i.op is low.LOOP for i in block.body)
    if folds and folds + loops > 1:
        return True
    return any(
        _may_have_siblings(inner) for i in block.body if not _is_nest(i) for inner in i.blocks
    )


_NESTS = (low.LOOP, low.REDUCE)
# Sums of squares of one function that read memory with others: each takes LLVM eight times as long
# as one that stands alone.
_MOST_SQUARES = 8
# Loops that share strips stand in one function: LLVM's time for it grows faster than its length.
_MOST_SIBLINGS = 16


def _is_nest(instr: Instr) -> bool:
    return instr.op is low.REDUCE or (instr.op is low.LOOP and bool(instr.attrs["parallel"]))


def _may_move(instr: Instr, group: Sequence[_Sibling]) -> bool:
    """Whether an instruction may stand before siblings that it needs nothing of."""
    if instr.op is low.NEW_ARRAY:
        return not any(sibling.writes for sibling in group)
    return computes_only(instr)


@record(eq=False)
class _Access:
    """An access of a sibling to `array`; `own` says that it is at the place of the iteration."""

    array: Value
    writes: bool
    own: bool


@record(eq=False)
class _Sibling:
    """A loop or a fold that may go over its elements by strips."""

    instr: Instr
    inner: Instr | None  # the first loop of a fold of rows
    accesses: Sequence[_Access]
    uses: frozenset[Value]  # all operands of it and in it
    is_costly: bool  # an element takes longer than it takes to come from memory
    squares: loops_squared_distances.SquaredDistances | None = (
        None  # from a number that follows from other siblings
    )

    @property
    def writes(self) -> bool:
        """Whether it stores something."""
        return any(access.writes for access in self.accesses)


@record(eq=False)
class _Opened:
    """Siblings, what stands behind them, and what only they or these give."""

    group: list[_Sibling] = field(default_factory=list[_Sibling])
    after: list[Instr] = field(default_factory=list[Instr])
    late: set[Value] = field(default_factory=set[Value])


def _pays(sibling: _Sibling, group: Sequence[_Sibling]) -> bool:
    """Whether memory is what a loop waits for, or it stores what others read, or the reverse.

    One that computes for long stays apart: then the others are vector code that LLVM's passes need
    not look at.
    """
    if not group or not any(each.is_costly for each in (sibling, *group)):
        return True
    written = {a.array for each in group for a in each.accesses if a.writes}
    read = {a.array for each in group for a in each.accesses}
    return any(a.array in (read if a.writes else written) for a in sibling.accesses)


class _Fuser:
    def __init__(
        self,
        function: Function,
        effects: FunctionEffects,
        made: dict[str, Function],
    ) -> None:
        self._effects = effects
        self._made = made
        self._squares = 0  # sums of squares that are siblings so far
        self._definitions: Mapping[Value, Instr] = definitions_of(function)
        self._apart = LoopFunctions(function, self._definitions, Role.FALLBACK)
        self._uses = Counter(v for i in walk(function.body) for v in i.operands)

    @property
    def apart(self) -> Mapping[str, Function]:
        """The functions of folds that hardly ever run."""
        return self._apart.functions

    def block(self, block: Block, *, looped: bool) -> Block:
        """Return a block that no two threads run at once; `looped` says that a loop holds it."""
        builder = Builder()
        builder.open(*block.params)
        opened = _Opened()
        for instr in block.body:
            sibling = self._sibling(instr)
            if sibling is not None:
                self._take(sibling, opened, builder, looped=looped)
            elif opened.group and _may_move(instr, opened.group):
                # It stands before the siblings, or behind them if it needs what they give.
                if opened.late.isdisjoint(instr.operands):
                    builder.append(instr)
                else:
                    opened.after.append(instr)
                    opened.late.update(instr.results)
            else:
                self._close(opened, builder, looped=looped)
                within = looped or instr.op in LOOPS
                builder.append(
                    instr
                    if _is_nest(instr)
                    else map_blocks(instr, lambda b, w=within: self.block(b, looped=w))
                )
        self._close(opened, builder, looped=looped)
        new = builder.close()
        return block if new.body == block.body else new

    def _take(self, sibling: _Sibling, opened: _Opened, builder: Builder, *, looped: bool) -> None:
        """Let a loop join the siblings before it, begin with others, or stand before them."""
        ready, late, group = True, opened.late, opened.group
        if not late.isdisjoint(sibling.uses):
            sibling = self._among_squares(sibling, late, looped=looped)
            ready = sibling.squares is not None
        fits, pays = ready and self._fits(sibling, group), _pays(sibling, group)
        if fits and not pays and not sibling.writes and sibling.squares is None:
            builder.append(sibling.instr)  # alone, before the others
            return
        if not (fits and pays):
            self._close(opened, builder, looped=looped)
            sibling = replace(sibling, squares=None)
        group.append(sibling)
        if sibling.squares is not None:
            opened.after.append(sibling.instr)
        late.update(sibling.instr.results)

    def _close(self, opened: _Opened, builder: Builder, *, looped: bool) -> None:
        """Emit the siblings, and what stands behind them."""
        rest = self._emit(opened.group, builder, looped=looped)
        for instr in opened.after:
            if instr in rest:
                rest[instr]()
            else:
                builder.append(instr)
        opened.group.clear()
        opened.after.clear()
        opened.late.clear()

    def _sibling(self, instr: Instr) -> _Sibling | None:
        if not _is_nest(instr) or not instr.attrs.get("parallel", True):
            return None
        if instr.op is low.REDUCE and not (
            len(instr.results) == 1 and isinstance(instr.result.type, DType)
        ):
            return None
        (block,) = instr.blocks
        body = list(walk(block))
        if not all(i.op in (*_NESTS, control.EXIT) or is_quiet(i) for i in body):
            return None
        inner = next((i for i in block.body if i.op in _NESTS), None)
        if inner is not None and (instr.op is low.LOOP or self._is_inside(inner.operands[0], body)):
            return None
        if self._are_few(instr, inner):
            return None
        uses = frozenset(v for i in (instr, *body) for v in i.operands)
        accesses = [_access(i, block.params[0]) for i in body if i.op in (low.LOAD, low.STORE)]
        is_costly = any(i.op in LONG for i in body)
        return _Sibling(instr, inner, accesses, uses, is_costly)

    def _among_squares(
        self, sibling: _Sibling, late: AbstractSet[Value], *, looped: bool
    ) -> _Sibling:
        """Return a sibling with its parts, if it sums squared distances from what is late."""
        fold = sibling.instr
        near = all(access.own for access in sibling.accesses)
        if fold.op is not low.REDUCE or looped or sibling.is_costly or not near:
            return sibling
        if self._squares >= _MOST_SQUARES:
            return sibling
        found = loops_squared_distances.squared_distances(fold, late, self._definitions)
        self._squares += found is not None
        return replace(sibling, squares=found)

    def _is_inside(self, value: Value, body: Sequence[Instr]) -> bool:
        return constant_int(value, self._definitions) is None and any(
            value in i.results for i in body
        )

    def _are_few(self, loop: Instr, inner: Instr | None) -> bool:
        """Whether a loop is known to be short."""
        count = constant_int(loop.operands[0], self._definitions)
        each = 1 if inner is None else constant_int(inner.operands[0], self._definitions)
        return count is not None and count * (each or low.FOLD_ELEMENTS) <= low.FOLD_ELEMENTS

    def _fits(self, sibling: _Sibling, group: Sequence[_Sibling]) -> bool:
        """Whether a loop may share strips with those before it."""
        if not group:
            return True
        if len(group) >= _MOST_SIBLINGS:
            return False
        if not self._same_size(sibling.instr, group[0].instr):
            return False
        inner, other = sibling.inner, group[0].inner
        if inner is None or other is None:
            if inner is not other:
                return False
        elif not self._same_size(inner, other):
            return False
        return not any(
            self._meet(mine, other, together=not (sibling.squares or each.squares))
            for each in group
            for other in each.accesses
            for mine in sibling.accesses
            if mine.writes or other.writes
        )

    def _same_size(self, loop: Instr, like: Instr) -> bool:
        """Whether two loops have the same number of iterations."""
        first, second = loop.operands[0], like.operands[0]
        if first is second:
            return True
        known = constant_int(first, self._definitions)
        if known is not None:
            return known == constant_int(second, self._definitions)
        made = self._definitions.get(first), self._definitions.get(second)
        dims = [_dim(d) for d in made]
        return dims[0] is not None and dims[1] is not None and dims[0].same(dims[1])

    def _meet(self, first: _Access, second: _Access, *, together: bool) -> bool:
        """Whether two iterations may meet in one element, other than one of both `together`."""
        one, other = self._origin(first.array), self._origin(second.array)
        if not self._effects.may_alias(one, other):
            return False
        return not (
            together
            and one is other
            and first.own
            and second.own
            and (self._is_spread(first.array) or self._is_spread(second.array))
        )

    def _origin(self, array: Value) -> Value:
        made = self._definitions.get(array)
        while made is not None and made.op is low.ASSUME_CONTIGUOUS:
            array = made.operands[0]
            made = self._definitions.get(array)
        return array

    def _is_spread(self, array: Value) -> bool:
        """Whether no two indices of an array lead to one element."""
        made = self._definitions.get(array)
        spread = (low.ASSUME_CONTIGUOUS, low.ASSUME_DISTINCT, low.NEW_ARRAY)
        return made is not None and made.op in spread

    def _emit(
        self, group: Sequence[_Sibling], builder: Builder, *, looped: bool
    ) -> Mapping[Instr, Callable[[], None]]:
        """Emit siblings, and return what emits those that come behind what they need."""
        loops = [sibling.instr for sibling in group]
        folds = [sibling.instr for sibling in group if _is_fold(sibling)]
        if len(loops) < 2 or not folds:
            for loop in loops:
                builder.append(loop)
            return {}
        code, inner = Code(builder, folds[0].loc), group[0].inner
        for loop in loops:
            elements = STRIP if inner is None else low.FOLD_ELEMENTS
            remark(TOGETHER, place_of(loop), count=len(loops), elements=elements)
        results = [fold.result for fold in folds]
        if not looped or inner is not None or len(folds) < len(loops):
            return self._emit_strips(code, group, results)
        few = code.test(e.LE, loops[0].operands[0], code.number(low.FOLD_ELEMENTS))

        def whole() -> Sequence[Value]:
            copies = [code.builder.append(_as_it_stands(copied(loop))) for loop in loops]
            return [r for copy in copies for r in copy.results]

        def strips() -> Sequence[Value]:
            own = [Value(r.type) for r in results]
            self._emit_strips(code, group, own)
            return own

        code.choose(few, whole, strips, "few", results)
        return {}

    def _size_of_strip(self, code: Code, fold: Instr, inner: Instr | None) -> Value:
        """Emit how many iterations a strip has: of rows as many as a chunk of one fold has."""
        if inner is None:
            return code.number(STRIP)
        number = constant_int(inner.operands[0], self._definitions)
        each = inner.operands[0] if number is None else code.number(number)
        return code.op(low.CHUNK, fold.operands[0], each)

    def _emit_strips(
        self, code: Code, group: Sequence[_Sibling], results: Sequence[Value]
    ) -> Mapping[Instr, Callable[[], None]]:
        """Emit siblings by strips, and return what emits the rest of sums of squares.

        `results` are those of the other folds, in order.
        """
        count, inner = group[0].instr.operands[0], group[0].inner
        size = self._size_of_strip(code, group[0].instr, inner)
        strips = code.op(low.CHUNKS, count, size)
        keys = {s.instr: self._key(s, group) for s in group if _is_fold(s)}
        firsts = {key: fold for fold, key in reversed(keys.items())}
        folds = [fold for fold in keys if firsts[keys[fold]] is fold]
        partials = _partials(code, folds, strips)
        squares = [sibling.squares for sibling in group if sibling.squares is not None]
        rooms = [loops_squared_distances.room_for(code, each.dtype, strips) for each in squares]
        lone = code.test(e.EQ, strips, code.number(1))
        private = self._private(group)
        room = code.op(e.MINIMUM, size, count) if private else size
        buffers = {array: self._buffer(code, array, room) for array in private}

        def strip(number: Value) -> None:
            first = code.op(e.MUL, number, size)
            length = code.op(e.MINIMUM, size, code.op(e.SUB, count, first))
            totals: dict[Hashable, Value] = {}
            for loop in (s.instr for s in group if s.squares is None):
                part = _within_strip(loop, buffers, first) if buffers else loop
                if loop.op is not low.REDUCE:
                    part_of_loop(code, part, first, length)
                elif loop in partials:
                    part = replace(part, attrs={**loop.attrs, "chunk": True})
                    value = totals[keys[loop]] = part_of_fold(code, part, first, length)
                    kept, row = partials[loop]
                    code.builder.effect(low.STORE, kept, value, row, number, loc=loop.loc)
            for each, parts in zip(squares, rooms, strict=True):
                key = loops_squared_distances.key_of_fold(each.elements)
                if key not in totals:
                    totals[key] = part_of_fold(code, each.elements, first, length)
                each.keep(code, parts, (number, first, length), totals[key], lone)

        code.loop(strips, strip, parallel=True)

        def alone() -> Sequence[Value]:
            zero = code.number(0)
            own = {f: code.op(low.LOAD, p, row, zero) for f, (p, row) in partials.items()}
            return [own[firsts[key]] for key in keys.values()]

        def several() -> Sequence[Value]:
            own = {
                fold: self._combined(code.at(fold.loc), fold, *place, strips)
                for fold, place in partials.items()
            }
            return [own[firsts[key]] for key in keys.values()]

        code.choose(lone, alone, several, "strips", results)
        finish = partial(self._finish, code, strips=(strips, size), count=count)
        return {s.fold: partial(finish, s, parts) for s, parts in zip(squares, rooms, strict=True)}

    def _key(self, sibling: _Sibling, group: Sequence[_Sibling]) -> Hashable:
        """Return what a fold has in common with one of the same elements, if none writes these."""
        written = {self._origin(a.array) for each in group for a in each.accesses if a.writes}
        read = {self._origin(a.array) for a in sibling.accesses}
        changes = any(self._effects.may_alias(a, b) for a in read for b in written)
        return sibling.instr if changes else loops_squared_distances.key_of_fold(sibling.instr)

    def _finish(
        self,
        code: Code,
        squares: loops_squared_distances.SquaredDistances,
        parts: Value,
        *,
        strips: tuple[Value, Value],
        count: Value,
    ) -> None:
        """Emit the result of a sum of squares, of what strips have kept in `parts`."""
        code = code.at(squares.fold.loc)
        total, is_right = squares.total(code, self._made, parts, strips, count)

        def as_it_stands() -> Sequence[Value]:
            fold = copied(squares.fold)
            if not self._apart.emit(code.builder, fold):
                code.builder.append(fold)
            return fold.results

        results = squares.fold.results
        code.choose(is_right, lambda: (total,), as_it_stands, "squares", results)

    def _private(self, group: Sequence[_Sibling]) -> Sequence[Value]:
        """Return the arrays that nothing else uses: what one iteration has of them it writes first.

        Of those there is room for a strip alone, which never leaves the cache.
        """
        accesses: dict[Value, list[_Access]] = {}
        for sibling in group:
            for access in sibling.accesses if sibling.squares is None else ():
                accesses.setdefault(access.array, []).append(access)
        return [
            array
            for array, own in accesses.items()
            if (made := self._definitions.get(array)) is not None
            and made.op is low.NEW_ARRAY
            and self._uses[array] == len(own)
            and own[0].writes
            and all(access.own for access in own)
        ]

    def _buffer(self, code: Code, array: Value, size: Value) -> Value:
        """Emit an array for what a strip has of another one."""
        assert isinstance(array.type, TensorType)
        _, *others = self._definitions[array].operands
        type_ = replace(array.type, dims=(UNKNOWN, *array.type.dims[1:]))
        return code.new_array(type_, [size, *others])

    def _combined(self, code: Code, fold: Instr, partial: Value, row: Value, count: Value) -> Value:
        """Emit the fold of what a fold gives for `count` strips, a row of `partial`."""
        assert isinstance(fold.result.type, DType)
        parts = code.subview(partial, "i", (row,), TensorType(fold.result.type, (UNKNOWN,)))
        return combine(code, self._made, str(fold.attrs["kind"]), parts, count)


def _is_fold(sibling: _Sibling) -> bool:
    """Whether a sibling is a fold that strips give all of."""
    return sibling.instr.op is low.REDUCE and sibling.squares is None


def _within_strip(loop: Instr, buffers: Mapping[Value, Value], first: Value) -> Instr:
    """Return a loop that finds in buffers what a strip from `first` on has of arrays."""
    (block,) = loop.blocks
    place = Value(I64, "place")
    used = False

    def changed(instr: Instr) -> Instr:
        nonlocal used
        if instr.op not in (low.LOAD, low.STORE) or instr.operands[0] not in buffers:
            return map_blocks(instr, within)
        used = True
        array, *rest = instr.operands
        rest[instr.op is low.STORE] = place
        return replace(instr, operands=(buffers[array], *rest))

    def within(body: Block) -> Block:
        return Block(body.params, tuple(map(changed, body.body)))

    inside = within(block)
    if not used:
        return loop
    offset = Instr(e.SUB, (block.params[0], first), {}, (place,), loop.loc)
    return replace(loop, blocks=(Block(block.params, (offset, *inside.body)),))


def _partials(
    code: Code, folds: Sequence[Instr], strips: Value
) -> Mapping[Instr, tuple[Value, Value]]:
    """Return where folds keep what they give for strips: an array, one for a dtype, and a row.

    They are in the order of the folds.
    """
    found: dict[Instr, tuple[Value, Value]] = {}
    for dtype in dict.fromkeys(fold.result.type for fold in folds):
        assert isinstance(dtype, DType)
        own = [fold for fold in folds if fold.result.type is dtype]
        type_ = TensorType(dtype, (Dim(len(own)), UNKNOWN))
        array = code.new_array(type_, [code.number(len(own)), strips])
        found |= {fold: (array, code.number(row)) for row, fold in enumerate(own)}
    return {fold: found[fold] for fold in folds}


def _access(instr: Instr, number: Value) -> _Access:
    writes = instr.op is low.STORE
    index = instr.operands[2:] if writes else instr.operands[1:]
    return _Access(instr.operands[0], writes, len(index) > 0 and index[0] is number)


def _dim(size: Instr | None):
    """Return what is known of the size that an instruction gives."""
    if size is None or size.op is not low.SIZE:
        return None
    type_ = size.operands[0].type
    assert isinstance(type_, TensorType)
    return type_.dims[int(str(size.attrs["axis"]))]


def _as_it_stands(loop: Instr) -> Instr:
    """Return a loop whose fold is not taken apart any more."""
    if loop.op is not low.REDUCE:
        return loop
    return replace(loop, attrs={**loop.attrs, "parallel": False})
