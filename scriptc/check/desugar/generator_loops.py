"""Loops over calls of generator functions: the generator becomes a part of the loop.

See `scriptc/syntax/inline.py` for what the statements are.  Variables of the generator are renamed,
so that they are none of the function; its global names mean what they mean in its module.
"""

import builtins
from collections.abc import Iterator, Mapping, Sequence
from inspect import CO_GENERATOR
from types import CodeType, FunctionType, NoneType
from typing import cast

from scriptc.check import declared_types, function_values, outside
from scriptc.check.bindings import Fixed, KeptKeywords, Known, LazyGenerator, Static, Typed
from scriptc.check.checked import INLINED, Computation, Inlined, Scalar, Step
from scriptc.check.closures import Closure, Definition
from scriptc.check.constants import default_of, is_classes, is_scalar
from scriptc.check.context import Context, operand
from scriptc.check.desugar import object_loops
from scriptc.check.desugar.dict_loops import is_dict_loop, is_view
from scriptc.check.desugar.generator_stops import may_stop
from scriptc.check.desugar.keywords import kept_in
from scriptc.check.desugar.starred_zips import is_long, spread, zipped_rows
from scriptc.check.desugar.stars import has_star, without_stars, written_items
from scriptc.check.early_calls import is_early_call
from scriptc.check.library import unknown_callees
from scriptc.check.library.binding import bind
from scriptc.check.library.standard import is_standard
from scriptc.check.members import find_member, member_function
from scriptc.check.parameter_types import declared_for
from scriptc.check.python.iterators import IteratorCall, iterator_called
from scriptc.check.scopes import free_names, local_names, look_up, names_in_cells, plain_function
from scriptc.check.signatures import Signature
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc.syntax.inline import (
    MAKERS,
    as_generator,
    can_be_inlined,
    inlined,
    is_generator,
    looped_once,
    loops_of,
)
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import ClassType


@record(eq=False)
class Generator:
    """A generator function that is called: `receiver` is the object of a method."""

    live: object
    signature: Signature
    call: n.Call
    receiver: n.Expression | None = None
    nested: Definition | Closure | None = None

    @property
    def function(self) -> FunctionType:
        """The function object; as a field it would be taken for a method."""
        return cast(FunctionType, self.live)


def lazy_items(context: Context, node: n.Expression) -> n.Expression | None:
    """Return what a variable stands for, where it does for a generator."""
    if not isinstance(node, n.Name):
        return None
    binding = (context.env or {}).get(node.id)
    if not (isinstance(binding, Fixed) and binding.static):
        return None
    value = binding.static.value
    return value.items if isinstance(value, LazyGenerator) else None


def generator_called(context: Context, call: n.Call) -> Generator | None:
    """Return the generator function that a call calls, None where it calls none."""
    found = None if _is_of_no_value(context, call) else context.callee(call)
    if not isinstance(found, Static):
        return None
    if found.receiver is not None:
        at, receiver = found.receiver
        if not isinstance(receiver.type, ClassType):
            return None
        owner, name = context.class_named(receiver.type.name).live, cast(str, found.value)
        if not is_one_method(context, call, receiver.type.name, name):
            return None
        static = member_function(owner, name, staticmethod)
        member = find_member(owner, name)
        function = static or (plain_function(member.value) if member else None)
        if function is None or not _is_generator(context, function):
            return None
        signature = context.signature(function, None if static else owner)
        return Generator(function, signature, call, None if static else cast(n.Expression, at))
    if isinstance(found.value, Definition | Closure):
        function = found.value.function
        if not is_generator(as_generator(context.syntax_of(function)[1])):
            return None
        return Generator(function, context.signature(function), call, nested=found.value)
    live = found.value
    iterator = zipped_rows(context, call, live) or iterator_called(context, call, live)
    iterator = iterator or _paired(context, call, live)
    if iterator is not None:
        function = iterator.function
        return Generator(function, context.signature(function), iterator.node)
    function = plain_function(found.value)
    if (
        function is None
        or not unknown_callees.is_of_users(function)
        or not _is_generator(context, function)
    ):
        return None
    return Generator(function, context.signature(function), call)


def _is_of_no_value(context: Context, call: n.Call) -> bool:
    """Whether a method is called of what is no value as long as need be.

    Such are what `**kwargs` took, and the object that a constructor makes.
    """
    if is_early_call(context, call):
        return True
    func = call.func
    return isinstance(func, n.Attribute) and kept_in(context, func.value) is not None


def is_one_method(context: Context, call: n.Call, class_name: str, name: str) -> bool:
    """Whether all classes that an object may be of have the method of the class it is known to be.

    The generator becomes a part of the loop, so which one it is must be known.
    """
    own = find_member(context.class_named(class_name).live, name)
    members = [find_member(live, name) for live in context.possible_classes(call, class_name)]
    return all(own and member and member.value is own.value for member in members)


