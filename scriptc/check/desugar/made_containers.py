"""Containers that calls and displays with stars make: they are checked as loops."""

from collections.abc import Sequence
from types import FunctionType
from typing import is_typeddict

from scriptc.check.bindings import KeptKeywords, Static, Typed
from scriptc.check.container_classes import ITEMS, container_of, is_of_container
from scriptc.check.container_makers import is_from_keys, is_maker, is_of_collections
from scriptc.check.context import Context
from scriptc.check.desugar import made_collections
from scriptc.check.desugar.comprehensions import as_loops, is_lazy, is_loop_call
from scriptc.check.desugar.typed_containers import check_typed
from scriptc.check.members import find_member
from scriptc.syntax import expand as syntax_expand
from scriptc.syntax import made_containers
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.types import ClassType, Container, DictType, OptionalType, Type, UnionType
from scriptc_runtime.unions import members_of


def check_made(
    context: Context, node: n.Call, called: Static, expected: Type | None
) -> Typed | None:
    """Check a call of what makes a dict or a set; None for other calls."""
    callee = called.value
    if called.receiver is not None:
        return None
    if not is_maker(callee):
        return check_typed(context, node, callee, expected)
    if is_from_keys(callee):
        return _from_keys(context, node, expected)
    if callee is dict or is_typeddict(callee):
        return _dict(context, node, expected)
    if is_of_collections(callee):
        return made_collections.check_collection(context, node, callee, expected, is_container)
    if len(node.args) > 1 or node.keywords:
        name = "frozenset" if callee is frozenset else "set"
        context.fail("call-arity", f"{name}() takes one iterable", node)

    def expand() -> Expansion:
        made = made_containers.set_of(node, lambda part: is_container(context, part))
        return made_containers.frozen(made) if callee is frozenset else made

    return as_loops(context, node, expand, expected)


def check_merged(context: Context, node: n.Dict, expected: Type | None) -> Typed:
    """Check `{**d, key: value}`."""

    def expand() -> Expansion:
        pairs = zip(node.keys, node.values, strict=True)
        values = tuple(v if k else as_mapping(context, v) for k, v in pairs)
        return made_containers.merged(n.Dict(node.lo, node.hi, node.keys, values))

    made = as_loops(context, node, expand, expected)
    pairs = zip(node.keys, node.values, strict=True)
    require_one_way(context, [value for key, value in pairs if key is None])
    return made


def check_united(context: Context, node: n.Set, expected: Type | None) -> Typed:
    """Check `{*xs, item}`."""
    return as_loops(
        context,
        node,
        lambda: made_containers.set_of(node, lambda part: is_container(context, part)),
        expected,
    )


def _dict(context: Context, node: n.Call, expected: Type | None) -> Typed:
    if len(node.args) > 1 or any(keyword.arg is None for keyword in node.keywords):
        context.fail("call-arity", "dict() takes one dict or iterable, and keywords", node)
    late = [k.value for k in node.keywords if node.args and not syntax_expand.is_simple(k.value)]
    if late:
        context.fail(
            "call-arity",
            "this value is computed before the items are taken",
            late[0],
            instead="put it into a variable before",
        )

    def expand() -> Expansion:
        args = tuple(as_mapping(context, arg) for arg in node.args)
        plain = n.Call(node.lo, node.hi, node.func, args, node.keywords)
        return made_containers.dict_of(plain, lambda part: is_container(context, part))

    value = as_loops(context, node, expand, expected)
    require_one_way(context, node.args)
    return value


def require_one_way(context: Context, sources: Sequence[n.Expression]) -> None:
    """Refuse what may be a dict or something else: each is taken in its own way.

    It may come out only after loops were made for one of them.
    """
    for source in sources:
        if type_ := context.facts.types.get(source):
            _refuse_dict_or_other(context, source, type_)


def _refuse_dict_or_other(context: Context, source: n.Expression, type_: Type) -> None:
    if isinstance(type_, UnionType | OptionalType) and any(
        isinstance(member, DictType) for member in members_of(type_)
    ):
        context.fail(
            "argument",
            f"what a dict is made of may be {type_}",
            source,
            instead="test with isinstance before",
        )


def as_mapping(context: Context, node: n.Expression) -> n.Expression:
    """Return the dict that Python makes of an object with `keys()`; other values stay.

    That is `{key: x[key] for key in x.keys()}`.
    """
    if is_lazy(context, node) or (isinstance(node, n.Call) and is_loop_call(context, node)):
        return node
    found = context.expression(node)
    if isinstance(found, Static):
        return node
    _refuse_dict_or_other(context, node, found.type)
    if not isinstance(found.type, ClassType):
        return node
    live = context.class_named(found.type.name).live
    if find_member(live, "keys") is None:
        return node
    if container_of(live) is dict and _has_dicts(live, "__iter__"):
        # Python takes what it holds, whatever `keys` and `__getitem__` of the class say.
        return n.Attribute(node.lo, node.hi, node, ITEMS)
    if not isinstance(node, n.Name):
        context.fail(
            "argument",
            "an object with keys() is computed where a dict is made of it",
            node,
            instead="put it into a variable before",
        )
    lo, hi = node.lo, node.hi
    key = n.Name(lo, hi, f"key@{lo}:{hi}")
    keys = n.Call(lo, hi, n.Attribute(lo, hi, node, "keys"), (), ())
    loop = n.comprehension(lo, hi, key, keys, (), False)
    return n.DictComp(lo, hi, key, n.Subscript(lo, hi, node, key), (loop,))


def _has_dicts(live: type, name: str) -> bool:
    """Whether a class has a method from `dict` itself."""
    member = find_member(live, name)
    method = member.value if member else None
    return isinstance(method, FunctionType) and is_of_container(method)


def _from_keys(context: Context, node: n.Call, expected: Type | None) -> Typed:
    if not 1 <= len(node.args) <= 2 or node.keywords:
        context.fail("call-arity", "dict.fromkeys() takes keys and a value", node)
    return as_loops(context, node, lambda: made_containers.from_keys(node), expected)


def is_container(context: Context, node: n.Expression) -> bool:
    """Whether an expression is a container that stands for itself, and no loop over one."""
    if is_lazy(context, node) or (isinstance(node, n.Call) and is_loop_call(context, node)):
        return False
    found = context.expression(node)
    if isinstance(found, Static):
        return isinstance(found.value, KeptKeywords)
    return isinstance(found.type, Container)
