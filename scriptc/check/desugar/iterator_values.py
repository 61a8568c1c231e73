"""Iterators that are objects: generator expressions, and calls of functions that give iterators.

    g = (x * k for x in xs)     def genexpr(over@):
                                    for x in over@: yield x * k
                                g = genexpr(xs)
    m = map(f, xs)              m = mapped(f, xs)      of `stdlib/iterators.py`

Where a loop takes all items at once they become a part of that loop, as generators do.
"""

import itertools
from collections.abc import Sequence

from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.closures import Closure, define, resolved
from scriptc.check.context import Context
from scriptc.check.desugar.dict_loops import is_view
from scriptc.check.desugar.starred_zips import zipped_rows
from scriptc.check.library.standard import standard_function
from scriptc.check.passed import Passed
from scriptc.check.python import ranges
from scriptc.check.python.iterators import iterator_made
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion

_GIVEN = "over@"
_VIEW = "@view:"  # no call of a function of the program, as `chain@` is, has a name with it


def check_expression(context: Context, node: n.GeneratorExp) -> Typed:
    """Check a generator expression that is kept: a function of its own, called at once."""
    made = context.learned.expansions.get(node)
    if made is None:
        made = context.learned.expansions[node] = _as_function(context, node)
    (definition,), call = made.body, made.value
    assert isinstance(definition, n.FunctionDef)
    assert isinstance(call, n.Call)
    static = define(context, definition)
    closure = resolved(context, static.value, node)
    assert isinstance(closure, Closure)
    function = closure.function
    _bind_views(context, call.args)
    passed = Passed(context, call, {}, consumes=False)
    signature = context.signature(function)
    passed.take("a generator expression", signature, 0, None)
    value = passed.result(passed.invoke(function, signature, None, closure))
    return _stands_for(context, node, call, value)


def _as_function(context: Context, node: n.GeneratorExp) -> Expansion:
    lo, hi = node.lo, node.hi
    body: n.Statement = n.Expr(lo, hi, n.Yield(node.elt.lo, node.elt.hi, node.elt))
    for number, loop in reversed(list(enumerate(node.generators))):
        for test in reversed(loop.ifs):
            body = n.If(test.lo, test.hi, test, (body,), ())
        source = loop.iter if number else n.Name(loop.iter.lo, loop.iter.hi, _GIVEN)
        body = n.For(loop.lo, loop.hi, loop.target, source, (body,), (), False)
    given = n.arg(lo, hi, _GIVEN, None)
    args = n.arguments(lo, hi, (), (given,), None, (), (), None, ())
    definition = n.FunctionDef(lo, hi, "genexpr", args, (body,), (), None, (), False)
    first = _taken(context, node.generators[0].iter)
    call = n.Call(lo, hi, n.Name(lo, hi, "genexpr"), (first,), ())
    return Expansion((definition,), call, frozenset())


def check_value(context: Context, node: n.Call, live: object) -> Typed | None:
    """Check a range or an iterator that is a value; None for any other call."""
    if live is range:
        return ranges.check_range(context, node)
    return _check_iterator(context, node, live) if _gives_iterator(live) else None


def _gives_iterator(live: object) -> bool:
    if live == itertools.chain.from_iterable:
        return True
    made = (iter, zip, map, filter, enumerate, reversed)
    return any(live is maker for maker in made) or getattr(live, "__module__", "") == "itertools"


def _check_iterator(context: Context, node: n.Call, live: object) -> Typed | None:
    """Check a call that gives an iterator of Python, which is kept; None for any other."""
    found = zipped_rows(context, node, live) or iterator_made(context, node, live)
    if found is None:
        return None
    call = context.learned.spreads.get((node, (live,)))
    if call is None:
        args = tuple(_taken(context, argument) for argument in found.node.args)
        keywords = found.node.keywords
        call = n.Call(node.lo, node.hi, node.func, args, keywords)
        context.learned.spreads[node, (live,)] = call
    assert isinstance(call, n.Call)
    signature = context.signature(found.function)
    passed = Passed(context, call, {}, consumes=False)
    _bind_views(context, call.args)
    passed.take(getattr(live, "__name__", found.name), signature, 0, None)
    value = passed.result(passed.invoke(found.function, signature))
    return _stands_for(context, node, call, value)


def _taken(context: Context, node: n.Expression) -> n.Expression:
    """Return what an iterator is given for an expression that stands for no value."""
    if not is_view(context, node):
        return node
    assert isinstance(node, n.Call)
    assert isinstance(node.func, n.Attribute)
    func = n.Name(node.lo, node.hi, f"{node.func.attr}{_VIEW}{node.lo}:{node.hi}")
    return n.Call(node.lo, node.hi, func, (node.func.value,), ())


def _bind_views(context: Context, args: Sequence[n.Expression]) -> None:
    assert context.env is not None
    for argument in args:
        if isinstance(argument, n.Call) and isinstance(argument.func, n.Name):
            name = argument.func.id
            method, is_view_of, _ = name.partition(_VIEW)
            if is_view_of:
                function = standard_function("iterators", f"dict_{method}")
                context.locals |= {name}
                context.env[name] = Fixed(Static(function, context.span(argument)))


def _stands_for(context: Context, node: n.Expression, call: n.Call, value: Typed) -> Typed:
    context.facts.expanded[node] = Expansion((), call, frozenset())
    context.facts.types[node] = value.type
    return value
