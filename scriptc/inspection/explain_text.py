"""An explanation as text: the source, and what became of each line below it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from scriptc.analysis.remarks import Kind
from scriptc.inspection.listings import Line, Listing, Shown

MARKS: Mapping[Kind, str] = {Kind.DONE: "+", Kind.MISSED: "-", Kind.NOTE: "="}
_WIDTH = 100


def as_text(title: str, parts: Sequence[Listing], *, library: bool = False) -> str:
    """Return the listing of some functions; of `library` functions each remark, or their number."""
    blocks = ["\n".join((title, _legend()))]
    for part in parts:
        width = len(str(part.lines[-1].number))
        head = f"{part.file}:{part.lines[0].number}"
        lines = [text for line in part.lines for text in _line(line, width, library)]
        blocks.append("\n".join((head, *lines)))
    return "\n\n".join(blocks) + "\n"


def _legend() -> str:
    return "   ".join(f"{mark} {kind.value}" for kind, mark in MARKS.items())


def _line(line: Line, width: int, library: bool) -> Iterator[str]:
    yield f"{line.number:>{width}} | {line.source}".rstrip()
    indent = " " * (len(line.source) - len(line.source.lstrip()) + 4)
    margin = f"{'':>{width}} | {indent}"
    for shown in line.remarks:
        if library or not shown.library:
            yield from _remark(shown, margin)
    if not library:
        yield from (f"{margin}= {text}" for text in folded(line))


def _remark(shown: Shown, margin: str) -> Iterator[str]:
    inside = f"in {shown.library}(), {shown.inside}: " if shown.library else ""
    text = f"{MARKS[shown.kind]} {shown.topic.value}: {inside}{shown.text}"
    first, *rest = wrap(text, _WIDTH - len(margin), break_long_words=False)
    yield margin + first
    yield from (f"{margin}  {more}" for more in rest)


def folded(line: Line) -> Sequence[str]:
    """Return a sentence on each library function with remarks that a line names."""
    found: dict[str, int] = {}
    for shown in line.remarks:
        if shown.library:
            name = called_in(line, shown)
            found[name] = found.get(name, 0) + 1
    return [
        f"inside {name}: {count} remark{'s' if count > 1 else ''} (see --library)"
        for name, count in found.items()
    ]


def called_in(line: Line, shown: Shown) -> str:
    """Return what to call a library function: those that others are made of have no known name."""
    if re.search(rf"\b{re.escape(shown.library)}\b", line.source):
        return f"{shown.library}(), of the standard library"
    return "the standard library"
