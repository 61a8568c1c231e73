"""The file of the grammar's tables: what it holds, and what its grammar is told by.

The file holds the grammar's digest, the words and patterns of the lexer, and the tables of the LR
automaton. They are made small, and quick to read, in three ways: the most frequent reduction of a
state is its default (key ""); states share equal rows; a row is one text.
"""

from __future__ import annotations

import os
from _blake2 import blake2b
from collections.abc import Mapping
from typing import NamedTuple, TypedDict

from scriptc import resources

TABLES_FILE = os.path.join(os.path.dirname(__file__), "tables.json")
START_RULES = ("file_input", "eval_input", "func_input")

# The number of a state to go to, or ~number of a rule to reduce by.
Row = Mapping[str, int]


class RuleData(NamedTuple):
    """How to reduce by one rule; an array in the file."""

    column: str  # of the gotos
    size: int
    name: str  # of the action; "" where the rule stands for a child, "[]" where for a list
    take: list[int | None]  # the children that an action gets; None is an absent optional part
    splice: list[int]  # which of them are lists to be spliced in


class TablesData(TypedDict):
    """The content of tables.json."""

    digest: int
    keywords: dict[str, str]
    operators: dict[str, str]
    patterns: dict[str, str]
    starts: dict[str, tuple[int, int]]
    rules: list[RuleData]
    step_rows: list[str]
    goto_rows: list[str]
    states: list[tuple[int, int]]


def row_text(row: Row) -> str:
    """Return a row as one text, for `Rows`."""
    return " ".join(f"{kind} {number}" for kind, number in row.items())


def grammar_text() -> str:
    """Return the text of the grammar."""
    return resources.read_text("grammar", "script.lark")


def digest(grammar: str) -> int:
    """Return what tells an edited grammar from the one the tables were made of."""
    # Not hashlib, which takes 3 ms to import.
    return int.from_bytes(blake2b(grammar.encode(), digest_size=6).digest(), "big")
