"""Texts cut and stripped at blanks, of all widths and lengths, and what is said of characters."""

from tests.programs import Case

WORDS = "one of several words that are longer than sixteen characters-in-one-go, and \x85 more"
LINES = "\n".join("x" * n + "\t\x1f" * (n % 3) for n in range(40))
BLANKS = "".join(chr(code) for code in range(0x3001) if chr(code).isspace())


def split_at_blanks(text: str, most: int) -> tuple[list[str], list[str]]:
    return text.split(), text.split(None, most)


def stripped(text: str) -> tuple[str, str, str]:
    return text.strip(), text.lstrip(), text.rstrip()


def lengths_of_words(text: str, times: int) -> dict[int, int]:
    found: dict[int, int] = {}
    for word in (text * times).split():
        found[len(word)] = found.get(len(word), 0) + 1
    return found


def lines(text: str) -> tuple[list[str], list[str], list[str]]:
    return text.splitlines(), text.splitlines(True), (text + "\r\n" + text + "\n").splitlines()


def split_at(text: str, sep: str) -> tuple[list[str], list[str]]:
    return text.split(sep), text.split(sep, 2)


def classes(text: str) -> tuple[list[bool], list[bool], list[bool], list[bool]]:
    return (
        [c.isalpha() for c in text],
        [c.isdigit() or c.isdecimal() or c.isnumeric() for c in text],
        [c.isspace() for c in text],
        [c.isupper() or c.islower() or c.istitle() or c.isprintable() for c in text],
    )


def digits(text: str) -> int:
    return sum(int(c) for c in text if c.isdecimal())


SAMPLES = [
    "",
    " ",
    "a",
    " a",
    "a ",
    "\ta\n b",
    "x" * 15 + " y",
    "x" * 16 + " y",
    "x" * 17 + " y" + " " * 40,
    " " * 33 + "z" * 33,
    "\x01\x02\x1b words \x00",
    "\x1c\x1d\x1e\x1f",
    "\xe9t\xe9 \xa0\x85d\xe9j\xe0 vu, et encore",
    "\u03c0 \u2003\u3000\u03c1",
    "\U0001f600 \u2029 \U0001f601" * 9,
    WORDS,
    BLANKS,
    "a".join(BLANKS),
]
EVERY = "".join(map(chr, range(0x180))) + "\u0660\u00b2\u2167\u01c5\U0001d7ce"

CASES: list[Case] = [
    (split_at_blanks, [(text, most) for text in SAMPLES for most in (0, 1, 3)]),
    (stripped, [(text,) for text in SAMPLES]),
    (lengths_of_words, [(text, times) for text in SAMPLES[3:] for times in (0, 1, 50)]),
    (lines, [(text,) for text in SAMPLES]),
    (
        lines,
        [("a\nb\r\nc\rd\x0be\x0cf\x1cg\x1dh\x1ei\x85j\u2028k\u2029l",), ("\n\r\r\n\n",), (LINES,)],
    ),
    (split_at, [(text, sep) for text in SAMPLES for sep in (" ", "\xe9", "\u03c0", "xx")]),
    (classes, [(EVERY,), ("",)]),
    (digits, [("a1b22\u0663",), (EVERY,)]),
]
