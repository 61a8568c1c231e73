"""Each table with an entry for every op has one; a failure names the op and the table."""

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from scriptc.backends.cuda import rules as cuda
from scriptc.backends.llvm.rules import table as llvm
from scriptc.kernels.fusion.build import BUILDERS
from scriptc.kernels.fusion.indexing.checked import OPENERS
from scriptc.lower.program import lower_program
from scriptc.passes.decompose import OPENED
from scriptc_runtime.ir import walk
from scriptc_runtime.ops import (
    OPS,
    arrays,
    bigints,
    buffers,
    control,
    data,
    elementary,
    elementwise,
    exact,
    exceptions,
    fourier,
    generators,
    integers,
    joining,
    linalg,
    low,
    picking,
    products,
    reductions,
    reshaping,
    scans,
    sequences,
    sorting,
    texts,
)
from scriptc_runtime.ops.opdef import Level, OpDef
from tests.support.op_samples import samples
from tests.support.program_cases import PROGRAMS, Program, as_function, checked

REPO = Path(__file__).parents[2]
Names = frozenset[str]


def names(ops: Iterable[OpDef]) -> Names:
    return frozenset(op.name for op in ops)


def declared() -> Names:
    numbers = (elementwise, elementary, integers, exact)
    picked = (arrays, joining, picking, reshaping, reductions, scans)
    shapes = (*picked, sorting, sequences, linalg, fourier, generators)
    families = (control, exceptions, data, texts, *numbers, *shapes, low, buffers, products)
    return names(v for f in families for v in vars(f).values() if isinstance(v, OpDef))


def library() -> Names:
    return names(op for op in OPS.values() if op.level is Level.LIBRARY)


def sampled() -> Names:
    return frozenset(name for name, found in samples().items() if len(found) > 1)


# What programs name for ops of other names, which few of them have.
# No other program is looked at for such an op: all of them take a minute.
_NAMED = {
    **{op.name: "bigint" for op in bigints.CORE_OPS},
    "argument_is": "args",
    **dict.fromkeys(("argument_text", "held_argument", "hold", "holds_values"), "Found"),
    "array_text": "ascii",
    **dict.fromkeys(("bytes_items", "items_min"), "bytearray"),
    "decoded": "decode",
    "encoded": "encode",
    "exception_traceback": "__traceback__",
    "format_by": "format",
    **dict.fromkeys(("global_random", "seed_random"), "seed"),
    "on_device": "histogram",
    "older_exception": "__context__",
    "outer_take": "ix_",
    "order_statistics": "nanmedian",
    "record_field": "BODY",
    "pow_mod": "pow",
    "print_with": "writelines",
    "put_masked": "putmask",
    "set_shape": "mgrid",
    "str_to_float": "float",
    "tally": "bincount",
}


def spoken() -> Names:
    """The ops that the programs of tests/programs are lowered to, until none is missing."""
    found = set[str]()
    # Most ops have the name of the function that stands for them, or come with others of them.
    for program in sorted(PROGRAMS, key=lambda program: -len(_names_in(program))):
        missing = SPOKEN - found
        named = {_NAMED.get(op, op) for op in missing}
        if not named.isdisjoint(_names_in(program)):
            module = lower_program(checked(program.function, program.calls[0]))
            found |= names(i.op for f in module.functions.values() for i in walk(f.body))
    return frozenset(found)


def _names_in(program: Program) -> tuple[str, ...]:
    return as_function(program.function).__code__.co_names


def documented() -> Names:
    text = (REPO / "docs" / "ops.md").read_text(encoding="utf-8")
    return frozenset(re.findall(r"^\| `(\w+)", text, re.MULTILINE))


def with_body() -> Names:
    """The library ops whose row in OPENED leads to a function of their name."""
    return frozenset(
        op.name
        for op, file in OPENED.items()
        if f"\ndef {op.name}(" in (REPO / "stdlib" / f"{file}.py").read_text(encoding="utf-8")
    )


class Table(NamedTuple):
    """A table: the ops that must be in it, and those that are."""

    needed: Callable[[], Names]
    found: Callable[[], Names]


# Python's own control flow makes cells without a value; one with a value is for IR by hand.
SPOKEN = names(op for op in OPS.values() if op.level is not Level.LOW) - {"cell"}

TABLES: Mapping[str, Table] = {
    "OPS in the op's own file": Table(declared, lambda: frozenset(OPS)),
    "samples in tests/support/op_samples.py": Table(
        lambda: names(op for op in OPS.values() if op.evaluate), sampled
    ),
    "programs in tests/programs that name it, or what _NAMED says": Table(lambda: SPOKEN, spoken),
    "RULES or NO_RULE in scriptc/backends/llvm/rules*.py": Table(
        lambda: frozenset(OPS), lambda: names((*llvm.RULES, *llvm.NO_RULE))
    ),
    "EXPRESSIONS, STRUCTURE or NO_RULE in scriptc/backends/cuda/rules.py": Table(
        lambda: frozenset(OPS), lambda: names((*cuda.EXPRESSIONS, *cuda.STRUCTURE, *cuda.NO_RULE))
    ),
    # Code of `fuse` opens `assign`, `open_updates` `combine`, and code of `decompose` the others.
    "BUILDERS or OPENERS in scriptc/kernels": Table(
        lambda: names(llvm.NO_RULE) - library() - {"assign", "combine", "draw_array", "on_device"},
        lambda: names((*BUILDERS, *OPENERS)),
    ),
    # Code of `decompose` opens `list`.
    "OPENED in scriptc/passes/decompose.py, with a body in stdlib": Table(
        lambda: library() - {"list"}, with_body
    ),
    "docs/ops.md (make bless)": Table(lambda: frozenset(OPS), documented),
}


@pytest.mark.parametrize("table", TABLES)
def test_a_table_has_every_op(table: str) -> None:
    missing = TABLES[table].needed() - TABLES[table].found()
    assert not missing, f"{table}: no entry for {', '.join(sorted(missing))}"


def test_no_op_has_both_a_rule_and_a_reason_for_none() -> None:
    assert not llvm.RULES.keys() & llvm.NO_RULE
    assert not cuda.EXPRESSIONS.keys() & cuda.STRUCTURE
    assert not cuda.NO_RULE.keys() & {*cuda.EXPRESSIONS, *cuda.STRUCTURE}
