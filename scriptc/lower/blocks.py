"""Blocks that are left early: those that leave carry the variables that the block may bind."""

from collections.abc import Callable, Mapping
from typing import Any

from scriptc.lower.context import Lowering
from scriptc.syntax import nodes as n
from scriptc.syntax.blocks import Block, Leave, Mark, Unless
from scriptc_runtime.ir import Label
from scriptc_runtime.ops import control


def lower_match(low: Lowering, node: n.Match) -> None:
    """Lower a `match` as the blocks that it is short for."""
    low.block(low.facts.expanded[node].body)


def lower_block(low: Lowering, node: Block) -> None:
    """Lower a block around which all that leave it meet."""
    joined = low.facts.joins[node.mark]
    label = low.marks[node.mark] = Label("case")
    env = low.env
    low.env = dict(env)
    low.builder.open()
    low.block(node.body)
    if low.reachable:
        low.exit(label, *low.carried(joined, node))
    block = low.builder.close()
    low.env, low.reachable = env, True
    types = list(joined.values())
    results = low.builder.region(control.BLOCK, (), [block], label, types, low.loc(node))
    low.rebind(joined, results)


def lower_unless(low: Lowering, node: Unless) -> None:
    """Lower a test that leaves its block where it fails."""
    known = low.facts.tests.get(node.test)
    if known is not None:
        if node.mark is not None and not known:
            _leave(low, node, node.mark)
        return
    condition = low.condition(node.test)
    if node.mark is None:
        return
    label = Label("if")
    low.builder.open()
    low.builder.exit(label)
    passed = low.builder.close()
    low.builder.open()
    _leave(low, node, node.mark)
    left = low.builder.close()
    low.reachable = True
    low.builder.region(control.IF, [condition], [passed, left], label, [], low.loc(node))


def lower_leave(low: Lowering, node: Leave) -> None:
    """Lower the end of a block that others leave too."""
    _leave(low, node, node.mark)


def _leave(low: Lowering, at: n.Node, mark: Mark) -> None:
    low.exit(low.marks[mark], *low.carried(low.facts.joins[mark], at))


# Each function takes nodes of the class it stands under.
BLOCKS: Mapping[type[n.Statement], Callable[[Lowering, Any], None]] = {
    Block: lower_block,
    Leave: lower_leave,
    Unless: lower_unless,
    n.Match: lower_match,
}
