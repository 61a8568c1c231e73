"""Texts that are compared with texts of the program, of all lengths and widths."""

from tests.programs import Case


def kinds(word: str) -> list[bool]:
    return [
        word == "",
        word == "a",
        word != "ab",
        word == "number",
        "operator" == word,  # noqa: SIM300
        word == "eightchr",
        word == "nine_char",
        word != "sixteen_letters_",
        word == "seventeen_letters",
        word == "\xe9t\xe9",
        word == "\u03c0",
        word == "a\x00",
        word == "\x00",
    ]


def dispatched(words: list[str]) -> int:
    total = 0
    for word in words:
        if word == "push":
            total += 1
        elif word == "pop":
            total += 10
        elif word == "jump_if_not_zero":
            total += 100
        elif word in ("halt", "nop"):
            total += 1000
    return total


def of_bytes(row: bytes) -> tuple[bool, bool, bool]:
    return row == b"ab", row != b"", row == b"a\xff"


def joined(a: str, b: str) -> tuple[bool, bool, bool]:
    """Texts that grow where they are keep what was behind them."""
    text = a + b
    text = text[: len(a)] + b[:1]
    return text == "abc", text == "ab", a + "" == "ab"


WORDS = [
    *("", "a", "b", "ab", "abc", "number", "numbeR", "numbers", "operator", "operatos", "eightchr"),
    *("nine_char", "nine_chaR", "Nine_char", "sixteen_letters_", "sixteen_letters", "x" * 16),
    *("seventeen_letters", "\xe9t\xe9", "ete", "\u03c0", "\U0001f600", "a\x00", "\x00", "\x00\x00"),
    *("a\u03c0", "\u0161", "number\u03c0", "y" * 60),
]
CASES: list[Case] = [
    (kinds, [(word,) for word in WORDS]),
    (dispatched, [(["push", "pop", "jump_if_not_zero", "halt", "nop", "pushy", ""] * 3,), ([],)]),
    (of_bytes, [(b"ab",), (b"",), (b"a\xff",), (b"a",)]),
    (joined, [("ab", "c"), ("ab", ""), ("", "abc"), ("a", "b")]),
]
