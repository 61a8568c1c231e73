"""Machine code and its tables -> functions that CPython can call. Loads no compiler."""

import builtins
import ctypes
import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial

import numpy as np

from scriptc.backends.llvm.loading import elfload, processors, symbols
from scriptc.backends.llvm.loading.callable import CallableBody, Word, word_offset
from scriptc.backends.llvm.loading.late_code import LATE, LOADER, LateCode
from scriptc.backends.llvm.loading.sites import FIRST_SITE, Site, SiteTable, number_sites
from scriptc_runtime.random_generators import global_state, seed
from scriptc_runtime.record import record

# The symbols of code that few functions need start so, and end in the name of their part of it.
PART_PREFIX = "sc.part."
# The allocator: functions of numbers need none.
MEMORY = "memory"
OF_MEMORY = frozenset(
    {
        "sc_alloc",
        "sc_alloc_fresh",
        "sc_alloc_ring",
        "sc_alloc_small",
        "sc_alloc_zero",
        "sc_cache_limit",
        "sc_cached_bytes",
        "sc_capsule_free",
        "sc_capsule_new",
        "sc_collect_rings",
        "sc_collect_with_python",
        "sc_deleting",
        "sc_end",
        "sc_end_call",
        "sc_live_blocks",
        "sc_recycle",
        "sc_release",
        "sc_retain",
        "sc_small_blocks",
        "sc_spare_limit",
        "sc_total_allocs",
        "sc_track",
        "sc_tracks_in",
        "sc_trim",
        "sc_waiting",
    }
)
# What runs for each small block and each list, optimised: functions that the allocator has, too.
BLOCKS = "blocks"
OF_BLOCKS: Mapping[str, str] = {
    "sc_block_end": "sc_end",
    "sc_block_new": "sc_alloc_small",
    "sc_block_new_ring": "sc_alloc_ring",
    "sc_block_release": "sc_release",
}
LISTS = "lists"
# What stands in its place under `SCRIPTC_GUARD`, and gives kernels their memory as well.
GUARDED = "guarded"
_GUARDED_NAMES: Mapping[str, str] = {
    "aligned_alloc": "sc_guard_take",
    "free": "sc_guard_give",
    **OF_BLOCKS,
}
# What most programs of arrays need: the thread pool, and routines.
ARRAYS = "arrays"
OF_ARRAYS = frozenset(
    {
        "sc.box_array",
        "sc.lies_apart",
        "sc.new_array",
        "sc.release_array",
        "sc.retain_array",
        "sc.same_array",
        "sc.scratch",
        "sc_apart_work",
        "sc_chunk_work",
        "sc_launch",
        "sc_quota",
        "sc_regions",
        "sc_shares",
        "sc_split_work",
        "sc_task_work",
        "sc_threads",
    }
)
# What exceptions on their way need, which are lists of frames, and results of several values.
CALLS = "calls"
# What lets Python have lists and dicts back that were changed.
GIVEN = "given"
# What objects and exceptions need.
OBJECTS = "objects"
# What makes texts, joins and frees them. Messages of exceptions, and keys, need no more.
MESSAGES = "messages"
# What cuts and compares texts, and adds to them; what searches lines and words; what bytes are of.
TEXTS, WORDS, CODINGS = "texts", "words", "codings"
# What writes ints and texts as formats say, what floats need for that, and what reads those.
FORMATS, DECIMALS, READING = "formats", "decimals", "reading"
# What arrays of a device need.
DEVICE = "device"
# The part of all other support code that is not in its core.
REST = "rest"
# The names of a part behind what all of them begin with.
_NAMED: Sequence[tuple[str, str, str]] = (
    (CALLS, "sc.", "box_tuple caught free_cause free_trace new_trace pass"),
    (CALLS, "sc.", "free_items list_reserve"),
    (LISTS, "sc.", "list_free list_grow new_list new_ring_list"),
    (GIVEN, "sc.", "dict_put note put_back put_items set_room settle"),
    (GIVEN, "sc.memo_", "block get made put"),
    (OBJECTS, "sc.", "add_context box_instance box_named class_of free_instance older set_cause"),
    (OBJECTS, "sc.", "stack_limit"),
    (MESSAGES, "sc.text_", "block cell char constant empty fill free get hashed immortal in"),
    (MESSAGES, "sc.text_", "joined kind new of_int out put release retain room taken widest"),
    (WORDS, "sc.text_", "blank break ink"),
    (CODINGS, "sc.text_", "bytes_in bytes_out bytes_taken decoded encoded of_bytes"),
    (READING, "sc.decimal_", "read"),
    (DEVICE, "sc_", "device_arrays driver"),
    (DEVICE, "sc.", "box_device_array enter_device leave_device read_device_array"),
)
_PARTS: Mapping[str, str] = {
    **dict.fromkeys(OF_MEMORY, MEMORY),
    **dict.fromkeys(OF_ARRAYS, ARRAYS),
    **dict.fromkeys(OF_BLOCKS, BLOCKS),
    **{start + name: part for part, start, names in _NAMED for name in names.split()},
}
# Those that have all other names that begin so.
_STARTS: Sequence[tuple[str, str]] = (
    ("sc.text_", TEXTS),
    ("sc.format_", FORMATS),
    ("sc.decimal_", DECIMALS),
    ("sc.device_", DEVICE),
    ("sc.", REST),
)
_OWN = ("sc.", "sc_")


