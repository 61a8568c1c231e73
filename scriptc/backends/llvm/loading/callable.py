"""The type of compiled functions: an ordinary Python object that C code calls in 20 ns.

`CallableBody` is plain Python: attributes, pickling, `__call__` as the slow path. The type made of
it by `make_callable_type` adds raw machine words behind the Python part; the first is CPython's
vectorcall slot. While that slot is null CPython itself takes `__call__`, so before the first
specialisation nothing is compiled and LLVM is not loaded; storing null turns compiled code off.

A specialisation checks the types of its arguments. Where they do not fit it jumps to a cell of the
object, which holds the next specialisation or, at the end of the chain, `sc_miss` of the support
code, which calls the slow path. So machine code holds no address of a Python object, and a new
specialisation is published by storing one word. Keywords and defaults go through `sc_bind`, which
puts the arguments in order and calls again.
"""

import ctypes
import functools
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import TypeVar

from scriptc.backends.llvm.loading.heap_types import (
    HAVE_VECTORCALL,
    METHOD_DESCRIPTOR,
    TP_DESCR_GET,
    make_heap_type,
)

SPECIALISATIONS = 16  # the length of the chain; beyond it the slow path decides


class Word:
    """The machine words of a callable, in order; plain numbers, as every start makes them."""

    VECTORCALL = 0  # the first specialisation; null: CPython calls `__call__`
    SLOW = 1  # the Python callable that takes what no specialisation takes
    PARAMETERS = 2  # how many
    NAMES = 3  # their names: pointers to interned str, null where a keyword cannot name it
    DEFAULTS = 4  # their defaults: pointers to objects, null without one
    BIND = 5  # called when there are keywords or not PARAMETERS arguments
    CELLS = 6  # where specialisation k jumps when its guard fails is at CELLS + k


WORDS = Word.CELLS + SPECIALISATIONS


class CallableBody:
    """The Python part of a compiled function."""

    # `_held` owns what the words point to. The cycle collector may clear it while something can
    # still call the object, so support code looks at it before it follows the words. Python sorts
    # slots by name: it is the first and stands right behind the object's head.
    __slots__ = ("__dict__", "__weakref__", "_held", "_slow")

    __name__: str
    __qualname__: str

    def __init__(self, function: Callable[..., object], slow: Callable[..., object]) -> None:
        functools.update_wrapper(self, function)
        self._slow = slow

    def __call__(self, /, *args: object, **kwargs: object) -> object:
        """Call the slow path: what runs while no compiled code takes the arguments."""
        return self._slow(*args, **kwargs)

    def _publish_anew(self) -> None:
        """Let CPython call no code that does not hold any more: what changed is none of its tests.

        Here all holds.
        """

    def __reduce__(self) -> str | tuple[object, ...]:
        """Pickle as plain functions do, by name; a subclass that can do better does."""
        return self.__qualname__

    def __repr__(self) -> str:
        return f"<scriptc function {self.__qualname__}>"


_Body = TypeVar("_Body", bound=CallableBody)


def make_callable_type(name: str, body_class: type[_Body], words: int = WORDS) -> type[_Body]:
    """Make the final type: `body_class` and behind it `words` machine words, all null.

    Its instances bind as methods the way functions do. It cannot be subclassed: a Python subclass
    would lose the vectorcall slot on some versions and keep it on others.
    """
    offset = _words_start(body_class)
    leaf = make_heap_type(
        f"{body_class.__module__}.{name}",
        body_class,
        offset + 8 * words,
        HAVE_VECTORCALL | METHOD_DESCRIPTOR,
        {"__vectorcalloffset__": offset},
        # What a function's own slot does, PyMethod_New, is right for any callable.
        {TP_DESCR_GET: FunctionType},
    )
    leaf.__doc__ = body_class.__doc__
    return leaf


def word_offset(callable_type: type[CallableBody], word: int) -> int:
    """Return where a word stands in the instances of a callable type, in bytes."""
    if not callable_type.__flags__ & HAVE_VECTORCALL or callable_type.__base__ is None:
        raise TypeError(f"{callable_type.__name__} was not made by make_callable_type")
    start = _words_start(callable_type.__base__)
    count = (callable_type.__basicsize__ - start) // 8
    if not 0 <= word < count:
        raise IndexError(f"word {word} of {count}")
    return start + 8 * word


def get_word(instance: CallableBody, word: int) -> int:
    """Return a machine word of a callable."""
    return _word(instance, word).value


def set_word(instance: CallableBody, word: int, value: int) -> None:
    """Store a machine word of a callable, in one piece: another thread sees the old or the new."""
    _word(instance, word).value = value


def prepare(
    instance: CallableBody,
    slow: Callable[..., object],
    parameters: Sequence[inspect.Parameter],
    support: Mapping[str, int],
) -> None:
    """Fill in all words but VECTORCALL, once, before the first specialisation is installed.

    `slow` takes the calls that no specialisation takes. `support` gives the addresses of `sc_miss`
    and `sc_bind`.
    """
    if hasattr(instance, "_held"):
        # A call under way may be using what is held.
        raise RuntimeError(f"{instance!r} is prepared already")
    if not binds_in_order(parameters):
        raise ValueError(f"the parameters of {instance!r} are for the slow path alone")
    names = tuple(sys.intern(parameter.name) for parameter in parameters)
    defaults = tuple(parameter.default for parameter in parameters)
    pointers = ctypes.c_void_p * len(parameters)
    by_name = pointers(
        *(
            None if parameter.kind is inspect.Parameter.POSITIONAL_ONLY else id(name)
            for parameter, name in zip(parameters, names, strict=True)
        )
    )
    by_default = pointers(
        *(None if default is inspect.Parameter.empty else id(default) for default in defaults)
    )
    held = (slow, names, defaults, by_name, by_default)
    instance._held = held  # pyright: ignore[reportPrivateUsage]  # the words are this module's
    set_word(instance, Word.SLOW, id(slow))
    set_word(instance, Word.PARAMETERS, len(parameters))
    set_word(instance, Word.NAMES, ctypes.addressof(by_name))
    set_word(instance, Word.DEFAULTS, ctypes.addressof(by_default))
    set_word(instance, Word.BIND, support["sc_bind"])
    for cell in range(SPECIALISATIONS):
        set_word(instance, Word.CELLS + cell, support["sc_miss"])


def binds_in_order(parameters: Sequence[inspect.Parameter]) -> bool:
    """Say whether all arguments can be given by position: no keyword-only, no `*args`."""
    in_order = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return all(parameter.kind in in_order for parameter in parameters)


def install(instance: CallableBody, index: int, address: int) -> None:
    """Publish specialisation `index`: the first takes the calls, the next what it passes on.

    The code at `address` must jump to word `Word.CELLS + index` where its guards fail.
    """
    if not 0 <= index < SPECIALISATIONS:
        raise IndexError(f"specialisation {index} of {SPECIALISATIONS}")
    set_word(instance, Word.VECTORCALL if index == 0 else Word.CELLS + index - 1, address)


def _words_start(body_class: type) -> int:
    return (body_class.__basicsize__ + 7) & ~7


def _word(instance: CallableBody, word: int) -> ctypes.c_size_t:
    return ctypes.c_size_t.from_address(id(instance) + word_offset(type(instance), word))
