"""What each pass changed: the difference of the IR before and after it, function by function."""

import difflib
from collections.abc import Iterator

from scriptc_runtime.ir import Function, Module, walk
from scriptc_runtime.text.writer import Names, write_function

_CONTEXT = 2
NO_CHANGE = "no change"


class Trace:
    """Is told of each pass in turn.  Values keep their numbers, so a diff is the change alone."""

    def __init__(self, *, locations: bool = True) -> None:
        self._locations = locations
        self._names: dict[str, Names] = {}
        self._texts: dict[str, list[str]] = {}
        self._lines: list[str] = []

    def __call__(self, name: str, module: Module) -> None:
        """Note what the pass `name` made."""
        first = not self._lines
        texts = {f.name: self._text(f) for f in module.functions.values()}
        count = sum(1 for f in module.functions.values() for _ in walk(f.body))
        functions = [*texts, *(f for f in self._texts if f not in texts)]
        changes = [line for f in functions for line in self._change(f, texts.get(f, []))]
        self._lines.append(f"== {name}: {count} instructions")
        if first:
            self._lines += (line for text in texts.values() for line in text)
        else:
            self._lines += changes or [NO_CHANGE]
        self._texts = texts

    @property
    def text(self) -> str:
        """The first module in full, then what each pass changed."""
        return "\n".join(self._lines) + "\n"

    def _text(self, function: Function) -> list[str]:
        names = self._names.setdefault(function.name, {})
        return write_function(function, locations=self._locations, names=names).splitlines()

    def _change(self, name: str, after: list[str]) -> Iterator[str]:
        before = self._texts.get(name, [])
        diff = difflib.unified_diff(before, after, n=_CONTEXT, lineterm="")
        for line in diff:
            if line.startswith(("---", "+++")):
                continue
            yield f"  ... in @{name}" if line.startswith("@@") else line
