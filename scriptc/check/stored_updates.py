"""Which updates in place are stored back: those that the store may be told from.

Python reads a target, evaluates the value, updates what it read in place and stores that again.
The store changes nothing where the place still holds it, and nothing is called to store it.
"""

from functools import cached_property

from scriptc.check.bindings import Typed
from scriptc.check.checked import After, Apply, Check, Computation, Convert, Invoke, Select
from scriptc.check.context import Context
from scriptc.check.desugar.inits import is_frozen
from scriptc.check.library.standard import is_standard
from scriptc.check.members import find_member
from scriptc.check.scopes import walk
from scriptc.syntax import nodes as n
from scriptc_runtime.types import ClassType, TensorType, holds_class


def is_variable_stored(context: Context, node: n.AugAssign, result: Computation) -> bool:
    """Whether a variable may be bound anew while the value is evaluated."""
    if not isinstance(node.target, n.Name):
        return False  # a field in a constructor, which nothing else sees yet
    name, parts = node.target.id, tuple(walk((node.value,)))
    if any(isinstance(part, n.NamedExpr) and part.target.id == name for part in parts):
        return True
    is_shared = name in context.shared or name in context.learned.cells
    return is_shared and (_runs_code(result) or any(may_run(context, part) for part in parts))


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
    return any(may_run(context, part) for part in walk((node.value,)))


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


def may_run(context: Context, part: n.Node) -> bool:
    """Whether evaluating a part of a value may run code of the user, or bind a variable."""
    if isinstance(part, _PLAIN):
        return False
    if part in context.facts.expanded:
        return True
    step = context.facts.steps.get(part)
    if step is None and isinstance(part, n.IfExp | n.Compare):
        # Their parts are asked about by themselves; objects may say what they count as.
        asked = (part.test,) if isinstance(part, n.IfExp) else (part.left, *part.comparators)
        types = [context.facts.types.get(operand) for operand in asked]
        return any(type_ is None or holds_class(type_) for type_ in types)
    return step is None or _runs_code(step.result)


_PLAIN = n.Name | n.Constant | n.Tuple | n.List | n.Slice


def _runs_code(computation: Computation) -> bool:
    """Whether a computation calls code of the user, or what may call some for its objects."""
    match computation:
        case Invoke(callee=callee, operands=operands):
            is_own = not is_standard(callee.function) or callee.fixed
            return (
                bool(is_own)
                or any(map(holds_class, callee.types))
                or any(map(_runs_code, operands))
            )
        case Apply(operands=operands):
            return any(map(_runs_code, operands))
        case Convert(value=value):
            return _runs_code(value)
        case Select(condition=condition, when_true=one, when_false=other):
            return any(map(_runs_code, (condition, one, other)))
        case Check(condition=condition, value=value):
            return _runs_code(condition) or _runs_code(value)
        case After(effects=effects, value=value):
            return any(map(_runs_code, (*effects, value)))
        case _:
            return False
