"""Operators on lists and tuples: joined, repeated, compared, searched.

Tuples are compared item by item, when the program is compiled as far as their types decide.  Two
items that are one object count as equal; other values have no identity, and have to compare equal.
"""

from collections.abc import Mapping, Sequence
from typing import NoReturn

from scriptc.check import operators, protocols
from scriptc.check.bindings import (
    Known,
    Static,
    Typed,
    any_length,
    merge_types,
    united_types,
)
from scriptc.check.checked import Check, Computation, Convert, Literal, Select
from scriptc.check.context import Context, operand
from scriptc.check.conversion import converted
from scriptc.check.library import call as library_call
from scriptc.check.library.standard import standard_function
from scriptc.check.named import calls as named_calls
from scriptc.check.named import operators as of_named
from scriptc.check.numpy import sequences as numpy_sequences
from scriptc.check.open_types import is_open
from scriptc.check.operators import INDEX_TYPES, Side
from scriptc.check.orders import order_raises
from scriptc.check.python import text_operators
from scriptc.check.python.lists import items as list_items
from scriptc.check.python.lists.unordered_items import (
    both_none,
    has_functions,
    has_unordered,
    ordered,
)
from scriptc.check.python.type_errors import never_equal
from scriptc.check.rolled_tuples import MOST_UNROLLED
from scriptc.syntax import expand
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.errors import TypeCheckError
from scriptc_runtime.ops import (
    data,
    elementwise,
    reductions,
    tuples,
)
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    BYTES,
    FLOAT,
    INT,
    NONE,
    STR,
    ClassType,
    Container,
    DictType,
    ListType,
    NamedType,
    OptionalType,
    SetType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    element_of,
    is_number,
    is_tuple_of,
)
from scriptc_runtime.unions import members_of

MEMBERSHIP = ("in", "not in")
_ORDERS = ("<", "<=", ">", ">=")
# What is compared in one step, and how many of them at once.
_PLAIN = (BOOL, INT, FLOAT)
_FEW = 3
# The operators that functions of `stdlib/list_methods.py` stand for.
_BEFORE = {"<": "before", "<=": "not_behind", ">": "behind", ">=": "not_before"}
_SYMBOLS = {"contains": "in", "same": "==", "less": "<", "joined": "+", "extend_by": "+="}


def standard(context: Context, at: n.Node, name: str, *operands: Computation) -> Computation:
    """Return a call of a function of `stdlib/list_methods.py`."""
    shown = _SYMBOLS.get(name, name)
    call = library_call.LibraryCall(
        context, n.Call(at.lo, at.hi, n.Name(at.lo, at.hi, name), (), ()), shown
    )
    return call.standard("list_methods", name, *operands)


def characters(
    context: Context, at: n.Node, value: Typed, whole: Computation
) -> tuple[Typed, Computation]:
    """Return a text or bytes as the list of its items; anything else as it is."""
    if value.type is not STR and value.type is not BYTES:
        return value, whole
    item = STR if value.type is STR else INT
    return Typed(ListType(item), value.span), standard(context, at, "characters", whole)


def beside_arrays(context: Context, at: n.Node, left: Side, right: Side) -> tuple[Side, Side]:
    """Return two operands; a list or tuple of numbers beside an array is one, as NumPy has it."""
    one, two = left[0].type, right[0].type
    if isinstance(one, ListType | TupleType) and isinstance(two, TensorType):
        return _as_array(context, at, left), right
    if isinstance(two, ListType | TupleType) and isinstance(one, TensorType):
        return left, _as_array(context, at, right)
    return left, right


def _as_array(context: Context, at: n.Node, side: Side) -> Side:
    value, whole = side
    context.require_items(at, value)
    node = n.Call(at.lo, at.hi, n.Name(at.lo, at.hi, "array"), (), ())
    call = library_call.LibraryCall(context, node, "array")
    found = numpy_sequences.array_of_sequence(call, whole, at)
    return Typed(found.type, value.span), found


# ------------------------------------------------------------------------------ arithmetic of lists


_COUNTS = (*INDEX_TYPES, BOOL)


