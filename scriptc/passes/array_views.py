"""Views of views, and elements of views, as one view of the array that both show.

    b[None, :, 2:][..., 0]       b[None, :, 2]
    b[:, 2][None]                b[None, :, 2]

So two ways to the same elements are one value.  Bounds are put together where the size of the axis
is known, as they say nothing of where a slice is cut short.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from scriptc.analysis.slice_sizes import with_dims
from scriptc.passes import array_sites
from scriptc.passes.array_forms import constant_of, letters_of, type_of
from scriptc.passes.array_sections import Item, items_of
from scriptc_runtime.dims import Dim
from scriptc_runtime.ir import Instr, Value, make
from scriptc_runtime.ops import arrays, data
from scriptc_runtime.record import record
from scriptc_runtime.types import NONE

# Bounds and step of a slice, or an index; numbers, or values that are not known.
_Numbers = tuple["int | Value | None", ...]


@record(eq=False)
class _Entry:
    """A letter of a view, what it takes of its axis, and the size of that; a new axis has none."""

    letter: str
    numbers: _Numbers = ()
    dim: Dim | None = None

    @property
    def is_whole(self) -> bool:
        """Whether an axis is there as it is."""
        return self.letter == "s" and self.numbers == (None, None, None)


def is_composed(site: array_sites.Site) -> bool:
    """Whether a pick of a view is a pick of the array that the view is of."""
    return _composed(site) is not None


def of_base(site: array_sites.Site) -> Value:
    """Return the pick of the array that the inner view is of."""
    entries = _composed(site)
    assert entries is not None
    base = site.inner.operands[0]
    values = [_value(site, n) for entry in entries for n in entry.numbers]
    letters = "".join(entry.letter for entry in entries)
    if site.outer.op is arrays.INDEX:
        return site.emit(arrays.INDEX, (base, *values), {})
    view = make(arrays.VIEW, (base, *values), {"axes": letters})
    return site.emit(arrays.VIEW, view.operands, with_dims(view, type_of(base), site.facts.made))


def _value(site: array_sites.Site, number: int | Value | None) -> Value:
    if isinstance(number, Value):
        return number
    return site.emit(data.CONST, (), {"value": number})


def _composed(site: array_sites.Site) -> Sequence[_Entry] | None:
    """Return what is picked of the array that the inner view is of; None where it is not known."""
    inner = iter(_entries(site, site.inner))
    found: list[_Entry] = []
    for own in _entries(site, site.outer, all_axes=False):
        if own.letter == "n":
            found.append(own)
            continue
        below = next(inner)
        while below.letter == "i":
            found.append(below)
            below = next(inner)
        both = _merged(below, own)
        if both is None:
            return None
        found += both
    found += inner
    if not all(map(_is_safe, found)):
        return None
    while found and found[-1].is_whole:
        found.pop()
    return _new_axes_first(found)


def _entries(site: array_sites.Site, pick: Instr, *, all_axes: bool = True) -> Iterator[_Entry]:
    """Yield the entries of a pick, with `all_axes` also those of axes it does not speak of."""
    letters = letters_of(pick) if pick.op is arrays.VIEW else "i" * (len(pick.operands) - 1)
    items = iter(items_of(pick))
    dims = iter(type_of(pick.operands[0]).dims)
    for letter in letters:
        if letter == "n":
            yield _Entry("n")
        else:
            yield _Entry(letter, _numbers(site, next(items)), next(dims))
    if all_axes:
        yield from (_Entry("s", (None, None, None), dim) for dim in dims)


def _numbers(site: array_sites.Site, item: Item) -> _Numbers:
    found: list[int | Value | None] = []
    for value in item.values:
        number = constant_of(site, value)
        found.append(None if value.type is NONE else number if isinstance(number, int) else value)
    return tuple(found)


def _merged(below: _Entry, own: _Entry) -> Sequence[_Entry] | None:
    """Return what is left of an axis of the inner view: nothing of a new one that is picked."""
    if below.letter == "n":
        return () if own.numbers in ((0,), (-1,)) else (below,) if own.is_whole else None
    if below.is_whole:
        return (_Entry(own.letter, own.numbers, below.dim),)
    if own.is_whole:
        return (below,)
    assert below.dim is not None
    if not below.dim.is_constant or any(isinstance(n, Value) for n in below.numbers + own.numbers):
        return None
    places = _places(below)
    if not places:
        return None
    if own.letter == "i":
        index = cast("int", own.numbers[0])
        return (_Entry("i", (places[index],), below.dim),) if index in range(len(places)) else None
    part = places[slice(*cast("tuple[int | None, ...]", own.numbers))]
    if not part or part.step != 1:
        return None
    stop = None if part.stop == below.dim.constant else part.stop
    return (_Entry("s", (part.start or None, stop, None), below.dim),)


def _places(entry: _Entry) -> range | None:
    """Return the places along an axis of known size that a slice has."""
    assert entry.dim is not None
    bounds = cast("tuple[int | None, ...]", entry.numbers)
    return None if bounds[2] == 0 else range(entry.dim.constant)[slice(*bounds)]


def _is_safe(entry: _Entry) -> bool:
    """Whether an entry never raises, or does so whichever view has it."""
    if entry.letter != "i" or entry.dim is None:
        return True
    number = entry.numbers[0]
    return isinstance(number, int) and entry.dim.is_constant and number in range(entry.dim.constant)


def _new_axes_first(entries: Sequence[_Entry]) -> Sequence[_Entry]:
    """Return entries with new axes before the indices beside them: one form of each view."""
    found: list[_Entry] = []
    for entry in entries:
        place = len(found)
        while entry.letter == "n" and place and found[place - 1].letter == "i":
            place -= 1
        found.insert(place, entry)
    return found
