"""Functions and methods take arguments by the names, and at the places, that NumPy has for them."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import cast

import numpy as np
import pytest

from scriptc.check.library.call import Library
from scriptc.check.library.positional import most_by_position, numpys_method
from scriptc.check.numpy import generators
from scriptc.check.numpy.methods import ARRAY_METHODS
from scriptc.check.numpy.table import TABLE
from scriptc_runtime.types import GENERATOR, RANDOM_STATE

_Entry = tuple[Library, object]
_By = inspect.Parameter


def _entries() -> Iterator[_Entry]:
    for function, entry in TABLE.items():
        if isinstance(entry, Library):  # test_definitions.py compares the others
            yield entry, function
    for name, entry in ARRAY_METHODS.items():
        yield entry, numpys_method(name)
    for type_, owner in ((GENERATOR, np.random.Generator), (RANDOM_STATE, np.random.RandomState)):
        for name, entry in generators.METHODS[type_].items():
            yield entry, getattr(owner, name)


def _parameters(function: object) -> Sequence[inspect.Parameter]:
    try:
        return tuple(inspect.signature(function).parameters.values())  # pyright: ignore[reportArgumentType] -- those without a signature raise
    except ValueError:
        return ()


ENTRIES = [
    pytest.param(entry, function, id=entry.name)
    for entry, function in _entries()
    if not entry.variadic
    and not isinstance(function, type | np.ufunc)
    and len(_parameters(function)) > 0
]


def test_most_functions_are_compared() -> None:
    assert len(ENTRIES) > 250


@pytest.mark.parametrize(("entry", "function"), ENTRIES)
def test_what_numpy_takes_by_name_has_its_name(entry: Library, function: object) -> None:
    own = _parameters(function)
    named = {p.name for p in own if p.kind in (_By.POSITIONAL_OR_KEYWORD, _By.KEYWORD_ONLY)}
    needed = {p.name for p in own[: entry.required] if p.kind is _By.POSITIONAL_OR_KEYWORD}
    assert needed - {"self"} <= set(entry.names)
    others = set(entry.names[entry.required :]) - named
    hidden = any(p.kind in (_By.VAR_KEYWORD, _By.VAR_POSITIONAL) for p in own)
    assert hidden or others <= {p.name for p in own}


@pytest.mark.parametrize(("entry", "function"), ENTRIES)
def test_places_are_those_of_numpy(entry: Library, function: object) -> None:
    if function is np.arange:
        # Of which its signature knows nothing.
        arange = cast("Callable[..., np.ndarray]", function)
        assert arange(0, 1, 1, np.int8).dtype == np.int8
        return
    own = _parameters(function)
    kinds = {p.kind for p in own}
    places = [p.name for p in own if p.kind in (_By.POSITIONAL_ONLY, _By.POSITIONAL_OR_KEYWORD)]
    given = entry.names[: most_by_position(entry, function)]
    for index, name in list(enumerate(given))[entry.required :]:
        if index < len(places):
            assert name == places[index]
        else:
            assert kinds & {_By.VAR_POSITIONAL, _By.VAR_KEYWORD}
            assert name not in {p.name for p in own}
