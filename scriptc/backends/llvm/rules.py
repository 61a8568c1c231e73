"""The one table of what each op becomes in LLVM IR, and the ops that never come here."""

from collections.abc import Mapping

from scriptc.backends.llvm import (
    rules_control,
    rules_convert,
    rules_data,
    rules_numbers,
)
from scriptc.backends.llvm.emit_function import Rule
from scriptc_runtime.ops.opdef import OpDef

RULES: Mapping[OpDef, Rule] = {
    **rules_control.RULES,
    **rules_numbers.RULES,
    **rules_convert.RULES,
    **rules_data.RULES,
}
