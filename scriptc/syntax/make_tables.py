"""Compile the grammar to tables.json; after a change: `python -m scriptc.syntax.make_tables`."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from operator import itemgetter
from pathlib import Path
from typing import Any, cast

from scriptc.syntax.table_format import (
    START_RULES,
    TABLES_FILE,
    Row,
    RuleData,
    TablesData,
    digest,
    grammar_text,
    row_text,
)


def compile_tables(grammar: str) -> TablesData:
    """Let Lark compile the grammar; about a second."""
    lark = _compile(grammar)
    table = lark.parser.parser._parse_table
    order = _state_order(table)
    numbers = {state: number for number, state in enumerate(order)}
    rules: dict[Any, int] = {}
    columns: dict[str, str] = {}
    step_rows: dict[tuple[tuple[str, int], ...], int] = {}
    goto_rows: dict[tuple[tuple[str, int], ...], int] = {}
    states: list[tuple[int, int]] = []
    for state in order:
        steps, gotos = _split_row(table.states[state], numbers, rules, columns)
        states.append((_shared(step_rows, _with_default(steps)), _shared(goto_rows, gotos)))
    strings, patterns = _lexical(lark.terminals)
    starts = [(table.start_states[rule], table.end_states[rule]) for rule in START_RULES]
    return {
        "digest": digest(grammar),
        "keywords": {text: kind for text, kind in strings.items() if text.isidentifier()},
        "operators": {text: kind for text, kind in strings.items() if not text.isidentifier()},
        "patterns": patterns,
        "starts": {
            rule: (numbers[first], numbers[last])
            for rule, (first, last) in zip(START_RULES, starts, strict=True)
        },
        "rules": [_rule(rule, columns) for rule in rules],
        "step_rows": [row_text(dict(row)) for row in step_rows],
        "goto_rows": [row_text(dict(row)) for row in goto_rows],
        "states": states,
    }


def _state_order(table: Any) -> list[int]:
    """Return the states as met from the first one: equal grammars then give equal files."""
    order = [table.start_states[rule] for rule in START_RULES]
    seen = set(order)
    for state in order:  # grows while it is read
        for _, (action, argument) in sorted(table.states[state].items(), key=itemgetter(0)):
            if str(action) != "Reduce" and argument not in seen:
                seen.add(argument)
                order.append(argument)
    return order


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
    row: Mapping[str, tuple[Any, Any]],
    numbers: Mapping[int, int],
    rules: dict[Any, int],
    columns: dict[str, str],
) -> tuple[Row, Row]:
    """Part steps (by terminals) from gotos, and number the rules and columns met."""
    steps: Row = {}
    gotos: Row = {}
    for symbol, (action, argument) in sorted(row.items(), key=itemgetter(0)):
        if str(action) == "Reduce":
            steps[symbol] = ~rules.setdefault(argument, len(rules))
        elif symbol.upper() == symbol:
            steps[symbol] = numbers[argument]
        else:
            gotos[_column(symbol, columns)] = numbers[argument]
    return steps, gotos


def _column(nonterminal: str, columns: dict[str, str]) -> str:
    return columns.setdefault(nonterminal, str(len(columns)))


def _with_default(steps: Row) -> Row:
    reductions = Counter(step for step in steps.values() if step < 0)
    if not reductions:
        return steps
    # A wrong reduction before an error does no harm: the wrong token is still not shifted.
    default, _ = reductions.most_common(1)[0]
    return {"": default, **{kind: step for kind, step in steps.items() if step != default}}


def _shared(rows: dict[tuple[tuple[str, int], ...], int], row: Row) -> int:
    return rows.setdefault(tuple(sorted(row.items())), len(rows))


def _rule(rule: Any, columns: dict[str, str]) -> RuleData:
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
    column = _column(rule.origin.name, columns)
    return RuleData(column, len(rule.expansion), _action_name(rule, len(take)), take, splice)


def _action_name(rule: Any, count: int) -> str:
    if rule.origin.name.startswith("_"):
        return "[]"
    if rule.options.expand1 and not rule.alias:
        assert count == 1, f"?{rule.origin.name} stands for {count} children: name them"
        return ""
    return str(rule.alias or rule.options.template_source or rule.origin.name)


def tables_text() -> str:
    """Return the text that tables.json should have."""
    return json.dumps(compile_tables(grammar_text()), separators=(",", ":")) + "\n"


if __name__ == "__main__":
    Path(TABLES_FILE).write_text(tables_text(), encoding="utf-8")
