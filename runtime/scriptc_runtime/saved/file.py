"""Saved modules: one `.scriptc` file, safe to read from a stranger.

    manifest.json        format version, versions of the ops used, entry points
    module.ir            core IR as text
    weights.safetensors  the arrays
    source/...           source text, for messages
    extra/...            whatever the user adds

The file is an uncompressed zip.  Reading it executes nothing; what is not exactly as it should be
raises LoadError before memory is taken for it.
"""

import json
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from scriptc_runtime.dims import Dim
from scriptc_runtime.errors import InvalidIRError, LoadError, Note, Source
from scriptc_runtime.given_generators import are_uses
from scriptc_runtime.ir import Constant, Entry, Module, walk
from scriptc_runtime.ops import OPS
from scriptc_runtime.ops.arrays import Array
from scriptc_runtime.record import field, record, replace
from scriptc_runtime.regular_files import NoFileError, open_file
from scriptc_runtime.saved.safetensors import read_tensors, write_tensors
from scriptc_runtime.saved.stored_zip import MAX_MEMBERS, MAX_NAME, StoredZip
from scriptc_runtime.saved.strict_json import Record, read_json, refuse
from scriptc_runtime.text.attributes import attr_text
from scriptc_runtime.text.reader import MAX_INSTRUCTIONS, read_module
from scriptc_runtime.text.tokens import MAX_LINE, MAX_TEXT, Cursor
from scriptc_runtime.text.type_names import read_attr, read_type
from scriptc_runtime.text.type_text import ir_text
from scriptc_runtime.text.writer import write_module
from scriptc_runtime.types import FROM_NUMPY, TensorType, Type, assignable
from scriptc_runtime.verify.module import verify
from scriptc_runtime.verify.state import constant_fits

FORMAT = 0
# Every op's meaning is still that of its first version.
OP_VERSION = 0
MANIFEST, MODULE, WEIGHTS = "manifest.json", "module.ir", "weights.safetensors"
SOURCE, EXTRA = "source/", "extra/"
MAX_SOURCE = 2**26
_MOST = {MANIFEST: 2**22, MODULE: MAX_TEXT}
MAX_SIGNATURES = 1000
# What is no file on Windows, where someone may unpack the module, whatever comes behind a point.
_PORTS = (f"{port}{number}" for port in ("COM", "LPT") for number in range(10))
_DEVICES = {"CON", "PRN", "AUX", "NUL", *_PORTS}


@record(exact=True)
class Parameter:
    """A parameter of an entry point; `default` is a tuple of one constant, or empty."""

    name: str
    type: Type
    default: tuple[Constant, ...] = ()
    keyword_only: bool = False


@record
class Signature:
    """One way to call an entry point: `function` without the object and the captured arrays.

    `generator` are the functions that go on with the generator that it gives, each with its use.
    """

    function: str
    params: tuple[Parameter, ...]
    result: Type
    generator: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        params = ", ".join(f"{p.name}: {p.type}" for p in self.params)
        return f"({params}) -> {self.result}"


@record
class EntryPoint:
    """A name that users call, by one of its signatures; the first that fits is taken."""

    name: str
    signatures: tuple[Signature, ...]
    doc: str = ""


@record(eq=False)
class SavedModule:
    """All that a file holds; `weights` has an array for every weight that is no view of another."""

    module: Module
    entry_points: tuple[EntryPoint, ...]
    weights: Mapping[str, Array] = field(default_factory=dict[str, Array])
    sources: Mapping[str, str] = field(default_factory=dict[str, str])
    extra: Mapping[str, bytes] = field(default_factory=dict[str, bytes])


def write_saved(path: str | os.PathLike[str], saved: SavedModule) -> None:
    """Write `saved` to `path`, whole or not at all; equal modules give equal bytes.

    Raises LoadError or InvalidIRError where `read_saved` would refuse the file.
    """
    verify(saved.module)
    _check(saved)
    members = {
        MANIFEST: _manifest_text(saved).encode(),
        MODULE: write_module(saved.module).encode(),
        **{SOURCE + name: text.encode() for name, text in sorted(saved.sources.items())},
        **{EXTRA + name: data for name, data in sorted(saved.extra.items())},
    }
    _check_members(saved.module, members)
    target = Path(path)
    # Not by `tempfile`, whose files are private: what the user saves has the user's usual rights.
    temporary = target.with_name(f".{target.name}.{os.urandom(8).hex()}")
    try:
        with temporary.open("xb") as stream:
            _write_zip(stream, members, saved.weights)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)  # it is there where something went wrong


