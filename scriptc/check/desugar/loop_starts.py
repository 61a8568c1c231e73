"""What runs where a loop begins, before its first item: `__iter__` of an object, or nothing."""

from inspect import CO_GENERATOR
from types import FunctionType

from scriptc.check.bindings import Static
from scriptc.check.context import Context
from scriptc.check.desugar.dict_loops import is_view
from scriptc.check.desugar.generator_loops import generator_called, gives_items
from scriptc.check.desugar.object_loops import method_of
from scriptc.check.library.standard import is_standard
from scriptc.check.members import find_member
from scriptc.syntax import nodes as n
from scriptc_runtime.types import ClassType, OptionalType, UnionType

_MAKERS = (enumerate, range, reversed, zip)


def begins_later(context: Context, node: n.Expression) -> bool:
    """Whether a loop over `node` runs no code, and raises nothing, before its first item."""
    if isinstance(node, n.Constant | n.Tuple | n.List | n.GeneratorExp | n.Lambda):
        return True
    if isinstance(node, n.Call) and is_view(context, node):
        return True
    if isinstance(node, n.Call) and _begins_arguments(context, node):
        return all(begins_later(context, argument) for argument in node.args)
    if gives_items(context, node):
        return True  # a generator of the program
    found = context.expression(node)
    if isinstance(found, Static):
        return True
    if isinstance(found.type, OptionalType | UnionType):
        return False
    if method_of(context, found) != "__iter__":
        return True
    assert isinstance(found.type, ClassType)
    return all(map(_is_generator, context.possible_classes(node, found.type.name)))


def _begins_arguments(context: Context, node: n.Call) -> bool:
    """Whether a call gives an iterator of Python, which begins with those of its arguments."""
    callee = context.callee(node)
    if isinstance(callee, Static) and any(callee.value is maker for maker in _MAKERS):
        return True
    called = generator_called(context, node)
    return called is not None and is_standard(called.function)


def _is_generator(live: type) -> bool:
    member = find_member(live, "__iter__")
    function = member.value if member else None
    return isinstance(function, FunctionType) and bool(function.__code__.co_flags & CO_GENERATOR)
