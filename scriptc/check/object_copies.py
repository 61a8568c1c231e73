"""`copy.copy(x)` of an object: another one of its class, whose fields hold the same."""

from scriptc.check import dispatch
from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Convert
from scriptc.check.context import Context, operand
from scriptc.check.members import exception_base, line_of
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import data
from scriptc_runtime.types import ClassType

# Methods by which a class says itself what its copies are.
_OWN = ("__copy__", "__deepcopy__", "__getstate__", "__setstate__", "__reduce__", "__reduce_ex__")


def copied_object(context: Context, node: n.Call, value: Typed) -> Typed | None:
    """Check a copy of an object; None for what has none that is built."""
    type_ = value.type
    assert isinstance(type_, ClassType)
    if context.function_called(type_.name) or context.generator_class(type_.name):
        return None
    whole = operand(node.args[0], value)
    found = dispatch.cases(context, node, whole, lambda live: live)
    if any(_says_itself(case.live) for case in found):
        return None
    made = [_copy(context, node, case) for case in found]
    results = [new if new.type == type_ else Convert(new, type_) for new in made]
    result = dispatch.chosen(context, node, whole, found, results, "copy.copy")
    return context.record(node, node.args[:1], result)


def is_plain(context: Context, live: type, node: n.Node) -> bool:
    """Whether the fields of an object, all set where it is made, are all that a copy of it has."""
    return not (_says_itself(live) or context.class_of(live, node).late)


def _says_itself(live: type) -> bool:
    """Whether a class, as it was written, or Python says what copies are."""
    written = (vars(cls).get("python", cls) for cls in line_of(live))
    return bool(exception_base(live)) or any(n in vars(cls) for cls in written for n in _OWN)


def _copy(context: Context, node: n.Call, case: dispatch.Case) -> Computation:
    declared = context.class_of(case.live, node)
    if len(declared.fields) < len(declared.names):
        raise context.not_known_yet(node)
    context.note_objects(case.live, node)
    values = [
        context.apply(node, data.FIELD, case.owner, name=name, type=type_)
        for name, type_ in declared.fields.items()
    ]
    fields = tuple(declared.fields)
    return context.apply(node, data.NEW, *values, cls=declared.name, fields=fields)
