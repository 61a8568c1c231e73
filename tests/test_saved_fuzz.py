"""Saved files with random changes: each is a module or is refused, in bounded time.

`--fuzz N` makes N changes to each file instead of a few; a failure names the seed that shows it.
"""

import random
import re
import time
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scriptc
from scriptc import script
from scriptc.types import N, f64
from scriptc_runtime import Budget, load
from scriptc_runtime.errors import LoadError, UnsupportedError
from scriptc_runtime.ir import Block, Instr, Value
from scriptc_runtime.ops import OPS
from scriptc_runtime.ops.opdef import Level, OpTypeError
from scriptc_runtime.record import replace
from scriptc_runtime.text_read import read_module
from scriptc_runtime.text_write import write_module

SECONDS = 10.0  # what one file may take, compiled; the caps allow about as much
SCALE = np.array([1.0, 10.0, 100.0])


@script
def table(x: f64[N], limit: int) -> f64[N]:
    y = x * SCALE + np.sum(x)
    for i in range(limit):
        if y[i] > 2.0:
            y[i] = y[i] // 2.0
    return np.maximum(y, 0.0)


@script
def words(xs: list[int], name: str, more: float | None) -> tuple[str, int]:
    total = 0
    seen = [0]
    for x in xs:
        try:
            total += 10 // x
            seen.append(x)
        except ZeroDivisionError:
            seen[0] += 1
    if more is not None:
        total += int(more)
    while total > 100:
        total -= 7
    return f"{name}: {total}", seen[-1]


@script
class Counter:
    def __init__(self, weights: f64[N], step: float) -> None:
        self.weights = weights
        self.step = step

    def bump(self, by: float) -> float:
        self.step += by
        self.weights *= self.step
        return float(np.mean(self.weights)) if len(self.weights) > 1 else self.step


@script
class Part:
    def __init__(self, x: f64[N]) -> None:
        self.x = x


@script
class Whole:
    best: f64[N] | None
    parts: list[Part]
    pair: tuple[int, list[float]]

    def __init__(self, x: f64[N]) -> None:
        self.best = None
        self.parts = [Part(x), Part(x[::-1])]
        self.pair = (3, [0.5])

    def step(self, by: float) -> float:
        part = self.parts[0]
        part.x += by
        self.best = self.parts[1].x
        self.pair[1].append(by)
        return float(np.sum(part.x)) + self.pair[1][0]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, bytes]:
    folder = tmp_path_factory.mktemp("files")
    things: Mapping[str, Any] = {
        "table": {"table": table},
        "words": {"words": words},
        "counter": Counter(np.ones(3), 0.5),
        "whole": Whole(np.arange(5.0)),
    }
    for name, thing in things.items():
        scriptc.save(thing, folder / name)
    return {name: (folder / name).read_bytes() for name in things}


# Changes: of the file, of a member of it, and of the words of the code.


def change_bytes(data: bytes, source: random.Random) -> bytes:
    """Return data with a few bytes changed, dropped, doubled or cut off."""
    changed = bytearray(data)
    for _ in range(source.randint(1, 4)):
        at, length = source.randrange(len(changed) or 1), source.randint(1, 8)
        match source.randrange(5):
            case 0:
                del changed[at : at + length]
            case 1:
                changed[at:at] = changed[at : at + length]
            case 2:
                changed[at : at + 1] = source.randbytes(1)
            case 3 if source.random() < 0.3:
                del changed[at:]
            case _:
                changed[at:at] = source.choice(
                    [b"-", b"9" * 20, b"\xff", b'"', b"[", b"NaN", b"\0"]
                )
    return bytes(changed)


WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[%@]?[\w.]+|[^\w\s]')
TYPES = (
    *("int", "float", "bool", "str", "None", "complex", "exception"),
    *("b1", "i8", "u8", "i16", "u32", "i64", "u64", "f16", "f32", "f64", "c64", "c128"),
    *("list<int>", "list<list<f64>>", "optional<int>", "optional<tensor<f64, [N]>>", "cell<int>"),
    *("tuple<int, f64>", "tensor<f64, [N]>", "tensor<i8, [?, 3]>", "tensor<c64, []>", "Counter"),
)
NUMBERS = ("0", "-1", "1", "3", "9223372036854775807", "1e308", "nan", "-0.0", "true", "none")
CORE = sorted(op.name for op in OPS.values() if op.level is not Level.LOW)


def change_words(text: str, source: random.Random) -> str:
    """Return code with one or two words replaced by others of their kind."""
    for _ in range(source.randint(1, 2)):
        found = list(WORD.finditer(text))
        at = source.choice(found)
        word = at[0]
        if word in OPS:
            new = source.choice(CORE)
        elif word in TYPES:
            new = source.choice(TYPES)
        elif word[0] in "%@":
            new = source.choice([f[0] for f in found if f[0][0] == word[0]])
        elif word[0].isdigit():
            new = source.choice(NUMBERS)
        else:
            new = source.choice(found)[0]
        text = text[: at.start()] + new + text[at.end() :]
    return text


