"""The one table of what each op becomes in LLVM IR, and the ops that never come here."""

from collections.abc import Mapping

from scriptc.backends.llvm.emit_function import Emitter, Rule
from scriptc.backends.llvm.rules import (
    blas,
    compare,
    complex_functions,
    control,
    convert,
    elementary,
    gufuncs,
    launch,
    memory,
    objects,
    text,
    views,
)
from scriptc.backends.llvm.rules import complex as rules_complex
from scriptc.backends.llvm.rules import data as rules_data
from scriptc.backends.llvm.rules import numbers as rules_numbers
from scriptc.backends.llvm.rules import random as rules_random
from scriptc.backends.llvm.rules import reshaping as rules_reshaping
from scriptc.backends.llvm.rules import sorting as rules_sorting
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import (
    arrays,
    data,
    elementwise,
    fourier,
    integers,
    linalg,
    random,
    reductions,
    reshaping,
    sequences,
    sorting,
)
from scriptc_runtime.ops.opdef import OpDef

_PLAIN: Mapping[OpDef, Rule] = {
    **control.RULES,
    **rules_numbers.RULES,
    **elementary.RULES,
    **compare.RULES,
    **convert.RULES,
    **rules_data.RULES,
    **memory.RULES,
    **launch.RULES,
    **objects.RULES,
    **text.RULES,
    **views.RULES,
    **rules_reshaping.RULES,
    **blas.RULES,
    **gufuncs.RULES,
    **rules_random.RULES,
    **rules_sorting.RULES,
}


_COMPLEX: Mapping[OpDef, Rule] = {**rules_complex.RULES, **complex_functions.RULES}


def _by_kind(op: OpDef) -> Rule:
    """Return the rule of an op that has one of its own for complex numbers."""
    plain, of_complex = _PLAIN.get(op), _COMPLEX[op]
    if plain is None:
        return of_complex

    def rule(e: Emitter, instr: Instr) -> None:
        if rules_complex.concerns(instr):
            of_complex(e, instr)
        else:
            plain(e, instr)

    return rule


RULES: Mapping[OpDef, Rule] = {**_PLAIN, **{op: _by_kind(op) for op in _COMPLEX}}

# Opened before, by `decompose` (library ops, with their bodies in stdlib/) or by the kernels stage
# (work on whole arrays, which becomes loops).
NO_RULE: frozenset[OpDef] = frozenset(
    {
        data.LIST,
        data.LIST_LEN,
        data.LIST_GET,
        data.LIST_SET,
        data.LIST_APPEND,
        data.LIST_POP,
        elementwise.WHERE,
        arrays.INDEX,
        arrays.SET_INDEX,
        arrays.ASSIGN,
        arrays.EMPTY,
        arrays.FULL,
        arrays.ARANGE,
        arrays.COPY,
        arrays.COMPRESS,
        arrays.TAKE,
        arrays.PUT_MASKED,
        arrays.MATMUL,
        *reshaping.CORE_OPS,
        *reductions.OPS,
        *integers.OPS,
        *sequences.OPS,
        *sorting.LIBRARY_OPS,
        *linalg.LIBRARY_OPS,
        *fourier.OPS,
        random.DRAW_ARRAY,
        *random.LIBRARY_OPS,
    }
)
