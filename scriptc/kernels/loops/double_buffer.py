"""Exchange: a loop that copies an array, then writes it anew, has two that change places instead.

    for %k {                                   %q = new_array of the sizes of %p
      %c = copy %p                             for %k, %turned = false, %again = false {
      ... reads %c ...                           if not %again: assign %q, %p
      assign (view %p), %1             =>        %now = %turned xor %again
      exit next                                  %c = either %q, %p, %now
    }                                            %n = either %p, %q, %now
                                                 ... reads %c ...
                                                 assign (view %n), %1
                                                 exit next %now, %safe
                                               }
                                               if %turned: assign %p, %q

The first iteration copies, and does all that the loop did.  After it both arrays hold the same
wherever no iteration writes, so a later iteration may read one of them and write the other, if

- it writes to parts of `%p` alone, whose bounds are constants: then each iteration writes the same
  elements;
- what it reads of `%p`, it does not write at that time or later: those elements are written by the
  same iteration before, or by none.  Where that depends on sizes, `%safe` tests them;
- it can raise nothing, as what could be raised depends on nothing that changes after the first
  iteration;
- no other array that it reads shares memory with `%p`, which `%safe` tests for arguments.

Whoever catches Ctrl-C may find `%p` as it was an iteration before.

Needs: IR without library ops, before `fuse`.
Gives: the same results bit for bit, with a copy or two for all iterations together.
Does not: look into loops with inner blocks, or at views of views.
Cases: tests/cases/loops/double_buffer.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple, cast

from scriptc.analysis.effects import FunctionEffects, ModuleEffects
from scriptc.analysis.instr_kinds import raises_on_elements
from scriptc.analysis.remarks import Kind, Message, Named, Reason, Topic, about, remark
from scriptc.kernels.builder import Code
from scriptc.passes.rebuild import Renaming, rebuild_outermost
from scriptc_runtime.ir import Builder, Function, Instr, Module, Value, walk
from scriptc_runtime.ops import arrays, control, data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Level, Trait
from scriptc_runtime.record import replace
from scriptc_runtime.types import BOOL, TensorType, is_counted

EXCHANGED = Message(
    "double_buffer",
    Topic.MEMORY,
    Kind.DONE,
    "no copy: {array} and a second array change places in each iteration",
)
COPIED = Message(
    "double_buffer",
    Topic.MEMORY,
    Kind.MISSED,
    "copied in each iteration; {array} and its copy may not change places: {why}",
)

# Bounds further from the ends of an axis than this are left alone.
_FAR = 8
_SIZES = (arrays.DIM, low.SIZE)


def double_buffer(module: Module) -> Module:
    """Return `module` with arrays that change places where a loop copied one."""
    effects = ModuleEffects(module)
    functions: dict[str, Function] = {}
    for name, function in module.functions.items():
        about(function)
        functions[name] = function
        if any(map(_has_copy, walk(function.body))):
            numbers = {
                i.result: i.attrs["value"] for i in walk(function.body) if i.op is data.CONST
            }
            emit = partial(_emit, numbers, effects.function(name))
            functions[name] = replace(function, body=rebuild_outermost(function.body, emit))
    return module.with_functions(functions)


def _has_copy(loop: Instr) -> bool:
    if loop.op is not control.FOR:
        return False
    return any(i.op is arrays.COPY for i in loop.blocks[0].body)


def _emit(
    numbers: Mapping[Value, object], effects: FunctionEffects, loop: Instr, builder: Builder
) -> bool:
    if not _has_copy(loop) or any(i.blocks for i in loop.blocks[0].body):
        return False
    for copy in loop.blocks[0].body:
        if copy.op is not arrays.COPY:
            continue
        safe = _Iteration(loop, copy, numbers, effects).is_safe()
        if isinstance(safe, Reason):
            remark(COPIED, copy.loc, array=Named(copy.operands[0], {}), why=safe)
        else:
            remark(EXCHANGED, copy.loc, array=Named(copy.operands[0], {}))
            _exchanged(Code(builder, copy.loc), loop, copy, safe)
            return True
    return False


class _Safe(NamedTuple):
    """What has to hold for arrays to change places."""

    least: tuple[int, ...]  # sizes of the axes
    apart: tuple[Value, ...]  # arrays that must not share memory with the one that is copied


# For each axis of a part: start and stop of a slice, or an index.
_Part = tuple[slice | int, ...]


class _Iteration:
    """What an iteration does to the array that it copies."""

    def __init__(
        self,
        loop: Instr,
        copy: Instr,
        numbers: Mapping[Value, object],
        effects: FunctionEffects,
    ) -> None:
        self._body = loop.blocks[0].body
        self._copy = copy
        self._array = copy.operands[0]
        self._numbers = numbers
        self._effects = effects
        self._inside = {*loop.blocks[0].params, *(r for i in self._body for r in i.results)}
        self._parts: dict[Value, _Part] = {}
        # Numbers that are the same in every iteration.
        self._changing = set(loop.blocks[0].params)
        self._reads: list[_Part] = []
        self._writes: list[tuple[int, _Part]] = []  # and how many reads come before

    def is_safe(self) -> _Safe | Reason:
        """Return what has to hold for the arrays to change places, or why they never may."""
        if self._array in self._inside:
            return Reason("it is another array in each iteration")
        self._parts[self._array] = (slice(None),) * cast(TensorType, self._array.type).rank
        *body, last = self._body
        ends_round = last.target is not None and last.target.next
        if not ends_round or any(map(self._is_ours, last.operands)):
            return Reason("an iteration may end early, or passes one of them to the next one")
        unfit = next((i for i in body if not self._takes(i)), None)
        if unfit is not None:
            return Reason("line {line} uses one of them otherwise", line=unfit.loc)
        apart = self._others()
        least = [0] * len(self._parts[self._array])
        for read, write in self._pairs():
            found = _apart(read, write)
            if found is None:
                return Reason("a part of it is read and not written")
            axis, size = found
            least[axis] = max(least[axis], size)
        if apart is None:
            return Reason("other arrays may share its memory")
        return _Safe(tuple(least), apart)

    def _pairs(self) -> Iterator[tuple[_Part, _Part]]:
        """Yield what is read, and what is written at that time or later."""
        for before, write in self._writes:
            for read in self._reads[:before]:
                yield read, write

    def _is_ours(self, value: Value) -> bool:
        """Whether a value may share memory with the array or the copy."""
        if not is_counted(value.type):
            return False
        pair = (self._array, self._copy.result)
        return any(self._effects.share_class(value, own) for own in pair)

    def _takes(self, instr: Instr) -> bool:
        """Take note of an instruction; whether arrays may change places for all it does."""
        if instr is self._copy:
            return not self._reads and not self._writes
        own = self._effects.own(instr)
        endless = instr.target is not None or self._effects.may_not_end(instr)
        if endless or own.io or not self._always_passes(instr):
            return False
        self._note_changes(instr)
        if instr.op in _SIZES:
            return True
        if instr.op is arrays.VIEW and instr.operands[0] is self._array:
            return self._view(instr)
        if instr.op is arrays.ASSIGN:
            target, source = instr.operands
            if target not in self._parts or not self._read([source]):
                return False
            self._writes.append((len(self._reads), self._parts[target]))
            return True
        shared = any(self._effects.share_class(r, self._array) for r in instr.results)
        return not (own.writes or shared) and self._read(instr.operands)

    def _read(self, values: Sequence[Value]) -> bool:
        """Take note of what is read; False where it is not known what part of the array that is."""
        for value in values:
            if value in self._parts:
                self._reads.append(self._parts[value])
            elif is_counted(value.type) and self._effects.share_class(value, self._array):
                return False
        return True

    def _always_passes(self, instr: Instr) -> bool:
        """Whether an instruction raises nothing that it has not raised in the first iteration."""
        if not self._effects.own(instr).raises:
            return True
        if instr.op not in (arrays.VIEW, arrays.ASSIGN) and not _is_elementwise(instr):
            return False
        if any(isinstance(v.type, TensorType) for v in instr.operands):
            steady = instr.op is not arrays.VIEW or self._changing.isdisjoint(instr.operands)
            return steady and not raises_on_elements(instr)
        return self._changing.isdisjoint(instr.operands)

    def _note_changes(self, instr: Instr) -> None:
        """Take note of numbers that may differ from iteration to iteration."""
        depends = not self._changing.isdisjoint(instr.operands)
        if depends or self._effects.own(instr).reads or instr.op.level is Level.LOW:
            self._changing.update(r for r in instr.results if not isinstance(r.type, TensorType))

    def _view(self, view: Instr) -> bool:
        part = _part_of(view, self._numbers)
        if part is not None:
            whole = (slice(None),) * (cast(TensorType, self._array.type).rank - len(part))
            self._parts[view.result] = (*part, *whole)
        return part is not None

    def _others(self) -> tuple[Value, ...] | None:
        """Return the arrays that have to be elsewhere; None where something always is not."""
        found: dict[Value, None] = {}
        for value in (v for instr in self._body for v in instr.operands):
            if value in self._inside or value is self._array or not is_counted(value.type):
                continue
            if self._is_ours(value):
                return None
            if self._effects.may_alias(value, self._array):
                if not isinstance(value.type, TensorType):
                    return None
                found[value] = None
        return tuple(found)


def _is_elementwise(instr: Instr) -> bool:
    return Trait.ELEMENTWISE in instr.op.traits


def _part_of(view: Instr, numbers: Mapping[Value, object]) -> _Part | None:
    """Return which part of an array a view with constant bounds is."""
    bounds: list[int | None] = []
    for value in view.operands[1:]:
        number = numbers.get(value, "unknown")
        if number is not None and (not isinstance(number, int) or abs(number) > _FAR):
            return None
        bounds.append(number)
    given = iter(bounds)
    part: list[slice | int] = []
    for letter in cast(str, view.attrs["axes"]):
        if letter == "s":
            start, stop, step = next(given), next(given), next(given)
            if step not in (None, 1):
                return None
            part.append(slice(start, stop))
        elif letter == "i":
            index = next(given)
            assert index is not None
            part.append(index)
    return tuple(part)


def _apart(first: _Part, second: _Part) -> tuple[int, int] | None:
    """Return an axis and its least size from which on two parts have nothing in common."""
    found: list[tuple[int, int]] = []
    # From twice the distance of bounds on they keep their order.
    sizes = range(2 * _FAR + 3)
    for axis, (a, b) in enumerate(zip(first, second, strict=True)):
        meet = [size for size in sizes if not _indices(a, size).isdisjoint(_indices(b, size))]
        least = max(meet, default=-1) + 1
        if least in sizes:
            found.append((least, axis))
    if not found:
        return None
    least, axis = min(found)
    return axis, least


def _indices(bounds: slice | int, size: int) -> frozenset[int]:
    if isinstance(bounds, slice):
        return frozenset(range(size)[bounds])
    return frozenset({bounds % size} if -size <= bounds < size else ())


def _exchanged(code: Code, loop: Instr, copy: Instr, safe: _Safe) -> None:
    """Emit the loop with two arrays that change places."""
    (array,) = copy.operands
    type_ = cast(TensorType, array.type)
    other = code.new_array(type_, [code.size(array, axis) for axis in range(type_.rank)])
    conditions = [code.op(low.IS_SPREAD, array)]
    for axis, least in enumerate(safe.least):
        if least:
            conditions.append(code.test(e.GE, code.size(array, axis), code.number(least)))
    for value in safe.apart:
        conditions.append(code.op(e.NOT, code.op(low.MAY_OVERLAP, array, value)))
    allowed = code.both(conditions)
    false = code.builder.emit(data.CONST, loc=code.loc, value=False)
    turned, again = Value(BOOL, "turned"), Value(BOOL, "again")
    names = Renaming()
    (block,) = loop.blocks
    *instrs, last = block.body
    at = instrs.index(copy)
    code.builder.open(*block.params, turned, again)
    for instr in instrs[:at]:
        code.builder.append(instr)
    now = _turn(code, array, other, turned, again)
    names[array] = code.op(low.EITHER, array, other, now)
    names[copy.result] = code.op(low.EITHER, other, array, now)
    for instr in instrs[at + 1 :]:
        code.builder.append(names.instr(instr))
    code.builder.append(replace(last, operands=(*last.operands, now, allowed)))
    body = code.builder.close()
    results = (*loop.results, Value(BOOL), Value(BOOL))
    operands = (*loop.operands, false, false)
    code.builder.append(replace(loop, operands=operands, blocks=(body,), results=results))
    code.choose(results[-2], lambda: _assign(code, array, other), lambda: ())


def _turn(code: Code, array: Value, other: Value, turned: Value, again: Value) -> Value:
    """Emit the copy of an iteration that changes no places, and return where the arrays stand."""
    code.choose(again, lambda: (), lambda: _assign(code, other, array))
    return code.op(e.XOR, turned, again)


def _assign(code: Code, target: Value, source: Value) -> Sequence[Value]:
    code.builder.effect(arrays.ASSIGN, target, source, loc=code.loc)
    return ()
