"""Generic classes: one class for each tuple of types that stands for their parameters."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from dataclasses import dataclass
from typing import Generic, TypeVar

from tests.programs import Case

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


class Stack(Generic[T]):
    def __init__(self) -> None:
        self.items: list[T] = []

    def push(self, item: T) -> None:
        self.items.append(item)

    def pop(self) -> T:
        return self.items.pop()

    def empty(self) -> bool:
        return not self.items

    def copy(self) -> "Stack[T]":
        made = Stack[T]()
        for item in self.items:
            made.push(item)
        return made


class IntStack(Stack[int]):
    def total(self):
        return sum(self.items)

    def push(self, item: int) -> None:
        super().push(item + 1)


def popped(stack: Stack[int]) -> int:
    return stack.pop()


def popped_of_any(stack: Stack):
    return stack.pop()


def stacks(n):
    ints, texts = Stack[int](), Stack[str]()
    floats: Stack[float] = Stack()
    ints.push(n)
    texts.push("a")
    floats.push(1.5)
    copy = ints.copy()
    copy.push(5)
    copy.push(6)
    found = popped(copy), popped_of_any(copy), popped_of_any(texts), floats.pop()
    special = IntStack()
    special.push(n)
    special.push(3)
    return (
        found,
        (ints.empty(), texts.empty(), type(ints).__name__, isinstance(ints, Stack)),
        (special.total(), popped(special), isinstance(special, IntStack)),
    )


class Box(Generic[T]):
    def __init__(self, held: T):
        self.held = held

    def get(self) -> T:
        return self.held


@dataclass
class Pair(Generic[T]):
    first: T
    second: T

    def swapped(self):
        return Pair(self.second, self.first)


def inferred(n):
    pair = Pair(n, 3)
    boxes = Box(n).get(), Box("x").get(), Box([1.5]).get()[0], Box(Box(n)).get().get()
    return boxes, pair.swapped().first, str(pair), pair == Pair(n, 3), Pair("x", "y").second


class Node(Generic[K, V]):
    left: "Node[K, V] | None"
    right: "Node[K, V] | None"

    def __init__(self, key: K, value: V):
        self.key = key
        self.value = value
        self.left = None
        self.right = None


class Tree(Generic[K, V]):
    root: Node[K, V] | None

    def __init__(self):
        self.root = None
        self.size = 0

    def put(self, key: K, value: V):
        self.size += 1
        if self.root is None:
            self.root = Node(key, value)
            return
        node = self.root
        while True:
            if key < node.key:  # pyright: ignore[reportOperatorIssue]
                if node.left is None:
                    node.left = Node(key, value)
                    return
                node = node.left
            else:
                if node.right is None:
                    node.right = Node(key, value)
                    return
                node = node.right

    def get(self, key: K) -> V | None:
        node = self.root
        while node is not None:
            if key == node.key:
                return node.value
            node = node.left if key < node.key else node.right  # pyright: ignore[reportOperatorIssue]
        return None


def trees(n):
    names = Tree[int, str]()
    for key in (5, n, 7):
        names.put(key, f"<{key}>")
    numbers: Tree[str, float] = Tree()
    numbers.put("a", 1.5)
    return names.get(n), names.get(9), names.size, numbers.get("a"), numbers.get("b")


CASES: list[Case] = [
    (stacks, [(2,)]),
    (inferred, [(2,)]),
    (trees, [(2,), (9,)]),
]
