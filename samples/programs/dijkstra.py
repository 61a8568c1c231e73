"""Shortest paths on a grid of streets: Dijkstra's algorithm with a heap of open places.

E. W. Dijkstra, A note on two problems in connexion with graphs, Numerische Mathematik 1 (1959).
"""

import heapq

from scriptc import script


class Random:
    """A linear congruential generator: the same streets everywhere."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, limit: int) -> int:
        """Return the next number from 0 to `limit` - 1."""
        self.state = (self.state * 1103515245 + 12345) % 2147483648
        return self.state // 65536 % limit


class Edge:
    """A street to a place, and how long it takes."""

    def __init__(self, target: int, weight: float) -> None:
        self.target = target
        self.weight = weight


class Graph:
    """Places by number, each with the streets that leave it."""

    def __init__(self, count: int) -> None:
        self.edges: list[list[Edge]] = [[] for _ in range(count)]
        self.names: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.edges)

    def connect(self, one: int, other: int, weight: float) -> None:
        """Add a street in both directions."""
        self.edges[one].append(Edge(other, weight))
        self.edges[other].append(Edge(one, weight))

    def name(self, place: int, name: str) -> None:
        """Give a place a name."""
        if name in self.names:
            raise ValueError(f"{name!r} is a place already")
        self.names[name] = place


class Paths:
    """The shortest ways from one place to all others."""

    def __init__(self, graph: Graph, start: int) -> None:
        self.start = start
        self.distances: dict[int, float] = {start: 0.0}
        self.before: dict[int, int] = {}
        done: set[int] = set()
        waiting: list[tuple[float, int]] = [(0.0, start)]
        while waiting:
            distance, place = heapq.heappop(waiting)
            if place in done:
                continue
            done.add(place)
            for edge in graph.edges[place]:
                new = distance + edge.weight
                if edge.target not in self.distances or new < self.distances[edge.target]:
                    self.distances[edge.target] = new
                    self.before[edge.target] = place
                    heapq.heappush(waiting, (new, edge.target))

    def to(self, place: int) -> list[int]:
        """Return the places on the way to one, both ends included."""
        if place not in self.distances:
            raise KeyError(place)
        way = [place]
        while way[-1] != self.start:
            way.append(self.before[way[-1]])
        way.reverse()
        return way


def streets(side: int, seed: int) -> Graph:
    """Return a grid of places, some streets of which are closed."""
    random = Random(seed)
    graph = Graph(side * side)
    for y in range(side):
        for x in range(side):
            here = y * side + x
            if x + 1 < side and random.below(8):
                graph.connect(here, here + 1, 1.0 + random.below(9))
            if y + 1 < side and random.below(8):
                graph.connect(here, here + side, 1.0 + random.below(9))
    graph.name(0, "home")
    graph.name(side * side - 1, "station")
    graph.name(side // 2 * side + side // 2, "market")
    return graph


@script
def run(side: int) -> tuple[float, int, list[int]]:
    """Return the longest of the shortest ways, the places reached, and the way to the station."""
    graph = streets(side, 7)
    longest, reached = 0.0, 0
    way: list[int] = []
    for name in ("home", "market"):
        paths = Paths(graph, graph.names[name])
        reached += len(paths.distances)
        longest = max(longest, max(paths.distances.values()))
        try:
            found = paths.to(graph.names["station"])
        except KeyError:
            continue
        if not way or len(found) < len(way):
            way = found
    return longest, reached, way


if __name__ == "__main__":
    print(run(60))
