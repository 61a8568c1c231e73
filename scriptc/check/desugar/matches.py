"""`match`: it is checked, and lowered, as blocks that are left where a pattern fails.

    match subject:               Block(end): subject@ = subject
        case (0, x) if x > y:        Block(next): Unless(subject@[0] == 0, next)
            body                                  item@ = subject@[1]; x = item@
        case _:                                   Unless(x > y, next); body; Leave(end)
            other                    other

All names of a pattern are bound after all of it has matched, as in CPython.
"""

from scriptc.check.bindings import Environment, Fixed, Static, Typed
from scriptc.check.context import Context
from scriptc.check.desugar.patterns import FUNCTIONS, Frame, Patterns, mentions
from scriptc.check.loops import assigned
from scriptc.check.scopes import target_names, walk_own
from scriptc.syntax import nodes as n
from scriptc.syntax.blocks import Block, Leave, Mark
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.named_classes import PLAIN_ENUM
from scriptc_runtime.types import BOOL, NamedType, PyType, Type

# A member of an enumeration or a bool, with its type: the members are numbered, and True is 1.
_Value = tuple[Type, object]


def check_match(context: Context, node: n.Match) -> None:
    """Check the cases of a `match` one after the other, each with what the failed ones tell."""
    whole: list[n.Statement] = []
    assert context.env is not None
    names = set(FUNCTIONS)
    context.locals |= names
    span = context.span(node.subject)
    for name, function in FUNCTIONS.items():
        context.env[name] = Fixed(Static(function, span))
    subject = _subject(context, node, whole, names)
    end = Frame(Mark(node.lo, node.hi))
    others = _all_values(context, subject)
    for case in node.cases:
        if context.reached() is None:
            break
        values = _values(context, case.pattern) if others else frozenset[_Value]()
        is_last = bool(others) and others <= values
        whole += _case(context, subject, case, end, names, always=is_last)
        if case.guard is None:
            others -= values
    context.env = end.joined_with(context.env)
    for name in names:
        (context.env or {}).pop(name, None)
    context.facts.joins[end.mark] = context.joined(assigned(context, (node,)))
    body: n.Body = (Block(node.lo, node.hi, end.mark, tuple(whole)),) if end.ends else tuple(whole)
    context.facts.expanded[node] = Expansion(body, node.subject, frozenset(names))


def _subject(
    context: Context, node: n.Match, whole: list[n.Statement], names: set[str]
) -> n.Expression:
    """Return what is matched: a variable that no case binds, or a name for what is computed once.

    What is known of a variable that the program has is known by its own name.
    """
    at = node.subject
    changed = frozenset(name for case in node.cases for name in _bound_before_body(case))
    if isinstance(at, n.Name) and at.id in context.locals and at.id not in changed:
        context.typed(at)  # which is a value
        return at
    if isinstance(at, n.Tuple) and all(_is_steady(context, elt, changed) for elt in at.elts):
        context.typed(at)
        return at
    subject = n.Name(at.lo, at.hi, f"subject@{at.lo}:{at.hi}")
    names.add(subject.id)
    context.locals |= {subject.id}
    context.assign(subject, context.typed(at))
    whole.append(n.Assign(at.lo, at.hi, (subject,), at))
    return subject


def _is_steady(context: Context, node: n.Expression, changed: frozenset[str]) -> bool:
    """Whether an item of a tuple is a variable that no pattern and no guard binds."""
    if not (isinstance(node, n.Name) and node.id in context.locals and node.id not in changed):
        return False
    return isinstance((context.env or {}).get(node.id), Typed)


def _bound_before_body(case: n.match_case) -> frozenset[str]:
    """Return the variables that the pattern and the guard of a case bind."""
    guard = () if case.guard is None else (case.guard,)
    bound = {name for inner in walk_own(guard) for name in _walrus(inner)}
    return frozenset({*mentions(case.pattern), *bound})


def _walrus(node: n.Node) -> tuple[str, ...]:
    return tuple(target_names(node.target)) if isinstance(node, n.NamedExpr) else ()


def _case(
    context: Context,
    subject: n.Expression,
    case: n.match_case,
    end: Frame,
    names: set[str],
    *,
    always: bool,
) -> list[n.Statement]:
    following = Frame(Mark(case.lo, case.hi))
    patterns = Patterns(context, following, names)
    if not always:
        patterns.match(subject, case.pattern)
        patterns.bind(case.pattern)
    if case.guard is not None and context.reached() is not None:
        patterns.unless(case.guard)
    body = patterns.body
    if context.reached() is not None:
        context.block(case.body)
        body += case.body
        _leave(context.reached(), end, body)
    context.env = following.joined_with(None)
    if not following.ends:
        return body
    context.facts.joins[following.mark] = context.joined(assigned(context, (case,)))
    return [Block(case.lo, case.hi, following.mark, tuple(body))]


def _all_values(context: Context, subject: n.Expression) -> frozenset[_Value]:
    """Return all values that a subject may have, where these are few; none elsewhere."""
    match context.typed(subject).type:
        case NamedType(kind=kind, labels=labels) as type_ if kind == PLAIN_ENUM:
            return frozenset((type_, index) for index in range(len(labels) // 2))
        case PyType.BOOL:
            return frozenset(((BOOL, True), (BOOL, False)))
        case _:
            return frozenset()


def _values(context: Context, pattern: n.Pattern) -> frozenset[_Value]:
    """Return the values of a subject that a pattern of constants matches; none of any other."""
    match pattern:
        case n.MatchOr(patterns=patterns):
            found = [_values(context, inner) for inner in patterns]
            return frozenset[_Value]().union(*found) if all(found) else frozenset()
        case n.MatchSingleton(value=value) if value is not None:
            return frozenset(((BOOL, value),))
        case n.MatchValue(value=n.Attribute() as value):
            context.typed(value)
            literal = context.facts.constants.get(value)
            if not literal or not isinstance(literal.type, NamedType):
                return frozenset()
            return frozenset(((literal.type, literal.value),))
        case _:
            return frozenset()


def _leave(env: Environment | None, end: Frame, body: list[n.Statement]) -> None:
    if env is not None:
        end.ends.append(env)
        body.append(Leave(end.mark.lo, end.mark.hi, end.mark))
