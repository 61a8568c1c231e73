"""NumPy's transcendental functions of arrays in the cache, against NumPy, one core.

python -m tests.benchmarks.bench_functions               everything; writes a report
python -m tests.benchmarks.bench_functions --only log2   what has `log2` in its name; writes none
"""

# The scripts have no annotations: their types come from the calls.
# pyright: basic

import argparse
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from scriptc import script
from tests.benchmarks.harness import Comparison, measure, show, statement, write

LENGTH = 8192
TARGET = 1.0
PACKAGES = ("scriptc", "numpy", "llvmlite")
DTYPES = (np.float64, np.float32)
ROUNDS = 15


@script
def _arccos(x, out):
    np.arccos(x, out=out)


@script
def _arccosh(x, out):
    np.arccosh(x, out=out)


@script
def _arcsin(x, out):
    np.arcsin(x, out=out)


@script
def _arcsinh(x, out):
    np.arcsinh(x, out=out)


@script
def _arctan(x, out):
    np.arctan(x, out=out)


@script
def _arctanh(x, out):
    np.arctanh(x, out=out)


@script
def _cbrt(x, out):
    np.cbrt(x, out=out)


@script
def _cos(x, out):
    np.cos(x, out=out)


@script
def _cosh(x, out):
    np.cosh(x, out=out)


@script
def _exp(x, out):
    np.exp(x, out=out)


@script
def _exp2(x, out):
    np.exp2(x, out=out)


@script
def _expm1(x, out):
    np.expm1(x, out=out)


@script
def _log(x, out):
    np.log(x, out=out)


@script
def _log10(x, out):
    np.log10(x, out=out)


@script
def _log1p(x, out):
    np.log1p(x, out=out)


@script
def _log2(x, out):
    np.log2(x, out=out)


@script
def _sin(x, out):
    np.sin(x, out=out)


@script
def _sinh(x, out):
    np.sinh(x, out=out)


@script
def _tan(x, out):
    np.tan(x, out=out)


@script
def _tanh(x, out):
    np.tanh(x, out=out)


@script
def _arctan2(x, y, out):
    np.arctan2(x, y, out=out)


@script
def _hypot(x, y, out):
    np.hypot(x, y, out=out)


@script
def _power(x, y, out):
    np.power(x, y, out=out)


OF_ONE: Mapping[str, Callable[..., None]] = {
    "arccos": _arccos,
    "arccosh": _arccosh,
    "arcsin": _arcsin,
    "arcsinh": _arcsinh,
    "arctan": _arctan,
    "arctanh": _arctanh,
    "cbrt": _cbrt,
    "cos": _cos,
    "cosh": _cosh,
    "exp": _exp,
    "exp2": _exp2,
    "expm1": _expm1,
    "log": _log,
    "log10": _log10,
    "log1p": _log1p,
    "log2": _log2,
    "sin": _sin,
    "sinh": _sinh,
    "tan": _tan,
    "tanh": _tanh,
}
OF_TWO: Mapping[str, Callable[..., None]] = {
    "arctan2": _arctan2,
    "hypot": _hypot,
    "power": _power,
}


def comparisons(only: str) -> Iterator[Comparison]:
    random = np.random.default_rng(1)
    for name, function in sorted({**OF_ONE, **OF_TWO}.items()):
        for dtype in DTYPES:
            title = f"{name} {np.dtype(dtype)}"
            if only not in title:
                continue
            x = random.uniform(0.1, 0.9, LENGTH).astype(dtype)
            if name == "arccosh":
                x += dtype(1.0)
            names = {"x": x, "y": random.uniform(-5.0, 5.0, LENGTH).astype(dtype)}
            names |= {"out": np.empty_like(x), "ours": function, "theirs": getattr(np, name)}
            given = "x, y" if name in OF_TWO else "x"
            ours = statement("scriptc", f"ours({given}, out)", names)
            yield Comparison(
                title, ours, statement("NumPy", f"theirs({given}, out)", names), TARGET
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    outcomes = [measure(c, options.rounds) for c in comparisons(options.only)]
    show(outcomes)
    if not options.only:
        notes = f"Arrays of {LENGTH} elements between 0.1 and 0.9, powers between -5 and 5."
        print(write("functions", outcomes, PACKAGES, notes))


if __name__ == "__main__":
    main()
