"""All array programs, and their functions as NumPy and JAX run them."""

import importlib
import importlib.util
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from tests.benchmarks.array_programs.program import Program

FIELDS = (
    "summaries",
    "losses",
    "optimisers",
    "layers",
    "gradients",
    "attention",
    "images",
    "finance",
    "physics",
    "graphs",
    "features",
)


def _module(field: str) -> ModuleType:
    return importlib.import_module(f"{__package__}.{field}")


def _programs() -> list[Program]:
    return [program for field in FIELDS for program in _module(field).PROGRAMS]


PROGRAMS: Sequence[Program] = _programs()


def program(name: str) -> Program:
    """Return the program of this name."""
    return next(p for p in PROGRAMS if p.name == name)


def jax_function(wanted: Program) -> Callable[..., Any]:
    """Return the function as JAX runs it: the same source, or what `jax_forms` has of that name.

    The source is executed once more, and its `np` is jax.numpy then.
    """
    forms = importlib.import_module(f"{__package__}.jax_forms")
    if hasattr(forms, wanted.name):
        return getattr(forms, wanted.name)
    spec = importlib.util.find_spec(f"{__package__}.{wanted.field}")
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.np = importlib.import_module("jax.numpy")
    return getattr(module, wanted.name)
