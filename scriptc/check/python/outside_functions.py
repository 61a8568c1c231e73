"""The functions of `random`, `time` and `string`: bodies of the standard library.

`unsafe.ask(function, ...)` calls one of Python's that has a state of its own.
"""

import random
import string
import time
from collections.abc import Mapping

from scriptc.check.bindings import Typed
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.library.definitions import Definition, Entry
from scriptc_runtime import unsafe
from scriptc_runtime.ops import outside
from scriptc_runtime.types import BOOL, FLOAT, INT, NONE

_CLOCKS = ("monotonic", "perf_counter", "process_time", "time")
_TIME = (*_CLOCKS, *(f"{name}_ns" for name in _CLOCKS), "sleep")
_RANDOM = (
    *("betavariate", "choice", "choices", "expovariate", "gammavariate", "gauss", "getrandbits"),
    "lognormvariate",
    *("normalvariate", "paretovariate", "randint", "random", "randrange", "sample", "seed"),
    *("shuffle", "triangular", "uniform", "vonmisesvariate", "weibullvariate"),
)


def _ask(call: LibraryCall) -> Typed:
    function, *given = call.values
    known = call.typed(function).known
    assert known is not None
    call.drop(function)
    name = str(known.value)
    operands = (call.operand(argument) for argument in given)
    return call.apply(outside.ASK, *operands, kind=name)


def _draw(call: LibraryCall) -> Typed:
    source, method, *given = call.values
    known = call.typed(method).known
    assert known is not None
    call.drop(method)
    name = str(known.value)
    operands = [call.operand(argument) for argument in given]
    if call.typed(source).type is NONE:
        call.drop(source)
        return call.apply(outside.ASK, *operands, kind=f"random.{name}")
    return call.apply(outside.ASK, call.operand(source), *operands, kind=f"Random.{name}")


def _new(call: LibraryCall) -> Typed:
    """Check random.Random(seed)."""
    if not call.is_given("x"):
        return call.apply(outside.ASK, kind="random.Random_anew")
    seed = call.operand("x")
    if seed.type is FLOAT:
        return call.apply(outside.ASK, seed, kind="random.Random_of_float")
    if seed.type not in (INT, BOOL):
        call.refuse(f"a {seed.type} is no seed in scripts", call.nodes["x"], "an int")
    return call.apply(outside.ASK, converted(seed, INT), kind="random.Random")


METHODS: Mapping[str, Entry] = {
    name: Definition(f"random.Random.{name}", "python_random", prefix="drawn_") for name in _RANDOM
}
TABLE: Mapping[object, Entry] = {
    unsafe.ask: Library("unsafe.ask", ("given",), 0, _ask, variadic=True),
    unsafe.draw: Library("unsafe.draw", ("given",), 0, _draw, variadic=True),
    random.Random: Library("random.Random", ("x",), 0, _new),
    **{getattr(time, name): Definition(f"time.{name}", "clocks") for name in _TIME},
    **{getattr(random, name): Definition(f"random.{name}", "python_random") for name in _RANDOM},
    string.capwords: Definition("string.capwords", "str_forms"),
}
