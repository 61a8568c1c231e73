"""Methods of operators that return NotImplemented.

Types decide which method an operator calls, so one that does so for all values of its types has
declined, and the other side is asked.  One that does so for some values alone,

    def __radd__(self, other):
        if other == 0:
            return self
        return NotImplemented        raise TypeError("unsupported operand type(s) for +: ...")

has no other side that is asked: there is none with a method for it.
"""

from collections.abc import Mapping, Sequence

from scriptc.check.bindings import Fixed
from scriptc.check.context import Context, Declined
from scriptc.check.protocols import UPDATE, is_asked_first, method_in, method_of
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.errors import Diagnostic
from scriptc_runtime.types import ClassType, Type

# Methods with their symbols, and the method that the other side is asked for.
_ARITHMETIC: Mapping[str, str] = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "** or pow()",
    "matmul": "@",
    "and": "&",
    "or": "|",
    "xor": "^",
    "lshift": "<<",
    "rshift": ">>",
}
_ORDERS: Mapping[str, tuple[str, str]] = {
    "__lt__": ("<", "__gt__"),
    "__le__": ("<=", "__ge__"),
    "__gt__": (">", "__lt__"),
    "__ge__": (">=", "__le__"),
}


def check_declined(context: Context, node: n.Return) -> None:
    """Check `return NotImplemented`."""
    if not context.learned.raises_declined:
        context.declines.append(node)
        context.env = None
        return
    expansion = context.learned.expansions.get(node)
    if expansion is None:
        raised = _raised(context, node)
        nothing = n.Constant(node.lo, node.hi, None, None)
        expansion = context.learned.expansions[node] = Expansion((raised,), nothing, frozenset())
    context.block(expansion.body)
    context.facts.expanded[node] = expansion


def decline(context: Context, types: Sequence[Type]) -> None:
    """Raise Declined where NotImplemented is what a function returns.

    Where it does so for some values alone, the next pass raises what Python does.
    """
    if not context.declines:
        return
    node = context.declines[0]
    if not context.returns:
        raise Declined(
            Diagnostic(
                "result",
                "the function returns NotImplemented for arguments of these types",
                context.span(node),
                instead="only the methods that operators call may return it",
            )
        )
    if _is_last(context, types):
        context.learned.raises_declined = True
        return
    context.fail(
        "result",
        "the method returns NotImplemented for some values, and something else for others",
        node,
        why="types decide which method an operator calls, before the program runs",
        instead="test the types alone before it: if not isinstance(other, Point): ...",
    )


def _is_last(context: Context, types: Sequence[Type]) -> bool:
    """Whether Python raises where a method declines: nobody else is asked."""
    if context.definition is None or len(types) != 2:
        return False
    name = context.definition.name
    if name in _ORDERS:
        return not _is_next(context, types, _ORDERS[name][1], is_order=True)
    symbol, is_reflected = _symbol(name)
    if symbol is None:
        return False
    other = f"__{name[3:]}" if is_reflected else f"__r{name[2:]}"
    if is_reflected:
        return not _is_second(context, types, name, other)
    return not _is_next(context, types, other, is_order=False)


def _is_next(context: Context, types: Sequence[Type], other: str, *, is_order: bool) -> bool:
    """Whether the right operand may be asked for `other` after the left one has declined."""
    lefts, rights = (_lives(context, type_) for type_ in types)
    if not (lefts and rights):
        differ = is_order or types[0] != types[1]
        return differ and method_of(context, types[1], other) is not None
    return any(
        (is_order or one is not two)
        and method_in(two, other) is not None
        and not is_asked_first(other, one, two)
        for two in rights
        for one in lefts
    )


def _is_second(context: Context, types: Sequence[Type], name: str, other: str) -> bool:
    """Whether the left operand may be asked for `other` after the right one, which was first."""
    rights, lefts = (_lives(context, type_) for type_ in types)
    return any(
        is_asked_first(name, one, two) and method_in(one, other) is not None
        for two in rights
        for one in lefts
    )


def _lives(context: Context, type_: Type) -> Sequence[type]:
    return context.made_of(type_.name) if isinstance(type_, ClassType) else ()


def _symbol(name: str) -> tuple[str | None, bool]:
    plain = name.removeprefix("__").removesuffix("__")
    if plain in _ARITHMETIC:
        return _ARITHMETIC[plain], False
    return _ARITHMETIC.get(plain.removeprefix("r")), True


def _raised(context: Context, node: n.Return) -> n.Raise:
    assert context.definition is not None
    lo, hi = node.lo, node.hi
    name = context.definition.name
    sides = [n.Name(lo, hi, parameter.arg) for parameter in context.definition.args.args]
    if name in _ORDERS:
        start = f"'{_ORDERS[name][0]}' not supported between instances of '"
    else:
        symbol, is_reflected = _symbol(name)
        update = context.env.get(UPDATE) if context.env else None
        if isinstance(update, Fixed) and update.static is not None:
            symbol = update.static.value
        start = f"unsupported operand type(s) for {symbol}: '"
        sides = sides[::-1] if is_reflected else sides
    parts: list[n.Expression] = [n.Constant(lo, hi, start, None)]
    for side, end in zip(sides, ("' and '", "'"), strict=True):
        cls = n.Call(lo, hi, n.Name(lo, hi, "type"), (side,), ())
        parts += [n.Attribute(lo, hi, cls, "__name__"), n.Constant(lo, hi, end, None)]
    message = parts[0]
    for part in parts[1:]:
        message = n.BinOp(lo, hi, message, "+", part)
    return n.Raise(lo, hi, n.Call(lo, hi, n.Name(lo, hi, "TypeError"), (message,), ()), None)
