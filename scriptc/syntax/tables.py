"""The tables of the grammar: compiled by Lark, saved in tables.json, loaded without Lark.

The file holds the grammar's digest, the words and patterns of the lexer, and the tables of the LR
automaton. They are made small, and quick to read, in three ways: the most frequent reduction of a
state is its default (key ""); states share equal rows; a row is a JSON object, ready for use.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypedDict, cast

from scriptc import resources

TABLES_FILE = Path(__file__).parent / "tables.json"
START_RULES = ("file_input", "eval_input", "func_input")

# The number of a state to go to, or ~number of a rule to reduce by.
Row = dict[str, int]


class RuleData(NamedTuple):
    """How to reduce by one rule; an array in the file."""

    column: str  # of the gotos
    size: int
    name: str  # of the action; "" where the rule stands for a child, "[]" where for a list
    take: list[int | None]  # the children that an action gets; None is an absent optional part
    splice: list[int]  # which of them are lists to be spliced in


class TablesData(TypedDict):
    """The content of tables.json."""

    digest: str
    keywords: dict[str, str]
    operators: dict[str, str]
    patterns: dict[str, str]
    starts: dict[str, tuple[int, int]]
    rules: list[RuleData]
    step_rows: list[Row]
    goto_rows: list[Row]
    states: list[tuple[int, int]]


@cache
def load_tables() -> TablesData:
    """Return the tables of the grammar as it is: the saved ones, or new ones if it was edited."""
    grammar = grammar_text()
    if TABLES_FILE.exists():
        saved = cast(TablesData, json.loads(TABLES_FILE.read_text(encoding="utf-8")))
        if saved["digest"] == digest(grammar):
            return saved
    return compile_tables(grammar)


def grammar_text() -> str:
    """Return the text of the grammar."""
    return resources.read_text("grammar", "script.lark")


def digest(grammar: str) -> str:
    """Return what tells one grammar from another."""
    return hashlib.sha256(grammar.encode()).hexdigest()


def compile_tables(grammar: str) -> TablesData:
    """Let Lark compile the grammar; about a second."""
    lark = _compile(grammar)
    table = lark.parser.parser._parse_table
    rules: dict[Any, int] = {}
    nonterminals: dict[str, str] = {}
    step_rows: dict[tuple[tuple[str, int], ...], int] = {}
    goto_rows: dict[tuple[tuple[str, int], ...], int] = {}
    states: list[tuple[int, int]] = []
    for state in range(len(table.states)):
        steps, gotos = _split_row(table.states[state], rules, nonterminals)
        states.append((_shared(step_rows, _with_default(steps)), _shared(goto_rows, gotos)))
    strings, patterns = _lexical(lark.terminals)
    return {
        "digest": digest(grammar),
        "keywords": {text: kind for text, kind in strings.items() if text.isidentifier()},
        "operators": {text: kind for text, kind in strings.items() if not text.isidentifier()},
        "patterns": patterns,
        "starts": {r: (table.start_states[r], table.end_states[r]) for r in START_RULES},
        "rules": [_rule(rule, nonterminals) for rule in rules],
        "step_rows": [dict(row) for row in step_rows],
        "goto_rows": [dict(row) for row in goto_rows],
        "states": states,
    }


def _compile(grammar: str) -> Any:  # Lark's tables are not part of its typed interface
    # Imported here: nothing else in scriptc needs Lark, and it takes 40 ms.
    from lark import Lark

    return Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        start=list(START_RULES),
        maybe_placeholders=True,
        postlex=_Layout(),
    )


class _Layout:
    """Tells Lark that a newline is expected anywhere; the real layout is in lexer.py."""

    always_accept = ("_NEWLINE",)

    def process(self, stream: Any) -> Any:
        return stream


def _lexical(terminals: Iterable[Any]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the kind of each fixed word, and the pattern of each other kind."""
    strings: dict[str, str] = {}
    patterns: dict[str, str] = {}
    for terminal in terminals:
        if terminal.pattern.type == "str":
            strings[terminal.pattern.value] = terminal.name
        else:
            patterns[terminal.name] = terminal.pattern.value
    return strings, patterns


def _split_row(
    row: Mapping[str, tuple[Any, Any]], rules: dict[Any, int], nonterminals: dict[str, str]
) -> tuple[Row, Row]:
    """Part steps (by terminals) from gotos, and number the rules and nonterminals met."""
    steps: Row = {}
    gotos: Row = {}
    for symbol, (action, argument) in row.items():
        if str(action) == "Reduce":
            steps[symbol] = ~rules.setdefault(argument, len(rules))
        elif symbol.upper() == symbol:
            steps[symbol] = argument
        else:
            gotos[_column(symbol, nonterminals)] = argument
    return steps, gotos


def _column(nonterminal: str, nonterminals: dict[str, str]) -> str:
    return nonterminals.setdefault(nonterminal, str(len(nonterminals)))


def _with_default(steps: Row) -> Row:
    reductions = Counter(step for step in steps.values() if step < 0)
    if not reductions:
        return steps
    # A wrong reduction before an error does no harm: the wrong token is still not shifted.
    default, _ = reductions.most_common(1)[0]
    return {"": default, **{kind: step for kind, step in steps.items() if step != default}}


def _shared(rows: dict[tuple[tuple[str, int], ...], int], row: Row) -> int:
    return rows.setdefault(tuple(sorted(row.items())), len(rows))


def _rule(rule: Any, nonterminals: dict[str, str]) -> RuleData:
    take: list[int | None] = []
    splice: list[int] = []
    absent = list(cast(Iterable[bool], rule.options.empty_indices))
    for index, symbol in enumerate(rule.expansion):
        while absent and absent.pop(0):
            take.append(None)
        if symbol.is_term and symbol.filter_out and not rule.options.keep_all_tokens:
            continue
        if not symbol.is_term and symbol.name.startswith("_"):
            splice.append(len(take))
        take.append(index)
    take += [None for missing in absent if missing]
    column = _column(rule.origin.name, nonterminals)
    return RuleData(column, len(rule.expansion), _action_name(rule, len(take)), take, splice)


def _action_name(rule: Any, count: int) -> str:
    if rule.origin.name.startswith("_"):
        return "[]"
    if rule.options.expand1 and not rule.alias:
        assert count == 1, f"?{rule.origin.name} stands for {count} children: name them"
        return ""
    return str(rule.alias or rule.options.template_source or rule.origin.name)
