"""Faults of the compiler's own: told as such, with the stage, the place and the cause."""

import pickle
from collections.abc import Callable
from typing import Any

import pytest

from scriptc import InternalError, ScriptError, driver, pass_manager, script
from scriptc.faults import Stage
from scriptc_runtime.errors import InvalidIRError
from scriptc_runtime.ir import Module, walk
from scriptc_runtime.ops.opdef import Level
from scriptc_runtime.record import replace


def _scaled(x: float) -> float:
    y = x * 2.0
    return y + 1.0


LINE = _scaled.__code__.co_firstlineno


def _fail(*_: object, **__: object) -> Any:
    raise KeyError("lost")


def _compile(**options: Any) -> InternalError:
    with pytest.raises(InternalError) as caught:
        script(_scaled, **options)(1.0)
    return caught.value


@pytest.mark.parametrize(
    ("stage", "name"),
    [
        *(("check", "driver.check_program"), ("lower", "driver.lower_program")),
        ("emit llvm", "specialise.machine_code.backend.emit"),
        ("llvm", "specialise.machine_code.machine.compile_program"),
    ],
)
def test_a_fault_names_its_stage_and_the_function(
    monkeypatch: pytest.MonkeyPatch, stage: str, name: str
) -> None:
    monkeypatch.setattr(f"scriptc.{name}", _fail)
    error = _compile()
    assert error.stage == stage
    assert isinstance(error.__cause__, KeyError)
    assert not isinstance(error, ScriptError)
    assert f"{__file__}:{LINE}:" in str(error)
    assert f"error[internal]: {stage}: KeyError: 'lost'" in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_fault_in_the_interpreter_is_told_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scriptc.backends.interp.backend.load_module", _fail)
    assert _compile(backend="interp").stage == "interp"


def _with_pass(
    monkeypatch: pytest.MonkeyPatch,
    run: Callable[[Module], Module],
    passes: str = "CLEAN",
    backend: str = "interp",
) -> InternalError:
    monkeypatch.setattr(driver, passes, (run,))
    return _compile(backend=backend)


def test_a_fault_of_a_pass_stands_at_the_instruction_it_was_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stumble(module: Module) -> Module:
        for function in module.functions.values():
            for instr in walk(function.body):
                assert instr.op.name != "add", "no sums today"
        return module

    error = _with_pass(monkeypatch, stumble)
    assert error.stage == "stumble"
    assert f"{__file__}:{LINE + 2}:" in str(error)
    assert "AssertionError: no sums today" in str(error)


def _swap(module: Module) -> Module:
    (name,) = module.functions
    function = module.functions[name]
    body = replace(function.body, body=function.body.body[::-1])
    return module.with_functions({name: replace(function, body=body)})


@pytest.mark.parametrize("each", [False, True])
@pytest.mark.parametrize(
    ("passes", "backend"), [("CLEAN", "interp"), ("FIRST", "llvm"), ("PLAIN", "llvm")]
)
def test_ir_that_a_pass_breaks_is_a_fault_of_that_pass(
    monkeypatch: pytest.MonkeyPatch, passes: str, backend: str, each: bool
) -> None:
    if not each:
        monkeypatch.delenv("SCRIPTC_VERIFY", raising=False)
    error = _with_pass(monkeypatch, _swap, passes, backend)
    assert error.stage == "_swap"
    assert isinstance(error.__cause__, InvalidIRError)


def test_ir_is_verified_where_it_is_optimised_and_where_it_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    verified: list[tuple[Level, list[str]]] = []

    def note(module: Module, *, level: Level) -> None:
        verified.append((level, [*module.functions]))

    monkeypatch.delenv("SCRIPTC_VERIFY", raising=False)
    monkeypatch.setattr(pass_manager, "verify", note)
    assert script(_scaled)(1.0) == 3.0
    assert verified == [(Level.CORE, ["_scaled"]), (Level.LOW, ["_scaled"])]


@pytest.mark.parametrize("kind", [KeyboardInterrupt, MemoryError, SystemExit, OSError, ImportError])
def test_what_is_no_fault_of_the_compiler_passes(kind: type[BaseException]) -> None:
    with pytest.raises(kind), Stage("any"):
        raise kind


def test_a_refusal_passes() -> None:
    with pytest.raises(ScriptError, match=r"error\[unknown-name\]"):
        script(lambda x: nothing(x), backend="interp")(1)  # pyright: ignore  # noqa: F821


def test_a_program_that_is_too_deep_is_refused() -> None:
    def deeper(depth: int) -> int:
        return deeper(depth + 1)

    with pytest.raises(ScriptError, match=r"error\[too-deep\]"), Stage("any", _scaled):
        deeper(0)
