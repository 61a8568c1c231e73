"""Jam: iterations of a loop that fold the same arrays fold them together, a block at a time.

    for i in range(n):                       for each GROUP iterations:
        low = edge[i]                            low[b] = edge[i + b]          for each iteration b
        r[i] = x[x > low].sum()      =>          for each block of x:
                                                     part[b, block] = ...      for each iteration b
                                                 r[i + b] = sum of part[b, :]  for each iteration b

So a block is read from memory once for a group of iterations, and from the first-level cache by the
others.  An iteration may compute scalars, fold arrays, and store what follows; no scalar that a
fold reads may depend on a fold, nothing may read what the loop writes, and nothing may raise:
checks of what is the same in all iterations, and tests which of two versions of a nest runs, stand
before the loop, which runs as it was where they do not hold.  The same goes for arrays that may
overlap.

A fold is combined of those of its blocks, whose size is fixed, as every fold is of its blocks: the
same bits whatever a group is, and as without groups.

Needs: low IR after `fuse`, cleaned.
Gives: low IR, same results.
Does not: touch loops that carry values, or that may be left early.
Cases: tests/cases/loops/tile_reductions.
"""

from collections.abc import Iterable, Mapping, Sequence

from scriptc.analysis.effects import FunctionEffects, ModuleEffects
from scriptc.analysis.remarks import Kind, Message, Topic, about, remark
from scriptc.kernels.builder import Code
from scriptc.kernels.loops.split_reductions import combined, levels_of, part_of_fold
from scriptc.passes.rebuild import Renaming, clone, rebuild_outermost
from scriptc_runtime.dims import UNKNOWN
from scriptc_runtime.ir import Block, Builder, Instr, Label, Module, Value, walk
from scriptc_runtime.ops import arrays, control, data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Trait
from scriptc_runtime.record import field, record, replace
from scriptc_runtime.types import INT, DType, TensorType

TILED = Message(
    "tile_reductions",
    Topic.ORDER,
    Kind.DONE,
    "tiled: {group} iterations share blocks of {elements} elements, which stay in the cache",
)

GROUP = 16  # iterations
ELEMENTS = 2048  # of a block: two arrays of them fit in a first-level cache
LEAST = 4 * ELEMENTS  # elements for which it pays
# What reads or writes elements in a known way, or looks at sizes and strides alone.
_QUIET = frozenset(
    {low.STORE, low.LOAD, low.ASSUME_CONTIGUOUS, low.SIZE, low.IS_CONTIGUOUS, arrays.DIM}
)


def tile_reductions(module: Module) -> Module:
    """Return `module` with the folds of such loops in blocks."""
    effects = ModuleEffects(module)
    functions = dict(module.functions)
    for name, function in module.functions.items():
        about(function)
        if any(i.op is control.FOR and _has_folds(i) for i in walk(function.body)):
            body = _Jammer(effects.function(name)).block(function.body)
            functions[name] = function if body is function.body else replace(function, body=body)
    return module.with_functions(functions)


def _has_folds(loop: Instr) -> bool:
    return any(i.op is low.REDUCE for i in walk(loop.blocks[0]))


@record(eq=False)
class _Iteration:
    """What an iteration does where the conditions hold, in order."""

    same: list[Instr] = field(default_factory=list[Instr])  # in all iterations
    conditions: list[Value] = field(default_factory=list[Value])
    body: list[Instr] = field(default_factory=list[Instr])
    names: Renaming = field(default_factory=Renaming)  # of results of versions


@record(eq=False)
class _Plan:
    """An iteration in parts: what folds need, the folds, the rest; what must not overlap."""

    iteration: _Iteration
    before: Sequence[Instr]
    folds: Sequence[Instr]
    after: Sequence[Instr]
    needed: Sequence[Value]  # results of `before` that the folds read
    apart: Sequence[tuple[Value, Value]]


