"""Load an object file into this process: memory, relocations, symbols. No LLVM, no linker.

A warm start runs cached machine code without importing llvmlite (50 ms, 50 MB). The objects are
ELF on every system (`llvm.host`); the linker below knows x86-64 Linux, other machines fall back
on LLVM's own, at the price of that import.

The bytes come from a cache folder that only its owner can write. A damaged file is refused with an
ObjectError, but code that somebody else could write must never come here: loading is trusting.
"""

import ctypes
import platform
import struct
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import ClassVar

from scriptc_runtime.record import record

# Beyond this a size is damage, not code. Within it any distance inside the image fits 32 bits.
_MAX_IMAGE = 1 << 28
# Of x86-64 Linux, whose code is linked here. The modules that have these cost more than they say.
_PAGE = 4096
_PRIVATE, _ANONYMOUS = 0x02, 0x20


class ObjectError(Exception):
    """An object file that is damaged, or of a kind that is not understood."""


# Plain numbers below, not enums: this module is part of every warm start.


class _Machine:
    X86_64 = 62
    AARCH64 = 183


class _SectionType:
    SYMTAB = 2
    RELA = 4
    NOBITS = 8
    REL = 9
    INIT_ARRAY = 14
    FINI_ARRAY = 15


class _SectionFlag:
    WRITE = 1
    ALLOC = 2
    EXECINSTR = 4
    TLS = 0x400


class _Protection:
    """What the pages of a segment allow, never both writing and running; in order of placing."""

    CONSTANTS = 1  # PROT_READ
    VARIABLES = 1 | 2  # and PROT_WRITE
    CODE = 1 | 4  # and PROT_EXEC
    ALL = (CODE, CONSTANTS, VARIABLES)


class _Relocation:
    """The relocations of x86-64 that LLVM emits for the small code model with PIC."""

    NONE = 0
    ABS64 = 1
    PC32 = 2
    PLT32 = 4
    GOTPCREL = 9
    ABS32 = 10
    ABS32S = 11
    PC64 = 24
    GOTPCRELX = 41
    REX_GOTPCRELX = 42
    # To the word with an address; and all that say how far it is from their place.
    OF_TABLE = (GOTPCREL, GOTPCRELX, REX_GOTPCRELX)
    TO_PLACE = (PC32, PLT32, *OF_TABLE)


_UNDEFINED = 0
_FIRST_RESERVED = 0xFF00
_ABSOLUTE = 0xFFF1
_GLOBAL, _WEAK = 1, 2
_HIDDEN = (1, 2)
_TLS, _IFUNC = 6, 10

