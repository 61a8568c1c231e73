"""The report of an NPBench run, in Markdown: ratios of each kernel, means, and what failed."""

import json
import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.benchmarks.npbench_suite import PEER_OF

OURS = "scriptc"


@dataclass(frozen=True, slots=True)
class Measurement:
    """What became of one variant of a kernel at one preset."""

    kernel: str
    preset: str
    variant: str
    first: float = math.nan  # seconds of the first call, with what was built before it
    seconds: float = math.nan  # median of the calls after it
    failure: str = ""

    @property
    def peer(self) -> str:
        """Return whose variant it is."""
        return PEER_OF[self.variant]


@dataclass(frozen=True, slots=True)
class Row:
    """One kernel at one preset: each peer's fastest variant that is right."""

    kernel: str
    fastest: Mapping[str, Measurement]
    failures: Mapping[str, str]

    @property
    def best_peer(self) -> Measurement:
        """Return the fastest of all others; NumPy is one of them."""
        others = [m for peer, m in self.fastest.items() if peer != OURS]
        return min(others, key=lambda m: m.seconds)

    @property
    def gain(self) -> float | None:
        """Return how many times faster than the best peer we are, if we run it."""
        ours = self.fastest.get(OURS)
        return self.best_peer.seconds / ours.seconds if ours else None

    def over_numpy(self, peer: str) -> float:
        """Return how many times faster than NumPy a peer is; 1 where it fails."""
        if peer not in self.fastest:
            return 1.0
        return self.fastest["NumPy"].seconds / self.fastest[peer].seconds


def save(path: Path, measurement: Measurement) -> None:
    """Append a measurement as a line of JSON."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(measurement)) + "\n")


def load(path: Path) -> list[Measurement]:
    """Read the measurements of a file; of the same variant the last one counts."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    read = [Measurement(**json.loads(line)) for line in lines]
    return list({(m.kernel, m.preset, m.variant): m for m in read}.values())


def geometric_mean(values: Iterable[float]) -> float:
    """Return the geometric mean, NaN for no values."""
    return statistics.geometric_mean(found) if (found := list(values)) else math.nan


def rows(measurements: Sequence[Measurement], preset: str) -> list[Row]:
    """Sort the measurements of a preset by kernel; those that NumPy did not run are left out."""
    by_kernel: dict[str, list[Measurement]] = {}
    for measurement in measurements:
        if measurement.preset == preset:
            by_kernel.setdefault(measurement.kernel, []).append(measurement)
    made = [_row(kernel, of_kernel) for kernel, of_kernel in sorted(by_kernel.items())]
    return [row for row in made if "NumPy" in row.fastest]


def _row(kernel: str, measurements: Sequence[Measurement]) -> Row:
    fastest: dict[str, Measurement] = {}
    failures: dict[str, str] = {}
    for measurement in measurements:
        peer = measurement.peer
        if measurement.failure:
            failures[measurement.variant] = measurement.failure
        elif peer not in fastest or measurement.seconds < fastest[peer].seconds:
            fastest[peer] = measurement
    return Row(kernel, fastest, failures)


def report(measurements: Sequence[Measurement], heading: str) -> str:
    """Return the whole page."""
    presets = sorted({m.preset for m in measurements}, key="SML".find)
    parts = [heading, *(_section(rows(measurements, preset), preset) for preset in presets)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _section(table: Sequence[Row], preset: str) -> str:
    if not table:
        return ""
    present = {peer for row in table for peer in row.fastest} | {OURS}
    peers = [peer for peer in dict.fromkeys(PEER_OF.values()) if peer in present]
    return "\n\n".join(
        (
            f"## Preset {preset}, {len(table)} kernels",
            _means(table),
            _markdown(_summary(table, peers)),
            "Milliseconds; the best peer in bold. Gain: the best peer's time by that of scriptc.",
            _markdown(_kernels(table, peers)),
            _failures(table),
        )
    )


def _means(table: Sequence[Row]) -> str:
    gains = [row.gain for row in table if row.gain is not None]
    standing_in = (row.fastest.get(OURS, row.fastest["NumPy"]).seconds for row in table)
    against_all = zip(table, standing_in, strict=True)
    return (
        f"scriptc runs {len(gains)} of {len(table)}. Geometric mean of best peer / scriptc: "
        f"{_number(geometric_mean(gains))} over those; "
        f"{_number(geometric_mean(row.best_peer.seconds / s for row, s in against_all))} "
        "over all, with NumPy's time where scriptc fails."
    )


def _summary(table: Sequence[Row], peers: Sequence[str]) -> list[Sequence[str]]:
    heading = (
        "",
        "right on",
        "fastest on",
        "slower than NumPy on",
        "NumPy / its time, geometric mean",
        "the same, 1 where it fails",
        "first call, median s",
        "longest s",
    )
    lines: list[Sequence[str]] = [heading]
    for peer in peers:
        own = [row for row in table if peer in row.fastest]
        firsts = [row.fastest[peer].first for row in own]
        lines.append(
            (
                peer,
                str(len(own)),
                str(sum(_leads(row, peer) for row in own)),
                str(sum(row.over_numpy(peer) < 0.95 for row in own)),
                _number(geometric_mean(row.over_numpy(peer) for row in own)),
                _number(geometric_mean(row.over_numpy(peer) for row in table)),
                _number(statistics.median(firsts)) if firsts else "",
                _number(max(firsts)) if firsts else "",
            )
        )
    return lines


def _leads(row: Row, peer: str) -> bool:
    return min(row.fastest.values(), key=lambda m: m.seconds).peer == peer


def _kernels(table: Sequence[Row], peers: Sequence[str]) -> list[Sequence[str]]:
    lines: list[Sequence[str]] = [("kernel", *peers, "gain", "over NumPy", "first call, s")]
    for row in table:
        ours = row.fastest.get(OURS)
        gain = row.gain
        lines.append(
            (
                row.kernel,
                *(_cell(row, peer) for peer in peers),
                "" if gain is None else _number(gain),
                "" if ours is None else _number(row.over_numpy(OURS)),
                "" if ours is None else _number(ours.first),
            )
        )
    return lines


def _cell(row: Row, peer: str) -> str:
    measurement = row.fastest.get(peer)
    if measurement is None:
        return "fails" if any(PEER_OF[v] == peer for v in row.failures) else ""
    text = _number(measurement.seconds * 1e3)
    return f"**{text}**" if measurement is row.best_peer else text


def _failures(table: Sequence[Row]) -> str:
    found = [
        (row.kernel, variant, _first_line(text))
        for row in table
        for variant, text in row.failures.items()
    ]
    if not found:
        return ""
    found.sort(key=lambda failure: failure[1] != OURS)
    return "What fails:\n\n" + _markdown([("kernel", "variant", "how"), *found])


def _first_line(text: str) -> str:
    line = next((line for line in text.splitlines() if line.strip()), "")
    return line.strip()[:160].replace("|", "\\|")


def _number(value: float) -> str:
    if math.isnan(value):
        return ""
    return f"{value:.0f}" if value >= 1000 else f"{value:.3g}"


def _markdown(lines: Sequence[Sequence[str]]) -> str:
    rule = ("---",) * len(lines[0])
    return "\n".join(f"| {' | '.join(line)} |" for line in (lines[0], rule, *lines[1:]))