class _Jammer:
    def __init__(self, effects: FunctionEffects) -> None:
        self._effects = effects

    def block(self, block: Block) -> Block:
        """Return a block with its loops jammed, outer ones first."""
        return rebuild_outermost(block, self._jammed)

    def _jammed(self, instr: Instr, builder: Builder) -> bool:
        plan = self._plan(instr) if instr.op is control.FOR and _has_folds(instr) else None
        if plan is not None:
            remark(TILED, instr.loc, group=GROUP, elements=ELEMENTS)
            _emit(builder, instr, plan)
        return plan is not None

    def _plan(self, loop: Instr) -> _Plan | None:
        if len(loop.operands) != 3:
            return None
        found = self._flat(loop)
        if found is None:
            return None
        folds = [i for i in found.body if i.op is low.REDUCE]
        moving = {loop.blocks[0].params[0], *(r for i in found.body for r in i.results)}
        if not folds or any(_one(f.operands) in moving for f in folds):
            return None
        if not all(_is_plain_fold(f) for f in folds):
            return None
        names = found.names
        read = {names[v] for f in folds for i in walk(f.blocks[0]) for v in i.operands}
        needed = [v for i in found.body for v in i.results if v in read]
        before = _needed(found.body, needed)
        if any(i.op is low.REDUCE for i in before):
            return None
        if not all(isinstance(v.type, DType) for v in needed):
            return None
        after = [i for i in found.body if i.op is not low.REDUCE]
        apart = self._apart(folds, found.body, names)
        if apart is None:
            return None
        if loop.blocks[0].params[0] in read:
            return None
        return _Plan(found, before, folds, after, needed, apart)

    def _flat(self, loop: Instr) -> _Iteration | None:
        """Return the iteration without checks and versions, or None if more is done there."""
        found = _Iteration()
        *body, last = loop.blocks[0].body
        moving = {loop.blocks[0].params[0]}
        if last.target is None or last.target.label is not loop.label:
            return None
        return found if self._take(body, moving, found) else None

    def _take(self, body: Iterable[Instr], moving: set[Value], found: _Iteration) -> bool:
        for old in body:
            instr = found.names.instr(old)
            if instr.op is control.IF:
                if not self._take_version(instr, moving, found):
                    return False
            elif instr.op is low.REDUCE:
                if any(found.names[v] is not v for i in walk(instr.blocks[0]) for v in i.operands):
                    return False
                found.body.append(instr)
                moving.update(instr.results)
            elif instr.blocks or instr.target or not self._is_quiet(instr):
                return False
            elif instr.op in (low.LOAD, low.STORE) or not moving.isdisjoint(instr.operands):
                found.body.append(instr)
                moving.update(instr.results)
            else:
                found.same.append(instr)
        return True

    def _take_version(self, instr: Instr, moving: set[Value], found: _Iteration) -> bool:
        """Take the first arm of a choice that is the same in all iterations."""
        if not moving.isdisjoint(instr.operands):
            return False
        *body, last = instr.blocks[0].body
        if last.target is None or last.target.label is not instr.label:
            return False
        found.conditions.append(_one(instr.operands))
        if not self._take(body, moving, found):
            return False
        for result, value in zip(instr.results, last.operands, strict=True):
            found.names[result] = found.names[value]
        return True

    def _is_quiet(self, instr: Instr) -> bool:
        """Whether an instruction gives scalars or views, or loads or stores an element."""
        if instr.op in _QUIET:
            return True
        own = self._effects.own(instr)
        noisy = own.raises or own.io or own.writes or own.reads or own.allocates
        return not noisy and Trait.TERMINATOR not in instr.op.traits

    def _apart(
        self, folds: Sequence[Instr], body: Sequence[Instr], names: Renaming
    ) -> list[tuple[Value, Value]] | None:
        """Return the pairs of arrays, written and folded, that may overlap.

        None where a scalar is read from memory that the loop may write.
        """
        written = dict.fromkeys(i.operands[0] for i in body if i.op is low.STORE)
        loaded = [i.operands[0] for i in body if i.op is low.LOAD]
        inner = [i for f in folds for i in walk(f.blocks[0]) if i.op is low.LOAD]
        folded = dict.fromkeys(names[i.operands[0]] for i in inner)
        alias = self._effects.may_alias
        if any(alias(w, v) for w in written for v in loaded):
            return None
        return [(w, v) for w in written for v in folded if alias(w, v)]


def _one(values: Sequence[Value]) -> Value:
    (value,) = values
    return value


def _is_plain_fold(fold: Instr) -> bool:
    """Whether a fold is one loop over scalars of loaded elements, of more than a row."""
    if not fold.attrs.get("parallel", True):
        return False
    inner = list(walk(fold.blocks[0]))
    others = [v for i in inner if i.op is not low.LOAD for v in i.operands]
    if any(isinstance(v.type, TensorType) for v in others) or any(i.blocks for i in inner):
        return False
    return isinstance(fold.result.type, DType)


def _needed(body: Sequence[Instr], values: Sequence[Value]) -> list[Instr]:
    """Return the instructions of `body` that compute some values, in order."""
    wanted = set(values)
    needed: list[Instr] = []
    for instr in reversed(body):
        if wanted.intersection(instr.results):
            needed.append(instr)
            wanted.update(instr.operands)
    return needed[::-1]


# ----------------------------------------------------------------------------- the new loops


def _emit(builder: Builder, loop: Instr, plan: _Plan) -> None:
    """Emit both versions of a loop."""
    code = Code(builder, loop.loc)
    for instr in plan.iteration.same:
        builder.append(instr)
    start, stop, step = loop.operands
    counts = [_one(f.operands) for f in plan.folds]
    conditions = [*plan.iteration.conditions]
    conditions.append(code.test(e.EQ, code.to_i64(step), code.number(1)))
    conditions.append(code.test(e.GE, counts[0], code.number(LEAST)))
    iterations = code.iterations(code.to_i64(start), code.to_i64(stop))
    conditions.append(code.test(e.GE, iterations, code.number(2)))
    for first, second in plan.apart:
        overlap = code.op(low.MAY_OVERLAP, first, second)
        conditions.append(code.op(e.NOT, overlap))

    def jammed() -> Sequence[Value]:
        _Groups(code, loop, plan, iterations, counts).emit()
        return ()

    def as_it_was() -> Sequence[Value]:
        code.again((loop,), Renaming())
        return ()

    code.choose(code.both(conditions), jammed, as_it_was, "jam")


