"""Methods that `__init__` calls: they become a part of it, as there is no object yet.

    def __init__(self, n):            def __init__(self, n):
        self.n = n                        self.n = n
        self.reset(0)                     start@ = 0
                                          self.total = start@
    def reset(self, start):
        self.total = start

A constructor has the fields as variables, and so has what it calls.
"""

from collections.abc import Iterator, Sequence
from types import FunctionType

from scriptc.check import init_fields
from scriptc.check.bindings import Typed
from scriptc.check.checked import INLINED, Inlined
from scriptc.check.container_classes import ITEMS, is_of_container
from scriptc.check.context import Context
from scriptc.check.desugar import own_properties
from scriptc.check.desugar.generator_loops import (
    Generator,
    give_parameters,
    is_inside,
    new_names,
)
from scriptc.check.desugar.stars import has_star
from scriptc.check.scopes import assigned_fields, fields_assigned_in, local_names, walk
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc.syntax.inline import is_generator, method_body
from scriptc_runtime.record import replace
from scriptc_runtime.types import NONE

# Marks the variables of a method that is a part of a constructor.
_RESULT = "result@init"


def check_own_call(context: Context, node: n.Call) -> Typed | None:
    """Check `self.method(...)` in a constructor; None for anything else."""
    match node.func:
        case n.Attribute(value=n.Name(id=name), attr=attr) if (
            context.constructs is not None and name == context.owner
        ):
            function = init_fields.method_of(context.constructs, attr)
        case _:
            return None
    if function is None or f"{context.owner}.{attr}" in context.locals:
        return None
    if is_of_container(function):
        return _of_items(context, node, node.func.value, attr)
    return check_method(context, node, function)


def _of_items(context: Context, node: n.Call, owner: n.Expression, attr: str) -> Typed:
    """Check `self.update(...)` of a class that inherits from `dict`: the field does it."""
    lo, hi = node.lo, node.hi
    items = n.Attribute(lo, hi, n.Attribute(lo, hi, owner, ITEMS), attr)
    plain = n.Call(lo, hi, items, node.args, node.keywords)
    plain = context.learned.made.setdefault(node, plain)
    value = context.typed(plain)
    context.facts.expanded[node] = Expansion((), plain, frozenset())
    context.facts.types[node] = value.type
    return value


def check_method(
    context: Context,
    node: n.Call,
    function: FunctionType,
    arguments: Sequence[n.Expression] | None = None,
) -> Typed | None:
    """Check the call of a method that becomes a part of the constructor; None where none can.

    Its `arguments` are those of the call, unless this names its object, too.
    """
    _, definition = context.syntax_of(function)
    if is_generator(definition) or is_inside(context, node, function):
        return None  # which is refused, as there is no object
    _require_place(context, node, definition)
    given = node.args if arguments is None or len(arguments) == len(node.args) else tuple(arguments)
    return _inline(context, node, function, given)


def _inline(context: Context, node: n.Call, function: FunctionType, given: n.Expressions) -> Typed:
    _, definition = context.syntax_of(function)
    if context.constructs is not None:
        definition = own_properties.with_properties(context.constructs, definition)
    context.depend("function", f"{function.__module__}.{function.__qualname__}", function)
    whole = context.signature(function)
    own, *rest = whole.names
    signature = replace(whole, names=tuple(rest), positional=whole.positional - 1)
    call = n.Call(node.lo, node.hi, node.func, given, node.keywords)
    call = node if given is node.args else context.learned.made.setdefault(node, call)
    called = Generator(function, signature, call)
    known = context.learned.methods.get(node)
    number = known[0] if known else len(context.learned.inlined) + 1
    shift = number * INLINED
    if known is None:
        source, _ = context.syntax_of(function)
        context.learned.inlined.append(Inlined(function, source, node.lo, node.hi))
    names = {**new_names(context, called, definition, shift), own: context.owner}
    first = give_parameters(context, called, names, frozenset(), {})
    result = n.Name(node.lo, node.hi, f"{_RESULT}{shift}")
    if known is None:
        used = not _is_line(context, node)
        known = number, method_body(definition, names, shift, result, used=used)
        context.learned.methods[node] = known
    variables = frozenset(names[name] for name in local_names(definition) if name != own)
    variables |= {result.id}
    context.locals |= variables
    context.facts.expanded[node] = Expansion((*first, *known[1]), result, variables)
    context.block(known[1])
    left = context.reached()
    if left is None:
        value = _never(context, node, definition)
    else:
        value = context.typed(result)
        for name in variables:
            left.pop(name, None)
    context.facts.types[node] = value.type
    return replace(value, span=context.span(node))