def part_of(name: str) -> str:
    """Return the part of the support code that has a symbol which its core has not; "" if none."""
    if name.startswith(PART_PREFIX):
        return name.removeprefix(PART_PREFIX).partition("_")[2]
    if name in _PARTS:
        return _PARTS[name]
    if name.startswith(LATE):
        return ""
    return next((part for start, part in _STARTS if name.startswith(start)), "")


class SupportCode(Mapping[str, int]):
    """Addresses of the support code, by symbol.

    Parts of it that not every function needs are compiled, or found in the cache, when they are
    asked for. `threads` is for the thread pool, see `processors.configure`; `guard` for the
    allocator, see `options.guard_of_process`.
    """

    def __init__(
        self,
        core: Mapping[str, int],
        part: Callable[[str], bytes],
        threads: int = 0,
        guard: str = "",
    ) -> None:
        self._code = dict(core)
        self._part = part
        self._threads = threads
        self._guard = guard
        self._loaded: dict[str, Mapping[str, int]] = {}
        self._late = LateCode(self.__getitem__)

    @property
    def parts(self) -> AbstractSet[str]:
        """The parts that are loaded, besides the core."""
        return self._loaded.keys()

    def __getitem__(self, name: str) -> int:
        if self._guard and name in _GUARDED_NAMES:
            self._load(MEMORY)
            name = _GUARDED_NAMES[name]
        if name not in self._code:
            if name.startswith(LATE) or name == LOADER:
                return self._late.address(name)
            self._load(part_of(name))
        return self._code[name]

    def has(self, name: str) -> bool:
        """Whether the code with this symbol is loaded."""
        return name in self._code

    def learn(self, code: Mapping[str, int]) -> None:
        """Add the addresses of other code that stays; what is there already stays the same."""
        self._code = {**code, **self._code}

    def _load(self, part: str) -> None:
        if not part:
            return
        if part not in self._loaded:
            code = self._loaded_part(part)
            # Of two threads at once, one wins.
            if self._loaded.setdefault(part, code) is code and part == MEMORY:
                _collect_with_python(code)
        # Also where another thread loaded the part, which may not have come this far.
        code = self._loaded[part]
        if part == MEMORY:
            ctypes.c_void_p.from_address(self._code["sc_release_at"]).value = code["sc_release"]
        self._code.update(code)

    def _loaded_part(self, part: str) -> Mapping[str, int]:
        if part == MEMORY and self._guard:
            code = elfload.load(self._part(GUARDED), symbols.resolve)
            ctypes.c_int8.from_address(code["sc_guard_ends"]).value = self._guard == "end"
            return code
        code = elfload.load(self._part(part), self._resolve)
        if part == ARRAYS:
            processors.configure(code, self._threads)
        return code

    def _resolve(self, name: str) -> int:
        return self[name] if name in self else symbols.resolve(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._code)

    def __len__(self) -> int:
        return len(self._code)


