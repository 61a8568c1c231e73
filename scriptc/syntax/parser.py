"""The LR loop over the tables of the grammar, and the entry points of the syntax stage.

Lark makes the tables, this loop runs them: it keeps exact spans, remembers chains of reductions
that build nothing (fifteen for each atom, along the ladder of precedence), and never recurses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple, cast

from scriptc.syntax import builders, explain
from scriptc.syntax import nodes as n
from scriptc.syntax.lexer import tokenize, tokenize_expression
from scriptc.syntax.table_format import RuleData, TablesData
from scriptc.syntax.tables import Rows, load_tables
from scriptc.syntax.tokens import END, SyntaxProblem, Token
from scriptc_runtime.errors import Source

# The stages after this one recurse, with Python's limit of 1000 frames. They take an `elif` chain,
# and the left operands of operators, by a loop.
MAX_DEPTH = 200

# The values on the stack are tokens, nodes and parts of nodes, as the actions say.
_Gather = Callable[[list[Any]], Any]


class _Rule(NamedTuple):
    column: str
    size: int
    is_unit: bool  # one child, which stands for the whole
    gather: _Gather  # the children an action gets; the value itself where there is no action
    action: builders.Action | None


class _Rules(dict[int, _Rule]):
    """The rules by number, each made when it is used first: a program uses one in ten."""

    def __init__(self, data: Sequence[RuleData]) -> None:
        super().__init__()
        self._data = data

    def __missing__(self, number: int) -> _Rule:
        rule = self[number] = _rule(RuleData(*self._data[number]))
        return rule


class Parser:
    """The tables, ready for use."""

    def __init__(self, tables: TablesData) -> None:
        self._starts = tables["starts"]
        steps, gotos = zip(*tables["states"], strict=True)
        self._steps = Rows(tables["step_rows"], steps)
        self._gotos = Rows(tables["goto_rows"], gotos)
        self._rules = _Rules(tables["rules"])
        # (state, column, look-ahead) -> the state that `_goto` found.
        self._after: dict[tuple[int, str, str], int] = {}

    def run(self, tokens: Sequence[Token], start: str) -> object:
        """Return what the rule `start` builds of the tokens."""
        state, end_state = self._starts[start]
        states, stack = [state], _Stack()
        steps, rules, known, reduce = self._steps, self._rules, self._after, stack.reduce
        for token in tokens:
            kind = token[0]
            step = steps[state].get(kind)
            while step is None or step < 0:
                if step is None:
                    step = steps[state].get("")
                    if step is None:
                        raise _unexpected(token)
                column, size, is_unit, gather, action = rules[~step]
                if size:
                    del states[-size:]
                if not is_unit:
                    reduce(size, gather, action, token)
                key = (states[-1], column, kind)
                state = known.get(key) or self._goto(*key)
                states.append(state)
                if state == end_state and kind == END:
                    return stack.values[-1]
                step = steps[state].get(kind)
            state = step
            states.append(state)
            stack.shift(token)
        raise AssertionError("the tokens end with $END, which is accepted or refused")

    def _goto(self, state: int, column: str, kind: str) -> int:
        """Return the state after this reduction and all reductions by unit rules that follow."""
        after = self._gotos[state][column]
        while rule := self._unit_rule(after, kind):
            after = self._gotos[state][rule.column]
        self._after[state, column, kind] = after
        return after

    def _unit_rule(self, state: int, kind: str) -> _Rule | None:
        row = self._steps[state]
        step = row.get(kind, row.get("", 0))
        rule = self._rules[~step] if step < 0 else None
        return rule if rule and rule.is_unit else None


class _Stack:
    """The values of the symbols read, where each begins, and how deep each is."""

    __slots__ = ("_depths", "_end", "_starts", "values")

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._starts: list[int] = []
        self._depths: list[int] = []
        self._end = 0  # of the last token

    def shift(self, token: Token) -> None:
        self.values.append(token)
        self._starts.append(token.lo)
        self._depths.append(0)
        self._end = token.hi

    def reduce(
        self, size: int, gather: _Gather, action: builders.Action | None, following: Token
    ) -> None:
        values, starts, depths = self.values, self._starts, self._depths
        if size:
            children = values[-size:]
            lo, hi = starts[-size], self._end
        else:
            children = []
            lo = hi = following.lo
            values.append(None)
            starts.append(lo)
            depths.append(0)
        inner = depths[-size:]
        if size > 1:
            depths[-size] = max(inner)
            del values[1 - size :], starts[1 - size :], depths[1 - size :]
        value = gather(children)
        if action is not None:
            value = action(lo, hi, *value)
            if isinstance(value, n.Node):
                if isinstance(value, n.If) and value.orelse and children[-1] == [value.orelse[0]]:
                    depths[-1] = max(*inner[:-1], inner[-1] - 1)
                elif isinstance(value, n.BinOp) and isinstance(value.left, n.BinOp):
                    depths[-1] = max(inner[0] - 1, *inner[1:])
                depths[-1] += 1
                if depths[-1] > MAX_DEPTH:
                    message = f"nested more than {MAX_DEPTH} levels deep"
                    raise SyntaxProblem(message, lo, hi, is_limit=True)
        values[-1] = value


def _rule(data: RuleData) -> _Rule:
    if data.name == "":
        (index,) = data.take
        assert index is not None
        return _Rule(data.column, data.size, data.size == 1, itemgetter(index), None)
    if data.name == "[]":
        return _Rule(data.column, data.size, False, _list_gather(data), None)
    return _Rule(data.column, data.size, False, _gather(data), builders.ACTIONS[data.name])


def _gather(data: RuleData) -> _Gather:
    take = data.take
    if data.splice:
        return _list_gather(data)
    first = take[0] if take and take[0] is not None else 0
    if take == list(range(first, first + len(take))):
        return itemgetter(slice(first, first + len(take)))
    if len(take) == 1:  # [None]: itemgetter of one index gives no sequence
        return lambda children: take
    pick = itemgetter(*(-1 if index is None else index for index in take))
    return lambda children: pick([*children, None])


def _list_gather(data: RuleData) -> _Gather:
    first = (data.take[:1] or [0])[0] or 0
    grows = 0 in data.splice
    rest = [(index, place in data.splice) for place, index in enumerate(data.take)][grows:]

    def gather(children: list[Any]) -> list[Any]:
        # A list on the stack has one owner: growing it in place keeps long lists linear.
        result: list[Any] = children[first] if grows else []
        for index, is_list in rest:
            if index is None:
                result.append(None)
            elif is_list:
                result.extend(children[index])
            else:
                result.append(children[index])
        return result

    return gather


def _unexpected(token: Token) -> SyntaxProblem:
    if token.kind == "_INDENT":
        return SyntaxProblem("unexpected indent", token.lo, token.lo + 1)
    if token.kind in ("_NEWLINE", "_DEDENT", END):
        return SyntaxProblem("invalid syntax: the line ends too early", token.lo, token.lo + 1)
    return SyntaxProblem("invalid syntax", token.lo, token.hi)


# ------------------------------------------------------------------------------ entry points


@cache
def _parser() -> Parser:
    return Parser(load_tables())


def parse_module(source: Source) -> n.Module:
    """Parse a whole file; raise ParseError."""
    return cast(n.Module, parse_tokens(source, tokenize(source), "file_input"))


def parse_expression(source: Source) -> n.Expression:
    """Parse one expression; raise ParseError."""
    return cast(n.Expression, parse_tokens(source, tokenize_expression(source), "eval_input"))


def parse_tokens(source: Source, tokens: Sequence[Token], start: str) -> object:
    """Return what the rule `start` builds of the tokens; raise ParseError."""
    try:
        return _parser().run(tokens, start)
    except SyntaxProblem as problem:
        raise explain.parse_error(source, problem) from None
