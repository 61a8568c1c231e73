"""Faults that each take one check away, and whether the fuzzers find them: `make planted`.

    python -m tests.fuzz.planted_faults [NAME ...]

A fault is planted in the processes that look at mutants, by replacing a function there; no file
changes. It is found where a mutant crashes or hangs, lets an exception out that is none of ours, or
makes interpreter and machine code differ; what is found without the fault as well does not count.
A fault is about some ops, or about classes or control flow, of which a million mutants hold enough;
here mutants are made of those files alone. Of faults in what checks a file, only mutants that are
refused are looked at further, as no others can show them.

All faults are found within 6,000 mutants, most within 800. What is checked twice is not among them,
as nothing would come of its fault: the kind of the attribute `axis`, which the type rules of its
ops check as well.
"""

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from tests.fuzz.saved_files import Counts, findings, fuzz, parsed

_MOST = 6000  # mutants that a fault may take
_SHARE = 0.5  # of those taken, to be compiled, where that shows the fault


Change = Callable[[Any], Any]  # of a function, to what stands in its place


class Fault(NamedTuple):
    """A check that can be taken away: functions with what stands for them, and files that meet it.

    Where a file is checked as it is read, only mutants that are refused can show a fault.
    """

    changes: Mapping[str, Change]  # by `module:name` or `module:class.name`
    files: str = "*"
    is_of_reading: bool = True

    @contextmanager
    def planted(self) -> Generator[None]:
        """Have the fault."""
        with ExitStack() as stack:
            for name, change in self.changes.items():
                stack.enter_context(_replaced(name, change))
            yield


@contextmanager
def _replaced(name: str, change: Change) -> Generator[None]:
    module, _, path = name.partition(":")
    *owners, last = path.split(".")
    owner: Any = import_module(module)
    for part in owners:
        owner = getattr(owner, part)
    old = getattr(owner, last)
    setattr(owner, last, change(old))
    try:
        yield
    finally:
        setattr(owner, last, old)


def _gives(value: object, *names: str) -> Mapping[str, Change]:
    """Return what lets functions give a value, whatever they are asked."""

    def fixed(*_args: object, **_named: object) -> object:
        return value

    return dict.fromkeys(names, lambda _: fixed)


def _unchecked(part: str) -> Mapping[str, Change]:
    """Return what leaves out the checks in machine code whose message has this part."""

    def of_kernels(old: Any) -> Any:
        def require(self: Any, condition: Any, kind: str, message: str, *values: Any) -> None:
            if part not in message:
                old(self, condition, kind, message, *values)

        return require

    def of_llvm(old: Any) -> Any:
        def raise_if(self: Any, condition: str, kind: str, message: str, *more: Any) -> None:
            if part not in message:
                old(self, condition, kind, message, *more)

        return raise_if

    return {
        "scriptc.kernels.builder:Code.require": of_kernels,
        "scriptc.backends.llvm.emitter.function:Emitter.raise_if": of_llvm,
    }


