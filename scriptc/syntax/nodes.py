"""The syntax tree: frozen nodes with exact spans, one class for each construct of Python.

Names and fields are those of Python's `ast`, with these differences: `lo` and `hi` are character
offsets into the source; operators are strings ("+", "not in"); sequences are tuples; names have no
context; `async` and `except*` are flags; `TemplateStr` and `AsItem` are ours.

    module      = Module(stmt* body)
    stmt        = FunctionDef(name, arguments args, stmt* body, expr* decorator_list,
                              expr? returns, type_param* type_params, bool is_async)
                | ClassDef(name, expr* bases, keyword* keywords, stmt* body,
                           expr* decorator_list, type_param* type_params)
                | Return(expr? value) | Delete(expr* targets) | Assign(expr* targets, expr value)
                | AugAssign(expr target, op, expr value)
                | AnnAssign(expr target, expr annotation, expr? value, bool simple)
                | TypeAlias(expr name, type_param* type_params, expr value)
                | For(expr target, expr iter, stmt* body, stmt* orelse, bool is_async)
                | While(expr test, stmt* body, stmt* orelse)
                | If(expr test, stmt* body, stmt* orelse)
                | With(withitem* items, stmt* body, bool is_async)
                | Match(expr subject, match_case* cases) | Raise(expr? exc, expr? cause)
                | Try(stmt* body, ExceptHandler* handlers, stmt* orelse, stmt* finalbody,
                      bool is_star)
                | Assert(expr test, expr? msg) | Import(alias* names)
                | ImportFrom(module?, alias* names, int level) | Global(names) | Nonlocal(names)
                | Expr(expr value) | Pass | Break | Continue
    expr        = BoolOp(op, expr* values) | NamedExpr(Name target, expr value)
                | BinOp(expr left, op, expr right) | UnaryOp(op, expr operand)
                | Lambda(arguments args, expr body) | IfExp(expr test, expr body, expr orelse)
                | Dict(expr?* keys, expr* values) | Set(expr* elts)
                | ListComp, SetComp, GeneratorExp(expr elt, comprehension* generators)
                | DictComp(expr key, expr value, comprehension* generators)
                | Await(expr value) | Yield(expr? value) | YieldFrom(expr value)
                | Compare(expr left, ops, expr* comparators)
                | Call(expr func, expr* args, keyword* keywords)
                | FormattedValue(expr value, int conversion, JoinedStr? format_spec)
                | JoinedStr(expr* values) | TemplateStr(expr* values) | Constant(value, kind?)
                | Attribute(expr value, attr) | Subscript(expr value, expr slice)
                | Starred(expr value) | Name(id) | List(expr* elts) | Tuple(expr* elts)
                | Slice(expr? lower, expr? upper, expr? step) | AsItem(expr value, expr target)
    pattern     = MatchValue(expr value) | MatchSingleton(value) | MatchSequence(pattern* patterns)
                | MatchMapping(expr* keys, pattern* patterns, rest?)
                | MatchClass(expr cls, pattern* patterns, kwd_attrs, pattern* kwd_patterns)
                | MatchStar(name?) | MatchAs(pattern? pattern, name?) | MatchOr(pattern* patterns)
    type_param  = TypeVar(name, expr? bound, expr? default_value)
                | TypeVarTuple(name, expr? default_value) | ParamSpec(name, expr? default_value)
    others      = arguments, arg, keyword, alias, withitem, match_case, comprehension, ExceptHandler
"""

from __future__ import annotations

# The tree grammar above documents every class; fields keep its order.
# ruff: noqa: D101, RUF023
from collections.abc import Iterator
from types import EllipsisType
from typing import cast, dataclass_transform

ConstantValue = None | bool | int | float | complex | str | bytes | EllipsisType


@dataclass_transform(frozen_default=True)
class _Record:
    """The one constructor: a frozen dataclass takes 0.35 ms to define and four times to make."""

    __slots__ = ("hi", "inside", "lo")

    def __init__(self, lo: int, hi: int, *fields: object) -> None:
        self.lo = lo
        self.hi = hi
        for name, value in zip(self.__slots__, fields, strict=True):
            setattr(self, name, value)


