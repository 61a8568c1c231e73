"""Simplify: rewrite instructions with the algebraic rules until none applies.

    %1 = const [value=1.0] : float
    %2 = mul %x, %1 : float            =>      (uses of %2 become %x)

    %3 = tuple %x, %y
    %4 = item %3 [index=0]             =>      (uses of %4 become %x)

    %3 = named %x
    %4 = plain %3                      =>      (uses of %4 become %x)

    %4 = held %x [type=union<A, B>]
    %5 = holds %4 [type=A]             =>      %5 = holds %x [type=A]

    %5 = block @B : int { ...; exit @B %6 }    =>    ... (uses of %5 become %6)

    %6 = if @C %5 : bool { exit @C true } { exit @C false }       =>    ... (uses of %6 become %5)

A block that is left nowhere but at its end is none: inlined functions leave such blocks, and what
stands in one block is fused and merged. What is one truth or the other is the condition: `a and b`
leaves that where `b` is known.

Needs: valid IR.
Gives: valid IR, same result bit for bit; leaves dead instructions for `dce`.
Does not: look at uses, neighbours or memory.
Cases: tests/cases/passes/simplify.
"""

from collections.abc import Callable, Mapping, Sequence

from scriptc.analysis.definitions import definitions_of
from scriptc.passes.rebuild import rebuild
from scriptc.passes.rules_algebra import RULES
from scriptc_runtime.ir import Block, Builder, Function, Instr, Module, Value, walk
from scriptc_runtime.ops import control, data, named, unions
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Attr, OpDef
from scriptc_runtime.types import BOOL, Type

_BY_OP = {op: [r for r in RULES if r.find.op is op] for op in {r.find.op for r in RULES}}


def simplify(module: Module, *, fast_math: bool = False) -> Module:
    """Return `module` with every rule applied everywhere."""
    functions = {n: _simplify(f, fast_math) for n, f in module.functions.items()}
    return module.with_functions(functions)


def _simplify(function: Function, fast_math: bool) -> Function:
    definitions = dict(definitions_of(function))

    def rewrite(instr: Instr, builder: Builder) -> Sequence[Value] | None:
        if instr.results:
            definitions[instr.results[0]] = instr
        own = _OWN.get(instr.op)
        if own is not None:
            return own(instr, definitions, builder)
        for rule in _BY_OP.get(instr.op, ()):
            if rule.fast_math and not fast_math:
                continue
            value = rule.apply(instr, definitions, builder)
            if value is not None:
                return (value,)
        return None

    return rebuild(function, rewrite)


def _straight(
    region: Instr, definitions: Mapping[Value, Instr], builder: Builder
) -> Sequence[Value] | None:
    """Emit the body of a block that ends by its only exit, and return what it exits with."""
    del definitions
    *body, last = region.blocks[0].body
    if last.target is None or last.target.label is not region.label:
        return None
    if any(i.target and i.target.label is region.label for i in walk(Block((), tuple(body)))):
        return None
    # Ops behind it were typed for the sizes that the block's result is known to have.
    if [v.type for v in last.operands] != [r.type for r in region.results]:
        return None
    for instr in body:
        builder.append(instr)
    return last.operands


def _condition(
    region: Instr, definitions: Mapping[Value, Instr], builder: Builder
) -> Sequence[Value] | None:
    """Return the condition of a branch that gives true on one side and false on the other."""
    if len(region.results) != 1 or region.result.type is not BOOL:
        return None
    (condition,) = region.operands
    truths: list[Attr] = []
    for block, known in zip(region.blocks, (True, False), strict=True):
        *body, last = block.body
        if last.target is None or last.target.label is not region.label:
            return None
        if any(i.op is not data.CONST for i in body):
            return None
        made = definitions.get(last.operands[0])
        if last.operands[0] is condition:
            truths.append(known)
        elif made is not None and made.op is data.CONST:
            truths.append(made.attrs["value"])
    if truths == [True, False]:
        return (condition,)
    return (builder.emit(e.NOT, condition, loc=region.loc),) if truths == [False, True] else None


def _holds(
    instr: Instr, definitions: Mapping[Value, Instr], builder: Builder
) -> Sequence[Value] | None:
    """Ask the value itself for its member, not what is known to be one of fewer members.

    In a chain of tests the one would be made for each of them, of all the members left.
    """
    narrowed = definitions.get(instr.operands[0])
    if narrowed is None or narrowed.op is not unions.HELD:
        return None
    (value,) = narrowed.operands
    type_ = instr.attrs["type"]
    assert isinstance(type_, Type)
    if not unions.shared(value.type, type_):
        return None
    return (builder.emit(unions.HOLDS, value, loc=instr.loc, type=type_),)


def _item(
    instr: Instr, definitions: Mapping[Value, Instr], builder: Builder
) -> Sequence[Value] | None:
    """Return the operand that a tuple made here holds at a constant index."""
    del builder
    made = definitions.get(instr.operands[0])
    if made is None or made.op is not data.TUPLE:
        return None
    index = instr.attrs["index"]
    assert isinstance(index, int)
    return (made.operands[index],)


def _plain(
    instr: Instr, definitions: Mapping[Value, Instr], builder: Builder
) -> Sequence[Value] | None:
    """Return what a value of a class was made of here."""
    del builder
    made = definitions.get(instr.operands[0])
    if made is None or made.op is not named.NAMED:
        return None
    (held,) = made.operands
    return (held,) if held.type == instr.results[0].type else None


# What no rule on operands can say.
_OWN: Mapping[OpDef, Callable[[Instr, Mapping[Value, Instr], Builder], Sequence[Value] | None]] = {
    data.ITEM: _item,
    named.PLAIN: _plain,
    unions.HOLDS: _holds,
    control.BLOCK: _straight,
    control.IF: _condition,
}
