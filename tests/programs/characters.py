"""Characters of texts that are compared, classed, counted and kept, in scanners and loops."""

from tests.programs import Case

TEXT = 'let x1 = 3.5 * (y_2 + "a\\tb") - \xe9\u03c0\U0001f600;\n'


def compared(text: str, i: int) -> tuple[bool, bool, bool, bool, bool, bool]:
    c = text[i]
    return c == "x", c != "x", c == "", c != "xy", c == "\u03c0", c == "\U0001f600"


def both(text: str, i: int, j: int) -> tuple[bool, bool, bool]:
    c, d = text[i], text[j]
    return c == d, c != d, c == c


def numbered(text: str, i: int) -> tuple[int, int, int]:
    c = text[i]
    return ord(c), len(c), ord(c[0]) + ord(c[-1])


def beyond(text: str, i: int) -> int:
    c = text[i]
    return ord(c[1])


def classed(text: str) -> list[tuple[bool, bool, bool, bool]]:
    found: list[tuple[bool, bool, bool, bool]] = []
    for i in range(len(text)):
        c = text[i]
        found.append((c.isalpha(), c.isdigit(), c.isspace(), c.isalnum() or c.isupper()))
    return found


def kept(text: str) -> tuple[str, dict[str, int], list[str]]:
    """Some are needed as texts, too."""
    found = ""
    counts: dict[str, int] = {}
    others: list[str] = []
    for c in text:
        if c == " " or c == "\n":
            continue
        if c.isdigit():
            counts[c] = counts.get(c, 0) + 1
        elif c in "+-*/":
            others.append(c)
        else:
            found += c
    return found, counts, others


def tokens(text: str) -> list[str]:
    found: list[str] = []
    i = 0
    while i < len(text):
        c = text[i]
        first = i
        if c.isspace():
            i += 1
            continue
        if c.isalpha() or c == "_":
            while i < len(text) and (text[i].isalnum() or text[i] == "_"):
                i += 1
        elif c.isdigit():
            while i < len(text) and (text[i].isdigit() or text[i] == "."):
                i += 1
        elif c == '"':
            i += 1
            while text[i] != '"':
                i += 2 if text[i] == "\\" else 1
            i += 1
        else:
            i += 1
        found.append(text[first:i])
    return found


def carried(text: str) -> list[str]:
    """The character before is carried on, as a text."""
    found: list[str] = []
    before = text[0]
    for c in text[1:]:
        if c != before and before == "a":
            found.append(before + c)
        before = c
    return found


def caught(text: str, i: int) -> str:
    try:
        c = text[i]
        return "x" if c == "x" else "other"
    except IndexError as error:
        return str(error)


class Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def peek(self) -> str:
        return self.text[self.at] if self.at < len(self.text) else ""

    def digits(self) -> int:
        value = 0
        while self.peek() != "" and "0" <= self.peek() <= "9":
            value = value * 10 + ord(self.peek()) - ord("0")
            self.at += 1
        return value


def read(text: str) -> tuple[int, int]:
    reader = Reader(text)
    return reader.digits(), reader.at


PLACES = [0, 3, -1, -4, 5, 36, 37, 38, 100, -100]
CASES: list[Case] = [
    (compared, [(TEXT, i) for i in PLACES] + [("xy", 0), ("", 0)]),
    (both, [(TEXT, i, j) for i in PLACES[:6] for j in PLACES]),
    (numbered, [(TEXT, i) for i in PLACES]),
    (beyond, [(TEXT, i) for i in PLACES]),
    (classed, [(TEXT,), ("",), ("\u0660\u00b2\u2167 \u2003",)]),
    (kept, [(TEXT,), ("",), ("1 2 2 3\n+",)]),
    (tokens, [(TEXT,), ("",), ('a "b',), ('"\\',)]),
    (carried, [("aabacada",), ("a",), ("",)]),
    (caught, [("ax", 0), ("ax", -1), ("ax", 2)]),
    (read, [("123x",), ("",), ("x",), ("\u0663",)]),
]
