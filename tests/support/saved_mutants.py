"""Saved files with changes that know their structure: code, types, sizes, arrays, objects, entries.

`Mutator(seeds).mutant(number)` gives the bytes of a file; one number always gives the same file.
"""

import io
import json
import random
import re
import struct
from binascii import crc32
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from scriptc_runtime.dims import UNKNOWN, Dim
from scriptc_runtime.ir import (
    ClassDecl,
    FieldValue,
    ListValue,
    Module,
    ObjectDecl,
    ObjectRef,
    Value,
    View,
    Weight,
    WeightRef,
)
from scriptc_runtime.ops import OPS
from scriptc_runtime.ops.arrays import Array
from scriptc_runtime.record import replace
from scriptc_runtime.saved.safetensors import write_tensors
from scriptc_runtime.text.attributes import attr_text
from scriptc_runtime.text.type_text import ir_text
from scriptc_runtime.text.writer import write_module
from scriptc_runtime.types import FLOAT, DType, TensorType
from tests.support import ir_mutants


@dataclass(frozen=True, slots=True)
class Seed:
    """A module to start from, with its arrays and the defaults of its entries' parameters."""

    name: str
    module: Module
    weights: Mapping[str, Array] = field(default_factory=dict[str, Array])


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed file."""

    number: int
    seed: str
    data: bytes

    def __str__(self) -> str:
        return f"mutant {self.number}, of {self.seed}"


_CONSTANTS = (*ir_mutants.NUMBERS, *ir_mutants.FLOATS, *ir_mutants.TEXTS, None, True)


class Mutator:
    """Makes mutants of some seeds."""

    def __init__(self, seeds: Sequence[Seed]) -> None:
        self._seeds = seeds

    def mutant(self, number: int) -> Mutant:
        """Return the mutant of a number."""
        rng = random.Random(number)
        seed = rng.choice(self._seeds)
        kind = rng.random()
        module, weights = seed.module, dict(seed.weights)
        if kind < 0.85:
            for _ in range(rng.choice((1, 1, 1, 2, 2, 3))):
                module = _changed(module, rng, self._seeds)
            if kind < 0.06:
                weights = _changed_weights(weights, rng)
        text = write_module(module)
        if kind > 0.92:
            text = _changed_text(text, rng)
        members = {
            "manifest.json": _manifest(module, rng).encode(errors="surrogatepass"),
            "module.ir": text.encode(errors="surrogatepass"),
            "weights.safetensors": _tensors(_without_views(weights, module)),
        }
        if 0.85 <= kind < 0.87:
            name = rng.choice(list(members))
            members[name] = _changed_bytes(members[name], rng)
        data = stored(members)
        if 0.87 <= kind < 0.88:
            data = _changed_bytes(data, rng)
        return Mutant(number, seed.name, data)


# ---------------------------------------------------------------------------------- the container


def stored(members: Mapping[str, bytes]) -> bytes:
    """Return a zip file of members as `scriptc_runtime.saved.file` writes it."""
    body, directory = bytearray(), bytearray()
    for name, data in members.items():
        raw, size = name.encode(), len(data)
        common = struct.pack("<HHHHHIIIHH", 20, 0, 0, 0, 33, crc32(data), size, size, len(raw), 0)
        directory += b"PK\1\2" + struct.pack("<H", 788) + common
        directory += struct.pack("<HHHII", 0, 0, 0, 0o644 << 16, len(body)) + raw
        body += b"PK\3\4" + common + raw + data
    count, start = len(members), len(body)
    end = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, count, count, len(directory), start, 0)
    return bytes(body + directory + end)


def _without_views(weights: Mapping[str, Array], module: Module) -> Mapping[str, Array]:
    views = {name for name, weight in module.weights.items() if weight.view}
    return {name: array for name, array in weights.items() if name not in views}


def _tensors(weights: Mapping[str, Array]) -> bytes:
    stream = io.BytesIO()
    write_tensors(stream, weights)
    return stream.getvalue()


def _manifest(module: Module, rng: random.Random) -> str:
    entries: dict[str, list[dict[str, object]]] = {}
    for entry in module.entries:
        signature: dict[str, object] = {"function": entry.function, "params": [], "result": "none"}
        if function := module.functions.get(entry.function):
            first = 0 if entry.object is None else 1
            params = function.params[first : len(function.params) - len(entry.captures)]
            signature["params"] = [_param(p, rng) for p in params]
            signature["result"] = ir_text(function.result)
        entries.setdefault(entry.name, []).append(signature)
    listed = [{"name": n, "doc": "", "signatures": s} for n, s in entries.items()]
    ops = {name: 0 for name in OPS}
    return json.dumps({"format": 0, "ops": ops, "entries": listed})


def _param(value: Value, rng: random.Random) -> dict[str, object]:
    found: dict[str, object] = {"name": value.name or "x", "type": ir_text(value.type)}
    if rng.random() < 0.02:
        found["default"] = attr_text(rng.choice(_CONSTANTS))
    if rng.random() < 0.01:
        found["keyword_only"] = True
    return found


def _changed_bytes(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at, length = rng.randrange(len(changed) or 1), rng.randint(1, 8)
        match rng.randrange(5):
            case 0:
                del changed[at : at + length]
            case 1:
                changed[at:at] = changed[at : at + length]
            case 2:
                changed[at : at + 1] = rng.randbytes(1)
            case 3 if rng.random() < 0.3:
                del changed[at:]
            case _:
                texts = (b"-", b"9" * 20, b"\xff", b'"', b"[", b"NaN", b"\0")
                changed[at:at] = rng.choice(texts)
    return bytes(changed)


def _changed_weights(weights: dict[str, Array], rng: random.Random) -> dict[str, Array]:
    if not weights:
        return {"w": np.zeros(2)} if rng.random() < 0.5 else weights
    name = rng.choice(sorted(weights))
    old = weights.pop(name)
    match rng.randrange(4):
        case 0:
            weights[name] = old[:-1] if old.ndim else old.reshape(1)
        case 1:
            weights[name] = old.astype(rng.choice((np.float32, np.int64, np.bool_)))
        case 2:
            weights[name] = np.ascontiguousarray(old[..., None])
        case _:
            weights[name + "x"] = old
    return weights


_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[%@]?[\w.]+|[^\w\s]')


def _changed_text(text: str, rng: random.Random) -> str:
    """Return code with words replaced by others of their kind, or lines dropped and moved."""
    if rng.random() < 0.3:
        lines = text.splitlines(keepends=True)
        at, to = rng.randrange(len(lines)), rng.randrange(len(lines))
        line = lines.pop(at) if rng.random() < 0.7 else lines[at]
        if rng.random() < 0.7:
            lines.insert(to, line)
        return "".join(lines)
    for _ in range(rng.randint(1, 2)):
        found = list(_WORD.finditer(text))
        at = rng.choice(found)
        text = text[: at.start()] + _other_word(at[0], found, rng) + text[at.end() :]
    return text


def _other_word(word: str, found: Sequence[re.Match[str]], rng: random.Random) -> str:
    if word in OPS:
        return rng.choice(ir_mutants.CORE).name
    if word[0] in "%@":
        return rng.choice([f[0] for f in found if f[0][0] == word[0]])
    if word[0].isdigit():
        return str(rng.choice((*ir_mutants.NUMBERS, "1e308", "nan", "true", "none")))
    if rng.random() < 0.1:
        return f"{word} cleanup({rng.choice([f[0] for f in found if f[0][0] == '%'] or ['%x'])})"
    return rng.choice(found)[0]


# -------------------------------------------------------------------------------------- the module


def _changed(module: Module, rng: random.Random, seeds: Sequence[Seed]) -> Module:
    kind = rng.random()
    if kind < (0.2 if module.weights else 0.08) or not module.functions:
        return rng.choice(_OF_MODULES)(module, rng)
    if kind > 0.96:
        return _with_functions_of(module, rng.choice(seeds).module, rng)
    name = rng.choice(sorted(module.functions))
    new = ir_mutants.changed(module.functions[name], rng)
    return module.with_functions({**module.functions, name: new})


def _with_functions_of(module: Module, other: Module, rng: random.Random) -> Module:
    """Return a module that has what another has, too, and calls one of its functions."""
    name = rng.choice(sorted(module.functions))
    functions = {**other.functions, **module.functions}
    callee = functions[rng.choice(sorted(functions))]
    function = ir_mutants.with_call(functions[name], callee, rng)
    return replace(
        module,
        functions={**functions, name: function},
        classes={**other.classes, **module.classes},
    )


def _view(module: Module, rng: random.Random) -> Module:
    """Let an array be a view of another, of some place and strides."""
    if len(module.weights) < 2:
        return _weight(module, rng)
    name, whole = rng.sample(sorted(module.weights), 2)
    if module.weights[whole].view and rng.random() < 0.7:
        name, whole = whole, name
    weight = module.weights[name]
    dims = weight.type.dims if isinstance(weight.type, TensorType) else ()
    strides = tuple(rng.choice((0, 1, 1, -1, 2, 3, 2**62)) for _ in dims)
    view = View(whole, rng.choice((0, 1, -1, 4, 2**40)), strides)
    return _with_weight(module, Weight(name, weight.type, view))


def _weight(module: Module, rng: random.Random) -> Module:
    """Give an array another type, or capture one more."""
    if not module.weights:
        type_ = TensorType(DType.F64, (Dim(2),))
        entries = tuple(replace(e, captures=("w",)) for e in module.entries)
        return replace(_with_weight(module, Weight("w", type_)), entries=entries)
    weight = module.weights[rng.choice(sorted(module.weights))]
    return _with_weight(module, replace(weight, type=ir_mutants.other_type(weight.type, rng)))


def _with_weight(module: Module, weight: Weight) -> Module:
    return replace(module, weights={**module.weights, weight.name: weight})


def _class(module: Module, rng: random.Random) -> Module:
    """Give a field another type or name, or a class another field."""
    if not module.classes:
        declared = ClassDecl("Point", (("x", FLOAT), ("w", TensorType(DType.F64, (UNKNOWN,)))))
        return replace(module, classes={"Point": declared})
    name = rng.choice(sorted(module.classes))
    fields = list(module.classes[name].fields)
    if not fields or rng.random() < 0.2:
        fields.append((f"f{len(fields)}", rng.choice(ir_mutants.TYPES)))
    at = rng.randrange(len(fields))
    field_name, type_ = fields[at]
    fields[at] = (field_name, ir_mutants.other_type(type_, rng))
    if rng.random() < 0.2:
        rng.shuffle(fields)
    return replace(module, classes={**module.classes, name: ClassDecl(name, tuple(fields))})


def _object(module: Module, rng: random.Random) -> Module:
    """Give a field of an object another value."""
    if not module.objects:
        return _class(module, rng)
    name = rng.choice(sorted(module.objects))
    old = module.objects[name]
    fields = list(old.fields)
    if not fields:
        return module
    at = rng.randrange(len(fields))
    values: Sequence[FieldValue] = (
        *(v for o in module.objects.values() for _, v in o.fields),
        *(*map(WeightRef, module.weights), *map(ObjectRef, module.objects)),
        *(*ir_mutants.NUMBERS, *ir_mutants.FLOATS, *ir_mutants.TEXTS, None, True, 1j),
        *(ListValue(()), ListValue((1, 2)), (), (1, 0.5)),
    )
    field_name, before = fields[at]
    if rng.random() < 0.5:
        values = [v for v in values if type(v) is type(before)]
    fields[at] = (field_name, rng.choice(values))
    changed = ObjectDecl(name, rng.choice((old.class_name, *module.classes)), tuple(fields))
    return replace(module, objects={**module.objects, name: changed})


_ENTRY_NAMES = ("g", "__call__", "x y", "é", "__class__", "__save__", "__reduce_ex__", "__dict__")


def _entry(module: Module, rng: random.Random) -> Module:
    """Let an entry call another function, on another object or other arrays."""
    entries = list(module.entries)
    if not entries:
        return module
    at = rng.randrange(len(entries))
    entry = entries[at]
    match rng.randrange(5):
        case 0:
            entry = replace(entry, function=rng.choice((*sorted(module.functions), "nowhere")))
        case 1:
            entry = replace(entry, object=rng.choice((None, *module.objects, "nowhere")))
        case 2:
            captured = rng.choice((*sorted(module.weights), "nowhere"))
            entry = replace(entry, captures=(*entry.captures, captured))
        case 3:
            entry = replace(entry, captures=entry.captures[1:])
        case _:
            entry = replace(entry, name=rng.choice(_ENTRY_NAMES))
    entries[at] = entry
    return replace(module, entries=tuple(entries))


def _rename(module: Module, rng: random.Random) -> Module:
    """Give a function a name that a compiler may use itself."""
    old = rng.choice(sorted(module.functions))
    names = ("kernel.f.0", "new.Point", "stdlib.lists.list_get", "fallback.f.0", "return", "f.2")
    new = rng.choice(names)
    functions = {
        (new if name == old else name): replace(
            ir_mutants.with_callee(function, old, new), name=new if name == old else name
        )
        for name, function in module.functions.items()
    }
    entries = [replace(e, function=new) if e.function == old else e for e in module.entries]
    return replace(module, functions=functions, entries=tuple(entries))


_OF_MODULES: Sequence[Callable[[Module, random.Random], Module]] = (
    *(_view, _view, _weight, _class, _class, _object, _object, _entry, _entry, _rename),
)
