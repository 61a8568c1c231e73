"""Functions that call themselves and give tuples of what they gave: lists and trees of pairs."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from tests.programs import Case


def nested(n):
    if n == 0:
        return ()
    return (n, nested(n - 1))


def linked(n):
    return None if n == 0 else (n * 0.5, linked(n - 1))


def items_of(pair):
    found = []
    while pair is not None:
        first, pair = pair
        found.append(first)
    return found


def total(pair):
    return 0.0 if pair is None else pair[0] + total(pair[1])


def of_links(n):
    pair = linked(n)
    return pair, items_of(pair), total(pair)


def built(xs):
    if len(xs) == 1:
        return xs[0]
    middle = len(xs) // 2
    return (built(xs[:middle]), built(xs[middle:]))


def depth(tree):
    return 1 + max(depth(tree[0]), depth(tree[1])) if isinstance(tree, tuple) else 0


def of_halves(xs):
    tree = built(xs)
    return tree, depth(tree), tree == built(xs)


def full(n):
    if n == 0:
        return ("leaf", n)
    return ("node", full(n - 1), full(n - 1))


def leaves(tree):
    if tree[0] == "leaf":
        return 1
    return leaves(tree[1]) + leaves(tree[2])


def of_trees(n):
    tree = full(n)
    return tree, leaves(tree), str(tree)


def mapped(f, pair):
    return () if not pair else (f(pair[0]), mapped(f, pair[1]))


def of_maps(n):
    return mapped(lambda x: x * 2, nested(n)), nested(n)


def left(n):
    return None if n == 0 else ("a", right(n - 1))


def right(n):
    if n == 0:
        return "end"
    return [left(n - 1)]


def of_two(_):
    return left(4), right(3), left(1)


CASES: list[Case] = [
    (of_two, [(0,)]),
    (nested, [(0,), (3,)]),
    (of_links, [(0,), (4,)]),
    (of_halves, [([1, 2, 3],), (["a"],), ([1.5, 2.5, 3.5, 4.5, 5.5],)]),
    (of_trees, [(0,), (3,)]),
    (of_maps, [(3,)]),
]
