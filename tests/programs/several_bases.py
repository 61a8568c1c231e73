"""Classes with several bases: what is mixed in, the order of the bases, fields of two of them."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportAttributeAccessIssue=false, reportCallIssue=false, reportArgumentType=false

from abc import ABC, abstractmethod
from dataclasses import dataclass

from tests.programs import Case


class Animal:
    """The base whose fields the others begin with."""

    LEGS = 4

    def __init__(self, name):
        self.name = name

    def speak(self):
        return f"{self.name} speaks"


class Loud:
    """Asks what stands behind it in the class of the object."""

    def speak(self):
        return super().speak().upper() + "!"


class Counted:
    """Uses fields that the classes have which it is mixed into, and sets one of its own."""

    UNIT = "steps"

    def walk(self, steps):
        self.steps += steps
        self.last = steps
        return self

    @property
    def walked(self):
        return f"{self.steps} {self.UNIT} of {self.LEGS} legs"

    def each(self):
        for i in range(self.steps):
            yield i * self.last


class Ordered:
    """Comparisons and texts of whatever has a name."""

    def __lt__(self, other):
        return self.name < other.name

    def __eq__(self, other):
        return self.name == other.name

    def __repr__(self):
        return f"<{type(self).__name__} {self.name}>"


class Dog(Loud, Counted, Ordered, Animal):
    """The base with fields stands last."""

    def __init__(self, name, steps):
        super().__init__(name)
        self.steps = steps


class Bird(Animal, Counted, Ordered):
    """It stands first."""

    LEGS = 2
    UNIT = "hops"

    def __init__(self, name):
        Animal.__init__(self, name)
        self.steps = 0


class Puppy(Dog):
    """A base that has several."""

    def speak(self):
        return "small " + super().speak()


class Top:
    """The common base of two others."""

    def path(self):
        return "Top"


class Left(Top):
    """One side."""

    def path(self):
        return "Left " + super().path()


class Right(Top):
    """The other side."""

    def path(self):
        return "Right " + super().path()


class Bottom(Left, Right):
    """Both sides."""

    def path(self):
        return "Bottom " + super().path()


class Named:
    """A field."""

    def __init__(self, name):
        self.name = name

    def greet(self):
        return f"I am {self.name}"


class Priced:
    """Another field."""

    def __init__(self, price):
        self.price = price
        self.sold = 0

    def sell(self, count):
        self.sold += count
        return self.price * self.sold


class Product(Named, Priced):
    """The fields of two bases."""

    def __init__(self, name, price):
        Named.__init__(self, name)
        Priced.__init__(self, price)
        self.tags = [name]


class Described(ABC):
    """What a class must have."""

    @abstractmethod
    def parts(self): ...

    def text(self):
        return "+".join(self.parts())


class Doubled:
    """A mixin for dataclasses."""

    def twice(self):
        return self.x * 2


@dataclass
class Spot(Described, Doubled):
    """A dataclass with an abstract base and a mixin."""

    x: int
    y: int = 1

    def parts(self):
        return [str(self.x), str(self.y)]


def mixed(n: int):
    dog, bird = Dog("Rex", n), Bird("Pip")
    dog.walk(2).walk(n)
    bird.walk(3)
    texts = dog.speak(), bird.speak(), Puppy("Bo", 1).speak(), dog.walked, bird.walked
    tests = isinstance(dog, Counted), isinstance(bird, Loud), issubclass(Puppy, Ordered)
    return texts, tests, list(dog.each()), repr(dog), dog < Dog("Sam", 1), bird == Bird("Pip")


def among_each_other(n: int):
    animals = [Dog("Rex", n), Bird("Pip"), Puppy("Bo", 2)]
    loud = [a.name for a in animals if isinstance(a, Loud)]
    return [a.speak() for a in animals], loud, [a.LEGS for a in animals], repr(sorted(animals))


def in_order(n: int):
    return Bottom().path(), Left().path(), isinstance(Bottom(), Right), n


def fields_of_two(n: int):
    product = Product("pen", n)
    return product.greet(), product.sell(2), product.sell(n), product.tags, product.sold


def of_dataclasses(n: int):
    spot = Spot(n)
    return spot.text(), spot.twice(), repr(spot), spot == Spot(n, 1)


CASES: list[Case] = [
    (mixed, [(3,), (0,)]),
    (among_each_other, [(3,)]),
    (in_order, [(1,)]),
    (fields_of_two, [(3,)]),
    (of_dataclasses, [(4,)]),
]
