"""The table of ops as Markdown: `python -m scriptc.cli.ops_table > docs/ops.md`."""

from collections.abc import Iterator, Sequence

from scriptc_runtime.ops import (
    arrays,
    bigints,
    buffers,
    byte_strings,
    classes,
    containers,
    control,
    data,
    device,
    elementary,
    elementwise,
    exact,
    exceptions,
    fourier,
    generators,
    integers,
    joining,
    linalg,
    list_items,
    list_parts,
    low,
    named,
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
from scriptc_runtime.ops.opdef import Level, OpDef, Trait

_FAMILIES: Sequence[tuple[str, Sequence[OpDef]]] = (
    ("Control flow, calls, cells and exceptions", (*control.OPS, *exceptions.OPS)),
    (
        "Constants, strings, tuples, lists, dicts, sets, optionals, unions and classes",
        (
            *data.OPS,
            *list_parts.OPS,
            *classes.OPS,
            *containers.OPS,
            *named.OPS,
            *unions.OPS,
            *texts.OPS,
            *tuples.OPS,
            *byte_strings.OPS,
            *bigints.CORE_OPS,
        ),
    ),
    ("Element by element", (*elementwise.OPS, *elementary.OPS, *integers.OPS, *sequences.OPS)),
    (
        "Arrays: indexing, views, making and writing",
        (*arrays.OPS, *joining.OPS, *picking.OPS, *reshaping.CORE_OPS),
    ),
    ("Reductions, products and sorting", (*reductions.OPS, *scans.OPS, *sorting.LIBRARY_OPS)),
    ("Linear algebra and Fourier transforms", (*linalg.LIBRARY_OPS, *fourier.OPS)),
    (
        "Random numbers and clocks",
        (*generators.CORE_OPS, *generators.LIBRARY_OPS, *outside.OPS),
    ),
    (
        "Low ops",
        (
            *(*low.OPS, *device.OPS, *list_items.OPS, *buffers.OPS, *products.OPS),
            *(*reshaping.LOW_OPS, *bigints.LOW_OPS),
            *(*linalg.LOW_OPS, *sorting.LOW_OPS, *exact.OPS, *generators.LOW_OPS),
        ),
    ),
)
_HEAD = """# The ops of the IR

`python -m scriptc.cli.ops_table` makes this page from the table of ops; a test compares the two.

*Core* ops check their operands and are defined for all values of their types; they can be saved,
read and interpreted. *Library* ops are like core ops, and have a body in `stdlib/`, by which
`decompose` replaces them. *Low* ops check nothing and exist only inside of a compilation. A last
operand `*x` stands for any number of operands. *Region* ops have blocks and a label; a *terminator*
ends a block. The record of an op says what it reads, writes, aliases and raises, which depends on
the types of its operands.
"""


def ops_markdown() -> str:
    """Return the whole page."""
    return _HEAD + "".join(_family(title, ops) for title, ops in _FAMILIES)


def _family(title: str, ops: Sequence[OpDef]) -> str:
    rows = "\n".join(map(_row, ops))
    return f"\n## {title}\n\n| op | level | meaning |\n|---|---|---|\n{rows}\n"


def _row(op: OpDef) -> str:
    attrs = f" [{', '.join(op.attrs)}]" if op.attrs else ""
    form = " ".join((op.name, ", ".join(op.operands))).strip() + attrs
    kinds = ", ".join((_level(op), *_traits(op)))
    return f"| `{form}` | {kinds} | {_doc(op.doc)} |"


def _level(op: OpDef) -> str:
    match op.level:
        case Level.CORE:
            return "core"
        case Level.LIBRARY:
            return "library"
        case Level.LOW:
            return "low"


def _traits(op: OpDef) -> Iterator[str]:
    if Trait.REGION in op.traits:
        yield f"region of {op.blocks} block{'s' if op.blocks > 1 else ''}"
    if Trait.TERMINATOR in op.traits:
        yield "terminator"


def _doc(doc: str) -> str:
    return " ".join(doc.split()).replace("|", "\\|")


if __name__ == "__main__":
    print(ops_markdown(), end="")
