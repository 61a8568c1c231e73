"""Objects that refer to each other in rings, which nothing but a collector lets go of."""

# Fields that may be None are used without a test.
# pyright: basic, reportOptionalMemberAccess=false, reportArgumentType=false
# pyright: reportOptionalOperand=false

from tests.programs import Case


class Link:
    def __init__(self, key: int, value: str):
        self.key = key
        self.value = value
        self.before: Link | None = None
        self.after: Link | None = None


class Recent:
    """A cache of a few: a dict of links, which stand in a ring, the newest first."""

    def __init__(self, room: int):
        self.room = room
        self.links: dict[int, Link] = {}
        self.head = Link(-1, "")
        self.head.before = self.head
        self.head.after = self.head

    def _cut(self, link: Link):
        link.before.after = link.after
        link.after.before = link.before

    def _put_first(self, link: Link):
        link.after = self.head.after
        link.before = self.head
        self.head.after.before = link
        self.head.after = link

    def get(self, key: int) -> str:
        link = self.links.get(key)
        if link is None:
            return "?"
        self._cut(link)
        self._put_first(link)
        return link.value

    def put(self, key: int, value: str):
        if key in self.links:
            self._cut(self.links[key])
        elif len(self.links) == self.room:
            oldest = self.head.before
            assert oldest is not None
            self._cut(oldest)
            del self.links[oldest.key]
        link = Link(key, value)
        self.links[key] = link
        self._put_first(link)


def recently_used(keys: list[int], room: int):
    cache = Recent(room)
    found = []
    for key in keys:
        if cache.get(key) == "?":
            cache.put(key, f"the value of {key}, which is longer than thirty-two characters")
            found.append(0)
        else:
            found.append(1)
    order = []
    link = cache.head.after
    while link is not cache.head:
        order.append(link.key)
        link = link.after
    return found, order, sorted(cache.links)


class Folder:
    def __init__(self, name: str, parent: "Folder | None" = None):
        self.name = name
        self.parent = parent
        self.children: list[Folder] = []
        self.sizes: dict[str, int] = {}

    def add(self, name: str) -> "Folder":
        child = Folder(name, self)
        self.children.append(child)
        return child

    def path(self) -> str:
        return self.name if self.parent is None else self.parent.path() + "/" + self.name

    def total(self) -> int:
        return sum(self.sizes.values()) + sum(child.total() for child in self.children)


def tree_with_parents(lines: list[str]):
    """Folders of a listing; one that is not there is an error half way."""
    root = Folder("root")
    here = root
    for line in lines:
        if line == "..":
            here = here.parent
        elif line.startswith("cd "):
            here = here.add(line[3:])
        else:
            size, name = line.split()
            here.sizes[name] = int(size)
    return here.path(), root.total(), [child.name for child in root.children]


class Vertex:
    def __init__(self, name: int):
        self.name = name
        self.neighbours: set[int] = set()
        self.edges: list[tuple[float, Vertex]] = []
        self.best = 1e9
        self.via: Vertex | None = None


def graph_of_objects(edges: list[tuple[int, int, float]], count: int, source: int):
    vertices = [Vertex(k) for k in range(count)]
    for a, b, length in edges:
        vertices[a].edges.append((length, vertices[b]))
        vertices[b].edges.append((length, vertices[a]))
    vertices[source].best = 0.0
    changed = True
    while changed:
        changed = False
        for vertex in vertices:
            for length, other in vertex.edges:
                if vertex.best + length < other.best:
                    other.best = vertex.best + length
                    other.via = vertex
                    changed = True
    return [(v.best, -1 if v.via is None else v.via.name) for v in vertices]


class Subject:
    def __init__(self):
        self.observers: list[Observer] = []
        self.state = 0

    def change(self, state: int):
        self.state = state
        for observer in self.observers:
            observer.tell()


class Observer:
    def __init__(self, subject: Subject, limit: int):
        self.subject = subject
        self.limit = limit
        self.seen: list[int] = []

    def tell(self):
        if self.subject.state > self.limit:
            raise ValueError(f"{self.subject.state} is more than {self.limit}")
        self.seen.append(self.subject.state)


def observers(states: list[int], limits: list[int]):
    subject = Subject()
    for limit in limits:
        subject.observers.append(Observer(subject, limit))
    caught = []
    for state in states:
        try:
            subject.change(state)
        except ValueError as error:
            caught.append(str(error))
    return caught, [observer.seen for observer in subject.observers]


