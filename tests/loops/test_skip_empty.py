"""Loops that could run for years: those around empty ones have no rounds, others look for Ctrl-C.

Each case is IR before and after a pass.
"""

import pytest

from scriptc.kernels.loops.poll_signals import poll_signals
from scriptc.kernels.loops.skip_empty import skip_empty
from scriptc.passes.pipeline import Pass
from scriptc_runtime.ops.opdef import Level
from scriptc_runtime.text.reader import read_module
from scriptc_runtime.text.writer import write_module
from scriptc_runtime.verify.module import verify

_HEAD = """\
func @f(%out: tensor<f64, [N, M]>, %row: tensor<f64, [M]>, %one: f64, %n: i64, %m: i64) -> None {
  %none = const [value=none] : None
"""
_TAIL = "  exit @return %none\n}\n"


def nest(count: str, attrs: str, more: str = "") -> str:
    """Return the code of a nest that fills a matrix; `more` is done in each outer round."""
    return f"""\
  loop @L0 {count}{attrs} {{(%i: i64)
    loop @L1 %m [parallel=true] {{(%j: i64)
      store %out, %one, %i, %j
      exit @L1.next
    }}
{more}    exit @L0.next
  }}
"""


def after(text: str, pass_: Pass) -> str:
    """Return what a pass makes of the body of @f, with the names of a text that is read anew."""
    return written(write_module(pass_(read_module(_HEAD + text + _TAIL)), locations=False))


def written(text: str) -> str:
    """Return a module as it is written, verified."""
    module = read_module(text)
    verify(module, level=Level.LOW)
    return write_module(module, locations=False)


FREE, ORDERED = " [parallel=true]", " [parallel=false]"
STORE = "    store %row, %one, %i\n"
NO_ROUNDS = """\
  %zero = const [value=0, dtype=i64] : i64
  %empty = eq %m, %zero : b1
  %skips = cast %empty [to=bool] : bool
  %rounds = select %skips, %zero, %n : i64
"""


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        pytest.param(nest("%n", FREE), NO_ROUNDS + nest("%rounds", FREE), id="idle"),
        pytest.param(nest("%n", FREE, STORE), nest("%n", FREE, STORE), id="stores"),
        pytest.param(nest("%n", ORDERED), nest("%n", ORDERED), id="ordered"),
    ],
)
def test_loops_around_empty_ones_have_no_rounds(before: str, expected: str) -> None:
    assert after(before, skip_empty) == written(_HEAD + expected + _TAIL)


def fold(attrs: str, element: str) -> str:
    """Return the code of a fold, and of the storing of its result."""
    return f"""\
  %sum = reduce @L0 %m [{attrs}] : f64 {{(%i: i64)
{element}    exit @L0.next %x
  }}
  %first = const [value=0, dtype=i64] : i64
  store %row, %sum, %first
"""


COMPUTED = "    %x = cast %i [to=f64] : f64\n"
READ = "    %x = load %dense, %i : f64\n"
DENSE = "  %dense = assume_contiguous %row : tensor<f64, [M]>\n"
SUM = 'kind="sum", parallel=true'
POLLS = f"{SUM}, polls=true"
# As `inspect_ahead` counts them: so many rounds, or what is left, or none.
BLOCK = """\
  %most = const [value=1024, dtype=i64] : i64
  %zero = const [value=0, dtype=i64] : i64
  %left = minimum %m, %most : i64
  %more = gt %n, %zero : b1
  %any = cast %more [to=bool] : bool
  %rounds = select %any, %left, %zero : i64
"""
SHORT = fold(SUM, COMPUTED).replace("reduce @L0 %m", "reduce @L0 %rounds")


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        pytest.param(fold(SUM, COMPUTED), fold(POLLS, COMPUTED), id="computed"),
        pytest.param(DENSE + fold(SUM, READ), DENSE + fold(SUM, READ), id="read"),
        pytest.param(BLOCK + SHORT, BLOCK + SHORT, id="a block of rounds"),
        pytest.param(
            nest("%n", ORDERED), nest("%n", " [parallel=false, polls=true]"), id="ordered"
        ),
        pytest.param(nest("%n", FREE), nest("%n", FREE), id="shared"),
    ],
)
def test_folds_that_no_memory_bounds_look_for_signals(before: str, expected: str) -> None:
    assert after(before, poll_signals) == written(_HEAD + expected + _TAIL)
