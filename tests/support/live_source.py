"""Source text as live functions, with the text where tracebacks and the compiler look for it."""

import importlib.util
import linecache
from collections.abc import Sequence
from pathlib import Path
from types import FunctionType, ModuleType

from scriptc import types as annotations
from scriptc.check.annotations import annotated_type
from scriptc.check.scopes import Found
from scriptc_runtime.types import TupleType, Type


def live_module(text: str, file: str = "case.py", name: str = "case") -> ModuleType:
    """Run `text` as a module whose functions know their source."""
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    module = ModuleType(name)
    exec(compile(text, file, "exec"), module.__dict__)
    return module


def module_in(path: Path, text: str) -> ModuleType:
    """Write a text to a file and import it, as a module of its name that `sys.modules` lacks."""
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def last_function(module: ModuleType) -> FunctionType:
    """Return the function defined last, which is the one a case is about."""
    functions = [f for f in vars(module).values() if isinstance(f, FunctionType)]
    return [f for f in functions if f.__module__ == module.__name__][-1]


def argument_types(function: FunctionType, text: str) -> Sequence[Type | None]:
    """Return the types that `text` names, or None for each parameter: the annotation says."""
    return types_from_text(text) or [None] * function.__code__.co_argcount


def types_from_text(text: str) -> tuple[Type, ...]:
    """Return the types that `f64[N], int` names."""
    if not text:
        return ()

    def look_up(name: str) -> Found | None:
        builtins = {t.__name__: t for t in (int, float, bool, str, list, tuple)}
        value = builtins.get(name) or getattr(annotations, name, None)
        return None if value is None else Found(value, name)

    found = annotated_type(f"tuple[{text}]", look_up)
    assert isinstance(found, TupleType)
    return found.items
