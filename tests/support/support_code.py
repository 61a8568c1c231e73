"""What tests ask and tell the support code: its counters, and how the pool shares launches."""

import ctypes
from collections.abc import Generator
from contextlib import contextmanager

from scriptc.options import from_environment
from scriptc.scripted_function import store_of

_WORK = ("sc_apart_work", "sc_split_work", "sc_chunk_work")


def regions() -> int:
    """Return how many launches were shared among threads so far."""
    return _word("sc_regions").value


def live_blocks() -> int:
    """Return how many blocks of memory compiled code holds."""
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
    for word in words if everything else ():
        word.value = 0
    try:
        yield
    finally:
        number.value = before[0]
        for word, value in zip(words, before[1], strict=True):
            word.value = value


def _word(name: str) -> ctypes.c_int64:
    return ctypes.c_int64.from_address(_address(name))


def _address(name: str) -> int:
    return store_of(from_environment().cache_dir).support[name]
