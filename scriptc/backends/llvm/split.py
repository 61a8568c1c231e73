"""Splits a module of LLVM IR in two, which two threads compile.

    kernels, exact versions of loops          one module, which refers to nothing of the other
    the functions of the script, entries      the other

LLVM cannot inline over the border: what goes to the first module is never inlined anyway. Routines
stand in both modules if both use them. What goes where depends on the text alone, so the code of
one text is the same on every machine.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet

from scriptc.backends.llvm.abi import LAUNCH, SHARE
from scriptc_runtime.reserved import EXACT_PREFIX, KERNEL_PREFIX

# Characters of functions below which a module is not worth a thread.
_LEAST = 5_000
# Patterns that `re` compiles when they are used first: small programs are not split.
_FUNCTION = r"(?ms)^define .*?^}$"
_NAME = r'@("[^"]+"|[\w.$]+)\('
# The variants of a function for the vectoriser are named in a string: "...(exp_lanes8)".
_USED = r'[@(]("[^"]+"|[\w.$]+)'
_VARIABLE = r"(?m)^(@\S+) = (internal )?global (\[[^]]*\]|\w+) .*$"
# What both modules may have.
_COPIED = ("define internal ", "define weak_odr hidden ")
_LAUNCHES = (f'"{LAUNCH}', f'"{SHARE}')
_MOVABLE = (*_LAUNCHES, f'"{KERNEL_PREFIX}', f'"{EXACT_PREFIX}')


def split(text: str) -> Sequence[str]:
    """Return the text of one module, or of two of which the second refers to the first."""
    if len(text) < 2 * _LEAST:
        return (text,)
    functions = {_name(found): found for found in re.findall(_FUNCTION, text)}
    uses = {name: set(re.findall(_USED, found)) for name, found in functions.items()}
    scripted = {n for n, f in functions.items() if n[0] == '"' or not f.startswith(_COPIED)}
    moved = _moved(functions, scripted, uses)
    left = scripted - moved
    if min(_size(functions, moved), _size(functions, left)) < _LEAST:
        return (text,)
    rest = re.sub(_FUNCTION, "", text)
    host, kernels = _with_routines(left, uses, moved), _with_routines(moved, uses, set())
    first = [
        _exported(found) if name in moved and name in host else found
        for name, found in functions.items()
        if name in kernels
    ]
    second = [
        _declared(found) if name in moved else found
        for name, found in functions.items()
        if name in host
    ]
    defined = re.sub(_VARIABLE, lambda m: m[0].replace("internal ", "", 1) if m[2] else m[0], rest)
    outside = re.sub(_VARIABLE, r"\1 = external global \3", rest)
    return "\n".join((defined, *first)), "\n".join((outside, *second))


def _name(function: str) -> str:
    found = re.search(_NAME, function)
    assert found is not None
    return found[1]


def _moved(
    functions: Mapping[str, str], scripted: AbstractSet[str], uses: Mapping[str, AbstractSet[str]]
) -> set[str]:
    """Return what goes to the module of kernels: of all that may, so much that both weigh alike."""
    moved = {n for n in scripted if n.startswith(_LAUNCHES)}
    movable = [
        n for n in scripted - moved if n.startswith(_MOVABLE) and uses[n] & scripted <= moved | {n}
    ]
    here, there = _size(functions, scripted - {*movable, *moved}), _size(functions, moved)
    for name in sorted(movable, key=lambda n: (-len(functions[n]), n)):
        size = len(functions[name])
        if there <= here:
            moved.add(name)
            there += size
        else:
            here += size
    return moved


def _size(functions: Mapping[str, str], names: Collection[str]) -> int:
    return sum(len(functions[name]) for name in names)


def _with_routines(
    names: AbstractSet[str], uses: Mapping[str, AbstractSet[str]], outside: AbstractSet[str]
) -> AbstractSet[str]:
    """Return functions with all that they use, but for what functions `outside` use."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += uses[name] & uses.keys() if name not in outside else ()
    return found


def _exported(function: str) -> str:
    return function.replace("define internal ", "define ", 1)


def _declared(function: str) -> str:
    return function[: function.index("{\n")].replace("define internal ", "declare ", 1)
