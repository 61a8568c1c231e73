"""Loops that look for an extreme by its place: they carry the element there, too.

    for i in range(n):               =>    m = x[k]                       (if there is an iteration)
        if x[i] > x[k]:                    for i in range(n):
            k = i                              if x[i] > m:
                                                   m = x[i]
                                                   k = i

What is read at a place that the loop carries, no thread knows of the iterations of others.  Once it
is carried itself, it is an extreme, and the place goes along with it.
"""

from collections.abc import Mapping, Sequence

from scriptc.analysis.instr_kinds import computes_only
from scriptc.kernels.builder import Code
from scriptc.passes.rebuild import Renaming
from scriptc_runtime.ir import Block, Instr, Value, walk
from scriptc_runtime.ops import control, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import DType


@record(eq=False)
class Found:
    """A loop whose last carried value is the element at a place, and how that is read first."""

    loop: Instr  # without what the last value starts as
    place: int
    reading: Sequence[Instr]  # the last one loads it
    carried: Value

    def started(self, code: Code) -> Instr:
        """Emit what reads the element before the loop, and return the loop."""
        names = Renaming()
        names[self.carried] = self.loop.operands[3 + self.place]
        element = code.again(self.reading, names)[-1].result
        return replace(self.loop, operands=(*self.loop.operands, element))


def found_place(loop: Instr, definitions: Mapping[Value, Instr]) -> Found | None:
    """Return a loop that carries the element at a place, too; None where there is no place."""
    if loop.attrs or not loop.results:
        return None
    for place in range(len(loop.results)):
        found = _Place(loop, definitions, place).found()
        if found is not None:
            return found
    return None


class _Place:
    """A carried value of a loop that may be a place."""

    def __init__(self, loop: Instr, definitions: Mapping[Value, Instr], place: int) -> None:
        self._loop = loop
        self._definitions = definitions
        self._place = place
        self._number, *params = loop.blocks[0].params
        self._carried = params[place]

    def found(self) -> Found | None:
        reading = self._reading()
        if reading is None:
            return None
        element = reading[-1].result
        *body, end = self._loop.blocks[0].body
        choice = self._definitions.get(end.operands[self._place])
        if choice is None or choice not in body:
            return None
        value = self._compared(choice, reading[-1])
        users = [i for i in walk(self._loop.blocks[0]) if element in i.operands]
        if value is None or len(users) != 1:
            return None
        kept, after = Value(element.type), Value(element.type)
        names = Renaming()
        names[element] = kept
        rest = [i for i in body if i not in reading]
        again: list[Instr] = []
        for instr in rest:
            new = names.instr(instr)
            again += _with(new, value, kept, after) if instr is choice else [new]
        block = Block(
            (*self._loop.blocks[0].params, kept),
            (*again, replace(end, operands=(*end.operands, after))),
        )
        results = (*self._loop.results, Value(element.type))
        changed = replace(self._loop, results=results, blocks=(block,))
        return Found(changed, self._place, reading, self._carried)

    def _reading(self) -> Sequence[Instr] | None:
        """Return what an iteration does with the place, if that is to read an element there."""
        inside = {r for i in walk(self._loop.blocks[0]) for r in i.results}
        inside.update(self._loop.blocks[0].params)
        derived, found = {self._carried}, list[Instr]()
        for instr in self._loop.blocks[0].body[:-1]:
            if derived.isdisjoint(instr.operands):
                continue
            own = {v for v in instr.operands if v in inside} <= derived
            if own and (computes_only(instr) or _is_check(instr, derived, inside)):
                found.append(instr)
                derived.update(instr.results)
            elif own and instr.op is low.LOAD and isinstance(instr.result.type, DType):
                return [*found, instr] if self._is_all(found, instr, derived) else None
            else:
                return None
        return None

    def _is_all(self, found: Sequence[Instr], load: Instr, derived: set[Value]) -> bool:
        """Whether nothing but what is found, and the choice of the next place, uses the place."""
        mine = {j for i in (*found, load) for j in (i, *(k for b in i.blocks for k in walk(b)))}
        others = [i for i in walk(self._loop.blocks[0]) if i not in mine]
        users = [i for i in others if not derived.isdisjoint(i.operands)]
        return all(i.op is low.SELECT or i.target is not None for i in users)

    def _compared(self, choice: Instr, load: Instr) -> Value | None:
        """Return the element that the next place is chosen for, if that is its own."""
        arms = _arms(choice)
        if arms is None or arms[1:] != (self._number, self._carried):
            return None
        test = self._definitions.get(arms[0])
        if test is not None and test.op is e.CAST:
            test = self._definitions.get(test.operands[0])
        if test is None or test.op not in (e.GT, e.LT) or load.result not in test.operands:
            return None
        (value,) = [v for v in test.operands if v is not load.result] or [load.result]
        made = self._definitions.get(value)
        if made is None or made.op is not low.LOAD or made.operands[0] is not load.operands[0]:
            return None
        index = self._definitions.get(made.operands[-1])
        is_own = index is not None and index.op is e.CAST and index.operands[0] is self._number
        return value if is_own and len(made.operands) == 2 else None


def _arms(choice: Instr) -> tuple[Value, Value, Value] | None:
    """Return the condition of a choice, and both values."""
    if choice.op is low.SELECT:
        condition, then, other = choice.operands
        return condition, then, other
    if choice.op is not control.IF or len(choice.results) != 1:
        return None
    if any(len(b.body) != 1 or b.body[0].target is None for b in choice.blocks):
        return None
    if any(b.body[0].target.label is not choice.label for b in choice.blocks if b.body[0].target):
        return None
    then, other = (b.body[0].operands[0] for b in choice.blocks)
    return choice.operands[0], then, other


def _with(choice: Instr, value: Value, kept: Value, after: Value) -> Sequence[Instr]:
    """Return a choice between two places, and that between their elements."""
    if choice.op is low.SELECT:
        operands = (choice.operands[0], value, kept)
        return choice, replace(choice, operands=operands, results=(after,))
    ends = [
        replace(b.body[0], operands=(*b.body[0].operands, element))
        for b, element in zip(choice.blocks, (value, kept), strict=True)
    ]
    blocks = tuple(Block(b.params, (end,)) for b, end in zip(choice.blocks, ends, strict=True))
    return [replace(choice, results=(*choice.results, after), blocks=blocks)]


def _is_check(instr: Instr, derived: set[Value], inside: set[Value]) -> bool:
    """Whether an instruction goes on, or raises with what rests on the place alone."""
    if instr.op is not control.IF or instr.results:
        return False
    within = [i for b in instr.blocks for i in b.body]
    used = {v for i in within for v in i.operands if v in inside}
    return used <= derived and all(
        i.op is low.FAIL or (i.target is not None and i.target.label is instr.label) for i in within
    )
