"""Row softmax is one nest and takes one row of memory."""

import re

import numpy as np
import pytest

from scriptc import script
from scriptc.types import M, N, f32
from tests.support.support_code import live_blocks, taken_blocks


@script(backend="llvm")
def softmax(x: f32[M, N]) -> f32[M, N]:
    powers = np.exp(x - np.max(x, axis=1, keepdims=True))
    return powers / np.sum(powers, axis=1, keepdims=True)


def test_row_softmax_is_one_nest() -> None:
    low = softmax.dump("low")
    host, *kernels = low.split("\nfunc ")
    launched = re.findall(r'launch .*\[callee="(.*?)"\]', host)
    # Short rows are computed side by side; then the same nest twice: for rows that lie close
    # together, and for others.
    assert len(launched) == len(kernels) == 3
    (copy,) = re.findall(r"(%\d+) = in_rows %x", host)  # of a matrix that lies in columns
    (choice,) = re.findall(rf"(%\d+) = is_contiguous {copy} ", host)
    assert re.search(rf" {choice} {{\n(    .*\n)*? {{4}}}} {{\n( {{6}}%.*\n)* {{6}}launch ", host)
    assert host.count("new_array") == 1  # the result
    for kernel in kernels[1:]:
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
    live, taken = live_blocks(), taken_blocks()
    results = [softmax(given) for _ in range(10)]
    assert taken_blocks() - taken <= 2 * len(results)
    assert live_blocks() - live == len(results)
    del results
    assert live_blocks() == live
