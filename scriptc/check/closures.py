"""Functions as constants: nested ones, lambdas, and functions that are passed to others.

A variable may stand for a function where it is the same one on every path; a function that takes
one is compiled for it.  What a nested function reads of the function around it are parameters more,
whose values are read when it is called; a variable that it writes to lives in a cell, which is the
parameter (cells.py).
"""

import contextlib
import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import cast

from scriptc.check.bindings import Fixed, KeptKeywords, Static
from scriptc.check.checked import INLINED, Specialisation
from scriptc.check.context import Context, UnknownTypeError
from scriptc.check.desugar import decorators
from scriptc.check.scopes import free_names, local_names, parameter_names, parameters
from scriptc.check.signatures import Signature
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import copied
from scriptc_runtime.bits import same_bits
from scriptc_runtime.errors import Source
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import Type

_DEEPEST = 20
# What a function is to return stands beside what its variables stand for, under this name.
_RESULT = "return@"


@record(exact=True)
class Definition:
    """A nested function in the function that defines it, with the variables of that it reads.

    `own` are its own variables. `is_manager`: `contextlib.contextmanager` decorates it.
    """

    live: object
    free: tuple[str, ...]
    own: frozenset[str]
    is_manager: bool = False

    @property
    def function(self) -> FunctionType:
        """The function object; as a field it would be taken for a method."""
        return cast(FunctionType, self.live)


@record(eq=False)
class Computed:
    """A default that is computed when the function is defined; the function is an object then."""

    node: n.Expression


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


@record(exact=True)
class Knot:
    """In a nested function, another one that calls it and that it calls.

    They have all the variables that they read in common.
    """

    live: object


def promise(value: object, result: Type) -> object:
    """Return a function whose result is of a type, as if it were declared."""
    if not isinstance(value, Closure):
        return value
    return Closure(value.live, value.held, _in_order([*value.fixed, (_RESULT, result)]))


def promised(signature: Signature, key: Specialisation) -> Signature:
    """Return the parameters of a function, with the result that it is to have."""
    result = next((value for name, value in key.fixed if name == _RESULT), None)
    return signature if result is None else replace(signature, result=cast(Type, result))


def knotted(
    knot: Knot, key: Specialisation, own: Sequence[str], name: str, function: FunctionType
) -> Closure:
    """Return such a function as `function`, called `name`, sees it."""
    held = tuple((v, v) for v in variables_of(key) if v not in own)
    others = (pair for pair in key.fixed if pair[0] not in own)
    rest = tuple(pair for pair in others if not same_bits(pair[1], knot))
    return Closure(knot.live, held, _in_order([*rest, (name, Knot(function))]))


def variables_of(key: Specialisation) -> Sequence[str]:
    """Return the parameters of a nested function, without those for the functions it stands on."""
    derived = {name for f, value in key.fixed for name, _ in passed_on(value, f)[1]}
    return [name for name in key.names or () if name not in derived]


def _in_order(fixed: Iterable[tuple[str, object]]) -> tuple[tuple[str, object], ...]:
    """Return what names stand for in one order, in which specialisations are compared."""
    return tuple(sorted(fixed, key=lambda pair: pair[0]))


def define(context: Context, node: n.FunctionDef | n.Lambda) -> Static:
    """Return what a definition inside of a function stands for."""
    decorator = _decorator(context, node)
    is_known = decorator is functools.wraps or decorator is contextlib.contextmanager
    if isinstance(node, n.FunctionDef) and node.decorator_list and not is_known:
        context.fail(
            "nested-function",
            "a decorator of a nested function",
            node.decorator_list[0],
            why="it keeps results in a way, or stands beside defaults, that is not built here",
            instead="leave it out: what a script calls is compiled with it",
        )
    names = frozenset(context.locals) | {node.name if isinstance(node, n.FunctionDef) else ""}
    free = tuple(sorted(free_names(node) & names))
    own = local_names(as_definition(node))
    is_manager = decorator is contextlib.contextmanager
    return Static(Definition(context.nested(node), free, own, is_manager), context.span(node))


def _decorator(context: Context, node: n.FunctionDef | n.Lambda) -> object:
    """Return what may be `functools.wraps`, which changes names alone, or `contextmanager`."""
    maker = decorators.wrapping(node)
    found = context.expression(maker) if maker is not None else None
    return found.value if isinstance(found, Static) else None


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
    if value.is_manager:
        context.fail(
            "with",
            f"{value.function.__name__}, which contextlib.contextmanager decorates, is used "
            "outside of the head of a `with`, or yields in a condition",
            node,
            why="its body becomes a part of the function, around the one of `with`",
            instead="a `def` at the top of the module, in `with`",
        )
    group = _calling_each_other(context, value)
    held: dict[str, str] = {}
    fixed: dict[str, object] = {}
    for member in (value, *group.values()):
        for name in _with_keywords(context, member.free):
            binding = (context.env or {}).get(name)
            if name == member.function.__name__ and not isinstance(binding, Fixed):
                continue  # it knows itself
            if not isinstance(binding, Fixed):
                held[name] = name
                continue
            known = _known(context, node, binding, name)
            if name not in fixed and not any(same_bits(known, m) for m in (value, *group.values())):
                fixed[name] = resolved(context, known, node, depth + 1)
    _require_apart(context, node, (value, *group.values()), (*held, *fixed))
    knots = {name: Knot(member.live) for name, member in group.items()}
    every = {name: name for name in sorted(held)}
    return Closure(value.live, tuple(every.items()), _in_order((fixed | knots).items()))


