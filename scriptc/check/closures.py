"""Functions as constants: nested ones, lambdas, and functions that are passed to others.

A variable may stand for a function where it is the same one on every path; a function that takes
one is compiled for it.  What a nested function reads of the function around it are parameters more,
whose values are read when it is called; a variable that it writes to lives in a cell, which is the
parameter (cells.py).
"""

import re
from collections.abc import Iterator, Sequence
from types import FunctionType
from typing import NoReturn, cast

from scriptc.check.bindings import Fixed, KeptKeywords, Static
from scriptc.check.context import Context, Signature
from scriptc.check.scopes import free_names, parameter_names, parameters
from scriptc.syntax import nodes as n
from scriptc_runtime.bits import same_bits
from scriptc_runtime.record import record
from scriptc_runtime.types import Type

_DEEPEST = 20


@record(exact=True)
class Definition:
    """A nested function in the function that defines it, with the variables of that it reads."""

    live: object
    free: tuple[str, ...]

    @property
    def function(self) -> FunctionType:
        """The function object; as a field it would be taken for a method."""
        return cast(FunctionType, self.live)


@record(exact=True)
class Closure:
    """A nested function as it is called.

    `held` are the variables it reads, each with the one that has its value here; `fixed` are those
    that stand for functions.
    """

    live: object
    held: tuple[tuple[str, str], ...]
    fixed: tuple[tuple[str, object], ...]

    @property
    def function(self) -> FunctionType:
        """The function object; as a field it would be taken for a method."""
        return cast(FunctionType, self.live)


def define(context: Context, node: n.FunctionDef | n.Lambda) -> Static:
    """Return what a definition inside of a function stands for."""
    if isinstance(node, n.FunctionDef) and node.decorator_list:
        context.fail(
            "nested-function",
            "a decorator of a nested function",
            node.decorator_list[0],
            why="it would be called each time that the function is defined",
            instead="leave it out: what a script calls is compiled with it",
        )
    names = frozenset(context.locals) | {node.name if isinstance(node, n.FunctionDef) else ""}
    free = tuple(sorted(free_names(node) & names))
    return Static(Definition(context.nested(node), free), context.span(node))


def resolved(context: Context, value: object, node: n.Node, depth: int = 0) -> object:
    """Return a function as it is called or passed on here: with what its variables hold now."""
    if not isinstance(value, Definition):
        return value
    if depth > _DEEPEST:
        context.fail(
            "nested-function",
            "nested functions that call each other",
            node,
            instead="`def`s at the top of the module",
        )
    held: list[tuple[str, str]] = []
    fixed: list[tuple[str, object]] = []
    for name in _with_keywords(context, value.free):
        binding = (context.env or {}).get(name)
        if not isinstance(binding, Fixed):
            held.append((name, name))
        elif binding.static is None or not same_bits(binding.static.value, value):
            fixed.append((name, resolved(context, _known(context, node, binding), node, depth + 1)))
    return Closure(value.live, tuple(held), tuple(fixed))


def _with_keywords(context: Context, names: Sequence[str]) -> Iterator[str]:
    """Yield variables, after what `**kwargs` took the variables that have the values."""
    for name in names:
        yield name
        binding = (context.env or {}).get(name)
        kept = binding.static.value if isinstance(binding, Fixed) and binding.static else None
        if isinstance(kept, KeptKeywords):
            yield from (variable for _, variable in kept.held)


def _known(context: Context, node: n.Node, binding: Fixed) -> object:
    if binding.static is None:
        refuse_several(context, node)
    return binding.static.value


def refuse_several(context: Context, node: n.Node) -> NoReturn:
    """Refuse a variable that stands for one function or another, or for none."""
    context.fail(
        "not-a-value",
        "which function this is depends on the path",
        node,
        why="functions are constants, for which code is compiled",
        instead="call each where it is known: f(x) if c else g(x)",
    )


def passed_on(value: object, name: str) -> tuple[object, list[tuple[str, str]]]:
    """Return a function as its new owner has it, and the parameters that hold its variables there.

    With each parameter stands the variable that has its value here.
    """
    if not isinstance(value, Closure):
        return value, []
    held = [(free, f"{name}@{free}") for free, _ in value.held]
    pairs = [(f"{name}@{free}", here) for free, here in value.held]
    fixed: list[tuple[str, object]] = []
    for free, inner in value.fixed:
        moved, more = passed_on(inner, f"{name}@{free}")
        fixed.append((free, moved))
        pairs += more
    return Closure(value.live, tuple(held), tuple(fixed)), pairs


def plain_name(name: str) -> str:
    """Return a name for sizes of what a variable holds."""
    return re.sub(r"\W", "_", name)


def nested_signature(context: Context, node: n.FunctionDef) -> Signature:
    """Return the parameters of a nested function, whose defaults are written down."""
    args = node.args
    positional = [*args.posonlyargs, *args.args]
    declared: dict[str, Type] = {}
    for arg in (*parameters(args), *filter(None, (args.kwarg,))):
        type_ = context.annotation(arg.annotation) if arg.annotation else None
        declared |= {arg.arg: type_} if type_ else {}
    defaults: dict[str, object] = {}
    given = zip(positional[len(positional) - len(args.defaults) :], args.defaults, strict=True)
    for arg, default in (*given, *zip(args.kwonlyargs, args.kw_defaults, strict=True)):
        if default is not None:
            defaults[arg.arg] = _written(context, default)
    result = context.annotation(node.returns) if node.returns else None
    by_name = frozenset(arg.arg for arg in (*args.args, *args.kwonlyargs))
    return Signature(
        tuple(parameter_names(node)),
        declared,
        defaults,
        len(positional),
        by_name,
        result,
        is_nested=True,
        starred=args.vararg.arg if args.vararg else None,
        keywords=args.kwarg.arg if args.kwarg else None,
    )


def _written(context: Context, node: n.Expression) -> object:
    match node:
        case n.Constant(value=value):
            return value
        case n.UnaryOp(op="-", operand=n.Constant(value=int() | float() as number)):
            return -number
        case _:
            context.fail(
                "nested-function",
                "the default of a nested function is no literal",
                node,
                why="it would be computed when the function is defined",
                instead="pass the value in, or read the variable inside",
            )


def as_definition(node: n.FunctionDef | n.Lambda) -> n.FunctionDef:
    """Return a lambda as a function that returns its body."""
    if isinstance(node, n.FunctionDef):
        return node
    body: Sequence[n.Statement] = (n.Return(node.body.lo, node.body.hi, node.body),)
    rest = node.args, tuple(body), (), None, (), False
    return n.FunctionDef(node.lo, node.hi, "lambda", *rest)
