"""No fork while a thread compiles.

A child has the thread that forked and no other. If LLVM, llvmlite or an import was under way in
another one, their locks stay held in the child for ever, and its first compilation would wait for
them. So a fork waits until no other thread compiles, and no thread begins meanwhile.
"""

import os
import threading
from collections.abc import Callable
from functools import cache

# Seconds: a compilation that takes longer may itself wait for the thread that forks.
_PATIENCE = 30.0


class Compilations:
    """The threads that compile, as a context manager of the work of each."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._threads: list[object] = []  # their numbers, and others where there is none yet

    def __enter__(self) -> None:
        self._enter(threading.get_ident())

    def __exit__(self, *_: object) -> None:
        self._leave(threading.get_ident())

    def beside(self, work: Callable[[], None]) -> Callable[[], None]:
        """Do some work in a thread, and return what waits for its end.

        Where no thread can start, as when the interpreter ends, the caller does it at once.
        """
        thread_to_be = object()

        def run() -> None:
            try:
                work()
            finally:
                self._leave(thread_to_be)

        # Before it starts: a fork must not come between.
        self._enter(thread_to_be)
        thread = threading.Thread(target=run)
        try:
            thread.start()
        except RuntimeError:
            run()
            return _nothing
        return thread.join

    def _enter(self, thread: object) -> None:
        with self._changed:
            self._threads.append(thread)

    def _leave(self, thread: object) -> None:
        with self._changed:
            self._threads.remove(thread)
            self._changed.notify_all()

    def wait(self) -> None:
        """Wait until no thread but this one compiles, and let none begin: a fork comes."""
        self._changed.acquire()
        self._changed.wait_for(self._is_alone, _PATIENCE)

    def go_on(self) -> None:
        """Let threads begin again, after a fork."""
        self._changed.release()

    def go_on_as_child(self) -> None:
        """Forget the threads of the parent, and begin again."""
        self._threads = [thread for thread in self._threads if thread == threading.get_ident()]
        self._changed.release()

    def _is_alone(self) -> bool:
        return all(thread == threading.get_ident() for thread in self._threads)


def _nothing() -> None:
    pass


@cache
def compilations() -> Compilations:
    """Return what a compilation has to be done within; forks know of it from then on."""
    found = Compilations()
    if hasattr(os, "register_at_fork"):  # not on Windows
        os.register_at_fork(
            before=found.wait, after_in_parent=found.go_on, after_in_child=found.go_on_as_child
        )
    return found
