"""Objects of classes with a common base: joined lists, and fields that other classes fill."""

# Types come from the calls.
# pyright: basic
# ruff: noqa: RUF005 -- lists are joined

import heapq

from tests.programs import Case


class Entity:
    def __init__(self, name, hp):
        self.name = name
        self.hp = hp

    @property
    def alive(self):
        return self.hp > 0

    def update(self, world):
        self.hp -= 1

    def __repr__(self):
        return f"{type(self).__name__}({self.name}, {self.hp})"


class Player(Entity):
    def update(self, world):
        self.hp -= len(world.entities)


class Monster(Entity):
    def update(self, world):
        super().update(world)
        if self.hp == 2:
            world.waiting.append(Monster(f"{self.name}'", 3))


class World:
    def __init__(self, player):
        self.player = player
        self.entities = [player]
        self.waiting = []

    def step(self):
        for entity in self.entities:
            entity.update(self)
        self.entities = [e for e in self.entities if e.alive] + self.waiting
        self.waiting = []


def games(steps):
    world = World(Player("p", 9))
    world.waiting.append(Monster("m", 4))
    for _ in range(steps):
        world.step()
    both = [world.player] + [Monster("x", 1)]
    both += [Player("q", 2)]
    return [repr(e) for e in world.entities], [repr(e) for e in both], len([Monster("y", 1)] + both)


class Process:
    def __init__(self, sim):
        self.sim = sim

    def wake(self, what):
        self.sim.log.append(what)


class Server(Process):
    """Its queue is filled by another class, of which the same call takes a method."""

    def __init__(self, sim):
        super().__init__(sim)
        self.queue = []
        self.busy = None

    def wake(self, what):
        self.busy = None
        if self.queue:
            self.begin(self.queue.pop(0))

    def begin(self, job):
        self.busy = job
        self.sim.at(1.5, self, job.size)

    def arrive(self, job):
        if self.busy is None:
            self.begin(job)
        else:
            self.queue.append(job)


class Job:
    def __init__(self, size):
        self.size = size


class Source(Process):
    def __init__(self, sim, target, left):
        super().__init__(sim)
        self.target, self.left = target, left

    def wake(self, what):
        if self.left > 0:
            self.left -= 1
            self.target.arrive(Job(self.left))
            self.sim.at(1.0, self, 0)


class Simulation:
    def __init__(self):
        self.now = 0.0
        self.heap = []
        self.count = 0
        self.log = []

    def at(self, delay, process, what):
        self.count += 1
        heapq.heappush(self.heap, (self.now + delay, self.count, process, what))

    def run(self):
        while self.heap:
            self.now, _, process, what = heapq.heappop(self.heap)
            process.wake(what)


def simulated(count):
    sim = Simulation()
    server = Server(sim)
    sim.at(0.0, server, 0)
    sim.at(0.5, Source(sim, server, count), 0)
    sim.at(0.7, Process(sim), 7)
    sim.run()
    return sim.now, sim.count, len(server.queue), sim.log


class Dimension:
    """Its `__eq__` takes what has its fields alone."""

    def __init__(self, m=0, t=0):
        self.m, self.t = m, t

    def __eq__(self, other):
        return (self.m, self.t) == (other.m, other.t)


NONE = Dimension()


class Amount:
    def __init__(self, value, dimension=NONE):
        self.value = value
        self.dimension = dimension


def defaults(value):
    first, second = Amount(value), Amount(value, Dimension(1))
    return (
        first.dimension is NONE,
        second.dimension == NONE,
        Amount(2.0).dimension is first.dimension,
    )


CASES: list[Case] = [
    (games, [(3,), (0,)]),
    (simulated, [(4,), (1,)]),
    (defaults, [(1.0,)]),
]
