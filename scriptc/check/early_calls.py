"""Calls that are told by how they are written, so that few of them need more of the checker.

Calls in a constructor of methods of the object, which is none yet, become a part of it.
"""

from types import FunctionType

from scriptc.check import init_fields
from scriptc.check.context import Context
from scriptc.syntax import nodes as n


def is_super(node: n.Expression) -> bool:
    """Whether an expression is `super().name`."""
    match node:
        case n.Attribute(value=n.Call(func=n.Name(id=name), keywords=())):
            # In a part of a constructor it has a name of its own.
            return name.partition("@")[0] == "super"
        case _:
            return False


def is_early_call(context: Context, node: n.Call) -> bool:
    """Whether a constructor calls a method of its object, which becomes a part of it."""
    match node.func:
        case n.Attribute(value=n.Name(id=name), attr=attr) if name == context.owner:
            live = context.constructs
            return live is not None and init_fields.method_of(live, attr) is not None
        case func:
            return context.constructs is not None and is_super(func)


def is_stream_call(node: n.Call) -> bool:
    """Whether a call is `sys.stdout.write(x)` or its like, whatever `sys` is."""
    match node.func:
        case n.Attribute(value=n.Attribute(attr="stdout" | "stderr"), attr=attr):
            return attr in ("write", "writelines", "flush")
        case _:
            return False


def is_dispatcher(value: object) -> bool:
    """Whether a live object is a function that `functools.singledispatch` has made."""
    return isinstance(value, FunctionType) and {"dispatch", "registry"} <= vars(value).keys()


def asks_for_attribute(node: n.Expression) -> bool:
    """Whether an expression is `getattr(x, name)`, whatever the two are."""
    match node:
        case n.Call(func=n.Name(id="getattr"), args=(_, name, *_)):
            return not isinstance(name, n.Constant)
        case _:
            return False


def asks_for_fields(node: n.Expression) -> bool:
    """Whether an expression is `vars(x)`, `x.__dict__`, a view of these, or `fields(x)`."""
    match node:
        case n.Attribute(attr="__dict__"):
            return True
        case n.Call(func=n.Name(id="vars" | "fields") | n.Attribute(attr="fields")):
            return True
        case n.Call(func=n.Attribute(value=of, attr="keys" | "values" | "items")):
            return not isinstance(of, n.Name) and asks_for_fields(of)
        case _:
            return False
