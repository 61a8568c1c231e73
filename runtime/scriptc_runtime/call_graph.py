"""Which functions call each other.

    f calls g and h, g calls h, h calls g       the groups: [g, h], then [f]; g and h are recursive

The groups are the strongly connected components of the calls (R. Tarjan, Depth-first search and
linear graph algorithms, SIAM J. Comput. 1972).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from weakref import WeakKeyDictionary

from scriptc_runtime.ir import Function, Instr, Module, walk
from scriptc_runtime.ops import control
from scriptc_runtime.ops.opdef import OpDef

# A function is immutable: what is found of it stays true.
_CALLS: WeakKeyDictionary[Function, Sequence[Instr]] = WeakKeyDictionary()


def callees(function: Function, ops: Collection[OpDef] = (control.CALL,)) -> list[str]:
    """Return the names of the functions that `function` calls, one for each call."""
    calls = _CALLS.get(function)
    if calls is None:
        calls = _CALLS[function] = [i for i in walk(function.body) if "callee" in i.attrs]
    return [str(i.attrs["callee"]) for i in calls if i.op in ops]


def calls_of(
    module: Module, ops: Collection[OpDef] = (control.CALL,)
) -> Mapping[str, Sequence[str]]:
    """Return the functions of the module that each of its functions calls, each once."""
    functions = module.functions
    return {
        name: [c for c in dict.fromkeys(callees(function, ops)) if c in functions]
        for name, function in functions.items()
    }


def recursive_functions(calls: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """Return the functions that can call themselves, directly or through others."""
    return frozenset(
        name for group in groups(calls) for name in group if len(group) > 1 or name in calls[name]
    )


def groups(calls: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Return the functions, those that call each other together, what a group calls before it."""
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}  # the least number that is known to be reached, while it is open
    open_: list[str] = []
    found: list[list[str]] = []

    def enter(name: str) -> tuple[str, Iterator[str]]:
        numbers[name] = lowest[name] = len(numbers)
        open_.append(name)
        return name, iter(calls[name])

    for start in calls:
        path = [enter(start)] if start not in numbers else []
        while path:
            name, others = path[-1]
            callee = next((c for c in others if c not in numbers or c in lowest), None)
            if callee is not None and callee not in numbers:
                path.append(enter(callee))
            elif callee is not None:
                lowest[name] = min(lowest[name], numbers[callee])
            else:
                path.pop()
                if path:
                    caller = path[-1][0]
                    lowest[caller] = min(lowest[caller], lowest[name])
                if lowest[name] == numbers[name]:
                    found.append([])
                    while not found[-1] or found[-1][-1] != name:
                        found[-1].append(open_.pop())
                        del lowest[found[-1][-1]]
    return found
