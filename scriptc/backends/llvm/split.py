"""Splits a module of LLVM IR in parts, which two threads compile and the cache keeps.

    variables, what passes kernels to threads         parts that LLVM makes little of
    kernels that are vector code as they stand,
    exact versions of loops                           parts that need none of LLVM's passes
    kernels of vector code in nests                   parts that need few of them
    other kernels                                     more parts
    functions of the script that compute              another
    functions that launch kernels in loops,
    or work on containers and objects                 parts with few passes as well, or most of them
    those that run once in a call, entries            the last one, with none

Each part may refer to those before it. LLVM cannot inline over the borders: what stands in front of
what launches is never inlined anyway, and few passes inline routines alone. Routines stand in all
parts that use them. What goes where depends on the text alone, so the code of one text is the same
on every machine; and mostly on the text of the functions themselves, so that after an edit most
parts are what they were, and the cache has their code (`own_names`).
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from zlib import crc32

from scriptc.backends.llvm.emitter.effort import PART_OF_LOOP, Effort, effort_of
from scriptc.backends.llvm.loading.abi import LAUNCH, SHARE
from scriptc_runtime.call_graph import groups
from scriptc_runtime.record import record

# Characters of functions below which a part is not worth a thread, from which on a part may end
# with a function that is the end of one, and from which on one ends anyway.
_LEAST, _SOME, _MOST = 5_000, 15_000, 60_000
# How long LLVM takes for a text with passes, in tenths of what it takes without.
_TENTHS = {
    Effort.ONCE: 4, Effort.NONE: 10, Effort.SIMPLE: 12, Effort.MOST: 16, Effort.FULL: 20
}  # fmt: skip
# Which of the functions are the end of one: one of so many.
_ONE_OF = 4
_NO_DIGITS = {ord(digit): None for digit in "0123456789"}
# Patterns that `re` compiles when they are used first: small programs are not split.
_NAME = r'@("[^"]+"|[\w.$]+)\('
# The variants of a function for the vectoriser are named in a string: "...(exp_lanes8)".
_USED = r'[@(]("[^"]+"|[\w.$]+)'
_VARIABLE = r"(?m)^(@\S+) = (internal )?global (\[[^]]*\]|\w+) .*$"
_COUNT = r"\[[0-9]+ x"
_NODE = r"![0-9]+"
# What all parts may have.
_COPIED = ("define internal ", "define weak_odr hidden ")
_LAUNCHES = (f'"{LAUNCH}', f'"{SHARE}')
_ENTRY = "sc_entry_"
_INLINED, _CALLED = " alwaysinline ", " noinline "


@record
class Part:
    """A module of LLVM IR, and which of LLVM's passes are to work on it."""

    text: str
    effort: Effort = Effort.FULL

    @property
    def key(self) -> str:
        """All that its machine code depends on."""
        return f"{self.effort.name}\n{self.text}"

    @property
    def weight(self) -> int:
        """About how long LLVM takes, next to other parts."""
        return len(self.text) * _TENTHS[self.effort]


def split(text: str, *, threads: int = 2) -> Sequence[Part]:
    """Return the parts of a module, each of which may refer to those before it.

    For one thread, functions that call each other and are worth as much are a single part.
    """
    found = _Functions(text)
    if len(text) < 2 * _LEAST:
        return (found.as_one,)
    passing = found.passing()
    early = found.settled(Effort.NONE, passing), found.settled(Effort.SIMPLE, passing)
    once = found.late(Effort.ONCE, set())
    late = found.late(Effort.MOST, once)
    moved = found.moved(passing.union(*early), late | once)
    left = found.scripted.difference(passing, moved, late, once, *early)
    if found.size(left) < _LEAST:
        moved, left = moved | left, set[str]()
    early_parts = [chunk for names in (*early, moved) for chunk in found.chunks(names)]
    late_parts = found.chunks_in_order(late) if threads > 1 else (late,)
    groups = [passing, *early_parts, left, *late_parts, once]
    return found.parts(found.joined([group for group in groups if group]))


