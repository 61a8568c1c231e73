"""Row softmax is one nest and takes one row of memory; programs give back all they take."""

import ctypes
import gc
import os
import re
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from scriptc import script
from scriptc.api import store_of
from scriptc.types import M, N, f32
from tests.test_differential import scripted
from tests.test_lower_programs import CASES, outcome


@script(backend="llvm")
def softmax(x: f32[M, N]) -> f32[M, N]:
    powers = np.exp(x - np.max(x, axis=1, keepdims=True))
    return powers / np.sum(powers, axis=1, keepdims=True)


def counter(name: str) -> int:
    support = store_of(os.environ["SCRIPTC_CACHE_DIR"]).support
    return ctypes.c_int64.from_address(support[name]).value


def test_row_softmax_is_one_nest() -> None:
    low = softmax.dump("low")
    host, *kernels = low.split("\nfunc ")
    launched = re.findall(r'launch .*\[callee="(.*?)"\]', host)
    # The same nest twice: for rows that lie close together, and for others.
    assert len(launched) == len(kernels) == 2
    (copy,) = re.findall(r"(%\d+) = in_rows %x", host)  # of a matrix that lies in columns
    (choice,) = re.findall(rf"(%\d+) = is_contiguous {copy} ", host)
    assert re.search(rf" {choice} {{\n(    %.*\n)*    launch ", host)
    assert host.count("new_array") == 1  # the result
    for kernel in kernels:
        outer = re.findall(r"^  (?:loop|reduce)", kernel, re.M)
        inner = re.findall(r"^    (?:%\d+ = )?(loop|reduce) @\w+ %p0", kernel, re.M)
        assert (len(outer), inner) == (1, ["reduce", "reduce", "loop"])
        (row,) = re.findall(r"new_array (.*?) :", kernel)
        assert row == "%p0 [type=tensor<f32, [N]>]"


@pytest.mark.parametrize("layout", ["contiguous", "strided", "reversed"])
def test_row_softmax_takes_the_result_and_one_row(layout: str) -> None:
    x = np.linspace(-3.0, 3.0, 40 * 60, dtype=np.float32).reshape(40, 60)
    given = {"contiguous": x, "strided": x[::2, ::3], "reversed": x[:, ::-1]}[layout]
    np.testing.assert_allclose(softmax(given), softmax.python(given), rtol=2e-6)
    live, taken = counter("sc_live_blocks"), counter("sc_total_allocs")
    results = [softmax(given) for _ in range(10)]
    assert counter("sc_total_allocs") - taken <= 2 * len(results)
    assert counter("sc_live_blocks") - live == len(results)
    del results
    assert counter("sc_live_blocks") == live


@pytest.mark.parametrize("module", sorted({name.partition(".")[0] for name, _, _ in CASES}))
def test_programs_give_back_all_they_take(module: str) -> None:
    gc.collect()
    chosen = [case for case in CASES if case[0].partition(".")[0] == module]
    for name, function, arguments in chosen:
        _call(function, arguments)
        before = counter("sc_live_blocks")
        for _ in range(3):
            _call(function, arguments)
        if counter("sc_live_blocks") != before:
            gc.collect()
        assert counter("sc_live_blocks") == before, name


def _call(function: FunctionType, arguments: tuple[Any, ...]) -> None:
    # Its result is made comparable and dropped, and so are exceptions and their tracebacks.
    outcome(scripted(function), arguments)
