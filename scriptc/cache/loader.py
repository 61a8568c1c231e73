"""Brings machine code into this process and makes it callable from Python; loads no compiler.

One specialisation is reached in two ways. CPython calls it through the words of the scripted
function. `run` calls it through an object of its own, a leaf, whose slow path says only that the
arguments did not fit; then they are converted, or refused by name.
"""

import ctypes
import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import cast
from weakref import proxy

import numpy as np

from scriptc.backends.llvm.loading.callable import (
    SPECIALISATIONS,
    CallableBody,
    Word,
    binds_in_order,
    make_callable_type,
    prepare,
    set_word,
)
from scriptc.backends.llvm.loading.guards import FIRST, GUARDED_WORDS, TABLE, GuardRow, guard_table
from scriptc.backends.llvm.loading.machine_code import CompiledObject, LoadedEntries, load_compiled
from scriptc.backends.llvm.loading.sites import Frame, Site
from scriptc.cache.manifest import Manifest, ParameterText, read_types
from scriptc.classes.scripted_class import blank, is_blank, state_of
from scriptc.values.kinds import Array, Parameter

# Addresses of the support code, by symbol.
Support = Mapping[str, int]


class _MisfitError(Exception):
    """Arguments that a specialisation does not take as they are."""


class _Leaf(CallableBody):
    """One specialisation as an object of its own."""


def _misfit(*args: object) -> object:
    raise _MisfitError


def load_functions(
    names: Sequence[str],
    manifest: Manifest,
    code: bytes,
    support: Support,
    objects: Mapping[str, object],
    tables: Mapping[str, Sequence[int]] | None = None,
) -> "tuple[NativeFunction, ...]":
    """Return the functions of an object file, called `names` in messages, ready to run.

    `tables` are as for `load_compiled`.
    """
    sites = tuple(Site(tuple(Frame(*f) for f in frames), text) for frames, text in manifest.sites)
    compiled = CompiledObject(
        code, len(names), manifest.strings, sites, manifest.objects, manifest.texts
    )
    loaded = load_compiled(compiled, support, objects, tables)
    if loaded.pages.has_deleters:
        # An object that the code has made, or given a list, may outlive the function. It holds its
        # class, and that the classes of its fields.
        classes = [value for value in objects.values() if isinstance(value, type)]
        for state in filter(None, map(state_of, classes)):
            state.code.append(loaded.pages)
    return tuple(
        NativeFunction(name, index, manifest.parameters[index], loaded, support)
        for index, name in enumerate(names)
    )


class NativeFunction:
    """Machine code of one specialisation."""

    __slots__ = ("_index", "_leaf", "_loaded", "_name", "_parameters", "_support")

    def __init__(
        self,
        name: str,
        index: int,
        parameters: Sequence[ParameterText],
        loaded: LoadedEntries,
        support: Support,
    ) -> None:
        self._name = name
        self._index = index
        self._parameters = tuple(parameters)
        self._loaded = loaded
        self._support = support
        self._leaf = leaf_type()(_misfit, _misfit)
        kind = inspect.Parameter.POSITIONAL_ONLY
        places = [inspect.Parameter(name, kind) for name, _, _ in parameters]
        prepare(self._leaf, _misfit, places, support)
        # All cells of a leaf lead to its slow path, so it does not matter which one is taken.
        loaded.connect(index, leaf_type(), SPECIALISATIONS - 1)
        set_word(self._leaf, Word.VECTORCALL, loaded.addresses[index])

    def run(self, values: Sequence[object]) -> object:
        """Return the function's result.

        Raises TypeError and the like for arguments that it does not take.
        """
        try:
            return self._leaf(*values)
        except _MisfitError:
            pass
        # Inside a function: arguments that fit as they are have no use for it.
        from scriptc.values.adapt import Copies, PlainArrays, adapt

        plain, copies = PlainArrays(), Copies()
        adapted = adapt(self._name, _typed(self._parameters), values, plain=plain, copies=copies)
        try:
            result: object = self._leaf(*adapted)
        except _MisfitError:
            raise self._refusal(adapted) from None
        finally:
            copies.give_back(plain.given_back)
        # A list that was passed in is the caller's own, not the one of converted items.
        return plain.given_back(copies.own(result))

    @property
    def entry(self) -> Callable[..., object]:
        """What takes arguments: at once where no object but one of the program's is among them.

        It holds its code.
        """
        if len(self._parameters) > 1:
            return lambda *values: self.run(values)
        vars(self._leaf)["code"] = self._loaded
        return self._leaf

    def serve(self, function: CallableBody, place: int) -> int:
        """Make the code jump on as specialisation `place` of a function; return its address."""
        self._loaded.connect(self._index, type(function), place)
        return self._loaded.addresses[self._index]

    def _refusal(self, values: Sequence[object]) -> Exception:
        for (name, _, writes), value in zip(self._parameters, values, strict=True):
            if is_blank(value):
                return TypeError(f"{self._name}(): parameter {name!r}: {blank(value)}")
            if writes and _is_read_only(value):
                return ValueError(
                    f"{self._name}(): parameter {name!r}: the function writes to this "
                    "array, or keeps it in an object, and it is read-only"
                )
        return TypeError(f"{self._name}(): compiled code does not take these arguments")


def publish(
    function: CallableBody,
    natives: Sequence[NativeFunction],
    guards: Sequence[GuardRow],
    parameters: Sequence[inspect.Parameter],
    support: Support,
) -> object:
    """Let CPython call these specialisations of a function itself, as long as the guards hold.

    Returns what the function must keep alive from now on.
    """
    if not binds_in_order(parameters):
        return None
    set_word(function, Word.VECTORCALL, 0)
    if not hasattr(function, "_held"):
        # A proxy, which does not hold it: a function that held itself, and with it its code, would
        # be left to the collector of cycles.
        slow = partial(type(function).__call__, cast(CallableBody, proxy(function)))
        prepare(function, slow, parameters, support)
    addresses = [n.serve(function, place) for place, n in enumerate(natives[:SPECIALISATIONS])]
    addresses.append(support["sc_miss"])
    for place, address in enumerate(addresses[1:]):
        set_word(function, Word.CELLS + place, address)
    table = guard_table(guards)
    set_word(function, TABLE, ctypes.addressof(table))
    set_word(function, FIRST, addresses[0])
    set_word(function, Word.VECTORCALL, support["sc_guarded"] if guards else addresses[0])
    return table, tuple(guards)


def _is_read_only(value: object) -> bool:
    if isinstance(value, tuple | list):
        return any(map(_is_read_only, cast("Sequence[object]", value)))
    return type(value) is np.ndarray and not cast(Array, value).flags.writeable


@cache
def _typed(parameters: tuple[ParameterText, ...]) -> Sequence[Parameter]:
    types = read_types([text for _, text, _ in parameters])
    return tuple(Parameter(p[0], t) for p, t in zip(parameters, types, strict=True))


@cache
def leaf_type() -> type[CallableBody]:
    """Return the type of the objects that stand for one specialisation each."""
    return make_callable_type("Leaf", _Leaf, GUARDED_WORDS)
