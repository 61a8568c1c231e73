"""Calls of functions whose source is compiled, too: of the user, and of the standard library."""

from collections.abc import Mapping

from scriptc.check import closures
from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation
from scriptc.check.context import Context
from scriptc.check.library.standard import takes_all
from scriptc.check.passed import Passed
from scriptc.check.scopes import plain_function
from scriptc.check.signatures import Signature
from scriptc.syntax import nodes as n
from scriptc_runtime.record import record


@record(eq=False)
class CalledObject:
    """A function that is an object: its class, what it calls, and its fields."""

    name: str
    closure: closures.Closure
    fields: Mapping[str, Computation]


def check_scripted(
    context: Context,
    node: n.Call,
    name: str,
    signature: Signature,
    function: object,
    bound: tuple[Computation, ...],
    owner: type | None = None,
    closure: closures.Closure | None = None,
    receiver: n.Expression | None = None,
    cls: type | None = None,
    of: CalledObject | None = None,
) -> Typed:
    """Check a call of a function whose source is compiled too; `cls` is given to a class method."""
    live = plain_function(function)
    assert live is not None
    values = dict(zip(signature.names, bound, strict=False))
    passed = Passed(context, node, values, takes_all(live), live=live)
    if of is not None:
        closure, passed.captured, passed.called = of.closure, of.fields, of.name
    if receiver is not None:
        passed.parts.append(receiver)
    passed.take(name, signature, len(bound), cls)
    return passed.result(passed.invoke(live, signature, owner, closure))
