"""Classes whose objects have fields of several types: one class for each types of arguments.

    Vector([1, 2])          its field is list[int]
    Vector([0.5, 1.5])      its field is list[float]

Where fields of the objects of a class would have types that no union holds, the program is checked
anew: a call makes an object of the class for the types of its arguments, as with a generic class.
"""

from types import FunctionType

from scriptc.check.bindings import Static
from scriptc.check.context import Context
from scriptc.check.generics import instance_for, origin_of
from scriptc.check.library.binding import bind
from scriptc.check.open_types import is_open
from scriptc.check.signatures import Signature
from scriptc.check.size_names import without_sizes
from scriptc.syntax import nodes as n
from scriptc_runtime.types import NONE, ClassType, Type, all_parts


def class_for(context: Context, node: n.Call, owner: type, init: FunctionType) -> type:
    """Return the class of the object that a call of a class makes."""
    origin = origin_of(owner)
    if origin not in context.rounds.split:
        return owner
    signature = context.signature(init)
    own = Signature(
        signature.names[1:],
        {},
        signature.defaults,
        signature.positional - 1,
        signature.by_name,
        starred=signature.starred,
        keywords=signature.keywords,
    )
    given = bind(context, node, origin.__name__, own, 0)
    return instance_for(origin, [_key(context, argument) for _, argument in given])


def _key(context: Context, argument: n.Expression) -> Type:
    """Return the type of an argument; None where objects, or what is open, may be of more types."""
    value = context.expression(argument)
    if isinstance(value, Static) or is_open(value.type):
        return NONE
    is_of_objects = any(isinstance(part, ClassType) for part in all_parts(value.type))
    return NONE if is_of_objects else without_sizes(value.type)
