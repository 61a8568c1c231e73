"""Every pass leaves remarks, or has nothing to say; every message is one that some program has.

What `explain` shows is what passes have said, so a pass that says nothing is left out of it.
"""

import importlib
import inspect
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from string import Formatter
from types import FunctionType
from typing import cast

import pytest

from scriptc import script
from scriptc.analysis.remarks import Message, Remark
from scriptc.device_pipeline import FOR_DEVICE
from scriptc.driver import FIRST, PLAIN
from scriptc.inspection import explain as explaining
from scriptc.kernels.pipeline import TO_LOW
from scriptc.passes.pipeline import OPTIMISE
from tests.support.cases import case_paths
from tests.support.live_source import last_function, live_module
from tests.support.program_cases import PROGRAMS
from tests.support.remark_programs import SHOWN_BY

REPO = Path(__file__).parents[2]
LLVM = "inspection.llvm_remarks"
# Modules of passes without a message, each with the reason. A module that has some is no row.
WITHOUT: Mapping[str, str] = {
    "passes.sizes": "gives sizes names, which other passes prove with",
    "passes.fields_apart": "undoes what the compiler itself has put together",
    "passes.characters": "compares numbers in place of characters",
    "passes.fold": "computes constants",
    "passes.simplify": "is arithmetic on scalars",
    "passes.hoist": "moves scalars that cost little; `hoist_checked` says what may raise",
    "passes.cse": "computes scalars once",
    "passes.steady": "gives names to what they stand for",
    "passes.unused": "drops what nothing uses",
    "passes.dce": "drops what nothing uses",
    "passes.reach": "drops functions that nothing calls",
    "passes.ownership": "frees memory, and changes no array or loop",
    "driver": "opens library functions, whose loops have remarks of their own",
    "device_pipeline": "opens library functions, whose loops have remarks of their own",
    "kernels.checked_reads": "opens checks; `unchecked` and `version_bounds` say which are left",
    "kernels.loops.extract_loops": "moves loops that stay as they are",
    "kernels.device.collapse_sums": "the same sums in the order of the processor's",
    "kernels.device.enclose": "makes kernels of one thread, which `dump --stage cuda` names",
    "kernels.device.room_for_rows": "makes room, as `dump --stage low` shows",
    "kernels.device.stage": "copies what host routines need, as `dump --stage low` shows",
    "kernels.device.plain_messages": "writes what is raised in another way",
    "kernels.device.share_reductions": "a plan says how many threads a kernel has",
    "kernels.device.share_updates": "a plan says how many threads a kernel has",
    "kernels.device.split_tuples": "changes what loops carry, and no loop",
    "kernels.device.raise_failed": "asks whether kernels have failed, and changes none",
    "kernels.loops.skip_empty": "skips loops without iterations",
    "kernels.loops.poll_signals": "looks for Ctrl-C, in loops that stay as they are",
}


def _messages() -> dict[str, Message]:
    """Return the messages of all modules by module and name."""
    found: dict[str, Message] = {}
    for path in sorted((REPO / "scriptc").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if " = Message(" not in text:
            continue
        module = path.relative_to(REPO).with_suffix("").as_posix().replace("/", ".")
        for name, value in vars(importlib.import_module(module)).items():
            if isinstance(value, Message) and f"\n{name} = Message(" in text:
                found[f"{module.removeprefix('scriptc.')}.{name}"] = value
    return found


MESSAGES = _messages()


def _module_of(run: object) -> str:
    return inspect.unwrap(cast("FunctionType", run)).__module__.removeprefix("scriptc.")


def test_every_pass_leaves_remarks_or_says_why_not() -> None:
    passes = dict.fromkeys([*OPTIMISE, *FIRST, *PLAIN, *TO_LOW, *FOR_DEVICE])
    modules = {_module_of(run) for run in passes}
    speaking = {key.rpartition(".")[0] for key in MESSAGES}
    assert modules - speaking == WITHOUT.keys()


def test_every_message_has_a_program() -> None:
    own = {key for key in MESSAGES if not key.startswith(LLVM)}
    assert own == SHOWN_BY.keys()


def test_no_two_messages_of_a_topic_are_taken_for_one_another() -> None:
    texts = [(m.by, m.topic, m.text) for m in MESSAGES.values()]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("key", MESSAGES)
def test_a_message_is_a_sentence_that_goes_on_behind_its_topic(key: str) -> None:
    text = MESSAGES[key].text
    assert not text.endswith(".")
    assert text[0].islower() or text.startswith(("{", "BLAS", "LLVM"))
    assert all(name is None or name.isidentifier() for _, name, _, _ in Formatter().parse(text))


@pytest.mark.sampled(8)
@pytest.mark.parametrize("key", SHOWN_BY)
def test_a_program_shows_it(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = "cuda" if key.startswith("backends.cuda") else "llvm"
    found = [r for r in _remarks(SHOWN_BY[key], kind, monkeypatch) if r.message is MESSAGES[key]]
    assert found
    assert all(remark.text for remark in found)


def test_golden_cases_show_what_llvm_says() -> None:
    shown = "\n".join(path.read_text(encoding="utf-8") for path in case_paths("explain"))
    for key, message in MESSAGES.items():
        if key.startswith(LLVM):
            first, *_, last = message.text.split("{")[0], message.text.rpartition("}")[2]
            assert first in shown
            assert last in shown


def _remarks(program: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> list[Remark]:
    kept: list[Remark] = []

    def nothing(*_: object) -> tuple[()]:
        return ()

    def take(found: list[Remark], _: FunctionType) -> tuple[()]:
        kept.extend(found)
        return ()

    monkeypatch.setattr(explaining, "listings", take)
    monkeypatch.setattr(explaining, "llvm_remarks", nothing)
    for function, examples in _calls(program):
        script(function, backend=kind).explain(*examples)
    return kept


def _calls(program: str) -> Iterator[tuple[Callable[..., object], tuple[object, ...]]]:
    """Yield functions, and arguments to explain them for: several programs may have one name."""
    if not program.isprintable():
        yield last_function(live_module(program)), ()
        return
    yield from ((p.function, p.calls[0]) for p in PROGRAMS if p.name == program)
