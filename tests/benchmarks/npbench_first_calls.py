"""The report of first calls, compilation included, beside Numba's on the same kernels."""

from collections.abc import Sequence

from tests.benchmarks.harness import markdown
from tests.benchmarks.npbench_report import (
    LONGEST_FIRST,
    NUMBA,
    OURS,
    SHARE_OF_FIRST,
    Measurement,
    Row,
    first_medians,
    presets_of,
    rows,
)


def first_calls(measurements: Sequence[Measurement], heading: str) -> str:
    """Return the page: per preset what is asked, and every kernel's seconds."""
    tables = {preset: rows(measurements, preset) for preset in presets_of(measurements)}
    sections = [_section(table, preset) for preset, table in tables.items()]
    return "\n\n".join([heading, *sections]) + "\n"


def _section(table: Sequence[Row], preset: str) -> str:
    return "\n\n".join(
        (
            f"## Preset {preset}, {len(table)} kernels",
            markdown(_asked(table)),
            "Seconds:",
            markdown(_kernels(table)),
        )
    )


def _asked(table: Sequence[Row]) -> list[Sequence[str]]:
    lines: list[Sequence[str]] = [("peer", "kernels", "its median", "ours", "share", "asked", "")]
    for peer in NUMBA:
        count, ours, theirs = first_medians(table, peer)
        if count:
            share = ours / theirs
            verdict = "reached" if share <= SHARE_OF_FIRST else "missed"
            texts = (f"{theirs:.3f} s", f"{ours:.3f} s", f"{share:.3f}", "a third")
            lines.append((peer, str(count), *texts, verdict))
    longest = max((row.fastest[OURS].first for row in table if OURS in row.fastest), default=0.0)
    verdict = "reached" if longest <= LONGEST_FIRST else "missed"
    texts = ("", f"{longest:.3f} s", "", f"the longest: {LONGEST_FIRST:.0f} s", verdict)
    return [*lines, ("", str(len(table)), *texts)]


def _kernels(table: Sequence[Row]) -> list[Sequence[str]]:
    sides = (OURS, *NUMBA)
    lines = [[row.kernel, *(_seconds(row, side) for side in sides)] for row in table]
    return [("kernel", *sides), *lines]


def _seconds(row: Row, side: str) -> str:
    found = row.fastest.get(side)
    return f"{found.first:.3f}" if found else "fails"
