"""Reports sizes that meet although annotations call them by different names.

`scriptc check` prints the diagnostics, a compilation warns of them once, and strict settings make
errors of them.
"""

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import FunctionType
from weakref import WeakSet

from scriptc.analysis.size_promises.forms import Form, is_promise
from scriptc.analysis.size_promises.walk import RETURNED, Meeting, meetings
from scriptc.check.checked import CheckedFunction, CheckedProgram
from scriptc.syntax import nodes as n
from scriptc_runtime.errors import Diagnostic, Note, SizeWarning, Span, TypeCheckError
from scriptc_runtime.ir import Loc, Module
from scriptc_runtime.record import replace
from scriptc_runtime.types import OptionalType, TensorType

_SIGNS = {
    **{"add": "+", "sub": "-", "mul": "*", "div": "/", "floordiv": "//", "mod": "%", "pow": "**"},
    **{"product_of_stacks": "@", "product_of_deep_stacks": "@"},  # functions of the library
    **{"matmul": "@", "and": "&", "or": "|", "xor": "^", "shl": "<<", "shr": ">>"},
}
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
_CALLED = {"matmul": ("matmul", "dot", "vdot", "inner"), "maximum": ("maximum", "fmax")}
_OF_RESULT = "return what has that size, or write `...` in the annotation for any size"
_MOST_NAMES = 4  # whose places are shown
_Axis = tuple[str, int]  # of a parameter
# Of these a compilation has warned.
_told: WeakSet[FunctionType] = WeakSet()


def size_mismatches(
    program: CheckedProgram, module: Module, promised: AbstractSet[str]
) -> Sequence[Diagnostic]:
    """Return a warning for each place where sizes meet that `promised` names tell apart.

    `module` is the lowered program, before any pass.
    """
    root = program.functions[program.roots[0]]
    functions = {function.name: function for function in program.functions.values()}
    declared = {f.name: f.declared for f in functions.values() if f.declared and not f.is_library}
    found = meetings(module, root.name, promised, declared)
    return [_diagnostic(meeting, root, functions) for meeting in found]


def tell(function: FunctionType, found: Sequence[Diagnostic], *, strict: bool) -> None:
    """Warn of sizes that meet in a function, once for each.  Raises TypeCheckError if `strict`."""
    if strict and found:
        raise TypeCheckError(*(replace(diagnostic, severity="error") for diagnostic in found))
    if function in _told:
        return
    for diagnostic in found:
        assert diagnostic.span is not None
        line, _ = diagnostic.span.source.position(diagnostic.span.lo)
        file, module = diagnostic.span.source.file, function.__module__
        warnings.warn_explicit(diagnostic.render(), SizeWarning, file, line, module)
    _told.add(function)


def _diagnostic(
    meeting: Meeting, root: CheckedFunction, functions: dict[str, CheckedFunction]
) -> Diagnostic:
    first, second = meeting.first, meeting.second
    ordered = (*sorted(first.atoms), *sorted(second.atoms - first.atoms))
    names = [name for name in ordered if is_promise(name)]
    place, *calls = meeting.frames
    axes = _axes_of(root, names, _mentioned(root, meeting))
    notes = [_origin(root, name, axes.get(name)) for name in names[:_MOST_NAMES]]
    for frame in calls:
        function = functions[frame.function]
        called = Span(function.source, *_extent(function, frame.loc, "", 0))
        notes.append(Note(f"{functions[place.function].key.function.__name__}() is called", called))
        place = frame
    return Diagnostic(
        "size-mismatch",
        meeting.what.format(first, second),
        _span(meeting, functions),
        _why(first, second, names),
        _OF_RESULT if meeting.what == RETURNED else _way_out(axes, first, second),
        notes,
        severity="warning",
    )


def _why(first: Form, second: Form, names: Sequence[str]) -> str:
    if first.minus(second).is_constant:
        return f"{first} and {second} differ whatever the sizes are"
    if len(names) > 1:
        return "each name of a size in annotations is a size of its own, and none is 1"
    return f"{names[0]} may be any size, and is taken not to be 1"


def _way_out(axes: Mapping[str, _Axis], first: Form, second: Form) -> str:
    if first.minus(second).is_constant:
        return "make the arrays of one size"
    here, there = _written(axes, first), _written(axes, second)
    said = f"`assert {here} == {there}`" if here and there else ""
    if first.is_name and second.is_name:
        return f"give both one name in the annotations{said and f', or say {said} before'}"
    constants = [form for form in (first, second) if form.is_constant]
    if constants and (first.is_name or second.is_name):
        return f"write {constants[0]} in the annotation{said and f', or say {said} before'}"
    return f"make the arrays of one size{said and f', or say {said} before'}"


def _written(axes: Mapping[str, _Axis], form: Form) -> str:
    """Return an expression of the program for a size; nothing where there is none."""
    names = [name for name in form.atoms if is_promise(name)]
    if form.is_opaque or not all(name in axes for name in names):
        return ""
    for name in names:
        param, axis = axes[name]
        form = form.replaced(name, Form({(f"{param}.shape[{axis}]",): 1}))
    return str(form)