def _is_generator(context: Context, function: FunctionType) -> bool:
    """Whether a function is a generator, or gives an iterator at its end."""
    code = function.__code__
    if code.co_flags & CO_GENERATOR or is_standard(function):
        return not is_standard(function)
    # A generator expression is a function inside of it.
    names = {"<genexpr>", *MAKERS}
    inner = (constant.co_name for constant in code.co_consts if isinstance(constant, CodeType))
    if names.isdisjoint((*code.co_names, *inner)):
        return False
    return is_generator(as_generator(context.syntax_of(function)[1]))


def _paired(context: Context, call: n.Call, live: object) -> IteratorCall | None:
    """Return what `enumerate` or `zip` is where a loop alone takes items of an argument."""
    if live is enumerate and call.args and needs_loop(context, call.args[0]):
        return IteratorCall("enumerated", call)
    if live is not zip:
        return None
    strict, call = _without_strict(context, call)
    call = spread(context, call) or call
    if call.keywords or not 2 <= len(call.args) <= 4 or has_star(call):
        return None
    needs = [needs_loop(context, argument) for argument in call.args]
    if not any(needs):
        return None
    if strict and len(needs) > 2:
        context.fail(
            "argument",
            "a strict zip of more than two, of which a loop alone takes the items, is not built",
            call,
            instead="lists of them: zip(list(a), list(b), list(c), strict=True)",
        )
    if strict:
        return IteratorCall("zipped_strictly", call)
    if len(needs) > 2 or needs[0] == needs[1]:
        return IteratorCall(f"zipped_{len(needs)}", call)
    return IteratorCall("zipped_before" if needs[0] else "zipped_after", call)


def _without_strict(context: Context, call: n.Call) -> tuple[bool, n.Call]:
    """Return whether a `zip` is strict, and the call without saying so where it is written down."""
    match call.keywords:
        case (n.keyword(arg="strict", value=n.Constant(value=bool() as strict)),):
            bare = n.Call(call.lo, call.hi, call.func, call.args, ())
            kept = context.learned.spreads.setdefault((call, ("strict",)), bare)
            assert isinstance(kept, n.Call)
            return strict, kept
        case _:
            return False, call


def needs_loop(context: Context, node: n.Expression) -> bool:
    """Whether a loop alone takes the items of an expression: it is no sequence."""
    if gives_items(context, node):
        return True
    return not _is_maker(context, node) and (
        is_dict_loop(context, node) or object_loops.is_object_loop(context, node)
    )


def _is_lazy(context: Context, node: n.Expression) -> bool:
    """Whether an expression stands for items, and for no value."""
    return gives_items(context, node) or _is_maker(context, node)


def gives_items(context: Context, node: n.Expression) -> bool:
    """Whether an expression is a generator, or a view of a dict."""
    if isinstance(node, n.GeneratorExp) or lazy_items(context, node) is not None:
        return True
    if not isinstance(node, n.Call):
        return False
    if _is_of_no_value(context, node):
        return False
    return generator_called(context, node) is not None or is_view(context, node)


def _is_maker(context: Context, node: n.Expression) -> bool:
    if not (isinstance(node, n.Call) and isinstance(node.func, n.Name)):
        return False
    callee = context.callee(node)
    return isinstance(callee, Static) and any(callee.value is loop for loop in _LOOPS)


_LOOPS: Sequence[object] = (range, zip, enumerate, reversed)


def check_generator_loop(context: Context, node: n.For, call: n.Call) -> bool:
    """Check a loop over a call of a generator function; whether it is one."""
    called = generator_called(context, call)
    if called is None:
        return False
    source, definition = context.syntax_of(called.function)
    definition = as_generator(definition)
    if not can_be_inlined(definition, node) or is_inside(context, call, called.function):
        return False
    around = context.definition if called.nested else None
    if may_stop(context.rounds.stopping, called.function, definition, around):
        return False
    if called.nested is None:
        name = f"{called.function.__module__}.{called.function.__qualname__}"
        context.depend("function", name, called.function)
    known = context.learned.generator_loops.get((node, called.function))
    number = known[0] if known else len(context.learned.inlined) + 1
    if known is None:
        context.learned.inlined.append(Inlined(called.function, source, call.lo, call.hi))
    names = new_names(context, called, definition, number * INLINED)
    lazy: dict[str, n.Expression] = {}
    first = give_parameters(context, called, names, looped_once(definition), lazy)
    if known is None:
        known = number, inlined(node, definition, names, number * INLINED, lazy)
        context.learned.generator_loops[node, called.function] = known
    own = frozenset(names[name] for name in local_names(definition))
    context.locals |= own
    context.block(known[1])
    left = context.reached() or {}
    for name in own:
        left.pop(name, None)
    context.facts.expanded[node] = Expansion((*first, *known[1]), call, own)
    return True


