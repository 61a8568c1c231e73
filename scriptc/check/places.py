"""Places that a statement writes to: the types they have before anything is stored in them."""

from scriptc.check.bindings import Typed
from scriptc.check.context import Context
from scriptc.check.names import constructed_field
from scriptc.check.open_types import block_in, is_open
from scriptc.check.wider_types import holds_itself
from scriptc.syntax import nodes as n
from scriptc_runtime.types import (
    ClassType,
    Container,
    DequeType,
    DictType,
    ListType,
    TensorType,
    Type,
)


def declared_at(context: Context, node: n.Expression) -> Type | None:
    """Return the type that a field or an item has before anything is stored in it, if one is known.

    It says what `[]` holds there, and for a part of an array that it is one.  Nothing is recorded:
    the value is evaluated before the target.
    """
    match node:
        case n.Attribute(value=base, attr=attr):
            if constructed_field(context, node):
                return context.field_types.get(attr)
            owner = _path_type(context, base)
            if not isinstance(owner, ClassType):
                return None
            declared = context.class_named(owner.name).fields.get(attr)
            return None if declared is None or is_open(declared) else declared
        case n.Subscript(value=base, slice=place):
            held = block_in(_path_type(context, base), ListType | Container)
            if (isinstance(held, ListType) and not isinstance(place, n.Slice)) or isinstance(
                held, DequeType
            ):
                held = held.item
            elif isinstance(held, DictType):
                held = held.value
            elif not isinstance(held, TensorType | ListType):
                return None
            return held if not is_open(held) else None
        case _:
            return None


def _path_type(context: Context, node: n.Expression) -> Type | None:
    if isinstance(node, n.Name):
        binding = (context.env or {}).get(node.id)
        if not isinstance(binding, Typed):
            return None
        # What a display holds is not declared: more may be put in. A ring holds its like.
        grows = binding.open_list is not None and context.learned.may_unite
        return None if grows and not holds_itself(binding.type) else binding.type
    return declared_at(context, node)
