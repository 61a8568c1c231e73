"""Random array programs do in the interpreter and in machine code what they do under NumPy.

The tests run 300 programs, the same ones each time, with four calls each: other sizes, with zeros
and ones, other layouts, arguments that share memory; machine code also by three threads. Some are
called without their annotations as well, so that they are compiled for the pattern of each call's
sizes, with all passes and without one of them. `make fuzz` runs 20,000 others:

    python -m tests.fuzz.test_array_programs 20000 [first seed]
"""

import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any, NamedTuple, cast

import numpy as np
import pytest

import scriptc_runtime
from scriptc import load, save, script
from scriptc_runtime.errors import LoadError, ScriptError
from tests.support.array_expressions import has_open_sign
from tests.support.array_programs import (
    ArrayProgram,
    draw_arguments,
    draw_program,
    has_one_result,
    module_text,
)
from tests.support.live_source import module_in
from tests.support.support_code import pool
from tests.support.without_pass import OPTIONAL, without

_BATCH = 10
_CALLS = 4
_FOR_PATTERNS = 4  # of so many programs one is compiled for the patterns of its calls
_RAISED = (ValueError, IndexError, ZeroDivisionError, OverflowError, TypeError)


class Report(NamedTuple):
    """What a batch showed: programs that differ, and those that are refused, with the reason."""

    wrong: tuple[str, ...]
    refused: tuple[str, ...]


class Way(NamedTuple):
    """A way to run the programs; several threads share even the smallest loop."""

    name: str
    module: object
    surroundings: Callable[[], AbstractContextManager[None]] = nullcontext


def check_batch(first: int, count: int = _BATCH) -> Report:
    """Compare the programs of `count` seeds from `first` on; they are compiled as one module.

    Where one cannot be so large, they are compiled as several.
    """
    try:
        return _check_module(first, count)
    except LoadError as error:
        if count == 1 or error.diagnostics[0].code != "too-large":
            raise
        half = count // 2
        parts = check_batch(first, half), check_batch(first + half, count - half)
        return Report(parts[0].wrong + parts[1].wrong, parts[0].refused + parts[1].refused)


def _check_module(first: int, count: int) -> Report:
    programs = [draw_program(seed) for seed in range(first, first + count)]
    with tempfile.TemporaryDirectory() as folder:
        module = module_in(Path(folder) / f"programs_{first}.py", module_text(programs))
        file = Path(folder) / "programs.scriptc"
        wrong, refused = list[str](), list[str]()
        entries: dict[str, Any] = {}
        for program in programs:
            scripted = script(vars(module)[program.name])
            try:
                save({program.name: scripted}, file)
                entries[program.name] = scripted
            except ScriptError as error:
                refused.append(f"{error}\n{program.text}")
        if entries:
            save(entries, file)
            native = load(file)
            ways = (
                Way("interp", scriptc_runtime.load(file)),
                Way("llvm", native),
                Way("llvm, three threads", native, partial(pool, 3, everything=True)),
            )
            for program in programs:
                if program.name not in entries:
                    continue
                python = vars(module)[program.name]
                wrong += differences(program, python, ways)
                if program.seed % _FOR_PATTERNS == 0:
                    wrong += differences(program, python, _by_patterns(program, python))
    return Report(tuple(wrong), tuple(refused))


