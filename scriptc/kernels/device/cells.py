"""Cells: arrays of one element, where a kernel leaves a number for host code and other kernels."""

from scriptc.kernels.builder import KEPT_AS, Code
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import device, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import record
from scriptc_runtime.types import DType, TensorType, Type


def is_number(type_: Type) -> bool:
    """Whether a cell can hold values of a type."""
    return isinstance(type_, DType) or type_ in KEPT_AS


@record
class Cell:
    """An array without axes, which one kernel stores into, once."""

    array: Value
    dtype: DType

    @classmethod
    def made(cls, code: Code, value: Value) -> "Cell":
        """Emit a new cell for numbers of the type of `value`."""
        dtype = value.type if isinstance(value.type, DType) else KEPT_AS[value.type]
        return cls(code.new_array(TensorType(dtype, ()), ()), dtype)

    def store(self, code: Code, value: Value) -> None:
        """Emit what leaves `value` in the cell."""
        kept = value if value.type is self.dtype else code.cast(value, self.dtype)
        code.builder.effect(low.STORE, self.array, kept, loc=code.loc)

    def fetch(self, code: Code, value: Value) -> Value:
        """Emit what gives `value`, of the type of what was stored, back to host code."""
        attrs = {"once": True}
        direct = value.type is self.dtype
        number = value if direct else Value(self.dtype)
        code.builder.append(Instr(device.FETCH, (self.array,), attrs, (number,), code.loc))
        if not direct:
            to = {"to": value.type}
            code.builder.append(Instr(e.CAST, (number,), to, (value,), code.loc))
        return value
