"""Texts that loops add to: where nobody else owns one it is made longer, else it is copied."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from tests.programs import Case


def joined(n):
    s = ""
    for i in range(n):
        s += str(i)
    return s


def lines(rows, columns):
    text = ""
    for r in range(rows):
        line = ""
        for c in range(columns):
            line += str(r * c) + " "
        text += line + "\n"
    return text


def owned_by_others(s, t):
    """What was passed in, and what other names stand for, stays as it was."""
    u = s
    s += t
    v = s
    s += u
    u += s
    return s, t, u, v


def before_and_after(words):
    seen = [""]
    text = ""
    for word in words:
        old = text
        text += word
        seen.append(old)
        seen.append(text)
        text = text + old
    return seen, text


def twice(s, n):
    for _ in range(n):
        s = s + s
        s = f"{s}{n}{s}"
        s = f"{s}-{len(s)}"
    return s


def constants(n):
    s = "start"
    for _ in range(n):
        s += "é" if len(s) % 2 else "😀"
    t = "start"
    t += "!"
    return s, t, "start"


def left_early(words, stop):
    text = ""
    for word in words:
        if word == stop:
            raise ValueError(text + word)
        text += word
        try:
            text += "." + str(10 // (len(word) - 2))
        except ZeroDivisionError:
            text += "/"
    return text


WORDS = ["one", "to", "", "three", "é", "ab"]

CASES: list[Case] = [
    (joined, [(0,), (1,), (2,), (30,), (500,)]),
    (lines, [(0, 3), (3, 0), (7, 5)]),
    (owned_by_others, [("a", "b"), ("", "b"), ("a", ""), ("long " * 9, "é"), ("", "")]),
    (before_and_after, [(WORDS,), (WORDS[:1],)]),
    (twice, [("a", 0), ("a", 4), ("", 3)]),
    (constants, [(0,), (1,), (40,)]),
    (left_early, [(WORDS, "none"), (WORDS, "three"), (WORDS, "one")]),
]
