"""Every routine by name, and where it is compiled: with each module, or once, as support code.

What is called seldom, or is too large to be inlined, is compiled once: a module declares it, and
finds it in the support code when it is loaded. Almost every module raises and reports exceptions;
the routines for that are usual, and in the support code's core.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from scriptc.backends.llvm.entry import list_routines, traces
from scriptc.backends.llvm.entry.functions import routines as boundary_routines
from scriptc.backends.llvm.generators import locks, ziggurat
from scriptc.backends.llvm.generators import routines as random_routines
from scriptc.backends.llvm.routines import (
    bigints,
    byte_objects,
    complex,
    decimal_texts,
    decimals,
    device,
    kernels,
    reshaping,
    scalars,
    small,
    text_contents,
    text_formats,
    text_numbers,
    text_objects,
    text_searches,
    texts,
)
from scriptc.backends.llvm.routines.small import Routine
from scriptc.backends.llvm.rules import gufuncs
from scriptc_runtime.later import Part, TableOfFamilies

SYMBOL = "sc."  # what the symbols of routines begin with
_USUAL_AT_BOUNDARY = ("report", "call_with_address")
# The names in each module, which is loaded with the first of them.
MODULES: Sequence[tuple[str, Part[str, Routine]]] = (
    (
        "box_array box_device_array box_instance box_ints box_named box_tuple "
        "call_with_address enter_device free_instance leave_device new_array "
        "read_device_array report same_array stack_limit",
        lambda: _boundary(),
    ),
    (
        "block_drop block_keep drop free_items list_free list_grow list_reserve "
        "new_list new_ring_list release_array retain_array track",
        lambda: small.ROUTINES,
    ),
    (
        "add_context caught class_of fetch free_cause free_trace interrupted kind_of "
        "new_trace older pass raise raise1 raise2 raise3 raise4 set_cause",
        lambda: traces.ROUTINES,
    ),
    (
        "lies_apart scratch",
        lambda: kernels.ROUTINES,
    ),
    (
        "reshape",
        lambda: reshaping.ROUTINES,
    ),
    (
        "compare_int_float divide_ints double_to_half floordiv_f32 floordiv_f64 mod_f32 "
        "mod_f64 power_ints",
        lambda: scalars.ROUTINES,
    ),
    (
        "dict_index dict_put memo_block memo_get memo_made memo_put note put_back "
        "put_items set_room settle",
        lambda: list_routines.ROUTINES,
    ),
    (
        "hold_lock lock lock_again unlock",
        lambda: locks.ROUTINES,
    ),
    (
        "let_others no_others polar",
        lambda: random_routines.ROUTINES,
    ),
    (
        "power_c128 power_c64 python_power",
        lambda: complex.ROUTINES,
    ),
    (
        "factored_f32 factored_f64 gufunc",
        lambda: gufuncs.ROUTINES,
    ),
    (
        "bigint_drop bigint_in bigint_int bigint_keep bigint_of bigint_out",
        lambda: bigints.ROUTINES,
    ),
    (
        "decimal_odd decimal_power decimal_product decimal_rounded decimal_scaled decimal_shortest",
        lambda: decimals.ROUTINES,
    ),
    (
        "decimal_count decimal_digits decimal_fixed decimal_laid decimal_text",
        lambda: decimal_texts.ROUTINES,
    ),
    (
        "decimal_read",
        lambda: text_numbers.ROUTINES,
    ),
    (
        "device_call device_clear device_fetch device_free device_launch "
        "device_launch_guarded device_new device_put device_raise_failed "
        "device_raise_first device_stream",
        lambda: device.ROUTINES,
    ),
    (
        "format_digits format_int format_padded format_quoted format_text",
        lambda: text_formats.ROUTINES,
    ),
    (
        "text_block text_cell text_char text_drop text_empty text_fill text_free "
        "text_get text_immortal text_keep text_kind text_new text_point text_put "
        "text_release text_retain text_room text_widest",
        lambda: texts.ROUTINES,
    ),
    (
        "text_call text_changed text_constant text_in text_out text_taken",
        lambda: text_objects.ROUTINES,
    ),
    (
        "text_blank text_bound text_break text_compared text_equal text_find text_hash "
        "text_hashed text_ink text_match text_order",
        lambda: text_searches.ROUTINES,
    ),
    (
        "text_extended text_joined text_of_int text_repeated text_slice",
        lambda: text_contents.ROUTINES,
    ),
    (
        "text_bytes_in text_bytes_out text_bytes_taken text_decoded text_encoded text_of_bytes",
        lambda: byte_objects.ROUTINES,
    ),
    (
        "normal",
        lambda: {"normal": ziggurat.NORMAL},
    ),
)
_PLACES: Mapping[str, int] = {
    name: place for place, (names, _) in enumerate(MODULES) for name in names.split()
}


@cache
def routines() -> Mapping[str, Routine]:
    """Return all routines, for this Python and NumPy."""
    parts = {str(place): (load,) for place, (_, load) in enumerate(MODULES)}
    return TableOfFamilies(_usual(), lambda name: str(_PLACES.get(name, "")), parts)


@cache
def _boundary() -> Mapping[str, Routine]:
    return boundary_routines()


@cache
def _usual() -> Mapping[str, Routine]:
    return {
        **{name: traces.ROUTINES[name] for name in traces.USUAL},
        **{name: _boundary()[name] for name in _USUAL_AT_BOUNDARY},
    }


def usual_routines() -> Sequence[Routine]:
    """Return the routines of the support code's core."""
    return [routine for routine in _usual().values() if routine.shared]


def shared_routines(chosen: Callable[[str], bool]) -> Sequence[Routine]:
    """Return those of the support code's rest whose symbols are chosen, and load no others."""
    names = (name for name in _PLACES if name not in _usual() and chosen(SYMBOL + name))
    found = map(routines().__getitem__, names)
    return [routine for routine in found if routine.shared]
