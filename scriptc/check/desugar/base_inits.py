"""The `__init__` of a base that hands its object on becomes a part of what calls it.

    class Shape:                                class Circle(Shape):
        def __init__(self, name):                   def __init__(self, r):
            self.name = name                            name@ = "circle"
            shapes.append(self)                         self.name = name@
                                                        shapes.append(self)
    class Circle(Shape):                                self.r = r
        def __init__(self, r):
            super().__init__("circle")
            self.r = r

Elsewhere an object of the base is made for its fields: it would be that object that is handed on.
"""

from collections.abc import Callable, Iterator
from types import FunctionType

from scriptc.check.members import find_member
from scriptc.check.scopes import local_names, plain_function, walk
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import copied

# The whole `__init__` of a class that hands its object on; None for other classes.
WholeInit = Callable[[type], n.FunctionDef | None]


def with_base_init(live: type, node: n.FunctionDef, whole: WholeInit) -> n.FunctionDef:
    """Return an `__init__` with that of the base in it, where it calls one that hands on.

    What is not this plain stays, and is refused.
    """
    own = find_member(live, "__init__")
    base = own and find_member(live, "__init__", own.owner)
    init = base and whole(base.owner)
    if own is None or base is None or init is None or not _is_beside(own.value, base.value):
        return node
    body: list[n.Statement] = []
    for statement in node.body:
        call = _base_call(statement, node.args.args[0].arg, base.owner)
        given = call and _given(call, init)
        body += [statement] if given is None else _part(statement, node, init, given)
    fields = {name: getattr(node, name) for name in n.field_names(node)}
    fields["body"] = tuple(body)
    return n.FunctionDef(node.lo, node.hi, *fields.values())


def _is_beside(one: object, other: object) -> bool:
    """Whether names mean the same in two functions: they are in one module, and capture nothing."""
    functions = plain_function(one), plain_function(other)
    found = [f for f in functions if isinstance(f, FunctionType)]
    captured = {name for f in found for name in f.__code__.co_freevars}
    return (
        len(found) == 2
        and captured <= {"__class__"}
        and found[0].__globals__ is found[1].__globals__
    )


def _base_call(statement: n.Statement, owner: str, base: type) -> n.Call | None:
    """Return the call of the base's `__init__` that a statement is, without the object."""
    match statement:
        case n.Expr(value=n.Call(func=n.Attribute(value=of, attr="__init__")) as call):
            pass
        case _:
            return None
    match of, call.args:
        case n.Call(func=n.Name(id="super"), args=()), _:
            return call
        case n.Name(id=name), (n.Name(id=first), *rest) if (name, first) == (base.__name__, owner):
            return n.Call(call.lo, call.hi, call.func, tuple(rest), call.keywords)
        case _:
            return None


def _given(call: n.Call, init: n.FunctionDef) -> dict[str, n.Expression] | None:
    """Return what each parameter is given; None where a call or a definition is not plain."""
    args = init.args
    is_plain = not (args.vararg or args.kwarg or args.posonlyargs or args.kwonlyargs)
    leaves = (n.Return, n.FunctionDef, n.Nonlocal)
    if not is_plain or any(isinstance(part, leaves) or _is_super(part) for part in walk(init.body)):
        return None
    names = [parameter.arg for parameter in args.args][1:]
    if any(isinstance(a, n.Starred) for a in call.args) or len(call.args) > len(names):
        return None
    found = dict(zip(names, call.args, strict=False))  # in the order of evaluation
    for keyword in call.keywords:
        if keyword.arg not in names[len(call.args) :]:
            return None
        found[keyword.arg] = keyword.value
    last = names[len(names) - len(args.defaults) :]
    given = zip(last, args.defaults, strict=True)
    defaults = {name: default for name, default in given if name not in found}
    is_plain = all(isinstance(default, n.Constant) for default in defaults.values())
    found |= defaults
    return found if is_plain and len(found) == len(names) else None


def _is_super(node: n.Node) -> bool:
    return isinstance(node, n.Name) and node.id == "super"


def _part(
    statement: n.Statement, node: n.FunctionDef, init: n.FunctionDef, given: dict[str, n.Expression]
) -> Iterator[n.Statement]:
    """Yield the base's `__init__` as statements, whose variables have names of their own."""
    lo, hi = statement.lo, statement.hi
    own, *_ = init.args.args
    names = {name: f"{name}@{lo}" for name in local_names(init)}
    names[own.arg] = node.args.args[0].arg
    for name, value in given.items():
        yield n.Assign(lo, hi, (n.Name(lo, hi, names[name]),), value)
    yield from (copied(line, names, 0) for line in init.body)
