"""Which blocks can be in a ring: refer to something that refers to them again.

    class Node: next: Node | None; tags: list[str]     Node can be in a ring, a list of strings not

The types of blocks are a graph: a class, a container, a list or a cell leads to what it holds, and
a class to those that inherit from it. What can be in a ring is a strongly connected component of
more than one type, or a type that leads to itself.
"""

from collections.abc import Iterator, Mapping, Sequence

from scriptc_runtime.call_graph import groups
from scriptc_runtime.ir import ClassDecl
from scriptc_runtime.types import (
    EXCEPTION,
    CellType,
    ClassType,
    Container,
    DequeType,
    DictType,
    ListType,
    SetType,
    Type,
    UnionType,
    holds_class,
    parts_of,
)
from scriptc_runtime.values import EXCEPTION_FIELD


class Rings:
    """The types of a module whose blocks can be in a ring.

    Where the classes are not `known`, as for code that several programs share, an object may hold
    anything.
    """

    def __init__(self, classes: Mapping[str, ClassDecl], *, known: bool = True) -> None:
        self._classes = classes
        self._known = known
        self._found: dict[Type, bool] = {}
        self._heirs: dict[str, list[str]] = {name: [] for name in classes}
        for name, declared in classes.items():
            if declared.base in self._heirs:
                self._heirs[declared.base].append(name)

    def may_have(self, type_: Type) -> bool:
        """Whether the block of a value of this type can be in a ring."""
        if not self._known:
            return holds_class(type_) or type_ is EXCEPTION
        if type_ not in self._found:
            self._look_from(type_)
        return self._found[type_]

    def _look_from(self, start: Type) -> None:
        """Find it out for all that a type leads to."""
        edges: dict[Type, Sequence[Type]] = {}
        waiting = [start]
        while waiting:
            type_ = waiting.pop()
            if type_ not in edges:
                # What was looked at before leads to nothing new, so it is in no new ring.
                edges[type_] = [t for t in self._led_to(type_) if t not in self._found]
                waiting += edges[type_]
        names = {type_: str(number) for number, type_ in enumerate(edges)}
        graph = {names[type_]: [names[t] for t in edges[type_]] for type_ in edges}
        types = {name: type_ for type_, name in names.items()}
        for group in groups(graph):
            several = len(group) > 1 or group[0] in graph[group[0]]
            self._found.update(dict.fromkeys((types[name] for name in group), several))

    def _led_to(self, type_: Type) -> Iterator[Type]:
        """Yield the types of the blocks that one of this type holds."""
        match type_:
            case ClassType(name):
                yield from (ClassType(heir) for heir in self._heirs[name])
                for field, held in self._classes[name].fields:
                    # Python's part of an exception holds no object of the program.
                    if field != EXCEPTION_FIELD:
                        yield from self._blocks_of(held)
            case DictType() | SetType() | DequeType():
                for held in type_.fields.values():
                    yield from self._blocks_of(held)
            case ListType(item) | CellType(item):
                yield from self._blocks_of(item)
            case _:
                if type_ is EXCEPTION:
                    yield from self._exception_classes()

    def _blocks_of(self, type_: Type) -> Iterator[Type]:
        """Yield the types of the blocks that a value of this type refers to."""
        if isinstance(type_, ClassType | Container | ListType | CellType) or type_ is EXCEPTION:
            yield type_
            return
        for part in type_.members if isinstance(type_, UnionType) else parts_of(type_):
            yield from self._blocks_of(part)

    def _exception_classes(self) -> Iterator[Type]:
        for name, declared in self._classes.items():
            if any(field == EXCEPTION_FIELD for field, _ in declared.fields):
                yield ClassType(name)
