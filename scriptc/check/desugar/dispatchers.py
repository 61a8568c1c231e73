"""Functions behind `functools.singledispatch`: the type of the first argument says which is called.

For an object that may be of several classes, the run chooses: those that inherit come first.

show(x)     dispatched@ = x
            show_circle(dispatched@) if isinstance(dispatched@, Circle) else show_any(dispatched@)
"""

from collections.abc import Mapping
from typing import Any, cast

from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.context import Context
from scriptc.check.desugar.comprehensions import as_loops
from scriptc.check.library.standard import standard_function
from scriptc.check.python.instance_tests import live_class
from scriptc.check.scopes import assigned_names
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import copied
from scriptc.syntax.expand import is_simple
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.types import ClassType, NamedType, Type

_TEST, _NEVER = "isinstance@match", "never@dispatch"


def check_dispatched(context: Context, node: n.Call, value: object) -> Typed | object:
    """Return the function that is called, or the value of the call where the run chooses it."""
    function = cast(Any, value)  # a function, whose attributes functools has made
    name: str = function.__name__
    subject = next(iter(node.args), None)
    if subject is None or isinstance(subject, n.Starred):
        message = f"{name}() needs a first argument, whose type says which function is called"
        context.fail("call-arity", message, node, instead="pass it in its place")
    type_ = context.typed(subject).type
    found: dict[type, object] = {
        cls: function.dispatch(cls) for cls in _classes(context, node, type_)
    }
    targets = list(dict.fromkeys(found.values()))
    if len(targets) == 1:
        return targets[0]
    if not isinstance(type_, ClassType):
        context.fail(
            "argument",
            f"{name}() is called with {type_}, and what is called depends on the type",
            node,
            instead="test with isinstance before",
        )
    names = _names(context, node, found)
    return as_loops(context, node, lambda: _choice(node, names))


def _classes(context: Context, node: n.Call, type_: Type) -> list[type]:
    """Return the classes that values of a type may be of; none for a union, whose members tell."""
    if isinstance(type_, ClassType):
        return sorted(context.possible_classes(node, type_.name), key=lambda c: -len(c.__mro__))
    live = context.named_class(type_) if isinstance(type_, NamedType) else live_class(type_)
    return [] if live is None else [live]


def _names(context: Context, at: n.Node, found: Mapping[type, object]) -> list[tuple[str, str]]:
    """Let names stand for classes, and for what is called for each."""
    assert context.env is not None
    names: list[tuple[str, str]] = []
    never = standard_function("objects", "of_no_class")
    meant: dict[str, object] = {_TEST: isinstance, _NEVER: never}
    for place, (cls, target) in enumerate(found.items()):
        names.append((f"class{place}@{at.lo}", f"target{place}@{at.lo}"))
        meant |= dict(zip(names[-1], (cls, target), strict=True))
    for name, value in meant.items():
        context.locals |= {name}
        context.env[name] = Fixed(Static(value, context.span(at)))
    return names


def _choice(node: n.Call, names: list[tuple[str, str]]) -> Expansion:
    lo, hi = node.lo, node.hi
    body: list[n.Statement] = []

    def held(value: n.Expression) -> n.Expression:
        """Return what stands for an argument, which is computed once."""
        if is_simple(value) and body:
            return value
        name = n.Name(value.lo, value.hi, f"dispatched@{value.lo}:{value.hi}")
        body.append(n.Assign(value.lo, value.hi, (name,), value))
        return name

    subject, *others = map(held, node.args)
    named = [n.keyword(k.lo, k.hi, k.arg, held(k.value)) for k in node.keywords]
    plain = n.Call(lo, hi, node.func, (subject, *others), tuple(named))

    def called(name: str, args: n.Expressions, keywords: tuple[n.keyword, ...]) -> n.Call:
        # Each mention is a node of its own: what is known of one is not known of another.
        call = n.Call(lo, hi, n.Name(lo, hi, name), args, keywords)
        return copied(call, {}, 0)

    whole: n.Expression = n.Call(lo, hi, n.Name(lo, hi, _NEVER), (), ())
    for cls, target in reversed(names):
        test = called(_TEST, (subject, n.Name(lo, hi, cls)), ())
        whole = n.IfExp(lo, hi, test, called(target, plain.args, plain.keywords), whole)
    return Expansion(tuple(body), whole, assigned_names(body))
