"""How many arguments of a function or method of NumPy, or of `math`, may be given by position.

Scripts know some parameters of a function only, so what stands behind one that they do not know has
another place in NumPy; and NumPy takes some by name alone. NumPy itself says so, where it has a
signature. Those of its functions that are written in C have one from version 2.4 on.
"""

import inspect
from collections.abc import Mapping, Sequence
from types import BuiltinFunctionType, MethodDescriptorType
from typing import cast

import numpy as np

from scriptc.check.context import Context
from scriptc.check.library.call import Library
from scriptc.syntax import nodes as n

_By = inspect.Parameter
# Of these a call may place more than the signature says.
_PLACES: Mapping[object, Sequence[str]] = {np.arange: ("start", "stop", "step", "dtype")}
_PLACED = (_By.POSITIONAL_ONLY, _By.POSITIONAL_OR_KEYWORD)


def require_named(context: Context, node: n.Call, entry: Library, function: object) -> None:
    """Refuse an argument by position that NumPy takes by name, or takes for another parameter.

    `function` is the one that is called; of a method it is that of NumPy's arrays.
    """
    if not entry.name.startswith(("np.", "array.", "math.", "cmath.")):
        return
    if isinstance(function, np.ufunc):
        _require_placed(context, node, entry, function.nin)
    bound = isinstance(function, MethodDescriptorType)
    least = 0 if isinstance(function, np.ufunc) else entry.required - bound
    if entry.variadic or len(node.args) <= least:
        return
    names = entry.names[bound:]
    most = most_by_position(entry, function) - bound
    if len(node.args) > most:
        if most >= len(names):
            context.fail(
                "call-arity",
                f"{entry.name}() takes at most {most} argument{'s' * (most != 1)} in scripts",
                node.args[most],
                why=f"its parameters are ({', '.join(names)})",
                instead="leave it out",
            )
        name = names[most]
        whose = "NumPy" if entry.name.startswith(("np.", "array.")) else "Python"
        context.fail(
            "call-arity",
            f"{entry.name}() takes {name!r} and what follows it by name in scripts",
            node.args[most],
            why=f"by position {whose} takes another parameter here, or none",
            instead=f"{name}=...",
        )


def _require_placed(context: Context, node: n.Call, entry: Library, count: int) -> None:
    for keyword in node.keywords:
        if keyword.arg in entry.names[:count]:
            context.fail(
                "call-arity",
                f"{entry.name}() takes {keyword.arg!r} by position alone",
                keyword,
                why="a ufunc of NumPy has no names for its operands",
                instead=f"leave {keyword.arg}= out",
            )


def most_by_position(entry: Library, function: object) -> int:
    """Return how many parameters, with that of the object of a method, stand where NumPy's do."""
    if isinstance(function, np.ufunc):
        return function.nin + (entry.names[function.nin : function.nin + 1] == ("out",))
    parameters = None if function in _PLACES else _parameters(function)
    if parameters is None:
        return len(entry.names)
    kinds = {p.name: p.kind for p in parameters}
    places = [p.name for p in parameters if p.kind in _PLACED]
    rest = _By.VAR_POSITIONAL in kinds.values()
    if isinstance(function, BuiltinFunctionType | MethodDescriptorType):
        # What they pass on to Python has its places there.
        rest = rest or _By.VAR_KEYWORD in kinds.values()
    for index, name in enumerate(entry.names[entry.required :], entry.required):
        stands = places[index] == name if index < len(places) else rest and name not in kinds
        if not stands:
            return index
    return len(entry.names)


def _parameters(function: object) -> Sequence[inspect.Parameter] | None:
    if not callable(function) or isinstance(function, type):
        return None
    try:
        return tuple(inspect.signature(function).parameters.values())
    except ValueError:
        return None


def numpys_method(name: str) -> object:
    """Return the method of NumPy's arrays of that name."""
    return cast(object, getattr(np.ndarray, name, None))
