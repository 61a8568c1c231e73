"""Saved modules: what is written is read back, and hostile files are refused, not run."""

import json
import os
import random
import subprocess
import sys
import traceback
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy

from scriptc_runtime import Budget, BudgetExceededError, LoadedModule, LoadError, load
from scriptc_runtime.dims import Dim
from scriptc_runtime.errors import InvalidIRError
from scriptc_runtime.ir import (
    ClassDecl,
    Entry,
    Function,
    Label,
    Loc,
    Module,
    ObjectDecl,
    Value,
    Weight,
    WeightRef,
)
from scriptc_runtime.ops import arrays, control, data, elementwise
from scriptc_runtime.record import replace
from scriptc_runtime.saved.file import EntryPoint, SavedModule, read_saved, write_saved
from scriptc_runtime.text.writer import write_module
from scriptc_runtime.types import FLOAT, INT, STR, ClassType, OptionalType, TensorType
from tests.support import ir_programs as programs
from tests.support.ir_programs import F64, VECTOR, Body, call, signature

REPO = Path(__file__).parents[3]
COUNTER = ClassDecl("Counter", (("w", VECTOR), ("step", F64), ("name", OptionalType(STR))))


def bump() -> Function:
    """A method that adds `step` to every weight in place and returns the first."""
    b, this, label = Body(), Value(ClassType("Counter"), "self"), Label()
    index = Value(INT, "index")
    b.open()
    w = b.emit(data.FIELD, this, name="w", type=TensorType(F64, (Dim(known=False),)))
    step = b.emit(data.FIELD, this, name="step", type=F64)
    b.effect(arrays.ASSIGN, w, b.emit(elementwise.ADD, w, step))
    b.exit(label, b.emit(arrays.INDEX, w, index, loc=Loc(5, 12)))
    return Function("Counter.bump", (this, index), F64, b.close(), label, Loc(4, 5), "counter.py")


def scaled() -> Function:
    """x * table, where the table is captured."""
    x, table = Value(VECTOR, "x"), Value(VECTOR, "table")
    b, label = Body(), Label()
    b.open()
    b.exit(label, b.emit(elementwise.MUL, x, table))
    return Function("scaled", (x, table), VECTOR, b.close(), label)