def binary(context: Context, node: n.BinOp, left: Typed, right: Typed) -> Typed | None:
    """Check `+` and `*` of lists, and `*` of tuples; None for anything else."""
    sides = (left, operand(node.left, left)), (right, operand(node.right, right))
    if node.op == "*":
        for (value, whole), count in (sides, sides[::-1]):
            if count[0].type in _COUNTS and isinstance(value.type, ListType | TupleType):
                return _repeated(context, node, value, whole, count)
    if node.op != "+":
        return None
    if (whole := joined_tuples(context, node, *sides)) is not None:
        return context.record(node, [node.left, node.right], whole)
    if not (_class_of(left.type) is list and _class_of(right.type) is list):
        return None
    try:
        list_items.meet(context, node, left, right)
    except TypeCheckError:
        items = [value.type.item for value in (left, right) if isinstance(value.type, ListType)]
        # Of objects the base that both have.
        both = merge_types(items[0], items[1]) if len(items) == 2 else None
        is_union = context.learned.may_unite and united_types(*items) is not None
        if not is_union and not isinstance(both, ClassType):
            raise
        return _joined_in_display(context, node)
    joined = standard(context, node, "joined", sides[0][1], sides[1][1])
    result = context.record(node, [node.left, node.right], joined)
    borrowed = held_list(left) or held_list(right)
    return replace(result, open_list=left.open_list or right.open_list, borrowed=borrowed)


def _joined_in_display(context: Context, node: n.BinOp) -> Typed:
    """Check `a + b` of lists that hold items of different types: it is `[*a, *b]`.

    What `b` computes may change `a`, of which Python has no copy by then.
    """
    if not _is_still(node.right):
        return _joined_later(context, node)
    before = context.facts.expanded.get(node.left)
    parts: tuple[n.Expression, ...] = (n.Starred(node.left.lo, node.left.hi, node.left),)
    if isinstance(node.left, n.BinOp) and before and isinstance(before.value, n.List):
        parts = before.value.elts
    last = n.Starred(node.right.lo, node.right.hi, node.right)
    kept, key = context.learned.spreads, (node, ("joined", len(parts)))
    whole = kept.setdefault(key, n.List(node.lo, node.hi, (*parts, last)))
    value = context.typed(whole)
    context.facts.expanded[node] = Expansion((), whole, frozenset())
    context.facts.types[node] = value.type
    return value


def _is_still(node: n.Expression) -> bool:
    """Whether an expression changes nothing that others hold."""
    if isinstance(node, n.List | n.Tuple):
        return all(map(_is_still, node.elts))
    return expand.is_simple(node)


def _joined_later(context: Context, node: n.BinOp) -> Typed:
    """Check `a + b` of lists, of which both are computed before the items are taken."""
    lo, hi = node.lo, node.hi
    first, second = (n.Name(lo, hi, f"{side}@{lo}:{hi}") for side in ("left", "right"))
    body = n.Assign(lo, hi, (first,), node.left), n.Assign(lo, hi, (second,), node.right)
    whole = n.List(lo, hi, tuple(n.Starred(lo, hi, name) for name in (first, second)))
    made = Expansion(body, whole, frozenset({first.id, second.id}))
    kept = context.learned.expansions.setdefault(node, made)
    context.locals |= kept.names
    context.block(kept.body)
    value = context.typed(kept.value)
    for name in kept.names:
        (context.env or {}).pop(name, None)
    context.facts.expanded[node] = kept
    context.facts.types[node] = value.type
    return replace(value, span=context.span(node))


def joined_tuples(context: Context, at: n.Node, left: Side, right: Side) -> Computation | None:
    """Return `+` of two tuples, of which one at least is of any length; None for all else."""
    types = left[0].type, right[0].type
    if not (all(_class_of(type_) is tuple for type_ in types) and any(map(is_tuple_of, types))):
        return None
    kind = united_types(*types)
    if kind is None or not is_tuple_of(kind):
        context.refuse_merge(
            f"one tuple is {types[0]} and the other one {types[1]}",
            at,
            left[0],
            right[0],
            why="all items of a tuple of any length have one type",
        )
    values = (as_any_length(value, kind) for _, value in (left, right))
    return context.apply(at, tuples.TUPLE_OF, standard(context, at, "joined", *values))


