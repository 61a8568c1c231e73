"""What LLVM itself says of the loops that are left to it.

LLVM says so on the standard error of a process, once and for all: a child runs its passes over the
text, which has a number for each loop, and what it says is put into words of ours.

    remark: loops:7:0: vectorized loop (vectorization width: 4, interleaved count: 2)
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence

from scriptc.analysis.remarks import Kind, Message, Remark, Remarks, Topic
from scriptc.faults import Stage
from scriptc_runtime.record import record

VECTORISED = Message(
    "LLVM", Topic.VECTORS, Kind.DONE, "{lanes} iterations at a time, as lanes of vectors (by LLVM)"
)
UNROLLED = Message(
    "LLVM", Topic.ORDER, Kind.DONE, "a loop of {count} iterations is unrolled (by LLVM)"
)
SCALAR = Message("LLVM", Topic.VECTORS, Kind.MISSED, "not vectorised: {why} (by LLVM)")

_CHILD = """\
import json, sys
sys.path[:] = json.loads(sys.argv[2])
from scriptc.backends.llvm.machine import say_of_loops
say_of_loops(sys.stdin.read(), sys.argv[1])
"""
_LINE = re.compile(r"^remark: loops:(\d+):\d+: (.*)$")
_WIDTH = re.compile(r"vectorized loop \(vectorization width: (\d+), interleaved count: (\d+)\)")
_COUNT = re.compile(r"completely unrolled loop with (\d+) iterations")
_REFUSED = "loop not vectorized: "
_EARLY = "an iteration may end the loop, or raise"
_CHOICE = "a branch in it cannot become a choice"
_UNCOUNTED = "how many iterations there are does not show before the loop"
_UNNAMED = "an instruction in it has no vector form"
# What it says, by how that begins, in words of this language; of what the emitter has asked for
# that has said why.
_REASONS: Mapping[str, str] = {
    "unsafe dependent memory operations": "an iteration needs what an earlier one writes",
    "cannot prove it is safe to reorder floating-point": "floats would be added in another order",
    "could not determine number of loop iterations": _UNCOUNTED,
    "Cannot vectorize uncountable loop": _UNCOUNTED,
    "value that could not be identified as reduction": "an iteration needs a value of the one "
    "before",
    "loop induction variable could not be identified": "no variable counts its iterations",
    "call instruction cannot be vectorized": "it calls a function that has no vector form",
    "instruction cannot be vectorized": _UNNAMED,
    "cannot identify array bounds": "LLVM does not see which elements of an array it meets",
    "the cost-model indicates that vectorization is not beneficial": "vectors would not be faster",
    "the cost-model indicates that interleaving is not": "vectors would not be faster",
    "vectorization is explicitly disabled": "",
    "vectorization and interleaving are explicitly disabled": "",
    "loop control flow is not understood": _EARLY,
    "Cannot vectorize early exit loop": _EARLY,
    "Early exit loop": _EARLY,
    "Incorrect number of successors from early": _EARLY,
    "Auto-vectorization of loops with potentially faulting load": _EARLY,
    "Control flow cannot be substituted for a select": _CHOICE,
    "Loop contains an unsupported switch": _CHOICE,
    "loop switch statement": _CHOICE,
}


class UnknownProcessorError(ValueError):
    """A name that LLVM does not have for a processor."""


@record
class Said:
    """What LLVM said of a loop."""

    number: int
    text: str


def llvm_remarks(text: str, remarks: Remarks, cpu: str) -> Sequence[Remark]:
    """Return what LLVM says of the loops in a text that was made while `remarks` were kept."""
    if not remarks.loops:
        return ()
    found: dict[tuple[object, ...], Remark] = {}
    for number, lines in _by_loop(_said(text, cpu)).items():
        loc, function = remarks.loops[number - 1]
        for message, values in _understood(lines):
            key = (message, loc, *(values.values() if message is SCALAR else ()))
            before = found.get(key)
            # Of copies of a loop, for versions and rests, the widest tells.
            if before is None or _width(values) > _width(before.values):
                found[key] = Remark(message, loc, values, function)
    return list(found.values())


def _width(values: "_Values") -> int:
    lanes = values.get("lanes", values.get("count", 0))
    return lanes if isinstance(lanes, int) else 0


def _said(text: str, cpu: str) -> Iterator[Said]:
    child = subprocess.run(
        # -P: no file of the folder that it starts in stands for a module of Python's.
        [sys.executable, "-P", "-c", _CHILD, cpu, json.dumps(sys.path)],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    if "is not a recognized processor" in child.stderr:
        raise UnknownProcessorError(f"LLVM knows no processor {cpu!r} of this kind of machine")
    with Stage("llvm remarks"):
        child.check_returncode()
    for line in child.stderr.splitlines():
        found = _LINE.match(line)
        if found:
            yield Said(int(found[1]), found[2])


def _by_loop(said: Iterator[Said]) -> Mapping[int, Sequence[str]]:
    loops: dict[int, list[str]] = {}
    for each in said:
        loops.setdefault(each.number, []).append(each.text)
    return dict(sorted(loops.items()))


_Values = Mapping[str, object]


def _understood(lines: Sequence[str]) -> Iterator[tuple[Message, _Values]]:
    """Yield what LLVM has done to a loop, or why it has done nothing.

    Of a copy of a loop that it makes it may say something else than of the loop.
    """
    done = [each for reading in (_vectorised, _unrolled) for each in reading(lines)]
    yield from done
    if not done:
        yield from _refused(lines)


def _vectorised(lines: Sequence[str]) -> Iterator[tuple[Message, _Values]]:
    for line in dict.fromkeys(lines):
        found = _WIDTH.search(line)
        if found and found[1] != "1":
            yield VECTORISED, {"lanes": int(found[1])}


def _unrolled(lines: Sequence[str]) -> Iterator[tuple[Message, _Values]]:
    for line in dict.fromkeys(lines):
        if found := _COUNT.search(line):
            yield UNROLLED, {"count": int(found[1])}


def _refused(lines: Sequence[str]) -> Iterator[tuple[Message, _Values]]:
    reasons = [line.removeprefix(_REFUSED) for line in lines if line.startswith(_REFUSED)]
    found = [text for text in dict.fromkeys(_in_words(r) for r in reasons) if text]
    if len(found) > 1 and _UNNAMED in found:
        found.remove(_UNNAMED)
    if not reasons and "loop not vectorized" in lines:
        found = ["no reason given"]
    if found:
        yield SCALAR, {"why": "; ".join(found)}


def _in_words(reason: str) -> str:
    known = (words for start, words in _REASONS.items() if reason.startswith(start))
    return next(known, f"{reason.rstrip('.')}, in its words")
