"""The grammar is unambiguous, its tables are fresh, and stock Lark accepts the same language."""

import io
import json
import logging
import random
import sysconfig
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from lark import Lark, logger
from lark.exceptions import LarkError
from lark.indenter import PythonIndenter

from scriptc.syntax.builders import ACTIONS
from scriptc.syntax.make_tables import tables_text
from scriptc.syntax.parser import parse_module
from scriptc.syntax.table_format import START_RULES, TABLES_FILE, grammar_text
from scriptc.syntax.tables import load_tables
from scriptc_runtime.errors import ParseError, Source

STDLIB = Path(sysconfig.get_path("stdlib"))


@contextmanager
def lark_log() -> Generator[io.StringIO]:
    log = io.StringIO()
    handler, level = logging.StreamHandler(log), logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        yield log
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def test_the_grammar_has_no_conflict() -> None:
    with lark_log() as log:
        Lark(grammar_text(), parser="lalr", start=list(START_RULES), debug=True)
    assert "conflict" not in log.getvalue().lower()


def test_lark_would_have_told_of_a_conflict() -> None:
    with lark_log() as log:
        Lark('start: e\n?e: e "+" e | "1"\n', parser="lalr", debug=True)
    assert "conflict" in log.getvalue().lower()


def test_the_saved_tables_are_those_of_the_grammar() -> None:
    saved = Path(TABLES_FILE).read_text(encoding="utf-8")
    assert json.loads(saved) == json.loads(tables_text()), (
        "run: python -m scriptc.syntax.make_tables"
    )


def test_every_rule_has_an_action_and_every_action_a_rule() -> None:
    names = {rule[2] for rule in load_tables()["rules"]}
    assert names - {"", "[]"} == ACTIONS.keys()


@pytest.fixture(scope="module")
def stock_lark() -> Lark:
    return Lark(
        grammar_text(),
        parser="lalr",
        lexer="contextual",
        postlex=PythonIndenter(),
        start="file_input",
        maybe_placeholders=True,
    )


def lark_accepts(lark: Lark, text: str) -> bool:
    try:
        cast(Any, lark).parse(text + "\n")  # Lark's types are partly unknown
    except LarkError:
        return False
    return True


def test_stock_lark_accepts_what_the_parser_accepts(stock_lark: Lark) -> None:
    files = sorted(path for path in STDLIB.glob("*.py") if path.stat().st_size < 12_000)
    for path in random.Random(2).sample(files, 12):
        text = path.read_text(encoding="utf-8")
        parse_module(Source(path.name, text))
        assert lark_accepts(stock_lark, text), path


@pytest.mark.parametrize(
    "text",
    ["x = = 1", "def f(:\n    pass", "x.if", "class def: pass", "(a", "f(x for x in y, 1)", "1 2"],
)
def test_stock_lark_refuses_what_the_parser_refuses(stock_lark: Lark, text: str) -> None:
    assert not lark_accepts(stock_lark, text)
    with pytest.raises(ParseError):
        parse_module(Source("text", text))
