"""Constructors that hand their object on before they end: `owner.add(self)`, `Child(self)`."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import contextlib
from dataclasses import dataclass

from tests.programs import Case


class Owner:
    def __init__(self):
        self.pets = []

    def add(self, pet):
        self.pets.append(pet)
        return len(self.pets)


class Pet:
    """Variables of the constructor are read, and others set, once the object is made."""

    def __init__(self, name, owner=None):
        self.name = name.title()
        size = len(name)
        if owner is not None:
            self.place = owner.add(self)
            size += 1
        else:
            self.place = 0
        self.size = size
        self.friend = None
        self.toys = []


class Chick(Pet):
    """It inherits the constructor, and so makes its own objects there."""

    def sound(self):
        return f"{self.name}!"


class Entry:
    """What may raise once the object is known elsewhere."""

    def __init__(self, entries, n):
        self.n = n
        entries.append(self)
        if n > 2:
            raise ValueError("big")
        self.double = n * 2


class Subject:
    def __init__(self):
        self.observers = []

    def attach(self, observer):
        self.observers.append(observer)

    def tell(self, value):
        for observer in self.observers:
            observer.update(value)


class Observer:
    def __init__(self, subject, name):
        self.seen = []
        self.name = name
        subject.attach(self)

    def update(self, value):
        self.seen.append(f"{self.name}{value}")


class Loud(Observer):
    def update(self, value):
        self.seen.append(f"{self.name}{value}!")


class Early:
    def __init__(self, reader):
        self.a = 1
        reader.read(self)
        self.b = 2


class Reader:
    def read(self, early):
        return early.b


class Wheel:
    def __init__(self, car, place):
        self.place = place + car.wheels


class Car:
    def __init__(self, wheels):
        x = wheels + 1
        self.wheels = wheels
        wheels = x * 2
        self.first = Wheel(self, wheels)
        self.all = [Wheel(self, i) for i in range(x)]
        self.last = x + wheels


@dataclass
class Task:
    name: str
    tasks: list

    def __post_init__(self):
        self.place = len(self.tasks)
        self.register()

    def register(self):
        self.tasks.append(self.name)
        _names(self, self.tasks)


def _names(task, names):
    names.append(task.name * 2)


def added(n):
    owner = Owner()
    for i in range(n):
        Pet(f"p{i}", owner)
    lone, chick = Pet("x"), Chick("y", owner)
    pets = [(p.name, p.place, p.size, p.friend is None, p.toys == []) for p in owner.pets]
    return pets, lone.place, lone.size, chick.sound(), chick.place


def raised(n):
    entries = []
    Entry(entries, 1)
    try:
        Entry(entries, n)
    except ValueError as error:
        return str(error), len(entries), entries[1].n, entries[0].double
    return "", len(entries), entries[1].n, entries[1].double


def unset(n):
    entries = []
    with contextlib.suppress(ValueError):
        Entry(entries, n)
    return entries[0].double


def observed(n):
    subject = Subject()
    first, second = Observer(subject, "a"), Loud(subject, "b")
    subject.tell(n)
    subject.tell(5)
    return first.seen, second.seen


def read_early(n):
    return Early(Reader()).b + n


def made_of_parts(n):
    car = Car(n)
    return car.first.place, [wheel.place for wheel in car.all], car.last


def after_init(n):
    names = ["first"]
    task = Task("t" * n, names)
    return names, task.place, repr(task)


class Item:
    """What inherits from it is handed on by the constructor of the base."""

    PLACES = 1

    def __init__(self, owner, name, places=2):
        size = len(name) + places
        self.name = name
        self.place = owner.add(self) * self.PLACES
        self.size = size


class Sword(Item):
    PLACES = 10

    def __init__(self, owner, power):
        size = power + 1
        super().__init__(owner, "sword" * size, places=3)
        self.power = power + size


class Golden(Sword):
    def __init__(self, owner):
        Sword.__init__(self, owner, 1)
        self.value = self.size * 2


class Cup(Item):
    def __init__(self, owner):
        super().__init__(owner, "cup")


def inherited(n):
    owner = Owner()
    found = [Item(owner, "x"), Sword(owner, n), Golden(owner), Cup(owner)]
    told = [(item.name, item.place, item.size) for item in owner.pets]
    return told, found[1] is owner.pets[1], Sword(owner, n).power, Golden(owner).value


class Sized(Observer):
    def __init__(self, subject, name):
        super().__init__(subject, name)
        self.length = 4

    def update(self, value):
        self.seen.append(f"{self.length}{value}")


class Teller(Subject):
    def attach(self, observer):
        super().attach(observer)
        observer.update(0)


def told_early(n):
    subject = Subject()
    found = [Sized(subject, "a"), Observer(subject, "b")]
    subject.tell(n)
    try:
        return found[0].seen, Sized(Teller(), "c").seen
    except AttributeError as error:
        return found[0].seen, str(error)


class Named:
    """What `**kwargs` took is asked for in both parts, and by a function."""

    def __init__(self, owner, n, *more, **kw):
        self.name = "x" * len(kw)

        def first():
            return kw.get("m", n)

        owner.add(self)
        n = 8
        self.keys = sorted(kw)
        self.first = first()
        self.total = sum(more) + kw.get("z", 10)


def with_keywords(n):
    owner = Owner()
    a = Named(owner, n, 1, 2, m=n + 2, z=3)
    b = Named(owner, n)
    return a.keys, a.first, a.total, b.keys, b.first, b.total, [p.name for p in owner.pets]


CASES: list[Case] = [
    (added, [(3,), (0,)]),
    (raised, [(3,), (2,)]),
    (unset, [(3,), (2,)]),
    (observed, [(3,)]),
    (read_early, [(3,)]),
    (made_of_parts, [(3,)]),
    (after_init, [(2,)]),
    (with_keywords, [(3,)]),
    (inherited, [(1,)]),
    (told_early, [(1,)]),
]