def change_lines(text: str, source: random.Random) -> str:
    """Return code with a line dropped, doubled or moved."""
    lines = text.splitlines(keepends=True)
    at, to = source.randrange(len(lines)), source.randrange(len(lines))
    line = lines[at]
    if source.random() < 0.7:
        del lines[at]
    if source.random() < 0.7:
        lines.insert(to, line)
    return "".join(lines)


def change_types(text: str, source: random.Random) -> str:
    """Return code with a type replaced wherever it stands."""
    old = source.choice([w for w in sorted(set(WORD.findall(text))) if w in TYPES])
    new = source.choice(TYPES)
    return re.sub(rf"(?<![\w%@.]){re.escape(old)}(?![\w.])", lambda _: new, text)


def change_module(text: str, source: random.Random) -> str:
    """Return code with instructions replaced by others that give the same types."""
    module = read_module(text, "module.ir")
    functions = {
        name: replace(f, body=change_block(f.body, list(f.params), source))
        for name, f in module.functions.items()
    }
    return write_module(module.with_functions(functions))


def change_block(block: Block, scope: list[Value], source: random.Random) -> Block:
    scope = [*scope, *block.params]
    body: list[Instr] = []
    for instr in block.body:
        if instr.blocks:
            inner = tuple(change_block(b, scope, source) for b in instr.blocks)
            body.append(replace(instr, blocks=inner))
        elif instr.results and source.random() < 0.15:
            body.append(alike(instr, scope, source))
        else:
            body.append(instr)
        scope += instr.results
    return Block(block.params, tuple(body))


def alike(instr: Instr, scope: list[Value], source: random.Random) -> Instr:
    """Return an instruction with the same types of operands and results, where one is found."""
    operands = tuple(
        source.choice([v for v in scope if v.type == operand.type]) for operand in instr.operands
    )
    attrs = dict(instr.attrs)
    if type(value := attrs.get("value")) is int:
        attrs["value"] = source.choice([0, 1, -1, value + 1, 2**40, 2**63 - 1, -(2**63)])
    if type(value) is float:
        attrs["value"] = source.choice([0.0, -0.0, 1e308, float("nan"), float("-inf")])
    types = [v.type for v in operands]
    for name in source.sample(CORE, len(CORE)):
        op = OPS[name]
        if len(op.operands) == len(instr.op.operands) and set(op.attrs) >= attrs.keys():
            try:
                found = op.infer(types, attrs)
            except (OpTypeError, KeyError):  # a missing attribute
                continue
            if list(found) == [v.type for v in instr.results]:
                return replace(instr, op=op, operands=operands, attrs=attrs)
    return instr


def change_member(data: bytes, source: random.Random, folder: Path) -> bytes:
    """Return a file with one member changed; its checksums are right."""
    old, new = folder / "old", folder / "new"
    old.write_bytes(data)
    with zipfile.ZipFile(old) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    manifest, code, weights = "manifest.json", "module.ir", "weights.safetensors"
    match source.randrange(10):
        case 0:
            members[manifest] = change_bytes(members[manifest], source)
        case 1:
            members[weights] = change_bytes(members[weights], source)
        case 2:
            members[code] = change_bytes(members[code], source)
        case kind:
            changes = {3: change_lines, 4: change_words, 5: change_types}
            text = changes.get(kind, change_module)(members[code].decode(), source)
            members[code] = text.encode()
    # Every op has a version, so that one that is put in is not refused for that alone.
    text = members[manifest].decode(errors="surrogateescape")
    every = ", ".join(f'"{name}": 0' for name in CORE)
    text = re.sub(r'"ops": \{[^}]*\}', lambda _: f'"ops": {{{every}}}', text, count=1)
    members[manifest] = text.encode(errors="surrogateescape")
    with zipfile.ZipFile(new, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return new.read_bytes()


def read(path: Path, reader: Callable[[Path], object]) -> bool:
    """Return whether a file is accepted; it is refused by errors of two classes alone."""
    start = time.process_time()
    try:
        reader(path)
    except (LoadError, UnsupportedError):
        return False
    finally:
        assert time.process_time() - start < SECONDS
    return True


@pytest.mark.parametrize("name", ["table", "words", "counter", "whole"])
def test_any_file_gives_a_module_or_is_refused(
    name: str, files: Mapping[str, bytes], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    target = tmp_path / "changed"
    accepted = 0
    for seed in range(int(str(request.config.getoption("--fuzz")))):
        source = random.Random(f"{name} {seed}")
        if source.random() < 0.2:
            target.write_bytes(change_bytes(files[name], source))
        else:
            target.write_bytes(change_member(files[name], source, tmp_path))
        try:
            if read(target, lambda path: load(path, budget=Budget(10_000, 2**24))):
                accepted += 1
                read(target, scriptc.load)
        except Exception as error:
            error.add_note(f"{name}, seed {seed}: {target}")
            raise
    assert accepted > 0