def _calling_each_other(context: Context, value: Definition) -> Mapping[str, Definition]:
    """Return the functions that a nested function calls and that call it, by their names."""

    def called(definition: Definition) -> Mapping[str, Definition]:
        bindings = ((name, (context.env or {}).get(name)) for name in definition.free)
        statics = ((name, b.static) for name, b in bindings if isinstance(b, Fixed))
        values = ((name, static.value) for name, static in statics if static is not None)
        return {name: found for name, found in values if isinstance(found, Definition)}

    def reached(definition: Definition) -> Mapping[str, Definition]:
        found = dict(called(definition))
        waiting = list(found.values())
        for inner in waiting:
            more = {name: d for name, d in called(inner).items() if name not in found}
            found |= more
            waiting += more.values()
        return found

    others = ((name, d) for name, d in reached(value).items() if not same_bits(d, value))
    return {
        name: other
        for name, other in others
        if any(same_bits(found, value) for found in reached(other).values())
    }


def _require_apart(
    context: Context, node: n.Node, members: Sequence[Definition], names: Sequence[str]
) -> None:
    """Refuse functions that call each other where one has a variable of the name of another's."""
    for member in members if len(members) > 1 else ():
        for name in names:
            if name in member.own and name not in member.free:
                context.fail(
                    "nested-function",
                    f"{name!r} is a variable of {member.function.__name__}(), and one outside that "
                    "a function it calls reads",
                    node,
                    why="nested functions that call each other have these variables in common",
                    instead="rename one of the two",
                )


def _with_keywords(context: Context, names: Sequence[str]) -> Iterator[str]:
    """Yield variables, after what `**kwargs` took the variables that have the values."""
    for name in names:
        yield name
        binding = (context.env or {}).get(name)
        kept = binding.static.value if isinstance(binding, Fixed) and binding.static else None
        if isinstance(kept, KeptKeywords):
            yield from (variable for _, variable in kept.held)


def _known(context: Context, node: n.Node, binding: Fixed, name: str) -> object:
    if binding.static is None:
        raise hold_as_value(context, node, name)
    return binding.static.value


def hold_as_value(context: Context, node: n.Node, name: str) -> UnknownTypeError:
    """Return what to raise where a variable is one function or another: an object from now on."""
    context.learned.objects.add(name)
    return context.not_known_yet(node)


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


def home_of(context: Context, node: n.FunctionDef) -> tuple[FunctionType, Source, n.FunctionDef]:
    """Return the function that a nested one is defined in, the text, and its definition there.

    What a generator defines has other places and names while that is a part of a function.
    """
    if node.lo < INLINED:
        return context.function, context.source, node
    number = node.lo // INLINED
    outer, shift = context.learned.inlined[number - 1], number * INLINED
    foreign = context.learned.foreign.items()
    names = {new: name for new, (_, name) in foreign if new.endswith(f"@{shift}")}
    return outer.function, outer.source, copied(node, names, -shift)


def nested_signature(context: Context, node: n.FunctionDef) -> Signature:
    """Return the parameters of a nested function; defaults are literals, or computed."""
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
            defaults[arg.arg] = _written(default)
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


def _written(node: n.Expression) -> object:
    match node:
        case n.Constant(value=value):
            return value
        case n.UnaryOp(op="-", operand=n.Constant(value=int() | float() as number)):
            return -number
        case _:
            return Computed(node)


def computed_defaults(
    context: Context, function: FunctionType
) -> Sequence[tuple[str, n.Expression]]:
    """Return the parameters whose defaults are computed when the function is defined."""
    defaults = context.signature(function).defaults.items()
    return [(name, value.node) for name, value in defaults if isinstance(value, Computed)]


def as_definition(node: n.FunctionDef | n.Lambda) -> n.FunctionDef:
    """Return a lambda as a function that returns its body."""
    if isinstance(node, n.FunctionDef):
        return node
    body: Sequence[n.Statement] = (n.Return(node.body.lo, node.body.hi, node.body),)
    rest = node.args, tuple(body), (), None, (), False
    return n.FunctionDef(node.lo, node.hi, "lambda", *rest)
