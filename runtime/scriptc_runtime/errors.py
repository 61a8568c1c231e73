"""Every error a user can meet, each with the place in the source that caused it."""

from collections.abc import Sequence

from scriptc_runtime.record import record


class Source:
    """One text and the name of the file it came from; turns offsets into lines and columns.

    `shown` is what a user knows the file as, where that is another name.
    """

    __slots__ = ("_starts", "file", "shown", "text")

    def __init__(self, file: str, text: str, shown: str = "") -> None:
        self.file = file
        self.text = text
        self.shown = shown or file
        self._starts: list[int] | None = None

    def _line_starts(self) -> list[int]:
        # Made on first use: a warm start that prints no message never needs it.
        if self._starts is None:
            self._starts = [0]
            for line in self.text.split("\n")[:-1]:
                self._starts.append(self._starts[-1] + len(line) + 1)
        return self._starts

    @property
    def line_count(self) -> int:
        """How many lines there are; what ends with a newline has none after it."""
        starts = self._line_starts()
        return len(starts) - (starts[-1] == len(self.text))

    def position(self, offset: int) -> tuple[int, int]:
        """Return the 1-based line and 1-based column of the character at `offset`."""
        # Inside a function: a program without mistakes has no use for another library.
        from bisect import bisect_right

        starts = self._line_starts()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """Return where the character at a 1-based line and column is."""
        return self._line_starts()[line - 1] + column - 1

    def line(self, number: int) -> str:
        """Return the text of 1-based line `number`, without its newline."""
        starts = self._line_starts()
        end = starts[number] - 1 if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r")


@record
class Span:
    """The half-open range of characters `lo:hi` of one source."""

    source: Source
    lo: int
    hi: int

    @property
    def place(self) -> str:
        """`file:line:column`, as editors and terminals link it."""
        line, column = self.source.position(self.lo)
        return f"{self.source.shown}:{line}:{column}"


@record
class Note:
    """A second place that explains a diagnostic: where the other type came from."""

    message: str
    span: Span | None = None


@record
class Diagnostic:
    """One mistake of the user's: what, where, why, and the way out.

    `code` is stable: documentation and tests refer to it. `severity` is `error`, or `warning` for
    what is compiled nevertheless.
    """

    code: str
    message: str
    span: Span | None = None
    why: str = ""
    instead: str = ""
    notes: Sequence[Note] = ()
    severity: str = "error"

    def render(self) -> str:
        """Return the message with the offending line, carets, reason and way out."""
        place = f"{self.span.place}: " if self.span else ""
        lines = [f"{place}{self.severity}[{self.code}]: {self.message}"]
        if self.span:
            lines += _excerpt(self.span)
        lines += [f"  = why: {self.why}"] if self.why else []
        for note in self.notes:
            lines.append(f"  = note: {note.message}")
            if note.span:
                lines += [f"    at {note.span.place}", *_excerpt(note.span)]
        lines += [f"  = instead: {self.instead}"] if self.instead else []
        return "\n".join(lines)


def _excerpt(span: Span) -> list[str]:
    line, column = span.source.position(span.lo)
    end_line, end_column = span.source.position(max(span.hi, span.lo))
    text = span.source.line(line)
    width = end_column - column if end_line == line else len(text) - column + 1
    before = text[: column - 1].expandtabs(4)
    gutter = " " * len(str(line))
    return [
        f"  {line} | {text.expandtabs(4)}",
        f"  {gutter} | {' ' * len(before)}{'^' * max(1, width)}",
    ]


class ScriptError(Exception):
    """Base of all errors that are the user's to mend; carries one or more diagnostics."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(*diagnostics)
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        # Written when somebody reads it: the checker tries out much that is refused.
        return "\n\n".join(d.render() for d in self.diagnostics)

    def __reduce__(self) -> tuple[type["ScriptError"], tuple[Diagnostic, ...]]:
        # Other processes are sent what it was made of, not its text.
        return type(self), self.diagnostics


class ParseError(ScriptError):
    """The text is not Python (or not IR text)."""


class UnsupportedError(ScriptError):
    """Valid Python that the language does not have."""


class NameLookupError(ScriptError):
    """A name that is not defined, or whose value cannot be used from a script."""


class TypeCheckError(ScriptError):
    """Operands or arguments whose types an operation does not accept."""


class LoadError(ScriptError):
    """A saved file that is damaged, hostile, or of another version."""


class SizeWarning(UserWarning):
    """Sizes that have to be equal have different names in the annotations of a function."""


class CopyWarning(UserWarning):
    """A function that runs on a device is given arrays of the host: each call copies them."""


class BudgetExceededError(Exception):
    """A run used up the steps or the memory it was given; no script can catch it."""


class InvalidIRError(Exception):
    """The compiler broke a rule of its own IR: a bug in scriptc, not in the user's program."""


class InternalError(Exception):
    """A bug in scriptc, met while it compiled: in which stage, and at what place of the program.

    Its `__cause__` is what the stage raised.
    """

    def __init__(self, stage: str, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.render())
        self.stage = stage
        self.diagnostic = diagnostic

    def __reduce__(self) -> tuple[type["InternalError"], tuple[str, Diagnostic]]:
        return type(self), (self.stage, self.diagnostic)
