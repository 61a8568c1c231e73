"""The one table of what each op becomes in LLVM IR, and the ops that never come here."""

from collections.abc import Mapping
from functools import cache

from scriptc.backends.llvm.emitter.function import Emitter, Rule
from scriptc.backends.llvm.emitter.lazy_tables import TableInParts
from scriptc.backends.llvm.rules import bigints as rules_bigints
from scriptc.backends.llvm.rules import (
    byte_strings,
    compare,
    complex_functions,
    control,
    convert,
    device,
    elementary,
    exceptions,
    formats,
    hashes,
    memory,
    objects,
    outside,
    rare,
    text,
    text_items,
    unions,
)
from scriptc.backends.llvm.rules import complex as rules_complex
from scriptc.backends.llvm.rules import data as rules_data
from scriptc.backends.llvm.rules import list_parts as list_rules
from scriptc.backends.llvm.rules import scalars as rules_numbers
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import (
    arrays,
    bigints,
    data,
    elementwise,
    fourier,
    generators,
    integers,
    joining,
    linalg,
    list_parts,
    picking,
    reductions,
    reshaping,
    scans,
    sequences,
    sorting,
)
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import element_of, is_complex

_PLAIN: Mapping[OpDef, Rule] = {
    **control.RULES,
    **rules_numbers.RULES,
    **elementary.RULES,
    **compare.RULES,
    **convert.RULES,
    **rules_data.RULES,
    **memory.RULES,
}


def _of_objects() -> Mapping[OpDef, Rule]:
    held = {**objects.RULES, **text.RULES, **hashes.RULES, **unions.RULES, **exceptions.RULES}
    held |= list_rules.RULES
    held |= formats.RULES
    held |= text_items.RULES
    held |= byte_strings.RULES
    held |= rules_bigints.RULES
    return TableInParts(held, _seldom)


def _seldom() -> Mapping[OpDef, Rule]:
    return {**rare.RULES, **outside.RULES, **device.RULES}


@cache
def _of_complex() -> Mapping[OpDef, Rule]:
    return {**_PLAIN, **complex_functions.RULES, **rules_complex.RULES}


def _by_kind(op: OpDef) -> Rule:
    """Return the rule of an op that may have one of its own for complex numbers."""
    plain = _PLAIN[op]

    def rule(e: Emitter, instr: Instr) -> None:
        if any(is_complex(element_of(v.type)) for v in (*instr.operands, *instr.results)):
            _of_complex()[op](e, instr)
        else:
            plain(e, instr)

    return rule


RULES: Mapping[OpDef, Rule] = TableInParts({op: _by_kind(op) for op in _PLAIN}, _of_objects)

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
        *list_parts.OPS,
        data.LIST_ROOM,
        data.LIST_POP,
        elementwise.WHERE,
        arrays.INDEX,
        arrays.SET_INDEX,
        arrays.ASSIGN,
        arrays.EMPTY,
        arrays.FULL,
        arrays.ARANGE,
        arrays.COPY,
        *joining.OPS,
        picking.COMPRESS,
        picking.PLACES,
        picking.TALLY,
        picking.TAKE,
        picking.PUT_AT,
        picking.PUT_MASKED,
        arrays.MATMUL,
        *reshaping.CORE_OPS,
        *reductions.OPS,
        *scans.OPS,
        *integers.OPS,
        *bigints.LIBRARY_OPS,
        *sequences.OPS,
        *sorting.LIBRARY_OPS,
        *linalg.LIBRARY_OPS,
        *fourier.OPS,
        generators.DRAW_ARRAY,
        *generators.LIBRARY_OPS,
    }
)
