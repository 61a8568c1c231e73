"""Dead code: drop instructions whose results nobody uses and that do nothing else.

    %1 = exp %x                      =>      exit @return %x
    exit @return %x

Needs: valid IR.
Gives: valid IR, same results, same effects.
Does not: drop loops that may never end, or anything that can raise, but for what guards a result.
Cases: tests/cases/passes/dce.
"""

from scriptc.analysis.effects import FunctionEffects, ModuleEffects
from scriptc.analysis.instr_kinds import effects_of, is_straight
from scriptc_runtime.ir import Block, Function, Instr, Module, Value
from scriptc_runtime.record import replace


def dce(module: Module) -> Module:
    """Return `module` without dead instructions."""
    effects = ModuleEffects(module)
    functions: dict[str, Function] = {}
    for name, function in module.functions.items():
        body = _live(function.body, set(), effects.function(name))
        functions[name] = function if body is function.body else replace(function, body=body)
    return module.with_functions(functions)


def _guards(instr: Instr) -> bool:
    """Whether an instruction raises for the sake of its result alone."""
    return is_straight(instr) and effects_of(instr).removable


def _live(block: Block, used: set[Value], effects: FunctionEffects) -> Block:
    """Return `block` without dead instructions; `used` gains the values that it needs."""
    kept: list[Instr] = []
    for instr in reversed(block.body):
        is_used = instr.target is not None or not used.isdisjoint(instr.results)
        if not is_used and (effects.footprint(instr).removable or _guards(instr)):
            continue
        used.update(instr.operands)
        if instr.blocks:
            blocks = tuple([_live(b, used, effects) for b in reversed(instr.blocks)])[::-1]
            if any(new is not old for new, old in zip(blocks, instr.blocks, strict=True)):
                instr = replace(instr, blocks=blocks)
        kept.append(instr)
    kept.reverse()
    same = len(kept) == len(block.body) and all(
        a is b for a, b in zip(kept, block.body, strict=True)
    )
    return block if same else Block(block.params, tuple(kept))
