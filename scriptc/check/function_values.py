"""Functions as values: objects of a class for each function and what it has captured.

A function is a constant as long as it is the same one on every path. Where it is put into a list,
returned, or chosen by a condition, it becomes an object, whose fields are the variables that it
captured; a call asks which class the object is of. What a variable holds that is assigned again
later is read when the function is called, so it lives in a cell, and the cell is captured.
"""

from collections.abc import Mapping
from typing import cast

from scriptc.check import outside_objects
from scriptc.check.bindings import Static, Typed
from scriptc.check.borrowed_lists import refuse_borrowed
from scriptc.check.cells import cell_of
from scriptc.check.checked import Computation, Convert
from scriptc.check.closures import (
    Closure,
    Definition,
    computed_defaults,
    define,
    passed_on,
    resolved,
)
from scriptc.check.context import Context, UnknownTypeError, Value, operand
from scriptc.check.function_classes import SELF
from scriptc.check.kept_captures import Place, place_of
from scriptc.check.list_uses import ListUses
from scriptc.check.members import class_type, find_member, is_users, line_of
from scriptc.check.open_parameters import learn_told, leave_to_others, may_be_told
from scriptc.check.scopes import bindings_of, free_names, holds, plain_function
from scriptc.check.size_names import without_sizes
from scriptc.syntax import nodes as n
from scriptc.values.outside_places import is_outside
from scriptc_runtime.ops import data
from scriptc_runtime.record import field, record
from scriptc_runtime.types import ClassType, Type


def made(context: Context, node: n.Node, static: Static) -> Typed | None:
    """Return a function, or an object outside, as an object; None for what is neither."""
    captured = _Captured(context, node)
    if static.receiver is not None:
        return _method(context, captured, static.value, *static.receiver)
    if isinstance(node, n.Expression) and is_outside(static.value):
        return outside_objects.as_value(context, node, static.value)
    live = resolved(context, static.value, node)
    if not isinstance(live, Closure):
        if not _is_function(live):
            return None
        return captured.object_of(live)
    held, fixed = list(live.held), list[tuple[str, object]]()
    for name, value in live.fixed:
        moved, more = passed_on(value, name)
        fixed.append((name, moved))
        held += more
    for parameter, variable in held:
        if context.is_field(variable):
            context.fail(
                "nested-function",
                f"a function that is kept reads {variable!r} before its object is made",
                node,
                why="a field is a variable until the end of __init__",
                instead="a method, or a variable with the value",
            )
        captured.hold(parameter, variable)
    if isinstance(static.value, Definition):
        for parameter, default in computed_defaults(context, live.function):
            captured.take(f"{parameter}=", default, context.typed(default))
    return captured.object_of(Closure(live.live, _own(captured.captured), tuple(fixed)))


def _class_written_in(context: Context, node: n.Node, type_: ClassType) -> type | None:
    """Return the class in which the method stands whose object a name is; None for another name.

    What a class keeps of its object is then of one type, of whichever class the object is.
    """
    own = context.definition.args.args if context.definition else ()
    if not (own and isinstance(node, n.Name) and node.id == own[0].arg):
        return None
    code, name = context.function.__code__, context.function.__name__
    for live in line_of(context.class_named(type_.name).live):
        function = plain_function(vars(live).get(name))
        if function is not None and function.__code__ is code:
            return live
    return None


def _method(
    context: Context, captured: "_Captured", name: object, at: n.Node, receiver: Typed
) -> Typed | None:
    """Return a method of an object as an object."""
    if not isinstance(receiver.type, ClassType) or not isinstance(at, n.Expression):
        return None
    live = _class_written_in(context, at, receiver.type)
    has_method = live is not None and find_member(live, cast(str, name)) is not None
    captured.take(SELF, at, receiver, None if live is None or not has_method else class_type(live))
    return captured.object_of(name, is_method=True)


def _is_function(live: object) -> bool:
    """Whether something is a function, a class of the user's, or a type that converts."""
    if isinstance(live, type):
        return live in (int, float, str, bool) or is_users(live)
    return callable(live)


def defined(context: Context, node: n.FunctionDef | n.Lambda) -> Value:
    """Return what a nested function stands for: an object if its defaults are computed."""
    if isinstance(node, n.FunctionDef):
        _refuse_renamed(context, node)
    static = define(context, node)
    assert isinstance(static.value, Definition)
    if not computed_defaults(context, static.value.function):
        return static
    value = made(context, node, static)
    assert value is not None
    return value