class _Functions:
    """The functions of a module by name, and what they use."""

    def __init__(self, text: str) -> None:
        self._text = text
        functions, self._around = _functions_and_rest(text)
        self._functions = {_name(function): function for function in functions}
        self._heads = {n: f[: f.index("\n")] for n, f in self._functions.items()}
        self._uses = {n: set(re.findall(_USED, f)) for n, f in self._functions.items()}
        self._inlined = {n for n, head in self._heads.items() if _INLINED in head}
        self._efforts = {n: self._effort(n) for n in self._functions}
        self._kernels = {
            n for n, h in self._heads.items() if PART_OF_LOOP in h or n.startswith(_LAUNCHES)
        }
        # Those of the script, as opposed to routines.
        self.scripted = {
            n for n, f in self._functions.items() if n[0] == '"' or not f.startswith(_COPIED)
        }

    @property
    def as_one(self) -> Part:
        """All of them, in one part."""
        # As in parts of several, what routines are worth does not count.
        names = self.scripted or self._efforts.keys()
        return Part(self._text, max((self._efforts[n] for n in names), default=Effort.NONE))

    def _effort(self, name: str) -> Effort:
        effort = effort_of(self._heads[name])
        if effort is Effort.ONCE:
            return effort
        least = Effort.NONE if self._uses[name].isdisjoint(self._inlined) else Effort.SIMPLE
        return max(least, effort)

    def _stands(self, name: str) -> bool:
        """Whether a function is called as it stands: nobody inlines it."""
        return self._efforts[name] <= Effort.NONE and _CALLED in self._heads[name]

    def size(self, names: Collection[str]) -> int:
        return sum(len(self._functions[name]) for name in names)

    def passing(self) -> set[str]:
        """Return what passes kernels to threads; nothing where that is little."""
        found = {n for n in self.scripted if n.startswith(_LAUNCHES)}
        return found if self.size(found) >= _LEAST else set()

    def settled(self, effort: Effort, passing: AbstractSet[str]) -> set[str]:
        """Return kernels that are worth so much and call no other; nothing where that is little."""
        others = {n for n in self._functions if n not in self._inlined and not self._stands(n)}
        found = {
            name
            for name in self.scripted - passing
            if max(self._efforts[name], Effort.NONE) is effort
            and name in self._kernels
            and self._is_alone(name, frozenset())
            # A pass for simple code inlines what asks for it, and nothing else.
            and (effort is Effort.NONE or self._uses[name] & others <= {name})
        }
        return found if self.size(found) >= _LEAST else set()

    def late(self, effort: Effort, last: AbstractSet[str]) -> set[str]:
        """Return what is no kernel and worth at most so much, to come after all but the `last`.

        Nothing where it is little. Entries go where what they call is.
        """
        found = {n for n in self.scripted - last if n[0] == '"' and n not in self._kernels}
        found = {n for n in found if self._efforts[n] <= effort}
        if self.size(found) < _LEAST:
            return set()
        others = {n for n in self.scripted - found - last if not n.startswith(_ENTRY)}
        while used := found & set().union(*(self._uses[n] for n in others)):
            found -= used
            others |= used
        return found | {n for n in self.scripted if n.startswith(_ENTRY) and self._uses[n] & found}

    def moved(self, early: AbstractSet[str], late: AbstractSet[str]) -> set[str]:
        """Return the other kernels, which go before the functions of the script."""
        launches = {n for n in self.scripted if n.startswith(_LAUNCHES)}
        others = self.scripted.difference(launches, early, late)
        found = {n for n in others if n in self._kernels and self._is_alone(n, launches)}
        found |= launches - early
        return found if self.size(found) >= _LEAST else set()

    def _is_alone(self, name: str, moved: AbstractSet[str]) -> bool:
        return self._uses[name] & self.scripted <= moved | {name}

    def chunks(self, names: AbstractSet[str]) -> Sequence[AbstractSet[str]]:
        """Return functions in groups that are worth a part each.

        What a group ends with is in the functions themselves, so that those that an edit adds or
        changes leave most groups what they were.
        """
        chunks: list[set[str]] = []
        size, is_last = _MOST, False
        for name in (n for n in self._functions if n in names):
            if size >= _MOST or (is_last and size >= _SOME):
                chunks.append(set())
                size = 0
            chunks[-1].add(name)
            size += len(self._functions[name])
            is_last = _ends_group(self._functions[name])
        return chunks

    def chunks_in_order(self, names: AbstractSet[str]) -> Sequence[AbstractSet[str]]:
        """Return functions that call each other in such groups, none of which calls a later one."""
        calls = {n: sorted(self._uses[n] & names) for n in self._functions if n in names}
        place = {n: number for number, group in enumerate(groups(calls)) for n in group}
        chunks: list[set[str]] = []
        last, size = -1, _SOME
        for name in sorted(calls, key=place.__getitem__):
            # Functions that call each other stay together.
            if place[name] != last and size >= _SOME:
                chunks.append(set())
                size = 0
            chunks[-1].add(name)
            last = place[name]
            size += len(self._functions[name])
        return chunks

    def joined(self, groups: Sequence[AbstractSet[str]]) -> Sequence[AbstractSet[str]]:
        """Return groups where neighbours that LLVM is quick with are one: a part takes it 1 ms."""
        found: list[AbstractSet[str]] = []
        for group in groups:
            both = [*found[-1:], group]
            if found and all(self._effort_of(g) is Effort.ONCE for g in both):
                found[-1] = found[-1] | group
            else:
                found.append(group)
        return found

    def _effort_of(self, group: AbstractSet[str]) -> Effort:
        return max(self._efforts[name] for name in group)

    def parts(self, groups: Sequence[AbstractSet[str]]) -> Sequence[Part]:
        """Return a part for each group of functions, with the routines that they use."""
        if len(groups) == 1:
            return (self.as_one,)
        rest = _Rest(self._around)
        before = set[str]()
        parts = [Part(text, Effort.ONCE) for text in (rest.variables(),) if text]
        for group, used in zip(groups, self._used_after(groups), strict=True):
            names = self._with_routines(group, before)
            shown = [n for n in self._functions if n in names]
            functions = [self._shown(n, group, before, used) for n in shown]
            used_here = set[str]().union(
                *(self._uses[n] for n in names if n not in before),
                *(
                    re.findall(_USED, f)
                    for n, f in zip(shown, functions, strict=True)
                    if n in before
                ),
            )
            text = "\n".join((*rest.around(used_here, functions), *functions))
            parts.append(Part(text, self._effort_of(group)))
            before |= group
        return parts

    def _used_after(self, groups: Sequence[AbstractSet[str]]) -> Sequence[AbstractSet[str]]:
        """Return what the groups that follow each group use."""
        found: list[AbstractSet[str]] = []
        used = frozenset[str]()
        for group in reversed(groups):
            found.append(used)
            used |= self._with_routines(group, self.scripted - group)
        return found[::-1]

    def _with_routines(self, names: AbstractSet[str], before: AbstractSet[str]) -> AbstractSet[str]:
        """Return functions with all that they use, but for what functions `before` use."""
        found: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += () if name in before else self._uses[name] & self._functions.keys()
        return found

    def _shown(
        self, name: str, own: AbstractSet[str], before: AbstractSet[str], used: AbstractSet[str]
    ) -> str:
        """Return a function as it stands in a part: its own, for later ones, or of one before."""
        function = self._functions[name]
        if name in before:
            head = function[: function.index("{\n")].removeprefix("define ")
            return f"declare {head.removeprefix('internal ')}"
        exported = name in own and name in used
        return function.replace("define internal ", "define ", 1) if exported else function


