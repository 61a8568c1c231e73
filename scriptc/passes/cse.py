"""Common subexpressions: compute the same thing once.

    %1 = mul %x, %x                    =>      %1 = mul %x, %x
    %2 = mul %x, %x                            (uses of %2 become %1)

Needs: valid IR.
Gives: valid IR, same results; an instruction that raises stays where it raises first.
Does not: merge what reads memory or allocates.
"""

from collections.abc import Hashable

from scriptc.passes.effects import FunctionEffects, ModuleEffects
from scriptc.passes.rebuild import Renaming
from scriptc_runtime.ir import Block, Function, Instr, Module, Value
from scriptc_runtime.ops import low
from scriptc_runtime.ops.opdef import Attr, OpDef, Trait
from scriptc_runtime.record import replace
from scriptc_runtime.text_write import attr_text

Key = tuple[OpDef, tuple[Value, ...], tuple[tuple[Hashable, ...], ...]]


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
    known = dict(known)  # what a block computes is known in the blocks inside it, not after it
    body: list[Instr] = []
    for old in block.body:
        instr = names.instr(old)
        blocks = tuple(_block(b, known, names, effects) for b in instr.blocks)
        if any(new is not b for new, b in zip(blocks, instr.blocks, strict=True)):
            instr = replace(instr, blocks=blocks)
        if _mergeable(instr, effects):
            key = _key(instr)
            if key in known:
                names[instr.result] = known[key]
                continue
            known[key] = instr.result
        body.append(instr)
    new = tuple(body)
    return block if new == block.body else Block(block.params, new)


def _mergeable(instr: Instr, effects: FunctionEffects) -> bool:
    if len(instr.results) != 1 or Trait.REGION in instr.op.traits or instr.target:
        return False
    if instr.op is low.SIZE:
        return True  # an array never changes its shape
    own = effects.own(instr)
    return not (own.writes or own.reads or own.allocates or own.io)


def _key(instr: Instr) -> Key:
    return instr.op, instr.operands, tuple((k, *_attr(v)) for k, v in sorted(instr.attrs.items()))


def _attr(value: Attr) -> tuple[type, Hashable]:
    # The class tells 1 from True, text tells 0.0 from -0.0.
    return type(value), attr_text(value) if isinstance(value, float | tuple) else value
