"""Calls of methods of objects: of the class that an object is of, of the several it may be of."""

from collections.abc import Sequence
from types import FunctionType
from typing import cast

from scriptc.check import abstract_bases, dispatch
from scriptc.check.abstract_bases import method_cases
from scriptc.check.bindings import CAPTURED, Maybe, Typed, lender
from scriptc.check.checked import Computation
from scriptc.check.context import Context, HiddenResultError, operand
from scriptc.check.desugar import generator_values
from scriptc.check.desugar.inits import init_as_method
from scriptc.check.library import caches
from scriptc.check.members import find_member, wrapped_function
from scriptc.check.passed import Passed
from scriptc.check.scopes import plain_function, walk
from scriptc.check.signatures import Signature
from scriptc.check.told_results import tell_others
from scriptc.syntax import nodes as n
from scriptc.syntax.expand import is_simple
from scriptc_runtime.errors import TypeCheckError
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import ClassType, Container, ListType


@record(eq=False)
class _Callee:
    """A method that a call may be of, bound to its object, or to its class."""

    live: object
    signature: Signature
    bound: tuple[Computation, ...]
    cls: type | None

    @property
    def function(self) -> FunctionType:
        """The function object; as a field it would be taken for a method."""
        return cast(FunctionType, self.live)

    @property
    def own(self) -> Sequence[str]:
        """The parameters that arguments are for."""
        return self.signature.names[self.taken + (self.cls is not None) :]

    @property
    def taken(self) -> int:
        """How many parameters stand for what is bound, which `*args` takes where none does."""
        return len(self.bound) if self.signature.positional else 0


def call_method(
    context: Context,
    node: n.Call,
    base: n.Expression,
    receiver: Typed,
    method: str,
    after: type | None = None,
) -> Typed:
    """Check a call of a method, or of a static one, of an object of a class that is compiled.

    With `after`, of one that the class has from those behind that base, as `super()` finds it.
    """
    assert isinstance(receiver.type, ClassType)
    if context.generator_class(receiver.type.name) is not None:
        return generator_values.call_generator(context, node, base, receiver, method)
    owner = operand(base, receiver)
    if after is not None:
        live = context.class_named(receiver.type.name).live
        found: Sequence[dispatch.Case] = [dispatch.Case(live, owner, ())]
    else:
        found = method_cases(context, node, owner, method)
    lacking = _lacking(context, node, found, method)
    found = [case for case in found if case not in lacking]
    callees = [_callee(context, node, case, method, after) for case in found]
    first = callees[0]
    passed = _passing(context, node, first)
    passed.live = first.function
    passed.parts.append(base)
    passed.take(first.function.__qualname__, first.signature, first.taken, first.cls)
    if len(callees) == 1 and not lacking:
        result = passed.result(passed.invoke(first.function, first.signature))
        return caches.require_own(context, node, first.function, result)
    results, hidden = _invoked(passed, callees)
    found = found if hidden is None else found[: len(results)]
    tell_others(context, results)
    found = [*found, *lacking]
    results += [abstract_bases.lacking(case.live, method) for case in lacking]
    result = dispatch.chosen(context, node, owner, found, results, method)
    typed = context.record(node, passed.parts, result)
    for callee in callees:
        caches.require_own(context, node, callee.function, typed)
    if passed.lists and isinstance(typed.type, ListType | Container):
        owner_of_result = lender(given for _, _, given in passed.lists)
        if owner_of_result and owner_of_result.startswith(CAPTURED):
            _refuse_lent(context, node, method)
        return replace(typed, borrowed=owner_of_result)
    return typed


def _lacking(
    context: Context, node: n.Call, found: Sequence[dispatch.Case], method: str
) -> Sequence[dispatch.Case]:
    """Return the cases that have no such method, where others have it: the run raises there.

    Python finds out before the arguments are evaluated: those that are simple make no difference,
    if they have a value.
    """
    without = [c for c in found if not abstract_bases.has(context, c.live, method)]
    given = (*node.args, *(keyword.value for keyword in node.keywords))
    names = [part.id for part in walk(given) if isinstance(part, n.Name)]
    is_told = all(map(is_simple, given)) and not any(
        isinstance((context.env or {}).get(name), Maybe) for name in names
    )
    return without if len(without) < len(found) and is_told else ()


def _passing(context: Context, node: n.Call, callee: _Callee) -> Passed:
    """Return what a call passes so far: the object, as the first parameter or in `*args`."""
    signature = callee.signature
    if callee.bound and not (signature.positional or signature.starred):
        context.fail(
            "call-arity",
            f"{callee.function.__qualname__}() takes no object, and is called as a method",
            node,
            why="Python raises TypeError: it takes 0 positional arguments",
            instead="def with self as the first parameter, or @staticmethod",
        )
    values = dict(zip(signature.names[: callee.taken], callee.bound, strict=False))
    before = callee.bound[callee.taken :]
    return Passed(context, node, values, consumes=False, before=before)


