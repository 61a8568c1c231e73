"""What tests ask and tell the support code: its counters, and how the pool shares launches."""

import ctypes
import sys
from collections.abc import Generator
from contextlib import contextmanager

from scriptc.options import from_environment
from scriptc.scripted_function import store_of

# What is worth it, and what everything is more than.
_WORK = {"sc_apart_work": 0, "sc_split_work": 0, "sc_chunk_work": 0, "sc_task_work": -(2**63)}


def regions() -> int:
    """Return how many launches were shared among threads so far."""
    return _word("sc_regions").value


def live_blocks() -> int:
    """Return how many blocks of memory compiled code holds, without what waits to be let go."""
    if (kept := sys.modules.get("scriptc.kept_containers")) is not None:
        kept.forget_unused(at_once=True)
    return _word("sc_live_blocks").value


def taken_blocks() -> int:
    """Return how many blocks compiled code has asked for so far."""
    return _word("sc_total_allocs").value


@contextmanager
def pool(threads: int, *, everything: bool = False) -> Generator[None]:
    """Share launches among so many threads; `everything`: also those that are not worth it."""
    number = ctypes.c_int32.from_address(_address("sc_threads"))
    words = [_word(name) for name in _WORK]
    before = number.value, [word.value for word in words]
    number.value = threads
    for word, least in zip(words, _WORK.values(), strict=True) if everything else ():
        word.value = least
    try:
        yield
    finally:
        number.value = before[0]
        for word, value in zip(words, before[1], strict=True):
            word.value = value


@contextmanager
def without_tasks() -> Generator[None]:
    """Share launches alone: pieces of work that could run side by side are done in their order."""
    word = _word("sc_task_work")
    before, word.value = word.value, 2**63 - 1
    try:
        yield
    finally:
        word.value = before


def _word(name: str) -> ctypes.c_int64:
    return ctypes.c_int64.from_address(_address(name))


def _address(name: str) -> int:
    return store_of(from_environment().cache_dir).support[name]
