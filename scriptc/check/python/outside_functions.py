"""The functions of `random`, `time` and `string`: bodies of the standard library.

`unsafe.ask(function, ...)` calls one of Python's that has a state of its own.
"""

import random
import string
import time
from collections.abc import Mapping

from scriptc.check.bindings import Typed
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.library.definitions import Definition, Entry
from scriptc_runtime import unsafe
from scriptc_runtime.ops import outside

_CLOCKS = ("monotonic", "perf_counter", "process_time", "time")
_TIME = (*_CLOCKS, *(f"{name}_ns" for name in _CLOCKS), "sleep")
_RANDOM = (
    *("choice", "choices", "expovariate", "gauss", "getrandbits", "lognormvariate"),
    *("normalvariate", "paretovariate", "randint", "random", "randrange", "sample", "seed"),
    *("shuffle", "triangular", "uniform", "weibullvariate"),
)


def _ask(call: LibraryCall) -> Typed:
    function, *given = call.values
    known = call.typed(function).known
    assert known is not None
    call.drop(function)
    name = str(known.value)
    operands = (call.operand(argument) for argument in given)
    return call.apply(outside.ASK, *operands, kind=name)


TABLE: Mapping[object, Entry] = {
    unsafe.ask: Library("unsafe.ask", ("given",), 0, _ask, variadic=True),
    **{getattr(time, name): Definition(f"time.{name}", "clocks") for name in _TIME},
    **{getattr(random, name): Definition(f"random.{name}", "python_random") for name in _RANDOM},
    string.capwords: Definition("string.capwords", "str_forms"),
}
