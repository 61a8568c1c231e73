"""Which function of the program a call runs, where its parameters count the arguments."""

import re
from types import FunctionType

from scriptc.check import closures
from scriptc.check.bindings import Static, Typed
from scriptc.check.context import Context
from scriptc.check.desugar.inits import init_of
from scriptc.check.members import find_member
from scriptc.check.scopes import plain_function
from scriptc.check.signatures import Signature
from scriptc.syntax import nodes as n
from scriptc_runtime.record import record
from scriptc_runtime.types import ClassType


def method_of_object(context: Context, func: n.Expression) -> Static | None:
    """Return the method of an object that is called; None for anything else."""
    if not isinstance(func, n.Attribute):
        return None
    base = context.expression(func.value)
    if not (isinstance(base, Typed) and isinstance(base.type, ClassType)):
        return None
    found = find_member(context.class_named(base.type.name).live, func.attr)
    function = found and plain_function(found.value)
    if function is None:
        return None
    return Static(function, context.span(func), receiver=(func.value, base))


@record
class Called:
    """A function of the program, with its parameters, of which a call gives `bound` by itself."""

    function: FunctionType
    owner: type | None  # the class of which an object is made
    signature: Signature
    bound: int

    @property
    def title(self) -> str:
        """What messages call the function."""
        return re.sub(r"\blambda$", "<lambda>", self.function.__qualname__)


def called_function(context: Context, node: n.Call, callee: Static) -> Called | None:
    """Return the function of the program that a call runs; None where it runs none."""
    live = callee.value
    owner = live if isinstance(live, type) else None
    if owner is not None:
        live = init_of(owner, context.span(node))
    live = closures.resolved(context, live, node) if owner is None else live
    function = live.function if isinstance(live, closures.Closure) else live
    if not isinstance(function, FunctionType):
        return None
    bound = int(owner is not None or callee.receiver is not None)
    return Called(function, owner, context.signature(function, owner), bound)