def _axes_of(
    root: CheckedFunction, names: Sequence[str], mentioned: Sequence[str]
) -> Mapping[str, _Axis]:
    """Return a parameter and its axis for each name that some have.

    Where several have it, that is one that the expression mentions and no other name has, near to
    those of other names.
    """
    found: dict[str, _Axis] = {}
    every = {name: list(_axes(root, name)) for name in names}

    def distance(axis: _Axis) -> tuple[bool, bool, int, int]:
        param = axis[0]
        taken = [other for other, _ in found.values()]
        if param not in mentioned:
            return True, param in taken, 0, 0
        place = mentioned.index(param)
        others = [abs(place - mentioned.index(p)) for p in taken if p in mentioned]
        return False, param in taken, min(others, default=0), -place

    for name in sorted(names, key=lambda name: len(every[name])):
        if every[name]:
            found[name] = min(every[name], key=distance if found else _first_mentioned(mentioned))
    return found


def _first_mentioned(mentioned: Sequence[str]) -> Callable[[_Axis], int]:
    return lambda axis: mentioned.index(axis[0]) if axis[0] in mentioned else len(mentioned)


def _mentioned(root: CheckedFunction, meeting: Meeting) -> Sequence[str]:
    """Return the names in the expression of the root where sizes meet, in order."""
    frame, *inner = reversed(meeting.frames)
    op, index = ("", 0) if inner else (meeting.op, meeting.index)
    lo, hi = _extent(root, frame.loc, op, index)
    nodes = (node for node in _walk(root.node) if isinstance(node, n.Name))
    places = sorted((node.lo, node.id) for node in nodes if lo <= node.lo and node.hi <= hi)
    return list(dict.fromkeys(name for _, name in places))


def _axes(root: CheckedFunction, name: str) -> Iterator[_Axis]:
    """Yield the parameters and axes that have a size of this name."""
    for param in root.params:
        type_ = param.type.item if isinstance(param.type, OptionalType) else param.type
        if isinstance(type_, TensorType):
            for axis, dim in enumerate(type_.dims):
                if not dim.constant and dim.terms == ((name, 1),):
                    yield param.name, axis


def _origin(root: CheckedFunction, name: str, found: _Axis | None) -> Note:
    """Return where an annotation gives a size its name."""
    if found is None:
        return Note(f"{name} is the name of a size in the annotations of {root.name}()")
    param, axis = found
    text = f"{name} is the size of axis {axis} of {param!r}"
    arguments = root.node.args
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    annotation = next((a.annotation for a in every if a.arg == param), None)
    if annotation is None:
        return Note(text)
    here = next((node for node in _walk(annotation) if _names(node, name)), annotation)
    return Note(text, Span(root.source, here.lo, here.hi))


def _names(node: n.Node, name: str) -> bool:
    if isinstance(node, n.Name):
        return node.id == name
    return isinstance(node, n.Constant) and node.value == name


# ----------------------------------------------------------------------------------------- places


def _span(meeting: Meeting, functions: dict[str, CheckedFunction]) -> Span:
    frame = meeting.frames[0]
    function = functions[frame.function]
    return Span(function.source, *_extent(function, frame.loc, meeting.op, meeting.index))


def _extent(function: CheckedFunction, loc: Loc, op: str, index: int) -> tuple[int, int]:
    """Return where the expression begins and ends that an op at a place is made for.

    Several may begin there: that of the op's sign, or the call of its name, else the longest.
    """
    lo = function.source.offset(loc.line, loc.column)
    inner = [node for node in _walk(function.node) if node.lo == lo]
    inner.sort(key=lambda node: node.hi)
    signed = [node for node in inner if _is_signed(node, op)]
    if index < len(signed):
        return lo, signed[index].hi
    calls = [node for node in inner if isinstance(node, n.Call)]
    named = [call for call in calls if _called(call) in _CALLED.get(op, (op,))]
    expressions = [node for node in inner if isinstance(node, n.Expression)]
    found = (named or calls or expressions or inner)[-1:]
    return lo, found[0].hi if found else lo + 1


def _is_signed(node: n.Node, op: str) -> bool:
    """Whether a node is what the source has for an op, by its sign."""
    match node:
        case n.BinOp(op=sign) | n.AugAssign(op=sign):
            return sign.removesuffix("=") == _SIGNS.get(op)
        case n.Compare():
            return op in _COMPARISONS
        case n.Assign():
            return op == "assign"
        case _:
            return False


def _called(call: n.Call) -> str:
    match call.func:
        case n.Name(id=name) | n.Attribute(attr=name):
            return name
        case _:
            return ""


def _walk(node: n.Node) -> Iterator[n.Node]:
    yield node
    for child in n.children(node):
        yield from _walk(child)
