"""Reductions of more elements than memory holds: between parts of them they look for Ctrl-C.

    for each part of 65536 elements:       %kept = combine %kept, (a loop over the elements)
                                           look for Ctrl-C

LLVM makes vectors of the loop over a part as of any other.  What is reduced in blocks, whose order
is fixed, looks between blocks.
"""

from __future__ import annotations

from collections.abc import Sequence

from scriptc.backends.llvm.vectors import reductions

_PART = 1 << 16  # elements


def emit_parted_loop(
    kind: reductions.Kind,
    type_: str,
    n: str,
    element: reductions.Element,
    prefix: str,
    hint: str,
    look: reductions.Look,
) -> reductions.Loop:
    """Return what `emit_reduction_loop` does, with looks for Ctrl-C between parts or blocks."""
    if look is reductions.look_never or (
        type_ in reductions.TYPES and reductions.TYPES[type_].in_blocks
    ):
        return reductions.emit_reduction_loop(kind, type_, n, element, prefix, hint, look)
    p, t = f"%{prefix}.parts", reductions.TYPES["i64" if type_ == "b1" else type_]
    label, identity = p.removeprefix("%"), t.identities[kind]

    def of_part(index: str) -> tuple[Sequence[str], str]:
        lines, value = element(f"{p}.at")
        return [f"  {p}.at = add nuw nsw i64 {p}.begin, {index}", *lines], value

    part = reductions.emit_reduction_loop(kind, type_, f"{p}.size", of_part, prefix, hint)
    looking, last = look(f"{p}.stop", part.exit)
    text = f"""\
  br label {p}.start
{label}.start:
  {p}.some = icmp sgt i64 {n}, 0
  br i1 {p}.some, label {p}.part, label {p}.end
{label}.part:
  {p}.begin = phi i64 [ 0, {p}.start ], [ {p}.stop, %{last} ]
  {p}.kept = phi {t.llvm} [ {identity}, {p}.start ], [ {p}.more, %{last} ]
  {p}.left = sub nuw nsw i64 {n}, {p}.begin
  {p}.size = call i64 @llvm.umin.i64(i64 {p}.left, i64 {_PART})"""
    combined = [
        f"  {p}.more = {t.combine(kind, f'{p}.kept', part.result)}",
        f"  {p}.stop = add nuw nsw i64 {p}.begin, {p}.size",
    ]
    end = f"""\
  {p}.done = icmp eq i64 {p}.stop, {n}
  br i1 {p}.done, label {p}.end, label {p}.part
{label}.end:
  {p}.result = phi {t.llvm} [ {identity}, {p}.start ], [ {p}.more, %{last} ]"""
    lines = (*text.splitlines(), *part.lines, *combined, *looking, *end.splitlines())
    return reductions.Loop(part.entry, lines, f"{label}.end", f"{p}.result")
