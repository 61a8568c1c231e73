"""The number that an object carries, which says of which class it is."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from scriptc.backends.llvm.emitter.function import Emitter, ModuleState
from scriptc.backends.llvm.loading.abi import INSTANCE_CLASS
from scriptc_runtime.errors import InvalidIRError


def class_tag(state: ModuleState, name: str) -> int:
    """Return the number that objects of a class carry: the same in all modules."""
    return _tags(tuple(state.module.classes))[name]


@lru_cache(maxsize=8)
def _tags(names: tuple[str, ...]) -> Mapping[str, int]:
    tags = {name: _tag(name) for name in names}
    if len(set(tags.values())) < len(tags):
        raise InvalidIRError("two classes have names with one hash")
    return tags


def _tag(name: str) -> int:
    """Return the hash of a name: FNV-1a, of 64 bits."""
    found = 0xCBF29CE484222325
    for byte in name.encode():
        found = (found ^ byte) * 0x100000001B3 % 2**64
    return found - 2**63


def is_one_of(e: Emitter, block: str, names: Sequence[str]) -> str:
    """Return whether the class of an object is one of several."""
    at = e.let(f"getelementptr i8, ptr {block}, i64 {INSTANCE_CLASS}")
    tag, found = e.let(f"load i64, ptr {at}"), "false"
    for name in names:
        same = e.let(f"icmp eq i64 {tag}, {class_tag(e.state, name)}")
        found = same if found == "false" else e.let(f"or i1 {found}, {same}")
    return found
