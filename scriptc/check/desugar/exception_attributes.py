"""Attributes of an exception of which it is not known whether it is of a class of the program.

e.code      if isinstance(e, HTTPError): attribute@ = e.code
            elif isinstance(e, Exit): attribute@ = e.code
            else: raise AttributeError(f"'{type(e).__name__}' object has no attribute 'code'")
"""

from collections.abc import Iterator

from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.context import Context
from scriptc.check.desugar.comprehensions import as_loops
from scriptc.check.members import find_member, is_of_exception, is_users, line_of
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.types import EXCEPTION
from scriptc_runtime.values import EXCEPTIONS


def check_attribute_of_any(context: Context, node: n.Attribute, base: Typed) -> Typed | None:
    """Check an attribute that some classes of exceptions of the program have; None without any."""
    if base.type is not EXCEPTION or is_of_exception(Exception, node.attr):
        return None
    owners = list(dict.fromkeys(_owners(context, node.attr)))
    if not owners:
        return None
    assert context.env is not None
    span = context.span(node)
    named = {f"{cls.__name__}@class": cls for cls in owners}
    named |= {f"{kind}@class": EXCEPTIONS[kind] for kind in _having(node.attr)}
    named |= {"isinstance@call": isinstance, "type@call": type, "TypeError@call": TypeError}
    named["AttributeError@call"] = AttributeError
    for name, live in named.items():
        context.env[name] = Fixed(Static(live, span))
    context.locals |= named.keys()
    return as_loops(context, node, lambda: _choice(node, owners))


def _owners(context: Context, name: str) -> Iterator[type]:
    """Yield the outermost classes that have an attribute, of all of which there are objects."""
    for live in context.made_of():
        line = [cls for cls in line_of(live) if is_users(cls)]
        having = [cls for cls in line if _has(context, cls, name)]
        if having:
            yield having[-1]


def _has(context: Context, live: type, name: str) -> bool:
    return name in context.class_named(live.__name__).names or find_member(live, name) is not None


def _having(name: str) -> list[str]:
    """Return the built-in exceptions that have an attribute."""
    return [kind for kind, live in EXCEPTIONS.items() if hasattr(live, name)]


def _choice(node: n.Attribute, owners: list[type]) -> Expansion:
    lo, hi = node.lo, node.hi
    held, found = (n.Name(lo, hi, f"{name}@{lo}:{hi}") for name in ("exception", "attribute"))

    def called(name: str, *args: n.Expression) -> n.Call:
        return n.Call(lo, hi, n.Name(lo, hi, f"{name}@call"), args, ())

    def raised(kind: str, behind: str) -> n.Raise:
        name = n.Attribute(lo, hi, called("type", held), "__name__")
        text: n.Expression = n.BinOp(lo, hi, n.Constant(lo, hi, "'", None), "+", name)
        text = n.BinOp(lo, hi, text, "+", n.Constant(lo, hi, behind, None))
        return n.Raise(lo, hi, called(kind, text), None)

    # What built-in exceptions have besides is not known.
    kinds = _having(node.attr)
    missing = raised("AttributeError", f"' object has no attribute {node.attr!r}")
    body: n.Statement = missing
    if kinds:
        other = raised("TypeError", f"' has an attribute {node.attr!r} that scripts do not read")
        of_any = n.Tuple(lo, hi, tuple(n.Name(lo, hi, f"{kind}@class") for kind in kinds))
        body = n.If(lo, hi, called("isinstance", held, of_any), (other,), (missing,))
    for cls in reversed(owners):
        read = n.Attribute(lo, hi, held, node.attr)
        test = called("isinstance", held, n.Name(lo, hi, f"{cls.__name__}@class"))
        body = n.If(lo, hi, test, (n.Assign(lo, hi, (found,), read),), (body,))
    first = n.Assign(lo, hi, (held,), node.value)
    return Expansion((first, body), found, frozenset((held.id, found.id)))
