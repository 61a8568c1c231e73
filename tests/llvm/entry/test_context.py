"""What an entry says in the context of a call before anybody looks there."""

# Results have no annotations.
# pyright: basic

import re

import numpy as np
import pytest

from scriptc import script
from scriptc.backends.llvm.backend import emit
from scriptc.backends.llvm.loading.abi import Context
from scriptc.function_types import request_of
from scriptc.specialise.specialise import low_for


def sorted_in_place(x):
    x.sort()


def solved(x):
    return np.linalg.solve(x, x)


def joined(x):
    return f"{x.size}, {x.size}"


@pytest.mark.parametrize("function", [sorted_in_place, solved, joined])
def test_routines_without_a_loop_in_sight_know_when_to_look_for_signals(function) -> None:
    rank = 2 if function is solved else 1
    module, entry = low_for(request_of(script(function), [np.ones((3,) * rank)]))
    text = emit(module, [entry]).text
    body = text[text.index("define ptr @sc_entry_0") :]
    for field in (Context.POLL, Context.JOB):
        (at,) = re.findall(rf"(%v\d+) = getelementptr i8, ptr %ctx, i64 {field}\n", body)
        assert re.search(rf"store \w+ \w+, ptr {at}\n", body)