def _refuse_renamed(context: Context, node: n.FunctionDef) -> None:
    """Refuse a function that calls itself by a name which stands for something else later."""
    if context.definition is None or node.name not in free_names(node):
        return
    for place in (b.place for b in bindings_of(context.definition).get(node.name, ())):
        if place.lo > node.lo and not isinstance(place, n.FunctionDef):
            context.fail(
                "nested-function",
                f"{node.name}() calls itself, and {node.name!r} is assigned again later",
                node,
                why="what it calls would then be another function, which calls this one",
                instead="a `def` at the top of the module, or another name for the other function",
            )


def _own(fields: Mapping[str, Type]) -> tuple[tuple[str, str], ...]:
    return tuple((name, name) for name in fields if not name.endswith("="))


@record(frozen=False, eq=False)
class _Captured:
    """What a function captures, and the values."""

    context: Context
    node: n.Node
    captured: dict[str, Type] = field(default_factory=dict[str, Type])
    values: list[Computation] = field(default_factory=list[Computation])
    parts: list[n.Expression] = field(default_factory=list[n.Expression])
    opened: dict[str, tuple[Place, int]] = field(default_factory=dict[str, tuple[Place, int]])

    def take(self, name: str, at: n.Expression, value: Typed, type_: Type | None = None) -> None:
        """Capture a value, as one of `type_`, which is a base of its class."""
        context = self.context
        if not self._is_told_later(name, at, value):
            context.require_items(at, value)
        refuse_borrowed(context, at, value, "captured by a function that is kept")
        self.captured[name] = type_ or without_sizes(value.type)
        whole = operand(at, value)
        self.values.append(Convert(whole, type_) if type_ else whole)
        self.parts.append(at)

    def _is_told_later(self, name: str, at: n.Expression, value: Typed) -> bool:
        """Whether calls of the function say what a list holds of which nothing is known."""
        context, captures = self.context, self.context.rounds.captures
        key = place_of(context.function, name), self.node.lo
        if not may_be_told(value):
            return False
        if told := captures.of(key):
            learn_told(context, ListUses(told=((name, *told),)), [(name, value)])
            raise context.not_known_yet(at)
        if not captures.want(key):
            return False
        leave_to_others(context, value)
        self.opened[name] = key
        return True

    def hold(self, name: str, variable: str) -> None:
        """Capture a variable: its value where nothing is assigned to it later, or else its cell."""
        context, node = self.context, self.node
        if variable in context.held:
            context.rounds.kept.note(context.function, variable)
        elif variable not in context.shared and is_changed_later(context, node, variable):
            raise share(context, node, variable)
        if variable in context.shared:
            cell = cell_of(context, node, variable)
            self.captured[name] = cell.type
            self.values.append(cell)
            return
        at = n.Name(node.lo, node.hi, variable)
        self.take(name, at, context.typed(at))

    def object_of(self, target: object, *, is_method: bool = False) -> Typed:
        """Return the object."""
        context, node = self.context, self.node
        cls = context.function_class(target, self.captured, is_method)
        for name, key in self.opened.items():
            context.rounds.captures.capture(cls.name, name, key)
        fields = tuple(cls.fields)
        new = context.apply(node, data.NEW, *self.values, cls=cls.name, fields=fields)
        return context.record(node, self.parts, new)


def share(context: Context, node: n.Node, variable: str) -> UnknownTypeError:
    """Return what to raise where a function is to capture the cell of a variable from now on."""
    context.learned.shared.add(variable)
    context.learned.cells.setdefault(variable, None)
    return context.not_known_yet(node)


def is_changed_later(context: Context, node: n.Node, variable: str) -> bool:
    """Whether something is assigned to a variable once a function is made that reads it."""
    if "@" in variable:
        return True  # it is one of a comprehension, or of a generator that is a part of a loop
    found = bindings_of(context.definition).get(variable) if context.definition else None
    if not found:
        return False
    # A loop that holds the function and any of them holds the last one that is not later.
    last = found[-1]
    return last.place.lo > node.lo or (last.loop is not None and holds(last.loop, node))
