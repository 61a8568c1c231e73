"""Other projects' programs under CPython and scriptc: how many agree, and why the rest do not.

    make corpora CORPORA_DIR=...                           each corpus; writes the table
    python -m tests.benchmarks.bench_corpora --limit 40    programs of each corpus at most
    python -m tests.benchmarks.bench_corpora codon numba   these corpora alone, printed

CORPORA_DIR names a folder of drivers: `run.py CORPUS --json FILE` runs a corpus and writes a line
of JSON for each program, and `kinds.py` tells why programs are refused. Nothing of them is kept
here. The drivers run in the Python that runs this, which needs the libraries that they name.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from tests.benchmarks.harness import RESULTS, machine, markdown

CORPORA = (
    *("pythran", "pyccel", "codon", "lpython", "mypyc", "numba"),
    *("quantecon", "stumpy", "sparse"),
)
AGREE = ("ok", "type")
VERDICTS = (*AGREE, "refused", "doc", "wrong", "raised-other", "crash", "timeout")
# What has to be looked at: each stands in the report by its name.
FAULTS = ("wrong", "raised-other", "crash", "timeout")
PACKAGES = ("numpy", "numba")
_REASON = re.compile(r"\s*(\d+) (.*): ([a-z].*)")
REPO = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Record:
    """What became of one program."""

    corpus: str
    id: str
    verdict: str
    detail: str


@dataclass(frozen=True, slots=True)
class Corpus:
    """What became of the programs of a corpus, and how many it has."""

    name: str
    extracted: int
    records: Sequence[Record]

    @property
    def counts(self) -> Counter[str]:
        """How many programs have each verdict."""
        return Counter(record.verdict for record in self.records)

    @property
    def usable(self) -> int:
        """How many programs gave a value, or an exception of their own, in CPython."""
        return sum(self.counts[verdict] for verdict in VERDICTS)


def drivers() -> Path:
    """Return the folder of the drivers.  Raises SystemExit if there is none."""
    folder = Path(os.environ.get("CORPORA_DIR", ""))
    if not os.environ.get("CORPORA_DIR") or not (folder / "run.py").is_file():
        raise SystemExit("CORPORA_DIR must name a folder with the drivers: run.py, kinds.py")
    return folder.resolve()


def run(folder: Path, name: str, raw: Path, options: Sequence[str]) -> Corpus | None:
    """Run a corpus and return what became of it; None where the drivers cannot run it."""
    command = [sys.executable, "run.py", name, "--json", str(raw), *options]
    paths = [str(REPO), str(REPO / "runtime"), os.environ.get("PYTHONPATH", "")]
    env = dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, paths)))
    done = subprocess.run(
        command, cwd=folder, env=env, text=True, stdout=subprocess.PIPE, check=False
    )
    print(done.stdout.strip(), flush=True)
    found = re.search(r"extracted (\d+)", done.stdout)
    if found is None or not raw.is_file():
        print(f"{name}: not run", flush=True)
        return None
    rows = [json.loads(line) for line in raw.read_text(encoding="utf-8").splitlines()]
    records = [Record(name, row["id"], row["verdict"], row["detail"]) for row in rows]
    return Corpus(name, int(found[1]), records)


def reasons(folder: Path, raw: Sequence[Path]) -> list[tuple[str, int, str]]:
    """Return each reason why programs are refused, with their number and corpora."""
    command = [sys.executable, "kinds.py", *map(str, raw), "--top", "1000"]
    done = subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, check=True)
    rows = [_REASON.fullmatch(line) for line in done.stdout.splitlines()]
    return [(row[2].removesuffix(":"), int(row[1]), row[3]) for row in rows if row is not None]


def report(corpora: Sequence[Corpus], refused: Sequence[tuple[str, int, str]]) -> str:
    """Return the tables: shares, reasons of refusals, and what is neither equal nor refused."""
    heading = ("corpus", "of", "run", "usable", *VERDICTS, "share")
    parts = [markdown([heading, *map(_row, corpora)])]
    if refused:
        rows = [(reason, str(count), of) for reason, count, of in refused]
        parts.append("## Refused, by reason\n\n" + markdown([("reason", "programs", "of"), *rows]))
    faults = [r for corpus in corpora for r in corpus.records if r.verdict in FAULTS]
    if faults:
        cells = [(f.corpus, f.verdict, f"`{f.id}`", _one_line(f.detail)) for f in faults]
        table = markdown([("corpus", "verdict", "program", "what"), *cells])
        parts.append("## Neither equal nor refused\n\n" + table)
    return "\n\n".join(parts)


def _row(corpus: Corpus) -> Sequence[str]:
    counts = corpus.counts
    numbers = [corpus.extracted, len(corpus.records), corpus.usable, *map(counts.get, VERDICTS)]
    return (corpus.name, *(str(number or 0) for number in numbers), _share(corpus))


def _share(corpus: Corpus) -> str:
    agree = sum(corpus.counts[verdict] for verdict in AGREE)
    return f"{100 * agree / corpus.usable:.0f} %" if corpus.usable else "-"


def _one_line(text: str) -> str:
    """Return a detail as a cell, without places of the machine."""
    plain = re.sub(r"/\S*/", "", " ".join(text.split())).replace("|", "/").replace("`", "'")
    return plain[:120]


def _commit() -> str:
    command = ["git", "-C", str(REPO), "rev-parse", "--short", "HEAD"]
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, check=False)
    return done.stdout.strip() or "unknown"


NOTES = """\
`make corpora`: programs of other projects' tests, and the tests of libraries that use Numba, run by
CPython and by scriptc. A third of each corpus is left out by its name, so that what is built also
serves programs that nobody has looked at. A program is usable if it gives a value in CPython; the
share is that of usable ones with an equal value (`ok`), or one of another type of number (`type`).
`doc` is a difference of the closed list whose message says so."""


def _heading(limit: int | None) -> str:
    most = f" At most {limit} programs of each." if limit else ""
    title = f"# Corpora, {date.today().isoformat()}, at {_commit()}"
    return f"{title}\n\n{machine(PACKAGES)}\n\n{NOTES}{most}"


def main(arguments: argparse.Namespace) -> None:
    """Run the corpora, one after the other, and write the report if it is of all."""
    folder = drivers()
    options: list[str] = []
    for name in ("limit", "seconds"):
        if getattr(arguments, name):
            options += [f"--{name}", str(getattr(arguments, name))]
    with tempfile.TemporaryDirectory(prefix="scriptc-corpora-") as scratch:
        raw: Mapping[str, Path] = {
            name: Path(scratch) / f"{name}.json" for name in arguments.corpora or CORPORA
        }
        found = [run(folder, name, path, options) for name, path in raw.items()]
        corpora = [corpus for corpus in found if corpus is not None]
        if not corpora:
            raise SystemExit("no corpus was run")
        refused = reasons(folder, [raw[corpus.name] for corpus in corpora])
        text = f"{_heading(arguments.limit)}\n\n{report(corpora, refused)}\n"
    print(text)
    if not arguments.corpora:
        path = RESULTS / f"{date.today().isoformat()}-corpora.md"
        path.write_text(text, encoding="utf-8")
        print(f"written: {path.relative_to(REPO)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="*", metavar="CORPUS", help=", ".join(CORPORA))
    parser.add_argument("--limit", type=int, help="programs of each corpus")
    parser.add_argument("--seconds", type=float, help="start no program of a corpus after this")
    main(parser.parse_args())
