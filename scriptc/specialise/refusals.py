"""Refusals that are remembered: the same call of the same program is refused at once."""

from collections.abc import Callable, Hashable
from typing import TypeVar

from scriptc.cache.dependencies import Dependencies
from scriptc.cache.request import ExplicitType, Request
from scriptc.cache.store import fields_from_calls
from scriptc.values.kinds import plain_constant
from scriptc_runtime.errors import ScriptError

T = TypeVar("T")

_KEPT = 64

# With each refusal what it depends on, so that no other class gets the identity of one.
Refused = dict[Hashable, tuple[ScriptError, Dependencies]]


def unless_refused(
    refused: Refused,
    request: Request,
    key: Hashable,
    dependencies: Dependencies,
    specialise: Callable[[], T],
) -> T:
    """Return what `specialise` does.  Raises ScriptError, at once where it did so before.

    `refused` has what was said of calls of the function.
    """
    if any(isinstance(argument, ExplicitType) for argument in request.arguments):
        return specialise()
    name = _name(request, key, dependencies)
    if name in refused:
        raise _anew(refused[name][0])
    try:
        return specialise()
    except ScriptError as refusal:
        if _is_of_objects(refusal):
            raise
        for old in list(refused)[: len(refused) + 1 - _KEPT]:
            refused.pop(old, None)  # another thread may have been here first
        refused[name] = _anew(refusal), dependencies
        raise


def _is_of_objects(refusal: ScriptError) -> bool:
    """Whether fields of the objects that there are now cannot get other types."""
    first = refusal.diagnostics[0]
    return first.code == "class-field" and first.span is None


def _anew(refusal: ScriptError) -> ScriptError:
    """Return the same refusal without its traceback, whose frames hold the arguments."""
    made = type(refusal)(*refusal.diagnostics)
    made.__dict__.update(refusal.__dict__)
    return made


def _name(request: Request, key: Hashable, dependencies: Dependencies) -> Hashable:
    """Return all that a refusal may depend on.

    That is more than what code depends on: nobody knows which values would have been constants.
    """
    constants = repr(list(map(plain_constant, request.arguments)))
    sizes = None if request.sizes is None else tuple(request.sizes)
    settings = request.any_values, request.any_layout
    fields = tuple(fields_from_calls(dependencies))
    return dependencies.name_for(key), constants, sizes, settings, fields
