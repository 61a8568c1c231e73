"""Operations on unions: a test of the tag, and an arm, for each member."""

from collections.abc import Callable, Sequence

from scriptc.check.checked import Arm, MemberArms
from scriptc.lower.context import Lowering
from scriptc.lower.conversions import fit
from scriptc.syntax import nodes as n
from scriptc_runtime.ir import Block, Label, Value
from scriptc_runtime.ops import control, data, unions


def lower_arms(
    low: Lowering, node: n.Expression, found: MemberArms, read: Callable[[str], Value]
) -> Value:
    """Evaluate the operands, then do what is to be done for the member that there is."""
    for name, part in found.firsts:
        low.env[name] = low.expression(part)
    return _chosen(low, node, read(found.subject), found.arms, read)


def _chosen(
    low: Lowering,
    node: n.Expression,
    held: Value,
    arms: Sequence[Arm],
    read: Callable[[str], Value],
) -> Value:
    arm, *others = arms
    if not others:
        assert arm.value is not None  # what raises comes first
        return fit(low, low.expression(arm.value), low.facts.types[node], node)
    label, type_ = Label("if"), low.facts.types[node]
    holds = low.emit(unions.HOLDS, held, at=node, type=arm.member)
    env = low.env
    blocks: list[Block] = []
    for taken in (arm, None):
        low.env = dict(env)
        low.builder.open()
        if taken is None:
            low.exit(label, _chosen(low, node, held, others, read))
        elif taken.value is None or taken.kind:
            if taken.value is not None:
                low.expression(taken.value)  # which always raises
            _raise(low, node, taken, read)
        else:
            low.exit(label, fit(low, low.expression(taken.value), type_, node))
        low.reachable = True
        blocks.append(low.builder.close())
    low.env = env
    (value,) = low.builder.region(control.IF, [holds], blocks, label, [type_], low.loc(node))
    return value


def _raise(low: Lowering, node: n.Expression, arm: Arm, read: Callable[[str], Value]) -> None:
    """Raise what an operation does for a member, beside what another variable holds."""
    name, others = arm.beside or ("", (arm,))
    *firsts, last = others
    for other in firsts:
        label = Label("if")
        holds = low.emit(unions.HOLDS, read(name), at=node, type=other.member)
        blocks: list[Block] = []
        for taken in (other, None):
            low.builder.open()
            if taken is None:
                low.exit(label)
            else:
                _raise_one(low, node, taken)
            low.reachable = True
            blocks.append(low.builder.close())
        low.builder.region(control.IF, [holds], blocks, label, [], low.loc(node))
    _raise_one(low, node, last)


def _raise_one(low: Lowering, node: n.Expression, arm: Arm) -> None:
    text = low.emit(data.CONST, at=node, value=arm.message)
    low.terminate(control.RAISE, text, at=node, kind=arm.kind)
