"""Operators on objects: the methods of a class that Python's syntax calls.

    a + b     a.__add__(b), else b.__radd__(a)
    a < b     a.__lt__(b), else b.__gt__(a)
    a[i]      a.__getitem__(i)

Types decide which of them is called: a method that returns NotImplemented for the types of its
arguments has declined, and the other operand is asked. The right one goes first where its class
inherits from that of the left one, see `precedence`. What `dataclasses` wrote into a class has no
source, so its comparisons and its text are made here, of the fields.
"""

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from types import FunctionType
from typing import cast

from scriptc.check import dataclass_protocols, exception_kinds, precedence, same_functions
from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Convert, Literal, Select
from scriptc.check.constants import is_scalar
from scriptc.check.context import Context, Declined
from scriptc.check.conversion import converted
from scriptc.check.dispatch import Case, cases, chosen_of_all, member_key
from scriptc.check.function_classes import is_of_module, text_of_function
from scriptc.check.library.standard import standard_function
from scriptc.check.live_values import type_of
from scriptc.check.members import exception_base, find_member
from scriptc.check.named import methods
from scriptc.check.scopes import plain_function
from scriptc.syntax.nodes import AugAssign, Node
from scriptc.values import dataclass_members
from scriptc_runtime.named_classes import kind_of
from scriptc_runtime.ops import containers, data, elementwise, unions
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    FLOAT,
    INT,
    INTEGERS,
    STR,
    ClassType,
    DType,
    NamedType,
    OptionalType,
    Type,
    UnionType,
)
from scriptc_runtime.unions import members_of

Side = tuple[Typed, Computation]

_NAMES: Mapping[str, str] = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "truediv",
    "//": "floordiv",
    "%": "mod",
    "**": "pow",
    "@": "matmul",
    "&": "and",
    "|": "or",
    "^": "xor",
    "<<": "lshift",
    ">>": "rshift",
}
# What a method that `a += b` calls is compiled for besides its types: the operator.
UPDATE = "operator@"
_UNARY: Mapping[str, str] = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}
# The method of each side that a comparison asks.
_COMPARISONS: Mapping[str, tuple[str, str]] = {
    "==": ("__eq__", "__eq__"),
    "!=": ("__ne__", "__ne__"),
    "<": ("__lt__", "__gt__"),
    "<=": ("__le__", "__ge__"),
    ">": ("__gt__", "__lt__"),
    ">=": ("__ge__", "__le__"),
}
_REFLECTED = tuple(other for _, other in _COMPARISONS.values())
# Functions that `functools.total_ordering` puts into a class.
_ORDERING = re.compile(r"_(l[te]_from_\w\w|g[te]_from_\w\w)")
_ORDERED = ("<", "<=", ">", ">=")
_ORDERS = ("__lt__", "__le__", "__gt__", "__ge__")


def method_of(context: Context, type_: Type, name: str) -> FunctionType | None:
    """Return the method that a class, or one of its bases, has in its text; None where none has."""
    if isinstance(type_, NamedType):
        return method_in(context.named_class(type_), name)
    if not isinstance(type_, ClassType):
        return None
    return method_in(context.class_named(type_.name).live, name)


def method_in(live: type, name: str) -> FunctionType | None:
    """Return the method that one class has in its text, or that of a base; None for others."""
    if kind_of(live) is not None:
        return methods.function_of(live, name)
    member = find_member(live, name)
    function = plain_function(member.value) if member else None
    if member is None or function is None:
        return None
    if function.__module__ == "functools" and (
        total := _ORDERING.fullmatch(function.__code__.co_name)
    ):
        return standard_function("orders", total[1])
    return (
        None if dataclass_members.is_made_by_dataclasses(member.owner, name, function) else function
    )


def called(
    context: Context, at: Node, name: str, owner: Computation, *arguments: Computation
) -> Computation | None:
    """Return a call of a method; None where the class has none, or it declines these arguments."""
    if isinstance(owner.type, NamedType):
        case = Case(context.named_class(owner.type), owner, (owner.type.name,))
        return call_in(context, at, name, case, arguments)
    if not isinstance(owner.type, ClassType):
        return None
    return by_class(
        context, at, name, owner, lambda case: call_in(context, at, name, case, arguments)
    )


def by_class(
    context: Context,
    at: Node,
    name: str,
    owner: Computation,
    made: Callable[[Case], Computation | None],
    key: Callable[[type], Hashable] | None = None,
) -> Computation | None:
    """Return what a method does in the class of an object; None where no class has it."""
    found = cases(context, at, owner, key or member_key(name))
    return chosen_of_all(context, at, owner, found, [made(case) for case in found], name)