def _by_patterns(program: ArrayProgram, python: FunctionType) -> Sequence[Way]:
    def compiled() -> object:
        return SimpleNamespace(**{program.name: script(unannotated(python))})

    name = OPTIONAL[program.seed // _FOR_PATTERNS % len(OPTIONAL)]
    with without(name):
        others = compiled()
    return (
        Way("llvm, by patterns", compiled()),
        Way(f"llvm, by patterns, without {name}", others, partial(without, name)),
    )


def unannotated(function: FunctionType) -> FunctionType:
    return FunctionType(function.__code__, function.__globals__, function.__name__)


def differences(
    program: ArrayProgram, python: Callable[..., object], ways: Sequence[Way]
) -> Iterator[str]:
    for number in range(_CALLS):
        arguments = draw_arguments(program, number)
        if not has_one_result(program, _copies(arguments), _copies(arguments)):
            continue
        expected = _outcome(program, python, arguments)
        for way in ways:
            with way.surroundings():
                actual = _outcome(program, vars(way.module)[program.name], arguments)
            if actual != expected and not _is_empty_mask(actual, arguments):
                shapes = [getattr(argument, "shape", argument) for argument in arguments]
                yield (
                    f"seed {program.seed}, call {number}, {way.name}\n{program.text}"
                    f"arguments: {shapes}\n{_first_difference(expected, actual)}"
                )
                return


def _is_empty_mask(actual: object, arguments: Sequence[object]) -> bool:
    """Whether what was raised may be for a mask without elements, which NumPy lets pass."""
    if not isinstance(actual, tuple) or cast("tuple[object, ...]", actual)[0] != "IndexError":
        return False
    return any(0 in np.shape(cast(Any, value)) for value in arguments)


def _first_difference(expected: object, actual: object, where: str = "outcome") -> str:
    one, other = _parts(expected), _parts(actual)
    if one is not None and other is not None and len(one) == len(other):
        number = next(n for n, item in enumerate(one) if item != other[n])
        return _first_difference(one[number], other[number], f"{where}[{number}]")
    texts = [
        value.hex(" ", 8) if isinstance(value, bytes) else repr(value)
        for value in (expected, actual)
    ]
    return f"{where}, NumPy: {texts[0]:.400}\nand not {texts[1]:.400}"


def _parts(value: object) -> Sequence[object] | None:
    return cast("Sequence[object]", value) if isinstance(value, (tuple, list)) else None


def _outcome(
    program: ArrayProgram, function: Callable[..., object], arguments: Sequence[object]
) -> object:
    """Return what a call gives or raises, and the arrays it was given as it leaves them."""
    given = _copies(arguments)
    signs = not has_open_sign(program.text)  # every later sign is open with it
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
            result = function(*given)
    except _RAISED as error:
        return type(error).__name__, [_bits(value, signs=signs) for value in given]
    return _bits(result, signs=signs), [_bits(value, signs=signs) for value in given]


def _copies(arguments: Sequence[object]) -> list[Any]:
    """Return copies in which views of one base are views of one copy of it."""
    bases: dict[int, Any] = {}
    made: list[Any] = []
    for value in arguments:
        if not isinstance(value, np.ndarray):
            made.append(value)
            continue
        array = cast("np.ndarray[Any, Any]", value)
        base = array if array.base is None else cast(Any, array.base)
        while base.base is not None:
            base = base.base
        twin = bases.setdefault(id(base), base.copy(order="K"))
        offset = array.__array_interface__["data"][0] - base.__array_interface__["data"][0]
        made.append(np.ndarray(array.shape, array.dtype, twin, offset, array.strides))
    return made


def _bits(value: object, *, signs: bool) -> object:
    """Return a value in a form that is equal only for the same type and the same bits."""
    match value:
        case tuple():
            return tuple(_bits(item, signs=signs) for item in cast("tuple[object, ...]", value))
        case np.ndarray() | np.generic():
            item = cast(Any, value)
            plain: np.ndarray[Any, np.dtype[Any]] = np.array(item, order="C")
            if plain.dtype.kind == "f":
                plain[np.isnan(plain)] = np.nan
                plain = plain if signs else plain + 0.0
            return type(item).__name__, plain.dtype.str, plain.shape, plain.tobytes()
        case _:
            return type(value).__name__, repr(value)


@pytest.mark.sampled(16)
@pytest.mark.parametrize("first", range(0, 300, _BATCH))
def test_array_programs_do_what_numpy_does(first: int) -> None:
    report = check_batch(first)
    assert not report.wrong, "\n\n".join(report.wrong)
    # Few of the programs are beyond the language; none of them may fail in another way.
    assert len(report.refused) <= _BATCH // 4, "\n\n".join(report.refused)


def _run(first: int) -> Report:
    """Compare a batch; a program that ends it with an error is told among those that are wrong."""
    try:
        return check_batch(first)
    except Exception:
        parts = [_run_alone(seed) for seed in range(first, first + _BATCH)]
        return Report(
            tuple(w for p in parts for w in p.wrong), tuple(r for p in parts for r in p.refused)
        )


def _run_alone(seed: int) -> Report:
    try:
        return check_batch(seed, 1)
    except Exception:
        return Report((f"seed {seed}\n{traceback.format_exc()}",), ())


def main(count: int, start: int) -> int:
    """Check that many programs on two processors; return the exit status."""
    refused = wrong = 0
    firsts = range(start, start + count, _BATCH)
    with get_context("spawn").Pool(2, maxtasksperchild=40) as pool:
        for number, report in enumerate(pool.imap_unordered(_run, firsts), 1):
            wrong += len(report.wrong)
            refused += len(report.refused)
            for text in report.wrong:
                print(text, end="\n\n", flush=True)
            if number % 20 == 0:
                print(f"{number * _BATCH} programs, {wrong} wrong, {refused} refused", flush=True)
    print(f"{count} programs, {wrong} wrong, {refused} refused")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000))
