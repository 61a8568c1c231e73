"""LLVM code for tagged unions: a tag, the place of the member, and a slot for each member.

Objects of all classes share one slot.  Those of other members are zero, so that counting owners
need not look at the tag.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

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
            wanted = set(members)
            tags = [tag for tag, member in enumerate(everything) if member in wanted]
            found = [_is_in(e, components[0], *run) for run in _runs(tags)]
            result = found[0]
            for other in found[1:]:
                result = e.let(f"or i1 {result}, {other}")
            return result
        case _:
            return "true"


def _runs(tags: Sequence[int]) -> Sequence[tuple[int, int]]:
    """Return the first and the last of tags that follow each other; they come in order."""
    starts = [i for i, tag in enumerate(tags) if i == 0 or tags[i - 1] != tag - 1]
    return [(tags[i], tags[j - 1]) for i, j in pairwise((*starts, len(tags)))]


def _is_in(e: Emitter, tag: str, first: int, last: int) -> str:
    if first == last:
        return e.let(f"icmp eq i8 {tag}, {first}")
    return e.let(f"icmp ule i8 {e.let(f'sub i8 {tag}, {first}')}, {last - first}")


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
            known = ops.shared(source, target)
            if isinstance(source, UnionType):
                pairs = [
                    (tag, there[kind_of(member)])
                    for tag, member in enumerate(source.members)
                    if member in known
                ]
                return (_renumbered(e, components[0], pairs),)
            first, *others = known
            tag = str(there[kind_of(first)])
            for member in others:
                fits = holds_one_of(e, source, components, [member])
                tag = e.let(f"select i1 {fits}, i8 {there[kind_of(member)]}, i8 {tag}")
            return (tag,)
        case _:
            return ()


def _renumbered(e: Emitter, tag: str, pairs: Sequence[tuple[int, int]]) -> str:
    """Return what stands for a tag in another type; `pairs` has both tags of a member, in order.

    Members mostly keep their order, so what one tag exceeds the other by is the same for many.
    """
    result = ""
    by_before: int | None = None
    for here, there in pairs:
        by = there - here
        if by == by_before:
            continue
        moved = e.let(f"add i8 {tag}, {by}") if by else tag
        if result:
            reached = e.let(f"icmp uge i8 {tag}, {here}")
            moved = e.let(f"select i1 {reached}, i8 {moved}, i8 {result}")
        result, by_before = moved, by
    return result


RULES: Mapping[OpDef, Rule] = {ops.HOLDS: _holds, ops.HELD: _held}