def _check_members(module: Module, members: Mapping[str, bytes]) -> None:
    """Refuse what would not be read again."""
    for name in members:
        _check_name(name)
    if len(members) >= MAX_MEMBERS:
        refuse("file", f"more than {MAX_MEMBERS} members")
    if max(map(len, members[MODULE].splitlines()), default=0) > MAX_LINE:
        refuse(MODULE, f"a line of over {MAX_LINE} characters: a string or a list is too long")
    if sum(1 for f in module.functions.values() for _ in walk(f.body)) > MAX_INSTRUCTIONS:
        refuse(MODULE, f"has more than {MAX_INSTRUCTIONS} instructions")
    for name, data in members.items():
        if not name.startswith(EXTRA) and len(data) > _MOST.get(name, MAX_SOURCE):
            refuse(name, f"is over {_MOST.get(name, MAX_SOURCE)} bytes")


def _write_zip(
    stream: BinaryIO, members: Mapping[str, bytes], weights: Mapping[str, Array]
) -> None:
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, data in members.items():
            archive.writestr(_member(name), data)
        with archive.open(_member(WEIGHTS), "w", force_zip64=True) as member:
            write_tensors(member, weights)  # pyright: ignore[reportArgumentType] -- it only writes


def _member(name: str) -> zipfile.ZipInfo:
    # The time and the system of the writer would make two files of one module.
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.create_system = 3
    info.external_attr = 0o644 << 16
    return info


def _manifest_text(saved: SavedModule) -> str:
    manifest = {
        "format": FORMAT,
        "ops": dict.fromkeys(sorted(_ops_used(saved.module)), OP_VERSION),
        "entries": [
            {
                "name": entry.name,
                "doc": entry.doc,
                "signatures": [_signature_json(s) for s in entry.signatures],
            }
            for entry in saved.entry_points
        ],
    }
    return json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"


def _signature_json(signature: Signature) -> dict[str, object]:
    params: list[dict[str, object]] = []
    for param in signature.params:
        fields: dict[str, object] = {"name": param.name, "type": ir_text(param.type)}
        if param.default:
            fields["default"] = attr_text(param.default[0])
        if param.keyword_only:
            fields["keyword_only"] = True
        params.append(fields)
    result = ir_text(signature.result)
    made: dict[str, object] = {
        "function": signature.function,
        "params": params,
        "result": result,
    }
    return {**made, "generator": dict(signature.generator)} if signature.generator else made


def _ops_used(module: Module) -> set[str]:
    return {i.op.name for f in module.functions.values() for i in walk(f.body)}


def read_saved(path: str | os.PathLike[str], *, most: int = MAX_INSTRUCTIONS) -> SavedModule:
    """Return the module saved in the file `path`, of `most` instructions.

    Raises LoadError, or OSError where there is no file that can be opened.
    """
    try:
        return _read_file(path, most)
    except LoadError as error:
        raise about_file(error, path) from None


def about_file(error: LoadError, path: str | os.PathLike[str]) -> LoadError:
    """Return the error for a saved file with a note that names the file."""
    first, *others = error.diagnostics
    notes = (*first.notes, Note(f"the file is {os.fspath(path)}"))
    return LoadError(replace(first, notes=notes), *others)


def _read_file(path: str | os.PathLike[str], most: int) -> SavedModule:
    try:
        handle = open_file(path)
    except NoFileError as error:
        refuse("file", str(error))
    with open(handle, "rb") as stream:
        try:
            return _read(stream, most)
        except MemoryError:
            refuse(str(path), "does not fit into memory")
        except OSError as error:
            refuse(str(path), f"cannot be read: {error}")


