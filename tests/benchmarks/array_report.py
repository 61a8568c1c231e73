"""The report on array programs: a table for each size, geometric means, and first calls."""

import math
import statistics
from collections.abc import Mapping, Sequence

from tests.benchmarks.array_programs.program import SIZES
from tests.benchmarks.array_programs.suite import PROGRAMS
from tests.benchmarks.harness import markdown, readable
from tests.benchmarks.npbench_report import Measurement, geometric_mean

NAMES: Mapping[str, str] = {
    "scriptc": "scriptc",
    "numpy": "NumPy",
    "jax": "JAX",
    "torch": "torch.compile",
    "dace": "DaCe",
}
LEAST_GAIN = 0.9  # over the best of all, of each program
Row = Mapping[str, Measurement]  # the peers that ran one program at one size


def report(measurements: Sequence[Measurement]) -> str:
    """Return the summary, and a table for each size."""
    parts = [_summary(measurements)]
    for size in SIZES:
        if found := rows(measurements, size):
            parts.append(f"## {size.capitalize()}\n\n{_table(found)}")
    return "\n\n".join(parts)


def rows(measurements: Sequence[Measurement], size: str | None = None) -> dict[str, list[Row]]:
    """Return by program the peers that ran it, at one size or at all in turn."""
    found: dict[str, list[Row]] = {}
    for program in PROGRAMS:
        for each in SIZES if size is None else [size]:
            place = (program.name, each)
            row = {
                m.variant: m
                for m in measurements
                if (m.kernel, m.preset) == place and not m.failure
            }
            if row:
                found.setdefault(program.name, []).append(row)
    return found


def gain(row: Row, peer: str | None = None) -> float | None:
    """Return how many times as fast as a peer, or as the best of all, scriptc is."""
    others = [m.seconds for name, m in row.items() if name != "scriptc" and peer in (None, name)]
    if not others or "scriptc" not in row:
        return None
    return min(others) / row["scriptc"].seconds


def _gains(found: Mapping[str, list[Row]], peer: str | None) -> list[float]:
    gains = [gain(row, peer) for of_program in found.values() for row in of_program]
    return [value for value in gains if value is not None]


def _summary(measurements: Sequence[Measurement]) -> str:
    """Return the geometric means of the gains, and the medians of first calls."""
    columns = [size for size in SIZES if rows(measurements, size)]
    parts = [rows(measurements, size) for size in columns]
    if len(parts) > 1:
        columns, parts = [*columns, "both"], [*parts, rows(measurements)]
    table: list[Sequence[str]] = [("scriptc is as fast as", *columns)]
    peers = [peer for peer in NAMES if peer != "scriptc"]
    for peer in peers:
        table.append((NAMES[peer], *(_mean(_gains(found, peer)) for found in parts)))
    table.append(("the best of all", *(_mean(_gains(found, None)) for found in parts)))
    slower = [sum(value < LEAST_GAIN for value in _gains(found, None)) for found in parts]
    table.append((f"programs under {LEAST_GAIN} of the best", *map(str, slower)))
    for peer in NAMES:
        firsts = [_firsts(found, peer) for found in parts]
        cells = (f"{statistics.median(f):.3f} s of {len(f)}" if f else "-" for f in firsts)
        table.append((f"first call of {NAMES[peer]}, median", *cells))
    return markdown(table)


def _firsts(found: Mapping[str, list[Row]], peer: str) -> list[float]:
    return [row[peer].first for of_program in found.values() for row in of_program if peer in row]


def _mean(gains: Sequence[float]) -> str:
    mean = geometric_mean(gains)
    return "-" if math.isnan(mean) else f"{mean:.2f} times ({len(gains)})"


def _table(found: Mapping[str, list[Row]]) -> str:
    fields = {program.name: program.field for program in PROGRAMS}
    peers = [peer for peer in NAMES if any(peer in row for of in found.values() for row in of)]
    head = (
        "program",
        "field",
        *(NAMES[p] for p in peers),
        "over JAX",
        "over the best",
        "first calls",
    )
    table: list[Sequence[str]] = [head]
    for name, (row,) in found.items():
        times = (readable(row[peer].seconds) if peer in row else "-" for peer in peers)
        gains = (f"{g:.2f}" if (g := gain(row, peer)) else "-" for peer in ("jax", None))
        compilers = [peer for peer in peers if peer != "numpy"]
        firsts = (f"{row[peer].first:.2f}" if peer in row else "-" for peer in compilers)
        table.append((name, fields[name], *times, *gains, " / ".join(firsts)))
    return markdown(table)
