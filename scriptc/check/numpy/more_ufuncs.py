"""NumPy's functions of elements that choose between results, give two, or need a loop for each."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal, Select
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall, as_numpy
from scriptc.check.numpy.ufuncs import MEANINGS, Checker, Meaning, in_single, promoted
from scriptc_runtime.ops import arrays, data, elementary, elementwise
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import BOOL, DType, TensorType, element_of


def _chosen(call: LibraryCall, condition: Computation, *both: Computation) -> Computation:
    """Return one of two values for each element; a scalar where no operand has axes."""
    yes, no = both
    if not any(isinstance(v.type, TensorType) for v in (condition, yes, no)):
        return Select(converted(condition, BOOL), yes, no, no.type)
    found = call.context.apply(call.node, elementwise.WHERE, condition, yes, no)
    if isinstance(found.type, TensorType) and not found.type.dims:
        return call.context.apply(call.node, arrays.INDEX, found)
    return found


def _floats_alone(call: LibraryCall, dtype: DType) -> None:
    if dtype.kind != "f":
        call.refuse(f"{dtype} is not built", instead="compute with x.real and x.imag")


def _without_nan(ufunc: np.ufunc, plain: OpDef, order: OpDef) -> Meaning:
    """Return the meaning of np.fmax or np.fmin: a NaN loses against a number."""

    def compute(call: LibraryCall, values: Sequence[Computation]) -> Computation:
        (first, second), dtype = promoted(call, ufunc, values)
        apply, at = call.context.apply, call.node
        if dtype.kind in "biu":
            return apply(at, plain, first, second)
        _floats_alone(call, dtype)
        wins = apply(at, order, first, second)
        alone = apply(at, elementwise.NE, second, second)
        return _chosen(call, apply(at, elementwise.OR, wins, alone), first, second)

    return compute


def _heaviside(call: LibraryCall, values: Sequence[Computation]) -> Computation:
    (x, at_zero), dtype = promoted(call, np.heaviside, values)
    _floats_alone(call, dtype)
    apply, at = call.context.apply, call.node
    zero, one = Literal(0.0, dtype), Literal(1.0, dtype)
    found = _chosen(call, apply(at, elementwise.GT, x, zero), one, x)
    found = _chosen(call, apply(at, elementwise.LT, x, zero), zero, found)
    return _chosen(call, apply(at, elementwise.EQ, x, zero), at_zero, found)


def _logaddexp(ufunc: np.ufunc, power: OpDef, unit: float, equal: float) -> Meaning:
    """Return the logarithm of a sum of two powers, of which the larger one is taken out."""

    def compute(call: LibraryCall, values: Sequence[Computation]) -> Computation:
        (x, y), dtype = promoted(call, ufunc, values)
        _floats_alone(call, dtype)
        apply, at = call.context.apply, call.node
        distance = apply(at, elementwise.SUB, x, y)
        less = apply(at, elementwise.NEG, apply(at, elementwise.ABS, distance))
        more = apply(at, elementary.LOG1P, apply(at, power, less))
        more = apply(at, elementwise.MUL, more, Literal(unit, dtype))
        first = apply(at, elementwise.GT, distance, Literal(0.0, dtype))
        larger = _chosen(call, first, x, y)
        total = apply(at, elementwise.ADD, larger, more)
        doubled = apply(at, elementwise.ADD, x, Literal(equal, dtype))
        same = apply(at, elementwise.EQ, x, y)
        return _chosen(call, same, doubled, total)

    return compute


def _float_power(call: LibraryCall, values: Sequence[Computation]) -> Computation:
    operands, _ = promoted(call, np.float_power, values)
    return MEANINGS[np.power](call, operands)


def _of_integers(ufunc: np.ufunc) -> Meaning:
    """Return the meaning of np.gcd or np.lcm."""

    def compute(call: LibraryCall, values: Sequence[Computation]) -> Computation:
        operands, _ = promoted(call, ufunc, values)
        axes = any(isinstance(v.type, TensorType) for v in operands)
        name = f"{ufunc.__name__}_of_{'arrays' if axes else 'numbers'}"
        if axes:
            operands = [call.as_array(v) for v in operands]
        return call.standard("integers", name, *operands)

    return compute


def _infinite(end: float) -> Meaning:
    """Return the comparison with one of the infinities."""

    def compute(call: LibraryCall, values: Sequence[Computation]) -> Computation:
        value = as_numpy(values[0])
        element = element_of(value.type)
        assert isinstance(element, DType)
        if element.kind == "c":
            call.refuse("NumPy does not define it for complex numbers")
        if element.kind in "biu":
            return call.context.apply(call.node, elementwise.NE, value, value)
        return call.context.apply(call.node, elementwise.EQ, value, Literal(end, element))

    return compute


def _is_real(op: OpDef) -> Meaning:
    """Return whether the imaginary part is zero, or is not."""

    def compute(call: LibraryCall, values: Sequence[Computation]) -> Computation:
        value = as_numpy(values[0])
        element = element_of(value.type)
        apply, at = call.context.apply, call.node
        if isinstance(element, DType) and element.kind == "c":
            part = apply(at, elementwise.IMAG, value)
            width = element_of(part.type)
            assert isinstance(width, DType)
            return apply(at, op, part, Literal(0.0, width))
        # A number is itself, or not: NaN is as real as others.
        same, other = (apply(at, kind, value, value) for kind in (elementwise.EQ, elementwise.NE))
        both = elementwise.OR if op is elementwise.EQ else elementwise.AND
        return apply(at, both, same, other)

    return compute


_LOGADDEXP = _logaddexp(np.logaddexp, elementwise.EXP, 1.0, math.log(2))
_LOGADDEXP2 = _logaddexp(np.logaddexp2, elementary.EXP2, 1 / math.log(2), 1.0)
# What those of two operands compute.
MORE: Mapping[np.ufunc, Meaning] = {
    np.fmax: in_single(np.fmax, _without_nan(np.fmax, elementwise.MAXIMUM, elementwise.GE)),
    np.fmin: in_single(np.fmin, _without_nan(np.fmin, elementwise.MINIMUM, elementwise.LE)),
    np.heaviside: in_single(np.heaviside, _heaviside),
    np.logaddexp: in_single(
        np.logaddexp, _logaddexp(np.logaddexp, elementwise.EXP, 1.0, math.log(2))
    ),
    np.logaddexp2: in_single(
        np.logaddexp2, _logaddexp(np.logaddexp2, elementary.EXP2, 1 / math.log(2), 1.0)
    ),
    np.float_power: _float_power,
    np.gcd: _of_integers(np.gcd),
    np.lcm: _of_integers(np.lcm),
}
_TESTS: Mapping[object, Meaning] = {
    np.isneginf: _infinite(-math.inf),
    np.isposinf: _infinite(math.inf),
    np.isreal: _is_real(elementwise.EQ),
    np.iscomplex: _is_real(elementwise.NE),
    np.fix: MEANINGS[np.trunc],
}


def _checker(names: Sequence[str], compute: Meaning) -> Checker:
    return lambda call: call.result(compute(call, [call.numeric(name) for name in names]))


def _divmod(call: LibraryCall) -> Typed:
    values = [call.numeric("x1"), call.numeric("x2")]
    pair = [MEANINGS[ufunc](call, values) for ufunc in (np.floor_divide, np.remainder)]
    return call.apply(data.TUPLE, *pair)


def _modf(call: LibraryCall) -> Typed:
    """Check np.modf: what is behind the point, with the sign of the number, and the rest."""
    (value,), dtype = promoted(call, np.modf, [call.numeric("x")])
    narrow = dtype is DType.F16
    if narrow:
        value, dtype = converted(value, DType.F32), DType.F32
    apply, at = call.context.apply, call.node
    whole = apply(at, elementary.TRUNC, value)
    rest = apply(at, elementwise.SUB, value, whole)
    endless = apply(at, elementwise.EQ, apply(at, elementwise.ABS, value), Literal(math.inf, dtype))
    rest = _chosen(call, endless, Literal(0.0, dtype), rest)
    pair = apply(at, elementary.COPYSIGN, rest, value), whole
    return call.apply(data.TUPLE, *(converted(v, DType.F16) if narrow else v for v in pair))


def _kind_test(*, wanted: bool) -> Checker:
    """Return the check of np.iscomplexobj or np.isrealobj, which types decide."""

    def check(call: LibraryCall) -> Typed:
        element = element_of(call.numeric("x").type)
        is_complex = str(element).startswith("c")
        return call.result(Literal(is_complex is wanted, BOOL))

    return check


def _library(name: str, check: Checker, *names: str) -> Library:
    return Library(f"np.{name}", names, len(names), check, displays=True)


_PAIR = ("x1", "x2")
TABLE: Mapping[object, Library] = {
    **{
        function: _library(getattr(function, "__name__", ""), _checker(_PAIR, meaning), *_PAIR)
        for function, meaning in MORE.items()
    },
    **{
        function: _library(getattr(function, "__name__", ""), _checker(("x",), meaning), "x")
        for function, meaning in _TESTS.items()
    },
    np.divmod: _library("divmod", _divmod, *_PAIR),
    np.modf: _library("modf", _modf, "x"),
    np.iscomplexobj: _library("iscomplexobj", _kind_test(wanted=True), "x"),
    np.isrealobj: _library("isrealobj", _kind_test(wanted=False), "x"),
}
