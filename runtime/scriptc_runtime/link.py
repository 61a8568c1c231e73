"""Binds the entry points of a saved module to an interpreter and to the state they share."""

import inspect
from collections.abc import Callable, Mapping, Sequence

from scriptc_runtime.boundary import Capture, convert_arguments
from scriptc_runtime.budget import Budget
from scriptc_runtime.interp import Interpreter
from scriptc_runtime.ir import Module
from scriptc_runtime.loaded import LoadedEntry, LoadedModule
from scriptc_runtime.saved import SavedModule, Signature
from scriptc_runtime.state import State, make_state

# Calls a function of the module; instances among the arguments are the interpreter's.
Call = Callable[[str, Sequence[object]], object]


def link(saved: SavedModule, *, budget: Budget | None = None) -> LoadedModule:
    """Return `saved` ready to call; it takes over the arrays, as scripts may write to them."""
    return link_to(saved, Interpreter(saved.module, budget=budget).call)


def link_to(saved: SavedModule, call: Call) -> LoadedModule:
    """Return `saved` with `call` in the interpreter's place."""
    linker = _Linker(saved.module, make_state(saved.module, saved.weights), call)
    return LoadedModule(
        [
            LoadedEntry(e.name, e.doc, [linker.overload(e.name, s) for s in e.signatures])
            for e in saved.entry_points
        ]
    )


class _Overload:
    """One signature, its function, and the arguments that the module itself gives."""

    def __init__(
        self,
        call: Call,
        signature: Signature,
        owner: Sequence[object],
        captures: Sequence[Capture],
    ) -> None:
        self.text = str(signature)
        self._function = signature.function
        self._call = call
        self._owner = owner
        self._captures = captures
        self._binder = _binder(signature)
        self._names = [p.name for p in signature.params]
        self._types = [p.type for p in signature.params]

    def convert(self, args: Sequence[object], kwargs: Mapping[str, object]) -> list[object]:
        """Return the arguments in order, checked.  Raises TypeError or OverflowError."""
        bound = self._binder.bind(*args, **kwargs)
        bound.apply_defaults()
        given = [bound.arguments[name] for name in self._names]
        return convert_arguments(self._names, self._types, given, self._captures)

    def run(self, values: Sequence[object]) -> object:
        """Return what the function gives for converted arguments."""
        arguments = [*self._owner, *values, *(c.value for c in self._captures)]
        return self._call(self._function, arguments)


def _binder(signature: Signature) -> inspect.Signature:
    """Return Python's own binder of arguments to parameters."""
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return inspect.Signature(
        [
            inspect.Parameter(
                p.name,
                kinds[p.keyword_only],
                default=p.default[0] if p.default else inspect.Parameter.empty,
            )
            for p in signature.params
        ]
    )


class _Linker:
    """Binds the signatures of one module to its arrays and objects."""

    def __init__(self, module: Module, state: State, call: Call) -> None:
        self._call = call
        self._state = state
        self._functions = module.functions
        self._entries = {(e.name, e.function): e for e in module.entries}

    def overload(self, name: str, signature: Signature) -> _Overload:
        entry = self._entries[name, signature.function]
        owner = [] if entry.object is None else [self._state.objects[entry.object]]
        params = self._functions[signature.function].params
        last = params[len(params) - len(entry.captures) :]
        captures = [
            Capture(param.name, param.type, self._state.weights[weight])
            for param, weight in zip(last, entry.captures, strict=True)
        ]
        return _Overload(self._call, signature, owner, captures)
