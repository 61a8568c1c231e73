"""The pipelines step by step: what each pass changes of a module."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain
from typing import NamedTuple

from scriptc.device_pipeline import FOR_DEVICE
from scriptc.driver import FIRST, PLAIN
from scriptc.inspection.pass_trace import NO_CHANGE, Trace
from scriptc.kernels.pipeline import TO_LOW
from scriptc.passes.pipeline import OPTIMISE, Pass
from scriptc.passes.plain import is_plain
from scriptc_runtime.ir import Module
from scriptc_runtime.ops.opdef import Level
from scriptc_runtime.text.writer import write_module
from scriptc_runtime.verify.module import Known, verify

# What follows `OPTIMISE`, by the section of golden cases that shows how it ends.
AFTER_CORE: Mapping[str, Sequence[Pass]] = {
    "opt": (),
    "low": (*FIRST, *TO_LOW),
    "kernels": FOR_DEVICE,
    "plain": (*FIRST, *PLAIN),  # ends as `low` does
}
PASSES: Mapping[str, Pass] = {step.__name__: step for step in chain(OPTIMISE, *AFTER_CORE.values())}


class Change(NamedTuple):
    """A pass, and a module that it changes."""

    name: str
    before: Module
    after: Module


def changes(module: Module, pipeline: str) -> Iterator[Change]:
    """Yield what the passes of a pipeline change, in their order; each module is verified."""
    known: defaultdict[Level, Known] = defaultdict(Known)
    text = _text(module)
    for step, level in _steps(pipeline):
        before, module = module, step(module)
        verify(module, level=level, known=known[level])
        text_before, text = text, _text(module)
        if text_before != text:
            yield Change(step.__name__, before, module)


def _steps(pipeline: str) -> Iterator[tuple[Pass, Level]]:
    yield from ((step, Level.CORE) for step in OPTIMISE)
    yield from ((step, Level.LOW) for step in AFTER_CORE[pipeline])


def where_it_runs(module: Module, name: str) -> Change | None:
    """Return the first change by a pass in the first pipeline that has it; None without one."""
    pipeline = next(p for p in AFTER_CORE if any(s.__name__ == name for s, _ in _steps(p)))
    assert pipeline != "plain" or runs_as_plain(module)
    return next((change for change in changes(module, pipeline) if change.name == name), None)


def runs_as_plain(module: Module) -> bool:
    """Whether the pipeline of plain modules is the one for a module."""
    return is_plain(reduce(lambda found, step: step(found), (*OPTIMISE, *FIRST), module))


def alone(module: Module, name: str) -> Change:
    """Return what a pass makes of a module as it is."""
    changed = PASSES[name](module)
    verify(changed, level=Level.LOW)
    return Change(name, module, changed)


def difference(change: Change | None) -> str:
    """Return what a pass takes away and puts, as `dump --passes` shows it, without places."""
    if change is None:
        return NO_CHANGE
    trace = Trace(locations=False)
    trace("before", change.before)
    first = len(trace.text)
    trace("after", change.after)
    _, _, lines = trace.text[first:].partition("\n")
    return lines


def _text(module: Module) -> str:
    return write_module(module, locations=False)
