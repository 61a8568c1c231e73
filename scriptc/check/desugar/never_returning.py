"""Calls of functions that always raise: nothing comes after them, as after a `raise`.

    def fail(self, text):                       return self.fail("no number")
        raise SyntaxError(text)
                                                nothing@ = self.fail("no number")
                                                raise RuntimeError

So what such a call gives is no part of the result of the function around it.
"""

from scriptc.check.bindings import Fixed, Static
from scriptc.check.checked import Invoke
from scriptc.check.context import Context
from scriptc.check.scopes import once_a_function, walk_own
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion

_RAISED, _GIVEN = "raised@never", "nothing@never"


def ends_here(context: Context, node: n.Return | n.Expr) -> bool:
    """Whether a statement is a call that never returns, which was checked; note what it does."""
    value = node.value
    step = context.facts.steps.get(value) if value else None
    if value is None or step is None or not isinstance(step.result, Invoke):
        return False
    if not _always_raises(context.syntax_of(step.result.callee.function)[1]):
        return False
    known = context.learned.expansions.get(node)
    if known is None:
        lo, hi = node.lo, node.hi
        call = n.Assign(lo, hi, (n.Name(lo, hi, _GIVEN),), value)
        made = n.Call(lo, hi, n.Name(lo, hi, _RAISED), (), ())
        body = (call, n.Raise(lo, hi, made, None))
        nothing = n.Constant(lo, hi, None, None)
        known = Expansion(body, nothing, frozenset({_RAISED, _GIVEN}))
        context.learned.expansions[node] = known
    context.locals |= known.names
    assert context.env is not None
    context.env[_RAISED] = Fixed(Static(RuntimeError, context.span(node)))
    context.block(known.body)
    context.facts.expanded[node] = known
    return True


@once_a_function
def _always_raises(node: n.FunctionDef) -> bool:
    leaves = n.Return | n.Yield | n.YieldFrom
    return _ends_raising(node.body) and not any(isinstance(p, leaves) for p in walk_own(node.body))


def _ends_raising(body: n.Body) -> bool:
    match body[-1] if body else None:
        case n.Raise():
            return True
        case n.If(body=first, orelse=second):
            return _ends_raising(first) and _ends_raising(second)
        case _:
            return False
