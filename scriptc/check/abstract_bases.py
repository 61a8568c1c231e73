"""What a base leaves to the classes that inherit from it: fields and methods that it has not.

    class Shape:
        def text(self): return f"{self.name}: {self.area()}"

    class Square(Shape):
        def __init__(self, side): self.name, self.side = "square", side
        def area(self): return self.side ** 2

A method that needs such is one for each class of which there are objects. What other code reads of
an object that may be of several of them is a choice between the classes, of which some may have
nothing of that name: the run raises AttributeError there.
"""

from collections.abc import Callable, Hashable, Sequence
from types import FunctionType

from scriptc.check import dispatch
from scriptc.check.bindings import Typed
from scriptc.check.checked import Check, Computation, Literal
from scriptc.check.class_stand_ins import name_in_messages
from scriptc.check.context import Context, operand
from scriptc.check.members import find_member
from scriptc.check.scopes import once_a_function, plain_function, walk
from scriptc.syntax import nodes as n
from scriptc_runtime.types import BOOL, NONE, ClassType


def method_cases(
    context: Context, node: n.Node, owner: Computation, method: str
) -> Sequence[dispatch.Case]:
    """Return the cases of a method that is called: one for each class if it needs what they add."""
    assert isinstance(owner.type, ClassType)
    made = context.made_of(owner.type.name)
    if [live.__name__ for live in made] == [owner.type.name]:
        return dispatch.cases(context, node, owner, dispatch.member_key(method))
    key = _method_key(context, owner.type, method)
    found = dispatch.cases(context, node, owner, key)
    return narrowed(found, owner.type) if isinstance(key(found[0].live), tuple) else found


def _method_key(context: Context, type_: ClassType, method: str) -> Callable[[type], Hashable]:
    """Return what tells classes apart by what a method does for their objects."""
    plain = dispatch.member_key(method)

    def key(live: type) -> Hashable:
        member = find_member(live, method)
        function = plain_function(member.value) if member else None
        if member is None:
            return live  # which is what the run says
        is_own = isinstance(function, FunctionType) and _leaves_some(context, type_, function)
        return (plain(live), live) if is_own else plain(live)

    return key


def _leaves_some(context: Context, type_: ClassType, function: FunctionType) -> bool:
    """Whether a method uses what the class it is called on does not have."""
    declared = context.class_named(type_.name)
    if all(name in declared.names for name in function.__code__.co_names):
        return False
    _, node = context.syntax_of(function)
    return any(_is_missing(context, type_, name) for name in _used_of_first(node))


@once_a_function
def _used_of_first(node: n.FunctionDef) -> frozenset[str]:
    """Return the attributes of its first parameter that a method uses."""
    owner = node.args.args[0].arg if node.args.args else None
    return frozenset(
        part.attr
        for part in walk(node.body)
        if isinstance(part, n.Attribute)
        and isinstance(part.value, n.Name)
        and part.value.id == owner
    )


def _is_missing(context: Context, type_: ClassType, name: str) -> bool:
    declared = context.class_named(type_.name)
    return name not in declared.names and find_member(declared.live, name) is None


def cases_left(context: Context, node: n.Attribute, base: Typed) -> Sequence[dispatch.Case] | None:
    """Return the cases of an attribute that only the classes have which inherit.

    None where it is none, and where no class of which there are objects has it, or one of them
    perhaps has it not yet.
    """
    assert isinstance(base.type, ClassType)
    if not _is_missing(context, base.type, node.attr):
        return None
    possible = context.possible_classes(node, base.type.name)
    if not any(has(context, live, node.attr) for live in possible):
        return None
    if any(node.attr in context.class_named(live.__name__).late for live in possible):
        return None
    found = dispatch.cases(context, node, operand(node.value, base), lambda live: live)
    return narrowed(found, base.type)


def narrowed(found: Sequence[dispatch.Case], type_: ClassType) -> Sequence[dispatch.Case]:
    """Return cases with the object as one of the class, where it is of no other, too."""
    if len(found) > 1:
        return found
    (case,) = found
    owner = dispatch.narrowed(case.owner, case.live, (case.live.__name__,), type_)
    return [dispatch.Case(case.live, owner, ())]


def has(context: Context, live: type, name: str) -> bool:
    """Whether objects of a class have an attribute."""
    fields = context.class_named(live.__name__).names
    return name in fields or find_member(live, name) is not None


def lacking(live: type, name: str) -> Computation:
    """Return what raises as an object of a class has no such attribute."""
    message = f"{name_in_messages(live)!r} object has no attribute {name!r}"
    nothing = Literal(None, NONE)
    return Check(Literal(False, BOOL), "AttributeError", message, nothing, NONE)
