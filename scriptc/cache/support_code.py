"""The support code, which every object of machine code is bound to, as objects for the cache.

It needs little of the compiler: a thread has LLVM compile it beside the first program.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache

from scriptc.backends.llvm import machine
from scriptc.backends.llvm.elementary import functions
from scriptc.backends.llvm.emitter.effort import Effort
from scriptc.backends.llvm.entry import guard_text as entry_guard_text
from scriptc.backends.llvm.host import host
from scriptc.backends.llvm.loading.machine_code import (
    ARRAYS,
    BLOCKS,
    CALLS,
    CODINGS,
    DECIMALS,
    DEVICE,
    FORMATS,
    GIVEN,
    GUARDED,
    LISTS,
    MEMORY,
    MESSAGES,
    OBJECTS,
    READING,
    REST,
    TEXTS,
    WORDS,
    part_of,
)
from scriptc.backends.llvm.support import assemble, transpose
from scriptc.backends.llvm.support.products import matrix_matrix, matrix_vector, panels, tiles
from scriptc.backends.llvm.support.selection import extremes
from scriptc.backends.llvm.support.selection import routines as selection
from scriptc.backends.llvm.vectors import blocks, row_sums
from scriptc.cache.loader import leaf_type


def llvm_version() -> str:
    """Return the version of LLVM, which is asked."""
    return host().llvm_version


def support_object() -> bytes:
    """Compile the support code, with what guards functions."""
    return assemble.compile_support(_core_text())


@cache
def _core_text() -> str:
    return assemble.core_text(leaf_type()) + entry_guard_text.guard_text(leaf_type())


def parts_for(names: Iterable[str]) -> set[str]:
    """Return the parts of the support code, besides its core, that have some of these symbols."""
    outside = set(names) - assemble.defined_names(_core_text())
    return {part for name in outside if (part := part_of(name))}


def parts_for_program(text: str) -> set[str]:
    """Return the same for a program, as LLVM IR."""
    return parts_for(assemble.declared_names(text))


def part_object(name: str) -> bytes:
    """Compile a part of the support code that not every function needs.

    That is what programs of arrays need, what calls, lists, objects, texts, formats and devices do,
    the rest of it, a product of arrays, what finds elements by their order, what copies columns to
    rows or sums up rows of columns, what reductions do for each block, or a function that seldom is
    needed.
    """
    if name == ARRAYS:
        return assemble.compile_support(assemble.arrays_text())
    if name in (CALLS, GIVEN, OBJECTS, DEVICE, REST):
        return assemble.compile_support(assemble.routines_text(name))
    if name in (BLOCKS, LISTS, MESSAGES, TEXTS, WORDS, CODINGS, FORMATS, DECIMALS, READING):
        # Programs spend their time in it.
        made = {BLOCKS: assemble.blocks_text, DECIMALS: assemble.decimals_text}
        text = made[name]() if name in made else assemble.routines_text(name)
        return machine.compile_to_object(text, optimise=1, effort=Effort.NONE)
    if name == MEMORY:
        return assemble.compile_support(assemble.memory_text())
    if name == GUARDED:
        return assemble.compile_support(assemble.guarded_text())
    # Written as vector code already.
    return machine.compile_to_object(_seldom_text(name), optimise=1, effort=Effort.NONE)


def _seldom_text(name: str) -> str:
    """Return the text of a part that is written with vectors, or of a single function."""
    for start, text in WRITTEN.items():
        if name.startswith(start):
            return text(name)
    return matrix_vector.product_text(name, host().features)


# What the names of parts begin with, as their modules say, one of which is loaded with a part.
WRITTEN: Mapping[str, Callable[[str], str]] = {
    "apart_": lambda name: functions.text_apart(name),
    "at_": lambda name: selection.selection_text(name, host().features),
    "axpys": lambda name: panels.panels_text(name, host().features),
    "blocks_": lambda name: blocks.blocks_text(name),
    "by_": lambda name: selection.selection_text(name, host().features),
    "columns_": lambda name: transpose.transpose_text(name),
    "dots": lambda name: panels.panels_text(name, host().features),
    "first_": lambda name: extremes.extremes_text(name),
    "of_": lambda name: matrix_matrix.product_text(name, host().features),
    "row_sums_": lambda name: row_sums.row_sums_text(name),
    "tiles_": lambda name: tiles.tiles_text(name),
}