def _never(context: Context, node: n.Call, definition: n.FunctionDef) -> Typed:
    """Return the value of a method that always raises, which nothing may use."""
    if not _is_line(context, node):
        context.fail(
            "unsupported",
            f"{definition.name}() always raises, so it has no value",
            node,
            why="__init__ goes on with what it returns",
            instead="call it in a line of its own",
        )
    body = context.facts.expanded[node]
    nothing = n.Constant(node.lo, node.hi, None, None)
    context.facts.expanded[node] = Expansion(body.body, nothing, body.names)
    return Typed(NONE, context.span(node))


def _require_place(context: Context, node: n.Call, definition: n.FunctionDef) -> None:
    """Refuse a method that sets fields for the first time where that depends on something."""
    env = context.env or {}
    names = (
        f"{context.owner}.{f}"
        for f in fields_assigned_in(definition, init_fields.owner_of(definition))
    )
    before = _set_before(context, node)
    if all(isinstance(env.get(name), Typed) or name in before for name in names):
        return
    at_top = any(_is_at(node, inner) for s in _statements(context) for inner in _always(s))
    tries = any(isinstance(inner, n.Try) for inner in walk(definition.body))
    if at_top and (definition.name == "__init__" or not tries):
        return
    context.fail(
        "class-field",
        f"{definition.name}() sets fields, and is called inside of another statement of __init__",
        node,
        why="which fields an object has must not depend on anything",
        instead="call it in a line of its own, or set the fields before",
    )


def _is_line(context: Context, node: n.Call) -> bool:
    """Whether a call is a line of its own, so that nothing uses its value."""
    bodies = [context.definition.body] if context.definition else []
    bodies += [body for _, body in context.learned.methods.values()]
    lines = (s.value for body in bodies for s in walk(body) if isinstance(s, n.Expr))
    return any(_is_at(node, line) for line in lines)


def _is_at(node: n.Call, inner: n.Node) -> bool:
    """Whether a call is one that is written down: without its stars it is another node there."""
    if not isinstance(inner, n.Call):
        return False
    return node is inner or (has_star(inner) and (node.lo, node.hi) == (inner.lo, inner.hi))


def _set_before(context: Context, node: n.Call) -> frozenset[str]:
    """Return the fields in cells that lines of the constructor itself set before a call."""
    lines = context.definition.body if context.definition else ()
    plain = n.Assign | n.AnnAssign
    earlier = [s for s in lines if isinstance(s, plain) and s.hi <= node.lo < INLINED]
    return assigned_fields(earlier, context.owner) & context.learned.cells.keys()


def _statements(context: Context) -> Iterator[n.Statement]:
    """Yield the statements of a constructor, and of what it calls, that stand in no other."""
    bodies = [context.definition.body] if context.definition else []
    bodies += [body for _, body in context.learned.methods.values()]
    plain = n.Expr | n.Assign | n.AnnAssign | n.AugAssign
    yield from (s for body in bodies for s in body if isinstance(s, plain))


def _always(node: n.Node) -> Iterator[n.Node]:
    """Yield the nodes of a statement that are evaluated whatever happens, once."""
    yield node
    perhaps = n.BoolOp | n.IfExp | n.Lambda | n.ListComp | n.GeneratorExp | n.DictComp | n.SetComp
    if not isinstance(node, perhaps):
        for child in n.children(node):
            yield from _always(child)
