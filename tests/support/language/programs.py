"""Random programs of Python's language: classes, functions, and calls of the last functions.

They have types by construction, and end: loops are bounded, a function calls those before it, and
one that calls itself counts down.
"""

from random import Random
from typing import NamedTuple

from tests.support.language.classes import write_classes
from tests.support.language.expressions import CHOICES
from tests.support.language.kinds import (
    BOOL,
    FLOAT,
    INT,
    SCALARS,
    STR,
    Declared,
    Function,
    Kind,
    Scope,
    random_kind,
    tuple_of,
)
from tests.support.language.statements import StatementWriter

_HEAD = """\
from __future__ import annotations

import contextlib
import enum
import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

"""
_ARGUMENTS = {
    INT: (0, 1, -1, 3, 7, -20, 2**31, 2**62, -(2**63)),
    FLOAT: (0.0, -0.0, 1.5, -2.25, 1e300, float("inf"), float("nan")),
    BOOL: (True, False),
    STR: ("", "a", "abc", "Hello, World", "é b", "12"),
}


class LanguageProgram(NamedTuple):
    """The text of a module, whose `CALLS` are names of functions with arguments."""

    seed: int
    text: str


def draw_program(seed: int) -> LanguageProgram:
    """Return the program of a seed."""
    random = Random(seed)
    declared = Declared()
    writer = StatementWriter(random, declared, CHOICES)
    parts = write_classes(writer)
    for _ in range(random.randint(0, 2)):
        parts.append(_helper(writer))
    calls: list[str] = []
    for number in range(random.randint(1, 2)):
        text, parameters = _entry(writer, f"entry{number}")
        parts.append(text)
        for _ in range(3):
            drawn = tuple(random.choice(_ARGUMENTS[kind]) for _, kind in parameters)
            calls.append(f'    ("entry{number}", {_source(drawn)}),')
    body = "\n\n".join(parts)
    return LanguageProgram(seed, f"{_HEAD}\n{body}\n\nCALLS = [\n" + "\n".join(calls) + "\n]\n")


def _source(values: tuple[object, ...]) -> str:
    texts = [f'float("{v}")' if str(v) in ("inf", "nan") else repr(v) for v in values]
    return f"({', '.join(texts)},)" if texts else "()"


def _helper(w: StatementWriter) -> str:
    form = w.random.choice((_plain, _plain, _recursive, _generator))
    return form(w, w.name("helper"))


def _head(name: str, parameters: list[tuple[str, Kind]], result: str, defaults: int = 0) -> str:
    first = len(parameters) - defaults
    values = {INT: "3", FLOAT: "0.5", BOOL: "True", STR: '"d"'}
    typed = [
        f"{n}: {k.annotation}" + (f" = {values[k]}" if i >= first else "")
        for i, (n, k) in enumerate(parameters)
    ]
    return f"def {name}({', '.join(typed)}) -> {result}:"


def _plain(w: StatementWriter, name: str) -> str:
    parameters = [(w.name("a"), random_kind(w.random, w.declared, 1)) for _ in range(2)]
    defaults = 0
    while defaults < 2 and parameters[1 - defaults][1] in SCALARS and w.chance(0.3):
        defaults += 1
    result = random_kind(w.random, w.declared)
    lines = body(w, dict(parameters), result, w.random.randint(1, 4))
    w.declared.functions.append(Function(name, tuple(parameters), result, defaults))
    return "\n".join([_head(name, parameters, result.annotation, defaults), *lines, ""])


def _recursive(w: StatementWriter, name: str) -> str:
    parameters = [("fuel", INT), (w.name("a"), random_kind(w.random, w.declared, 1))]
    result = w.random.choice((INT, STR, FLOAT))
    variables = dict(parameters)
    w.budget = 2
    w.scope = Scope(variables, fixed={"fuel"}, result=result)
    lines = ["    if fuel <= 0 or fuel > 6:", f"        return {w.expression(result)}"]
    lines += w.block(w.scope, 1)
    again = w.name("r")
    lines.append(f"    {again} = {name}(fuel - 1, {w.expression(parameters[1][1], 1)})")
    w.scope.variables[again] = result
    lines.append(f"    return {w.expression(result)}{'[:30]' if result == STR else ''}")
    w.declared.functions.append(Function(name, tuple(parameters), result))
    return "\n".join([_head(name, parameters, result.annotation), *lines, ""])


def _generator(w: StatementWriter, name: str) -> str:
    parameters = [(w.name("a"), random_kind(w.random, w.declared, 1))]
    item = random_kind(w.random, w.declared, 1)
    w.budget = 2
    w.scope = Scope(dict(parameters), result=item, is_generator=True, can_yield=True)
    lines = w.block(w.scope, w.random.randint(1, 3))
    lines.append(f"    yield {w.expression(item)}")
    w.declared.functions.append(Function(name, tuple(parameters), item, is_generator=True))
    return "\n".join([_head(name, parameters, f"Iterator[{item.annotation}]"), *lines, ""])


def body(w: StatementWriter, variables: dict[str, Kind], result: Kind, count: int) -> list[str]:
    """Return the statements of a function, and the `return` at its end."""
    w.budget = 6
    w.scope = Scope(variables, result=result)
    lines = [line for _ in range(count) for line in w.statement()]
    return [*lines, f"    return {w.expression(result)}"]


def _entry(w: StatementWriter, name: str) -> tuple[str, list[tuple[str, Kind]]]:
    parameters = [(w.name("a"), w.random.choice(SCALARS)) for _ in range(2)]
    result = tuple_of(*(_plain_kind(w) for _ in range(2)))
    w.budget = 24
    w.scope = Scope(dict(parameters), result=result)
    lines = [line for _ in range(w.random.randint(2, 6)) for line in w.statement()]
    lines.append(f"    return {w.expression(result)}")
    head = _head(name, parameters, result.annotation)
    return "\n".join([head, *lines, ""]), parameters


def _plain_kind(w: StatementWriter) -> Kind:
    """Draw a type that leaves a script."""
    kind = random_kind(w.random, Declared())
    return INT if kind.name == "function" else kind
