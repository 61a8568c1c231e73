"""Which instruction gives each value: found once for passes that ask of one function in a row.

A function is immutable, so what is found of it stays true; a pass that changes one makes another.
"""

from collections.abc import Mapping
from weakref import ref

from scriptc_runtime.ir import Function, Instr, Value, walk

# The function that was asked for last, and what it was told: no more is kept than that.
_last: list[tuple[ref[Function], Mapping[Value, Instr]]] = []


def definitions_of(function: Function) -> Mapping[Value, Instr]:
    """Return the instruction that each result in a function comes from."""
    kept = _last[:]
    if kept and kept[0][0]() is function:
        return kept[0][1]
    found = {r: i for i in walk(function.body) for r in i.results}
    _last[:] = [(ref(function), found)]
    return found
