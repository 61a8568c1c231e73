"""What functions of Python give that have a state outside of the program: clocks and `random`.

Compiled code calls the functions themselves, so a program draws the numbers that CPython would,
from the state that Python seeds.
"""

from collections.abc import Mapping, Sequence

from scriptc_runtime.ops.opdef import Attrs, Effects, OpDef, OpTypeError
from scriptc_runtime.record import record
from scriptc_runtime.types import FLOAT, INT, PYTHON_RANDOM, Type


@record
class Asked:
    """The types of the arguments of a function, and that of its result, None without one."""

    given: tuple[Type, ...]
    result: Type | None


_OF_MODULES: Mapping[str, Asked] = {
    **{
        f"time.{name}": Asked((), FLOAT)
        for name in ("monotonic", "perf_counter", "process_time", "time")
    },
    **{
        f"time.{name}": Asked((), INT)
        for name in ("monotonic_ns", "perf_counter_ns", "process_time_ns", "time_ns")
    },
    "time.sleep": Asked((FLOAT,), None),
    "random.random": Asked((), FLOAT),
    "random.getrandbits": Asked((INT,), INT),
    **{f"random.{name}": Asked((FLOAT,), FLOAT) for name in ("expovariate", "paretovariate")},
    **{
        f"random.{name}": Asked((FLOAT, FLOAT), FLOAT)
        for name in (
            *("betavariate", "gammavariate", "gauss", "lognormvariate", "normalvariate"),
            *("vonmisesvariate", "weibullvariate"),
        )
    },
    "random.seed": Asked((INT,), None),
    "random.seed_anew": Asked((), None),
    "random.Random": Asked((INT,), PYTHON_RANDOM),
    "random.Random_of_float": Asked((FLOAT,), PYTHON_RANDOM),
    "random.Random_anew": Asked((), PYTHON_RANDOM),
}
# What functions of the module do, methods of its generators do.
_OF_GENERATORS: Mapping[str, Asked] = {
    name.replace("random", "Random", 1): Asked((PYTHON_RANDOM, *asked.given), asked.result)
    for name, asked in _OF_MODULES.items()
    if name.startswith("random.") and asked.result is not PYTHON_RANDOM
}
ASKED: Mapping[str, Asked] = {**_OF_MODULES, **_OF_GENERATORS}


def _ask(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    asked = ASKED.get(str(attrs["kind"]))
    if asked is None:
        raise OpTypeError(f"no function {attrs['kind']}")
    if tuple(types) != asked.given:
        raise OpTypeError(f"{attrs['kind']} takes {', '.join(map(str, asked.given))}")
    return () if asked.result is None else (asked.result,)


def _evaluate(*given: object, kind: str) -> object:
    # Inside a function: few programs draw numbers or look at clocks.
    from scriptc_runtime.asked_functions import function_named

    return function_named(kind)(*given)


def _effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(io=True, raises=True)


ASK = OpDef(
    name="ask",
    doc="What a function of Python, the `kind`, gives: a clock, or the numbers of `random`.",
    operands=("*given",),
    attrs=("kind",),
    infer=_ask,
    evaluate=_evaluate,
    effects=_effects,
)

OPS = (ASK,)