def call_in(
    context: Context, at: Node, name: str, case: Case, arguments: Sequence[Computation]
) -> Computation | None:
    """Return a call of a method of one class; None where it has none, or declines."""
    function = method_in(case.live, name)
    if function is None:
        return None
    context.depend("function", f"{function.__module__}.{function.__qualname__}", function)
    signature = context.signature(function, case.live)
    given = [case.owner, *arguments]
    for parameter in signature.names[len(given) :]:
        default = signature.defaults.get(parameter, ...)
        if not (default is None or is_scalar(default)):
            break
        given.append(Literal(cast("float | None", default), type_of(default)))
    if len(given) != len(signature.names):
        context.fail(
            "call-arity",
            f"{function.__qualname__} is called with {len(arguments)} arguments, which Python's"
            " syntax gives it",
            at,
            instead=f"def {name}(self{''.join(f', x{i}' for i, _ in enumerate(arguments))})",
        )
    # Of a method that declines some values, the TypeError says which operator it was.
    declines = "NotImplemented" in function.__code__.co_names
    update = ((UPDATE, f"{at.op}="),) if declines and isinstance(at, AugAssign) else ()
    try:
        return context.call(at, function, given, fixed=update)
    except Declined:
        return None


# ------------------------------------------------------------------------------------ operators


def binary(context: Context, at: Node, symbol: str, left: Side, right: Side) -> Computation | None:
    """Return `left symbol right`, of which one side is an object; None where no method takes it."""
    name = _NAMES[symbol]
    return reflecting(context, at, (f"__{name}__", f"__r{name}__"), left[1], right[1])


def reflecting(
    context: Context, at: Node, names: tuple[str, str], lhs: Computation, rhs: Computation
) -> Computation | None:
    """Return what a method gives for two operands, or its reflected one for them exchanged.

    None where one may be of several types: for each of them another method may be asked.
    """
    own, other = names
    if any(isinstance(side.type, UnionType | OptionalType) for side in (lhs, rhs)):
        return None

    def precedes(one: type, two: type) -> bool:
        return is_asked_first(other, one, two)

    def asked(left: Computation, right: Computation, right_first: bool) -> Computation | None:
        if right_first:
            found = called(context, at, other, right, left)
            return found or called(context, at, own, left, right)
        found = called(context, at, own, left, right)
        if found is None and left.type != right.type:
            found = called(context, at, other, right, _as_python(left))
        return found

    return precedence.in_order(context, at, own, (lhs, rhs), precedes, asked)


def is_asked_first(reflected: str, left: type, right: type) -> bool:
    """Whether the right operand is asked for its reflected method before the left one is asked."""
    if not precedence.inherits(right, left) or method_in(right, reflected) is None:
        return False
    # Of a comparison it need be no other method than the one of the left operand.
    return reflected in _REFLECTED or member_key(reflected)(left) != member_key(reflected)(right)


def in_place(
    context: Context, at: Node, symbol: str, left: Computation, right: Computation
) -> Computation | None:
    """Return what `__iadd__` and its like give; None where the class has none."""
    return called(context, at, f"__i{_NAMES[symbol]}__", left, right)


def _as_python(value: Computation) -> Computation:
    """Return a NumPy number as the Python number that NumPy hands to a method of an object."""
    if not isinstance(value.type, DType) or value.type.kind == "c":
        return value
    kinds: Mapping[str, Type] = {"b": BOOL, "i": INT, "u": INT, "f": FLOAT}
    return converted(value, kinds[value.type.kind])


def unary(context: Context, at: Node, symbol: str, value: Computation) -> Computation | None:
    """Return `-x`, `+x` or `~x` of an object; None where its class has no method for it."""
    return called(context, at, _UNARY[symbol], value)


def comparison(
    context: Context, at: Node, symbol: str, left: Side, right: Side
) -> Computation | None:
    """Return a comparison of which one side is an object; None where no method takes it.

    So it is where `!=` is what `==` is not, and where one side may be None, for which another
    method is asked.
    """
    own, other = _COMPARISONS[symbol]
    if any(isinstance(side[1].type, OptionalType) for side in (left, right)) and symbol in _ORDERED:
        return None

    def precedes(one: type, two: type) -> bool:
        return is_asked_first(other, one, two)

    def asked(lhs: Computation, rhs: Computation, right_first: bool) -> Computation | None:
        sides = [(own, lhs, rhs), (other, rhs, _as_python(lhs))]
        for name, one, two in reversed(sides) if right_first else sides:
            found = called(context, at, name, one, two)
            found = found or dataclass_protocols.dataclass_comparison(context, at, name, one, two)
            if found is not None:
                return found
            if symbol == "!=" and _is_not_equal(context, at, one, two):
                return None
        if symbol in _ORDERED:
            return None
        same = identity(context, at, lhs, rhs, is_identity=False)
        return same if symbol == "==" else negated(context, at, same)

    return precedence.in_order(context, at, own, (left[1], right[1]), precedes, asked)


