"""`hash()` of members of enumerations and of named tuples."""

from scriptc.check import protocols
from scriptc.check.checked import Computation, Convert
from scriptc.check.context import Context
from scriptc.check.library.standard import is_standard
from scriptc.check.named import enumerations
from scriptc.syntax.nodes import Node
from scriptc_runtime.named_classes import PLAIN_ENUM
from scriptc_runtime.ops import containers
from scriptc_runtime.types import NamedType, is_hashable


def hash_of(context: Context, at: Node, value: Computation) -> Computation:
    """Return the hash of a value, as CPython has it.

    Of a member of Enum it is that of its name. Dicts, where no one sees the hash, take its place.
    """
    type_ = value.type
    assert isinstance(type_, NamedType)
    found = protocols.called(context, at, "__hash__", value)
    if found is not None:
        return found
    if not is_hashable(type_):
        instead = "numbers, strings and tuples have"
        context.fail("argument", f"hash: {type_} has no hash in scripts", at, instead=instead)
    if type_.kind == "Flag" and not is_standard(context.function):
        instead = "hash(flag.value)"
        context.fail("argument", "hash: that of a flag differs by process", at, instead=instead)
    if type_.kind == PLAIN_ENUM and not is_standard(context.function):
        return context.apply(at, containers.HASH, enumerations.name_of(context, at, value))
    return context.apply(at, containers.HASH, Convert(value, type_.base))