# How the names of deleters begin: what the last owner of an object's block calls.
DELETER = "sc.delete_"
# Before each of several objects in one: this, its size, and that of the names behind it.
_JOINED, _SIZES = b"objects\n", struct.Struct("<QQ")
# What the names of an object stand for where it is loaded: a name, and so many bytes behind it.
Names = Mapping[str, tuple[str, int]]
_HEADER = struct.Struct("<6s10xHH4xQQQ4xHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELA = struct.Struct("<QQq")
# An entry of the table of addresses behind the code: an address, and `jmp` to what it says.
_ENTRY = struct.Struct("<Q6s2x")
_JUMP, _JUMP_AT = b"\xff\x25\xf2\xff\xff\xff", 8


@record
class _Section:
    kind: int
    protection: int | None  # None: the section is not loaded
    data: memoryview
    size: int
    link: int
    info: int
    align: int


@record
class _Symbol:
    name: str
    section: int
    value: int
    exported: bool


@record
class _Object:
    machine: int
    sections: tuple[_Section, ...]
    symbols: tuple[_Symbol, ...]


class Pages:
    """The memory of some code. It is given back after the last reference to this object is gone.

    So whoever can make the code run has to hold it: the Python function, which CPython holds while
    a call of it is under way, in any thread; and the classes whose objects have deleters in it.
    Nothing else leaves a call with an address in it: what NumPy holds is freed by support code.

    The memory is freed when the next code is loaded, not with the last reference. That may be
    dropped by the collector of cycles, and what it clears after this may call the code once more,
    or be an object with a deleter in it. At the end of the interpreter nothing is freed.
    """

    __slots__ = ("_mapped", "has_deleters")
    unused: ClassVar[list[list[tuple[int, int]]]] = []
    # Rings of objects have deleters there, too: these let go of them, and say whether they could.
    collectors: ClassVar[list[Callable[[], int]]] = []
    # Rings that they do not find stay: these say whether some memory has the deleter of one.
    users: ClassVar[list[Callable[[int, int], int]]] = []

    def __init__(self) -> None:
        self._mapped: list[tuple[int, int]] = []
        self.has_deleters = False  # whether objects may outlive the calls that have made them

    def own(self, base: int, size: int) -> None:
        """Take over what was mapped."""
        self._mapped.append((base, size))

    def __del__(self) -> None:
        self.unused.append(self._mapped)


def _free_unused() -> None:
    unused: list[list[tuple[int, int]]] = []
    while Pages.unused:
        try:
            unused.append(Pages.unused.pop())
        except IndexError:
            break  # another thread was quicker
    if not unused:
        return
    if not all([collect() for collect in Pages.collectors]):
        Pages.unused.extend(unused)
        return
    for mapped in unused:
        # All of one code, whose parts refer to each other.
        if any(uses(base, size) for uses in Pages.users for base, size in mapped):
            Pages.unused.append(mapped)
            continue
        for base, size in mapped:
            _unmap_pages(base, size)


def load(
    code: bytes, resolve: Callable[[str], int], pages: Pages | None = None
) -> Mapping[str, int]:
    """Load an object, or several, and return the address of every symbol they export.

    `resolve` gives the address of each symbol that an object leaves undefined and none before it
    exports. The memory is handed to `pages`; without them it is never freed.
    """
    _free_unused()
    loaded: dict[str, int] = {}

    def find(name: str) -> int:
        return loaded[name] if name in loaded else resolve(name)

    for obj, names in _objects(code):
        for name, address in _load(obj, names, find, pages).items():
            loaded[names[name][0] if name in names else name] = address
    return loaded


def join_objects(objects: Sequence[tuple[bytes, Names]]) -> bytes:
    """Return objects as one, for `load`, each of which may refer to those before it.

    The names of an object that are given may be different ones where it is loaded.
    """
    if len(objects) == 1 and not objects[0][1]:
        return objects[0][0]
    found: list[bytes] = []
    for obj, names in objects:
        lines = "\n".join(f"{own} {place} {name}" for own, (name, place) in names.items())
        listed = lines.encode()
        found += (_JOINED, _SIZES.pack(len(obj), len(listed)), obj, listed)
    return b"".join(found)


def _objects(code: bytes) -> Iterator[tuple[bytes, Names]]:
    if not code.startswith(_JOINED):
        yield code, {}
        return
    at, head = 0, len(_JOINED) + _SIZES.size
    while at < len(code):
        if code[at : at + len(_JOINED)] != _JOINED or at + head > len(code):
            raise ObjectError(f"no object at byte {at} of {len(code)}")
        size, listed = _SIZES.unpack_from(code, at + len(_JOINED))
        at += head
        obj = bytes(_slice(memoryview(code), at, size, "an object"))
        yield obj, _names(bytes(_slice(memoryview(code), at + size, listed, "names")))
        at += size + listed


def _names(listed: bytes) -> Names:
    found: dict[str, tuple[str, int]] = {}
    try:
        for line in listed.decode().split("\n") if listed else ():
            own, place, name = line.split(" ", 2)
            found[own] = name, int(place)
    except ValueError as error:
        raise ObjectError(f"the names of an object: {error}") from error
    return found


def _load(
    obj: bytes, names: Names, resolve: Callable[[str], int], pages: Pages | None
) -> Mapping[str, int]:
    parsed = _parse(obj)
    undefined: dict[str, int] = {}
    for own in _undefined(parsed):
        name, place = names.get(own, (own, 0))
        undefined[own] = resolve(name) + place
    if pages is not None and any(symbol.name.startswith(DELETER) for symbol in parsed.symbols):
        pages.has_deleters = True
    if links_itself():
        return _link(parsed, undefined, pages)
    # Inside a function: only other machines than x86-64 Linux need LLVM to link. It keeps the code.
    from scriptc.backends.llvm.llvm_linker import link_object

    exports = [symbol.name for symbol in parsed.symbols if symbol.exported]
    return link_object(obj, undefined, exports)


def links_itself() -> bool:
    """Whether objects of this machine are linked here, or by LLVM."""
    return sys.platform == "linux" and platform.machine() == "x86_64"


def undefined_symbols(code: bytes) -> list[str]:
    """Return the names that objects need from elsewhere, sorted."""
    needed = {
        names.get(name, (name, 0))[0]
        for obj, names in _objects(code)
        for name in _undefined(_parse(obj))
    }
    return sorted(needed - set(exported_symbols(code)))


def exported_symbols(code: bytes) -> list[str]:
    """Return the names that objects give to others, sorted."""
    return sorted(
        names.get(symbol.name, (symbol.name, 0))[0]
        for obj, names in _objects(code)
        for symbol in _parse(obj).symbols
        if symbol.exported
    )


# Reading. Every offset and size in the file is checked before it is used.


def _parse(obj: bytes) -> _Object:
    if len(obj) < _HEADER.size:
        raise ObjectError(f"an object file has {_HEADER.size} bytes at least, this one {len(obj)}")
    magic, kind, arch, _, _, at, _, _, _, entry, count, _ = _HEADER.unpack_from(obj)
    if magic != b"\x7fELF\x02\x01" or kind != 1:
        raise ObjectError("not a relocatable 64-bit little-endian ELF object")
    if arch not in (_Machine.X86_64, _Machine.AARCH64):
        raise ObjectError(f"the object is for machine {arch}")
    if entry != _SECTION.size:
        raise ObjectError(f"section headers of {entry} bytes")
    headers = _slice(memoryview(obj), at, count * entry, "section headers")
    sections = tuple(_section(obj, fields) for fields in _SECTION.iter_unpack(headers))
    return _Object(arch, sections, tuple(_symbols(sections)))


def _slice(data: memoryview, at: int, size: int, what: str) -> memoryview:
    if at + size > len(data):
        raise ObjectError(f"{what}: bytes {at} to {at + size} of {len(data)}")
    return data[at : at + size]


def _section(obj: bytes, fields: tuple[int, ...]) -> _Section:
    _, kind, flags, _, at, size, link, info, align, _ = fields
    if kind in (_SectionType.INIT_ARRAY, _SectionType.FINI_ARRAY) or flags & _SectionFlag.TLS:
        raise ObjectError("static constructors and thread-local variables are not supported")
    if align & (align - 1) or align > _PAGE:
        raise ObjectError(f"a section aligned to {align}")
    empty = kind == _SectionType.NOBITS
    data = memoryview(b"") if empty else _slice(memoryview(obj), at, size, "a section")
    return _Section(kind, _protection(flags), data, size, link, info, align or 1)


def _protection(flags: int) -> int | None:
    if not flags & _SectionFlag.ALLOC:
        return None
    code, written = flags & _SectionFlag.EXECINSTR, flags & _SectionFlag.WRITE
    if code and written:
        raise ObjectError("a section both writable and executable")
    if code:
        return _Protection.CODE
    return _Protection.VARIABLES if written else _Protection.CONSTANTS


def _symbols(sections: tuple[_Section, ...]) -> Iterator[_Symbol]:
    tables = [section for section in sections if section.kind == _SectionType.SYMTAB]
    if len(tables) != 1:
        raise ObjectError(f"{len(tables)} symbol tables")
    (table,) = tables
    strings = bytes(_at(sections, table.link, "string table").data)
    for at, info, other, section, value, _ in _rows(_SYMBOL, table, "symbol table"):
        name = _string(strings, at)
        if info & 15 in (_TLS, _IFUNC) or _FIRST_RESERVED <= section < _ABSOLUTE:
            raise ObjectError(f"symbol {name}: of a kind not supported")
        if section > _ABSOLUTE:
            raise ObjectError(f"symbol {name}: a common or extended symbol")
        visible = info >> 4 in (_GLOBAL, _WEAK) and other & 3 not in _HIDDEN
        exported = visible and section not in (_UNDEFINED, _ABSOLUTE)
        yield _Symbol(name, section, value, exported)


def _at(sections: tuple[_Section, ...], index: int, what: str) -> _Section:
    if index >= len(sections):
        raise ObjectError(f"{what}: section {index} of {len(sections)}")
    return sections[index]


def _rows(row: struct.Struct, table: _Section, what: str) -> Iterator[tuple[int, ...]]:
    if len(table.data) % row.size:
        raise ObjectError(f"{what}: {len(table.data)} bytes in rows of {row.size}")
    return row.iter_unpack(table.data)


def _string(strings: bytes, at: int) -> str:
    end = strings.find(b"\0", at)
    if end < 0:
        raise ObjectError(f"a name that starts at byte {at} of {len(strings)} has no end")
    try:
        return strings[at:end].decode()
    except UnicodeDecodeError as error:
        raise ObjectError("a name that is not UTF-8") from error


def _undefined(parsed: _Object) -> set[str]:
    return {s.name for s in parsed.symbols if s.section == _UNDEFINED and s.name}


# Linking, x86-64 Linux.


@record
class _Plan:
    """Where the sections go, and the entries of symbols in the table of addresses.

    Both are relative to the start of the image.
    """

    offsets: Mapping[int, int]
    entries: Mapping[int, int]
    segments: tuple[tuple[int, int, int], ...]
    size: int


def _plan(parsed: _Object) -> _Plan:
    offsets: dict[int, int] = {}
    entries: dict[int, int] = {}
    segments: list[tuple[int, int, int]] = []
    end = 0
    for protection in _Protection.ALL:
        start = end
        for index, section in enumerate(parsed.sections):
            if section.size and section.protection == protection:
                offsets[index] = end = _round_up(end, section.align)
                end += section.size
        if protection == _Protection.CODE:
            for symbol in sorted(_far_symbols(parsed, offsets)):
                entries[symbol] = end = _round_up(end, _ENTRY.size)
                end += _ENTRY.size
        end = _round_up(end, _PAGE)
        if end > start:
            segments.append((protection, start, end))
    if end > _MAX_IMAGE:
        raise ObjectError(f"an image of {end} bytes")
    return _Plan(offsets, entries, tuple(segments), end)


def _far_symbols(parsed: _Object, code: Collection[int]) -> set[int]:
    """Return the symbols whose address code looks up, or that it calls and no section here has."""
    return {
        symbol
        for section in code
        for _, symbol, kind, _ in _relocations(parsed, section)
        if kind in _Relocation.OF_TABLE
        or (kind == _Relocation.PLT32 and parsed.symbols[symbol].section == _UNDEFINED)
    }


def _relocations(parsed: _Object, section: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield the place, the symbol, the kind and the addend of each relocation of a section."""
    for table in parsed.sections:
        if table.kind not in (_SectionType.RELA, _SectionType.REL) or table.info != section:
            continue
        if table.kind == _SectionType.REL:
            raise ObjectError("relocations without addends")
        for at, info, addend in _rows(_RELA, table, "relocations"):
            symbol, kind = info >> 32, info & 0xFFFFFFFF
            if symbol >= len(parsed.symbols):
                raise ObjectError(f"a relocation against symbol {symbol} of {len(parsed.symbols)}")
            yield at, symbol, kind, addend


def _round_up(value: int, align: int) -> int:
    return -(-value // align) * align


def _link(parsed: _Object, undefined: Mapping[str, int], pages: Pages | None) -> dict[str, int]:
    if parsed.machine != _Machine.X86_64:
        raise ObjectError("the object is for another processor")
    plan = _plan(parsed)
    if not plan.size:
        return {}
    base = _map_pages(plan.size)
    try:
        image = bytearray(plan.size)
        for index, offset in plan.offsets.items():
            data = parsed.sections[index].data
            image[offset : offset + len(data)] = data
        addresses = [_address(s, plan.offsets, base, undefined) for s in parsed.symbols]
        _relocate(parsed, plan, image, base, addresses)
    except ObjectError:
        _unmap_pages(base, plan.size)
        raise
    ctypes.memmove(base, bytes(image), plan.size)
    for protection, start, end in plan.segments:
        _protect(base + start, end - start, protection)
    if pages is not None:
        pages.own(base, plan.size)
    # A symbol without an address stands in a section that is not loaded, an empty one for example.
    return {
        symbol.name: address
        for symbol, address in zip(parsed.symbols, addresses, strict=True)
        if symbol.exported and address is not None
    }


def _address(
    symbol: _Symbol, offsets: Mapping[int, int], base: int, undefined: Mapping[str, int]
) -> int | None:
    if symbol.section == _ABSOLUTE:
        return symbol.value
    if symbol.section == _UNDEFINED:
        return undefined.get(symbol.name)
    if symbol.section not in offsets:
        return None
    return base + offsets[symbol.section] + symbol.value


def _relocate(
    parsed: _Object, plan: _Plan, image: bytearray, base: int, addresses: Sequence[int | None]
) -> None:
    for symbol, entry in plan.entries.items():
        target = _found(parsed, symbol, addresses)
        _ENTRY.pack_into(image, entry, target % 2**64, _JUMP)
    for index, start in plan.offsets.items():
        section = memoryview(image)[start : start + parsed.sections[index].size]
        for at, symbol, kind, addend in _relocations(parsed, index):
            target = _found(parsed, symbol, addresses)
            entry = plan.entries.get(symbol)
            if entry is not None and kind in _Relocation.OF_TABLE:
                target = base + entry
            elif entry is not None and kind == _Relocation.PLT32:
                target = base + entry + _JUMP_AT
            _patch(
                section, at, kind, parsed.symbols[symbol].name, target + addend, base + start + at
            )


def _found(parsed: _Object, symbol: int, addresses: Sequence[int | None]) -> int:
    address = addresses[symbol]
    if address is None:
        name = parsed.symbols[symbol].name
        raise ObjectError(f"a relocation against {name!r}, which has no address")
    return address


def _patch(section: memoryview, at: int, kind: int, name: str, target: int, place: int) -> None:
    """Write one relocated address at byte `at` of a section, which is at address `place`."""
    match kind:
        case _Relocation.NONE:
            return
        case _Relocation.ABS64:
            form, value = "<Q", target % 2**64
        case _Relocation.ABS32:
            form, value = "<I", target
        case _Relocation.ABS32S:
            form, value = "<i", target
        case _ if kind in _Relocation.TO_PLACE:
            form, value = "<i", target - place
        case _Relocation.PC64:
            form, value = "<q", target - place
        case _:
            raise ObjectError(f"relocation type {kind}, against {name!r}, is not known")
    if at + struct.calcsize(form) > len(section):
        raise ObjectError(f"a relocation at byte {at} of a section of {len(section)}")
    try:
        struct.pack_into(form, section, at, value)
    except struct.error as error:
        message = f"{name!r} is out of reach of relocation type {kind}: {value:#x}"
        raise ObjectError(message) from error


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _map_pages(size: int) -> int:
    # The C function, not the mmap module: a Python object that owns the pages would give them back
    # when the interpreter ends, while objects that outlive it still call into them.
    mapped = _C_MMAP(("mmap", _libc()))(
        None,
        size,
        _Protection.VARIABLES,
        _PRIVATE | _ANONYMOUS,
        -1,
        0,
    )
    if mapped is None or mapped == _MAP_FAILED:
        raise OSError(ctypes.get_errno(), f"no memory for {size} bytes of code")
    return mapped


def _unmap_pages(address: int, size: int) -> None:
    _C_MUNMAP(("munmap", _libc()))(address, size)


def _protect(address: int, size: int, protection: int) -> None:
    if _C_MPROTECT(("mprotect", _libc()))(address, size, protection):
        raise OSError(ctypes.get_errno(), "the system refuses executable memory")


# Prototypes of our own: the argument types set on a shared ctypes function are global state.
_C_MMAP = ctypes.CFUNCTYPE(
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.c_int,
    ctypes.c_int,
    ctypes.c_int,
    ctypes.c_long,
    use_errno=True,
)
_C_MUNMAP = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, use_errno=True)
_C_MPROTECT = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, use_errno=True
)
_MAP_FAILED = ctypes.c_void_p(-1).value
