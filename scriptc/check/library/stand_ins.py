"""Functions of Python's library that take any values, and what stands for each in `stdlib/`.

Their own sources are beyond the language, which those of `stdlib/` are not. Nothing is imported for
them: a program that calls one has its module already.
"""

import functools
import sys
from collections.abc import Mapping, Sequence
from types import FunctionType

from scriptc.check.library.standard import standard_function
from scriptc_runtime.record import record


@record
class _Module:
    """The file that stands for functions of a module, and what that takes from the module."""

    file: str
    names: Sequence[str]
    taken: Sequence[str] = ()


_MODULES: Mapping[str, Sequence[_Module]] = {
    "json": (
        _Module("json_texts", ("dumps",)),
        _Module("json_values", ("loads",), ("JSONDecodeError",)),
    ),
    "statistics": (
        _Module(
            "averages",
            (
                *("correlation", "covariance", "fmean", "geometric_mean", "linear_regression"),
                *("mean", "median", "median_grouped", "median_high", "median_low", "mode"),
                *("multimode", "pstdev", "pvariance", "quantiles", "stdev", "variance"),
            ),
            ("LinearRegression", "StatisticsError"),
        ),
    ),
    "textwrap": (_Module("wrapping", ("dedent", "fill", "indent", "shorten", "wrap")),),
}


def stand_in(value: object) -> tuple[str, FunctionType] | None:
    """Return the name of a function of Python's, and the one of `stdlib/` that stands for it.

    None where none does.
    """
    if value is functools.reduce:
        return "functools.reduce", standard_function("operators", "reduce")
    if not isinstance(value, FunctionType):
        return None
    name = value.__name__
    module = next((m for m in _MODULES.get(value.__module__, ()) if name in m.names), None)
    if module is None:
        return None
    live = sys.modules[value.__module__]
    if getattr(live, name, None) is not value:
        return None
    taken = tuple((other, getattr(live, other)) for other in module.taken)
    return f"{value.__module__}.{name}", standard_function(module.file, name, taken)