def check_expression_loop(context: Context, node: n.For, items: n.GeneratorExp) -> None:
    """Check a loop over a generator expression."""
    known = context.learned.expansions.get(node)
    if known is None:
        known = context.learned.expansions[node] = loops_of(node, items)
    context.locals |= known.names
    context.block(known.body)
    left = context.reached() or {}
    for name in known.names:
        left.pop(name, None)
    context.facts.expanded[node] = known


def is_inside(context: Context, call: n.Call, function: FunctionType) -> bool:
    """Whether a call stands in the generator itself, also where that is a part of another."""
    if context.generator is not None and context.function is function:
        return True
    place = call.lo
    while place >= INLINED:
        around = context.learned.inlined[place // INLINED - 1]
        if around.function is function:
            return True
        place = around.place
    return False


def new_names(
    context: Context, called: Generator, definition: n.FunctionDef, shift: int
) -> Mapping[str, str]:
    """Return the names that those in a generator have in the function it is a part of."""
    own = local_names(definition)
    names = {name: f"{name}@{shift}" for name in own}
    for name in names_in_cells(definition) & own:
        context.learned.cells.setdefault(names[name], None)
    held = _held(called.nested)
    for name in free_names(definition) - own:
        if name in held:
            names[name] = held[name]
            continue
        if _is_builtin_in_both(context, called.function, name):
            continue  # tests and desugarings know `isinstance` and the like by their names
        names[name] = f"{name}@{shift}"
        context.learned.foreign[names[name]] = called.function, name
    return names


def _is_builtin_in_both(context: Context, function: FunctionType, name: str) -> bool:
    """Whether a name is Python's own in a generator and in the function it is a part of."""
    builtin = getattr(builtins, name, None)
    if builtin is None or name in context.locals or name == "super":
        return False  # `super` means another class there
    found = [look_up(one, name) for one in (function, context.function)]
    return all(one is not None and one.value is builtin for one in found)


def _held(nested: Definition | Closure | None) -> Mapping[str, str]:
    """Return the variables that a nested generator reads, each with the one that has its value."""
    match nested:
        case None:
            return {}
        case Definition(_, free, _):
            return {name: name for name in free}
        case Closure(_, held, _):
            return dict(held)


def give_parameters(
    context: Context,
    called: Generator,
    names: Mapping[str, str],
    once: frozenset[str],
    lazy: dict[str, n.Expression],
) -> list[n.Statement]:
    """Give each parameter its value, and return the statements that do; functions need none.

    What is no value goes into `lazy` where the generator loops `once` over it.
    """
    assert context.env is not None
    call = called.call
    if isinstance(called.nested, Closure):
        for name, live in called.nested.fixed:
            context.env[names[name]] = Fixed(Static(live, context.span(call)))
            context.locals |= {names[name]}
    made: list[n.Statement] = []
    taken = called.signature.keywords
    # What `**options` takes: each value has a variable, which counts as one of the function.
    named: dict[str, str] = {}
    for parameter, argument in _arguments(context, call, called):
        if taken and parameter.startswith(f"{taken}@"):
            named[parameter] = f"{names[taken]}@{parameter.removeprefix(f'{taken}@')}"
            context.locals |= {named[parameter]}
        if parameter in once and _is_lazy(context, argument):
            lazy[names[parameter]] = kept(context, argument, made)
            continue
        name = named.get(parameter) or names[parameter]
        target = n.Name(argument.lo, argument.hi, name)
        found = context.expression(argument, called.signature.declared.get(parameter))
        if isinstance(found, Static):
            context.env[target.id] = Fixed(found)
            continue
        typed = context.as_typed(argument, found)
        context.require_items(argument, typed)
        value: Computation = operand(argument, typed)
        declared = called.signature.declared_as(parameter, typed.type)
        if declared is not None:
            declared = declared_for(declared, typed.type)
            what = f"the parameter {parameter!r} of {called.function.__name__}()"
            value = declared_types.declare(context, argument, typed, value, declared, what)
            if value.type != typed.type:
                typed = Typed(value.type, typed.span)
        statement = n.AnnAssign(argument.lo, argument.hi, target, argument, argument, True)
        context.facts.steps[statement] = Step((argument,), value)
        context.assign(target, typed)
        made.append(statement)
    if taken:
        held = tuple((key.removeprefix(f"{taken}@"), name) for key, name in named.items())
        context.env[names[taken]] = Fixed(Static(KeptKeywords(held), context.span(call)))
        context.locals |= {names[taken]}
    given = frozenset(parameter for parameter, _ in _arguments(context, call, called))
    return [*made, *_give_defaults(context, call, called, names, given)]


def kept(context: Context, node: n.Expression, made: list[n.Statement]) -> n.Expression:
    """Return what stands for items, over values that `made` computes now, as the call does."""

    def keep(part: n.Expression) -> n.Expression:
        if isinstance(part, n.Starred):
            return n.Starred(part.lo, part.hi, keep(_taken(context, part)))
        if _is_lazy(context, part):
            return kept(context, part, made)
        if isinstance(part, n.Constant | n.Lambda):
            return part
        found = context.expression(part)
        if isinstance(found, Static) and not _may_change(context, part):
            return part
        name = n.Name(part.lo, part.hi, f"given@{part.lo}:{part.hi}")
        context.locals |= {name.id}
        made.append(n.Assign(part.lo, part.hi, (name,), part))
        if isinstance(found, Static):
            assert context.env is not None
            context.env[name.id] = Fixed(found)
            context.facts.silent.add(made[-1])
        else:
            context.assign(name, found)
        return name

    known = lazy_items(context, node)
    if known is not None:
        return known
    if isinstance(node, n.GeneratorExp):
        first, *rest = node.generators
        parts = first.target, keep(first.iter), first.ifs, first.is_async
        first = n.comprehension(first.lo, first.hi, *parts)
        return n.GeneratorExp(node.lo, node.hi, node.elt, (first, *rest))
    assert isinstance(node, n.Call)
    func = node.func
    if isinstance(func, n.Attribute):
        func = n.Attribute(func.lo, func.hi, keep(func.value), func.attr)
    args = tuple(keep(part) for arg in node.args for part in written_items(arg))
    keywords = tuple(n.keyword(k.lo, k.hi, k.arg, keep(k.value)) for k in node.keywords)
    return n.Call(node.lo, node.hi, func, args, keywords)


def _may_change(context: Context, part: n.Expression) -> bool:
    """Whether a variable that stands for a function may stand for another one later."""
    if not isinstance(part, n.Name) or part.id not in context.locals:
        return False
    return function_values.is_changed_later(context, part, part.id)


def _taken(context: Context, star: n.Starred) -> n.Expression:
    """Return what a call takes at once of what stands behind a `*`: a tuple, or all items."""
    if not is_long(context, star):
        return star.value
    listed = n.List(star.lo, star.hi, (star,))
    return context.learned.spreads.setdefault((star, ("kept",)), listed)


def _arguments(
    context: Context, call: n.Call, called: Generator
) -> Iterator[tuple[str, n.Expression]]:
    """Yield each parameter that is given something with that, in the order of evaluation."""
    signature, receiver = called.signature, called.receiver
    bound = 1 if receiver is not None else 0
    if receiver is not None:
        yield signature.names[0], receiver
    more: list[n.Expression] = []
    if any(keyword.arg is None for keyword in call.keywords):
        plain = without_stars(context, call)
        assert isinstance(plain, n.Call)
        call = plain
    for parameter, argument in bind(context, call, called.function.__name__, signature, bound):
        if parameter == signature.starred:
            more.append(argument)
        else:
            yield parameter, argument
    if signature.starred:
        yield signature.starred, n.Tuple(call.lo, call.hi, tuple(more))


def _give_defaults(
    context: Context,
    call: n.Call,
    called: Generator,
    names: Mapping[str, str],
    given: frozenset[str],
) -> Iterator[n.Statement]:
    assert context.env is not None
    span, signature = context.span(call), called.signature
    for parameter in signature.names:
        if parameter in given or parameter == signature.starred:
            continue
        value = signature.defaults[parameter]
        if callable(value) or is_classes(value):
            context.env[names[parameter]] = Fixed(Static(value, span))
            continue
        target = n.Name(call.lo, call.hi, names[parameter])
        statement = n.AnnAssign(call.lo, call.hi, target, call, call, True)
        if outside.is_shared(value):
            held = signature.declared.get(parameter)
            at, found = outside.shared_default(context, call, parameter, value, held)
            context.facts.steps[statement] = Step((at,), operand(at, found))
            context.assign(target, found)
            yield statement
            continue
        constant = default_of(context, call, parameter, value)
        type_ = constant.type
        declared = signature.declared_as(parameter, type_)
        known = Typed(type_, span)
        if is_scalar(value):
            known = replace(
                known, literals=(cast(Scalar, value),), known=Known(cast(Scalar, value))
            )
        if declared is not None:
            declared = declared_for(declared, type_)
            what = f"the default of {parameter!r}"
            constant = declared_types.declare(context, call, known, constant, declared, what)
        if constant.type != type_ or not isinstance(value, int | NoneType):
            known = Typed(constant.type, span)
        context.facts.steps[statement] = Step((), constant)
        context.assign(target, replace(known, literals=()))
        yield statement