class Node(_Record):
    """The characters `lo:hi` of the source, parentheses around an expression not included."""

    __slots__ = ()
    lo: int
    hi: int

    def __repr__(self) -> str:
        """Return the class and the fields, for debuggers; `show.py` writes whole trees."""
        fields = "".join(f", {name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({self.lo}, {self.hi}{fields})"


def field_names(node: Node) -> tuple[str, ...]:
    """Return the names of the fields, in the order of the tree grammar."""
    return node.__slots__


_INSIDE = "inside"  # no field, so that no constructor takes it


def children(node: Node) -> Iterator[Node]:
    """Return the nodes that are fields of `node`, in the order of the fields."""
    kept: tuple[Node, ...] | None = getattr(node, _INSIDE, None)
    if kept is not None:
        return iter(kept)
    found: list[Node] = []
    for name in node.__slots__:
        value: object = getattr(node, name)
        if isinstance(value, Node):
            found.append(value)
        elif isinstance(value, tuple):
            found += [i for i in cast(tuple[object, ...], value) if isinstance(i, Node)]
    setattr(node, _INSIDE, tuple(found))
    return iter(found)


class Statement(Node):
    __slots__ = ()


class Expression(Node):
    __slots__ = ()


class Pattern(Node):
    __slots__ = ()


class TypeParameter(Node):
    __slots__ = ()


Body = tuple[Statement, ...]
Expressions = tuple[Expression, ...]


# expressions --------------------------------------------------------------------------------------


class BoolOp(Expression):
    __slots__ = ("op", "values")
    op: str
    values: Expressions


class BinOp(Expression):
    __slots__ = ("left", "op", "right")
    left: Expression
    op: str
    right: Expression

    def chain(self) -> list[BinOp]:
        """Return the operator and those of its left operands: a long sum nests on the left."""
        found: list[BinOp] = [self]
        while isinstance(left := found[-1].left, BinOp):
            found.append(left)
        return found


class UnaryOp(Expression):
    __slots__ = ("op", "operand")
    op: str
    operand: Expression


class Compare(Expression):
    __slots__ = ("left", "ops", "comparators")
    left: Expression
    ops: tuple[str, ...]
    comparators: Expressions


class IfExp(Expression):
    __slots__ = ("test", "body", "orelse")
    test: Expression
    body: Expression
    orelse: Expression


class Constant(Expression):
    __slots__ = ("value", "kind")
    value: ConstantValue
    kind: str | None


class Name(Expression):
    __slots__ = ("id",)
    id: str


class NamedExpr(Expression):
    __slots__ = ("target", "value")
    target: Name
    value: Expression


class Attribute(Expression):
    __slots__ = ("value", "attr")
    value: Expression
    attr: str


class Subscript(Expression):
    __slots__ = ("value", "slice")
    value: Expression
    slice: Expression


class Slice(Expression):
    __slots__ = ("lower", "upper", "step")
    lower: Expression | None
    upper: Expression | None
    step: Expression | None


class Starred(Expression):
    __slots__ = ("value",)
    value: Expression


class List(Expression):
    __slots__ = ("elts",)
    elts: Expressions


class Tuple(Expression):
    __slots__ = ("elts",)
    elts: Expressions


class Set(Expression):
    __slots__ = ("elts",)
    elts: Expressions


class Dict(Expression):
    __slots__ = ("keys", "values")
    keys: tuple[Expression | None, ...]
    values: Expressions


class keyword(Node):
    __slots__ = ("arg", "value")
    arg: str | None
    value: Expression


class Call(Expression):
    __slots__ = ("func", "args", "keywords")
    func: Expression
    args: Expressions
    keywords: tuple[keyword, ...]


class JoinedStr(Expression):
    __slots__ = ("values",)
    values: Expressions


class TemplateStr(Expression):
    __slots__ = ("values",)
    values: Expressions


class FormattedValue(Expression):
    __slots__ = ("value", "conversion", "format_spec")
    value: Expression
    conversion: int
    format_spec: JoinedStr | None


class arg(Node):
    __slots__ = ("arg", "annotation")
    arg: str
    annotation: Expression | None


class arguments(Node):
    __slots__ = ("posonlyargs", "args", "vararg", "kwonlyargs", "kw_defaults", "kwarg", "defaults")
    posonlyargs: tuple[arg, ...]
    args: tuple[arg, ...]
    vararg: arg | None
    kwonlyargs: tuple[arg, ...]
    kw_defaults: tuple[Expression | None, ...]
    kwarg: arg | None
    defaults: Expressions


class Lambda(Expression):
    __slots__ = ("args", "body")
    args: arguments
    body: Expression


class comprehension(Node):
    __slots__ = ("target", "iter", "ifs", "is_async")
    target: Expression
    iter: Expression
    ifs: Expressions
    is_async: bool


class ListComp(Expression):
    __slots__ = ("elt", "generators")
    elt: Expression
    generators: tuple[comprehension, ...]


class SetComp(Expression):
    __slots__ = ("elt", "generators")
    elt: Expression
    generators: tuple[comprehension, ...]


class GeneratorExp(Expression):
    __slots__ = ("elt", "generators")
    elt: Expression
    generators: tuple[comprehension, ...]


class DictComp(Expression):
    __slots__ = ("key", "value", "generators")
    key: Expression
    value: Expression
    generators: tuple[comprehension, ...]


class Await(Expression):
    __slots__ = ("value",)
    value: Expression


class Yield(Expression):
    __slots__ = ("value",)
    value: Expression | None


class YieldFrom(Expression):
    __slots__ = ("value",)
    value: Expression


class AsItem(Expression):
    __slots__ = ("value", "target")
    value: Expression
    target: Expression


# statements ---------------------------------------------------------------------------------------


class Module(Node):
    __slots__ = ("body",)
    body: Body


class FunctionDef(Statement):
    __slots__ = ("name", "args", "body", "decorator_list", "returns", "type_params", "is_async")
    name: str
    args: arguments
    body: Body
    decorator_list: Expressions
    returns: Expression | None
    type_params: tuple[TypeParameter, ...]
    is_async: bool


class ClassDef(Statement):
    __slots__ = ("name", "bases", "keywords", "body", "decorator_list", "type_params")
    name: str
    bases: Expressions
    keywords: tuple[keyword, ...]
    body: Body
    decorator_list: Expressions
    type_params: tuple[TypeParameter, ...]


class Return(Statement):
    __slots__ = ("value",)
    value: Expression | None


class Delete(Statement):
    __slots__ = ("targets",)
    targets: Expressions


class Assign(Statement):
    __slots__ = ("targets", "value")
    targets: Expressions
    value: Expression


class AugAssign(Statement):
    __slots__ = ("target", "op", "value")
    target: Expression
    op: str
    value: Expression


class AnnAssign(Statement):
    __slots__ = ("target", "annotation", "value", "simple")
    target: Expression
    annotation: Expression
    value: Expression | None
    simple: bool


class TypeAlias(Statement):
    __slots__ = ("name", "type_params", "value")
    name: Name
    type_params: tuple[TypeParameter, ...]
    value: Expression


class For(Statement):
    __slots__ = ("target", "iter", "body", "orelse", "is_async")
    target: Expression
    iter: Expression
    body: Body
    orelse: Body
    is_async: bool


class While(Statement):
    __slots__ = ("test", "body", "orelse")
    test: Expression
    body: Body
    orelse: Body


class If(Statement):
    __slots__ = ("test", "body", "orelse")
    test: Expression
    body: Body
    orelse: Body


class withitem(Node):
    __slots__ = ("context_expr", "optional_vars")
    context_expr: Expression
    optional_vars: Expression | None


class With(Statement):
    __slots__ = ("items", "body", "is_async")
    items: tuple[withitem, ...]
    body: Body
    is_async: bool


class Raise(Statement):
    __slots__ = ("exc", "cause")
    exc: Expression | None
    cause: Expression | None


class ExceptHandler(Node):
    __slots__ = ("type", "name", "body")
    type: Expression | None
    name: str | None
    body: Body


class Try(Statement):
    __slots__ = ("body", "handlers", "orelse", "finalbody", "is_star")
    body: Body
    handlers: tuple[ExceptHandler, ...]
    orelse: Body
    finalbody: Body
    is_star: bool


class Assert(Statement):
    __slots__ = ("test", "msg")
    test: Expression
    msg: Expression | None


class alias(Node):
    __slots__ = ("name", "asname")
    name: str
    asname: str | None


class Import(Statement):
    __slots__ = ("names",)
    names: tuple[alias, ...]


class ImportFrom(Statement):
    __slots__ = ("module", "names", "level")
    module: str | None
    names: tuple[alias, ...]
    level: int


class Global(Statement):
    __slots__ = ("names",)
    names: tuple[str, ...]


class Nonlocal(Statement):
    __slots__ = ("names",)
    names: tuple[str, ...]


class Expr(Statement):
    __slots__ = ("value",)
    value: Expression


class Pass(Statement):
    __slots__ = ()


class Break(Statement):
    __slots__ = ()


class Continue(Statement):
    __slots__ = ()


# match --------------------------------------------------------------------------------------------


class match_case(Node):
    __slots__ = ("pattern", "guard", "body")
    pattern: Pattern
    guard: Expression | None
    body: Body


class Match(Statement):
    __slots__ = ("subject", "cases")
    subject: Expression
    cases: tuple[match_case, ...]


class MatchValue(Pattern):
    __slots__ = ("value",)
    value: Expression


class MatchSingleton(Pattern):
    __slots__ = ("value",)
    value: bool | None


class MatchSequence(Pattern):
    __slots__ = ("patterns",)
    patterns: tuple[Pattern, ...]


class MatchMapping(Pattern):
    __slots__ = ("keys", "patterns", "rest")
    keys: Expressions
    patterns: tuple[Pattern, ...]
    rest: str | None


class MatchClass(Pattern):
    __slots__ = ("cls", "patterns", "kwd_attrs", "kwd_patterns")
    cls: Expression
    patterns: tuple[Pattern, ...]
    kwd_attrs: tuple[str, ...]
    kwd_patterns: tuple[Pattern, ...]


class MatchStar(Pattern):
    __slots__ = ("name",)
    name: str | None


class MatchAs(Pattern):
    __slots__ = ("pattern", "name")
    pattern: Pattern | None
    name: str | None


class MatchOr(Pattern):
    __slots__ = ("patterns",)
    patterns: tuple[Pattern, ...]


# type parameters ----------------------------------------------------------------------------------


class TypeVar(TypeParameter):
    __slots__ = ("name", "bound", "default_value")
    name: str
    bound: Expression | None
    default_value: Expression | None


class TypeVarTuple(TypeParameter):
    __slots__ = ("name", "default_value")
    name: str
    default_value: Expression | None


class ParamSpec(TypeParameter):
    __slots__ = ("name", "default_value")
    name: str
    default_value: Expression | None
