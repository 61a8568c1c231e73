"""Faults that each take one check away, and whether the fuzzers find them: `make planted`.

    python -m tests.planted_faults [NAME ...]

A fault is planted in the processes that look at mutants, by replacing a function there; no file
changes. It is found where a mutant crashes or hangs, lets an exception out that is none of ours, or
makes interpreter and machine code differ. Faults of machine code are about one op or a few, of
which a million mutants hold enough; here mutants are made of those ops' files alone.

Half of the faults are found within 6,000 mutants. Why the others are not has not been looked at one
by one: the mutants may never do what a check refuses, or another check may refuse it as well.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from tests.fuzz_saved import Counts, findings, fuzz, parsed

_MOST = 6000  # mutants that a fault may take
_SHARE = 0.5  # of those taken, to be compiled: more than usual, as machine code is what shows most


class Fault(NamedTuple):
    """A check that can be taken away, and the files whose mutants meet it."""

    plant: Callable[[], None]
    files: str = "*"


def _replaced(name: str, new: Callable[[Any], Any]) -> None:
    """Put `new(old)` in the place of a function, `module:name` or `module:class.name`."""
    module, _, path = name.partition(":")
    *owners, last = path.split(".")
    owner: Any = import_module(module)
    for part in owners:
        owner = getattr(owner, part)
    setattr(owner, last, new(getattr(owner, last)))


def _gives(value: object, *names: str) -> Callable[[], None]:
    """Return what lets functions give a value, whatever they are asked."""

    def fixed(*_args: object, **_named: object) -> object:
        return value

    def plant() -> None:
        for name in names:
            _replaced(name, lambda _: fixed)

    return plant


def _accepts(attribute: str) -> Callable[[], None]:
    """Return what lets an attribute hold anything."""

    def anything(_value: object) -> bool:
        return True

    def plant() -> None:
        signature: Any = import_module("scriptc_runtime.ops.signature")
        signature._ACCEPTS[attribute] = anything

    return plant


def _unchecked(part: str) -> Callable[[], None]:
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

    def plant() -> None:
        _replaced("scriptc.kernels.code:Code.require", of_kernels)
        _replaced("scriptc.backends.llvm.emit_function:Emitter.raise_if", of_llvm)

    return plant


_CHECKER = "scriptc_runtime.verify:_FunctionChecker."
FAULTS: dict[str, Fault] = {
    # What is read.
    "scope": Fault(_gives(None, _CHECKER + "_uses")),
    "exits": Fault(_gives(None, _CHECKER + "_fit")),
    "block-params": Fault(_gives(None, _CHECKER + "_params")),
    "for": Fault(_gives(None, _CHECKER + "_for")),
    "shape": Fault(_gives(None, _CHECKER + "_shape")),
    "calls": Fault(_gives(None, _CHECKER + "_call")),
    "new": Fault(_gives(None, _CHECKER + "_new")),
    "field": Fault(_gives(None, _CHECKER + "_field")),
    "set-field": Fault(_gives(None, _CHECKER + "_set_field")),
    "types": Fault(_gives(None, "scriptc_runtime.verify:check_type")),
    "sizes": Fault(_gives(True, "scriptc_runtime.verify:_is_size")),
    "results": Fault(
        _gives(None, _CHECKER + "_results", "scriptc_runtime.text_read:_compare"),
    ),
    "attrs": Fault(_gives(None, "scriptc_runtime.ops.signature:check_attrs")),
    "axis": Fault(_accepts("axis")),
    "operand-count": Fault(_gives(None, "scriptc_runtime.ops.signature:_check_count")),
    "views": Fault(_gives(None, "scriptc_runtime.verify_state:_check_view")),
    "objects": Fault(_gives(True, "scriptc_runtime.verify_state:_ObjectChecker._fits")),
    "reserved": Fault(_gives(None, "scriptc_runtime.verify:check_not_reserved")),
    "entries": Fault(_gives(None, "scriptc_runtime.verify_names:_check_entry")),
    "weights": Fault(_gives(None, "scriptc_runtime.saved:_check_weights")),
    "signatures": Fault(_gives(None, "scriptc_runtime.saved:_check_signature")),
    "entry-names": Fault(_gives(None, "scriptc_runtime.saved:_check_entry_name")),
    # What machine code does.
    "read-only": Fault(_gives((), "scriptc.loading:must_be_writable"), "op.*set*"),
    "index": Fault(_unchecked("is out of bounds for axis"), "op.*index*"),
    "broadcast": Fault(_unchecked("operands could not be broadcast"), "op.[amsd]*"),
    "assign": Fault(_unchecked("could not broadcast input array"), "op.assign*"),
    "mask": Fault(_unchecked("boolean index did not match"), "op.*[cm]*ss*"),
    "declared-sizes": Fault(_unchecked("an axis declared as"), "op.[dfer]*"),
    "inner-sizes": Fault(_unchecked("mismatch in its core dimension"), "op.matmul*"),
    "reshape": Fault(_unchecked("cannot reshape array"), "op.reshape*"),
    "places": Fault(_gives(None, "scriptc.kernels.fusion.picks:_check"), "op.take*"),
    "overflow": Fault(
        _gives(None, "scriptc.backends.llvm.rules.numbers:_refuse_overflow"), "op.[am]*"
    ),
    "division": Fault(_unchecked("division by zero"), "op.[fm]*od*"),
    "absent": Fault(_unchecked("there is no value: this is None"), "op*.*[pw][ar]*"),
    "negative-sizes": Fault(_unchecked("negative dimensions"), "op.[ef]*"),
    "empty-folds": Fault(_unchecked("zero-size array to reduction"), "op.m[ai][xn]*"),
}


def is_found(name: str, folder: Path) -> tuple[Counts, str]:
    """Return what the fuzzer did with a fault, and what it found, if anything."""
    options = parsed([str(_MOST), "--fault", name, "--until-found", "--no-programs"])
    options.files, options.share = FAULTS[name].files, _SHARE
    counts = fuzz(folder, options, quiet=True)
    return counts, next(iter(findings(folder)), "")


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
            # The files of all are the same, and so is the support code; the rest is of one fault.
            for path in folder.iterdir():
                if path.name != "seeds" and not path.is_dir():
                    path.unlink()
    print(f"{len(names or FAULTS) - len(missed)} found, not found: {', '.join(missed) or 'none'}")
    return 1 if missed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *FAULTS])
    sys.exit(main(parser.parse_args().names))
