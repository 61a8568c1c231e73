"""Reports sizes that meet although annotations call them by different names.

`scriptc check` prints the diagnostics, a compilation warns of them once, and strict settings make
errors of them.
"""

import warnings
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from types import FunctionType
from weakref import WeakSet

from scriptc.analysis.size_promises.forms import Form, is_promise
from scriptc.analysis.size_promises.walk import Meeting, meetings
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
_MOST_NAMES = 4  # whose places are shown
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
    found = meetings(module, root.name, promised)
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
    notes = [_origin(root, name) for name in names[:_MOST_NAMES]]
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
        _way_out(root, first, second, names),
        notes,
        severity="warning",
    )


def _why(first: Form, second: Form, names: Sequence[str]) -> str:
    if first.minus(second).is_constant:
        return f"{first} and {second} differ whatever the sizes are"
    if len(names) > 1:
        return "each name of a size in annotations is a size of its own, and none is 1"
    return f"{names[0]} may be any size, and is taken not to be 1"


def _way_out(root: CheckedFunction, first: Form, second: Form, names: Sequence[str]) -> str:
    if first.minus(second).is_constant:
        return "make the arrays of one size"
    here, there = _written(root, first), _written(root, second)
    said = f"`assert {here} == {there}`" if here and there else ""
    if first.is_name and second.is_name:
        return f"give both one name in the annotations{said and f', or say {said} before'}"
    constants = [form for form in (first, second) if form.is_constant]
    if constants and (first.is_name or second.is_name):
        return f"write {constants[0]} in the annotation{said and f', or say {said} before'}"
    return f"make the arrays of one size{said and f', or say {said} before'}"


def _written(root: CheckedFunction, form: Form) -> str:
    """Return an expression of the program for a size; nothing where there is none."""
    texts = {name: _axis_text(root, name) for name in form.atoms if is_promise(name)}
    if form.is_opaque or not all(texts.values()):
        return ""
    factors = {name: Form({(text,): 1}) for name, text in texts.items()}
    for name, factor in factors.items():
        form = form.replaced(name, factor)
    return str(form)


def _axis_text(root: CheckedFunction, name: str) -> str:
    found = next(_axes(root, name), None)
    return f"{found[0]}.shape[{found[1]}]" if found else ""


def _axes(root: CheckedFunction, name: str) -> Iterator[tuple[str, int]]:
    """Yield the parameters and axes that have a size of this name."""
    for param in root.params:
        type_ = param.type.item if isinstance(param.type, OptionalType) else param.type
        if isinstance(type_, TensorType):
            for axis, dim in enumerate(type_.dims):
                if not dim.constant and dim.terms == ((name, 1),):
                    yield param.name, axis


def _origin(root: CheckedFunction, name: str) -> Note:
    """Return where an annotation gives a size its name."""
    found = next(_axes(root, name), None)
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
