"""Calls of functions that are objects: a choice among the classes that the object may be of.

    f(x)    called@ = f; x@0 = x
            called@(x@0) if isinstance(called@, class@0) else called@(x@0)

Each test leaves half of the classes.  Where one is left, so is one function: the call of that is
checked, and inlined, as one that is written down.  Arguments are evaluated once.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from scriptc.check.bindings import Environment, Fixed, Static, Typed
from scriptc.check.checked import Arm, MemberArms
from scriptc.check.closures import Closure
from scriptc.check.context import Context, UnknownTypeError, Value
from scriptc.check.desugar import unfit_calls as desugar_unfit_calls
from scriptc.check.desugar.stars import has_star
from scriptc.check.function_classes import SELF, FunctionValue
from scriptc.check.members import class_type
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.errors import TypeCheckError
from scriptc_runtime.record import replace
from scriptc_runtime.unions import union_of


def check_choice(context: Context, node: n.Call, values: Sequence[FunctionValue]) -> Value:
    """Check a call of an object that is one of several functions, or no function of scripts."""
    unfit = desugar_unfit_calls.unfit_calls(context, node, values)
    if len(unfit) == len(values) and not has_star(node):
        unfit = {}  # a mistake that the call of the first one tells
    fit = [place for place in range(len(values)) if place not in unfit]
    key = node, (*(value.name for value in values), *map(str, unfit))
    expansion = context.learned.choices.get(key)
    if expansion is None:
        expansion = context.learned.choices[key] = _expansion(context, node, values, fit)
    context.locals |= expansion.names
    # What is called may come from a choice, too, which forgets its names.
    context.block(expansion.body)
    if context.env is None:
        raise UnknownTypeError
    span, place = context.span(node), _place(node)
    context.env["isinstance@call"] = Fixed(Static(isinstance, span))
    for number, value in enumerate(values):
        live = context.class_named(value.name).live
        context.env[f"class@{number}:{place}"] = Fixed(Static(live, span))
        context.env[f"target@{number}:{place}"] = Fixed(Static(value.target, span))
    if unfit and fit:
        _narrow(context, f"called@{place}", [values[i] for i in fit])
    before = context.env
    try:
        found = context.typed(expansion.value)
    except (TypeCheckError, UnknownTypeError):
        _look_at_the_rest(context, node, expansion, [values[i] for i in fit], before)
        raise
    if unfit:
        expansion = _guarded(context, node, expansion, found, values, unfit)
    left = context.reached() or {}
    for name in expansion.names:
        left.pop(name, None)
    context.facts.expanded[node] = expansion
    context.facts.types[node] = found.type
    return found


def _narrow(context: Context, name: str, values: Sequence[FunctionValue]) -> None:
    """Note that a variable holds one of some functions."""
    assert context.env is not None
    whole = context.env[name]
    assert isinstance(whole, Typed)
    type_ = union_of([class_type(context.class_named(value.name).live) for value in values])
    assert type_ is not None
    context.env[name] = replace(whole, type=type_)


def _guarded(
    context: Context,
    node: n.Call,
    expansion: Expansion,
    found: Typed,
    values: Sequence[FunctionValue],
    unfit: Mapping[int, str],
) -> Expansion:
    """Return a choice that raises, first of all, where a function does not take the arguments."""
    lives = {place: context.class_named(values[place].name).live for place in unfit}
    raised = [Arm(class_type(lives[i]), None, "TypeError", unfit[i]) for i in unfit]
    last = Arm(raised[-1].member, expansion.value)  # for all others, if there are any
    name = f"called@{_place(node)}"
    whole = context.learned.spreads.setdefault((node, ("fit",)), n.Name(node.lo, node.hi, name))
    context.facts.arms_of_members[whole] = MemberArms((), name, (*raised, last))
    context.facts.types[whole] = found.type
    return Expansion(expansion.body, whole, expansion.names)


def _look_at_the_rest(
    context: Context,
    node: n.Call,
    expansion: Expansion,
    values: Sequence[FunctionValue],
    before: Environment,
) -> None:
    """Check the calls behind one that fails: what they put where may be what it lacks."""
    name = f"called@{_place(node)}"
    whole = before[name]
    calls = list(_calls(expansion.value))
    failed = next((i for i, c in enumerate(calls) if c not in context.facts.types), len(calls))
    for call, value in list(zip(calls, values, strict=True))[failed + 1 :]:
        if isinstance(whole, Typed):
            narrowed = replace(whole, type=class_type(context.class_named(value.name).live))
            context.env = {**before, name: narrowed}
        with suppress(TypeCheckError, UnknownTypeError):
            context.typed(call)


def _calls(chosen: n.Expression) -> Iterator[n.Expression]:
    """Yield the calls of a choice, in order."""
    if not isinstance(chosen, n.IfExp):
        yield chosen
        return
    yield from _calls(chosen.body)
    yield from _calls(chosen.orelse)


def _place(node: n.Node) -> str:
    return f"{node.lo}:{node.hi}"


def _expansion(
    context: Context, node: n.Call, values: Sequence[FunctionValue], fit: Sequence[int]
) -> Expansion:
    lo, hi, place = node.lo, node.hi, _place(node)
    names = [f"called@{place}", "isinstance@call"]

    def called() -> n.Name:
        """Return the object, another node for each place: it has another type at each."""
        return n.Name(lo, hi, names[0])

    body: list[n.Statement] = [n.Assign(lo, hi, (called(),), node.func)]

    def once(value: n.Expression) -> n.Expression:
        """Return an argument that may stand at several places."""
        if isinstance(value, n.Starred):
            return n.Starred(value.lo, value.hi, once(value.value))
        is_steady = isinstance(value, n.Name) and value.id not in context.shared
        if isinstance(value, n.Constant) or is_steady:
            return value
        names.append(f"argument@{len(names)}:{place}")
        body.append(n.Assign(lo, hi, (n.Name(value.lo, value.hi, names[-1]),), value))
        return n.Name(value.lo, value.hi, names[-1])

    args = tuple(map(once, node.args))
    keywords = tuple(n.keyword(k.lo, k.hi, k.arg, once(k.value)) for k in node.keywords)
    calls: list[n.Call] = []
    for number, value in enumerate(values):
        names += [f"class@{number}:{place}", f"target@{number}:{place}"]
        callee = _callee(called(), f"target@{number}:{place}", value)
        calls.append(n.Call(lo, hi, callee, args, keywords))

    def chosen(first: int, end: int) -> n.Expression:
        if not fit:
            return n.Constant(lo, hi, None, None)  # of a call that never comes back
        if end - first == 1:
            return calls[fit[first]]
        half = (first + end) // 2
        tested = (n.Name(lo, hi, f"class@{number}:{place}") for number in fit[first:half])
        given = called(), n.Tuple(lo, hi, tuple(tested))
        test = n.Call(lo, hi, n.Name(lo, hi, "isinstance@call"), given, ())
        return n.IfExp(lo, hi, test, chosen(first, half), chosen(half, end))

    return Expansion(tuple(body), chosen(0, len(fit)), frozenset(names))


def _callee(called: n.Name, target: str, value: FunctionValue) -> n.Expression:
    """Return what is called where the object is of one class."""
    lo, hi = called.lo, called.hi
    if isinstance(value.target, Closure):
        return called
    if value.is_method:
        return n.Attribute(lo, hi, n.Attribute(lo, hi, called, SELF), str(value.target))
    return n.Name(lo, hi, target)
