"""Functions and attributes of complex numbers: parts, conjugates, angles."""

import math
from collections.abc import Mapping

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import Literal
from scriptc.check.context import Context, operand
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall, as_numpy
from scriptc.check.python import complex_operators
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import arrays, elementary, elementwise
from scriptc_runtime.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    STR,
    DType,
    TensorType,
    element_of,
    is_complex,
    is_number,
)


def check_part(context: Context, node: n.Attribute, base: Typed) -> Typed:
    """Check `x.real` and `x.imag`, which of an array are views."""
    return context.record(
        node,
        [node.value],
        complex_operators.part(context, node, operand(node.value, base), node.attr),
    )


def _conjugate(call: LibraryCall) -> Typed:
    value = call.numeric("x")
    if not isinstance(element_of(value.type), DType) and not _is_method(call):
        value = as_numpy(value)
    element = element_of(value.type)
    if element is DType.B1:
        call.refuse("the conjugate of a bool is not built", instead="use the bool itself")
    if element is BOOL:
        value = converted(value, INT)
    if element is None or not is_complex(element):
        if isinstance(value.type, TensorType) and not _is_method(call):
            return call.apply(arrays.COPY, value)
        return call.result(value)
    apply, at = call.context.apply, call.node
    real, imag = (apply(at, op, value) for op in (elementwise.REAL, elementwise.IMAG))
    return call.apply(elementwise.COMPLEX_OF, real, apply(at, elementwise.NEG, imag))


def _is_method(call: LibraryCall) -> bool:
    return not call.name.startswith("np.")


def _np_part(call: LibraryCall) -> Typed:
    value = call.numeric("val")
    if not isinstance(element_of(value.type), DType):
        call.refuse("it gives an array of a Python number", instead="write x.real or x.imag")
    name = call.name.removeprefix("np.")
    return call.result(complex_operators.part(call.context, call.node, value, name))


def _angle(call: LibraryCall) -> Typed:
    value = as_numpy(call.numeric("z"))
    element = element_of(value.type)
    if not isinstance(element, DType) or not is_complex(element):
        call.refuse(f"the angle of {value.type} is not built", instead="convert it to complex")
    apply, at = call.context.apply, call.node
    real, imag = (apply(at, op, value) for op in (elementwise.REAL, elementwise.IMAG))
    angle = apply(at, elementary.ARCTAN2, imag, real)
    if not call.flag("deg"):
        return call.result(angle)
    dtype = element_of(angle.type)
    assert isinstance(dtype, DType)
    return call.apply(elementwise.MUL, angle, Literal(180 / math.pi, dtype))


def _complex(call: LibraryCall) -> Typed:
    """Check the builtin complex(): of a number, or of two real parts."""
    given = [call.scalar(name) for name in ("real", "imag") if name in call.values]
    if [value.type for value in given] == [STR] and "real" in call.values:
        return call.result(call.standard("complexes", "complex_of", *given))
    for value in given:
        if not is_number(value.type):
            call.refuse(f"a part must be a number, not {value.type}")
    if len(given) == 1 and "real" in call.values:
        return call.result(converted(given[0], COMPLEX))
    if any(is_complex(element_of(v.type)) for v in given):
        call.refuse("complex parts are not built", instead="write a + b * 1j")
    zero = Literal(0.0, FLOAT)
    parts = {name: call.scalar(name) for name in ("real", "imag") if name in call.values}
    real, imag = (converted(parts.get(name, zero), FLOAT) for name in ("real", "imag"))
    return call.apply(elementwise.COMPLEX_OF, real, imag)


NUMPY_TABLE: Mapping[object, Library] = {
    np.real: Library("np.real", ("val",), 1, _np_part),
    np.imag: Library("np.imag", ("val",), 1, _np_part),
    np.conjugate: Library("np.conjugate", ("x",), 1, _conjugate),
    np.angle: Library("np.angle", ("z", "deg"), 1, _angle),
}
BUILTINS: Mapping[object, Library] = {
    complex: Library("complex", ("real", "imag"), 0, _complex),
}
METHODS: Mapping[str, Library] = {
    "conj": Library("conj", ("x",), 1, _conjugate),
    "conjugate": Library("conjugate", ("x",), 1, _conjugate),
}
