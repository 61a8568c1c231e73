"""Which instruction gives each value: found once for a function, and kept as long as that is.

A function is immutable, so what is found of it stays true; a pass that changes one makes another.
"""

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from scriptc_runtime.ir import Function, Instr, Value, walk

# What is kept refers to instructions and values, never back to the function.
_KEPT: WeakKeyDictionary[Function, Mapping[Value, Instr]] = WeakKeyDictionary()


def definitions_of(function: Function) -> Mapping[Value, Instr]:
    """Return the instruction that each result in a function comes from."""
    found = _KEPT.get(function)
    if found is None:
        found = _KEPT[function] = {r: i for i in walk(function.body) for r in i.results}
    return found