def _is_not_equal(context: Context, at: Node, one: Computation, two: Computation) -> bool:
    """Whether `!=` is what `==` is not: so it is of `object`, not where a class has a `__ne__`."""
    if method_of(context, one.type, "__ne__") is not None:
        return False
    written = called(context, at, "__eq__", one, two)
    made = written or dataclass_protocols.dataclass_comparison(context, at, "__eq__", one, two)
    return made is not None


def own_comparison(
    context: Context, at: Node, symbol: str, lhs: Computation, rhs: Computation
) -> Computation | None:
    """Return what a method in the text of a class says of a comparison; None where none does."""
    own, other = _COMPARISONS[symbol]
    for name, one, two in ((own, lhs, rhs), (other, rhs, _as_python(lhs))):
        if (found := called(context, at, name, one, two)) is not None:
            return found
    return None


def has_order(context: Context, type_: ClassType) -> bool:
    """Whether objects of a class are compared by `<`."""
    own = context.class_named(type_.name).live
    return all(
        method_in(live, "__lt__") is not None
        or method_in(live, "__gt__") is not None
        or dataclass_protocols.fields_compared(live, "__lt__") is not None
        for live in context.made_of(type_.name) or (own,)
    )


def identity(
    context: Context, at: Node, left: Computation, right: Computation, *, is_identity: bool = True
) -> Computation:
    """Return whether two values, one of them an object, are one.

    Without `is_identity`, whether `object` calls them equal: bound methods are other objects.
    """
    same = same_functions.same_functions(context, at, left, right, is_identity=is_identity)
    if same is not None:
        return same
    for one, other in ((left, right), (right, left)):
        if one.type is BOOL:
            return _is_truth_value(context, at, one, other)
    left, right = _as_one_type(context, left, right)
    if not (isinstance(left.type, ClassType) or isinstance(right.type, ClassType)):
        context.fail(
            "operator",
            "'is' compares objects, or a value with None",
            at,
            why="other values of scripts have no identity, but for True and False",
            instead="compare with ==",
        )
    if left.type == right.type:
        return context.apply(at, data.SAME, left, right)
    # Of these the presence, or the member, would have to be compared as well.
    kinds = (OptionalType, UnionType)
    if isinstance(left.type, kinds) or isinstance(right.type, kinds):
        context.fail(
            "optional",
            f"{left.type} and {right.type} are compared",
            at,
            instead="test `is not None`, or isinstance, first",
        )
    return Literal(False, BOOL)


def _is_truth_value(
    context: Context, at: Node, truth: Computation, other: Computation
) -> Computation:
    """Return whether a value is this one of True and False, of which there is one each."""
    if BOOL not in members_of(other.type):
        return Literal(False, BOOL)
    equal = context.apply(at, elementwise.EQ, truth, Convert(other, BOOL))
    if other.type is BOOL:
        return context.apply(at, elementwise.EQ, truth, other)
    holds = context.apply(at, unions.HOLDS, other, type=BOOL)
    return Select(holds, equal, Literal(False, BOOL), BOOL)


def _as_one_type(
    context: Context, left: Computation, right: Computation
) -> tuple[Computation, Computation]:
    """Return two objects as those of the base, where the class of one is the base of the other."""
    first, second = left.type, right.type
    if not (isinstance(first, ClassType) and isinstance(second, ClassType)):
        return left, right
    one, two = context.class_named(first.name).live, context.class_named(second.name).live
    if first != second and issubclass(one, two):
        return Convert(left, second), right
    if first != second and issubclass(two, one):
        return left, Convert(right, first)
    return left, right


def contains(
    context: Context, at: Node, owner: Computation, item: Computation
) -> Computation | None:
    """Return whether an object holds an item: what `__contains__` says, or a loop over it finds."""
    found = called(context, at, "__contains__", owner, item)
    loops = ("__iter__", "__getitem__")
    if found is None and any(method_of(context, owner.type, name) for name in loops):
        return context.call(at, standard_function("objects", "among_items"), (owner, item))
    return found


def negated(context: Context, at: Node, value: Computation) -> Computation:
    """Return `not value`, of a bool."""
    if isinstance(value, Literal):
        return Literal(not value.value, BOOL)
    return context.apply(at, elementwise.NOT, value)


# ----------------------------------------------------------------------------- lengths and truth