_CODE, _STATE = "code.*", "state.*"
_CHECKER = "scriptc_runtime.verify.module:_FunctionChecker."
FAULTS: dict[str, Fault] = {
    # What is read.
    "scope": Fault(_gives(None, _CHECKER + "_uses"), _CODE),
    "exits": Fault(_gives(None, _CHECKER + "_fit"), _CODE),
    "block-params": Fault(_gives(None, _CHECKER + "_params"), _CODE),
    "for": Fault(_gives(None, _CHECKER + "_for"), _CODE),
    "while": Fault(_gives(None, _CHECKER + "_while"), _CODE),
    "exit": Fault(_gives(None, _CHECKER + "_exit"), _CODE),
    "shape": Fault(_gives(None, _CHECKER + "_shape"), _CODE),
    "calls": Fault(_gives(None, _CHECKER + "_call")),
    "new": Fault(_gives(None, _CHECKER + "_new"), _STATE),
    "field": Fault(_gives(None, _CHECKER + "_field"), _STATE),
    "set-field": Fault(_gives(None, _CHECKER + "_set_field"), _STATE),
    "types": Fault(_gives(None, "scriptc_runtime.verify.module:check_type"), _STATE),
    "sizes": Fault(_gives(True, "scriptc_runtime.verify.module:_is_size"), "[cs]*"),
    "results": Fault(
        _gives(None, _CHECKER + "_results", "scriptc_runtime.text.reader:_compare"),
    ),
    "attrs": Fault(_gives(None, "scriptc_runtime.ops.signature:check_attrs")),
    "operand-count": Fault(_gives(None, "scriptc_runtime.ops.signature:_check_count")),
    "views": Fault(_gives(None, "scriptc_runtime.verify.state:_check_view"), _STATE),
    "objects": Fault(_gives(True, "scriptc_runtime.verify.state:_ObjectChecker._fits"), _STATE),
    "reserved": Fault(_gives(None, "scriptc_runtime.verify.module:check_not_reserved")),
    "entries": Fault(_gives(None, "scriptc_runtime.verify.names:_check_entry"), _STATE),
    "weights": Fault(_gives(None, "scriptc_runtime.saved.file:_check_weights"), _STATE),
    "signatures": Fault(_gives(None, "scriptc_runtime.saved.file:_check_signature")),
    "constants": Fault(_gives(True, "scriptc_runtime.verify.state:constant_fits"), _STATE),
    "ranges": Fault(_gives(True, "scriptc_runtime.verify.state:_in_range"), _STATE),
    "entry-names": Fault(_gives(None, "scriptc_runtime.saved.file:_check_entry_name"), _STATE),
    # What machine code does.
    "read-only": Fault(_gives((), "scriptc.saved.load:must_be_writable"), "op.*set*", False),
    "index": Fault(_unchecked("is out of bounds for axis"), "op.*index*", False),
    "broadcast": Fault(_unchecked("operands could not be broadcast"), "op.[amsd]*", False),
    "assign": Fault(_unchecked("could not broadcast input array"), "op.assign*", False),
    "mask": Fault(_unchecked("boolean index did not match"), "op.*[cm]*ss*", False),
    "declared-sizes": Fault(_unchecked("an axis declared as"), "op.[dfer]*", False),
    "inner-sizes": Fault(_unchecked("mismatch in its core dimension"), "op.matmul*", False),
    "reshape": Fault(_unchecked("cannot reshape array"), "code.sizes", False),
    "places": Fault(
        _gives(None, "scriptc.kernels.fusion.indexing.gather:_check"), "op.take*", False
    ),
    "overflow": Fault(
        _gives(None, "scriptc.backends.llvm.rules.scalars:_refuse_overflow"), "op.[am]*", False
    ),
    "division": Fault(_unchecked(" by zero"), "op.*[di][io][vd]*", False),
    "absent": Fault(_unchecked("there is no value: this is None"), "op.unwrap*", False),
    "negative-sizes": Fault(_unchecked("negative dimensions"), "code.sizes", False),
    "empty-folds": Fault(_unchecked("zero-size array to reduction"), "op.m[ai][xn]*", False),
}


def is_found(name: str, folder: Path) -> tuple[Counts, str]:
    """Return what the fuzzer did with a fault, and what it found, if anything.

    What is found without the fault as well is a mistake of its own, and does not count.
    """
    options = parsed([str(_MOST), "--fault", name, "--until-found", "--no-programs", "--jobs", "1"])
    fault = FAULTS[name]
    options.files, options.share = fault.files, 1.0 if fault.is_of_reading else _SHARE
    counts = fuzz(folder, options, quiet=True)
    found = next(iter(findings(folder)), "")
    _clear(folder)
    if found:
        options.first, options.count = json.loads(found)[0], 1
        options.fault, options.share = "", 1.0
        fuzz(folder, options, quiet=True)
        if findings(folder):
            print(f"{name:15} also without the fault: {findings(folder)[0]}")
            found = ""
        _clear(folder)
    return counts, found


def _clear(folder: Path) -> None:
    """Leave the files that mutants are made of; a cache has code that was made with the fault."""
    for path in folder.iterdir():
        if path.is_file():
            path.unlink()
        elif path.name != "seeds":
            shutil.rmtree(path)


def main(names: Sequence[str]) -> int:
    """Plant faults one after the other; return the exit status."""
    missed: list[str] = []
    with tempfile.TemporaryDirectory() as place:
        for name in names or list(FAULTS):
            folder = Path(place) / "state"
            folder.mkdir(exist_ok=True)
            begin = time.monotonic()
            counts, found = is_found(name, folder)
            took = time.monotonic() - begin
            what = f"found: {found[:150]}" if found else "NOT FOUND"
            print(f"{name:15} {counts.read:5} read {took:5.0f} s  {what}", flush=True)
            missed += [] if found else [name]
    print(f"{len(names or FAULTS) - len(missed)} found, not found: {', '.join(missed) or 'none'}")
    return 1 if missed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *FAULTS])
    sys.exit(main(parser.parse_args().names))
