"""What of NumPy scripts use, as Markdown: `python -m scriptc.cli.numpy_table > docs/numpy.md`."""

import types
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from scriptc.backends.llvm.elementary import functions as math
from scriptc.check.library.definitions import Entry
from scriptc.check.library_entries import is_about_dtypes, numpys_entry
from scriptc.check.numpy import generators as numpy_random
from scriptc.check.numpy.methods import ARRAY_METHODS
from scriptc.check.python.table import TABLE as PYTHONS
from scriptc_runtime.types import GENERATOR, RANDOM_STATE

_HEAD = """# NumPy in scripts

`python -m scriptc.cli.numpy_table` makes this page from the tables of the checker; a test compares
the two. [Arrays](language/arrays.md) describes indexing, operators and loops, and
[NumPy](language/numpy-functions.md) what is special about some functions.

A function takes only the parameters in its row. A call is refused at compile time, with its place,
if it passes another parameter, passes by position what NumPy takes only by name, or passes a value
that is not supported, such as a `casting` other than "unsafe". A parameter that decides on the type
of a result (`axis`, `keepdims`, `dtype`, `indexing`, `mode`) must be a constant, or a
[parameter of the script](language/functions.md#values-that-decide-on-types).

Results have the types, shapes and bits of NumPy, with these exceptions:

- sums and means add in another order, within c log2(n) eps sum|x|;
- products of arrays are within c n eps sum|x||y|, as those of BLAS;
- the functions under [accuracy](#accuracy) have the errors that are listed there;
- sign and payload of a NaN, and the sign of a zero that `max` or `min` returns, may differ.
"""
_LIBRARIES: Mapping[str, types.ModuleType] = {
    "np": np,
    "np.linalg": np.linalg,
    "np.fft": np.fft,
    "np.random": np.random,
}


def numpy_markdown() -> str:
    """Return the part of the page that depends on scriptc alone."""
    supported = _supported()
    parts = [_HEAD]
    for title, members in (
        ("Elementwise functions", [n for n in supported if _is_ufunc(n)]),
        ("Other functions", [n for n in supported if not _is_ufunc(n)]),
    ):
        parts.append(f"\n## {title}\n\n| function | parameters |\n|---|---|\n")
        parts += [_row(name, supported[name]) for name in members]
    parts.append("\n## Methods of arrays\n\n| method | parameters |\n|---|---|\n")
    parts += [_method(name, entry) for name, entry in sorted(ARRAY_METHODS.items())]
    for title, type_ in (("Generator", GENERATOR), ("RandomState", RANDOM_STATE)):
        parts.append(f"\n## Methods of np.random.{title}\n\n| method | parameters |\n|---|---|\n")
        parts += [_method(n, entry) for n, entry in sorted(numpy_random.METHODS[type_].items())]
    return "".join(parts) + _accuracy()


def missing_markdown() -> str:
    """Return what this version of NumPy has and scripts cannot call."""
    lines = [f"\n## Not built\n\nOf NumPy {np.__version__}, these are refused by name.\n"]
    for prefix, library in _LIBRARIES.items():
        names = [f"`{name}`" for name in _missing(library)]
        lines.append(f"\n**{prefix}.** {' '.join(names)}\n")
    return "".join(lines)


def _supported() -> dict[str, Entry]:
    """Return the functions of NumPy that scripts can call, by the name users write."""
    found: dict[str, Entry] = {}
    for prefix, library in _LIBRARIES.items():
        for name in sorted(_public(library)):
            entry = _entry(getattr(library, name))
            if entry is not None:
                found[f"{prefix}.{name}"] = entry
    return found


def _public(library: types.ModuleType) -> Sequence[str]:
    names: Sequence[str] = library.__all__
    # NumPy lists names of its dtypes that only some machines have.
    return [name for name in names if hasattr(library, name)]


def _entry(value: object) -> Entry | None:
    try:
        return PYTHONS.get(value) or numpys_entry(value)
    except TypeError:  # not hashable, so no function
        return None


def _missing(library: types.ModuleType) -> Iterator[str]:
    for name in sorted(_public(library)):
        value = getattr(library, name)
        if _is_called(value) and _entry(value) is None and not is_about_dtypes(value):
            yield name


def _is_called(value: object) -> bool:
    """Whether programs call this: a function, or a class that they make objects of."""
    if not isinstance(value, type):
        return callable(value)
    is_other = issubclass(value, np.generic | BaseException) or value.__name__.startswith("_")
    return not is_other and value not in _NOT_CALLED


# Some have a meaning in scripts where they stand, the others nobody makes.
_NOT_CALLED: frozenset[type] = frozenset(
    {np.ndindex, np.ndenumerate, np.errstate, np.flatiter, np.ufunc, np.random.BitGenerator}
)


def _is_ufunc(name: str) -> bool:
    return isinstance(getattr(np, name.removeprefix("np."), None), np.ufunc)


def _row(name: str, entry: Entry) -> str:
    return f"| `{name}` | {_parameters(entry.names, entry)} |\n"


def _method(name: str, entry: Entry) -> str:
    # The first is the array itself.
    return f"| `.{name}` | {_parameters(entry.names[1:], entry)} |\n"


def _parameters(names: Sequence[str], entry: Entry) -> str:
    required = entry.required - (len(entry.names) - len(names))
    shown = [name if i < required else f"{name}=" for i, name in enumerate(names)]
    if entry.variadic and shown:
        shown[0] = f"*{shown[0].removesuffix('=')}"
    return ", ".join(f"`{name}`" for name in shown)


def _accuracy() -> str:
    bounds = {**math.ULP, **math.ULP_OF_TWO}
    names = {_UFUNCS.get(name, name): name for name, _ in bounds}
    rows = [
        f"| `{shown}` | {bounds[name, 'f64']} | {bounds[name, 'f32']} |\n"
        for shown, name in sorted(names.items())
    ]
    return _ACCURACY.format(rows="".join(rows))


_UFUNCS = {"pow": "power"}
_ACCURACY = """
## Accuracy

The largest error in units in the last place of the exact result, measured on millions of arguments;
`python -m tests.support.math_accuracy` tries every one in f32.

| vector code of scriptc | f64 | f32 |
|---|---|---|
{rows}
The row `power` is also for the operator `**`. These results are exact: powers of 2 and their
logarithms, other powers of integers that the format represents, `log10` of powers of ten, `cbrt` of
cubes, and `hypot` of Pythagorean triples. `sqrt`, and a power with the literal exponent 2, 0.5 or
-1, is rounded once; one with a literal whole exponent from 3 to 8 has an error of at most 0.6, and
of at most 1.0 where the result is less than 16 times the smallest normal number. On a processor
without fused multiply-add, the C library is called for each element instead.

`fmod` is exact. `sin`, `cos` and `tan` of large numbers, from 2**45 on (2**15 in f32), take some 30
times as long as those of others, and are as precise.

The C library is also called for

- the functions of this table, except `exp`, of complex numbers, with the special values of C;
- the functions of Python's `math` that NumPy does not have, and those that return a Python `float`
  with the bits of CPython: [Python's library](language/library.md).
"""

if __name__ == "__main__":
    print(numpy_markdown() + missing_markdown(), end="")