def _collect_with_python(memory: Mapping[str, int]) -> None:
    """Have rings of objects collected whenever Python collects its oldest objects, for good.

    So rings that become garbage when an object of Python's dies do not wait for a call.
    """
    # It releases objects of Python's, so the GIL stays.
    collect = ctypes.PYFUNCTYPE(ctypes.c_int32)(memory["sc_collect_rings"])
    collects = ctypes.PYFUNCTYPE(None, ctypes.py_object, ctypes.py_object)
    gc.callbacks.append(collects(memory["sc_collect_with_python"]))
    elfload.Pages.collectors.append(collect)
    tracks_in = ctypes.PYFUNCTYPE(ctypes.c_int32, ctypes.c_size_t, ctypes.c_size_t)
    elfload.Pages.users.append(tracks_in(memory["sc_tracks_in"]))


@record
class CompiledObject:
    """Machine code, and what the numbers in it stand for; all of it can be kept in a file.

    `strings` are Python's own, `texts` are not. `objects` names the Python objects that code
    compares with and calls: "numpy.float64", "class C" (the type of instances).
    """

    code: bytes
    entries: int
    strings: tuple[str, ...]
    sites: tuple[Site, ...]
    objects: tuple[str, ...]
    texts: tuple[str, ...] = ()


@record
class LoadedEntries:
    """Code in this process. `addresses` are those of the entries, in the order of their specs.

    It lasts as long as this: `pages` own the code, `held` the Python objects that its tables point
    to.
    """

    addresses: tuple[int, ...]
    words: int
    held: tuple[object, ...]
    pages: elfload.Pages

    def connect(self, index: int, callable_type: type[CallableBody], cell: int) -> None:
        """Say where entry `index` jumps when it is specialisation `cell` of a callable.

        To be done before `callable.install`; all entries of an object serve callables of one type.
        """
        table = (ctypes.c_int64 * (len(self.addresses) + 1)).from_address(self.words)
        table[0] = word_offset(callable_type, Word.BIND)
        table[index + 1] = word_offset(callable_type, Word.CELLS + cell)


def entry_symbol(index: int) -> str:
    """Return the exported name of an entry of an object."""
    return f"sc_entry_{index}"


RAISED_CLASS = "exception_class."  # how keys of classes of exceptions begin


def fields_symbol(number: int) -> str:
    """Return the exported name of what gives the fields of an object that is raised."""
    return f"sc_fields_{number}"


HELD_KIND = "held."  # how keys of the types of values that exceptions hold begin


def held_symbol(number: int) -> str:
    """Return the exported name of what releases or gives a value that an exception holds."""
    return f"sc_held_{number}"


def load_compiled(
    compiled: CompiledObject,
    support: Mapping[str, int],
    objects: Mapping[str, object] | None = None,
    tables: Mapping[str, Sequence[int]] | None = None,
) -> LoadedEntries:
    """Bring a compiled object into this process.

    `tables` are words that symbols of the object are filled with. `support` gives the addresses of
    the support code's symbols, `objects` what the keys of `CompiledObject.objects` stand for, but
    for those of NumPy and of Python. Raises KeyError for a key without an object.
    """

    def resolve(name: str) -> int:
        if name == FIRST_SITE:
            return 0
        return support[name] if name in support else symbols.resolve(name)

    pages = elfload.Pages()
    loaded = elfload.load(compiled.code, resolve, pages)
    sites = SiteTable(compiled.sites)
    found = _fill_tables(loaded, compiled, sites, objects or {}, support)
    raiser = partial(_raised, sites=sites)
    _fill(loaded, "sc_raiser", [id(raiser)])
    for symbol, words in (tables or {}).items():
        _fill(loaded, symbol, words)
    addresses = tuple(loaded[entry_symbol(index)] for index in range(compiled.entries))
    return LoadedEntries(addresses, loaded["sc_words"], (compiled.strings, found, raiser), pages)


