"""Read JSON into values of classes, and write them again. RFC 8259, without surrogates."""

from dataclasses import dataclass, field

from scriptc import script

TEXT = """{"name": "station", "open": true, "none": null, "numbers": [1, -2.5, 3e2, 0.125],
 "nested": {"deep": [[], {}, [[1], [2, [3]]]], "text": "a \\"quoted\\" line\\n\\u00e9"}}"""


class JsonError(ValueError):
    """A text that is no JSON: the message has line and column."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"{message}: line {line} column {column}")
        self.line = line


@dataclass
class Value:
    """A value of JSON: its kind, and what values of that kind have."""

    kind: str
    number: float = 0.0
    text: str = ""
    items: list["Value"] = field(default_factory=list["Value"])
    fields: dict[str, "Value"] = field(default_factory=dict[str, "Value"])

    def written(self) -> str:
        """Return the value as JSON."""
        if self.kind == "number":
            whole = int(self.number)
            return str(whole) if whole == self.number else str(self.number)
        if self.kind == "string":
            return quoted(self.text)
        if self.kind == "array":
            return "[" + ", ".join([item.written() for item in self.items]) + "]"
        if self.kind == "object":
            rows = [f"{quoted(name)}: {value.written()}" for name, value in self.fields.items()]
            return "{" + ", ".join(rows) + "}"
        return self.kind

    def depth(self) -> int:
        """Return how many values are inside of one another."""
        inner = [item.depth() for item in self.items]
        inner.extend([value.depth() for value in self.fields.values()])
        return 1 + max(inner, default=0)


def quoted(text: str) -> str:
    """Return a string as JSON."""
    parts: list[str] = []
    for letter in text:
        if letter == '"' or letter == "\\":
            parts.append("\\" + letter)
        elif letter == "\n":
            parts.append("\\n")
        elif ord(letter) > 126:
            parts.append(f"\\u{ord(letter):04x}")
        else:
            parts.append(letter)
    return '"' + "".join(parts) + '"'


class Reader:
    """Reads one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0

    def fail(self, message: str) -> JsonError:
        """Return the error for the place where the reader is."""
        before = self.text[: self.place]
        return JsonError(message, before.count("\n") + 1, self.place - before.rfind("\n"))

    def skip(self) -> str:
        """Go over blanks and return the next character."""
        while self.place < len(self.text) and self.text[self.place].isspace():
            self.place += 1
        if self.place == len(self.text):
            raise self.fail("the text ends")
        return self.text[self.place]

    def expect(self, word: str) -> None:
        """Go over a word."""
        if not self.text.startswith(word, self.place):
            raise self.fail(f"{word!r} is missing")
        self.place += len(word)

    def value(self) -> Value:
        """Read a value."""
        first = self.skip()
        if first == "{":
            return self.object()
        if first == "[":
            return self.array()
        if first == '"':
            return Value("string", text=self.string())
        for word in ("true", "false", "null"):
            if first == word[0]:
                self.expect(word)
                return Value(word)
        return Value("number", number=self.number())

    def object(self) -> Value:
        """Read an object."""
        found = Value("object")
        self.expect("{")
        while self.skip() != "}":
            if found.fields:
                self.expect(",")
                self.skip()
            name = self.string()
            self.skip()
            self.expect(":")
            found.fields[name] = self.value()
        self.place += 1
        return found

    def array(self) -> Value:
        """Read an array."""
        found = Value("array")
        self.expect("[")
        while self.skip() != "]":
            if found.items:
                self.expect(",")
            found.items.append(self.value())
        self.place += 1
        return found

    def string(self) -> str:
        """Read a string."""
        self.expect('"')
        parts: list[str] = []
        while self.place < len(self.text):
            letter = self.text[self.place]
            self.place += 1
            if letter == '"':
                return "".join(parts)
            if letter != "\\":
                parts.append(letter)
                continue
            if self.place + 5 > len(self.text):
                break
            escaped = self.text[self.place]
            self.place += 1
            if escaped == "u":
                parts.append(chr(int(self.text[self.place : self.place + 4], 16)))
                self.place += 4
            else:
                parts.append({"n": "\n", "t": "\t"}.get(escaped, escaped))
        raise self.fail("a string is open")

    def number(self) -> float:
        """Read a number."""
        start = self.place
        while self.place < len(self.text) and self.text[self.place] in "+-.0123456789eE":
            self.place += 1
        try:
            return float(self.text[start : self.place])
        except ValueError as error:
            raise self.fail("no value") from error


@script
def run(rounds: int) -> tuple[str, int, int, str]:
    """Read and write a text again and again; return it, its depth, its length, and an error."""
    length, depth, written, message = 0, 0, "", ""
    for i in range(rounds):
        value = Reader(TEXT).value()
        written = value.written()
        again = Reader(written).value()
        assert again == value
        depth = max(depth, value.depth())
        length += len(written)
        try:
            Reader(TEXT[: 60 + i % 90]).value()
        except JsonError as error:
            message = str(error)
    return written, depth, length, message


if __name__ == "__main__":
    print(run(100))
