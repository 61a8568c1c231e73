"""Assignment to `x.shape`: a local array takes another shape, in place.

NumPy changes the array object, so whatever else stands for that object has the new shape as well.
A variable here has one type at one place, so the assignment binds the name to a view in the new
shape, which is the same thing as long as the object has no other name.  That is required of the
whole function, once its types are known:

- every value that the name is bound to is new: what an op makes, or a view; no parameter, no
  captured array, no item of a list, no result of another script, no second target of a chain;
- wherever the name is read the object is not handed on: it is an operand, is indexed, is an index,
  an attribute is read of it, it is iterated over, a function of the library takes it and gives
  something new, or it is returned, which ends its use here.
"""

from collections.abc import Iterator
from typing import NoReturn

from scriptc.check.bindings import Typed
from scriptc.check.checked import (
    After,
    Apply,
    Check,
    Computation,
    Convert,
    Invoke,
    Operand,
    Select,
    Step,
    Stored,
)
from scriptc.check.context import Context, operand
from scriptc.check.library.call import LibraryCall
from scriptc.check.library.standard import is_standard
from scriptc.check.scopes import parameter_names, target_names, walk
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import (
    arrays,
    data,
    elementary,
    elementwise,
    picking,
    reductions,
    reshaping,
)
from scriptc_runtime.types import INT, TensorType, TupleType

# Each of these makes a new array object, be it a view.
_MAKERS = frozenset(
    {
        *(*elementwise.OPS, *elementary.OPS, *arrays.OPS, *picking.OPS),
        *(*reductions.OPS, *reshaping.OPS),
    }
)
# What uses an array without keeping it; a function that returns it is done with it.
_USES = (
    *(n.BinOp, n.UnaryOp, n.Compare, n.Subscript, n.Slice, n.Attribute),
    *(n.AugAssign, n.Return, n.For),
)


def is_shape(context: Context, target: n.Attribute) -> bool:
    """Whether `target` is the shape of an array that a variable holds."""
    if target.attr != "shape" or not isinstance(target.value, n.Name):
        return False
    binding = (context.env or {}).get(target.value.id)
    return isinstance(binding, Typed) and isinstance(binding.type, TensorType)


def set_shape(context: Context, target: n.Attribute, value: Typed) -> None:
    """Check `name.shape = value`, and bind the name to the array in its new shape."""
    name = target.value
    assert isinstance(name, n.Name)
    array = context.typed(name)
    if name.id in context.learned.cells:
        _refuse(context, target, "the variable is assigned inside a `try`, or may be unset")
    call = LibraryCall(context, n.Call(target.lo, target.hi, target, (), ()), "shape")
    sizes = _sizes(call, target, value)
    known = value.known.value if value.known else None
    dims = (known,) if type(known) is int and known >= 0 else (None,) * len(sizes)
    result = context.apply(target, reshaping.SET_SHAPE, operand(name, array), *sizes, dims=dims)
    context.facts.reshaped[target] = Step((name,), result)
    context.shaped.append((target, name.id))
    context.assign(name, Typed(result.type, context.span(target)))


def _sizes(call: LibraryCall, target: n.Attribute, value: Typed) -> list[Computation]:
    stored = Stored(value.type)
    items: list[Computation] = [stored]
    if isinstance(value.type, TupleType):
        indices = range(len(value.type.items))
        items = [call.context.apply(target, data.ITEM, stored, index=i) for i in indices]
    for item in items:
        if item.type is not INT:
            call.refuse(f"a size must be int, not {item.type}", target, "convert it: int(x)")
    return items


def require_own(context: Context) -> None:
    """Refuse a shape that was set of an object that may have another name."""
    for target, name in context.shaped:
        _Names(context, target, name).check()


