"""Methods of Python's syntax that ask themselves: texts, lengths, truth, hashes and comparisons."""

# Without annotations the types follow from what is put in, which is what these programs are about.
# pyright: basic

from dataclasses import dataclass, field

from tests.programs import Case


class Num:
    def __init__(self, v):
        self.v = v

    def __repr__(self):
        return f"Num({self.v!r})"

    def __str__(self):
        return str(self.v)

    def __eq__(self, other):
        return isinstance(other, Num) and self.v == other.v

    def __len__(self):
        return 1

    def __hash__(self):
        return hash(self.v)

    def __contains__(self, x):
        return self.v == x

    def __bool__(self):
        return self.v != 0

    def __format__(self, spec):
        return format(self.v, spec)


class Mul:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __repr__(self):
        return f"Mul({self.a!r}, {self.b!r})"

    def __str__(self):
        return f"{self.a}*{self.b}"

    def __eq__(self, other):
        return isinstance(other, Mul) and self.a == other.a and self.b == other.b

    def __len__(self):
        return len(self.a) + len(self.b)

    def __hash__(self):
        return hash((self.a, self.b))

    def __contains__(self, x):
        return x in self.a or x in self.b

    def __bool__(self):
        return bool(self.a) and bool(self.b)

    def __format__(self, spec):
        return f"({format(self.a, '3')}, {self.b:>3})"


def nested(a, b, c):
    made, other = Mul(Mul(Num(a), Num(b)), Num(c)), Mul(Mul(Num(1), Num(2)), Num(3))
    texts = str(made), repr(made), f"{made:5}", f"{made}"
    return texts, len(made), 3 in made, bool(made), made == other, made == Num(a)


def hashed(a, b):
    made, other = Mul(Mul(Num(a), Num(b)), Num(3)), Mul(Mul(Num(a), Num(b)), Num(3))
    return hash(made) == hash(other), len({made, other}), {made: 1}[other]


class Link:
    def __init__(self, v, next=None):
        self.v = v
        self.next = next

    def __str__(self):
        return f"{self.v}->{self.next}" if self.next is not None else str(self.v)

    def __repr__(self):
        return "Link(" + repr(self.v) + ", " + repr(self.next) + ")"

    def __len__(self):
        return 1 + len(self.next) if self.next else 1

    def __eq__(self, other):
        if not isinstance(other, Link):
            return NotImplemented
        return self.v == other.v and self.next == other.next

    def __lt__(self, other):
        if self.v != other.v:
            return self.v < other.v
        if self.next is None:
            return other.next is not None
        return other.next is not None and self.next < other.next

    def __contains__(self, x):
        return self.v == x or (self.next is not None and x in self.next)

    def __hash__(self):
        return hash((self.v, hash(self.next) if self.next is not None else 0))


def linked(x):
    a, b = Link(1, Link(2)), Link(1, Link(x))
    texts = str(a), repr(b), len(a), len(Link(x))
    return texts, a == b, a != b, a < b, x in a, hash(a) == hash(b), a == x


class Tree:
    def __init__(self, v, kids):
        self.v = v
        self.kids = kids

    def __repr__(self):
        return f"Tree({self.v}, {self.kids})"

    def __str__(self):
        return str(self.v) + "(" + ",".join(str(k) for k in self.kids) + ")"

    def __len__(self):
        return 1 + sum(len(k) for k in self.kids)

    def __eq__(self, other):
        return self.v == other.v and self.kids == other.kids

    def __bool__(self):
        return all(self.kids)


def trees(v):
    made = Tree(v, [Tree(2, []), Tree(3, [Tree(4, [])])])
    same = made == Tree(1, [Tree(2, []), Tree(3, [Tree(4, [])])])
    return str(made), repr(made), len(made), same, made == Tree(v, []), bool(made)


class Odd:
    """It gives no bools, which Python allows."""

    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        if self.n == 0:
            return 5
        return Odd(self.n - 1) == other

    def __contains__(self, x):
        return [x] if self.n == 0 else x in Odd(self.n - 1)


def odd(n):
    return Odd(n) == 1, 1 in Odd(n)


@dataclass
class Node:
    value: int
    next: "Node | None" = None


@dataclass(frozen=True)
class Frozen:
    value: int
    next: "Frozen | None" = None


@dataclass
class Person:
    name: str
    house: "House | None" = None


@dataclass
class House:
    people: "list[Person]" = field(default_factory=list)
    first: "Person | None" = None


@dataclass
class Leaf:
    value: int
    next: "Leaf | None" = field(default=None, repr=False, compare=False)


def nodes(n):
    made = Node(1, Node(n))
    others = [Node(1, Node(2)), Node(1), None, made]
    return repr(made), f"{made}", str([Node(n)]), [made == other for other in others]


def frozen(n):
    one, two = Frozen(1, Frozen(n)), Frozen(1, Frozen(2))
    return repr(one), hash(one) == hash(two), len({one, two, Frozen(1)}), one == two


def houses(name):
    person = Person(name, House([Person("b")], Person("c", House())))
    return str(person), person == Person("a", House([Person("b")], Person("c", House())))


def leaves(n):
    return repr(Leaf(n, Leaf(n))), Leaf(n, Leaf(1)) == Leaf(n)


CASES: list[Case] = [
    (nested, [(1, 2, 3), (0, 1, 2)]),
    (hashed, [(1, 2)]),
    (linked, [(2,), (3,)]),
    (trees, [(1,), (2,)]),
    (odd, [(0,), (3,)]),
    (nodes, [(2,), (3,)]),
    (frozen, [(2,), (3,)]),
    (houses, [("a",), ("",)]),
    (leaves, [(1,)]),
]
