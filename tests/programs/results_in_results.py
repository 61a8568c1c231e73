"""Functions that return what is empty, or what holds their own results: lists, dicts and trees."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from tests.programs import Case


def tree(preorder, inorder):
    if not preorder:
        return {}
    value = preorder[0]
    place = inorder.index(value)
    left = tree(preorder[1 : place + 1], inorder[:place])
    right = tree(preorder[place + 1 :], inorder[place + 1 :])
    return {"v": value, "l": left, "r": right}


def depth(node):
    return 1 + max(depth(node["l"]), depth(node["r"])) if node else 0


def trees(preorder, inorder):
    whole = tree(preorder, inorder)
    return whole, depth(whole)


def chain(n):
    return [] if n == 0 else [n, chain(n - 1)]


def counted(n):
    if n == 0:
        return {}
    inner = counted(n - 1)
    return {"n": n, "inner": inner}


def pairs(n):
    if n == 0:
        return []
    return [pairs(n - 1), pairs(n - 1)]


def nested(n):
    if n == 0:
        return {}
    return {n: nested(n - 1)}


CASES: list[Case] = [
    (tree, [(list("aixfr"), list("iafxr")), (["a"], ["a"])]),
    (trees, [(list("aixfr"), list("iafxr"))]),
    (chain, [(3,), (0,)]),
    (counted, [(3,), (0,)]),
    (pairs, [(2,), (0,)]),
    (nested, [(3,), (0,)]),
]
