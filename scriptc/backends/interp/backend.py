"""The interpreter as a backend: core IR run by `scriptc_runtime`, one operation at a time."""

from collections.abc import Callable, Sequence
from functools import partial

from scriptc_runtime.interp.interpreter import Interpreter
from scriptc_runtime.ir import Module

Run = Callable[[Sequence[object]], object]


def load_module(module: Module, function: str) -> Run:
    """Return what runs a function of a module on values of its parameters' types."""
    return partial(Interpreter(module).call, function)
