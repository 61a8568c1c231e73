"""Fields that are declared as dicts and hold those of `collections`."""

# pyright: basic

from collections import Counter, OrderedDict, defaultdict
from dataclasses import dataclass, field

from tests.programs import Case


@dataclass
class Sheet:
    users: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    counts: dict[str, int] = field(default_factory=Counter)
    order: dict[str, int] = field(default_factory=OrderedDict)
    plain: dict[str, int] = field(default_factory=dict)


class Graph:
    edges: dict[str, list[int]]

    def __init__(self) -> None:
        self.edges = defaultdict(list)

    def reset(self) -> None:
        self.edges = defaultdict(list)


def sheets(name: str) -> str:
    sheet = Sheet()
    sheet.users["a"].add(name)
    sheet.counts[name] += 1
    sheet.order[name] = 1
    sheet.order["a"] = 2
    sheet.plain[name] = 1
    return f"{sheet} {Sheet()}"


def graphs(name: str) -> str:
    graph = Graph()
    graph.edges[name].append(1)
    text = str(graph.edges)
    graph.reset()
    return f"{text} {graph.edges} {graph.edges['b']}"


CASES: list[Case] = [(sheets, [("b",)]), (graphs, [("a",)])]
