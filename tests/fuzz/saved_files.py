"""A fuzzer of saved files: mutants are read, and some of those that are taken compiled and run.

    python -m tests.fuzz.saved_files 1000000 --state FOLDER [--jobs 2] [--first N]

Each job is a child process with limits of time and memory. It writes down which mutant it is at, so
that one that crashes it, or never ends, is known by its number; another child goes on behind it. A
run that is stopped is taken up where it was by the same command. What is found stands in the file
`findings` of the folder: crashes, hangs, exceptions that are none of ours, and calls of which the
interpreter and machine code differ, or after which they hold what differs or cannot be saved.
`--only N` looks at mutant N again and leaves it in the folder.
"""

import argparse
import contextlib
import gc
import io
import json
import mmap
import os
import random
import resource
import shutil
import signal
import struct
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import scriptc
from scriptc_runtime import Budget, load, save
from scriptc_runtime.errors import LoadError, UnsupportedError
from scriptc_runtime.saved.file import SavedModule, read_saved
from tests.support.guarded import guarded
from tests.support.saved_mutants import Mutant, Mutator, Seed
from tests.support.saved_outcomes import (
    ENDLESS,
    FOREIGN,
    difference,
    may_differ,
    outcome,
    state_difference,
)
from tests.support.saved_seeds import arguments_of, read_seeds, write_seeds

if TYPE_CHECKING:
    from tests.fuzz.planted_faults import Fault

STAGES = ("begin", "read", "compile", "interpret", "run", "save")
_MEMORY = 6 * 2**30
# Seconds of the processor in which a stage ends, and of a clock where it takes none.
_BUSY, _SILENCE = 10.0, 300.0
_AGAIN = 2000  # mutants of a child, after which another one takes its place
_CALLS = 3
_CACHE = 2**28


class Counts(NamedTuple):
    """How far a job is: the next mutant, the stage of this one, and what was done so far."""

    next: int
    stage: int
    read: int
    taken: int
    compiled: int
    refused: int  # by the compiler
    calls: int
    findings: int


_FORM = struct.Struct(f"<{len(Counts._fields)}q")


class Progress:
    """The counts of a job, in a file that parent and child share."""

    def __init__(self, path: Path, first: int) -> None:
        if not path.exists() or path.stat().st_size != _FORM.size:
            path.write_bytes(_FORM.pack(first, *[0] * (len(Counts._fields) - 1)))
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), _FORM.size)

    @property
    def counts(self) -> Counts:
        """The counts as they are now."""
        return Counts(*_FORM.unpack(self._memory[:]))

    def update(self, **changes: int) -> None:
        """Set some of the counts."""
        self._memory[:] = _FORM.pack(*self.counts._replace(**changes))

    def add(self, *names: str) -> None:
        """Count one more of each."""
        now = self.counts
        self.update(**{name: getattr(now, name) + 1 for name in names})


# ------------------------------------------------------------------------------------- the parent


class Job:
    """A child process, and the others that take its place; they have the parent's seeds."""

    def __init__(
        self, folder: Path, number: int, options: argparse.Namespace, seeds: Sequence[Seed]
    ) -> None:
        self._options = options
        self._folder = folder
        self._number = number
        self._seeds = seeds
        self.progress = Progress(folder / f"job{number}", options.first + number)
        self._child = 0
        self._seen: tuple[int, int] = (-1, -1)
        self._used, self._since = 0.0, 0.0

    @property
    def is_done(self) -> bool:
        """Whether all its mutants were looked at, and no child is left."""
        last = self._options.first + self._options.count
        return self._child == 0 and self.progress.counts.next >= last

    def poll(self) -> None:
        """Start a child where there is none, and end one that hangs."""
        if self._child == 0:
            if not self.is_done:
                self._start()
            return
        now = self.progress.counts
        ended, status = os.waitpid(self._child, os.WNOHANG)
        if ended:
            self._child, code = 0, os.waitstatus_to_exitcode(status)
            if code != 0:
                how = signal.Signals(-code).name if code < 0 else f"exit {code}"
                self._lost(f"crash: {how}")
        elif (now.next, now.stage) != self._seen:
            self._mark((now.next, now.stage))
        elif (
            _processor_time(self._child) - self._used > _BUSY
            or time.monotonic() - self._since > _SILENCE
        ):
            self.stop()
            self._lost("hang")

    def stop(self) -> None:
        """End the child."""
        if self._child:
            os.kill(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)
            self._child = 0

    def _mark(self, seen: tuple[int, int]) -> None:
        self._seen, self._since = seen, time.monotonic()
        self._used = _processor_time(self._child)

    def _start(self) -> None:
        cache = self._folder / f"cache{self._number}"
        _tidy(cache)
        self._child = os.fork()
        if self._child:
            self._mark((-1, -1))
            return
        status = 1
        try:
            with (self._folder / f"log{self._number}").open("ab", buffering=0) as log:
                os.dup2(log.fileno(), 1)
                os.dup2(log.fileno(), 2)
            work(self._folder, self._number, self._options, self._seeds)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status)

    def _lost(self, how: str) -> None:
        now = self.progress.counts
        note(self._folder, now.next, STAGES[now.stage], how)
        self.progress.update(next=now.next + self._options.jobs, findings=now.findings + 1)


