"""The public functions: `script`, `save` and `load`."""

import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ParamSpec, Protocol, TypeVar, overload

from scriptc.compiling import compiling, shown
from scriptc.options import Options, emulated_device, from_environment
from scriptc.scripted_function import ScriptFunction, make_scripted, store_of
from scriptc_runtime.saved.loaded import LoadedModule
from scriptc_runtime.tracebacks import ForUsers

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


class _Decorator(Protocol):
    """What `script(...)` with settings and no function returns."""

    # A class is a callable too, so the overloads overlap; the first that fits is meant.
    @overload
    def __call__(self, target: type[T], /) -> type[T]: ...  # pyright: ignore[reportOverlappingOverload]
    @overload
    def __call__(self, target: Callable[P, R], /) -> ScriptFunction[P, R]: ...


@overload
def script(  # pyright: ignore[reportOverlappingOverload]
    target: type[T],
    /,
    *,
    backend: str | None = None,
    parallel: bool | int = True,
    strict_sizes: bool = False,
    bigint: bool = False,
) -> type[T]: ...
@overload
def script(
    target: Callable[P, R],
    /,
    *,
    backend: str | None = None,
    parallel: bool | int = True,
    strict_sizes: bool = False,
    bigint: bool = False,
) -> ScriptFunction[P, R]: ...
@overload
def script(
    *,
    backend: str | None = None,
    parallel: bool | int = True,
    strict_sizes: bool = False,
    bigint: bool = False,
) -> _Decorator: ...
def script(
    target: object = None,
    /,
    *,
    backend: str | None = None,
    parallel: bool | int = True,
    strict_sizes: bool = False,
    bigint: bool = False,
    **others: object,
) -> object:
    """Compile a function, or a class with its methods, when it is first called.

    `backend` is "llvm", "interp" or "cuda". `parallel` is whether threads share loops over arrays
    that are much work, or at most how many do. `strict_sizes` makes an error of what is otherwise a
    `SizeWarning`: sizes that have to be equal, and have different names in annotations. `bigint` is
    whether the function's ints have any size, as Python's do, and not 64 bits. With
    SCRIPTC_DISABLE=1 the target stays plain Python.
    """
    with ForUsers():
        if others:
            # Inside a function: few give it what it does not take.
            from scriptc.misuse import unknown_settings

            raise unknown_settings(list(others))
        options = from_environment(
            backend, parallel=parallel, strict_sizes=strict_sizes, bigint=bigint
        )
        return partial(_scripted, options) if target is None else _scripted(options, target)


def _scripted(options: Options, target: object) -> object:
    with ForUsers():
        return make_scripted(options, target)


def save(what: Mapping[str, object] | object, path: str | os.PathLike[str]) -> None:
    """Save scripted functions by name, an object of a scripted class, or a loaded module as it is.

    A function is given as it is, with the types of its annotations, or as `f.sig(...)` with
    explicit ones; a list of these makes several signatures of one entry point. Every method of an
    object becomes an entry point. Raises ScriptError for what cannot be saved.
    """
    # Inside a function: most programs save and load nothing.
    from scriptc.saved import save

    with ForUsers(), compiling():
        if isinstance(what, LoadedModule):
            what.__save__(path)
        else:
            save.save(what, path)


def to_device(value: object) -> Any:
    """Return an array of NumPy's moved to the CUDA device, or a tuple or container of such.

    What it gives has `__cuda_array_interface__` and DLPack, and `numpy.asarray` copies it back.
    Anything else comes back as it is. Raises UnsupportedError for objects of scripted classes.
    """
    # Inside a function: only those who ask for CUDA pay for it.
    from scriptc.backends.cuda.driver import open_driver
    from scriptc.backends.cuda.moved import moved

    with ForUsers():
        driver = open_driver(from_environment().cache_dir, emulated_device())
        with driver.entered():
            return moved(value, driver)


def load(path: str | os.PathLike[str], *, backend: str | None = None) -> LoadedModule:
    """Return a saved module, compiled; its entry points are its attributes.

    `backend` is "llvm" or "cuda", for a CUDA device; `scriptc_runtime.load` has the interpreter.
    Raises LoadError for a file that is damaged, hostile or of another version, and
    UnsupportedError for what the interpreter alone can run (`scriptc_runtime.load`).
    """
    # Inside a function: most programs save and load nothing.
    from scriptc.saved import load as saved_modules

    with ForUsers():
        options = from_environment(backend)
    with ForUsers(), compiling(), shown(os.fspath(path), options):
        # Pickles of a module name what loads it; most take the default.
        again = load if backend is None else partial(load, backend=backend)
        return saved_modules.load(path, options, store_of, again)
