"""Constructors of classes of exceptions: what the built-in `__new__` does stands in their text.

    def __init__(self, a, b):           self.__exception__ = _exception_base_(a, b)
        self.a = a                =>    self.a = a

An `__init__` that calls that of a built-in base says itself which arguments the exception has.
"""

from scriptc.syntax import nodes as n
from scriptc_runtime.values import EXCEPTION_FIELD

BASE = "_exception_base_"


def with_exception(node: n.FunctionDef, owner: str) -> n.FunctionDef:
    """Return a constructor that makes the built-in exception which the object holds."""
    if any(_sets_arguments(statement, owner) for statement in node.body):
        return node
    args = node.args
    given: list[n.Expression] = [
        n.Name(a.lo, a.hi, a.arg) for a in (*args.posonlyargs, *args.args)[1:]
    ]
    if args.vararg:
        star = args.vararg
        given.append(n.Starred(star.lo, star.hi, n.Name(star.lo, star.hi, star.arg)))
    first = made_of(node.body[0], owner, tuple(given), ())
    return n.FunctionDef(
        node.lo,
        node.hi,
        node.name,
        args,
        (first, *node.body),
        node.decorator_list,
        node.returns,
        node.type_params,
        node.is_async,
    )


def made_of(
    at: n.Node, owner: str, given: tuple[n.Expression, ...], keywords: tuple[n.keyword, ...]
) -> n.Assign:
    """Return `self.__exception__ = Base(...)`."""
    lo, hi = at.lo, at.hi
    target = n.Attribute(lo, hi, n.Name(lo, hi, owner), EXCEPTION_FIELD)
    return n.Assign(lo, hi, (target,), n.Call(lo, hi, n.Name(lo, hi, BASE), given, keywords))


def _sets_arguments(statement: n.Statement, owner: str) -> bool:
    match statement:
        case n.Assign(targets=(n.Attribute(value=n.Name(id=name), attr=attr),)):
            return name == owner and attr == EXCEPTION_FIELD
        case n.Expr(value=n.Call(func=n.Attribute(value=base, attr="__init__"), args=args)):
            if isinstance(base, n.Call):
                return isinstance(base.func, n.Name) and base.func.id == "super"
            return bool(args) and isinstance(args[0], n.Name) and args[0].id == owner
        case _:
            return False