def _invoked(
    passed: Passed, callees: Sequence[_Callee]
) -> tuple[list[Computation], HiddenResultError | None]:
    """Return the calls of several methods; what is still being found out is left out."""
    context, first = passed.context, callees[0]
    results: list[Computation] = []
    hidden: HiddenResultError | None = None
    refused: TypeCheckError | None = None
    for callee in callees:
        other = passed if callee is first else _given_to(passed, first, callee)
        try:
            invoke = other.invoke(callee.function, callee.signature)
        except HiddenResultError as error:
            # What the others give is what this one is taken to give, until the next pass.
            hidden = error
            continue
        except TypeCheckError as error:
            # What the others put into fields may say what this one needs to know.
            refused = refused or error
            continue
        other.refuse_writes(invoke)
        results.append(invoke)
    if refused is not None:
        raise context.not_known_yet(passed.node) if context.fields_are_outdated else refused
    if hidden is not None and not results:
        raise hidden
    return results, hidden


def _refuse_lent(context: Context, node: n.Call, method: str) -> None:
    context.fail(
        "list-parameter",
        f"{method!r} of several classes gets a global list, and gives a list",
        node,
        why="whether it is the same one is not known",
        instead="pass a copy: list(xs)",
    )


def _callee(
    context: Context, node: n.Call, case: dispatch.Case, method: str, after: type | None
) -> _Callee:
    member = find_member(case.live, method, after)
    static = wrapped_function(member.value, staticmethod) if member else None
    of_class = wrapped_function(member.value, classmethod) if member else None
    function = static or of_class or (plain_function(member.value) if member else None)
    cached = caches.cached_function(member.value) if member and function is None else None
    if cached is not None and member is not None:
        function = caches.keeping_function(context, cached, member.value)
    if member is not None and method == "__init__":
        function = init_as_method(case.live if after is None else member.owner) or function
    if function is None:
        found = f"is a {type(member.value).__name__}" if member else "is not there"
        context.fail(
            "class-member",
            f"{method!r} of class {case.live.__name__} {found}",
            node.func,
            why="of a class, scripts call methods that are written in it or in a base",
            instead="write a method, or a function that stands beside the class",
        )
    context.depend("function", f"{function.__module__}.{function.__qualname__}", function)
    is_method = function not in (static, of_class)
    signature = context.signature(function, case.live if is_method else None)
    bound = (case.owner,) if is_method else ()
    return _Callee(function, signature, bound, case.live if of_class else None)


def _given_to(passed: Passed, first: _Callee, other: _Callee) -> Passed:
    """Return what a call passes to another method than the one that its arguments are bound for."""
    found = _passing(passed.context, passed.node, other)
    found.parts, found.more = passed.parts, passed.more
    if other.cls is not None:
        found.fixed[other.signature.names[0]] = other.cls
    given = {name: name for name in passed.given}
    count = first.taken + (first.cls is not None)
    by_place = zip(
        other.own, first.signature.names[count : first.signature.positional], strict=False
    )
    places = {name: place for name, place in by_place if place in passed.given}
    taken: set[str] = set()
    starred = _same_star(first, other)
    for name in other.own:
        if name == starred:
            found.give_more(name)
            continue
        source = given.get(name) or places.get(name)
        if source is not None:
            taken.add(source)
            _copy(passed, source, found, name)
        elif name in other.signature.defaults:
            declared = other.signature.declared.get(name)
            found.give_default(name, other.signature.defaults[name], declared)
        else:
            _refuse_parameters(passed, first, other)
    is_variadic = starred is None and any(
        c.signature.starred or c.signature.keywords for c in (first, other)
    )
    if not taken.issuperset(passed.given) or is_variadic:
        _refuse_parameters(passed, first, other)
    return found


def _same_star(first: _Callee, other: _Callee) -> str | None:
    """Return the parameter `*args` of a method that takes by it what another one's takes."""
    one, two = first.signature, other.signature
    has_names = one.keywords or two.keywords
    return (
        two.starred if one.starred and one.positional == two.positional and not has_names else None
    )


def _copy(passed: Passed, source: str, found: Passed, name: str) -> None:
    """Give a parameter what another one is given."""
    if source in passed.values:
        found.values[name] = passed.values[source]
    if source in passed.fixed:
        found.fixed[name] = passed.fixed[source]
    if source in passed.constants:
        found.constants[name] = passed.constants[source]
    found.lists += [(name, node, typed) for place, node, typed in passed.lists if place == source]


def _refuse_parameters(passed: Passed, first: _Callee, other: _Callee) -> None:
    one, two = first.function.__qualname__, other.function.__qualname__
    passed.context.fail(
        "call-arity",
        f"{one}() and {two}(), either of which may be called here, take other arguments",
        passed.node,
        why=f"the parameters are ({', '.join(first.own)}) and ({', '.join(other.own)})",
        instead="give both the same parameters",
    )
