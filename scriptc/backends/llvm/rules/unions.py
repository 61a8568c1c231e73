"""LLVM code for tagged unions: a tag, the place of the member, and a slot for each member.

Objects of all classes share one slot.  Those of other members are zero, so that counting owners
need not look at the tag.
"""

from collections.abc import Mapping, Sequence

from scriptc.backends.llvm.emitter.function import Components, Emitter, Rule
from scriptc.backends.llvm.emitter.literals import zeros
from scriptc.backends.llvm.loading import abi
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import unions as ops
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import NONE, OptionalType, Type, UnionType, is_counted
from scriptc_runtime.unions import kind_of, members_of


def holds_one_of(e: Emitter, type_: Type, components: Components, members: Sequence[Type]) -> str:
    """Return whether a value is of one of some members of its type."""
    everything = members_of(type_)
    if len(members) == len(everything):
        return "true"
    match type_:
        case OptionalType():
            present = components[0]
            return e.let(f"xor i1 {present}, true") if NONE in members else present
        case UnionType():
            found = [
                e.let(f"icmp eq i8 {components[0]}, {everything.index(member)}")
                for member in members
            ]
            result = found[0]
            for other in found[1:]:
                result = e.let(f"or i1 {result}, {other}")
            return result
        case _:
            return "true"


def _slots(type_: Type, components: Components) -> Mapping[object, Components]:
    """Return the components of each member of a type, by its kind."""
    members = members_of(type_)
    return {kind_of(m): components[s] for m, s in zip(members, _places(type_), strict=True)}


def _places(type_: Type) -> Sequence[slice]:
    """Return which components of a value are those of each member of its type."""
    match type_:
        case UnionType():
            return abi.slots_of(type_)
        case OptionalType():
            return slice(1, None), slice(0, 0)
        case _:
            return (slice(None),)


def _holds(e: Emitter, instr: Instr) -> None:
    (value,) = instr.operands
    type_ = instr.attrs["type"]
    assert isinstance(type_, Type)
    members = list(ops.shared(value.type, type_))
    e.bind(instr, holds_one_of(e, value.type, e.components(value), members))


def _held(e: Emitter, instr: Instr) -> None:
    (value,) = instr.operands
    source, target = value.type, instr.result.type
    components = e.components(value)
    known = list(ops.shared(source, target))
    if is_counted(target) and len(known) < len(members_of(source)):
        fits = holds_one_of(e, source, components, known)
        e.raise_if(e.let(f"xor i1 {fits}, true"), "TypeError", ops.OTHER_MEMBER, instr)
    slots = _slots(source, components)
    parts = list(zeros(target))
    for member, place in zip(members_of(target), _places(target), strict=True):
        if kind_of(member) in slots:
            parts[place] = slots[kind_of(member)]
    tag = _tag(e, source, components, target)
    e.bind(instr, *tag, *parts[len(tag) :])


def _tag(e: Emitter, source: Type, components: Components, target: Type) -> Components:
    """Return what stands before the slots of the target."""
    there = {kind_of(member): place for place, member in enumerate(members_of(target))}
    match target:
        case OptionalType(item):
            return (
                holds_one_of(e, source, components, [m for m in members_of(source) if m == item]),
            )
        case UnionType():
            first, *others = ops.shared(source, target)
            tag = str(there[kind_of(first)])
            for member in others:
                fits = holds_one_of(e, source, components, [member])
                tag = e.let(f"select i1 {fits}, i8 {there[kind_of(member)]}, i8 {tag}")
            return (tag,)
        case _:
            return ()


RULES: Mapping[OpDef, Rule] = {ops.HOLDS: _holds, ops.HELD: _held}
