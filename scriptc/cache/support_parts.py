"""Parts of the support code, compiled once by whichever threads are free."""

from collections.abc import Callable, Iterable
from contextlib import suppress

from scriptc.backends.llvm.loading import elfload


class SupportParts:
    """The parts that programs ask for in this process.

    `compile_part` compiles one, or finds it in the cache; `parts_for` says which parts have some of
    these symbols.
    """

    def __init__(
        self,
        compile_part: Callable[[str], bytes],
        parts_for: Callable[[Iterable[str]], set[str]],
    ) -> None:
        self._compile_part = compile_part
        self._parts_for = parts_for
        self._asked = set[str]()
        self._waiting: list[str] = []
        self._made = dict[str, bytes]()

    def ask(self, names: Iterable[str]) -> None:
        """Put parts on the list of those to be compiled."""
        missing = set(names) - self._asked
        self._asked |= missing
        self._waiting += sorted(missing)

    def work(self, loaded: Callable[[], Iterable[str]]) -> None:
        """Compile what is on the list and what that needs, but for parts that are loaded.

        Several threads may do so at once. What fails here fails once more for who needs it, and is
        told.
        """
        while self._waiting:
            with suppress(Exception):  # IndexError: another thread was quicker
                name = self._waiting.pop()
                code = self._made[name] = self._compile_part(name)
                self.ask(self._parts_for(elfload.undefined_symbols(code)).difference(loaded()))

    def part(self, name: str) -> bytes:
        """Return a part, which is compiled now unless that has been done."""
        return self._made.get(name) or self._compile_part(name)
