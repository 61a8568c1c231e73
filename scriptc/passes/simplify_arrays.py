"""Simplify arrays: rewrite work on whole arrays with the rules for them until none applies.

    %1 = exp %x                        =>      %1 = view %x, 2, 5, None
    %2 = view %1, 2, 5, None                   %2 = exp %1

    %3 = sort %x                       =>      %3 = sort %x
    %4 = copy %3                               (uses of %4 become %3)

Needs: core IR.
Gives: the same results; exceptions are raised in their order.
Does not: look at what an array is used for behind a region that gives it.
Cases: tests/cases/passes/simplify_arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.effects import ModuleEffects
from scriptc.analysis.remarks import Kind, Message, Topic, about, remark
from scriptc.passes import array_forms, array_sites, rules_arrays
from scriptc.passes.cse import cse_in
from scriptc.passes.rebuild import map_blocks, rebuild
from scriptc_runtime.ir import Block, Builder, Function, Instr, Module, Value, make, walk
from scriptc_runtime.ops import arrays
from scriptc_runtime.ops.opdef import Attrs, OpDef
from scriptc_runtime.record import replace
from scriptc_runtime.types import TensorType, Type, assignable


@cache
def _by_op() -> Mapping[OpDef, Sequence[rules_arrays.ArrayRule]]:
    found: dict[OpDef, list[rules_arrays.ArrayRule]] = {}
    for rule in rules_arrays.RULES:
        for op in rule.outer:
            found.setdefault(op, []).append(rule)
    return found


PICKED = Message(
    "simplify_arrays", Topic.FUSION, Kind.DONE, "computed for the elements that are picked alone"
)
NOT_COPIED = Message(
    "simplify_arrays", Topic.MEMORY, Kind.DONE, "not copied: nothing else uses the array"
)
_SAYS = {
    "part-of-elementwise": PICKED,
    "copy-of-new": NOT_COPIED,
}


def simplify_arrays(module: Module, *, fast_math: bool = False) -> Module:
    """Return `module` with every rule for arrays applied everywhere."""
    effects = ModuleEffects(module)
    functions = dict(module.functions)
    for name, function in module.functions.items():
        if _may_apply(function):
            about(function)
            facts = array_sites.ArrayFacts(function, effects.function(name))
            functions[name] = _Rewriter(facts, fast_math).run(function)
    changed = [n for n, f in functions.items() if f is not module.functions[n]]
    # Two ways to the same elements are one instruction by now.
    return cse_in(module.with_functions(functions), changed) if changed else module


def _may_apply(function: Function) -> bool:
    instrs = walk(function.body)
    # Rules are not even loaded for what makes no array: each makes one, or looks at one made.
    if not any(isinstance(r.type, TensorType) for instr in instrs for r in instr.results):
        return False
    definitions = definitions_of(function)
    return any(
        instr.op in _by_op() and any(_rules(instr, definitions.get(instr.operands[0])))
        for instr in instrs
    )


def _rules(outer: Instr, source: Instr | None) -> Sequence[rules_arrays.ArrayRule]:
    op = source.op if source is not None else None
    return [rule for rule in _by_op().get(outer.op, ()) if not rule.inner or op in rule.inner]


class _Rewriter:
    def __init__(self, facts: array_sites.ArrayFacts, fast_math: bool) -> None:
        self._facts = facts
        self._fast_math = fast_math

    def run(self, function: Function) -> Function:
        """Return a function with the rules applied, without what that left unused."""
        new = rebuild(function, self._rewrite)
        if new is function or not self._facts.gone:
            return new
        body = self._swept(new.body)
        return new if body is new.body else replace(new, body=body)

    def _rewrite(self, instr: Instr, builder: Builder) -> Sequence[Value] | None:
        self._facts.update(instr)
        if instr.op not in _by_op():
            return None
        value = self._apply(instr, builder, instr)
        if value is None:
            return None
        self._facts.replace(instr, value)
        return (value,)

    def _apply(self, instr: Instr, builder: Builder, at: Instr) -> Value | None:
        """Return what takes the place of an instruction where `at` stands; None to keep it."""
        source = self._facts.definition(instr.operands[0])

        def emit(op: OpDef, operands: Sequence[Value], attrs: Attrs) -> Value:
            return self._emit(make(op, operands, attrs, instr.loc), builder, at)

        site = array_sites.Site(instr, source, self._facts, emit, builder)
        for rule in _rules(instr, source):
            if rule.fast_math and not self._fast_math:
                continue
            if all(needed(site) for needed in rule.needs):
                value = rule.put(site)
                if _fits(value.type, instr.result.type):
                    if instr is at and rule.name in _SAYS:
                        remark(_SAYS[rule.name], instr.loc)
                    if source is not None and self._may_go(source):
                        self._facts.gone.add(source)
                    return value
        return None

    def _may_go(self, instr: Instr) -> bool:
        """Whether no exception needs an instruction."""
        if instr.op is arrays.VIEW:
            return array_forms.never_fails(self._facts, instr)
        return not self._facts.may_raise(instr)

    def _emit(self, instr: Instr, builder: Builder, at: Instr) -> Value:
        """Emit an instruction, or what the rules make of it, and return its result."""
        self._facts.place(instr, at)
        value = self._apply(instr, builder, at) if instr.op in _by_op() else None
        if value is not None:
            return value
        self._facts.add(builder.append(instr))
        return instr.result

    def _swept(self, block: Block) -> Block:
        """Return a block without what nothing uses since a rule has taken its place."""
        kept: list[Instr] = []
        for old in reversed(block.body):
            instr = map_blocks(old, self._swept)
            if instr in self._facts.gone and not self._facts.uses[instr.result]:
                self._facts.uses.subtract(instr.operands)
            else:
                kept.append(instr)
        body = tuple(reversed(kept))
        return block if body == block.body else Block(block.params, body)


def _fits(new: Type, old: Type) -> bool:
    """Whether a value of one type may stand where one of the other stood.

    It may know more of its sizes, but no numbers: ops are refused whose sizes are known to differ.
    """
    if not isinstance(new, TensorType) or not isinstance(old, TensorType):
        return new == old
    pairs = zip(new.dims, old.dims, strict=False)
    return assignable(new, old) and all(n == o or not n.is_constant for n, o in pairs)
