"""Which functions run several times in a call from Python, as loops and recursion say."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from scriptc_runtime.call_graph import calls_of, recursive_functions
from scriptc_runtime.ir import Block, Module
from scriptc_runtime.ops.control import CALL, FOR, WHILE
from scriptc_runtime.ops.low import LOOP, REDUCE

LOOPS = (FOR, WHILE, LOOP, REDUCE)


def called_often(module: Module, kernels: Collection[str]) -> frozenset[str]:
    """Return the functions that loops, kernels and recursions call, and what these call."""
    calls = calls_of(module)
    waiting = list(recursive_functions(calls))
    for name, function in module.functions.items():
        waiting += _calls_in_loops(function.body, looped=name in kernels)
    return reached(calls, waiting)


def reached(calls: Mapping[str, Sequence[str]], names: Iterable[str]) -> frozenset[str]:
    """Return functions, what they call, and what that calls."""
    found, waiting = set[str](), list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += calls.get(name, ())
    return frozenset(found)


def _calls_in_loops(block: Block, *, looped: bool) -> Iterator[str]:
    for instr in block.body:
        if looped and instr.op is CALL:
            yield str(instr.attrs["callee"])
        for inner in instr.blocks:
            yield from _calls_in_loops(inner, looped=looped or instr.op in LOOPS)
