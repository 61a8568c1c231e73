"""Element types that back ends do not compute with as they are: half precision, complex sums.

    %2 = add %0, %1 : f16     =>     %2 = cast %0 [to=f32]; ...; %5 = cast %4 [to=f16]

NumPy computes each op of half precision in single precision and rounds once, so this is what such
ops mean. A sum of complex arrays is that of their parts, except over leading axes, where rows are
added to a row of results: there a part is a lane like any other, and memory is read once.
"""

from scriptc_runtime.ir import Builder, Instr, Value, make
from scriptc_runtime.ops import arrays, data, elementary, elementwise, reductions
from scriptc_runtime.types import DType, TensorType, element_of, is_complex

F16, F32 = DType.F16, DType.F32
_MOVES = (elementwise.CAST, elementwise.WHERE)
_COMPUTING = frozenset(
    {*elementwise.OPS, *elementary.OPS, *reductions.OPS, arrays.MATMUL}
).difference(_MOVES)


def is_half(instr: Instr) -> bool:
    """Whether an instruction computes with half precision."""
    return instr.op in _COMPUTING and any(element_of(v.type) is F16 for v in instr.operands)


def widened(instr: Instr, builder: Builder) -> Instr:
    """Return the instruction on operands in single precision, whose casts are emitted."""
    operands = [
        builder.emit(elementwise.CAST, v, loc=instr.loc, to=F32) if element_of(v.type) is F16 else v
        for v in instr.operands
    ]
    return make(instr.op, operands, instr.attrs, instr.loc)


def narrowed(instr: Instr, value: Value, builder: Builder) -> Value:
    """Return the result of the widened instruction as `instr` gives it."""
    if element_of(instr.result.type) is not F16:
        return value
    return builder.emit(elementwise.CAST, value, loc=instr.loc, to=F16)


def by_parts(instr: Instr, builder: Builder, *, rows_too: bool) -> Value | None:
    """Emit a sum of a complex array as those of its parts; None for any other op.

    A sum over leading axes stays as it is, unless `rows_too`.
    """
    if instr.op is not reductions.SUM or not is_complex(element_of(instr.operands[0].type)):
        return None
    if not rows_too and _adds_rows(instr):
        return None
    parts = [
        builder.emit(op, instr.operands[0], loc=instr.loc)
        for op in (elementwise.REAL, elementwise.IMAG)
    ]
    if not isinstance(parts[0].type, TensorType):
        # The only element of an array without axes; NumPy starts at 0.0, which changes -0.0.
        zero = builder.emit(data.CONST, loc=instr.loc, value=0.0, dtype=parts[0].type)
        sums = [builder.emit(elementwise.ADD, part, zero, loc=instr.loc) for part in parts]
    else:
        attrs = dict(instr.attrs)
        sums = [builder.append(make(instr.op, (p,), attrs, instr.loc)).result for p in parts]
    return builder.emit(elementwise.COMPLEX_OF, *sums, loc=instr.loc)


def _adds_rows(fold: Instr) -> bool:
    """Whether a fold is over axes before the last one."""
    type_ = fold.operands[0].type
    if not isinstance(type_, TensorType):
        return False
    reduced = reductions.reduced_axes(type_, fold.attrs)
    return bool(reduced) and reduced[-1] < type_.rank - 1
