"""What each rule for `match` builds; parameters are the children the rule keeps."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scriptc.syntax import nodes as n
from scriptc.syntax.literals import number_value
from scriptc.syntax.tokens import SyntaxProblem, Token

# `name=pattern` in a class pattern.
_Keyword = tuple[str, n.Pattern]
# A pair of a mapping pattern, or the name after `**`.
_Item = tuple[n.Expression, n.Pattern] | str

_SINGLETONS = {"None": None, "True": True, "False": False}


def _match(lo: int, hi: int, subject: n.Expression, *cases: n.match_case) -> n.Match:
    return n.Match(lo, hi, subject, cases)


def _case_block(
    lo: int, hi: int, pattern: n.Pattern, guard: n.Expression | None, body: n.Body
) -> n.match_case:
    return n.match_case(lo, hi, pattern, guard, body)


def _binding(name: Token) -> str | None:
    return None if name.text == "_" else name.text


def _star(lo: int, hi: int, name: Token) -> n.MatchStar:
    return n.MatchStar(lo, hi, _binding(name))


def _as(lo: int, hi: int, pattern: n.Pattern, name: Token) -> n.MatchAs:
    return n.MatchAs(lo, hi, pattern, name.text)


def _or(lo: int, hi: int, *patterns: n.Pattern) -> n.MatchOr:
    return n.MatchOr(lo, hi, patterns)


def _capture(lo: int, hi: int, name: Token) -> n.MatchAs:
    return n.MatchAs(lo, hi, None, _binding(name))


def _singleton(lo: int, hi: int, word: Token) -> n.MatchSingleton:
    return n.MatchSingleton(lo, hi, _SINGLETONS[word.text])


def _value(lo: int, hi: int, value: n.Expression) -> n.MatchValue:
    return n.MatchValue(lo, hi, value)


def _sequence(lo: int, hi: int, *patterns: n.Pattern) -> n.MatchSequence:
    return n.MatchSequence(lo, hi, patterns)


def _mapping(lo: int, hi: int, *items: _Item) -> n.MatchMapping:
    pairs = [item for item in items if not isinstance(item, str)]
    rest = next((item for item in items if isinstance(item, str)), None)
    keys = tuple(key for key, _ in pairs)
    return n.MatchMapping(lo, hi, keys, tuple(pattern for _, pattern in pairs), rest)


def _map_pair(lo: int, hi: int, key: n.Expression, pattern: n.Pattern) -> _Item:
    return key, pattern


def _map_rest(lo: int, hi: int, name: Token) -> _Item:
    return name.text


def _class(
    lo: int,
    hi: int,
    cls: Token | n.Attribute,
    arguments: tuple[n.Pattern | _Keyword, ...] | None,
) -> n.MatchClass:
    arguments = arguments or ()
    positional = tuple(a for a in arguments if isinstance(a, n.Pattern))
    named = [a for a in arguments if not isinstance(a, n.Pattern)]
    names = tuple(name for name, _ in named)
    return n.MatchClass(lo, hi, _path(cls), positional, names, tuple(p for _, p in named))


def _pattern_args(
    lo: int, hi: int, *arguments: n.Pattern | _Keyword
) -> tuple[n.Pattern | _Keyword, ...]:
    return arguments


def _pattern_keyword(lo: int, hi: int, name: Token, pattern: n.Pattern) -> _Keyword:
    return name.text, pattern


def _attr_path(lo: int, hi: int, value: Token | n.Attribute, name: Token) -> n.Attribute:
    return n.Attribute(lo, hi, _path(value), name.text)


def _path(value: Token | n.Attribute) -> n.Expression:
    return n.Name(value.lo, value.hi, value.text) if isinstance(value, Token) else value


# ----------------------------------------------------------------------------------- numbers


def _number(token: Token) -> n.Constant:
    return n.Constant(token.lo, token.hi, number_value(token), None)


def _negative_number(lo: int, hi: int, minus: Token, number: Token) -> n.UnaryOp:
    return n.UnaryOp(lo, hi, "-", _number(number))


def _complex_number(lo: int, hi: int, real: Token, op: Token, imaginary: Token) -> n.BinOp:
    return n.BinOp(lo, hi, _real(real), op.text, _imaginary(imaginary))


def _real(token: Token) -> n.Constant:
    if isinstance(number_value(token), complex):
        raise SyntaxProblem("real number required in complex literal", token.lo, token.hi)
    return _number(token)


def _imaginary(token: Token) -> n.Constant:
    if not isinstance(number_value(token), complex):
        raise SyntaxProblem("imaginary number required in complex literal", token.lo, token.hi)
    return _number(token)


def _negative_complex_number(
    lo: int, hi: int, minus: Token, real: Token, op: Token, imaginary: Token
) -> n.BinOp:
    left = n.UnaryOp(lo, real.hi, "-", _real(real))
    return n.BinOp(lo, hi, left, op.text, _imaginary(imaginary))


PATTERNS: Mapping[str, Callable[..., object]] = {
    "attr_path": _attr_path,
    "case_block": _case_block,
    "complex_number": _complex_number,
    "map_pair": _map_pair,
    "map_rest": _map_rest,
    "match_as": _as,
    "match_capture": _capture,
    "match_class": _class,
    "match_mapping": _mapping,
    "match_or": _or,
    "match_sequence": _sequence,
    "match_singleton": _singleton,
    "match_star": _star,
    "match_stmt": _match,
    "match_value": _value,
    "negative_complex_number": _negative_complex_number,
    "negative_number": _negative_number,
    "pattern_args": _pattern_args,
    "pattern_keyword": _pattern_keyword,
}