def _read(stream: BinaryIO, most: int) -> SavedModule:
    archive = StoredZip(stream, os.fstat(stream.fileno()).st_size)
    for name in archive.members:
        _check_name(name)
    for name in (MANIFEST, MODULE, WEIGHTS):
        if name not in archive.members:
            refuse("file", f"has no {name}")
    manifest = read_json(_bytes(archive, MANIFEST), MANIFEST)
    _check_format(manifest)
    module = read_module(_text(archive, MODULE), MODULE, most=most)
    try:
        verify(module)
    except InvalidIRError as error:
        refuse(MODULE, str(error))
    _check_ops(manifest.record("ops"), module)
    entry_points = tuple(_entry_point(r) for r in manifest.records("entries"))
    part = archive.part(WEIGHTS)
    weights = read_tensors(part, archive.members[WEIGHTS].size)
    part.finish()
    names = archive.members.keys()
    sources = {n: _text(archive, n) for n in names if n.startswith(SOURCE)}
    extra = {n: archive.read(n) for n in names if n.startswith(EXTRA)}
    saved = SavedModule(
        module,
        entry_points,
        weights,
        {name.removeprefix(SOURCE): text for name, text in sources.items()},
        {name.removeprefix(EXTRA): data for name, data in extra.items()},
    )
    _check(saved)
    return saved


def _check_name(name: str) -> None:
    known = name in (MANIFEST, MODULE, WEIGHTS) or name.startswith((SOURCE, EXTRA))
    if not known or len(name) > MAX_NAME or not all(map(is_file_name, name.split("/"))):
        refuse("file", f"has a member called {name[:MAX_NAME]!r}")


def is_file_name(name: str) -> bool:
    """Whether any system takes `name` for that of one file in a folder."""
    stem = name.partition(".")[0].rstrip(" ").upper()
    tricky = "\\" in name or ":" in name or "/" in name or not name.isprintable()
    return not tricky and name != "" and stem not in _DEVICES and not name.endswith((" ", "."))


def _bytes(archive: StoredZip, name: str) -> bytes:
    most = _MOST.get(name, MAX_SOURCE)
    if archive.members[name].size > most:
        refuse(name, f"is over {most} bytes")
    return archive.read(name)


def _text(archive: StoredZip, name: str) -> str:
    try:
        return _bytes(archive, name).decode("utf-8")
    except UnicodeDecodeError as error:
        refuse(name, str(error))


def _check_format(manifest: Record) -> None:
    manifest.only("format", "ops", "entries")
    version = manifest.integer("format")
    if version != FORMAT:
        refuse(MANIFEST, f"format {version}; this version of scriptc reads format {FORMAT}")


def _check_ops(versions: Record, module: Module) -> None:
    for name in versions:
        if name not in OPS or versions.integer(name) != OP_VERSION:
            refuse(MANIFEST, f"this version of scriptc has no such op {name[:40]!r}")
    if missing := _ops_used(module) - set(versions):
        refuse(MANIFEST, f"the op {min(missing)} has no version")


def _entry_point(record: Record) -> EntryPoint:
    record.only("name", "doc", "signatures")
    signatures = tuple(_signature(r) for r in record.records("signatures"))
    return EntryPoint(record.string("name"), signatures, record.string("doc"))


def _signature(record: Record) -> Signature:
    record.only("function", "params", "result", "generator")
    params = tuple(_parameter(r) for r in record.records("params"))
    generator: tuple[tuple[str, str], ...] = ()
    if record.has("generator"):
        uses = record.record("generator")
        generator = tuple((use, uses.string(use)) for use in uses)
    return Signature(record.string("function"), params, _type(record, "result"), generator)


def _parameter(record: Record) -> Parameter:
    record.only("name", "type", "default", "keyword_only")
    default: tuple[Constant, ...] = ()
    if record.has("default"):
        default = (_constant(record, "default"),)
    keyword_only = record.has("keyword_only") and record.flag("keyword_only")
    return Parameter(record.string("name"), _type(record, "type"), default, keyword_only)


