"""What each rule for a statement builds; parameters are the children the rule keeps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from scriptc.syntax import nodes as n
from scriptc.syntax.build_expressions import Arguments, check_target, no_parameters
from scriptc.syntax.tokens import SyntaxProblem, Token

TypeParameters = tuple[n.TypeParameter, ...]


def _file_input(lo: int, hi: int, *body: n.Statement) -> n.Module:
    return n.Module(lo, hi, body)


def _block(lo: int, hi: int, *body: n.Statement) -> n.Body:
    return body


# ------------------------------------------------------------------------- simple statements


def _expr(lo: int, hi: int, value: n.Expression) -> n.Expr:
    return n.Expr(lo, hi, value)


def _assign(lo: int, hi: int, *parts: n.Expression) -> n.Assign:
    for target in parts[:-1]:
        check_target(target)
        if isinstance(target, n.Starred):
            message = "starred assignment target must be in a list or tuple"
            raise SyntaxProblem(message, target.lo, target.hi)
    return n.Assign(lo, hi, parts[:-1], parts[-1])


def _aug_assign(
    lo: int, hi: int, target: n.Expression, op: Token, value: n.Expression
) -> n.AugAssign:
    check_target(target, single=True)
    return n.AugAssign(lo, hi, target, op.text[:-1], value)


def _ann_assign(
    lo: int, hi: int, target: n.Expression, annotation: n.Expression, value: n.Expression | None
) -> n.AnnAssign:
    check_target(target, single=True)
    simple = isinstance(target, n.Name) and target.lo == lo  # no parentheses
    return n.AnnAssign(lo, hi, target, annotation, value, simple)


def _pass(lo: int, hi: int) -> n.Pass:
    return n.Pass(lo, hi)


def _break(lo: int, hi: int) -> n.Break:
    return n.Break(lo, hi)


def _continue(lo: int, hi: int) -> n.Continue:
    return n.Continue(lo, hi)


def _return(lo: int, hi: int, value: n.Expression | None) -> n.Return:
    return n.Return(lo, hi, value)


def _raise(lo: int, hi: int, exc: n.Expression | None, cause: n.Expression | None) -> n.Raise:
    return n.Raise(lo, hi, exc, cause)


def _assert(lo: int, hi: int, test: n.Expression, msg: n.Expression | None) -> n.Assert:
    return n.Assert(lo, hi, test, msg)


def _del(lo: int, hi: int, *targets: n.Expression) -> n.Delete:
    for target in targets:
        if isinstance(target, n.Starred):
            raise SyntaxProblem("cannot delete starred", target.lo, target.hi)
        check_target(target)
    return n.Delete(lo, hi, targets)


def _global(lo: int, hi: int, *names: Token) -> n.Global:
    return n.Global(lo, hi, tuple(name.text for name in names))


def _nonlocal(lo: int, hi: int, *names: Token) -> n.Nonlocal:
    return n.Nonlocal(lo, hi, tuple(name.text for name in names))


def _import(lo: int, hi: int, *names: n.alias) -> n.Import:
    return n.Import(lo, hi, names)


def _import_as(lo: int, hi: int, name: str, asname: Token | None) -> n.alias:
    return n.alias(lo, hi, name, asname.text if asname else None)


def _dotted_name(lo: int, hi: int, *names: Token) -> str:
    return ".".join(name.text for name in names)


def _import_path(lo: int, hi: int, *parts: Token | str) -> tuple[str | None, int]:
    module = next((part for part in parts if isinstance(part, str)), None)
    level = sum(len(part.text) for part in parts if not isinstance(part, str))
    return module, level


def _import_from(
    lo: int, hi: int, path: tuple[str | None, int], names: tuple[n.alias, ...]
) -> n.ImportFrom:
    module, level = path
    return n.ImportFrom(lo, hi, module, names, level)


def _import_star(lo: int, hi: int) -> tuple[n.alias, ...]:
    return (n.alias(lo, hi, "*", None),)


def _import_names(lo: int, hi: int, *names: n.alias) -> tuple[n.alias, ...]:
    return names


def _import_name(lo: int, hi: int, name: Token, asname: Token | None) -> n.alias:
    return n.alias(lo, hi, name.text, asname.text if asname else None)


def _type_alias(
    lo: int, hi: int, name: Token, type_params: TypeParameters | None, value: n.Expression
) -> n.TypeAlias:
    return n.TypeAlias(lo, hi, n.Name(name.lo, name.hi, name.text), type_params or (), value)


# ----------------------------------------------------------------------- compound statements


def _if(lo: int, hi: int, test: n.Expression, body: n.Body, orelse: n.If | n.Body = ()) -> n.If:
    # `elif` comes as a node, not as a body, so that the parser sees how deep a chain is.
    return n.If(lo, hi, test, body, (orelse,) if isinstance(orelse, n.If) else orelse)


def _else(lo: int, hi: int, body: n.Body) -> n.Body:
    return body


def _while(lo: int, hi: int, test: n.Expression, body: n.Body, orelse: n.Body | None) -> n.While:
    return n.While(lo, hi, test, body, orelse or ())


def _for(
    lo: int,
    hi: int,
    target: n.Expression,
    iterable: n.Expression,
    body: n.Body,
    orelse: n.Body | None,
) -> n.For:
    check_target(target)
    return n.For(lo, hi, target, iterable, body, orelse or (), False)


def _try_except(lo: int, hi: int, body: n.Body, *parts: n.ExceptHandler | n.Body | None) -> n.Try:
    return _try(lo, hi, body, parts, is_star=False)


def _try_star(lo: int, hi: int, body: n.Body, *parts: n.ExceptHandler | n.Body | None) -> n.Try:
    return _try(lo, hi, body, parts, is_star=True)


def _try(
    lo: int,
    hi: int,
    body: n.Body,
    parts: tuple[n.ExceptHandler | n.Body | None, ...],
    *,
    is_star: bool,
) -> n.Try:
    handlers = tuple(part for part in parts if isinstance(part, n.ExceptHandler))
    orelse, final = (part if isinstance(part, tuple) else () for part in parts[-2:])
    return n.Try(lo, hi, body, handlers, orelse, final, is_star)


def _try_finally(lo: int, hi: int, body: n.Body, final: n.Body) -> n.Try:
    return n.Try(lo, hi, body, (), (), final, False)


def _except_all(lo: int, hi: int, body: n.Body) -> n.ExceptHandler:
    return n.ExceptHandler(lo, hi, None, None, body)


def _except_some(
    lo: int, hi: int, types: n.Expression, name: Token | None, body: n.Body
) -> n.ExceptHandler:
    return n.ExceptHandler(lo, hi, types, name.text if name else None, body)


def _with(lo: int, hi: int, *parts: n.withitem | n.Body) -> n.With:
    items = [part for part in parts if isinstance(part, n.withitem)]
    body = parts[-1]
    assert isinstance(body, tuple)
    return n.With(lo, hi, tuple(_items_in_parentheses(items)), body, False)


def _items_in_parentheses(items: Sequence[n.withitem]) -> Sequence[n.withitem]:
    """Take `(a as b, c)`, which the grammar reads as a tuple, for the items that it is."""
    item = items[0]
    if len(items) > 1 or item.optional_vars is not None:
        return items
    match item.context_expr:
        case n.AsItem() as inner:
            return (_with_item(inner.lo, inner.hi, inner),)
        case n.Tuple(elts=elts) as inner if elts and (inner.lo, inner.hi) == (item.lo, item.hi):
            if any(isinstance(e, n.Starred | n.NamedExpr) for e in elts):
                return items
            return tuple(_with_item(e.lo, e.hi, e) for e in elts)
        case _:
            return items


def _with_item(
    lo: int, hi: int, value: n.Expression, target: n.Expression | None = None
) -> n.withitem:
    if isinstance(value, n.AsItem) and target is None and (value.lo, value.hi) == (lo, hi):
        value, target = value.value, value.target
    if target is not None:
        check_target(target)
    return n.withitem(lo, hi, value, target)


# -------------------------------------------------------------------------------- definitions


def _async(lo: int, hi: int, node: n.FunctionDef | n.For | n.With) -> n.Statement:
    match node:
        case n.FunctionDef():
            return _function(node, lo, is_async=True)
        case n.For():
            return n.For(lo, hi, node.target, node.iter, node.body, node.orelse, True)
        case n.With():
            return n.With(lo, hi, node.items, node.body, True)


def _function(
    node: n.FunctionDef, lo: int, *, decorators: n.Expressions = (), is_async: bool
) -> n.FunctionDef:
    return n.FunctionDef(
        lo,
        node.hi,
        node.name,
        node.args,
        node.body,
        decorators,
        node.returns,
        node.type_params,
        is_async,
    )


def _decorated(lo: int, hi: int, *parts: n.Node) -> n.Statement:
    decorators = tuple(part for part in parts[:-1] if isinstance(part, n.Expression))
    match parts[-1]:
        case n.FunctionDef() as node:
            return _function(node, node.lo, decorators=decorators, is_async=node.is_async)
        case n.ClassDef() as node:
            return n.ClassDef(
                node.lo,
                hi,
                node.name,
                node.bases,
                node.keywords,
                node.body,
                decorators,
                node.type_params,
            )
        case other:
            message = "a decorator stands before a function or a class"
            raise SyntaxProblem(message, other.lo, other.hi)


def _funcdef(
    lo: int,
    hi: int,
    name: Token,
    type_params: TypeParameters | None,
    params: n.arguments | None,
    returns: n.Expression | None,
    body: n.Body,
) -> n.FunctionDef:
    args = params or no_parameters(name.hi)
    return n.FunctionDef(lo, hi, name.text, args, body, (), returns, type_params or (), False)


def _classdef(
    lo: int,
    hi: int,
    name: Token,
    type_params: TypeParameters | None,
    arguments: Arguments | None,
    body: n.Body,
) -> n.ClassDef:
    bases, keywords = arguments or ((), ())
    return n.ClassDef(lo, hi, name.text, bases, keywords, body, (), type_params or ())


def _type_params(lo: int, hi: int, *params: n.TypeParameter) -> TypeParameters:
    return params


def _type_var(
    lo: int, hi: int, name: Token, bound: n.Expression | None, default: n.Expression | None
) -> n.TypeVar:
    return n.TypeVar(lo, hi, name.text, bound, default)


def _type_var_tuple(lo: int, hi: int, name: Token, default: n.Expression | None) -> n.TypeVarTuple:
    return n.TypeVarTuple(lo, hi, name.text, default)


def _param_spec(lo: int, hi: int, name: Token, default: n.Expression | None) -> n.ParamSpec:
    return n.ParamSpec(lo, hi, name.text, default)


def _only(lo: int, hi: int, node: n.Node) -> n.Node:
    return node


STATEMENTS: Mapping[str, Callable[..., object]] = {
    "ann_assign": _ann_assign,
    "assert_stmt": _assert,
    "assign": _assign,
    "async_stmt": _async,
    "aug_assign": _aug_assign,
    "block": _block,
    "break_stmt": _break,
    "classdef": _classdef,
    "continue_stmt": _continue,
    "decorated": _decorated,
    "del_stmt": _del,
    "dotted_name": _dotted_name,
    "elif_clause": _if,
    "else_clause": _else,
    "eval_input": _only,
    "except_all": _except_all,
    "except_some": _except_some,
    "expr_stmt": _expr,
    "file_input": _file_input,
    "finally_clause": _else,
    "for_stmt": _for,
    "func_input": _only,
    "funcdef": _funcdef,
    "global_stmt": _global,
    "if_stmt": _if,
    "import_as": _import_as,
    "import_from": _import_from,
    "import_name": _import_name,
    "import_names": _import_names,
    "import_path": _import_path,
    "import_star": _import_star,
    "import_stmt": _import,
    "nonlocal_stmt": _nonlocal,
    "param_spec": _param_spec,
    "pass_stmt": _pass,
    "raise_stmt": _raise,
    "return_stmt": _return,
    "try_except": _try_except,
    "try_finally": _try_finally,
    "try_star": _try_star,
    "type_alias": _type_alias,
    "type_params": _type_params,
    "type_var": _type_var,
    "type_var_tuple": _type_var_tuple,
    "while_stmt": _while,
    "with_item": _with_item,
    "with_stmt": _with,
}
