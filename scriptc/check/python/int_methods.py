"""Methods of ints: Python's, and what NumPy's integers have of them."""

from collections.abc import Mapping

from scriptc.check.bindings import Typed
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall
from scriptc_runtime.ops import bigints
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import BIGINT, BOOL, INT, DType

_OF_ANY_SIZE: Mapping[str, OpDef] = {
    "bit_count": bigints.BIGINT_ONES,
    "bit_length": bigints.BIGINT_BITS,
}


def _bits(call: LibraryCall) -> Typed:
    """Check n.bit_length() or n.bit_count()."""
    value = call.operand("x")
    if value.type is BIGINT:
        return call.apply(_OF_ANY_SIZE[call.name], value)
    of_python = value.type in (INT, BOOL)
    of_numpy = isinstance(value.type, DType) and value.type.kind in "iu"
    if not of_python and not (of_numpy and call.name == "bit_count"):
        call.refuse(f"{value.type} has no such method", instead="make an int of it: int(x)")
    if value.type is DType.U64:
        call.refuse(f"{value.type} does not fit into an int", instead="np.bitwise_count(x)")
    return call.result(call.standard("integers", call.name, converted(value, INT)))


METHODS: Mapping[str, Library] = {
    name: Library(name, ("x",), 1, _bits) for name in ("bit_count", "bit_length")
}
