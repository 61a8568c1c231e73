"""Generators as values: a function that yields becomes an object, and a function that resumes it.

    def count(n):              object: state, n, i
        i = 0                  resume:  block @body {
        while i < n:               if state == 0 { i = 0 }
            yield i                while {
            i += 1                     if state == 0 { if i < n { } { exit @while }
                                           state = 1; exit @resume i }
                                       state = 0
                                       i = i + 1; exit @while.next } }

Values that are there on both sides of a `yield` are fields of the object. Blocks stay nested as
they are: `state` says which `yield` is to be reached, and until then what stands before it is
passed over. It is 0 while the generator runs. A loop over a range starts again at its index, and
the handler of a `try` is entered by raising its exception once more.
"""

from collections.abc import Callable, Sequence

from scriptc.check.checked import CheckedFunction, CheckedProgram, GeneratorParts
from scriptc.check.generator_classes import (
    FRESH,
    GONE,
    OVER,
    RETURNED,
    RUNNING,
    YIELD,
    resumed,
)
from scriptc.lower.generator_fields import FieldError, Frame
from scriptc_runtime.errors import Diagnostic, Span, UnsupportedError
from scriptc_runtime.ir import (
    NOWHERE,
    Block,
    ClassDecl,
    Function,
    Instr,
    Label,
    Loc,
    Value,
)
from scriptc_runtime.ops import control, data, exceptions
from scriptc_runtime.ops.opdef import Attr, OpDef
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import EXCEPTION, INT, NONE, ClassType, OptionalType, Type

_EXECUTING = "generator already executing"
_RAISED = "generator raised StopIteration"
_SENT_TOO_EARLY = "can't send non-None value to a just-started generator"


@record(eq=False)
class SplitGenerator:
    """What a generator function becomes."""

    make: Function
    resume: Function
    declaration: ClassDecl


def lower_generator(
    program: CheckedProgram, function: CheckedFunction, raw: Function
) -> SplitGenerator:
    """Return what the functions of a generator are; `raw` is its body. Raises ScriptError."""
    parts = function.generator
    assert parts is not None
    resuming = next(
        f
        for f in program.functions.values()
        if f.generator and f.generator.resumes and f.generator.class_name == parts.class_name
    )
    try:
        own = len(function.params)
        return split_generator(raw, parts, function.name, resuming.name, own)
    except FieldError as error:
        node = function.node
        span = Span(function.source, node.lo, node.lo + len("def ") + len(node.name))
        raise UnsupportedError(
            Diagnostic(
                "yield",
                f"this generator keeps {error} while it waits",
                span,
                why="what it keeps are fields of an object",
                instead="assign it to a variable before, or call the generator in a loop",
            )
        ) from None


def split_generator(
    raw: Function, parts: GeneratorParts, make: str, resume: str, own: int
) -> SplitGenerator:
    """Return the function that makes a generator, the one that resumes it, and its class.

    Needs: `raw`, the generator function as if it ran at once; its first `own` parameters are its
    own, the others arrays that it captured. Raises FieldError.
    """
    return _Splitter(raw, parts, own).run(make, resume)


@record(frozen=False, eq=False)
class _Loop:
    """A loop that is split: its label inside, and its parameters, whose fields `next` writes."""

    label: Label
    params: Sequence[Value]


