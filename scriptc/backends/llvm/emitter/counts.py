"""The counts that a value takes part in, component by component."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scriptc.backends.llvm.loading import abi
from scriptc_runtime.types import (
    OF_EXCEPTIONS,
    REFERENCES,
    CellType,
    ClassType,
    DequeType,
    DictType,
    ListType,
    NamedType,
    OptionalType,
    PyType,
    SetType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    is_counted,
)


class Counted(NamedTuple):
    """An owner that is counted, and how."""

    kind: str  # "array", "block", "text", "bigint" or "object"; all but the first let null pass
    owner: str
    present: tuple[str, ...]  # flags of optionals, outermost first: where one is false, null counts
    type: Type  # of an object in a union, that
    tag: str = ""  # of that union


_KINDS: Mapping[PyType, str] = {
    **dict.fromkeys(REFERENCES, "object"),
    PyType.STR: "text",
    PyType.BYTES: "text",
    PyType.BIGINT: "bigint",
}


def counted_parts(
    type_: Type, components: tuple[str, ...], present: tuple[str, ...] = ()
) -> Iterator[Counted]:
    """Yield what is counted of a value."""
    match type_:
        case TensorType():
            yield Counted("array", components[1], present, type_)
        case ListType() | DictType() | SetType() | DequeType() | ClassType() | CellType():
            yield Counted("block", components[0], present, type_)
        case PyType() if type_ in _KINDS:
            yield Counted(_KINDS[type_], components[0], present, type_)
        case PyType() if type_ in OF_EXCEPTIONS:
            yield Counted("object", components[6], present, type_)
            yield Counted("block", components[7], present, type_)
            yield Counted("block", components[8], present, type_)
        case TupleType(items):
            at = 0
            for item in items:
                width = len(abi.flatten(item))
                yield from counted_parts(item, components[at : at + width], present)
                at += width
        case UnionType():
            yield from _parts_of_union(type_, components, present)
        case NamedType(base=base):
            yield from counted_parts(base, components, present)
        case OptionalType(item) if is_counted(item):
            yield from counted_parts(item, components[1:], (*present, components[0]))
        case _:
            return


def _parts_of_union(
    type_: UnionType, components: tuple[str, ...], present: tuple[str, ...]
) -> Iterator[Counted]:
    for member, slot in abi.distinct_slots(type_):  # those of other members are zero
        if isinstance(member, ClassType):
            yield Counted("block", components[slot][0], present, type_, components[0])
        else:
            yield from counted_parts(member, components[slot], present)
