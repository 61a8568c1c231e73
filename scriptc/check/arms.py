"""`if`, with every `elif` after it: what is known in each arm, and where they meet."""

from scriptc.check.bindings import Environment, join
from scriptc.check.checked import Arms
from scriptc.check.context import Context
from scriptc.check.flow import Condition
from scriptc.check.loops import assigned
from scriptc.syntax import nodes as n
from scriptc.syntax.leaves import arms_of


def check_if(context: Context, node: n.If) -> None:
    """Check tests one after the other, each with its arm."""
    arms: list[tuple[n.If, Condition, Environment | None]] = []
    for arm in arms_of(node):
        condition = context.condition(arm.test)
        context.env = condition.when_true
        context.block(arm.body)
        arms.append((arm, condition, context.env))
        context.env = condition.when_false
        if context.env is None:
            break
    context.block(arms[-1][0].orelse)
    for arm, condition, end in reversed(arms):
        otherwise = context.env
        context.env = join(end, otherwise)
        context.facts.arms[arm] = Arms(
            condition.when_true is not None,
            condition.when_false is not None,
            end is not None,
            otherwise is not None,
            context.env is not None,
        )
    context.facts.joins[node] = context.joined(assigned(context, (node,)))