class Shape:
    def area(self) -> float:
        return 1.0


class Square(Shape):
    def __init__(self, side: float):
        self.side = side

    def area(self) -> float:
        return self.side * self.side


class Group(Shape):
    """Holds shapes, and so itself, through a field of its base."""

    def __init__(self):
        self.members: list[Shape] = []
        self.owner: Shape | None = None

    def area(self) -> float:
        return sum(m.area() for m in self.members if not isinstance(m, Group))


def groups_of_themselves(count: int):
    total = 0.0
    outer = Group()
    for k in range(count):
        group = Group()
        group.members.append(Square(float(k)))
        group.members.append(group)
        group.members.append(outer)
        group.owner = outer
        outer.members.append(group)
        total += group.area()
    return total, len(outer.members)


class Handler:
    def __init__(self, name: str):
        self.name = name
        self.action = lambda n: n
        self.calls = 0


def counting(name: str) -> Handler:
    handler = Handler(name)

    def act(n):
        handler.calls += 1
        return n + len(handler.name)

    handler.action = act
    return handler


def fields_with_closures_over_themselves(count: int):
    total = 0
    for k in range(count):
        handler = counting(str(k))
        total += handler.action(k) + handler.action(1) + handler.calls
    return total


class Machine:
    """A game of objects: each state knows its machine and the machine its state."""

    def __init__(self):
        self.state: State | None = None
        self.log: list[str] = []


class State:
    def __init__(self, machine: Machine, number: int):
        self.machine = machine
        self.number = number

    def step(self, word: str):
        self.machine.log.append(f"{self.number}{word}")
        if word == "next":
            self.machine.state = State(self.machine, self.number + 1)
        elif word == "fail":
            raise KeyError(word)


def machine_of_states(words: list[str]):
    machine = Machine()
    machine.state = State(machine, 0)
    for word in words:
        machine.state.step(word)
    return machine.log, machine.state.number


def rings_in_sets_and_tuples(count: int):
    found = 0
    for k in range(count):
        first, second = Vertex(k), Vertex(k + 1)
        held = {first, second}
        first.via, second.via = second, first
        pair = (first, (second, 1.5))
        first.edges.append((1.0, pair[1][0]))
        found += len(held) + len(first.edges)
    return found


def broken_rings(count: int):
    """A ring that is cut is let go at once; what was in it goes on."""
    first = Link(0, "first")
    last = first
    for k in range(1, count):
        last.after = Link(k, str(k))
        last.after.before = last
        last = last.after
    last.after = first
    first.before = last
    half = first
    for _ in range(count // 2):
        half = half.after
    half.before.after = None
    half.before = None
    total = 0
    link: Link | None = half
    while link is not None:
        total += link.key
        link = link.after
    return total


def many_rings(count: int):
    """More than the table of the collector has room for."""
    kept = Link(0, "kept")
    kept.before = kept
    total = 0
    for k in range(count):
        link = Link(k, "k")
        other = Link(k + 1, kept.value)
        link.after, other.after = other, link
        link.before = kept
        kept.after = link
        total += other.after.key
    return total, kept.after.key, kept.before.value


_COMMANDS = ["5 a", "cd x", "7 b", "cd y", "1 c", "..", "2 d", "..", "cd z"]

CASES: list[Case] = [
    (recently_used, [([1, 2, 3, 1, 4, 5, 1, 2, 2, 9], 3), ([], 1), ([1] * 5, 1)]),
    (tree_with_parents, [(_COMMANDS,), (["3 a", "cd b", "x y"],), (["..", "3 a"],)]),
    (
        graph_of_objects,
        [
            ([(0, 1, 1.5), (1, 2, 2.0), (0, 2, 9.0), (2, 0, 3.0)], 4, 0),
            ([(0, 7, 1.0)], 3, 0),
            ([(1, 1, 1.0)], 2, 1),
        ],
    ),
    (observers, [([1, 5, 2, 9], [3, 10, 4]), ([], [1])]),
    (groups_of_themselves, [(5,), (0,)]),
    (fields_with_closures_over_themselves, [(5,)]),
    (machine_of_states, [(["a", "next", "b", "next", "c"],), (["next", "fail"],)]),
    (rings_in_sets_and_tuples, [(10,)]),
    (broken_rings, [(10,), (3,)]),
    (many_rings, [(20_000,), (1,)]),
]