def length(context: Context, at: Node, owner: Computation) -> Computation | None:
    """Return `len(owner)`; None where the class has no `__len__`."""
    found = called(context, at, "__len__", owner)
    return None if found is None else _checked_length(context, at, found)


def _checked_length(context: Context, at: Node, found: Computation) -> Computation:
    if found.type not in (INT, BIGINT, *INTEGERS):
        context.fail("result", f"__len__ returns {found.type}, not int", at, instead="an int")
    checked = standard_function("objects", "checked_length")
    return context.call(at, checked, (converted(found, INT),))


def truth_of(context: Context, at: Node, owner: Computation) -> Computation:
    """Return whether an object counts as true: by `__bool__`, by `__len__`, else always."""

    def made(case: Case) -> Computation:
        found = call_in(context, at, "__bool__", case, ())
        if found is not None and found.type is not BOOL:
            context.fail("result", f"__bool__ returns {found.type}, not bool", at, instead="a bool")
        size = None if found else call_in(context, at, "__len__", case, ())
        if size is None:
            return found or Literal(True, BOOL)
        length = _checked_length(context, at, size)
        return context.apply(at, elementwise.NE, length, Literal(0, INT))

    if isinstance(owner.type, NamedType):
        return made(Case(context.named_class(owner.type), owner, (owner.type.name,)))
    if not isinstance(owner.type, ClassType):
        return Literal(True, BOOL)
    keys = [member_key(name) for name in _OF_TRUTH]
    found = by_class(
        context, at, "__bool__", owner, made, lambda live: tuple(key(live) for key in keys)
    )
    assert found is not None
    return found


_OF_TRUTH = ("__bool__", "__len__")


def has_truth(context: Context, type_: ClassType) -> bool:
    """Whether objects of a class, or of one that inherits from it, may count as false."""
    possible = context.made_of(type_.name) or (context.class_named(type_.name).live,)
    return any(method_in(live, name) for live in possible for name in _OF_TRUTH)


# ----------------------------------------------------------------------------------------- texts


def text_of(
    context: Context, at: Node, owner: Computation, spec: str, conversion: str
) -> Computation | None:
    """Return the text of an object; None where its class has no method for it."""
    if spec or not conversion:
        found = called(context, at, "__format__", owner, Literal(spec, STR))
        if found is not None or spec:
            return found
    names = ("__repr__",) if conversion == "r" else ("__str__", "__repr__")
    if _is_exception(context, owner):
        names = names[:1]  # the built-in __str__ does not ask for the other

    def shown() -> Computation | None:
        made = partial(_text_of_case, context, at, names, conversion)
        # The text of a dataclass has the name of its class, as that of others without a method.
        return by_class(context, at, names[0], owner, made, lambda live: live)

    if not _are_dataclasses(context, at, owner, names):
        return shown()

    def written() -> Computation:
        found = shown()
        assert found is not None  # that of a dataclass at least
        return found

    return dataclass_protocols.once(context, at, names[0], (owner,), written)


def _text_of_case(
    context: Context, at: Node, names: tuple[str, ...], conversion: str, case: Case
) -> Computation | None:
    """Return the text of objects for which the same is done; None where there is none."""
    for name in names:
        found = call_in(context, at, name, case, ())
        found = found or dataclass_protocols.dataclass_text(context, at, name, case)
        if found is not None and found.type is not STR:
            message = f"{name} returns {found.type}, not str"
            context.fail("result", message, at, instead="a str")
        if found is not None:
            return found
    if _is_exception(context, case.owner):
        return context.text(
            at, exception_kinds.exception_in(context, at, case.owner), conversion or "s"
        )
    return _place_text(context, at, case)


def _are_dataclasses(
    context: Context, at: Node, owner: Computation, names: tuple[str, ...]
) -> bool:
    """Whether an object may be one whose text is that of a dataclass."""
    assert isinstance(owner.type, ClassType)
    possible = context.possible_classes(at, owner.type.name)
    return any(dataclass_protocols.fields_shown(live, name) for live in possible for name in names)


def _place_text(context: Context, at: Node, case: Case) -> Computation | None:
    """Return what Python shows of an object whose class has no text: its class, and where it is."""
    owner = case.owner
    if not isinstance(owner.type, ClassType):
        return None
    if function := context.function_called(owner.type.name):
        return Literal(text_of_function(function), STR) if is_of_module(function) else None
    about = Literal(f"{case.live.__module__}.{case.live.__qualname__}", STR)
    place = context.apply(at, containers.HASH, owner)
    return context.call(at, standard_function("hashes", "object_text"), (about, place))


def _is_exception(context: Context, owner: Computation) -> bool:
    if not isinstance(owner.type, ClassType):
        return False
    return exception_base(context.class_named(owner.type.name).live) is not None
