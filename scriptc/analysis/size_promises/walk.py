"""Names of sizes as promises: where a program wants two sizes to be equal that have two names.

    def f(x: f64[N], y: f64[M]):
        return x[1:] + y              N - 1 meets M

A walk over core IR, in the order in which it runs, follows the sizes of arrays and the ints that
are made of them, into calls as well. Names of sizes stand for large numbers that have nothing to do
with one another, unless the path has learned more: `assert n == m`. What it cannot follow may be
anything, and is never reported: `x[mask]`, `x[:k]`.

A function of the library is trusted to test its arguments itself: the raise that it is certain to
reach is reported for the sizes that its tests compare.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress

from scriptc.analysis.size_promises.facts import (
    NO_FACTS,
    UNKNOWN_CONDITION,
    Condition,
    Facts,
    Learned,
    differ,
    either,
    joined,
    telling,
)
from scriptc.analysis.size_promises.forms import Form, atom, constant, number, opaque
from scriptc.analysis.size_promises.meetings import Use, results_of
from scriptc.analysis.size_promises.quotients import Quotients
from scriptc.analysis.size_promises.scalars import PARTS, of_scalars, part_of
from scriptc.analysis.size_promises.values import (
    Known,
    Shape,
    form_of,
    is_int,
    merged,
    names_bound,
    of_type,
)
from scriptc_runtime.ir import Block, Function, Instr, Label, Loc, Module, Role, Value, walk
from scriptc_runtime.ops import control, exceptions
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import BOOL, TensorType, TupleType, Type

_MOST_STEPS = 30_000  # a long program is looked at so far
_DEEPEST = 60  # blocks and calls inside of one another
_ROUNDS = 8  # of a loop whose sizes change
RETURNED = "an axis of the result has the size {} where its annotation says {}"
TESTED = "this call wants the sizes {} and {} to be equal"
_FEW = 8  # iterations that are followed one by one
_CAUGHT = ("ValueError", "IndexError", "TypeError", "LinAlgError", "Exception", "BaseException")


@record
class Frame:
    """A place in a function of the program, by its name there."""

    function: str
    loc: Loc


@record
class Meeting:
    """Two sizes that the names in annotations say are different, where they have to be equal.

    `what` says what is done with them, with braces for both. `frames` are the places: of the op in
    a function of the program, and of the calls that lead there. `index` says which it is of the
    ops `op` at that place.
    """

    first: Form
    second: Form
    what: str
    frames: tuple[Frame, ...]
    op: str
    index: int


def meetings(
    module: Module, name: str, promised: Collection[str], declared: Mapping[str, Type]
) -> Sequence[Meeting]:
    """Return where sizes meet in the function `name` that its annotations say are different.

    `promised` are the names of sizes in these; `declared` are the annotations of results, by the
    names of functions.
    """
    walker = _Walker(module, declared)
    with suppress(_TooLongError):
        walker.root(module.functions[name], promised)
    return walker.found


class _TooLongError(Exception):
    """The program is longer than is worth the while."""


@record
class _State:
    """What holds on a path.

    It is `likely` if no test on the way goes against the promises of names of sizes, and `small` if
    one took them for small numbers. In functions
    of the library, and in tests that calls make, `tests` is set: there `blame` are the sizes whose
    comparison has led here, `maybe` says how many branches around are undecided, and `lost` that
    some may have left before.
    """

    facts: Facts = NO_FACTS
    likely: bool = True
    small: bool = False
    tests: bool = False
    blame: tuple[Form, Form] | None = None
    maybe: int = 0
    lost: bool = False

    @property
    def is_certain(self) -> bool:
        """Whether a function of the library is sure to come here, if names keep their promise."""
        return self.likely and not self.maybe and not self.lost


@record
class _Leaving:
    """A way out of a region, with what is known of the values that it takes along."""

    state: _State
    values: tuple[Known, ...]


class _Walker:
    def __init__(self, module: Module, declared: Mapping[str, Type]) -> None:
        self._module = module
        self._declared = declared
        self._known: dict[Value, Known] = {}
        self._names: Mapping[str, Form] = {}
        self._exits: dict[tuple[Label, bool], list[_Leaving]] = {}
        self._calls: list[tuple[Function, Instr | None]] = []
        self._count = 0
        self._steps = 0
        self._depth = 0
        self._caught = 0  # regions around this one that handle exceptions
        self.found: list[Meeting] = []

    def root(self, function: Function, promised: Collection[str]) -> None:
        names = {name: atom(name) for name in promised}
        known = [
            number(p.name) if is_int(p.type) else of_type(p.type, names, self._fresh)
            for p in function.params
        ]
        facts = Facts(quotients=Quotients())
        self._function(function, known, _State(facts), None)

    def _fresh(self) -> Form:
        self._count += 1
        return opaque(self._count)

    # --------------------------------------------------------------------------------- functions

    def _function(
        self, function: Function, arguments: Sequence[Known], state: _State, call: Instr | None
    ) -> _Leaving | None:
        """Follow a function; return how it returns, None where it never does."""
        outer = self._names
        self._names = names_bound([p.type for p in function.params], arguments)
        self._known.update(zip(function.params, arguments, strict=True))
        self._calls.append((function, call))
        self._exits[function.label, False] = []
        self._block(function.body, state)
        self._calls.pop()
        self._names = outer
        return self._met(state, self._exits.pop((function.label, False)))

    def _call(self, instr: Instr, state: _State) -> _State | None:
        callee = self._module.functions[str(instr.attrs["callee"])]
        if self._depth > _DEEPEST or any(callee is f for f, _ in self._calls):
            return self._unknown(instr, state)
        arguments = [self._known.get(v) for v in instr.operands]
        enters = callee.role is Role.LIBRARY and not state.tests
        inside = _State(state.facts, tests=True) if enters else state
        self._depth += 1
        left = self._function(callee, arguments, inside, instr)
        self._depth -= 1
        if left is None:
            return None
        (result,) = left.values
        if result is None:
            result = of_type(instr.result.type, self._names, self._fresh)
        self._known[instr.result] = result
        return replace(state, facts=left.state.facts)

    # ----------------------------------------------------------------------------------- regions

    def _block(self, block: Block, state: _State | None) -> None:
        for instr in block.body:
            if state is None:
                return
            self._steps += 1
            if self._steps > _MOST_STEPS:
                raise _TooLongError
            state = self._instr(instr, state)

    def _instr(self, instr: Instr, state: _State) -> _State | None:
        """Follow an instruction; return what holds after it, None where nothing comes."""
        if instr.label is not None:
            return self._region(instr, instr.label, state)
        if instr.target is not None:
            key = instr.target.label, instr.target.next
            values = tuple(self._known.get(v) for v in instr.operands)
            if instr.target.label is self._calls[-1][0].label:
                declared = self._declared.get(self._calls[-1][0].name)
                self._returned(instr, values[0], declared, state)
            self._exits.setdefault(key, []).append(_Leaving(state, values))
            return None
        if instr.op is control.RAISE:
            if state.tests and state.blame is not None:
                self._meet(instr, state, *state.blame, TESTED)
            return None
        if instr.op is control.RERAISE:
            return None
        if instr.op is control.CALL:
            return self._call(instr, state)
        return self._computed(instr, state)

    def _region(self, instr: Instr, label: Label, state: _State) -> _State | None:
        if self._depth > _DEEPEST:
            raise _TooLongError
        self._depth += 1
        self._exits[label, False] = []
        left = self._likely_exits(label)
        if instr.op is control.IF:
            self._if(instr, state)
        elif instr.op is control.FOR and (numbers := self._numbers(instr)) is not None:
            self._unrolled(instr, label, state, numbers)
        elif instr.op in (control.FOR, control.WHILE):
            self._loop(instr, label, state)
        elif instr.op is control.TRY:
            self._try(instr, state)
        else:
            self._block(instr.blocks[0], state)
        lost = state.lost or self._likely_exits(label) > left
        ways = self._exits.pop((label, False))
        self._depth -= 1
        met = self._met(state, ways)
        if met is None:
            return None
        self._known.update(zip(instr.results, met.values, strict=True))
        if instr.op is control.IF and len(instr.results) == 1 and instr.result.type is BOOL:
            self._known[instr.result] = self._chosen(instr, state, ways)
        return replace(met.state, lost=lost or met.state.lost)

    def _likely_exits(self, label: Label) -> int:
        """Return how many likely ways lead past the region of a label."""
        other = (ways for (goal, _), ways in self._exits.items() if goal is not label)
        return sum(way.state.likely for ways in other for way in ways)

    def _met(self, before: _State, ways: Sequence[_Leaving]) -> _Leaving | None:
        """Return what is known where several ways meet, None where there is none."""
        if not ways:
            return None
        # The library is right for sizes of any kind: what it does with those that are promised
        # is what counts. Nor do small sizes say what large ones are.
        counted = [
            way
            for way in ways
            if before.small or not way.state.small
            if before.likely <= way.state.likely or not before.tests
        ] or ways
        values = counted[0].values
        for way in counted[1:]:
            both = counted[0].state.facts, way.state.facts
            pairs = zip(values, way.values, strict=True)
            values = tuple(merged(a, b, both, self._fresh) for a, b in pairs)
        facts = joined(before.facts, [way.state.facts for way in ways])
        lost = any(way.state.lost for way in ways if way.state.likely)
        return _Leaving(replace(before, facts=facts, lost=lost), values)

    def _condition(self, value: Value) -> Condition:
        known = self._known.get(value)
        return known if isinstance(known, Condition) else UNKNOWN_CONDITION

    def _if(self, instr: Instr, state: _State) -> None:
        condition = self._condition(instr.operands[0])
        arms = (condition, condition.negated)
        raises = [_always_raises(block) for block in instr.blocks]
        for taken, block, survives in zip(arms, instr.blocks, reversed(raises), strict=True):
            if taken.is_exact and not taken.verdict:
                continue
            inside = replace(state, facts=state.facts.with_learned(taken.true))
            if taken.verdict is False:
                inside = replace(inside, likely=False, small=state.small or not taken.true.zeros)
            elif taken.verdict is None and not survives:
                inside = replace(inside, maybe=state.maybe + 1)
            if taken.verdict and state.tests:
                inside = replace(inside, blame=telling([state.blame, taken.blame]))
            elif taken.verdict and _is_check(instr, block):
                inside = _State(inside.facts, tests=True, blame=taken.blame)
            self._block(block, inside)

    def _chosen(self, instr: Instr, before: _State, ways: Sequence[_Leaving]) -> Condition:
        """Return what a bool says that is chosen by a condition, as in `a and b`."""
        true: list[Learned] = []
        false: list[Learned] = []
        likely: list[Condition] = []
        for way in ways:
            (value,) = way.values
            chosen = value if isinstance(value, Condition) else UNKNOWN_CONDITION
            path = way.state.facts.beyond(before.facts)
            if not (chosen.is_exact and not chosen.verdict):
                true.append(path.plus(chosen.true))
            if not (chosen.is_exact and chosen.verdict):
                false.append(path.plus(chosen.false))
            if way.state.likely or not before.likely:
                likely.append(chosen)
        verdicts = {chosen.verdict for chosen in likely}
        verdict = verdicts.pop() if len(verdicts) == 1 else None
        blames = [c.blame for c in (*likely, self._condition(instr.operands[0]))]
        blame = None if verdict is None else telling(blames)
        return Condition(either(true), either(false), verdict, blame)

    def _try(self, instr: Instr, state: _State) -> None:
        body, handler = instr.blocks
        catches = _catches(handler)
        self._caught += catches
        self._block(body, state)
        self._caught -= catches
        self._block(handler, state)

    def _numbers(self, loop: Instr) -> range | None:
        """Return the numbers that a loop counts through, if these are known and few."""
        ends = [self._known.get(v) for v in loop.operands[:3]]
        start, stop, step = (
            end.constant if isinstance(end, Form) and end.is_constant else None for end in ends
        )
        if start is None or stop is None or not step:
            return None
        numbers = range(start, stop, step)
        return numbers if len(numbers) <= _FEW else None

    def _unrolled(self, loop: Instr, label: Label, state: _State, numbers: range) -> None:
        """Follow a loop iteration by iteration."""
        (block,) = loop.blocks
        carried = tuple(self._known.get(v) for v in loop.operands[3:])
        for index in numbers:
            self._known.update(zip(block.params, (constant(index), *carried), strict=True))
            self._exits[label, True] = []
            self._block(block, state)
            again = self._met(state, self._exits.pop((label, True)))
            if again is None:
                return
            state, carried = again.state, again.values
        self._exits[label, False].append(_Leaving(state, carried))

    def _loop(self, loop: Instr, label: Label, state: _State) -> None:
        counted = loop.op is control.FOR
        params = loop.blocks[0].params[1:] if counted else loop.blocks[0].params
        carried = [self._known.get(v) for v in loop.operands[3 if counted else 0 :]]
        wide: set[Form] = set()

        def widened() -> Form:
            wide.add(self._fresh())
            return opaque(self._count)

        for _ in range(_ROUNDS):
            before = {key: len(ways) for key, ways in self._exits.items()}
            self._exits[label, True] = []
            self._known.update(zip(params, carried, strict=True))
            if counted:
                self._known[loop.blocks[0].params[0]] = self._fresh()
            self._block(loop.blocks[0], replace(state, maybe=state.maybe + 1))
            again = carried
            for way in self._exits.pop((label, True)):
                facts = state.facts, way.state.facts
                pairs = zip(again, way.values, strict=True)
                again = [merged(a, b, facts, widened, wide) for a, b in pairs]
            if again == carried:
                break
            # The body was followed with what holds in the first iteration alone. What was found
            # is true of that.
            carried = again
            for key, count in before.items():
                del self._exits[key][count:]
        else:
            raise _TooLongError
        if counted:
            self._exits[label, False].append(_Leaving(state, tuple(carried)))

    # -------------------------------------------------------------------------------- computations

    def _computed(self, instr: Instr, state: _State) -> _State:
        operands = [self._known.get(v) for v in instr.operands]
        if any(isinstance(r.type, TensorType) for r in instr.results) or any(
            isinstance(known, Shape) for known in operands
        ):
            return self._on_arrays(instr, operands, state)
        if len(instr.results) != 1:
            return state
        known = of_scalars(instr, operands, state.facts)
        if known is None:
            return self._unknown(instr, state)
        self._known[instr.result] = known
        return state

    def _unknown(self, instr: Instr, state: _State) -> _State:
        for result in instr.results:
            self._known[result] = of_type(result.type, self._names, self._fresh)
        return state

    def _on_arrays(self, instr: Instr, operands: Sequence[Known], state: _State) -> _State:
        if instr.op in PARTS:
            self._known[instr.result] = part_of(instr, operands)
            return state
        learned: list[Form] = []

        def meet(first: Form, second: Form, what: str) -> bool:
            first, second = state.facts.reduced(first), state.facts.reduced(second)
            if not differ(first, second, state.facts):
                return False
            self._meet(instr, state, first, second, what)
            if first.is_name and second.is_name:
                learned.append(first.minus(second))
            return True

        use = Use(instr, operands, state.facts, meet, self._fresh)
        for result, known in zip(instr.results, results_of(use), strict=True):
            if known is None:
                known = of_type(result.type, self._names, self._fresh)
            self._known[result] = known
        # What has been reported once is taken for true: no mistake is found twice.
        return replace(state, facts=state.facts.with_learned(Learned(tuple(learned))))

    def _returned(self, instr: Instr, value: Known, declared: Type | None, state: _State) -> None:
        """Compare the sizes of a result with those of its annotation."""
        if isinstance(declared, TupleType) and isinstance(value, tuple):
            for item, type_ in zip(value, declared.items, strict=True):
                self._returned(instr, item, type_, state)
            return
        if not (isinstance(declared, TensorType) and isinstance(value, Shape)):
            return
        for dim, size in zip(declared.dims, value.sizes, strict=True):
            wanted = form_of(dim, self._names)
            if wanted is None or not state.likely:
                continue
            wanted, found = state.facts.reduced(wanted), state.facts.reduced(size)
            if differ(found, wanted, state.facts):
                self._meet(instr, state, found, wanted, RETURNED)

    # ------------------------------------------------------------------------------------ reports

    def _meet(self, instr: Instr, state: _State, first: Form, second: Form, what: str) -> None:
        """Note that two sizes meet, unless that is caught, or the library may not come here."""
        if self._caught or (state.tests and not state.is_certain):
            return
        frames: list[Frame] = []
        at = instr
        op, index = "", 0
        for function, call in reversed(self._calls):
            if function.role is not Role.LIBRARY:
                if not frames:
                    op, index = _told_apart(at, function)
                frames.append(Frame(function.name, at.loc))
            at = at if call is None else call
        meeting = Meeting(first, second, what, tuple(frames), op, index)
        if not any(_same_cause(meeting, other) for other in self.found):
            self.found.append(meeting)


def _told_apart(instr: Instr, function: Function) -> tuple[str, int]:
    """Return the name of an op, or of the function it calls, and which it is of these there.

    `a + b + c` are two ops that begin at one place.
    """
    name = _name_of(instr)
    same = (i for i in walk(function.body) if i.loc == instr.loc and _name_of(i) == name)
    # Sizes are computed there, too.
    on_arrays = (i for i in same if i is instr or any(map(_is_array, i.operands)))
    return name, next(n for n, i in enumerate(on_arrays) if i is instr)


def _is_array(value: Value) -> bool:
    return isinstance(value.type, TensorType)


def _name_of(instr: Instr) -> str:
    if instr.op is control.CALL:
        return str(instr.attrs["callee"]).rpartition(".")[2]
    return instr.op.name


def _same_cause(first: Meeting, second: Meeting) -> bool:
    """Whether it is the same op that is reported, or the same difference of names of sizes."""
    if first.frames[0] == second.frames[0]:
        return True
    here, there = (m.first.minus(m.second) for m in (first, second))
    return not here.is_constant and (here == there or not here.plus(there).terms)


def _is_check(branch: Instr, block: Block) -> bool:
    """Whether a call tests its arguments here: no `raise` of the program stands elsewhere."""
    last = block.body[-1]
    return (
        last.op is control.RAISE
        and last.loc == branch.loc
        and last.attrs["kind"] != "AssertionError"
    )


def _always_raises(block: Block) -> bool:
    return block.body[-1].op in (control.RAISE, control.RERAISE)


def _catches(handler: Block) -> bool:
    """Whether a handler may be meant for what sizes that do not fit raise."""
    inside = list(walk(handler))
    kinds = [i.attrs["kind"] for i in inside if i.op is exceptions.IS_EXCEPTION]
    if kinds:
        return any(kind in _CAUGHT for kind in kinds)
    return all(i.op is not control.RERAISE for i in inside)