def as_any_length(value: Computation, type_: Type) -> Computation:
    """Return a tuple as one of any length."""
    return value if value.type == type_ else Convert(value, type_)


def _class_of(type_: Type) -> type | None:
    """Return list or tuple for what is one."""
    if isinstance(type_, ListType):
        return tuple if type_.frozen else list
    return tuple if isinstance(type_, TupleType) else None


def held_list(value: Typed) -> str | None:
    """Return the list parameter that the items of a list are parts of."""
    item = value.type.item if isinstance(value.type, ListType) else None
    return value.borrowed if isinstance(item, ListType) else None


def _repeated(
    context: Context, node: n.BinOp, value: Typed, whole: Computation, count: Side
) -> Typed:
    if is_open(value.type):
        context.facts.types[node] = value.type
        return value
    parts = [node.left, node.right]
    if isinstance(value.type, ListType):
        repeated = standard(context, node, "repeated", whole, converted(count[1], INT))
        if value.type.frozen:
            repeated = context.apply(node, tuples.TUPLE_OF, repeated)
        result = context.record(node, parts, repeated)
        return replace(result, open_list=value.open_list, borrowed=held_list(value))
    assert isinstance(value.type, TupleType)
    known = count[0].known
    if known is None and (kind := any_length(value.type)):
        return _repeated(
            context, node, replace(value, type=kind), as_any_length(whole, kind), count
        )
    if known is None or not isinstance(known.value, int):
        context.fail(
            "operand-type",
            "a tuple is repeated a constant number of times",
            node,
            why="its type says how many items it has",
            instead="repeat a list: [0] * n",
        )
    places = range(len(value.type.items))
    items = [context.apply(node, data.ITEM, whole, index=place) for place in places]
    return context.record(node, parts, context.apply(node, data.TUPLE, *items * known.value))


def augmented(
    context: Context, node: n.AugAssign, current: Typed, reading: Computation, value: Typed
) -> Computation:
    """Return what `+=` and `*=` do to a list, in place."""
    given = operand(node.value, value)
    if node.op == "*" and value.type in _COUNTS:
        context.require_items(node, current)
        return standard(context, node, "repeat", reading, converted(given, INT))
    if node.op == "+":
        value, given = characters(context, node, value, given)
    if node.op == "+" and isinstance(value.type, ListType):
        return extended(context, node, (current, reading), (value, given))
    if node.op == "+" and isinstance(value.type, TensorType):
        context.fail(
            "operand-type",
            "a list that an array is added to becomes an array",
            node,
            why="NumPy adds their items",
            instead="xs.extend(x) for the list, or np.asarray(xs) + x under another name",
        )
    if node.op == "+" and isinstance(value.type, TupleType):
        context.require_items(node, current)
        return standard(context, node, "extend_by", reading, given)
    return operators.binary(context, node, node.op, (current, reading), (value, given))


# -------------------------------------------------------------------------------------- comparisons


def extended(context: Context, at: n.Node, base: Side, more: Side) -> Computation:
    """Return what adds the items of a list to another one, which may hold others, too."""
    one, two = base[0].type, more[0].type
    assert isinstance(one, ListType)
    assert isinstance(two, ListType)
    meets = base[0].open_list is not None and more[0].open_list is not None
    if one != two and not (meets or is_open(one) or is_open(two)):
        list_items.learn(context, at, base[0], Typed(two.item, more[0].span))
        if united_types(one.item, two.item) == one.item:
            return standard(context, at, "extend_by", base[1], more[1])
    list_items.meet(context, at, base[0], more[0])
    return context.apply(at, data.LIST_EXTEND, base[1], more[1])


