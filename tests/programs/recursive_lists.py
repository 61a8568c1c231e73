"""Recursive functions that return an empty list, and put together what calls of themselves give."""

# Without annotations the types follow from what is put in, which is what these programs are about.
# pyright: basic
# ruff: noqa: RUF005 -- how people write it

from tests.programs import Case


class Node:
    def __init__(self, value, left=None, right=None):
        self.value = value
        self.left = left
        self.right = right

    def items(self):
        left = self.left.items() if self.left else []
        right = self.right.items() if self.right else []
        return left + [self.value] + right


def joined(node):
    if node is None:
        return []
    return joined(node.left) + [node.value] + joined(node.right)


def starred(node):
    if node is None:
        return []
    return [*starred(node.left), node.value, *starred(node.right)]


def extended(node):
    if node is None:
        return []
    out = extended(node.left)
    out.append(node.value)
    out.extend(extended(node.right))
    return out


def counted(node):
    if node is None:
        return {}
    found = counted(node.left)
    found[node.value] = len(found)
    found.update(counted(node.right))
    return found


def walks(values):
    root = None
    for value in values:
        root = Node(value, root, Node(value + 10))
    return (
        joined(root),
        starred(root),
        extended(root),
        counted(root),
        root.items() if root else [],
    )


def permutations(xs):
    if not xs:
        return [[]]
    out = []
    for i in range(len(xs)):
        for rest in permutations(xs[:i] + xs[i + 1 :]):
            out.append([xs[i], *rest])
    return out


def permuted(xs):
    if not xs:
        return [[]]
    return [[x, *p] for i, x in enumerate(xs) for p in permuted([*xs[:i], *xs[i + 1 :]])]


def subsets(xs):
    if not xs:
        return [[]]
    rest = subsets(xs[1:])
    return rest + [[xs[0]] + chosen for chosen in rest]


def even(n):
    if n == 0:
        return []
    return [n] + odd(n - 1)


def odd(n):
    if n == 0:
        return []
    return even(n - 1)


def all_of_them(xs):
    return permutations(xs), permuted(xs), subsets(xs), even(5), odd(4)


def displays(xs, words):
    found = []
    found.append([0, *xs])
    return (
        found,
        sum([*range(3), *xs]),
        "".join([*words, "!"]),
        sorted([*xs, 1]),
        len((*xs, 1)),
        max([*xs, *xs]),
    )


CASES: list[Case] = [
    (walks, [([1, 2, 3],)]),
    (all_of_them, [([1, 2, 3],)]),
    (displays, [([3, 2], ["a", "b"])]),
]
