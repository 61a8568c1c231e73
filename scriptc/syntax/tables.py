"""The tables of the grammar: made by make_tables.py, saved in tables.json, loaded without Lark."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from typing import cast

from scriptc.syntax.table_format import TABLES_FILE, Row, TablesData, digest, grammar_text
from scriptc_runtime.plain_json import read_json


class Rows(dict[int, Row]):
    """The rows of states, each read when it is used first: a program uses one in five."""

    def __init__(self, texts: Sequence[str], numbers: Sequence[int]) -> None:
        super().__init__()
        self._texts = texts
        self._numbers = numbers

    def __missing__(self, state: int) -> Row:
        text = self._texts[self._numbers[state]]
        words = text.split(" ") if text else []
        row = self[state] = dict(zip(words[::2], map(int, words[1::2]), strict=True))
        return row


@cache
def load_tables() -> TablesData:
    """Return the tables of the grammar as it is: the saved ones, or new ones if it was edited."""
    grammar = grammar_text()
    if os.path.exists(TABLES_FILE):
        with open(TABLES_FILE, encoding="utf-8") as file:
            saved = cast(TablesData, read_json(file.read()))
        if saved["digest"] == digest(grammar):
            return saved
    # Imported here: only who edits the grammar needs it.
    from scriptc.syntax.make_tables import compile_tables

    return compile_tables(grammar)