def _processor_time(pid: int) -> float:
    """Return how many seconds a process has computed; others may have the processors."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _tidy(cache: Path) -> None:
    """Drop a cache that has become large: nothing in it is wanted twice but the support code."""
    if cache.exists() and sum(f.stat().st_size for f in cache.iterdir()) > _CACHE:
        shutil.rmtree(cache)


def note(folder: Path, number: int, stage: str, what: str) -> None:
    """Write down what was found."""
    with (folder / "findings").open("a") as file:
        file.write(json.dumps([number, stage, what]) + "\n")


def findings(folder: Path) -> list[str]:
    """Return what was found so far."""
    path = folder / "findings"
    return path.read_text().splitlines() if path.exists() else []


def fuzz(folder: Path, options: argparse.Namespace, *, quiet: bool = False) -> Counts:
    """Run all jobs to their end; return the counts of all together."""
    seeds = prepared(folder, options.files, with_programs=options.programs)
    jobs = [Job(folder, number, options, seeds) for number in range(options.jobs)]
    shown = time.monotonic()
    try:
        while not all(job.is_done for job in jobs):
            for job in jobs:
                job.poll()
            if options.until_found and findings(folder):
                break
            if not quiet and time.monotonic() - shown > 20:
                shown = time.monotonic()
                print(_sum(jobs), flush=True)
            time.sleep(0.02)
    finally:
        for job in jobs:
            job.stop()
    return _sum(jobs)


def _sum(jobs: Sequence[Job]) -> Counts:
    counts = [job.progress.counts for job in jobs]
    return Counts(*map(sum, zip(*counts, strict=True)))


def prepared(folder: Path, files: str = "*", *, with_programs: bool) -> list[Seed]:
    """Return what mutants are made of; its files are written where they are not there."""
    if not (folder / "seeds").exists():
        fresh = folder / "seeds.new"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        write_seeds(fresh, with_programs=with_programs)
        fresh.rename(folder / "seeds")
    seeds = read_seeds(folder / "seeds", files)
    gc.freeze()  # what the children share is not to be looked at again by each
    return seeds


# -------------------------------------------------------------------------------------- the child


class Worker:
    """Looks at mutants, one after the other."""

    def __init__(
        self, folder: Path, number: int, options: argparse.Namespace, seeds: Sequence[Seed]
    ) -> None:
        self._folder = folder
        self._options = options
        self._progress = Progress(folder / f"job{number}", options.first + number)
        self._mutator = Mutator(seeds)
        self._path = folder / f"mutant{number}"
        self._fault: Fault | None = None
        if options.fault:
            # Inside a function: what plants faults runs this fuzzer.
            from tests.fuzz.planted_faults import FAULTS

            self._fault = FAULTS[options.fault]

    def run(self) -> None:
        """Look at as many as one child does."""
        last = self._options.first + self._options.count
        for _ in range(_AGAIN):
            number = self._progress.counts.next
            if number >= last:
                return
            self._enter(0)
            self.look_at(number)
            self._progress.update(next=number + self._options.jobs, stage=0)

    def _enter(self, stage: int) -> None:
        self._progress.update(stage=stage)

    def _note(self, number: int, stage: str, what: str) -> None:
        note(self._folder, number, stage, what)
        self._progress.add("findings")

    def look_at(self, number: int) -> None:
        """Read a mutant; compile and run it where it is taken and its turn comes."""
        mutant = self._mutator.mutant(number)
        self._path.write_bytes(mutant.data)
        self._enter(1)
        self._progress.add("read")
        if self._fault is None:
            self._read(mutant)
        elif not self._fault.is_of_reading or self._is_refused():
            with self._fault.planted():
                self._read(mutant)

    def _is_refused(self) -> bool:
        """Whether the file is not taken by those who check it."""
        try:
            load(self._path, budget=_budget())
        except (LoadError, UnsupportedError):
            return True
        return False

    def _read(self, mutant: Mutant) -> None:
        try:
            interpreted = load(self._path, budget=_budget())
        except (LoadError, UnsupportedError):
            return
        except Exception as error:
            self._note(mutant.number, "read", _told(mutant, error))
            return
        self._progress.add("taken")
        if random.Random(-mutant.number).random() < self._options.share:
            self._compile(mutant, interpreted)

    def _compile(self, mutant: Mutant, interpreted: object) -> None:
        self._enter(2)
        begin = time.process_time()
        try:
            compiled = scriptc.load(self._path)
        except (LoadError, UnsupportedError):
            self._progress.add("refused")
            return
        except Exception as error:
            self._note(mutant.number, "compile", _told(mutant, error))
            return
        if (took := time.process_time() - begin) > _BUSY:
            self._note(mutant.number, "compile", f"{mutant}: {took:.1f} s")
        self._progress.add("compiled")
        calls = list(_calls(self._path, mutant.number))
        for number, call in enumerate(calls):
            what = self._compare(call, interpreted, compiled)
            if what is None:  # then what they hold may differ as well
                return
            if what and self._is_certain(calls[: number + 1]):
                self._note(mutant.number, "run", f"{mutant}: {call}: {what}")
        self._enter(5)
        what = _difference_held(interpreted, compiled, self._path)
        if what and self._is_certain(calls):
            self._note(mutant.number, "save", f"{mutant}: {what}")

    def _compare(self, call: "Call", interpreted: object, compiled: object) -> str | None:
        """Return how a call differs between the two, "" where it does not, None if it may."""
        self._enter(3)
        expected = outcome(interpreted, call.name, call.arguments())
        if expected[0] == ENDLESS:
            return None
        self._enter(4)
        found = outcome(compiled, call.name, guarded(call.arguments()))
        self._progress.add("calls")
        return None if may_differ(expected, found) else difference(expected, found)

    def _is_certain(self, calls: Sequence["Call"]) -> bool:
        """Whether the interpreter does the same each time: some seeds are the system's."""
        self._enter(3)
        one, other = (load(self._path, budget=_budget()) for _ in range(2))
        for call in calls:
            first, second = (outcome(m, call.name, call.arguments()) for m in (one, other))
            if first[0] == FOREIGN:
                return True
            if difference(first, second):
                return False
        saved = not isinstance(_saved_again(one, self._path), str)
        return not (saved and _difference_held(one, other, self._path))