class _Splitter:
    def __init__(self, raw: Function, parts: GeneratorParts, own: int) -> None:
        self._raw = raw
        self._parts = parts
        self._own, self._captured = raw.params[:own], raw.params[own:]
        # The first and the last `yield` in each instruction that has some.
        self._spans: dict[Instr, tuple[int, int]] = {}
        self._defined: dict[Value, Instr] = {}
        # The stretch without a `yield` in which a value is made; 0 where that is none.
        self._home: dict[Value, int] = {}
        self._stretch: dict[Instr, int] = {}  # that in front of an instruction with a `yield`
        self._needed: dict[int, dict[Value, None]] = {0: {}}
        self._regions: dict[Label, Instr] = {}
        self._loops: dict[Label, _Loop] = {}
        self._bounds: dict[Instr, tuple[Value, Value]] = {}
        self._ends: dict[Block, int] = {}  # the last stretch of a block
        self._number = 0
        self._env: dict[Value, Value] = {}
        self._label = Label("resume")
        # What the function that resumes is given more.
        self._sent = None if parts.sent is None else Value(OptionalType(parts.sent), "sent")
        self._thrown = Value(OptionalType(EXCEPTION), "thrown") if parts.is_thrown else None
        self._frame = Frame(parts.class_name)
        self._builder = self._frame.builder

    def run(self, make: str, resume: str) -> SplitGenerator:
        raw, frame = self._raw, self._frame
        self._span(raw.body)
        self._scan(raw.body)
        for param in self._own:
            if param.type is not NONE:
                frame.field(param)
        for stretch, values in self._needed.items():
            for value in values:
                if self._is_kept(value, stretch):
                    frame.field(value)
        body = self._resume()
        declaration = ClassDecl(self._parts.class_name, tuple(frame.types().items()))
        made, others = self._make(), (raw.loc, raw.file)
        type_ = ClassType(self._parts.class_name)
        return SplitGenerator(
            Function(make, raw.params, type_, *made, *others, role=raw.role),
            Function(
                resume,
                (*self._given(), *self._captured),
                resumed(self._parts.item),
                body,
                self._label,
                *others,
                role=raw.role,
            ),
            declaration,
        )

    # ----------------------------------------------------------------------- what has to be kept

    def _span(self, block: Block) -> tuple[int, int] | None:
        """Give each `yield` a number; return the first and the last one in a block."""
        first, before = self._number + 1, self._number
        for instr in block.body:
            start = self._number + 1
            if instr.op is YIELD:
                self._number += 1
            for inner in instr.blocks:
                self._span(inner)
            if self._number >= start:
                self._spans[instr] = start, self._number
        return (first, self._number) if self._number > before else None

    def _scan(self, block: Block) -> None:
        stretch = self._new_stretch()
        for instr in block.body:
            for operand in instr.operands:
                self._use(operand, stretch)
            if instr not in self._spans:
                self._scan_plain(instr, stretch)
                continue
            self._stretch[instr] = stretch
            if instr.label is not None:
                self._regions[instr.label] = instr
            for result in instr.results:
                self._home[result] = 0
                self._defined[result] = instr
            for inner in instr.blocks:
                for param in inner.params:
                    self._home[param] = 0
                self._scan(inner)
            stretch = self._new_stretch()
        self._ends[block] = stretch

    def _scan_plain(self, instr: Instr, stretch: int) -> None:
        waiting = [instr]
        while waiting:
            inner = waiting.pop()
            for operand in inner.operands:
                self._use(operand, stretch)
            for result in inner.results:
                self._home[result] = stretch
                self._defined[result] = inner
            for block in inner.blocks:
                for param in block.params:
                    self._home[param] = stretch
                waiting += block.body

    def _new_stretch(self) -> int:
        self._needed[len(self._needed)] = {}
        return len(self._needed) - 1

    def _use(self, value: Value, stretch: int) -> None:
        self._needed[stretch][value] = None

    def _is_kept(self, value: Value, stretch: int) -> bool:
        """Whether a value that a stretch needs comes from elsewhere, and is not made anew."""
        if value in self._captured or self._home.get(value, 0) == stretch:
            return False
        return not self._is_constant(value)

    def _is_constant(self, value: Value) -> bool:
        instr = self._defined.get(value)
        return instr is not None and (instr.op is data.CONST or value.type is NONE)

    # ------------------------------------------------------------------------------- the function

    def _resume(self) -> Block:
        frame, builder = self._frame, self._builder
        builder.open()
        frame.loc = self._raw.loc
        # A generator that has come to its end gives nothing more.
        self._where(frame.state_up_to(OVER), self._give_no_more)
        self._where(frame.state_is(RUNNING), lambda: self._raise("ValueError", _EXECUTING))
        is_fresh = frame.state_is(FRESH)
        self._where(is_fresh, self._begin_run)
        label = Label("try")
        builder.open()
        if self._thrown is not None:
            self._where(is_fresh, self._raise_thrown)
        builder.open()
        self._block(self._raw.body)
        inner = builder.close()
        types = [self._parts.returned]
        (result,) = builder.region(
            control.BLOCK, [], [inner], self._raw.label, types, self._raw.loc
        )
        if self._parts.returned is not NONE:
            frame.keep(frame.named(RETURNED, result.type), result)
        frame.clear()
        self._give_nothing()
        body = builder.close()
        error = Value(EXCEPTION)
        builder.open(error)
        frame.clear()
        frame.set_state(GONE)
        is_stop = frame.emit(exceptions.IS_EXCEPTION, error, kind="StopIteration")
        self._where(is_stop, lambda: self._raise_from(error))
        builder.append(_terminator(control.RERAISE, error, loc=frame.loc, traced=False))
        handler = builder.close()
        builder.region(control.TRY, [], [body, handler], label, [], self._raw.loc)
        builder.append(_terminator(control.RAISE, loc=frame.loc, kind="RuntimeError"))
        return builder.close()

    def _make(self) -> tuple[Block, Label]:
        label = Label("return")
        return self._frame.made(self._own, label, self._raw.loc), label

    def _where(self, condition: Value, then: Callable[[], bool | None]) -> None:
        """Do something where a condition holds; it may leave."""
        label = Label("if")
        self._builder.open()
        if then() is not False:
            self._builder.exit(label)
        taken = self._builder.close()
        self._builder.open()
        self._builder.exit(label)
        passed = self._builder.close()
        self._region(control.IF, [condition], [taken, passed], label)

    def _give_nothing(self) -> bool:
        frame = self._frame
        given = resumed(self._parts.item)
        self._builder.exit(self._label, frame.emit(data.NOTHING, item=given.item), loc=frame.loc)
        return False

    def _given(self) -> Sequence[Value]:
        more = (value for value in (self._sent, self._thrown) if value is not None)
        return (self._frame.object, *more)

    def _give_no_more(self) -> bool:
        self._frame.set_state(GONE)
        self._raise_thrown()
        return self._give_nothing()

    def _begin_run(self) -> None:
        frame, sent = self._frame, self._sent
        if sent is not None:
            is_sent = frame.emit(data.HAS_VALUE, sent)
            self._where(is_sent, lambda: self._raise("TypeError", _SENT_TOO_EARLY))
        frame.set_state(RUNNING)

    def _raise_thrown(self) -> None:
        """Raise the exception that the generator is resumed with, if there is one."""
        frame, thrown = self._frame, self._thrown
        if thrown is None:
            return

        def throw() -> bool:
            error = frame.emit(data.UNWRAP, thrown)
            again = _terminator(control.RERAISE, error, loc=frame.loc, traced=True)
            self._builder.append(again)
            return False

        self._where(frame.emit(data.HAS_VALUE, thrown), throw)

    def _go_on(self, instr: Instr) -> None:
        """Go on behind a `yield`, with what the generator is resumed with."""
        frame, sent = self._frame, self._sent
        frame.set_state(RUNNING)
        for result in instr.results:
            if frame.has(result):
                assert sent is not None
                frame.keep(result, sent)
        self._raise_thrown()

    def _raise(self, kind: str, message: str) -> bool:
        text = self._frame.emit(data.CONST, value=message)
        self._builder.append(_terminator(control.RAISE, text, loc=self._frame.loc, kind=kind))
        return False

    def _raise_from(self, cause: Value) -> bool:
        frame = self._frame
        text = frame.emit(data.CONST, value=_RAISED)
        error = frame.emit(exceptions.NEW_EXCEPTION, text, kind="RuntimeError")
        self._builder.effect(exceptions.SET_CAUSE, error, cause, loc=frame.loc)
        self._builder.append(_terminator(control.RERAISE, error, loc=frame.loc, traced=True))
        return False

    def _region(
        self, op: OpDef, operands: Sequence[Value], blocks: Sequence[Block], label: Label
    ) -> None:
        self._builder.region(op, operands, blocks, label, [], self._frame.loc)

    # ----------------------------------------------------------------------------------- blocks

    def _block(self, block: Block) -> None:
        """Write a block that may be entered in the midst of it."""
        last = max((i for i, instr in enumerate(block.body) if instr in self._spans), default=-1)
        before: list[Instr] = []
        for place, instr in enumerate(block.body):
            if instr not in self._spans:
                before.append(instr)
                continue
            self._frame.loc = instr.loc
            self._item(instr, before, is_last=place == last)
            before = []
        self._begin(self._ends[block])
        self._plain(before)

    def _begin(self, stretch: int) -> None:
        """Read what a stretch needs of what was kept."""
        frame = self._frame
        self._env = {}
        for value in self._needed[stretch]:
            if value in self._captured or self._home.get(value, 0) == stretch:
                continue
            if value.type is NONE:
                self._env[value] = frame.emit(data.CONST, value=None)
            elif self._is_constant(value):
                constant = self._defined[value]
                self._env[value] = frame.emit(data.CONST, **constant.attrs)
            else:
                self._env[value] = frame.load(value)

    def _plain(self, instrs: Sequence[Instr]) -> None:
        for instr in instrs:
            self._rewritten(instr)

    def _rewritten(self, instr: Instr) -> None:
        """Write an instruction without a `yield`, and keep what it gives."""
        builder = self._builder
        operands = tuple(self._env.get(v, v) for v in instr.operands)
        if instr.op is control.EXIT:
            self._exit(instr, operands)
            return
        blocks: list[Block] = []
        for block in instr.blocks:
            builder.open(*block.params)
            self._plain(block.body)
            blocks.append(builder.close())
        builder.append(replace(instr, operands=operands, blocks=tuple(blocks)))
        for result in instr.results:
            if self._frame.has(result):
                self._frame.loc = instr.loc
                self._frame.keep(result, result)

    def _exit(self, instr: Instr, operands: Sequence[Value]) -> None:
        """Write an exit: what it carries out of a region that is split goes into fields."""
        target, frame = instr.target, self._frame
        assert target is not None
        region = self._regions.get(target.label)
        if region is None:
            self._builder.append(replace(instr, operands=tuple(operands)))
            return
        frame.loc = instr.loc
        label, taking = target.label, region.results
        if target.next:
            loop = self._loops[target.label]
            label, taking = loop.label, loop.params
        for value, operand in zip(taking, operands, strict=True):
            if frame.has(value):
                frame.keep(value, operand)
        self._builder.exit(label, next=target.next, loc=instr.loc)

    # ------------------------------------------------------- instructions that hold a `yield`

    def _item(self, instr: Instr, before: Sequence[Instr], *, is_last: bool) -> None:
        if instr.op is YIELD:
            self._yield(instr, before, is_last=is_last)
            return
        _, last = self._spans[instr]
        given = self._fresh(instr, before)
        if is_last:
            self._split(instr, given)
            return
        # A later `yield` is to be reached: this is passed over.
        passed = self._frame.state_up_to(last)
        self._where(passed, lambda: self._split(instr, given))

    def _yield(self, instr: Instr, before: Sequence[Instr], *, is_last: bool) -> None:
        frame, (number, _) = self._frame, self._spans[instr]

        def leave() -> bool:
            self._begin(self._stretch[instr])
            self._plain(before)
            frame.loc = instr.loc
            (operand,) = instr.operands
            frame.set_state(number)
            item = frame.emit(data.TUPLE, self._env.get(operand, operand))
            self._builder.exit(self._label, frame.emit(data.SOME, item), loc=instr.loc)
            return False

        self._where(frame.state_is(RUNNING), leave)
        if is_last:
            self._go_on(instr)
            return
        self._where(frame.state_is(number), lambda: self._go_on(instr))

    def _fresh(self, instr: Instr, before: Sequence[Instr]) -> Sequence[Value]:
        """Write what stands before a region, for a run that comes to it; return its operands."""
        frame, builder = self._frame, self._builder
        label = Label("if")
        types: list[Type] = []
        if instr.op is control.IF:
            types = [v.type for v in instr.operands]
        elif instr.op is control.FOR:
            types = [INT] * 3
            self._bounds[instr] = Value(INT, "stop"), Value(INT, "step")
            (block,) = instr.blocks
            for kept in (*self._bounds[instr], block.params[0]):
                frame.field(kept)
            # Where the loop is left, its results are what the next iteration would have been given.
            for result, param in zip(instr.results, block.params[1:], strict=True):
                if frame.has(result):
                    frame.field(param)
        condition = frame.state_is(RUNNING)
        builder.open()
        self._begin(self._stretch[instr])
        self._plain(before)
        frame.loc = instr.loc
        operands = [self._env.get(v, v) for v in instr.operands]
        self._keep_parameters(instr, operands)
        builder.exit(label, *operands[: len(types)])
        run = builder.close()
        builder.open()
        builder.exit(label, *self._again(instr))
        again = builder.close()
        return builder.region(control.IF, [condition], [run, again], label, types, instr.loc)

    def _keep_parameters(self, instr: Instr, operands: Sequence[Value]) -> None:
        """Keep what a loop begins with."""
        if instr.op is control.FOR:
            for kept, value in zip(self._bounds[instr], operands[1:3], strict=True):
                self._frame.keep(kept, value)
            operands, (_, *params) = operands[3:], instr.blocks[0].params
        elif instr.op is control.WHILE:
            params = list(instr.blocks[0].params)
        else:
            return
        for param, value in zip(params, operands, strict=True):
            if self._frame.has(param):
                self._frame.keep(param, value)

    def _again(self, instr: Instr) -> Sequence[Value]:
        """Return the operands of a region that is entered to get to a `yield` in it."""
        if instr.op is control.IF:
            spans = [self._spans[i] for i in instr.blocks[0].body if i in self._spans]
            last = max((end for _, end in spans), default=self._spans[instr][0] - 1)
            return [self._frame.state_up_to(last)]
        if instr.op is control.FOR:
            index = instr.blocks[0].params[0]
            return [self._frame.load(v) for v in (index, *self._bounds[instr])]
        return []

    def _split(self, instr: Instr, given: Sequence[Value]) -> None:
        assert instr.label is not None
        match instr.op:
            case control.IF | control.BLOCK:
                blocks = [self._inner(block) for block in instr.blocks]
                self._region(instr.op, given, blocks, instr.label)
            case control.WHILE:
                self._loops[instr.label] = _Loop(instr.label, instr.blocks[0].params)
                self._region(instr.op, [], [self._inner(instr.blocks[0])], instr.label)
            case control.FOR:
                self._for(instr, instr.label, given)
            case control.TRY:
                self._try(instr, instr.label)
            case _:
                raise FieldError("a loop whose iterations may run at once")

    def _inner(self, block: Block, *params: Value) -> Block:
        self._builder.open(*params)
        self._block(block)
        return self._builder.close()

    def _for(self, instr: Instr, label: Label, given: Sequence[Value]) -> None:
        """Write a loop over a range, which starts again at the index it had."""
        frame, builder, (block,) = self._frame, self._builder, instr.blocks
        if instr.attrs:
            raise FieldError("a loop whose iterations may run at once")
        index, *params = block.params
        loop = Label("for")
        self._loops[label] = _Loop(loop, params)
        builder.open()
        number = Value(INT, index.name)
        builder.open(number)
        frame.keep(index, number)
        self._block(block)
        inner = builder.close()
        builder.region(control.FOR, given, [inner], loop, [], instr.loc)
        frame.loc = instr.loc
        for result, param in zip(instr.results, params, strict=True):
            if frame.has(result):
                frame.keep(result, frame.load(param))
        builder.exit(label)
        self._region(control.BLOCK, [], [builder.close()], label)

    def _try(self, instr: Instr, label: Label) -> None:
        """Write a `try`: to get to a `yield` in its handler, the exception is raised once more."""
        frame, builder, (body, handler) = self._frame, self._builder, instr.blocks
        (error,) = handler.params
        spans = [self._spans[i] for i in handler.body if i in self._spans]
        builder.open()
        if spans:
            frame.field(error)
            first = min(start for start, _ in spans)

            def raise_again() -> bool:
                kept = frame.load(error)
                again = _terminator(control.RERAISE, kept, loc=instr.loc, traced=False)
                builder.append(again)
                return False

            self._where(frame.state_from(first), raise_again)
        self._block(body)
        tried = builder.close()
        caught = Value(EXCEPTION, error.name)
        builder.open(caught)
        if frame.has(error):
            frame.keep(error, caught)
        self._block(handler)
        self._region(control.TRY, [], [tried, builder.close()], label)


def _terminator(op: OpDef, *operands: Value, loc: Loc = NOWHERE, **attrs: Attr) -> Instr:
    return Instr(op, operands, attrs, (), loc)
