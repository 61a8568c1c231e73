"""Every program of tests/programs does what it does in CPython, whoever runs it.

Compared are the result by type and bits, the exception by class and message, what is printed, and
what the arguments hold afterwards. A test is one program: it is compiled once for all its calls of
the same types, and each call is made by CPython, the interpreter, machine code, and machine code
whose loops are shared among threads, however small they are. The last one gives back all it takes.

Machine code is made for every third program, in files whose programs take long for every eighth,
for the types of its first call, and in every seventh of these for those of its last call too. A
thorough run makes it for all programs and the types of all calls.
"""

import gc
from collections.abc import Sequence
from contextlib import nullcontext
from zlib import crc32

import pytest

from tests.support.program_cases import (
    MERGED,
    PROGRAMS,
    Program,
    call_types,
    interpreted,
    outcome,
    scripted,
)
from tests.support.support_code import live_blocks, pool

THREADS = 2
# Programs of these files take three to ten times as long to compile as the others.
LONG = {
    *("sorting", "sets", "several_axes", "contractions", "placing", "unit_slices", "sweeps"),
    *("picking", "products", "more_ufuncs", "lists_of_arrays", "ufunc_methods", "masked_folds"),
    *("stencils", "folds", "parts", "numerics", "curves", "tested_ahead", "deciding_arguments"),
    *("picked_by_lists", "linalg", "parts_of_rows", "lists", "joined", "heaps", "texts"),
    *("fourier", "grids", "fused_picks", "outside", "complexes", "items", "kept_slices"),
    *("short_rows", "shapes", "masked_stores", "random_numbers", "arrays", "ufuncs"),
    *("picks_of_values", "values_put_at_places", "hash_sets", "dicts", "deques", "keys"),
    *("bigints", "averages", "texts_of_modules", "dict_views", "long_tuples", "trees"),
}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_a_program_does_what_cpython_does(program: Program, thorough: bool) -> None:
    compiled = scripted(program.function)
    telling = _telling_types(program)
    for number, arguments in enumerate(program.calls):
        expected = outcome(program.function, arguments)
        by_interpreter = outcome(interpreted(program.function, arguments), arguments)
        assert by_interpreter == expected, f"call {number}, interpreter"
        if not thorough and call_types(program, arguments) not in telling:
            continue
        assert outcome(compiled, arguments) == expected, f"call {number}, machine code"
        held = live_blocks()
        with pool(THREADS, everything=True) if program.is_about_arrays else nullcontext():
            assert outcome(compiled, arguments) == expected, f"call {number}, again"
        for generation in range(3):  # of exceptions and their tracebacks
            if live_blocks() != held:
                gc.collect(generation)
        if live_blocks() < held:  # what programs before had was let go meanwhile
            held = live_blocks()
            assert outcome(compiled, arguments) == expected, f"call {number}, again"
            gc.collect()
        assert live_blocks() == held, f"call {number} keeps memory"


def _telling_types(program: Program) -> Sequence[Sequence[object]]:
    """Return the types of the calls that machine code makes in any run."""
    number = crc32(program.name.encode())
    if number % (8 if program.name.partition(".")[0] in LONG else 3):
        return []
    calls = program.calls[:1] if number % 7 else [program.calls[0], program.calls[-1]]
    return [call_types(program, call) for call in calls]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "program", [p for p in PROGRAMS if p.is_about_arrays], ids=lambda program: program.name
)
def test_a_program_does_the_same_with_any_number_of_threads(program: Program) -> None:
    compiled = scripted(program.function)
    for arguments in program.calls:
        expected = outcome(compiled, arguments)
        for threads in (1, 3, 7):
            with pool(threads, everything=True):
                assert outcome(compiled, arguments) == expected


@pytest.mark.parametrize("program", MERGED, ids=lambda program: program.name)
def test_a_literal_that_takes_another_type_keeps_its_value(program: Program) -> None:
    for arguments in program.calls:
        expected = program.function(*arguments)
        assert interpreted(program.function, arguments)(*arguments) == expected
        assert scripted(program.function)(*arguments) == expected


def test_there_are_many_programs() -> None:
    assert len(PROGRAMS) >= 2600
    of_the_language = [program for program in PROGRAMS if not program.is_about_arrays]
    assert len(of_the_language) >= 980
    assert sum(len(program.calls) for program in PROGRAMS) >= 11_900
