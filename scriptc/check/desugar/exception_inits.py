"""Constructors of classes of exceptions: what the built-in `__new__` does stands in their text.

    def __init__(self, a, b):           self.__exception__ = _exception_base_(a, b)
        self.a = a                =>    self.a = a

An `__init__` that calls that of a built-in base says itself which arguments the exception has.
"""

from types import FunctionType

from scriptc.check.context import Context
from scriptc.syntax import nodes as n
from scriptc_runtime.values import EXCEPTION_FIELD

BASE = "_exception_base_"


def says_arguments(node: n.FunctionDef, owner: str, base_does: bool) -> bool:
    """Whether a constructor says by itself, or by that of its base, which arguments there are."""
    return base_does and any(_sets_arguments(statement, owner) for statement in node.body)


def with_exception(node: n.FunctionDef, owner: str, base_does: bool) -> n.FunctionDef:
    """Return a constructor that makes the built-in exception which the object holds."""
    if says_arguments(node, owner, base_does):
        return node
    calls = [i for i, statement in enumerate(node.body) if _sets_arguments(statement, owner)]
    place = calls[-1] + 1 if calls else 0
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
        (*node.body[:place], first, *node.body[place:]),
        node.decorator_list,
        node.returns,
        node.type_params,
        node.is_async,
    )


def _taken_by(node: n.FunctionDef) -> int | None:
    """Return how many parameters become arguments of the exception; None where it says which."""
    for statement in node.body:
        match statement:
            case n.Assign(
                targets=(n.Attribute(attr=attr),), value=n.Call(func=n.Name(id=name), args=args)
            ) if (attr, name) == (EXCEPTION_FIELD, BASE):
                return None if any(isinstance(a, n.Starred) for a in args) else len(args)
            case _:
                pass
    return None


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


def require_all_given(context: Context, node: n.Call, init: FunctionType) -> None:
    """Refuse a call that tells an exception less than all parameters where these are its `args`."""
    given = _taken_by(context.syntax_of(init)[1])
    if given is None or (len(node.args) == given and not node.keywords):
        return
    context.fail(
        "exception-value",
        f"{init.__qualname__} is not given all that it takes, by position",
        node,
        why="it does not say which arguments the exception has, so these are what the call gives",
        instead="call super().__init__(...) in it",
    )