def _functions_and_rest(text: str) -> tuple[Sequence[str], str]:
    """Return the functions of a module, and all that stands around them."""
    functions: list[str] = []
    around: list[str] = []
    text, begin = f"\n{text}\n", 1
    while (head := text.find("\ndefine ", begin - 1) + 1) > 0:
        around.append(text[begin:head])
        begin = text.index("\n}\n", head) + 2
        functions.append(text[head:begin])
    return functions, "".join((*around, text[begin:]))


def _ends_group(function: str) -> bool:
    """Whether a group of functions ends with one: its text, without numbers, says so."""
    return crc32(function.translate(_NO_DIGITS).encode()) % _ONE_OF == 0


class _Rest:
    """What stands around functions: variables, declarations, and the nodes of metadata."""

    def __init__(self, text: str) -> None:
        self._variables: dict[str, str] = {}
        self._shown: dict[str, str] = {}  # by their names, as a part shows them
        self._nodes: dict[str, str] = {}
        # A declaration may go on in the next line.
        for line in re.findall(r"(?m)^\S.*(?:\n[ \t].*)*", text):
            if line[0] == "!":
                self._nodes[line[: line.index(" ")]] = line
            elif line.startswith("declare "):
                self._shown[_name(line)] = line
            elif line[0] == "@":
                self._add(line)

    def _add(self, line: str) -> None:
        found = re.match(_VARIABLE, line)
        name = line[1 : line.index(" ")]
        self._shown[name] = line
        if found is not None:
            self._variables[name] = line.replace("internal ", "", 1) if found[2] else line
            # How long a table is, is nothing that its users have to be told.
            self._shown[name] = f"@{name} = external global {re.sub(_COUNT, '[0 x', found[3])}"

    def variables(self) -> str:
        """Return the variables, which stand in a part of their own."""
        return "\n".join(self._variables.values())

    def around(self, used: AbstractSet[str], functions: Iterable[str]) -> Iterator[str]:
        """Yield what some functions need, which use these names."""
        nodes: dict[str, None] = {}
        for function in functions:
            nodes.update(dict.fromkeys(re.findall(_NODE, function)))
        for name, line in self._shown.items():
            if name in used:
                nodes.update(dict.fromkeys(re.findall(_NODE, line)))
                yield line
        waiting = list(nodes)
        seen = set(waiting)
        while waiting:
            line = self._nodes[waiting.pop()]
            yield line
            more = [node for node in dict.fromkeys(re.findall(_NODE, line)) if node not in seen]
            seen.update(more)
            waiting += more


def _name(function: str) -> str:
    found = re.search(_NAME, function)
    assert found is not None
    return found[1]
