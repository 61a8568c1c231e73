"""`bigint(x)`: an int of any size, of a number or a text."""

from collections.abc import Mapping

from scriptc.check import bigints as check_bigints
from scriptc.check.bindings import Typed
from scriptc.check.checked import Convert, Literal
from scriptc.check.conversion import converted
from scriptc.check.library import readers
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.library.definitions import Entry
from scriptc_runtime.any_size import bigint
from scriptc_runtime.ops import bigints
from scriptc_runtime.types import BIGINT, FLOAT, INT, STR, DType


def _bigint(call: LibraryCall) -> Typed:
    if "x" not in call.values:
        return call.result(check_bigints.of_any_size(Literal(0, INT)))
    if call.typed("x").type is STR:
        base = call.operand("base") if "base" in call.values else Literal(10, INT)
        return call.apply(bigints.BIGINT_OF_TEXT, call.operand("x"), converted(base, INT))
    if "base" in call.values:
        message = "int() can't convert non-string with explicit base"
        call.refuse(message, call.nodes["base"], "bigint(x), or the text of the number")
    value = readers.number(call)
    if value.type is FLOAT or (isinstance(value.type, DType) and value.type.kind == "f"):
        return call.result(Convert(converted(value, FLOAT), BIGINT))
    return call.result(check_bigints.of_any_size(value))


TABLE: Mapping[object, Entry] = {bigint: Library("bigint", ("x", "base"), 0, _bigint)}
