"""Hoist: move what every iteration of a loop computes alike to before the loop.

    loop %n {(%j)                            =>      %1 = load %m, %i
      %1 = load %m, %i                               loop %n {(%j)
      %2 = load %x, %i, %j                             %2 = load %x, %i, %j
      %3 = sub %2, %1                                  %3 = sub %2, %1
      store %y, %3, %i, %j                             store %y, %3, %i, %j

LLVM moves arithmetic by itself; a load it must leave where a store could touch it, and only here
is it known that a new array shares no memory with anything.

Needs: valid IR.
Gives: valid IR, same results.
Does not: move what may raise, allocates or writes, or what only some iterations compute.
Cases: tests/cases/passes/hoist.
"""

from collections.abc import Set as AbstractSet

from scriptc.analysis.effects import FunctionEffects, ModuleEffects
from scriptc.passes.rebuild import map_blocks
from scriptc_runtime.ir import Block, Function, Instr, Module, Value
from scriptc_runtime.ops import control, low
from scriptc_runtime.record import replace

_NESTS = (low.LOOP, low.REDUCE)
_LOOPS = (control.FOR, control.WHILE, *_NESTS)


def hoist(module: Module) -> Module:
    """Return `module` with invariant instructions before their loops."""
    effects = ModuleEffects(module)
    functions: dict[str, Function] = {}
    for name, function in module.functions.items():
        body = _block(function.body, effects.function(name))
        functions[name] = function if body is function.body else replace(function, body=body)
    return module.with_functions(functions)


def _block(block: Block, effects: FunctionEffects) -> Block:
    body: list[Instr] = []
    for old in block.body:
        if not old.blocks:
            body.append(old)
            continue
        instr = map_blocks(old, lambda b: _block(b, effects))
        if instr.op in _LOOPS:
            moved, instr = _split(instr, effects)
            body += moved
        body.append(instr)
    return block if tuple(body) == block.body else Block(block.params, tuple(body))


def _split(loop: Instr, effects: FunctionEffects) -> tuple[list[Instr], Instr]:
    """Return what may stand before `loop`, and the loop without it."""
    (block,) = loop.blocks
    writes = effects.footprint(loop).writes
    inside = set(block.params)
    moved: list[Instr] = []
    kept: list[Instr] = []
    for instr in block.body[:-1]:
        if inside.isdisjoint(instr.operands) and _is_movable(instr, loop, writes, effects):
            moved.append(instr)
        else:
            kept.append(instr)
            inside.update(instr.results)
    kept.append(block.body[-1])
    if not moved:
        return moved, loop
    return moved, replace(loop, blocks=(Block(block.params, tuple(kept)),))


def _is_movable(
    instr: Instr, loop: Instr, writes: AbstractSet[Value], effects: FunctionEffects
) -> bool:
    if instr.label:
        return False
    if instr.op is low.SIZE:
        return True  # an array never changes its shape
    # What is not checked must stay behind the check that its iteration makes. The nests of `fuse`
    # have none: they meet only what is there even if their inner loops have no iteration.
    if instr.op is low.LOAD:
        array = instr.operands[0]
        return loop.op in _NESTS and not any(effects.may_alias(array, w) for w in writes)
    if instr.op is low.SUBVIEW:
        return loop.op in _NESTS
    return effects.footprint(instr).pure
