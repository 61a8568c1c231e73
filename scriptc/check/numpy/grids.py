"""`np.mgrid`, `np.ogrid` and what they share with `np.r_`: slices that stand for numbers."""

from collections.abc import Sequence

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation
from scriptc.check.context import Context, operand
from scriptc.check.conversion import converted
from scriptc.check.library.call import LibraryCall
from scriptc.check.numpy import array_parts, creation
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import arrays, data
from scriptc_runtime.types import COMPLEX, FLOAT, INT, DType, is_complex

_INTS = (INT, DType.I64)
_FLOATS = (FLOAT, DType.F64)


def check_grid(context: Context, node: n.Subscript, *, dense: bool) -> Typed:
    """Check `np.mgrid[a:b, c:d]`, or `np.ogrid`, whose arrays have one long axis each."""
    whole = node.slice
    name = "np.mgrid" if dense else "np.ogrid"
    call = LibraryCall(context, n.Call(node.lo, node.hi, node.value, (), ()), name)
    if not isinstance(whole, n.Tuple):
        line = _lone_line(call, _bounds(call, whole, name))
        return context.record(node, call.parts, line)
    slices = [_bounds(call, item, name) for item in whole.elts]
    floats = any(bound.type not in _INTS for bounds in slices for bound in bounds)
    lines = [_line(call, bounds, floats=floats, dense=dense) for bounds in slices]
    if dense:
        return context.record(node, call.parts, creation.grid(call, lines))
    count = len(lines)
    open_lines = [
        array_parts.view(call, line, "n" * i + "s" + "n" * (count - 1 - i), *array_parts.WHOLE)
        for i, line in enumerate(lines)
    ]
    return context.record(node, call.parts, context.apply(node, data.TUPLE, *open_lines))


def line_of_slice(call: LibraryCall, item: n.Slice) -> Computation:
    """Return the numbers of a slice `a:b:c` of `np.r_`, so many points where the step is 5j."""
    start, stop, step = _bounds(call, item, "np.r_")
    if not is_complex(step.type):
        return _arange(call, (start, stop, step))
    ends = [converted(end, FLOAT) for end in (start, stop)]
    points = call.standard("grids", "count_of", converted(step, COMPLEX))
    return call.standard("making", "linspace", *ends, points, endpoint=True)


def _bounds(call: LibraryCall, item: n.Expression, name: str) -> tuple[Computation, ...]:
    """Return where a slice starts and ends and its step, which a complex number counts instead."""
    if not isinstance(item, n.Slice) or item.upper is None:
        call.refuse("slices with an end are needed", item, f"{name}[0:n, 0:m]")
    found: list[Computation] = []
    for bound, default in ((item.lower, 0), (item.upper, 0), (item.step, 1)):
        if bound is None:
            found.append(array_parts.number(default))
            continue
        value = call.context.typed(bound)
        counts = bound is item.step and is_complex(value.type)
        if value.type not in (*_INTS, *_FLOATS) and not counts:
            call.refuse(f"a bound must be int or float, not {value.type}", bound)
        call.parts.append(bound)
        found.append(operand(bound, value))
    return tuple(found)


def _line(
    call: LibraryCall, bounds: Sequence[Computation], *, floats: bool, dense: bool
) -> Computation:
    """Return the numbers along one of several axes, which are all floats where one bound is."""
    if is_complex(bounds[2].type):
        return _points(call, bounds)
    own = [converted(bound, FLOAT if floats else INT) for bound in bounds]
    return call.standard("grids", "points_apart" if floats else "ints_apart", *own, dense=dense)


def _lone_line(call: LibraryCall, bounds: Sequence[Computation]) -> Computation:
    return _points(call, bounds) if is_complex(bounds[2].type) else _arange(call, bounds)


def _points(call: LibraryCall, bounds: Sequence[Computation]) -> Computation:
    start, stop, step = bounds
    ends = [converted(end, FLOAT) for end in (start, stop)]
    return call.standard("grids", "points_between", *ends, converted(step, COMPLEX))


def _arange(call: LibraryCall, bounds: Sequence[Computation]) -> Computation:
    floats = any(bound.type not in _INTS for bound in bounds)
    dtype = DType.F64 if floats else DType.I64
    return call.context.apply(call.node, arrays.ARANGE, *(converted(b, dtype) for b in bounds))