def specimen() -> SavedModule:
    functions = [
        bump(),
        scaled(),
        programs.softmax(),
        programs.failing(),
        programs.forever(),
        programs.identity("one", INT),
        programs.identity("one.2", FLOAT),
    ]
    module = Module(
        {f.name: f for f in functions},
        {"Counter": COUNTER},
        {n: Weight(n, TensorType(F64, (Dim(3),))) for n in ("counter.w", "table")},
        {
            "counter": ObjectDecl(
                "counter",
                "Counter",
                (("w", WeightRef("counter.w")), ("step", 0.5), ("name", None)),
            )
        },
        (
            Entry("bump", "Counter.bump", "counter"),
            Entry("scaled", "scaled", None, ("table",)),
            Entry("softmax", "softmax"),
            Entry("failing", "failing"),
            Entry("forever", "forever"),
            Entry("one", "one"),
            Entry("one", "one.2"),
        ),
    )
    bump_signature = signature(functions[0], index=0)
    scaled_signature = signature(functions[1])
    return SavedModule(
        module,
        (
            EntryPoint("bump", (replace(bump_signature, params=bump_signature.params[1:]),), "Up."),
            EntryPoint("scaled", (replace(scaled_signature, params=scaled_signature.params[:1]),)),
            *(EntryPoint(f.name, (signature(f),)) for f in functions[2:5]),
            EntryPoint("one", tuple(signature(f) for f in functions[5:7])),
        ),
        {"counter.w": np.array([1.0, 2.0, 3.0]), "table": np.array([1.0, 10.0, 100.0])},
        {"counter.py": "class Counter: ...\n"},
        {"notes.txt": b"\0\xff"},
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    target = tmp_path / "m.scriptc"
    write_saved(target, specimen())
    return target


@pytest.fixture
def module(path: Path) -> LoadedModule:
    return load(path)


def test_what_is_saved_is_read_back(path: Path) -> None:
    saved, back = specimen(), read_saved(path)
    assert write_module(back.module) == write_module(saved.module)
    assert back.entry_points == saved.entry_points
    assert back.sources == saved.sources
    assert back.extra == saved.extra
    assert {n: a.tolist() for n, a in back.weights.items()} == {
        n: a.tolist() for n, a in saved.weights.items()
    }


def test_saving_again_gives_the_same_bytes(path: Path, tmp_path: Path) -> None:
    for saved in (specimen(), read_saved(path)):
        write_saved(tmp_path / "again", saved)
        assert (tmp_path / "again").read_bytes() == path.read_bytes()


def test_nothing_is_left_where_saving_fails(tmp_path: Path) -> None:
    broken = replace(specimen(), weights={})
    with pytest.raises(LoadError):
        write_saved(tmp_path / "m.scriptc", broken)
    assert not list(tmp_path.iterdir())


def test_low_ir_is_not_saved(tmp_path: Path) -> None:
    f = programs.low_sum()
    with pytest.raises(InvalidIRError, match="low op"):
        write_saved(tmp_path / "m", SavedModule(Module({f.name: f}), ()))


def test_entries_are_the_attributes(module: LoadedModule) -> None:
    entries = ["bump", "failing", "forever", "one", "scaled", "softmax"]
    assert dir(module) == sorted([*entries, "w", "step", "name"])
    assert sorted(vars(module)) == entries
    assert vars(module)["bump"].__doc__ == "Up."
    assert repr(vars(module)["bump"]) == "bump(index: int) -> f64"
    with pytest.raises(TypeError, match="is no function"):
        module()


def test_an_entry_computes(module: LoadedModule) -> None:
    x = np.array([0.5, 1.0])
    e = np.exp(x - 1.0)
    assert np.array_equal(np.asarray(call(module, "softmax", x)), e / e.sum())
    assert np.asarray(call(module, "scaled", x=np.ones(3))).tolist() == [1.0, 10.0, 100.0]


def test_state_is_kept_per_loaded_module(path: Path) -> None:
    first, second = load(path), load(path)
    results = [call(first, "bump"), call(first, "bump", 1), call(first, "bump", index=-1)]
    assert results == [1.5, 3.0, 4.5]
    assert type(results[0]) is np.float64
    assert call(second, "bump") == 1.5


def test_the_first_signature_that_fits_is_taken(module: LoadedModule) -> None:
    results = [call(module, "one", 3), call(module, "one", 2.5), call(module, "one", np.int64(4))]
    assert results == [3, 2.5, 4]
    assert [type(r) for r in results] == [int, float, int]
    with pytest.raises(TypeError, match=r"(?s)no signature of one fits.*got str"):
        call(module, "one", "3")


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        (
            "softmax",
            (np.zeros(3, np.float32),),
            "'x': expected an array of float64 with 1 axis",
        ),
        ("softmax", (np.zeros((3, 1)),), "'x'"),
        ("softmax", ([1.0],), "'x'.*got list"),
        ("softmax", (), "missing a required argument: 'x'"),
        ("softmax", (np.zeros(3), 1), "too many positional"),
        ("scaled", (np.ma.zeros(3),), "'x'"),
        ("scaled", (np.zeros(2),), "'x': N is 3 and 2"),
        ("bump", (True,), "'index': expected int, got bool"),
        ("bump", (1.0,), "'index'"),
    ],
)
def test_a_wrong_argument_is_named(
    module: LoadedModule, name: str, args: tuple[object, ...], message: str
) -> None:
    error = ValueError if " and " in message else TypeError
    with pytest.raises(error, match=message):
        call(module, name, *args)


def test_exceptions_of_the_script_pass_with_their_lines(module: LoadedModule) -> None:
    with pytest.raises(ValueError, match="no"):
        call(module, "failing")
    with pytest.raises(IndexError) as caught:
        call(module, "bump", 7)
    # This function, the one that calls a script, and no frame of the runtime.
    *_, caller, last = traceback.extract_tb(caught.tb)
    assert (last.filename, last.lineno, last.name) == ("counter.py", 5, "bump")
    assert caller.filename == programs.__file__  # of `call`


def test_a_budget_ends_what_has_no_end(path: Path) -> None:
    with pytest.raises(BudgetExceededError):
        call(load(path, budget=Budget(1000, 2**20)), "forever")


# Files that no one should trust.

Members = dict[str, bytes]