def _cursor(record: Record, name: str) -> Cursor:
    text = record.string(name)
    return Cursor(Source(MANIFEST, text), 0, text)


def _type(record: Record, name: str) -> Type:
    cursor = _cursor(record, name)
    type_ = read_type(cursor)
    cursor.take("end")
    return type_


def _constant(record: Record, name: str) -> Constant:
    cursor = _cursor(record, name)
    value = read_attr(cursor)
    cursor.take("end")
    if value is None or isinstance(value, bool | int | float | complex | str):
        return value
    refuse(record.where, f"{name!r} is no constant")


def _check(saved: SavedModule) -> None:
    """Check what the parts of a file say about each other.  Raises LoadError."""
    _check_weights(saved.module, saved.weights)
    names = [entry.name for entry in saved.entry_points]
    if len(set(names)) < len(names):
        refuse(MANIFEST, "an entry stands twice")
    signatures = {(e.name, s.function) for e in saved.entry_points for s in e.signatures}
    entries = {(e.name, e.function): e for e in saved.module.entries}
    if signatures != entries.keys() or len(entries) != len(saved.module.entries):
        refuse(MANIFEST, "its entries are not those of the module")
    for entry_point in saved.entry_points:
        _check_entry_name(entry_point)
        for signature in entry_point.signatures:
            _check_signature(saved.module, entries[entry_point.name, signature.function], signature)


def _check_entry_name(entry: EntryPoint) -> None:
    if not is_entry_name(entry.name):
        refuse(MANIFEST, f"an entry cannot be called {entry.name[:40]!r}")
    if not 1 <= len(entry.signatures) <= MAX_SIGNATURES:
        refuse(MANIFEST, f"entry {entry.name} has {len(entry.signatures)} signatures")


def is_entry_name(name: str) -> bool:
    """Whether an attribute of a loaded module can be called so: its own begin with `__`."""
    return name.isidentifier() and (not name.startswith("__") or name == "__call__")


def _check_signature(module: Module, entry: Entry, signature: Signature) -> None:
    function = module.functions[signature.function]
    first = 0 if entry.object is None else 1
    free = function.params[first : len(function.params) - len(entry.captures)]
    declared = [(p.name, p.type) for p in signature.params]
    if declared != [(p.name, p.type) for p in free] or signature.result != function.result:
        refuse(MANIFEST, f"the signature of @{function.name} is not that of the module")
    if signature.generator and not are_uses(module, signature.result, dict(signature.generator)):
        refuse(MANIFEST, f"@{function.name} gives no such generator")
    names = [p.name for p in signature.params]
    if len(set(names)) < len(names) or not all(map(str.isidentifier, names)):
        refuse(MANIFEST, f"@{function.name} has parameters that cannot be named")
    needed = [p for p in signature.params if not p.keyword_only]
    # As in Python: after a default only defaults, keyword-only parameters last.
    if list(signature.params[: len(needed)]) != needed:
        refuse(MANIFEST, f"@{function.name}: a keyword-only parameter before others")
    if sorted(needed, key=lambda p: len(p.default)) != needed:
        refuse(MANIFEST, f"@{function.name}: a parameter without default after one with")
    for param in signature.params:
        if param.default and not constant_fits(param.default[0], param.type):
            refuse(MANIFEST, f"@{function.name}: the default of {param.name} is no {param.type}")


def _check_weights(module: Module, weights: Mapping[str, Array]) -> None:
    stored = {name: w for name, w in module.weights.items() if w.view is None}
    if difference := weights.keys() ^ stored.keys():
        refuse(WEIGHTS, f"the array {min(difference)!r} is not on both sides")
    for name, weight in stored.items():
        if not assignable(array_type(weights[name]), weight.type):
            refuse(WEIGHTS, f"{name!r} is {array_type(weights[name])}, not {weight.type}")


def array_type(array: Array) -> Type:
    """Return the type of one array, its sizes as numbers.  Raises LoadError."""
    if array.dtype not in FROM_NUMPY:
        refuse(WEIGHTS, f"no arrays of {array.dtype}")
    return TensorType(FROM_NUMPY[array.dtype], tuple(map(Dim, array.shape)))
