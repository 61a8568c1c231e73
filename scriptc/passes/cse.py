"""Common subexpressions: compute the same thing once.

    %1 = mul %x, %x                    =>      %1 = mul %x, %x
    %2 = mul %x, %x                            (uses of %2 become %1)

What only reads memory is merged inside one block, until something is written that may share
memory with what it read: two calls of a function that looks for the largest element are one.

Needs: valid IR.
Gives: valid IR, same results; an instruction that raises stays where it raises first.
Does not: merge what allocates, or reads across blocks.
Cases: tests/cases/passes/cse.
"""

from collections.abc import Hashable

from scriptc.analysis.effects import Footprint, FunctionEffects, ModuleEffects
from scriptc.passes.rebuild import Renaming, map_blocks
from scriptc_runtime.bits import bits_of
from scriptc_runtime.ir import Block, Function, Instr, Module, Value
from scriptc_runtime.ops import low
from scriptc_runtime.ops.opdef import OpDef, Trait
from scriptc_runtime.record import replace
from scriptc_runtime.types import is_counted

Key = tuple[OpDef, tuple[Value, ...], tuple[tuple[str, Hashable], ...]]


def cse(module: Module) -> Module:
    """Return `module` with equal pure instructions merged."""
    effects = ModuleEffects(module)
    functions: dict[str, Function] = {}
    for name, function in module.functions.items():
        body = _block(function.body, {}, Renaming(), effects.function(name))
        functions[name] = function if body is function.body else replace(function, body=body)
    return module.with_functions(functions)


def _block(
    block: Block, known: dict[Key, Value], names: Renaming, effects: FunctionEffects
) -> Block:
    own: list[Key] = []  # what a block computes is known in the blocks inside it, not after it
    read = _Read(effects)
    body: list[Instr] = []
    for old in block.body:
        instr = map_blocks(names.instr(old), lambda b: _block(b, known, names, effects))
        if _mergeable(instr, effects):
            key = key_of(instr)
            if key in known:
                names[instr.result] = known[key]
                continue
            known[key] = instr.result
            own.append(key)
        elif _is_reading(instr, effects):
            known_result = read.result(instr)
            if known_result is not None:
                names[instr.result] = known_result
                continue
        else:
            read.forget(effects.footprint(old))
        body.append(instr)
    for key in own:
        del known[key]
    new = tuple(body)
    return block if new == block.body else Block(block.params, new)


def _mergeable(instr: Instr, effects: FunctionEffects) -> bool:
    if len(instr.results) != 1 or Trait.REGION in instr.op.traits or instr.target:
        return False
    if instr.op is low.SIZE:
        return True  # an array never changes its shape
    own = effects.own(instr)
    return not (own.writes or own.reads or own.allocates or own.io)


def _is_reading(instr: Instr, effects: FunctionEffects) -> bool:
    """Whether an instruction gives a value that follows from its operands and memory it reads."""
    if len(instr.results) != 1 or instr.blocks or instr.target:
        return False
    if is_counted(instr.result.type) or effects.may_not_end(instr):
        return False
    own = effects.own(instr)
    return bool(own.reads) and not (own.writes or own.io)


class _Read:
    """What has been read in a block, by the memory that it was read from."""

    def __init__(self, effects: FunctionEffects) -> None:
        self._effects = effects
        self._results: dict[Key, Value] = {}
        self._keys: dict[Value, list[Key]] = {}

    def result(self, instr: Instr) -> Value | None:
        """Return what the same instruction gave before; None, and what it gives now is known."""
        key = key_of(instr)
        if key not in self._results:
            self._results[key] = instr.result
            for index in self._effects.own(instr).reads:
                memory = self._effects.memory(instr.operands[index])
                self._keys.setdefault(memory, []).append(key)
            return None
        return self._results[key]

    def forget(self, footprint: Footprint) -> None:
        """Drop what was read from memory that may be written now."""
        if self._results:
            for written in footprint.writes:
                for memory in self._effects.overlapping(written):
                    for key in self._keys.pop(memory, ()):
                        self._results.pop(key, None)


def key_of(instr: Instr) -> Key:
    """Return what two instructions have in common if they compute the same."""
    return instr.op, instr.operands, tuple((k, bits_of(v)) for k, v in sorted(instr.attrs.items()))