def members_of(path: Path) -> Members:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def refused(tmp_path: Path, members: Mapping[str, bytes], method: int = zipfile.ZIP_STORED) -> str:
    target = tmp_path / "hostile"
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return refused_file(target)


def refused_file(target: Path) -> str:
    with pytest.raises(LoadError) as caught:
        read_saved(target)
    assert f"the file is {target}" in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("name", ["manifest.json", "module.ir", "weights.safetensors"])
def test_no_part_may_be_missing(path: Path, tmp_path: Path, name: str) -> None:
    members = members_of(path)
    del members[name]
    assert f"has no {name}" in refused(tmp_path, members)


@pytest.mark.parametrize(
    "name",
    [
        "../x",
        "extra/../../x",
        "/x",
        "extra//x",
        "extra/",
        "extra\\x",
        "x",
        "source/c:x",
        "extra/\n",
        "extra/" + "x" * 300,
        "extra/./x",
        "extra/con",
        "extra/Nul.txt",
        "extra/com1/x",
        "extra/x.",
        "extra/x ",
        "source/aux.py",
    ],
)
def test_a_member_is_called_what_a_member_may_be_called(
    path: Path, tmp_path: Path, name: str
) -> None:
    assert "has a member called" in refused(tmp_path, {**members_of(path), name: b""})


def test_a_compressed_file_is_refused(path: Path, tmp_path: Path) -> None:
    bomb = {**members_of(path), "extra/zeros": bytes(10**6)}
    assert "compressed" in refused(tmp_path, bomb, zipfile.ZIP_DEFLATED)


