"""The refusal pass: every construct of Python that the language does not have, in one run.

What Python itself evaluates is not looked at: decorators, annotations, defaults, bases of classes,
and the statements of a module other than its functions and classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import EllipsisType
from typing import Any, NamedTuple

from scriptc.syntax import nodes as n
from scriptc_runtime.errors import Diagnostic, Source, Span, UnsupportedError


class Refusal(NamedTuple):
    """Why a construct is refused, and what to write in its place."""

    code: str
    what: str
    why: str
    instead: str


class _Place(NamedTuple):
    """What the node being checked is inside of."""

    scope: str  # "module", "class" or "function"
    in_loop: bool = False


_EVENT_LOOP = "compiled code has no event loop"
_OUTSIDE = "names are looked up in the module when a function is compiled"

REFUSED: Mapping[type[n.Node], Refusal] = {
    n.AsItem: Refusal(
        "as-in-parentheses",
        "`as` inside parentheses",
        "`as` belongs to with, except, import and case",
        "`:=` if the value should get a name",
    ),
    n.Await: Refusal("await", "await", _EVENT_LOOP, "await outside, and pass the result in"),
    n.TemplateStr: Refusal(
        "template-string", "a t-string", "template strings are not in the language", "an f-string"
    ),
    n.TypeAlias: Refusal(
        "type-alias", "a type statement", _OUTSIDE, "define the alias at the top of the module"
    ),
}

_ASYNC = Refusal("async", "async", _EVENT_LOOP, "a plain one, called from the async code")
_CLASS_BODY = Refusal(
    "class-body",
    "this statement in the body of a class",
    "a class holds fields and methods",
    "run it in a method, or after the class",
)
_ELLIPSIS = Refusal(
    "ellipsis", "`...`", "it is not in the language", "one `:` for each axis it stands for"
)
_EXCEPT_STAR = Refusal(
    "except-star", "except*", "exception groups are not in the language", "a plain except"
)
_NESTED_CLASS = Refusal(
    "nested-class", "a nested class", "a class is compiled once", "move it to the top"
)
_OUTSIDE_FUNCTION = Refusal(
    "misplaced", "`return` outside of a function", "there is nothing to return from", "remove it"
)
_OUTSIDE_LOOP = Refusal(
    "misplaced", "this outside of a loop", "there is no loop to leave or go on with", "remove it"
)
_SAME_PARAMETER = Refusal(
    "same-parameter", "two parameters of one name", "one would hide the other", "rename one"
)
_TYPE_PARAMETERS = Refusal(
    "type-parameters",
    "type parameters",
    "functions are specialised by the types of a call",
    "leave the [T] out",
)

_Violation = tuple[n.Node, Refusal]
_Found = Iterator[_Violation]
_CLASS_STATEMENTS = (n.FunctionDef, n.ClassDef, n.AnnAssign, n.Assign, n.Expr, n.Pass)


def check(source: Source, node: n.Node) -> None:
    """Raise UnsupportedError with all violations in `node`, in the order of the text."""
    found = sorted(_violations(node), key=lambda item: item[0].lo)
    if found:
        raise UnsupportedError(*(_diagnostic(source, at, refusal) for at, refusal in found))


def _diagnostic(source: Source, node: n.Node, refusal: Refusal) -> Diagnostic:
    # Of a statement with a body only its first line: carets under a whole block say nothing.
    end = source.text.find("\n", node.lo)
    hi = min(node.hi, end) if end >= 0 and isinstance(node, n.Statement) else node.hi
    message = f"{refusal.what}: not supported in a script"
    return Diagnostic(
        refusal.code, message, Span(source, node.lo, hi), refusal.why, refusal.instead
    )


def _violations(node: n.Node) -> list[_Violation]:
    found: list[_Violation] = []
    if not isinstance(node, n.Module):
        _visit(node, _Place("module"), found)
        return found
    for statement in node.body:
        if isinstance(statement, n.FunctionDef | n.ClassDef):
            _visit(statement, _Place("module"), found)
    return found


def _visit(node: n.Node, place: _Place, found: list[_Violation]) -> None:
    waiting = [(node, place)]
    while waiting:
        node, place = waiting.pop()
        kind = type(node)
        if kind in REFUSED:
            found.append((node, REFUSED[kind]))
        if kind in _CHECKS:
            found.extend(_CHECKS[kind](node, place))
        if kind in _INSIDE:
            inside = list(_INSIDE[kind](node, place))
        else:
            inside = [(child, place) for child in n.children(node)]
        waiting += reversed(inside)


# ------------------------------------------- where the way into a node is not simply all children


def _inside_function(node: n.FunctionDef, place: _Place) -> Iterator[tuple[n.Node, _Place]]:
    return ((statement, _Place("function")) for statement in node.body)


def _inside_class(node: n.ClassDef, place: _Place) -> Iterator[tuple[n.Node, _Place]]:
    return ((statement, _Place("class")) for statement in node.body)


def _inside_lambda(node: n.Lambda, place: _Place) -> Iterator[tuple[n.Node, _Place]]:
    yield node.body, _Place("function")


def _inside_ann_assign(node: n.AnnAssign, place: _Place) -> Iterator[tuple[n.Node, _Place]]:
    yield node.target, place
    if node.value is not None:
        yield node.value, place


def _inside_loop(node: n.For | n.While, place: _Place) -> Iterator[tuple[n.Node, _Place]]:
    outside = set(node.orelse)  # a `break` there leaves the loop around this one
    for child in n.children(node):
        yield child, place if child in outside else place._replace(in_loop=True)


def _inside_case(node: n.match_case, place: _Place) -> Iterator[tuple[n.Node, _Place]]:
    if node.guard is not None:
        yield node.guard, place
    for statement in node.body:
        yield statement, place


def _nothing(node: n.TypeAlias, place: _Place) -> Iterator[tuple[n.Node, _Place]]:
    return iter(())


# Each function takes nodes of the class it stands under.
_INSIDE: Mapping[type[n.Node], Callable[[Any, _Place], Iterator[tuple[n.Node, _Place]]]] = {
    n.AnnAssign: _inside_ann_assign,
    n.ClassDef: _inside_class,
    n.For: _inside_loop,
    n.FunctionDef: _inside_function,
    n.Lambda: _inside_lambda,
    n.TypeAlias: _nothing,
    n.While: _inside_loop,
    n.match_case: _inside_case,
}


# ----------------------------------------------------- constructs refused in some forms or places


def _check_function(node: n.FunctionDef, place: _Place) -> _Found:
    if node.is_async:
        yield node, _ASYNC
    if node.type_params:
        yield node.type_params[0], _TYPE_PARAMETERS
    args = node.args
    seen: set[str] = set()
    starred = tuple(arg for arg in (args.vararg, args.kwarg) if arg is not None)
    for parameter in (*args.posonlyargs, *args.args, *starred, *args.kwonlyargs):
        if parameter.arg in seen:
            yield parameter, _SAME_PARAMETER
        seen.add(parameter.arg)


def _check_class(node: n.ClassDef, place: _Place) -> _Found:
    if place.scope != "module":
        yield node, _NESTED_CLASS
    if node.type_params:
        yield node.type_params[0], _TYPE_PARAMETERS
    for statement in node.body:
        if not isinstance(statement, _CLASS_STATEMENTS):
            yield statement, _CLASS_BODY


def _check_constant(node: n.Constant, place: _Place) -> _Found:
    if isinstance(node.value, EllipsisType):
        yield node, _ELLIPSIS


def _check_for(node: n.For, place: _Place) -> _Found:
    if node.is_async:
        yield node, _ASYNC


def _check_comprehension(node: n.comprehension, place: _Place) -> _Found:
    if node.is_async:
        yield node, _ASYNC


def _check_try(node: n.Try, place: _Place) -> _Found:
    if node.is_star:
        yield node, _EXCEPT_STAR


def _check_return(node: n.Return, place: _Place) -> _Found:
    if place.scope != "function":
        yield node, _OUTSIDE_FUNCTION


def _check_jump(node: n.Break | n.Continue, place: _Place) -> _Found:
    if not place.in_loop:
        yield node, _OUTSIDE_LOOP


def _check_with(node: n.With, place: _Place) -> _Found:
    if node.is_async:
        yield node, _ASYNC


# Each function takes nodes of the class it stands under.
_CHECKS: Mapping[type[n.Node], Callable[[Any, _Place], _Found]] = {
    n.Break: _check_jump,
    n.ClassDef: _check_class,
    n.Constant: _check_constant,
    n.Continue: _check_jump,
    n.For: _check_for,
    n.FunctionDef: _check_function,
    n.Return: _check_return,
    n.Try: _check_try,
    n.With: _check_with,
    n.comprehension: _check_comprehension,
}