class _Names:
    """What a function does with one of its variables."""

    def __init__(self, context: Context, target: n.Node, name: str) -> None:
        self._context = context
        self._target = target
        self._name = name

    def check(self) -> None:
        definition = self._context.definition
        assert definition is not None
        if self._name in parameter_names(definition):
            self._refuse("it is an array of the caller's")
        waiting: list[tuple[n.Node, bool]] = [(s, False) for s in reversed(definition.body)]
        while waiting:
            waiting += reversed(list(self._inside(*waiting.pop())))
        for node in walk(definition.body):
            self._require_new(node)

    def _inside(self, node: n.Node, kept: bool) -> Iterator[tuple[n.Node, bool]]:
        """Refuse a place where the array may be kept; `kept` says so of the value of `node`.

        Yields the same of its parts.
        """
        match node:
            case n.Name(id=self._name) if kept:
                self._refuse("here the array may get another name", node)
            case n.Assign(targets=targets, value=value):
                yield from ((target, False) for target in targets)
                yield value, not all(map(self._takes_items, targets))
                return
            case n.AnnAssign(target=target, value=value):
                yield target, False
                if value is not None:
                    yield value, not self._takes_items(target)
                return
            case n.Tuple() | n.keyword():
                pass  # as what it is part of
            case n.Call():
                kept = not self._only_uses(node, result_is_kept=kept)
            case n.Expr():
                kept = False
            case _:
                kept = not isinstance(node, _USES)
        yield from ((child, kept) for child in n.children(node))

    def _takes_items(self, target: n.Expression) -> bool:
        """Whether a target takes what is in an array, not the array."""
        if isinstance(target, n.Subscript):
            return isinstance(self._context.facts.types.get(target.value), TensorType)
        return False

    def _only_uses(self, node: n.Call, *, result_is_kept: bool) -> bool:
        step = self._context.facts.steps.get(node)
        if step is None:
            return False
        match step.result:
            case Invoke(callee) if not is_standard(callee.function):
                return False
            case After(_, value) if not result_is_kept:
                return isinstance(value, Operand) or _is_new(value)
            case result:
                return _is_new(result)

    def _require_new(self, node: n.Node) -> None:
        match node:
            case n.Assign(targets=targets, value=value):
                if not any(self._name in target_names(target) for target in targets):
                    return
                if len(targets) > 1:
                    self._refuse("here two names get one array", node)
                whole = tuple((target, value) for target in targets)
                for target, part in self._context.facts.pairs.get(node, whole):
                    if self._name in target_names(target) and not self._is_new(target, part):
                        self._refuse("here the variable gets what may have another name", part)
            case n.AnnAssign(target=target, value=value) if value is not None:
                if self._name in target_names(target) and not self._is_new(target, value):
                    self._refuse("here the variable gets what may have another name", value)
            case n.For(target=target) | n.NamedExpr(target=target):
                if self._name in target_names(target):
                    self._refuse("here the variable gets what may have another name", target)
            case _:
                pass

    def _is_new(self, target: n.Expression, value: n.Expression) -> bool:
        types = self._context.facts.types
        if isinstance(target, n.Tuple):
            # The rows of an array are views, each an object of its own.
            return isinstance(types.get(value), TensorType) or self._gives_new(value)
        return self._gives_new(value)

    def _gives_new(self, node: n.Node) -> bool:
        """Whether the value of an expression is no array that was there before."""
        step = self._context.facts.steps.get(node)
        return step is not None and _is_new(step.result)

    def _refuse(self, why: str, at: n.Node | None = None) -> NoReturn:
        _refuse(self._context, at or self._target, why)


def _is_new(result: Computation) -> bool:
    match result:
        case Apply(data.TUPLE, operands):
            return all(map(_is_new, operands))
        case Apply(op):
            return op in _MAKERS
        case Convert(value, type_):
            return value.type != type_ or _is_new(value)
        case After(_, value) | Check(value=value):
            return _is_new(value)
        case Select(_, one, other):
            return _is_new(one) and _is_new(other)
        case Invoke(callee):
            return is_standard(callee.function)
        case Operand():
            return False
        case _:
            return True  # a literal


def _refuse(context: Context, at: n.Node, why: str) -> NoReturn:
    context.fail(
        "shape-assignment",
        "the shape of an array cannot be set where the array may have another name",
        at,
        why=why,
        instead="bind a view: y = x.reshape(n)",
    )
