"""Scripted classes that inherit from one another, as Python sees them."""

# Types come from the calls.
# pyright: basic

import copy
import gc
import operator
import pickle
import weakref
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import total_ordering
from typing import Any

import pytest

from scriptc import load, save, script
from scriptc_runtime.errors import UnsupportedError
from tests.support.support_code import live_blocks

BACKENDS = ["interp", "llvm"]


def animals(backend):  # noqa: C901
    """Return a base, and classes that inherit from it with `@script`, without, and once more."""

    @script(backend=backend)
    class Animal:
        kind = "animal"

        def __init__(self, name, legs=4):
            self.name = name
            self.legs = legs

        def speak(self):
            return "..."

        def described(self):
            return f"{self.name} says {self.speak()} on {self.legs}, {self.kind}"

        @property
        def initial(self):
            return self.name[0]

        @classmethod
        def named(cls, name):
            return cls(name)

    @script(backend=backend)
    class Dog(Animal):
        kind = "dog"

        def __init__(self, name):
            super().__init__(name)
            self.tricks = ["sit"]

        def speak(self):
            return "woof"

        def learn(self, trick):
            self.tricks.append(trick)
            return len(self.tricks)

    class Bird(Animal):
        def __init__(self, name, span):
            super().__init__(name, legs=2)
            self.span = span

        def speak(self):
            return "tweet " + super().speak()

        @property
        def initial(self):
            return super().initial.lower()

    class Puppy(Dog):
        def speak(self):
            return "yip"

    return Animal, Dog, Bird, Puppy


@pytest.mark.parametrize("backend", BACKENDS)
def test_methods_are_those_of_the_objects_own_class(backend):
    Animal, Dog, Bird, Puppy = animals(backend)
    dog, bird, puppy = Dog("Rex"), Bird("Tweety", 0.5), Puppy.named("Bo")
    assert dog.described() == "Rex says woof on 4, dog"
    assert bird.described() == "Tweety says tweet ... on 2, animal"
    assert puppy.described() == "Bo says yip on 4, dog"
    assert Animal("A").described() == "A says ... on 4, animal"
    assert (bird.span, bird.initial, dog.initial) == (0.5, "t", "R")
    assert (puppy.learn("roll"), puppy.tricks) == (2, ["sit", "roll"])
    assert type(puppy) is Puppy
    tests = isinstance(puppy, Animal), isinstance(puppy, Dog), isinstance(bird, Dog)
    assert (*tests, issubclass(Puppy, Animal)) == (True, True, False, True)