def test_a_name_stands_once(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "hostile"
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in members_of(path).items():
            archive.writestr(zipfile.ZipInfo(name), content)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr(zipfile.ZipInfo("module.ir"), b"")
    assert "twice" in refused_file(target)


def test_members_do_not_share_their_bytes(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "hostile"
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in members_of(path).items():
            archive.writestr(zipfile.ZipInfo(name), content)
        archive.writestr(zipfile.ZipInfo("extra/a"), bytes(10**5))
        first = archive.infolist()[-1]
        for number in range(50):
            again = zipfile.ZipInfo(f"extra/{number}")
            again.header_offset, again.CRC = first.header_offset, first.CRC
            again.file_size = again.compress_size = first.file_size
            archive.filelist.append(again)
            archive.NameToInfo[again.filename] = again
    assert "stands at" in refused_file(target)


def test_too_many_members_are_refused(path: Path, tmp_path: Path) -> None:
    many = {f"extra/{i}": b"" for i in range(10_001)}
    assert "members" in refused(tmp_path, {**members_of(path), **many})


def test_what_is_no_zip_is_refused(tmp_path: Path) -> None:
    for content in (b"", b"PK", b"\0" * 1000, b"PK\5\6" + b"\xff" * 18):
        (tmp_path / "x").write_bytes(content)
        refused_file(tmp_path / "x")


@pytest.mark.parametrize("place", ["front", "behind", "comment", "between", "gap", "long"])
def test_a_file_holds_nothing_but_its_members(path: Path, tmp_path: Path, place: str) -> None:
    content = path.read_bytes()
    directory = content.index(b"PK\1\2")
    size = int.from_bytes(content[-10:-6], "little")
    changed = {
        "front": b"#!/bin/sh\n" + content,
        "behind": content + b"\n",
        "comment": content[:-2] + b"\3\0abc",
        "between": content[:-22] + b"more" + content[-22:],
        # The end says where the directory starts now, which leaves a gap behind the members.
        "gap": content[:directory]
        + b"more"
        + content[directory:-6]
        + (directory + 4).to_bytes(4, "little")
        + content[-2:],
        "long": content[:-10] + (size + 4).to_bytes(4, "little") + content[-6:],
    }
    (tmp_path / "x").write_bytes(changed[place])
    refused_file(tmp_path / "x")


def test_two_headers_of_a_member_say_the_same(path: Path, tmp_path: Path) -> None:
    content = path.read_bytes()
    # Flags, method, checksum, sizes and a letter of the name.
    for byte in (6, 8, 14, 18, 22, 31):
        changed = bytearray(content)
        changed[byte] ^= 1
        (tmp_path / "x").write_bytes(changed)
        refused_file(tmp_path / "x")


def test_a_file_may_be_larger_than_old_zips(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    members = members_of(path)
    for name, limit in (("ZIP64_LIMIT", 100), ("ZIP_FILECOUNT_LIMIT", 2)):
        monkeypatch.setattr(zipfile, name, limit)
        with zipfile.ZipFile(tmp_path / "long", "w") as archive:
            for member, content in members.items():
                archive.writestr(zipfile.ZipInfo(member), content)
        content = (tmp_path / "long").read_bytes()
        assert b"PK\6\6" in content
        # Here `zipfile` says that numbers are long which would not need to be.
        content = content[:-14] + b"\xff" * 12 + content[-2:]
        (tmp_path / "long").write_bytes(content)
        assert read_saved(tmp_path / "long").sources == read_saved(path).sources
        (tmp_path / "longer").write_bytes(content.replace(b"PK\6\6", b"morePK\6\6"))
        refused_file(tmp_path / "longer")


def test_only_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    for name in ("pipe", "zero", "."):
        assert "no regular file" in refused_file(tmp_path / name)


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "nowhere")


def edited(path: Path, edit: Callable[[dict[str, Any]], object]) -> Members:
    members = members_of(path)
    manifest = json.loads(members["manifest.json"])
    edit(manifest)
    members["manifest.json"] = json.dumps(manifest).encode()
    return members


def first_entry(manifest: dict[str, Any]) -> dict[str, Any]:
    return manifest["entries"][0]


def first_signature(manifest: dict[str, Any]) -> dict[str, Any]:
    return first_entry(manifest)["signatures"][0]


def first_param(manifest: dict[str, Any]) -> dict[str, Any]:
    return first_signature(manifest)["params"][0]


EDITS: dict[str, Callable[[dict[str, Any]], object]] = {
    "another format": lambda m: m.update(format=1),
    "no format": lambda m: m.pop("format"),
    "a format of true": lambda m: m.update(format=True),
    "an unknown field": lambda m: m.update(run="rm"),
    "an unknown op": lambda m: m.update(ops={"evil": 0}),
    "another version of an op": lambda m: m["ops"].update(add=1),
    "an op without version": lambda m: m["ops"].pop("add"),
    "no entries": lambda m: m.update(entries=[]),
    "entries that are no list": lambda m: m.update(entries={}),
    "an entry twice": lambda m: m["entries"].append(m["entries"][0]),
    "an entry of another name": lambda m: first_entry(m).update(name="other"),
    "an entry that is dunder": lambda m: first_entry(m).update(name="__class__"),
    "an entry that is no name": lambda m: first_entry(m).update(name="a b"),
    "no signatures": lambda m: first_entry(m).update(signatures=[]),
    "a function that is not there": lambda m: first_signature(m).update(function="x"),
    "another result": lambda m: first_signature(m).update(result="int"),
    "a result that is no type": lambda m: first_signature(m).update(result="import os"),
    "a deep type": lambda m: first_signature(m).update(result="list<" * 10**5),
    "another parameter": lambda m: first_param(m).update(name="x"),
    "a parameter of another type": lambda m: first_param(m).update(type="float"),
    "a default of another type": lambda m: first_param(m).update(default='"x"'),
    "a default that is no constant": lambda m: first_param(m).update(default="(1, 2)"),
    "a default that is code": lambda m: first_param(m).update(default="__import__('os')"),
    "a flag that is none": lambda m: first_param(m).update(keyword_only=1),
}


@pytest.mark.parametrize("name", EDITS)
def test_a_wrong_manifest_is_refused(path: Path, tmp_path: Path, name: str) -> None:
    refused(tmp_path, edited(path, EDITS[name]))


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b"\xff",
        b"{",
        b"[" * 10**6,
        b'{"format": 0, "format": 0}',
        b'{"format": ' + b"9" * 10**6 + b"}",
        b'{"format": 0.0}',
        b'{"format": NaN}',
        b'{"a": ' * 1000 + b"0" + b"}" * 1000,
        b'{"' + b"\\" * 10**6,
    ],
)
def test_a_manifest_that_is_no_json_of_ours_is_refused(
    path: Path, tmp_path: Path, text: bytes
) -> None:
    refused(tmp_path, {**members_of(path), "manifest.json": text})


