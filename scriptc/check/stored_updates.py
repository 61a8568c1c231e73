"""Which updates in place are stored back: those that the store may be told from.

Python reads a target, evaluates the value, updates what it read in place and stores that again.
The store changes nothing where the place still holds it, and nothing is called to store it.
"""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import cached_property

from scriptc.check.bindings import Typed
from scriptc.check.checked import After, Apply, Check, Computation, Convert, Invoke, Select
from scriptc.check.context import Context
from scriptc.check.desugar.inits import is_frozen
from scriptc.check.library.standard import is_standard
from scriptc.check.members import find_member
from scriptc.check.scopes import walk
from scriptc.syntax import nodes as n
from scriptc_runtime.types import (
    NONE,
    ClassType,
    DType,
    PyType,
    TensorType,
    TupleType,
    all_parts,
    holds_class,
    is_number,
)


def is_variable_stored(context: Context, node: n.AugAssign, result: Computation) -> bool:
    """Whether a variable may be bound anew while the value is evaluated."""
    if not isinstance(node.target, n.Name):
        return False  # a field in a constructor, which nothing else sees yet
    name, parts = node.target.id, tuple(walk((node.value,)))
    if any(isinstance(part, n.NamedExpr) and part.target.id == name for part in parts):
        return True
    is_shared = name in context.shared or name in context.learned.cells
    return is_shared and (_runs_code(result) or may_run(context, node.value))


def is_place_stored(
    context: Context, node: n.AugAssign, reading: Computation, result: Computation
) -> bool:
    """Whether an item or a field is stored back after an update in place."""
    if isinstance(node.target, n.Attribute):
        is_stored = not _is_field(context, node.target)
    else:
        is_stored = _runs_code(reading)
    if is_stored or _runs_code(result):
        return True
    return may_run(context, node.value)


def _is_field(context: Context, target: n.Attribute) -> bool:
    """Whether an attribute is a plain place: nothing is called or raised where it is stored."""
    found = context.expression(target.value)
    if not isinstance(found, Typed):
        return True  # of a class, which is the item of a list
    if isinstance(found.type, TensorType):
        return target.attr in _PARTS_OF_ARRAYS
    if not isinstance(found.type, ClassType):
        return False
    declared = context.class_named(found.type.name)
    if is_frozen(declared.live):
        return False
    if target.attr in declared.names:
        return True
    member = find_member(declared.live, target.attr)
    return member is not None and isinstance(member.value, cached_property)


# Views of an array that are stored into themselves.
_PARTS_OF_ARRAYS = ("imag", "real")


def may_run(context: Context, value: n.Node) -> bool:
    """Whether evaluating a value may run code of the user, or bind a variable."""
    parts = tuple(walk((value,)))
    called = {part.func for part in parts if isinstance(part, n.Call)}
    return any(_part_may_run(context, part, called) for part in parts)


def _part_may_run(context: Context, part: n.Node, called: AbstractSet[n.Node]) -> bool:
    """Tell of a part; what a call calls, as `np.exp`, is in the call's own step."""
    if isinstance(part, _PLAIN):
        return False
    if isinstance(part, n.UnaryOp) and isinstance(part.operand, n.Constant):
        return False
    if part in context.facts.expanded:
        return True
    step = context.facts.steps.get(part)
    if step is not None:
        changes = isinstance(part, n.Call) and _takes_containers(step.result)
        return changes or _runs_code(step.result)
    if part in called or _is_of_module(context, part):
        return False
    # The parts of these are asked about by themselves; objects may say what they count as.
    match part:
        case n.IfExp(test=test):
            asked = (test,)
        case n.Compare(left=left, comparators=others):
            asked = (left, *others)
        case n.BoolOp(values=asked):
            pass
        case _:
            return True
    types = [context.facts.types.get(operand) for operand in asked]
    return any(type_ is None or holds_class(type_) for type_ in types)


def _takes_containers(computation: Computation) -> bool:
    """Whether a call is given what it may change: `xs.pop()`."""
    return any(
        not all(map(_is_steady, part.operands))
        for part in _inside(computation)
        if isinstance(part, Apply | Invoke)
    )


def _is_steady(operand: Computation) -> bool:
    """Whether an operand is made of numbers, texts and arrays."""
    kinds = PyType | DType | TensorType | TupleType
    return all(isinstance(part, kinds) for part in all_parts(operand.type))


def _is_of_module(context: Context, part: n.Node) -> bool:
    """Whether a part is a number of a module, as `np.pi`."""
    if not isinstance(part, n.Attribute) or not isinstance(part.value, n.Name):
        return False
    types = context.facts.types
    return part.value not in types and is_number(types.get(part, NONE))


_PLAIN = n.Name | n.Constant | n.Tuple | n.List | n.Slice | n.keyword


def _runs_code(computation: Computation) -> bool:
    """Whether a computation calls code of the user, or what may call some for its objects."""
    return any(_is_call_of_users(part) for part in _inside(computation))


def _is_call_of_users(part: Computation) -> bool:
    if not isinstance(part, Invoke):
        return False
    callee = part.callee
    is_own = not is_standard(callee.function) or bool(callee.fixed)
    return is_own or any(map(holds_class, callee.types))


def _inside(computation: Computation) -> Iterator[Computation]:
    """Yield a computation, and those that it is made of."""
    yield computation
    match computation:
        case Apply(operands=parts) | Invoke(operands=parts):
            pass
        case Convert(value=value):
            parts = (value,)
        case Select(condition=condition, when_true=one, when_false=other):
            parts = (condition, one, other)
        case Check(condition=condition, value=value):
            parts = (condition, value)
        case After(effects=effects, value=value):
            parts = (*effects, value)
        case _:
            parts = ()
    for part in parts:
        yield from _inside(part)