def load_instances(compiled: CompiledObject, support: SupportCode) -> None:
    """Bring instances of library functions into this process, for good.

    Code that is loaded later finds them in `support`.
    """
    first = number_sites(compiled.sites)

    def resolve(name: str) -> int:
        if name == FIRST_SITE:
            return first
        return support[name] if name in support else symbols.resolve(name)

    loaded = elfload.load(compiled.code, resolve)
    # Lists and dicts that they have made have deleters there, so they are never freed.
    _HELD.append((compiled, _fill_tables(loaded, compiled, SiteTable(()), {}, support)))
    support.learn({name: at for name, at in loaded.items() if not name.startswith(_OWN)})


_HELD: list[object] = []


def _fill_tables(
    loaded: Mapping[str, int],
    compiled: CompiledObject,
    sites: SiteTable,
    objects: Mapping[str, object],
    support: Mapping[str, int],
) -> tuple[object, ...]:
    """Fill the tables of an object with what they name, and return what must be kept alive."""
    found = tuple(
        _raised_object(key, objects, loaded)
        if key.startswith((RAISED_CLASS, HELD_KIND))
        else _object(key, objects, sites)
        for key in compiled.objects
    )
    if compiled.texts:
        # Inside a function: most programs have none.
        from scriptc.backends.llvm.loading.texts import text_constant

        make = support["sc.text_constant"]
        _fill(loaded, "sc_texts", [text_constant(make, text) for text in compiled.texts])
    _fill(loaded, "sc_constants", [id(text) for text in compiled.strings])
    _fill(loaded, "sc_objects", [id(value) for value in found])
    return found


def _fill(loaded: Mapping[str, int], symbol: str, words: Sequence[int]) -> None:
    if symbol in loaded:
        (ctypes.c_int64 * len(words)).from_address(loaded[symbol])[:] = words


def _raised(context: int, sites: SiteTable) -> BaseException:
    # Inside a function: most programs raise nothing.
    from scriptc.backends.llvm.loading.raising import make_exception

    return make_exception(context, sites)


def _about_exceptions(context: int, sites: SiteTable, question: str) -> object:
    # Inside a function: most programs raise nothing.
    from scriptc.backends.llvm.loading.raising import answer

    return answer(context, sites, question)


def _raised_object(key: str, given: Mapping[str, object], loaded: Mapping[str, int]) -> object:
    # Inside a function: few programs have classes of exceptions, or exceptions that hold values.
    from scriptc.backends.llvm.loading import held_blocks, raised_classes

    if key.startswith(HELD_KIND):
        return held_blocks.described(key.removeprefix(HELD_KIND), loaded).made
    return raised_classes.described(key.removeprefix(RAISED_CLASS), given, loaded)


def _argument(args: tuple[object, ...], index: int, *, question: str) -> object:
    # Inside a function: most programs raise nothing.
    from scriptc.backends.llvm.loading.raising import argument_of

    return argument_of(args, index, question=question)


def _of_few_programs(library: str, name: str) -> object:
    # Inside a function: few programs give sets back, write to what they are given, or draw numbers.
    if library == "print_with":
        from scriptc_runtime.printing import print_with

        return print_with
    if library == "put_back":
        from scriptc_runtime.written_containers import put_back

        return put_back
    if library == "outside":
        from scriptc_runtime.asked_functions import function_named

        return function_named(name)
    if library == "removed_item":
        from scriptc.backends.llvm.loading.removed_items import removed_item

        return removed_item()
    from scriptc.backends.llvm.loading.collection_functions import object_named

    return object_named(name)


def _object(key: str, given: Mapping[str, object], sites: SiteTable) -> object:
    library, _, name = key.partition(".")
    match library:
        case "numpy":
            return vars(np)[name]
        case "builtins" | "str":
            return vars(builtins if library == "builtins" else str)[name]
        case "random":
            return getattr(np.random, name)
        case "global_random":
            return global_state()
        case "seed_random":
            return seed
        case "print_with" | "removed_item" | "put_back" | "collections" | "outside":
            return _of_few_programs(library, name)
        case "exception_text" | "exception_object" | "exception_args" | "given_args":
            return partial(_about_exceptions, sites=sites, question=name or key)
        case "argument":
            return partial(_argument, question=name)
        case _:
            return given[key]
