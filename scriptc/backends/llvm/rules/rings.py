"""LLVM code for the collector of rings: which blocks it knows, and what these hold."""

from __future__ import annotations

from collections.abc import Sequence

from scriptc.backends.llvm.emitter import counts
from scriptc.backends.llvm.emitter.function import Components, Emitter
from scriptc.backends.llvm.rules import unions
from scriptc_runtime.types import ClassType, Type, UnionType


def track(e: Emitter, type_: Type, block: str) -> None:
    """Have the collector of rings know a new block, which is whole, if it can be in a ring."""
    if e.state.rings.may_have(type_):
        e.state.tracks = True
        e.state.routines.add("track")
        e.write(f"call void @sc.track(ptr {block})")


def visit(e: Emitter, type_: Type, components: Components) -> None:
    """Call the function that the collector gives with each block of a value that it may track."""
    for counted in counts.counted_parts(type_, components):
        tracked = [m for m in _blocks_of(counted) if e.state.rings.may_have(m)]
        owner = e.owner_in(counted) if tracked else ""
        if tracked and len(tracked) < len(_blocks_of(counted)):
            fits = unions.holds_one_of(e, counted.type, (counted.tag,), tracked)
            owner = e.let(f"select i1 {fits}, ptr {owner}, ptr null")
        if tracked:
            e.write(f"call void %visit(ptr {owner})")


def _blocks_of(counted: counts.Counted) -> Sequence[Type]:
    """Return the types of the blocks that may be counted."""
    if counted.kind != "block":
        return ()
    if isinstance(counted.type, UnionType):
        return [m for m in counted.type.members if isinstance(m, ClassType)]
    return (counted.type,)
