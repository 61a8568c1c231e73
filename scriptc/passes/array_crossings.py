"""Columns picked of rows that are picked: what stands where both lists cross is read of the array.

    img[y][:, x]          no copy of the rows, of which a few elements are read

The checks of the rows' places come with those of the columns', so nothing that raises or writes may
stand between the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from scriptc.analysis.instr_kinds import effects_of
from scriptc.passes import array_sites
from scriptc.passes.array_forms import never_fails
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import arrays, picking


def is_crossing(site: array_sites.Site) -> bool:
    """Whether the outer take is one of columns of rows that are taken right before."""
    rows = _rows(site)
    if rows is None or len(site.outer.operands) != 2 or not site.facts.is_still(rows):
        return False
    return site.facts.are_near(rows.result, site.outer.result) and (
        rows in site.facts.gone or _is_right_before(site, rows)
    )


def crossed(site: array_sites.Site) -> Value:
    """Return what stands where the two lists cross, with the columns in front."""
    rows = _rows(site)
    assert rows is not None
    base, places = rows.operands
    axes = (*_axes(rows), *_axes(site.outer))
    found = site.emit(
        picking.OUTER_TAKE, (base, places, site.outer.operands[1]), {"axis": axes, "full": True}
    )
    turned = site.emit(arrays.TRANSPOSE, (found,), site.inner.attrs)
    if turned.type == site.outer.result.type:
        site.facts.gone.add(rows)  # whose checks the new instruction has
    return turned


def _axes(take: Instr) -> Sequence[int]:
    return cast("tuple[int, ...]", take.attrs["axis"])


def _rows(site: array_sites.Site) -> Instr | None:
    """Return the take whose rows the outer one picks columns of, through a transpose."""
    order = cast("tuple[int, ...]", site.inner.attrs["order"])
    if order != (1, 0, *range(2, len(order))):
        return None
    made = site.facts.definition(site.inner.operands[0])
    is_one = made is not None and made.op is picking.TAKE and len(made.operands) == 2
    return made if is_one else None


def _is_right_before(site: array_sites.Site, rows: Instr) -> bool:
    body = site.facts.block_of(rows.result).body
    both = rows.results, site.outer.results
    ends = [number for number, instr in enumerate(body) if instr.results in both]
    between = body[ends[0] + 1 : ends[1]] if len(ends) == len(both) else (rows,)
    return all(_is_quiet(site, instr) for instr in between)


def _is_quiet(site: array_sites.Site, instr: Instr) -> bool:
    """Whether nobody can tell an instruction from none but by its result."""
    does = effects_of(instr)
    if instr.blocks or instr.target is not None or does.writes:
        return False
    return not does.raises or (instr.op is arrays.VIEW and never_fails(site.facts, instr))
