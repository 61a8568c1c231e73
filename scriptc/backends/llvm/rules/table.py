"""The one table of what each op becomes in LLVM IR, and the ops that never come here."""

from collections.abc import Mapping

from scriptc.backends.llvm.emit_function import Emitter, Rule
from scriptc.backends.llvm.rules import compare, control, convert, elementary, memory, objects
from scriptc.backends.llvm.rules import complex as rules_complex
from scriptc.backends.llvm.rules import data as rules_data
from scriptc.backends.llvm.rules import numbers as rules_numbers
from scriptc.backends.llvm.tables import TableInParts
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
    **objects.RULES,
}


def _seldom() -> Mapping[OpDef, Rule]:
    # Inside a function: most programs need none of these.
    from scriptc.backends.llvm.rules import seldom

    return seldom.RULES


# Those of `_PLAIN` that have a rule for complex numbers in one of the two modules with such rules.
_TWOFOLD = (*rules_complex.RULES, *elementary.RULES, elementwise.POW, elementwise.SQRT)


def _of_complex(op: OpDef) -> Rule:
    if op in rules_complex.RULES:
        return rules_complex.RULES[op]
    # Inside a function: most programs have no complex numbers.
    from scriptc.backends.llvm.rules import complex_functions

    return complex_functions.RULES.get(op, _PLAIN[op])


def _by_kind(op: OpDef) -> Rule:
    """Return the rule of an op that may have one of its own for complex numbers."""
    plain = _PLAIN.get(op)
    if plain is None:
        return rules_complex.RULES[op]

    def rule(e: Emitter, instr: Instr) -> None:
        if rules_complex.concerns(instr):
            _of_complex(op)(e, instr)
        else:
            plain(e, instr)

    return rule


RULES: Mapping[OpDef, Rule] = TableInParts(
    {**_PLAIN, **{op: _by_kind(op) for op in _TWOFOLD}}, _seldom
)

# Opened before, by `decompose` (library ops, with their bodies in stdlib/) or by the kernels stage
# (work on whole arrays, which becomes loops).
NO_RULE: frozenset[OpDef] = frozenset(
    {
        data.LIST,
        data.LIST_LEN,
        data.LIST_GET,
        data.LIST_SET,
        data.LIST_APPEND,
        data.LIST_INSERT,
        data.LIST_EXTEND,
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
