"""The one table of what each op becomes in LLVM IR, and the ops that never come here."""

from collections.abc import Mapping, Sequence
from functools import cache

from scriptc.backends.llvm.emitter.function import Emitter, Rule
from scriptc.backends.llvm.rules import bigints as rules_bigints
from scriptc.backends.llvm.rules import (
    blas,
    compare,
    complex_functions,
    convert,
    formats,
    gufuncs,
    hashes,
    launch,
    memory,
    nests,
    objects,
    text,
    text_items,
    views,
)
from scriptc.backends.llvm.rules import byte_strings as rules_byte_strings
from scriptc.backends.llvm.rules import complex as rules_complex
from scriptc.backends.llvm.rules import control as rules_control
from scriptc.backends.llvm.rules import data as rules_data
from scriptc.backends.llvm.rules import device as rules_device
from scriptc.backends.llvm.rules import elementary as rules_elementary
from scriptc.backends.llvm.rules import exceptions as rules_exceptions
from scriptc.backends.llvm.rules import generators as rules_generators
from scriptc.backends.llvm.rules import list_parts as list_rules
from scriptc.backends.llvm.rules import outside as rules_outside
from scriptc.backends.llvm.rules import reshaping as rules_reshaping
from scriptc.backends.llvm.rules import scalars as rules_numbers
from scriptc.backends.llvm.rules import sorting as rules_sorting
from scriptc.backends.llvm.rules import unions as rules_unions
from scriptc_runtime.ir import Instr
from scriptc_runtime.later import Part, TableOfFamilies
from scriptc_runtime.ops import (
    arrays,
    bigints,
    byte_strings,
    classes,
    containers,
    control,
    data,
    device,
    elementary,
    elementwise,
    exceptions,
    fourier,
    generators,
    integers,
    joining,
    linalg,
    list_items,
    list_parts,
    low,
    outside,
    picking,
    products,
    reductions,
    reshaping,
    scans,
    sequences,
    sorting,
    texts,
    tuples,
    unions,
)
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import element_of, is_complex

_PLAIN: Mapping[OpDef, Rule] = {
    **rules_control.RULES,
    **rules_numbers.RULES,
    **rules_elementary.RULES,
    **compare.RULES,
    **convert.RULES,
    **rules_data.RULES,
    **memory.RULES,
}


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


# Where the rules of a family of ops are: a module is loaded with the first op that it may have.
# What comes in two families is of the later one.
_SELDOM: Mapping[str, tuple[Sequence[OpDef], Sequence[Part[OpDef, Rule]]]] = {
    "arrays": (arrays.OPS, (lambda: views.RULES,)),
    "bigints": (bigints.OPS, (lambda: rules_bigints.RULES,)),
    "byte strings": (byte_strings.OPS, (lambda: rules_byte_strings.RULES,)),
    "classes": (classes.OPS, (lambda: objects.RULES,)),
    "containers": (containers.OPS, (lambda: objects.RULES, lambda: hashes.RULES)),
    "control": (control.OPS, (lambda: objects.RULES,)),
    "data": (
        data.OPS,
        (
            *(lambda: objects.RULES, lambda: text.RULES),
            *(lambda: formats.RULES, lambda: rules_complex.RULES),
        ),
    ),
    "device": (device.LOW_OPS, (lambda: rules_device.RULES,)),
    "elementary": (elementary.OPS, (lambda: complex_functions.RULES,)),
    "elementwise": (
        elementwise.OPS, (lambda: rules_complex.RULES, lambda: complex_functions.RULES)
    ),
    "exceptions": (exceptions.OPS, (lambda: rules_exceptions.RULES,)),
    "generators": (generators.OPS, (lambda: rules_generators.RULES,)),
    "linalg": (linalg.OPS, (lambda: gufuncs.RULES,)),
    "list items": (list_items.OPS, (lambda: list_rules.RULES, lambda: objects.RULES)),
    "low": (
        low.OPS,
        (
            *(lambda: nests.RULES, lambda: launch.RULES, lambda: views.RULES),
            *(lambda: objects.RULES, lambda: rules_complex.RULES),
        ),
    ),
    "owners": ((low.RETAIN, low.RELEASE), (lambda: objects.RULES,)),
    "outside": (outside.OPS, (lambda: rules_outside.RULES,)),
    "products": (products.OPS, (lambda: blas.RULES,)),
    "reshaping": (reshaping.OPS, (lambda: rules_reshaping.RULES,)),
    "sorting": (sorting.OPS, (lambda: rules_sorting.RULES,)),
    "texts": (texts.OPS, (lambda: text_items.RULES, lambda: formats.RULES)),
    "tuples": (tuples.OPS, (lambda: list_rules.RULES,)),
    "unions": (unions.OPS, (lambda: rules_unions.RULES,)),
}  # fmt: skip


@cache
def _families() -> Mapping[OpDef, str]:
    return {op: family for family, (ops, _) in _SELDOM.items() for op in ops}


RULES: Mapping[OpDef, Rule] = TableOfFamilies(
    {op: _by_kind(op) for op in _PLAIN},
    lambda op: _families().get(op, ""),
    {family: parts for family, (_, parts) in _SELDOM.items()},
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
        picking.COMBINE,
        device.ON_DEVICE,
        picking.TAKE,
        picking.OUTER_TAKE,
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