class _Groups:
    """The loops of the version in groups."""

    def __init__(
        self, code: Code, loop: Instr, plan: _Plan, iterations: Value, counts: Sequence[Value]
    ) -> None:
        self._code = code
        self._loop = loop
        self._plan = plan
        self._iterations = iterations
        self._counts = counts
        size = code.number(ELEMENTS)
        up = [code.op(e.ADD, n, code.number(ELEMENTS - 1)) for n in counts]
        blocks = [code.op(e.FLOORDIV, n, size) for n in up]
        self._blocks = blocks[0]
        for more in blocks[1:]:
            self._blocks = code.op(e.MAXIMUM, self._blocks, more)
        self._levels = levels_of(code, self._blocks)
        group = code.number(GROUP)
        self._kept = {v: self._buffer(v, [group]) for v in plan.needed}
        self._parts = [self._buffer(f.result, [group, self._blocks]) for f in plan.folds]

    def _buffer(self, value: Value, sizes: Sequence[Value]) -> Value:
        assert isinstance(value.type, DType)
        type_ = TensorType(value.type, (UNKNOWN,) * len(sizes))
        return self._code.new_array(type_, sizes)

    def emit(self) -> None:
        """Emit the loop over groups."""
        code, builder = self._code, self._code.builder
        index, label = Value(INT, "g"), Label("groups")
        builder.open(index)
        first = code.to_i64(index)
        left = code.op(e.SUB, self._iterations, first)
        width = code.op(e.MINIMUM, code.number(GROUP), left)
        code.loop(width, lambda b: self._before(first, b), parallel=False)
        code.loop(self._blocks, lambda c: self._fold(width, c), parallel=True)
        code.loop(width, lambda b: self._after(first, b), parallel=False)
        builder.exit(label, next=True, loc=code.loc)
        block = builder.close()
        start, step = (
            builder.emit(data.CONST, loc=code.loc, value=number) for number in (0, GROUP)
        )
        ends = (start, code.to_int(self._iterations), step)
        builder.region(control.FOR, ends, (block,), label, (), code.loc)

    def _bindings(self, first: Value, b: Value) -> Renaming:
        """Return the names of an iteration: its variable, and what choices of versions gave."""
        code = self._code
        bindings = Renaming()
        number = code.op(e.ADD, first, b)
        place = code.op(e.ADD, code.to_i64(self._loop.operands[0]), number)
        bindings[self._loop.blocks[0].params[0]] = code.to_int(place)
        return bindings

    def _clone(self, body: Sequence[Instr], bindings: Renaming) -> None:
        block = Block((), tuple(body))
        for instr in clone(block, bindings, {}, lambda loc: loc).body:
            self._code.builder.append(instr)

    def _before(self, first: Value, b: Value) -> None:
        code = self._code
        bindings = self._bindings(first, b)
        self._clone(self._plan.before, bindings)
        for value, kept in self._kept.items():
            code.builder.effect(low.STORE, kept, bindings[value], b, loc=code.loc)

    def _fold(self, width: Value, c: Value) -> None:
        """Fold block `c` for every iteration of the group."""
        code = self._code
        first = code.op(e.MUL, c, code.number(ELEMENTS))
        lengths: list[Value] = []
        for count in self._counts:
            left = code.op(e.MAXIMUM, code.op(e.SUB, count, first), code.number(0))
            lengths.append(code.op(e.MINIMUM, code.number(ELEMENTS), left))

        def fold(b: Value) -> None:
            values = {v: code.op(low.LOAD, kept, b) for v, kept in self._kept.items()}
            folds = zip(self._plan.folds, lengths, self._parts, strict=True)
            for instr, length, part in folds:
                place = code.at(instr.loc)
                value = part_of_fold(place, instr, first, length, _renaming(values))
                code.builder.effect(low.STORE, part, value, b, c, loc=code.loc)

        code.loop(width, fold, parallel=False)

    def _after(self, first: Value, b: Value) -> None:
        code = self._code
        bindings = self._bindings(first, b)
        for fold, part in zip(self._plan.folds, self._parts, strict=True):
            kind = str(fold.attrs["kind"])
            bindings[fold.result] = combined(code, kind, part, self._blocks, self._levels, b)
        self._clone(self._plan.after, bindings)


def _renaming(values: Mapping[Value, Value]) -> Renaming:
    names = Renaming()
    for value, other in values.items():
        names[value] = other
    return names