def comparison(
    context: Context, at: n.Node, symbol: str, left: Side, right: Side
) -> Computation | None:
    """Return a comparison of lists or tuples, or a search; None for anything else."""
    if symbol in MEMBERSHIP:
        found = _contains(context, at, left, right)
        return _negated(context, at, found) if symbol == "not in" else found
    one, two = left[0].type, right[0].type
    sequences = isinstance(one, ListType | TupleType) and isinstance(two, ListType | TupleType)
    if not sequences:
        return None
    if _class_of(one) is not _class_of(two):
        if symbol in ("==", "!="):
            return Literal(symbol == "!=", BOOL)
        return operators.comparison(context, at, symbol, left, right)
    if is_tuple_of(one) or is_tuple_of(two):
        left, right = _of_any_length(left, two), _of_any_length(right, one)
    return _compared(context, at, symbol, left, right)


def joined_lengths(side: Side) -> Side:
    """Return what is a tuple of one of several lengths as one of any length."""
    members = side[0].type.members if isinstance(side[0].type, UnionType) else ()
    kind = any_length(*members)
    return (replace(side[0], type=kind), Convert(side[1], kind)) if kind else side


def _of_any_length(side: Side, other: Type) -> Side:
    """Return a tuple as one of any length: () as what it is compared with."""
    kind = other if side[0].type == TupleType(()) else any_length(side[0].type)
    return (replace(side[0], type=kind), as_any_length(side[1], kind)) if kind else side


