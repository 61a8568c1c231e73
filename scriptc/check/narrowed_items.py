"""Items that a test has told the type of: they have it until something may be put there.

    if isinstance(a[k], dict) and isinstance(b[k], dict):
        out[k] = merge(a[k], b[k])

They are paths of the environment, `a.[].k`, as fields that were tested are: what assigns to `a` or
`k` forgets them, and so does all that may write to such a list or dict, which is any call that is
not known to read alone, or to write to one of another type. Where there is such a path, `[]` is
one, too.
"""

from collections.abc import Sequence
from types import FunctionType

from scriptc.check.bindings import Environment, Static, Typed, forget_paths
from scriptc.check.checked import Computation, Convert, Step
from scriptc.check.context import Context, Value
from scriptc.check.library.standard import is_standard
from scriptc.check.size_names import without_sizes
from scriptc.syntax import nodes as n
from scriptc_runtime.types import (
    DequeType,
    DictType,
    ListType,
    OptionalType,
    SetType,
    Type,
    UnionType,
    holds_class,
)

_ITEMS = frozenset({"[]"})
# What writes to no list or dict, whatever it is called on; the same of texts.
_OF_ANY = {"isinstance", "len", "str", "repr", "int", "float", "bool", "abs", "min", "max", "sum"}
# What writes to what it is called on, and to nothing else: it asks no object how it compares.
_OF_LISTS = frozenset({"append", "clear", "insert", "pop", "reverse"})
_OF_OTHERS = frozenset({"add", "append", "appendleft", "clear", "discard", "pop", "popleft"})
_READERS = frozenset({*_OF_ANY, "get", "keys", "values", "items", *dir(str)})


def narrow_item(context: Context, env: Environment, node: n.Subscript, type_: Type) -> None:
    """Note that the item read by `node` has a type on one side of a test."""
    path = _path(context, env, node)
    if path is not None:
        span = context.span(node)
        env[path] = env["[]"] = Typed(type_, span, is_path=True)


def as_narrowed(context: Context, node: n.Subscript, found: Static | Typed) -> Value:
    """Return an item that is read as what a test has told of it."""
    env = context.env
    if env is None or "[]" not in env or not isinstance(found, Typed):
        return found
    narrowed = env.get(_path(context, env, node) or "")
    step = context.facts.steps.get(node)
    if not isinstance(narrowed, Typed) or not isinstance(found.type, UnionType | OptionalType):
        return found
    if step is None or narrowed.type == found.type:
        return found
    context.facts.steps[node] = Step(step.parts, Convert(step.result, narrowed.type))
    context.facts.types[node] = narrowed.type
    return Typed(narrowed.type, found.span)


def forget_bound(context: Context, name: str) -> None:
    """Note that a variable has another value: what is known of fields and items by it is not."""
    env = context.env
    held = env.get(name) if env is not None else None
    # Objects alone have fields; items that are known may be those of any variable.
    has_fields = held is not None and not (isinstance(held, Typed) and not holds_class(held.type))
    if env is not None and ("[]" in env or has_fields):
        context.env = forget_paths(env, {name})


def paths_written(
    function: FunctionType,
    fields: frozenset[str] | None,
    arguments: Sequence[Computation],
    fixed: Sequence[tuple[str, object]],
) -> frozenset[str] | None:
    """Return what a call may write to, all for None: functions of the library also read items.

    Those that are given objects or functions call these: `max(xs, key=f)`, `repr(points)`.
    """
    if fields is None:
        return None
    calls = fixed or any(holds_class(argument.type) for argument in arguments)
    return fields if is_standard(function) and not calls else fields | _ITEMS


def forget_items(context: Context, written: Type | None = None) -> Environment | None:
    """Note that something may be put into lists and dicts; return what is known then.

    If it is put into one of the type `written`, which runs no code of the program, those of other
    types stay as they are.
    """
    env = context.env
    if env is None or "[]" not in env:
        return env
    if written is None or not isinstance(written, ListType | DictType | SetType | DequeType):
        context.env = forget_paths(env, _ITEMS)
        return context.env
    changed = {name for name in env if ".[]." in name and _may_be(env, name, written)}
    context.env = {name: held for name, held in env.items() if name not in changed}
    return context.env


def _may_be(env: Environment, path: str, written: Type) -> bool:
    """Whether what a path is an item of may be what is written to."""
    whole = env.get(path.partition(".")[0])
    if not isinstance(whole, Typed) or isinstance(whole.type, UnionType | OptionalType):
        return True
    # What does not say yet what it holds is another one: of the same one the same is known.
    return without_sizes(whole.type) == without_sizes(written)


def forget_after(context: Context, node: n.Call) -> None:
    """Note that a function was called, which may put something into lists.

    A function of the program with one of these names forgets by itself what it may write to.
    """
    func = node.func
    name = (
        func.id if isinstance(func, n.Name) else func.attr if isinstance(func, n.Attribute) else ""
    )
    if name not in _READERS:
        forget_items(context, _written_by(context, node))


def _written_by(context: Context, node: n.Call) -> Type | None:
    """Return the type of what alone a method writes to; None where it may run other code."""
    if not isinstance(node.func, n.Attribute) or node.keywords:
        return None
    type_, name = context.facts.types.get(node.func.value), node.func.attr
    if isinstance(type_, ListType):
        return type_ if name in _OF_LISTS else None
    if not isinstance(type_, DictType | SetType | DequeType) or holds_class(type_):
        return None
    return type_ if name in _OF_OTHERS else None


def _path(context: Context, env: Environment, node: n.Subscript) -> str | None:
    match node.value, node.slice:
        case n.Name(id=name), n.Name(id=key) if _is_plain(context, env, key):
            pass
        case n.Name(id=name), n.Constant(value=str() | int() as value):
            key = repr(value)
        case _:
            return None
    return f"{name}.[].{key}" if _is_plain(context, env, name) else None


def _is_plain(context: Context, env: Environment, name: str) -> bool:
    """Whether a variable is written to by this function alone."""
    in_cell = name in context.learned.cells or name in context.shared
    return name in context.locals and not in_cell and isinstance(env.get(name), Typed)
