"""What each rule for an expression builds; parameters are the children the rule keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from scriptc.syntax import nodes as n
from scriptc.syntax.literals import fstring_text, number_value, string_value
from scriptc.syntax.tokens import SyntaxProblem, Token

Arguments = tuple[n.Expressions, tuple[n.keyword, ...]]
# (kind, parameter, default): the kind is "" or the "*", "**", "/" it was written with.
Parameter = tuple[str, n.arg | None, n.Expression | None]

_CONSTANTS = {"None": None, "True": True, "False": False, "...": ...}
_NO_ARGUMENTS: Arguments = ((), ())


# ------------------------------------------------------------------------------------ atoms


def _name(lo: int, hi: int, name: Token) -> n.Name:
    return n.Name(lo, hi, name.text)


def _number(lo: int, hi: int, number: Token) -> n.Constant:
    return n.Constant(lo, hi, number_value(number), None)


def _const(lo: int, hi: int, word: Token) -> n.Constant:
    return n.Constant(lo, hi, _CONSTANTS[word.text], None)


def _paren(lo: int, hi: int, inner: n.Expression) -> n.Expression:
    if isinstance(inner, n.Starred):
        raise SyntaxProblem("cannot use starred expression here", inner.lo, inner.hi)
    return inner


def _as_item(lo: int, hi: int, value: n.Expression, target: n.Expression) -> n.AsItem:
    return n.AsItem(lo, hi, value, target)


def _tuple(lo: int, hi: int, *elts: n.Expression) -> n.Tuple:
    return n.Tuple(lo, hi, elts)


def _list(lo: int, hi: int, *elts: n.Expression) -> n.List:
    return n.List(lo, hi, elts)


def _set(lo: int, hi: int, *elts: n.Expression) -> n.Set:
    return n.Set(lo, hi, elts)


def _dict(lo: int, hi: int, *items: tuple[n.Expression | None, n.Expression]) -> n.Dict:
    return n.Dict(lo, hi, tuple(key for key, _ in items), tuple(value for _, value in items))


def _dict_pair(
    lo: int, hi: int, key: n.Expression, value: n.Expression
) -> tuple[n.Expression, n.Expression]:
    return key, value


def _dict_unpack(lo: int, hi: int, value: n.Expression) -> tuple[None, n.Expression]:
    return None, value


def _starred(lo: int, hi: int, value: n.Expression) -> n.Starred:
    return n.Starred(lo, hi, value)


# ---------------------------------------------------------------------------- comprehensions


def _genexp(lo: int, hi: int, elt: n.Expression, *clauses: n.comprehension) -> n.GeneratorExp:
    return n.GeneratorExp(lo, hi, elt, clauses)


def _list_comp(lo: int, hi: int, elt: n.Expression, *clauses: n.comprehension) -> n.ListComp:
    return n.ListComp(lo, hi, elt, clauses)


def _set_comp(lo: int, hi: int, elt: n.Expression, *clauses: n.comprehension) -> n.SetComp:
    return n.SetComp(lo, hi, elt, clauses)


def _dict_comp(
    lo: int, hi: int, key: n.Expression, value: n.Expression, *clauses: n.comprehension
) -> n.DictComp:
    return n.DictComp(lo, hi, key, value, clauses)


def _comp_for(
    lo: int, hi: int, target: n.Expression, iterable: n.Expression, *conditions: n.Expression
) -> n.comprehension:
    check_target(target)
    return n.comprehension(lo, hi, target, iterable, conditions, False)


def _comp_for_async(
    lo: int, hi: int, target: n.Expression, iterable: n.Expression, *conditions: n.Expression
) -> n.comprehension:
    check_target(target)
    return n.comprehension(lo, hi, target, iterable, conditions, True)


# --------------------------------------------------------------------------------- operators


def _binop(lo: int, hi: int, left: n.Expression, op: Token, right: n.Expression) -> n.BinOp:
    return n.BinOp(lo, hi, left, op.text, right)


def _unary(lo: int, hi: int, op: Token, operand: n.Expression) -> n.UnaryOp:
    return n.UnaryOp(lo, hi, op.text, operand)


def _not(lo: int, hi: int, operand: n.Expression) -> n.UnaryOp:
    return n.UnaryOp(lo, hi, "not", operand)


def _bool_or(lo: int, hi: int, *values: n.Expression) -> n.BoolOp:
    return n.BoolOp(lo, hi, "or", values)


def _bool_and(lo: int, hi: int, *values: n.Expression) -> n.BoolOp:
    return n.BoolOp(lo, hi, "and", values)


def _comp_op(lo: int, hi: int, *words: Token) -> str:
    return " ".join(word.text for word in words)


def _compare(lo: int, hi: int, *operands: n.Expression | str) -> n.Compare:
    values = tuple(item for item in operands if isinstance(item, n.Expression))
    ops = tuple(item for item in operands if isinstance(item, str))
    return n.Compare(lo, hi, values[0], ops, values[1:])


def _ternary(
    lo: int, hi: int, body: n.Expression, test: n.Expression, orelse: n.Expression
) -> n.IfExp:
    return n.IfExp(lo, hi, test, body, orelse)


def _walrus(lo: int, hi: int, name: Token, value: n.Expression) -> n.NamedExpr:
    return n.NamedExpr(lo, hi, n.Name(name.lo, name.hi, name.text), value)


def _await(lo: int, hi: int, value: n.Expression) -> n.Await:
    return n.Await(lo, hi, value)


def _yield_value(lo: int, hi: int, value: n.Expression | None) -> n.Yield:
    return n.Yield(lo, hi, value)


def _yield_from(lo: int, hi: int, value: n.Expression) -> n.YieldFrom:
    return n.YieldFrom(lo, hi, value)


# --------------------------------------------------------------------------------- primaries


def _attribute(lo: int, hi: int, value: n.Expression, name: Token) -> n.Attribute:
    return n.Attribute(lo, hi, value, name.text)


def _subscript(lo: int, hi: int, value: n.Expression, index: n.Expression) -> n.Subscript:
    if isinstance(index, n.Starred):  # a[*b] is a[(*b,)]
        index = n.Tuple(index.lo, index.hi, (index,))
    return n.Subscript(lo, hi, value, index)


def _slice(
    lo: int,
    hi: int,
    lower: n.Expression | None,
    upper: n.Expression | None,
    step: n.Expression | None,
) -> n.Slice:
    return n.Slice(lo, hi, lower, upper, step)


def _call(lo: int, hi: int, func: n.Expression, arguments: Arguments | None) -> n.Call:
    return n.Call(lo, hi, func, *(arguments or _NO_ARGUMENTS))


def _call_genexp(lo: int, hi: int, func: n.Expression, argument: n.GeneratorExp) -> n.Call:
    return n.Call(lo, hi, func, (argument,), ())


def _args(lo: int, hi: int, *items: n.Expression | n.keyword) -> Arguments:
    positional: list[n.Expression] = []
    keywords: list[n.keyword] = []
    unpacked = False
    for item in items:
        if isinstance(item, n.keyword):
            keywords.append(item)
            unpacked = unpacked or item.arg is None
        elif keywords and (unpacked or not isinstance(item, n.Starred)):
            raise SyntaxProblem("positional argument follows keyword argument", item.lo, item.hi)
        else:
            positional.append(item)
    return tuple(positional), tuple(keywords)


def _keyword_arg(lo: int, hi: int, name: Token, value: n.Expression) -> n.keyword:
    return n.keyword(lo, hi, name.text, value)


def _keyword_unpack(lo: int, hi: int, value: n.Expression) -> n.keyword:
    return n.keyword(lo, hi, None, value)


# -------------------------------------------------------------------------------- parameters


def _lambda(lo: int, hi: int, params: n.arguments | None, body: n.Expression) -> n.Lambda:
    return n.Lambda(lo, hi, params or no_parameters(lo), body)


def no_parameters(lo: int) -> n.arguments:
    """Return the empty parameter list."""
    return n.arguments(lo, lo, (), (), None, (), (), None, ())


def _param_name(lo: int, hi: int, name: Token, annotation: n.Expression | None = None) -> n.arg:
    return n.arg(lo, hi, name.text, annotation)


def _param(lo: int, hi: int, parameter: n.arg, default: n.Expression | None) -> Parameter:
    return "", parameter, default


def _param_var(lo: int, hi: int, name: Token, annotation: n.Expression | None = None) -> Parameter:
    return "*", n.arg(name.lo, hi, name.text, annotation), None


def _param_kw(lo: int, hi: int, name: Token, annotation: n.Expression | None = None) -> Parameter:
    return "**", n.arg(name.lo, hi, name.text, annotation), None


def _param_star(lo: int, hi: int) -> Parameter:
    return "*", None, None


def _param_slash(lo: int, hi: int) -> Parameter:
    return "/", None, None


def _params(lo: int, hi: int, *items: Parameter) -> n.arguments:
    kinds = [kind for kind, _, _ in items]
    message = _parameter_problem(kinds, items)
    if message:
        raise SyntaxProblem(message, lo, hi)
    slash = kinds.index("/") if "/" in kinds else 0
    star = kinds.index("*") if "*" in kinds else len(kinds) - kinds.count("**")
    plain = items[:star]
    keyword_only = [item for item in items[star:] if item[0] == ""]
    return n.arguments(
        lo,
        hi,
        _parameters(items[:slash]),
        _parameters(item for item in items[slash:star] if item[0] == ""),
        next((parameter for kind, parameter, _ in items if kind == "*"), None),
        _parameters(keyword_only),
        tuple(default for _, _, default in keyword_only),
        next((parameter for kind, parameter, _ in items if kind == "**"), None),
        tuple(default for _, _, default in plain if default is not None),
    )


def _parameters(items: Iterable[Parameter]) -> tuple[n.arg, ...]:
    return tuple(parameter for _, parameter, _ in items if parameter is not None)


def _parameter_problem(kinds: Sequence[str], items: Sequence[Parameter]) -> str:
    if "**" in kinds[:-1]:
        return "arguments cannot follow var-keyword argument"
    if kinds.count("*") > 1:
        return "* argument may appear only once"
    if "*" in kinds:
        star = kinds.index("*")
        if items[star][1] is None and kinds[star + 1 : star + 2] != [""]:
            return "named arguments must follow bare *"
        kinds, items = kinds[:star], (*items[:star], *items[star + 1 :])
        if "/" in [kind for kind, _, _ in items[star:]]:
            return "/ must be ahead of *"
    if kinds.count("/") > 1 or kinds[:1] == ["/"]:
        return "/ must come once, after a parameter"
    defaults = [default is not None for kind, _, default in items[: len(kinds)] if kind == ""]
    if sorted(defaults) != defaults:
        return "non-default argument follows default argument"
    return ""


# ----------------------------------------------------------------------------------- strings


def _strings(lo: int, hi: int, *parts: Token | n.JoinedStr | n.TemplateStr) -> n.Expression:
    values: list[n.Expression] = []
    for part in parts:
        if isinstance(part, Token):
            values.append(n.Constant(part.lo, part.hi, string_value(part), None))
        else:
            values += part.values
    kind = "u" if isinstance(parts[0], Token) and parts[0].text[0] == "u" else None
    merged = _merged(values, kind)
    if any(isinstance(part, n.TemplateStr) for part in parts):
        return n.TemplateStr(lo, hi, _not_empty(merged))
    if any(isinstance(part, n.JoinedStr) for part in parts):
        return n.JoinedStr(lo, hi, _not_empty(merged))
    first = merged[0]
    assert isinstance(first, n.Constant)
    return n.Constant(lo, hi, first.value, kind)


def _not_empty(values: Sequence[n.Expression]) -> n.Expressions:
    return tuple(v for v in values if not isinstance(v, n.Constant) or v.value != "")


def _merged(values: Sequence[n.Expression], kind: str | None = None) -> list[n.Expression]:
    """Join neighbouring texts."""
    merged: list[n.Expression] = []
    for value in values:
        last = merged[-1] if merged else None
        if not isinstance(value, n.Constant):
            merged.append(value)
        elif isinstance(last, n.Constant):
            text = _joined(last, value)
            merged[-1] = n.Constant(last.lo, value.hi, text, last.kind)
        else:
            merged.append(n.Constant(value.lo, value.hi, value.value, None if merged else kind))
    return merged


def _joined(left: n.Constant, right: n.Constant) -> str | bytes:
    if isinstance(left.value, str) and isinstance(right.value, str):
        return left.value + right.value
    if isinstance(left.value, bytes) and isinstance(right.value, bytes):
        return left.value + right.value
    raise SyntaxProblem("cannot mix bytes and nonbytes literals", left.lo, right.hi)


def _fstring(
    lo: int, hi: int, start: Token, *parts: Token | tuple[n.Expression, ...]
) -> n.JoinedStr | n.TemplateStr:
    prefix = start.text.rstrip("\"'").lower()
    values: list[n.Expression] = []
    for part in parts[:-1]:  # the last one is the closing quotes
        if isinstance(part, Token):
            text = fstring_text(part, raw="r" in prefix)
            values.append(n.Constant(part.lo, part.hi, text, None))
        else:
            values += part
    make = n.TemplateStr if "t" in prefix else n.JoinedStr
    return make(lo, hi, tuple(values))


def _field(
    lo: int,
    hi: int,
    opening: Token,
    value: n.Expression,
    equal: Token | None,
    bang: Token | None,
    conversion: Token | None,
    colon: Token | None,
    spec: n.JoinedStr | None,
    closing: Token,
) -> n.Expressions:
    """Return the field and, before it, the text that `=` prints."""
    code = ord(conversion.text[0]) if conversion else -1
    if conversion and conversion.text not in ("s", "r", "a"):
        message = "f-string: invalid conversion character: expected 's', 'r', or 'a'"
        raise SyntaxProblem(message, conversion.lo, conversion.hi)
    if equal is None:
        return (n.FormattedValue(lo, hi, value, code, spec),)
    if conversion is None and spec is None:
        code = ord("r")
    text = n.Constant(opening.hi, opening.hi, equal.text, None)
    return (text, n.FormattedValue(lo, hi, value, code, spec))


def _fspec(lo: int, hi: int, *parts: Token | n.Expressions) -> n.JoinedStr:
    values: list[n.Expression] = []
    for part in parts:
        if isinstance(part, Token):
            text = fstring_text(part, raw=False)
            values.append(n.Constant(part.lo, part.hi, text, None))
        else:
            values += part
    return n.JoinedStr(lo, hi, tuple(_merged(values)))


# ----------------------------------------------------------------------------------- targets


def check_target(target: n.Expression, *, single: bool = False) -> None:
    """Refuse what cannot be assigned to; with `single`, also the unpacking of several."""
    match target:
        case n.Name() | n.Attribute() | n.Subscript():
            return
        case n.Tuple() | n.List() if not single:
            for element in target.elts:
                check_target(element)
        case n.Starred() if not single:
            check_target(target.value)
        case _:
            raise SyntaxProblem("cannot assign to this expression", target.lo, target.hi)


EXPRESSIONS: Mapping[str, Callable[..., object]] = {
    "args": _args,
    "as_item": _as_item,
    "attribute": _attribute,
    "await_expr": _await,
    "binop": _binop,
    "bool_and": _bool_and,
    "bool_or": _bool_or,
    "call": _call,
    "call_genexp": _call_genexp,
    "comp_for": _comp_for,
    "comp_for_async": _comp_for_async,
    "comp_op": _comp_op,
    "compare": _compare,
    "const": _const,
    "dict_comp": _dict_comp,
    "dict_display": _dict,
    "dict_pair": _dict_pair,
    "dict_unpack": _dict_unpack,
    "field": _field,
    "fspec": _fspec,
    "fstring": _fstring,
    "genexp": _genexp,
    "keyword_arg": _keyword_arg,
    "keyword_unpack": _keyword_unpack,
    "lambda_expr": _lambda,
    "list_comp": _list_comp,
    "list_display": _list,
    "name": _name,
    "nfield": _field,
    "not_expr": _not,
    "number": _number,
    "param": _param,
    "param_kw": _param_kw,
    "param_name": _param_name,
    "param_slash": _param_slash,
    "param_star": _param_star,
    "param_var": _param_var,
    "params": _params,
    "paren": _paren,
    "set_comp": _set_comp,
    "set_display": _set,
    "slice": _slice,
    "starred": _starred,
    "strings": _strings,
    "subscript": _subscript,
    "ternary": _ternary,
    "tuple_bare": _tuple,
    "tuple_display": _tuple,
    "unary": _unary,
    "walrus": _walrus,
    "yield_from": _yield_from,
    "yield_value": _yield_value,
}
