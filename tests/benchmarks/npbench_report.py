"""The report of an NPBench run, in Markdown: what is asked, ratios, means, what failed, reasons."""

import json
import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.benchmarks.harness import markdown
from tests.benchmarks.npbench_suite import PEER_OF

OURS = "scriptc"
NUMBA = ("njit", "Numba")
# What is asked of each preset: a mean gain, the least gain, and of first calls in seconds.
MEAN_GAIN, LEAST_GAIN = 1.5, 0.8
SHARE_OF_FIRST = 1 / 3  # that our median may be of Numba's, over the kernels that both run
LONGEST_FIRST = 5.0
# A gain that is this much over 1 is no matter of luck: what explained a loss is out of date.
CERTAIN_GAIN = 1.15


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


def contenders(earlier: Sequence[Measurement], kernel: str, preset: str) -> set[str]:
    """Name the fastest variant of each peer; of a peer that fails, one that did.

    What was not measured at this preset is judged by another one.
    """
    of_kernel = [m for m in earlier if m.kernel == kernel]
    of_kernel = [m for m in of_kernel if m.preset == preset] or of_kernel
    found = _row(kernel, of_kernel)
    failing = {PEER_OF[v]: v for v in found.failures if PEER_OF[v] not in found.fastest}
    return {m.variant for m in found.fastest.values()} | set(failing.values())


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


def presets_of(measurements: Sequence[Measurement]) -> list[str]:
    """Return the presets there are measurements of, from small to large."""
    return sorted({m.preset for m in measurements}, key="SML".find)


def report(
    measurements: Sequence[Measurement], heading: str, reasons: Mapping[str, str] | None = None
) -> str:
    """Return the whole page; `reasons` says why a kernel is slower than a peer's."""
    tables = {preset: rows(measurements, preset) for preset in presets_of(measurements)}
    sections = [_section(table, preset) for preset, table in tables.items()]
    parts = [heading, *sections, _why(tables, reasons or {})]
    return "\n\n".join(part for part in parts if part) + "\n"


def complaints(measurements: Sequence[Measurement], reasons: Mapping[str, str]) -> list[str]:
    """Name the kernels with a gain under 1 and no reason, and reasons that are out of date."""
    gains: dict[str, list[float]] = {}
    for preset in presets_of(measurements):
        for row in rows(measurements, preset):
            gains.setdefault(row.kernel, []).append(row.gain or 0.0)
    missing = [k for k, of_kernel in gains.items() if min(of_kernel) < 1 and k not in reasons]
    stale = [k for k in reasons if min(gains.get(k, [math.inf])) > CERTAIN_GAIN]
    return [
        *(f"{kernel} has a gain under 1 and no reason" for kernel in missing),
        *(f"{kernel} is faster than the peers now: its reason is out of date" for kernel in stale),
    ]


def _why(tables: Mapping[str, Sequence[Row]], reasons: Mapping[str, str]) -> str:
    under = {
        row.kernel: reasons.get(row.kernel, "")
        for table in tables.values()
        for row in table
        if (row.gain or 0.0) < 1
    }
    if not under:
        return ""
    heading = "## Why a kernel is slower than under a peer"
    return f"{heading}\n\n{markdown([('kernel', 'why'), *sorted(under.items())])}"


def _section(table: Sequence[Row], preset: str) -> str:
    if not table:
        return ""
    present = {peer for row in table for peer in row.fastest} | {OURS}
    peers = [peer for peer in dict.fromkeys(PEER_OF.values()) if peer in present]
    return "\n\n".join(
        (
            f"## Preset {preset}, {len(table)} kernels",
            _means(table),
            markdown(_asked(table)),
            markdown(_summary(table, peers)),
            "Milliseconds; the best peer in bold. Gain: the best peer's time by that of scriptc.",
            markdown(_kernels(table, peers)),
            _failures(table),
        )
    )


def _means(table: Sequence[Row]) -> str:
    gains = [row.gain for row in table if row.gain is not None]
    return (
        f"scriptc runs {len(gains)} of {len(table)}. Geometric mean of best peer / scriptc: "
        f"{_number(geometric_mean(gains))} over those; {_number(mean_gain(table))} "
        "over all, with NumPy's time where scriptc fails."
    )


def mean_gain(table: Sequence[Row]) -> float:
    """Return the geometric mean over all kernels; where scriptc fails, NumPy's time stands in."""
    ours = (row.fastest.get(OURS, row.fastest["NumPy"]).seconds for row in table)
    pairs = zip(table, ours, strict=True)
    return geometric_mean(row.best_peer.seconds / seconds for row, seconds in pairs)


def _asked(table: Sequence[Row]) -> list[Sequence[str]]:
    """Return what is asked of a preset, and what was found."""
    slow = [f"{row.kernel} {_number(row.gain or 0.0)}" for row in table if _below(row)]
    firsts = _firsts(table, OURS)
    found = [
        ("all compile and agree", f"{len(firsts)} of {len(table)}", len(firsts) == len(table)),
        (
            f"geometric mean of the gains over {MEAN_GAIN}",
            _number(mean_gain(table)),
            mean_gain(table) >= MEAN_GAIN,
        ),
        (f"no gain under {LEAST_GAIN}", ", ".join(slow) or "none", not slow),
    ]
    if firsts:
        longest = max(firsts)
        found += [_first_of(table, peer) for peer in NUMBA if _firsts(table, peer)]
        asked = f"first call, longest: {LONGEST_FIRST:.0f} s"
        found.append((asked, f"{_number(longest)} s", longest <= LONGEST_FIRST))
    lines = [(asked, text, "reached" if reached else "missed") for asked, text, reached in found]
    return [("asked", "found", ""), *lines]


def _first_of(table: Sequence[Row], peer: str) -> tuple[str, str, bool]:
    count, ours, theirs = first_medians(table, peer)
    allowed = theirs * SHARE_OF_FIRST
    asked = f"first call, median of {count} kernels: a third of {peer}'s, {_number(allowed)} s"
    return asked, f"{_number(ours)} s", ours <= allowed


def first_medians(table: Sequence[Row], peer: str) -> tuple[int, float, float]:
    """Return on how many kernels a peer and scriptc both ran, and the medians of ours and its."""
    both = [row.fastest for row in table if peer in row.fastest and OURS in row.fastest]
    if not both:
        return 0, math.nan, math.nan
    ours, theirs = (statistics.median(f[side].first for f in both) for side in (OURS, peer))
    return len(both), ours, theirs


def _below(row: Row) -> bool:
    return (row.gain or 0.0) < LEAST_GAIN


def _firsts(table: Sequence[Row], peer: str) -> list[float]:
    return [row.fastest[peer].first for row in table if peer in row.fastest]


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
        firsts = _firsts(table, peer)
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
    return "What fails:\n\n" + markdown([("kernel", "variant", "how"), *found])


def _first_line(text: str) -> str:
    line = next((line for line in text.splitlines() if line.strip()), "")
    return line.strip()[:160].replace("|", "\\|")


def _number(value: float) -> str:
    if math.isnan(value):
        return ""
    return f"{value:.0f}" if value >= 1000 else f"{value:.3g}"