def _budget() -> Budget:
    return Budget(20_000, 2**24)


def _saved_again(module: Any, path: Path) -> SavedModule | str:
    """Save what a module holds now, and read that; return what goes wrong."""
    again = path.with_suffix(".again")
    try:
        save(module, again)
        return read_saved(again)
    except UnsupportedError:
        return ""  # a ring of objects, say
    except Exception as error:
        return _where(error)


def _difference_held(first: Any, second: Any, path: Path) -> str:
    """Return how what two modules hold differs, or why it cannot be saved."""
    one, other = (_saved_again(module, path) for module in (first, second))
    if isinstance(one, str) or isinstance(other, str):
        return one if isinstance(one, str) else str(other)
    return state_difference(one, other)


def _told(mutant: Mutant, error: Exception) -> str:
    return f"{mutant}: {_where(error)}"


def _where(error: Exception) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(last.filename).name}:{last.lineno} {last.name}"
    return f"{type(error).__name__} at {place}: {str(error)[:300]}"


class Call(NamedTuple):
    """A call of an entry, whose arguments are drawn anew each time."""

    name: str
    types: tuple[Any, ...]
    number: int

    def arguments(self) -> list[object]:
        """Return new arguments, the same ones each time."""
        made = arguments_of(self.types, self.number)
        assert made is not None  # `_calls` saw that
        return made

    def __str__(self) -> str:
        """Return the call as it is written."""
        return f"{self.name}({', '.join(map(repr, self.arguments()))})"


def _calls(path: Path, number: int) -> Iterator[Call]:
    for entry in read_saved(path).entry_points:
        for each in range(_CALLS):
            types = tuple(p.type for p in entry.signatures[0].params)
            if arguments_of(types, number + each) is not None:
                yield Call(entry.name, types, number + each)


def work(folder: Path, number: int, options: argparse.Namespace, seeds: Sequence[Seed]) -> None:
    """Look at mutants, under limits of this process.  Its settings are those of the fuzzer then."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.environ["SCRIPTC_CACHE_DIR"] = str(folder / f"cache{number}")
    worker = Worker(folder, number, options, seeds)
    with contextlib.redirect_stdout(io.StringIO()):
        if options.only is None:
            worker.run()
        else:
            worker.look_at(options.only)


def parsed(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Return what a command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=1, help="how many mutants are read")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--share", type=float, default=0.1, help="of those taken, to be compiled")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--state", type=Path, help="a folder for what was done so far")
    parser.add_argument("--only", type=int, help="look at this mutant alone, in this process")
    parser.add_argument("--files", default="*", help="of which mutants are made, as a shell says")
    parser.add_argument("--fault", default="", help="plant a fault of tests.fuzz.planted_faults")
    parser.add_argument("--until-found", action="store_true", help="end with the first finding")
    parser.add_argument("--no-programs", dest="programs", action="store_false")
    return parser.parse_args(arguments)


def main() -> int:
    """Run the command line; return the exit status."""
    options = parsed()
    os.environ.setdefault("SCRIPTC_GUARD", "1")
    folder: Path = options.state or Path(tempfile.mkdtemp(prefix="fuzz-saved-"))
    if options.only is not None:
        options.share = 1.0
        work(
            folder,
            options.jobs,
            options,
            prepared(folder, options.files, with_programs=options.programs),
        )
    else:
        print(fuzz(folder, options))
    found = findings(folder)
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
