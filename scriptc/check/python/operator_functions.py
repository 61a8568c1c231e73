"""The functions of `operator`: bodies of the standard library."""

import operator
from collections.abc import Mapping

from scriptc.check.library.definitions import Definition, Entry
from scriptc.check.python import builtin_functions

_NAMES = (
    "index",
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor"),
    *("lshift", "rshift", "lt", "le", "eq", "ne", "gt", "ge", "neg", "pos", "invert", "inv"),
    *("not_", "truth", "concat", "contains", "getitem", "setitem", "countOf", "indexOf"),
    *("is_", "is_not", "iconcat", "iadd", "isub", "imul", "imatmul", "itruediv"),
    *("ifloordiv", "imod", "ipow", "iand", "ior", "ixor", "ilshift", "irshift"),
)
TABLE: Mapping[object, Entry] = {
    **{getattr(operator, name): Definition(f"operator.{name}", "operators") for name in _NAMES},
    operator.abs: builtin_functions.TABLE[abs],
}
