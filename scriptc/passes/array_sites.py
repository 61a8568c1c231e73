"""What rules on whole arrays ask: who uses an array, who holds its memory, where it is made.

Facts are found of a function once, before any rewrite.  A value that a rewrite makes stands for the
old one whose place it takes, and numbers of uses are kept up to date.
"""

from collections import Counter
from collections.abc import Callable, Sequence

from scriptc.analysis.array_values import ArrayValues
from scriptc.analysis.effects import FunctionEffects
from scriptc.analysis.instr_kinds import effects_of, raises_on_elements
from scriptc_runtime.ir import Block, Builder, Function, Instr, Value
from scriptc_runtime.ops.opdef import Attrs, OpDef
from scriptc_runtime.record import record
from scriptc_runtime.types import TensorType


class ArrayFacts:
    """What is known of the arrays of one function while it is rewritten."""

    def __init__(self, function: Function, effects: FunctionEffects) -> None:
        self.values = ArrayValues(function, effects)
        self.uses: Counter[Value] = Counter()
        self.users: dict[Value, list[Instr]] = {}
        self.gone: set[Instr] = set()  # what may be dropped where nothing uses it any more
        self.answers: dict[Instr, bool] = {}  # to what a rule asks of an array once
        self.made: dict[Value, Instr] = {}  # by which instruction, as it is by now
        self._blocks: dict[Value, Block] = {}
        self._memories: dict[Value, _Memory] = {}
        self._still: dict[Instr, bool] = {}
        self._raises: dict[Instr, bool] = {}
        self._note(function.body)
        self._known = {*function.params, *self.made}

    def _note(self, block: Block) -> None:
        for instr in block.body:
            self.uses.update(instr.operands)
            for value in instr.operands:
                self.users.setdefault(value, []).append(instr)
            for result in instr.results:
                self.made[result] = instr
                self._blocks[result] = block
            for inner in instr.blocks:
                self._note(inner)

    def definition(self, value: Value) -> Instr | None:
        """Return the instruction that gives a value alone, as it is by now.

        None for a parameter, and for one of several results, of a branch or of a loop.
        """
        made = self.made.get(value)
        return made if made is not None and len(made.results) == 1 else None

    def is_seen(self, array: Value) -> bool:
        """Whether the memory of an array can be met outside of the function, or in a container."""
        return self._memory(array).is_seen

    def is_written(self, array: Value) -> bool:
        """Whether the function may write to the memory of an array."""
        return self._memory(array).is_written

    def is_still(self, instr: Instr) -> bool:
        """Whether none of the arrays that an instruction reads or gives is ever written."""
        if instr not in self._still:
            values = (*instr.operands, *instr.results)
            tensors = [v for v in values if isinstance(v.type, TensorType)]
            self._still[instr] = not any(map(self.is_written, tensors))
        return self._still[instr]

    def may_raise(self, instr: Instr) -> bool:
        """Whether an op raises for some operands of these types, or for some of their elements."""
        if instr not in self._raises:
            self._raises[instr] = effects_of(instr).raises or raises_on_elements(instr)
        return self._raises[instr]

    def are_near(self, first: Value, second: Value) -> bool:
        """Whether two values are computed in one block, so equally often."""
        return self._blocks.get(first) is self._blocks.get(second)

    def block_of(self, value: Value) -> Block:
        """Return the block, as it was at first, that a value is computed in."""
        return self._blocks[value]

    def update(self, instr: Instr) -> None:
        """Take note of the operands that an instruction has by now."""
        for result in instr.results:
            self.made[result] = instr

    def place(self, instr: Instr, at: Instr) -> None:
        """Take note of a new instruction that stands where another one stood."""
        self.made[instr.result] = instr
        self._blocks[instr.result] = self._blocks[at.result]
        # A view of an array shares its memory; what is computed has memory of its own.
        if instr.operands and effects_of(instr).aliases:
            self._memories[instr.result] = self._memory(instr.operands[0])

    def add(self, instr: Instr) -> None:
        """Take note that a new instruction is there."""
        self.uses.update(instr.operands)
        for value in instr.operands:
            self.users.setdefault(value, []).append(instr)

    def replace(self, instr: Instr, value: Value) -> None:
        """Take note that a value takes the place of the result of an instruction."""
        self.uses[value] += self.uses.pop(instr.result, 0)
        self.uses.subtract(instr.operands)
        self.users.setdefault(value, []).extend(self.users.get(instr.result, ()))
        old, new = self._memory(instr.result), self._memory(value)
        if value not in self._known or new == old:
            self._memories[value] = old
            return
        is_written = old.is_written or new.is_written
        self._memories[value] = _Memory(is_written, old.is_seen or new.is_seen)
        if is_written and not new.is_written:
            self._still.clear()

    def _memory(self, array: Value) -> "_Memory":
        """Return what is known of the memory of an array, and of those whose place it takes."""
        found = self._memories.get(array)
        if found is None:
            found = _Memory(self.values.is_written(array), self.values.is_seen(array))
            self._memories[array] = found
        return found


@record
class _Memory:
    is_written: bool
    is_seen: bool


# Returns the result of an instruction that is new, or of what the rules make of that.
Emit = Callable[[OpDef, Sequence[Value], Attrs], Value]


@record(eq=False)
class Site:
    """An instruction, and the one that its first operand comes from; None for a parameter."""

    outer: Instr
    source: Instr | None
    facts: ArrayFacts
    emit: Emit
    builder: Builder  # where `emit` puts things; for regions

    @property
    def inner(self) -> Instr:
        """The instruction that the first operand comes from."""
        assert self.source is not None
        return self.source