@pytest.mark.parametrize("backend", BACKENDS)
def test_scripts_take_and_give_objects_of_a_base_and_of_what_inherits(backend):
    Animal, Dog, Bird, Puppy = animals(backend)

    @script(backend=backend)
    def spoken(animals):
        return [animal.speak() for animal in animals]

    @script(backend=backend)
    def picked(animals, i):
        return animals[i]

    @script(backend=backend)
    def made(i):
        return Dog("new") if i == 0 else Bird("new", 1.5)

    @script(backend=backend)
    def tested(animal: Animal):  # pyright: ignore[reportInvalidTypeForm]
        if isinstance(animal, Dog):
            return animal.speak() + str(len(animal.tricks))
        return animal.speak() + "?"

    animals_ = [Dog("d"), Bird("b", 1.0), Puppy("p"), Animal("a")]
    assert spoken(animals_) == ["woof", "tweet ...", "yip", "..."]
    assert all(picked(animals_, i) is animals_[i] for i in range(4))
    assert [type(made(i)) for i in range(2)] == [Dog, Bird]
    assert [tested(a) for a in animals_] == ["woof1", "tweet ...?", "yip1", "...?"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_class_whose_first_object_comes_later_is_seen(backend):
    Animal, Dog, _, _ = animals(backend)

    @script(backend=backend)
    class Owner:
        def __init__(self, pet: Animal):  # pyright: ignore[reportInvalidTypeForm]
            self.pet = pet

        def hear(self):
            return self.pet.speak()

    owner = Owner(Animal("a"))
    assert owner.hear() == "..."
    dog = Dog("d")
    owner.pet = dog
    assert owner.hear() == "woof"
    assert owner.pet is dog

    class Cat(Animal):
        def speak(self):
            return "meow"

    cat = Cat("c")
    owner.pet = cat
    assert owner.hear() == "meow"
    assert (owner.pet is cat, type(owner.pet)) == (True, Cat)
    assert Owner(dog).hear() == "woof"


@pytest.mark.parametrize("backend", BACKENDS)
def test_abstract_classes_and_what_python_calls_for_classes(backend):
    @script(backend=backend)
    class Shape(ABC):
        names: list[str] = []  # noqa: RUF012

        def __init_subclass__(cls, **settings):
            super().__init_subclass__(**settings)
            Shape.names.append(cls.__name__)

        def __init__(self, name):
            self.name = name

        @abstractmethod
        def area(self) -> float: ...

        def text(self):
            return f"{self.name}: {self.area():.1f}"

    class Square(Shape):
        def __init__(self, width):
            super().__init__("square")
            self.width = width

        def area(self) -> float:
            return self.width**2

    class Dot(Shape):
        def area(self) -> float:
            return 0.0

    class Half(Shape):
        pass

    @script(backend=backend)
    def areas(shapes):
        return [shape.area() for shape in shapes]

    assert Shape.names == ["Square", "Dot", "Half"]
    assert areas([Square(1.5), Dot("dot")]) == [2.25, 0.0]
    assert Square(1.5).text() == "square: 2.2"
    for cls in (Shape, Half):
        with pytest.raises(TypeError, match=f"abstract class {cls.__name__} with"):
            cls("x")  # pyright: ignore[reportAbstractUsage]


@pytest.mark.parametrize("backend", BACKENDS)
def test_dataclasses_and_values_of_the_class(backend):
    @script(backend=backend)
    @dataclass(order=True)
    class Item:
        name: str
        price: float = 1.0
        tags: list[str] = field(default_factory=list)

        def total(self, n: int) -> float:
            return self.price * n

    @script(backend=backend)
    @dataclass(order=True)
    class Fresh(Item):
        days: int = 3

        def total(self, n: int) -> float:
            return super().total(n) * (0.5 if self.days < 2 else 1.0)

    @dataclass
    class Tool(Item):
        weight: float = 2.0

    @script(backend=backend)
    class Player:
        lives = 3

        def __init__(self, name: str):
            self.name = name

        def hit(self):
            self.lives -= 1
            return self.lives

    class Hero(Player):
        lives = 5

    @script(backend=backend)
    def total(items):
        return sum(item.total(2) for item in items)

    item, fresh, tool = Item("a", 2.0), Fresh("milk", 3.0, days=1), Tool("hammer", weight=3.5)
    assert total([item, fresh, tool]) == 4.0 + 3.0 + 2.0
    assert repr(tool).endswith("Tool(name='hammer', price=1.0, tags=[], weight=3.5)")
    assert (item == Item("a", 2.0), fresh == item, Fresh("a") < Fresh("b")) == (True, False, True)
    assert (Hero("h").hit(), Hero("g").hit(), Player("p").hit(), Hero("i").lives) == (4, 4, 2, 5)


@pytest.mark.parametrize("backend", BACKENDS)
def test_objects_are_let_go_and_copied(backend):
    _, Dog, Bird, _ = animals(backend)
    bird = Bird("b", 1.0)
    twin = copy.copy(bird)
    assert (type(twin), twin.span, twin is bird) == (Bird, 1.0, False)
    # Python gives it a place for more, as it does for all classes.
    bird.ring = bird  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(TypeError, match=r"'ring' of this .*Bird object is no field"):
        copy.copy(bird)
    seen = weakref.ref(bird)
    del bird
    gc.collect()
    assert seen() is None
    with pytest.raises(TypeError, match="not pickled by value"):
        pickle.dumps(Dog("d"))


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_class_that_inherits_may_hold_its_base(backend):
    @script(backend=backend)
    class Item:
        def __init__(self, v):
            self.v = v
            self.size = None

        def put(self, size):
            self.size = size

    class Box(Item):
        def __init__(self, v, item):
            super().__init__(v)
            self.item = item
            self.pair = (item, 1)

        def chain(self):
            return self.item.v, self.pair[0].v, self.v, self.size

    first = Item(1)
    box = Box(2, first)
    last = Item(5)
    assert (box.chain(), last.v) == ((1, 1, 2, None), 5)
    # A ring of objects that cannot do without each other moves to wider types.
    box.item, box.pair = box, (box, 2)  # pyright: ignore
    first.put(2.5)
    assert (box.chain(), box.item is box, box.pair[0] is box) == ((2, 2, 2, None), True, True)
    other = Box(3, box)
    box.item = other
    last.put("a")
    box.v = "b"
    assert (box.chain(), other.chain()) == ((3, "b", "b", None), ("b", "b", 3, None))
    assert (box.item is other, other.item is box, last.size) == (True, True, "a")


@pytest.mark.parametrize("backend", BACKENDS)
def test_python_stores_objects_of_several_classes_with_one_base(backend):
    Animal, Dog, Bird, Puppy = animals(backend)

    @script(backend=backend)
    class Zoo:
        def __init__(self):
            self.all = []

        def spoken(self):
            return [animal.speak() for animal in self.all]

    zoo, puppy = Zoo(), Puppy("p")
    zoo.all = [Dog("d"), Bird("b", 1.0)]
    zoo.all.append(puppy)
    zoo.all.append(Animal("a"))
    assert zoo.spoken() == ["woof", "tweet ...", "yip", "..."]
    assert zoo.all[2] is puppy


class Pet:
    def __init__(self, v):
        self.v = v

    def put(self, v):
        self.v = v


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_pickle_of_the_base_widens_what_inherits(backend, monkeypatch):
    written, first = Pet, script(Pet, backend=backend)
    monkeypatch.setitem(globals(), "Pet", first)
    pet = first(1)
    pet.put("a")
    kept = pickle.dumps(pet)
    # As another process would go on with it.
    second = script(written, backend=backend)
    monkeypatch.setitem(globals(), "Pet", second)

    class Cat(second):
        pass

    cat = Cat(1)
    again = pickle.loads(kept)
    assert (type(again), again.v, cat.v) == (second, "a", 1)
    cat.put("b")
    assert (again.v, cat.v) == ("a", "b")


def widened(Animal, Dog, Puppy, Zoo):
    """Return what objects of a base and of what inherits hold, as their fields get wider types."""
    zoo, found = Zoo(), []

    def see():
        found.append((zoo.texts(), [type(a).__name__ for a in zoo.all], zoo.all[0].friends()))

    dog, animal = Dog("d", 1), Animal("a")
    zoo.add(dog)
    zoo.add(animal)
    see()
    animal.note(1)
    see()
    dog.note(2.5)
    see()
    puppy = Puppy("p", 2.5)
    zoo.add(puppy)
    see()
    dog.learn("x")
    for one, other in ((puppy, dog), (animal, puppy), (dog, dog)):
        one.be(other)
        see()
    animal.friend = None
    puppy.tricks = {"a": 1}
    dog.name = 7
    see()
    twin = copy.deepcopy(zoo)
    twin.all[1].note("s")
    found.append(twin.texts())
    see()
    assert (zoo.all[0] is dog, zoo.all[2] is puppy, dog.friend is dog) == (True, True, True)
    assert twin.all[2].friend is twin.all[0]
    return found


def zoo_classes(decorated):  # noqa: C901
    @decorated
    class Animal:
        def __init__(self, name):
            self.name = name
            self.notes = []
            self.friend = None

        def note(self, x):
            self.notes.append(x)

        def be(self, other):
            self.friend = other

        def speak(self):
            return "?"

        def text(self):
            return f"{self.name} {self.notes} {self.speak()}"

        def friends(self):
            return "" if self.friend is None else self.friend.text()

    class Dog(Animal):
        def __init__(self, name, tricks):
            super().__init__(name)
            self.tricks = tricks
            self.last = None

        def speak(self):
            return f"woof {self.tricks} {self.last}"

        def learn(self, trick):
            self.tricks = trick
            self.last = trick

    class Puppy(Dog):
        def speak(self):
            return "yip " + super().speak()

    @decorated
    class Zoo:
        def __init__(self):
            self.all = []

        def add(self, animal):
            self.all.append(animal)

        def texts(self):
            return [animal.text() for animal in self.all]

    return Animal, Dog, Puppy, Zoo


@pytest.mark.parametrize("backend", BACKENDS)
def test_fields_of_what_inherits_get_wider_with_those_of_the_base(backend):
    expected = widened(*zoo_classes(lambda cls: cls))
    before = live_blocks() if backend == "llvm" else 0
    assert widened(*zoo_classes(script(backend=backend))) == expected
    gc.collect()
    if backend == "llvm":
        assert live_blocks() == before


def test_an_object_is_saved_with_what_it_inherits(tmp_path):
    @script
    class Counter:
        def __init__(self, step: int):
            self.step = step
            self.count = 0

        def up(self) -> int:
            self.count += self.step
            return self.count

    class Doubling(Counter):
        def up(self) -> int:
            return super().up() * 2

    counter = Doubling(3)
    assert counter.up() == 6
    save(counter, tmp_path / "counter.scriptc")
    assert load(tmp_path / "counter.scriptc").up() == 12


def test_what_is_refused():
    class Plain:
        pass

    with pytest.raises(UnsupportedError, match=r"Four inherits from .*Plain, which is no @script"):

        @script
        class Four(Plain):
            pass

    @script
    class Base:
        def __init__(self, v: int):
            self.v = v

    class Several(Base, Plain):
        pass

    with pytest.raises(UnsupportedError, match="Several inherits from Base and Plain"):
        Several(1)

    class Ending(Base):
        def __del__(self):
            pass

    with pytest.raises(UnsupportedError, match="__del__"):
        Ending(1)


@pytest.mark.parametrize("backend", BACKENDS)
def test_nothing_stands_over_what_the_class_has(backend):
    _, _, bird, _ = animals(backend)
    robin: Any = bird("Robin", 0.3)
    robin.note = "red"
    robin.span = 0.5
    robin.name = "robin"
    for name in ("kind", "speak", "described"):
        with pytest.raises(AttributeError, match=f"'{name}' is read-only"):
            setattr(robin, name, "x")
    with pytest.raises(AttributeError):
        robin.initial = "r"
    assert (robin.note, robin.span) == ("red", 0.5)
    assert robin.described() == "robin says tweet ... on 2, animal"


@pytest.mark.parametrize("backend", ["interp", "llvm"])
def test_properties_are_deleted_and_orders_completed(backend):
    def program(decorate):
        @decorate
        @total_ordering
        class Version:
            def __init__(self, number):
                self.number = number

            def __eq__(self, other):
                return self.number == other.number if isinstance(other, Version) else NotImplemented

            def __lt__(self, other):
                return self.number < other.number if isinstance(other, Version) else NotImplemented

            @property
            def level(self):
                return self.number

            @level.setter
            def level(self, value):
                self.number = value

            @level.deleter
            def level(self):
                self.number = 0

        one, two = Version(1), Version(2)
        found = [one <= two, one >= two, one > two, max(one, two).number, sorted([two, one])]
        found[-1] = [version.number for version in found[-1]]
        for compare in (operator.lt, operator.ge):
            with pytest.raises(TypeError) as caught:
                compare(one, 3)
            found.append(str(caught.value))
        two.level = 5
        del one.level
        return [*found, one.level, two.number, one < two]

    assert program(script(backend=backend)) == program(lambda cls: cls)
