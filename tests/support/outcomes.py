"""What a call of a module does, in a form that two modules can be compared in bit for bit."""

import random
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from scriptc.kernels.fusion.fuse import fuse
from scriptc.kernels.loops.outline import outline
from scriptc.kernels.loops.version_bounds import version_bounds
from scriptc.passes.pipeline import CLEAN, OPTIMISE
from scriptc_runtime.ir import Module
from scriptc_runtime.ops.opdef import Level
from scriptc_runtime.values import EXCEPTIONS
from scriptc_runtime.verify.module import verify
from tests.support.bounded_interpreter import BoundedInterpreter

Outcome = tuple[object, ...]
MakeArguments = Callable[[], Sequence[object]]
# More sizes than a `fail` holds: its message does not name them.
_NO_SIZES: Mapping[str, str] = {
    "operands could not be broadcast together with shapes": "that differ",
    "could not broadcast input array": "",
}


def outcome(module: Module, function: str, arguments: Sequence[object]) -> Outcome:
    """Return what a call returns or raises, and what its arguments hold afterwards."""
    interpreter = BoundedInterpreter(module)
    return ending(lambda *given: interpreter.call(function, given), arguments)


def ending(call: Callable[..., object], arguments: Sequence[object]) -> Outcome:
    """Return what a call of something callable returns or raises, in the same form."""
    try:
        result = call(*arguments)
        shared = [_shares(result, a) for a in arguments]
        ended: Outcome = ("returned", freeze(result), tuple(shared))
    except tuple(EXCEPTIONS.values()) as error:
        ended = ("raised", type(error).__name__, str(error))
    return (*ended, *map(freeze, arguments))


def freeze(value: object) -> object:
    """Return `value` as bytes and types; every NaN is one NaN."""
    match value:
        case np.ndarray() | np.generic():
            array = np.array(cast("NDArray[Any]", value))
            if array.dtype.kind == "c":
                for part in (np.real(array), np.imag(array)):
                    part[np.isnan(part)] = np.nan
            if array.dtype.kind == "f":
                array[np.isnan(array)] = np.nan
            is_scalar = isinstance(value, np.generic)
            return is_scalar, array.dtype.str, array.shape, array.tobytes()
        case float():
            return "float", np.float64(np.nan if np.isnan(value) else value).tobytes()
        case complex():
            return "complex", freeze(value.real), freeze(value.imag)
        case np.random.Generator():
            return "Generator", _freeze_state(value.bit_generator.state)
        case np.random.RandomState():
            return "RandomState", _freeze_state(value.get_state(legacy=False))
        case random.Random():
            return "Random", value.getstate()
        case _:
            return _freeze_parts(value)


def _freeze_parts(value: object) -> object:
    match value:
        case tuple() | list():
            items = cast("Sequence[object]", value)
            return isinstance(value, list), *(freeze(item) for item in items)
        case dict():
            pairs = cast("dict[object, object]", value).items()
            kind = type(cast(object, value)).__name__
            made = repr(getattr(cast(object, value), "default_factory", None))
            return kind, made, *((freeze(key), freeze(held)) for key, held in pairs)
        case deque():
            parts = cast("deque[object]", value)
            return "deque", parts.maxlen, *(freeze(item) for item in parts)
        case BaseException():
            return "exception", freeze(value.args), *lineage(value)
        case _:
            return type(value).__name__, value


def lineage(error: BaseException, most: int = 5) -> Outcome:
    """Return the classes of an exception and of those that it comes from, so many at most."""
    older = (error.__cause__, error.__context__) if most else ()
    chains = [None if e is None or _is_numpys(e) else lineage(e, most - 1) for e in older]
    fields = tuple((name, freeze(value)) for name, value in sorted(vars(error).items()))
    is_hidden = error.__suppress_context__ and any(chains)  # where there is a context to hide
    return type(error).__name__, fields, is_hidden, *chains


def _is_numpys(error: BaseException) -> bool:
    """Whether an exception was raised inside of a function of NumPy's, which caught it."""
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and "/numpy/" in frames[-1].filename


def _freeze_state(state: object) -> object:
    if isinstance(state, dict):
        return {key: _freeze_state(part) for key, part in cast("dict[str, object]", state).items()}
    return freeze(state)


def _shares(result: object, argument: object) -> object:
    if isinstance(result, tuple):
        return tuple(_shares(item, argument) for item in cast("tuple[object, ...]", result))
    if isinstance(result, np.ndarray) and isinstance(argument, np.ndarray):
        return np.shares_memory(cast("NDArray[Any]", result), cast("NDArray[Any]", argument))
    return False


def same(first: Outcome, second: Outcome) -> bool:
    """Whether two outcomes are equal; a message may leave out what it has no room for."""
    if first[:2] == second[:2] and first[0] == "raised":
        return first[3:] == second[3:] and _same_message(str(first[2]), str(second[2]))
    return first == second


def _same_message(full: str, message: str) -> bool:
    if full == message:
        return True
    return any(
        full.startswith(start) and message == f"{start} {rest}".strip()
        for start, rest in _NO_SIZES.items()
    )


def stages(module: Module) -> Iterator[tuple[str, Module, Level]]:
    """Yield what each pass makes of `module`: core passes, then kernels, with and without them."""
    optimised = module
    for number, step in enumerate(OPTIMISE):
        optimised = step(optimised)
        yield f"{number} {step.__name__}", optimised, Level.LIBRARY
    versions = version_bounds(optimised)
    yield "loop versions", versions, Level.LOW
    for name, start in (("plain", module), ("optimised", versions)):
        low = fuse(start)
        yield f"{name} fuse", low, Level.LOW
        for step in CLEAN:
            low = step(low)
            yield f"{name} fuse {step.__name__}", low, Level.LOW
        yield f"{name} outline", outline(low), Level.LOW


def first_difference(
    module: Module, make_arguments: MakeArguments, function: str = "f"
) -> str | None:
    """Return the stage after which `function` does something else, None if none does."""
    verify(module)
    expected = outcome(module, function, make_arguments())
    for name, changed, level in stages(module):
        verify(changed, level=level)
        found = outcome(changed, function, make_arguments())
        if not same(expected, found):
            return f"{name}:\n  {expected}\n  {found}"
    return None
