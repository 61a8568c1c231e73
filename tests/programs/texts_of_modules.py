"""`textwrap` and `json.dumps`: texts that the library makes of texts and of any values."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import json
import math
import textwrap
from textwrap import dedent

from tests.programs import Case

_FOX = "The quick brown fox jumped over the lazy dog -- and then it slept for a very-long-time."


def wrapped(text, width):
    lines = textwrap.wrap(text, width)
    listed = textwrap.fill(text, width, initial_indent="* ", subsequent_indent="  ")
    return lines, listed, textwrap.shorten(text, width)


def with_options(text, width, kind):
    if kind == 0:
        return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
    if kind == 1:
        return textwrap.wrap(text, width, expand_tabs=False, replace_whitespace=False)
    if kind == 2:
        return textwrap.wrap(text, width, drop_whitespace=False, fix_sentence_endings=True)
    return textwrap.wrap(text, width=width, max_lines=kind - 1, placeholder="...", tabsize=3)


def margins(text):
    block = dedent("""\
        Dear all,
          see below

        """)
    marked = textwrap.indent(text, "> "), textwrap.indent(text, "+ ", lambda line: "b" in line)
    return block, dedent(text), marked


class Point:
    def __init__(self, x):
        self.x = x


def as_json(numbers, words):
    table = {"n": numbers, "w": words[0], "none": None, "t": (1, 2.5, "z", True)}
    print(json.dumps([{"name": w, "size": len(w)} for w in words], indent=4))
    keys = json.dumps({1: 2, -3: 4}), json.dumps({1.5: [None, words]}, indent="\t")
    short = json.dumps(table, separators=(",", ":")), json.dumps(words, ensure_ascii=False)
    return json.dumps(table, sort_keys=True), keys, short, json.dumps(numbers, indent=0)


def keys_that_are_not_found(n):
    sorted_text = json.dumps({"b": [n], "a": [2, 3]}, sort_keys=True)
    first = json.dumps({math.nan: n}, sort_keys=True)
    return json.dumps({float("nan"): True, 2.0: False}), sorted_text, first


def not_as_json(kind, x):
    if kind == 0:
        return json.dumps([x], allow_nan=False)
    if kind == 1:
        return json.dumps([x], allow_nan=False, indent=1)
    if kind == 2:
        return json.dumps([Point(x)])
    if kind == 3:
        return json.dumps({(1, 2): x})
    if kind == 4:
        return json.dumps({"a": {x}})
    return json.dumps({"x": x, "none": None})


CASES: list[Case] = [
    (
        wrapped,
        [
            (_FOX, 20),
            (_FOX, 3),
            ("", 10),
            ("a  b\tc\nd" * 4, 9),
            ("x" * 30 + "-yy", 7),
            (_FOX, 0),
        ],
    ),
    (
        with_options,
        [
            (_FOX + ' He said "no." Yes. a\tb', width, kind)
            for width in (8, 30)
            for kind in range(5)
        ],
    ),
    (margins, [("  a\n    b\n \n  c",), ("\ta\n  b",), ("",), ("no\nmargin  \n",)]),
    (
        as_json,
        [
            ([1.5, -0.0, 1e100, math.inf], ["a", 'q"\\\n\x7f', "é€😀"]),
            ([3, -4], ["/\t\b\f\r\x01"]),
            ([True], ["x"]),
        ],
    ),
    (keys_that_are_not_found, [(1,)]),
    (not_as_json, [(kind, x) for x in (1.5, math.nan, -math.inf) for kind in range(6)]),
]
