"""Hints: annotations that say less than a type of the language.

They leave open what they stand at. What they do say is not checked: Python does not either.
"""

import ast
import linecache
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from functools import lru_cache
from types import FunctionType, GeneratorType
from typing import (
    Any,
    Never,
    NoReturn,
    ParamSpec,
    Self,
    TypeVar,
    TypeVarTuple,
    cast,
)

import numpy as np

from scriptc.check.generics import meaning_of
from scriptc.check.scopes import Found, look_up
from scriptc_runtime.types import DType

# Stands for what only type checkers know.
HINT = object()
_SAY_NOTHING = cast("tuple[object, ...]", (Any, NoReturn, Never, Self, HINT))
# Values that a script can be given: a class of all values of one of these says less than its type.
_KINDS = (
    *(int, float, complex, bool, str, tuple, list, dict, set, frozenset, range, np.ndarray),
    *(FunctionType, type, bytes, bytearray, deque, defaultdict, OrderedDict, Counter),
)
_CLASSES = (*_KINDS, GeneratorType, *(dtype.numpy.type for dtype in DType))


def is_hint(annotation: object) -> bool:
    """Whether an annotation, or the generic class that it is made of, says less than a type."""
    if isinstance(annotation, TypeVar | ParamSpec | TypeVarTuple):
        return True
    if any(annotation is hint for hint in _SAY_NOTHING):
        return True
    return isinstance(annotation, type) and _is_wide(annotation)


def _is_wide(cls: type) -> bool:
    if getattr(cls, "_is_protocol", False):
        return True
    root = cls.__module__.partition(".")[0]
    # What classes of others say of their subclasses is their own code.
    known = root == "numpy" or root in sys.stdlib_module_names
    return known and root != "__main__" and any(issubclass(own, cls) for own in _CLASSES)


def alias_of(annotation: object) -> object:
    """Return what the name of a `type` statement stands for, None for anything else."""
    for meant in (annotation, getattr(annotation, "__origin__", None)):
        # By its name: Python 3.11 has none, but typing_extensions has.
        if type(meant).__name__ == "TypeAliasType":
            return cast(object, getattr(meant, "__value__"))  # noqa: B009 -- see above
    return None


def names_in(function: FunctionType) -> Callable[[str], Found | None]:
    """Return what finds the meaning of a name in the annotations of a function."""

    def find(name: str) -> Found | None:
        meaning = meaning_of(function, name)
        if meaning is not None:
            return Found(meaning, name)
        found = look_up(function, name)
        if found is None and name in _for_type_checkers(function):
            return Found(HINT, name)
        return found

    return find


def _for_type_checkers(function: FunctionType) -> frozenset[str]:
    """Return the names that a function's module binds under `if TYPE_CHECKING:`."""
    lines = linecache.getlines(function.__code__.co_filename, function.__globals__)
    return _names_under_test("".join(lines))


@lru_cache(maxsize=16)
def _names_under_test(text: str) -> frozenset[str]:
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError):
        return frozenset()
    tests = (node for node in ast.walk(module) if isinstance(node, ast.If))
    bodies = (node.body for node in tests if ast.unparse(node.test).endswith("TYPE_CHECKING"))
    return frozenset(name for body in bodies for node in body for name in _bound_by(node))


def _bound_by(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in names)
        case ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.Assign(targets=targets):
            yield from (target.id for target in targets if isinstance(target, ast.Name))
        case _:
            # The name of a `type` statement, which Python 3.11 does not have.
            name = getattr(node, "name", None)
            if isinstance(name, ast.Name):
                yield name.id