def test_code_is_verified(path: Path, tmp_path: Path) -> None:
    members = members_of(path)
    text = members["module.ir"].decode()
    assert text.count("exit @return") > 3
    lines = text.splitlines(keepends=True)
    end = next(n for n, line in enumerate(lines) if "exit @return" in line)
    for bad in (
        "".join(lines[:end] + lines[end + 1 :]),
        text.replace("exit @return", "%999 = size %x [axis=0] : i64\n  exit @return", 1),
        text.replace("step=0.5", "step=true"),
        text + "garbage\n",
        text[: len(text) // 2],
    ):
        assert bad != text
        refused(tmp_path, {**members, "module.ir": bad.encode()})
    refused(tmp_path, {**members, "module.ir": b"\xff\xfe"})


def test_weights_are_those_of_the_module(path: Path, tmp_path: Path) -> None:
    members = members_of(path)
    for arrays_ in (
        {"table": np.zeros(3)},
        {"table": np.zeros(3), "counter.w": np.zeros(3), "more": np.zeros(1)},
        {"table": np.zeros(3), "counter.w": np.zeros(4)},
        {"table": np.zeros(3), "counter.w": np.zeros((3, 1))},
        {"table": np.zeros(3), "counter.w": np.zeros(3, np.float32)},
    ):
        refused(tmp_path, {**members, "weights.safetensors": safetensors.numpy.save(arrays_)})


@pytest.mark.parametrize("seed", range(6))
def test_a_damaged_file_is_refused_or_still_right(path: Path, tmp_path: Path, seed: int) -> None:
    content, source = path.read_bytes(), random.Random(seed)
    target = tmp_path / "damaged"
    for _ in range(80):
        damaged = bytearray(content)
        for _ in range(source.randint(1, 3)):
            damaged[source.randrange(len(damaged))] ^= 1 << source.randrange(8)
        if source.random() < 0.2:
            del damaged[source.randrange(len(damaged)) :]
        target.write_bytes(damaged)
        try:
            saved = read_saved(target)
        except LoadError:
            continue
        for name, array in specimen().weights.items():
            assert saved.weights[name].tobytes() == array.tobytes()


@pytest.mark.parametrize("seed", range(4))
def test_damage_inside_the_members_is_refused_or_harmless(
    path: Path, tmp_path: Path, seed: int
) -> None:
    # The checksums of the zip are right here, so the readers behind them are on their own.
    members, source = members_of(path), random.Random(seed)
    target = tmp_path / "damaged"
    for _ in range(60):
        name = source.choice(["manifest.json", "module.ir", "weights.safetensors"])
        damaged = bytearray(members[name])
        damaged[source.randrange(len(damaged))] = source.randrange(256)
        with zipfile.ZipFile(target, "w") as archive:
            for other, content in members.items():
                archive.writestr(other, bytes(damaged) if other == name else content)
        try:
            loaded = load(target, budget=Budget(1000, 2**20))
        except LoadError:
            continue
        try:
            call(loaded, "scaled", np.ones(3))
        except (TypeError, ValueError, KeyError, BudgetExceededError):
            continue


def test_the_command_line_lists_and_runs(path: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.array([1.0, 2.0, 3.0]))

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "scriptc_runtime", *arguments]
        environment = {"PYTHONPATH": str(REPO / "runtime")}
        return subprocess.run(
            command, capture_output=True, text=True, check=False, env=environment, cwd=tmp_path
        )

    assert "bump(index: int) -> f64" in run("info", str(path)).stdout
    assert run("run", str(path), "scaled", "x.npy").stdout == "[  1.  20. 300.]\n"
    assert run("run", str(path), "bump", "1").stdout == "2.5\n"
    assert run("run", str(path), "nothing").returncode == 1
    assert run("info", str(tmp_path / "x.npy")).returncode == 1


def test_a_module_may_be_called_itself(tmp_path: Path) -> None:
    f = programs.identity("f", INT)
    module = Module({"f": f}, entries=(Entry("__call__", "f"),))
    write_saved(tmp_path / "m", SavedModule(module, (EntryPoint("__call__", (signature(f),)),)))
    assert load(tmp_path / "m")(4) == 4


def test_unused_ops_are_not_in_the_manifest(path: Path) -> None:
    manifest = json.loads(members_of(path)["manifest.json"])
    assert "exit" in manifest["ops"]
    assert control.TRY.name not in manifest["ops"]