def _compared(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> Computation:
    if symbol == "!=":
        return _negated(context, at, _compared(context, at, "==", left, right))
    written = symbol
    if symbol in (">", ">="):
        left, right, symbol = right, left, "<" if symbol == ">" else "<="
    if isinstance(left[0].type, ListType) and isinstance(right[0].type, ListType):
        if symbol == "==" and never_equal(left[0].type.item, right[0].type.item):
            return standard(context, at, "are_empty", left[1], right[1])
        are_numbers = is_number(left[0].type.item) and is_number(right[0].type.item)
        # Items of several types are compared as they are.
        join = list_items.join_displays if symbol == "==" or are_numbers else list_items.meet
        if not is_tuple_of(left[0].type):
            join(context, at, left[0], right[0])
        if symbol == "==":
            return standard(context, at, "same", left[1], right[1])
        return standard(context, at, "less", left[1], right[1], Literal(symbol == "<", BOOL))
    pairs = (_items(context, at, left), _items(context, at, right))
    return _tuples(context, at, symbol, *pairs, written)


def _tuples(
    context: Context,
    at: n.Node,
    symbol: str,
    left: Sequence[Side],
    right: Sequence[Side],
    written: str,
) -> Computation:
    """Return the comparison of what is left of two tuples; it was `written` with this operator.

    A few numbers are all compared: which of them decides, no processor foresees.
    """
    if symbol == "==" and len(left) != len(right):
        return Literal(False, BOOL)
    if not left or not right:
        ordered = len(left) < len(right) if symbol == "<" else len(left) <= len(right)
        return Literal(symbol == "==" or ordered, BOOL)
    if symbol != "==" and has_functions(context, left[0][0].type, right[0][0].type):
        same = both_none(context, at, left[0], right[0])
    else:
        same = equal(context, at, left[0], right[0])
    rest = _tuples(context, at, symbol, left[1:], right[1:], written)
    pairs = zip(left, right, strict=False)
    plain = len(left) <= _FEW and all(
        one.type in _PLAIN and one.type is two.type for (one, _), (two, _) in pairs
    )
    if symbol == "==":
        if plain:
            return same if len(left) == 1 else context.apply(at, elementwise.AND, same, rest)
        return Select(same, rest, Literal(False, BOOL), BOOL)
    if plain:
        if len(left) == len(right) == 1:
            return operators.comparison(context, at, symbol, left[0], right[0])
        less = operators.comparison(context, at, "<", left[0], right[0])
        tied = context.apply(at, elementwise.AND, same, rest)
        return context.apply(at, elementwise.OR, less, tied)
    found = _first_items(context, at, symbol, left[0], right[0], written)
    return Select(same, rest, operators.truth(context, at, found), BOOL)


def _first_items(
    context: Context, at: n.Node, symbol: str, left: Side, right: Side, written: str
) -> Computation:
    """Return which of two items is less, where they are not equal; the run raises where none is."""
    one, two = left[0].type, right[0].type
    if one == two and order_raises(context, one):
        name = "NoneType" if one is NONE else one.name if isinstance(one, DictType) else str(one)
        return _unordered(written, name)
    if has_unordered(context, one, two):
        return ordered(context, at, symbol, left, right, written)
    if NONE in (one, two) and _may_be_none(one if two is NONE else two):
        left, right = _beside_none(left, two), _beside_none(right, one)
        one, two = left[0].type, right[0].type
    if any(isinstance(type_, OptionalType | UnionType) for type_ in (one, two)):
        # Inside of a function each member is compared, and None raises.
        first, second = (left, right) if written == symbol else (right, left)
        return standard(context, at, _BEFORE[written], first[1], second[1])
    if isinstance(one, SetType) and isinstance(two, SetType):
        return context.compared(at, symbol, left, right)
    found = comparison(context, at, symbol, left, right)
    return operators.comparison(context, at, symbol, left, right) if found is None else found


def _may_be_none(type_: Type) -> bool:
    if isinstance(type_, OptionalType | UnionType):
        return isinstance(type_, OptionalType) or NONE in type_.members
    return is_number(type_) or type_ is STR


def _beside_none(side: Side, other: Type) -> Side:
    """Return an item of which one of the two is None as what may be None, of the same type."""
    held = other if side[0].type is NONE else side[0].type
    type_ = held if isinstance(held, OptionalType | UnionType) else OptionalType(held)
    return replace(side[0], type=type_, known=None), Convert(side[1], type_)


def _unordered(written: str, name: str) -> Computation:
    message = f"{written!r} not supported between instances of {name!r} and {name!r}"
    return Check(Literal(False, BOOL), "TypeError", message, Literal(False, BOOL), BOOL)


def _items(context: Context, at: n.Node, side: Side) -> list[Side]:
    """Return the items of a tuple, each with what is known of it."""
    value, whole = side
    assert isinstance(value.type, TupleType)
    constants = value.known.value if value.known else None
    found: list[Side] = []
    for index, type_ in enumerate(value.type.items):
        known = Known(constants[index]) if isinstance(constants, tuple) else None
        item = context.apply(at, data.ITEM, whole, index=index)
        found.append((Typed(type_, value.span, known=known), item))
    return found


def equal(context: Context, at: n.Node, left: Side, right: Side) -> Computation:
    """Return whether two items are equal, as a bool: never where their types exclude it."""
    if not _may_equal(left[0].type, right[0].type):
        return Literal(False, BOOL)
    if any(isinstance(member, ClassType) for member in members_of(left[0].type)):
        # Python takes objects for equal where they are one, which only the library does, too.
        return operators.truth(context, at, standard(context, at, "equals", left[1], right[1]))
    if isinstance(right[0].type, Container) and type(left[0].type) is type(right[0].type):
        return operators.truth(context, at, context.compared(at, "==", left, right))
    found = comparison(context, at, "==", left, right)
    if found is None:
        found = operators.comparison(context, at, "==", left, right)
    return operators.truth(context, at, found)


def _may_equal(one: Type, two: Type) -> bool:
    kinds = [_kind(type_) for type_ in (one, two)]
    return kinds[0] == kinds[1] or "other" in kinds


def _kind(type_: Type) -> str:
    if is_number(type_):
        return "number"
    names: Mapping[Type, str] = {STR: "str", BYTES: "bytes", NONE: "None"}
    if (cls := _class_of(type_)) is not None:
        return cls.__name__
    return names.get(type_, "other")


def _negated(context: Context, at: n.Node, value: Computation) -> Computation:
    if isinstance(value, Literal):
        return Literal(not value.value, BOOL)
    return context.apply(at, elementwise.NOT, value)


# ----------------------------------------------------------------------------------------- searches


def _contains(context: Context, at: n.Node, left: Side, right: Side) -> Computation:
    value, whole = left
    if (found := text_operators.contains(context, at, left, right)) is not None:
        return found
    match right[0].type:
        case TupleType():
            return _in_tuple(context, at, left, right)
        case ListType(item):
            context.require_items(at, right[0])
            if not _may_equal(item, value.type):
                return Literal(False, BOOL)
            return standard(context, at, "contains", right[1], whole)
        case TensorType(_, dims) if dims and element_of(value.type) is not None:
            found = operators.comparison(context, at, "==", right, left)
            axes = tuple(range(found.type.rank)) if isinstance(found.type, TensorType) else ()
            some = context.apply(at, reductions.ANY, found, axis=axes, keepdims=False)
            return Convert(some, BOOL)
        case ClassType() as owner:
            held = protocols.contains(context, at, right[1], whole)
            if held is None:
                instead = "write the method: def __contains__(self, item): ..."
                context.fail("operator", f"{owner} has no __contains__", at, instead=instead)
            return operators.truth(context, at, held)
        case NamedType():
            return _among_named(context, at, left, right)
        case _:
            _refuse_search(context, at, left, right)


def _in_tuple(context: Context, at: n.Node, left: Side, right: Side) -> Computation:
    """Return whether a tuple has an item that equals a value: of many items, as a list."""
    items = _items(context, at, right)
    if len(items) > MOST_UNROLLED and len({item.type for item, _ in items}) == 1:
        type_ = items[0][0].type
        listed = context.apply(at, data.LIST, *(item for _, item in items), item=type_)
        return _contains(context, at, left, (Typed(ListType(type_), right[0].span), listed))
    found: Computation = Literal(False, BOOL)
    for item in reversed(items):
        found = Select(equal(context, at, item, left), Literal(True, BOOL), found, BOOL)
    return found


def _among_named(context: Context, at: n.Node, left: Side, right: Side) -> Computation:
    """Return whether a flag has the bits of another one, or a named tuple an item."""
    if right[0].type == left[0].type and of_named.is_flag(right[0].type):
        return of_named.contained(context, at, left[1], right[1])
    whole = of_named.plain_side(right)
    if whole == right:
        _refuse_search(context, at, left, right)
    return _contains(context, at, left, whole)


def _refuse_search(context: Context, at: n.Node, left: Side, right: Side) -> NoReturn:
    context.fail(
        "operator",
        f"'in' is not defined for {left[0].type} and {right[0].type}",
        at,
        instead="search a tuple, a list, an array or a range",
    )


def check_range(context: Context, node: n.Compare) -> Typed | None:
    """Check `x in range(...)`, where a step of the range would come to x, and `x in Color`."""
    symbol, source = next(iter(node.ops), ""), node.comparators[-1]
    if len(node.ops) > 1 or symbol not in MEMBERSHIP:
        return None
    if isinstance(source, n.Name | n.Attribute):
        return named_calls.among(context, node, source)
    if not isinstance(source, n.Call):
        return None
    callee = context.callee(source)
    if not (isinstance(callee, Static) and callee.value is range):
        return None
    if not 1 <= len(source.args) <= 3 or source.keywords:
        context.fail("call-arity", "a range takes one to three positional arguments", source)
    parts = [node.left, *source.args]
    values = [(part, context.typed(part)) for part in parts]
    for part, value in values:
        if value.type not in INDEX_TYPES:
            context.fail("argument", f"this must be int, not {value.type}", part)
    found = _in_range(context, node, [operand(part, value) for part, value in values])
    return context.record(
        node, parts, _negated(context, node, found) if symbol == "not in" else found
    )


def _in_range(context: Context, node: n.Compare, given: Sequence[Computation]) -> Computation:
    any_size = any(value.type is BIGINT for value in given)
    whole = BIGINT if any_size else INT
    first, *bounds = [converted(value, whole) for value in given]
    if len(bounds) == 1:
        bounds.insert(0, converted(Literal(0, INT), whole))
    if len(bounds) == 2:
        bounds.append(converted(Literal(1, INT), whole))
    if not any_size:
        return standard(context, node, "in_range", first, *bounds)
    return context.call(node, standard_function("bigint_math", "in_range"), (first, *bounds))
