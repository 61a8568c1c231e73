"""Values that hold their like, as readers give them: the types hold themselves."""

# Without annotations the types follow from what is put in, which is what these programs are about.
# pyright: basic

from tests.programs import Case


def read(tokens):
    token = tokens.pop(0)
    if token == "(":
        items = []
        while tokens[0] != ")":
            items.append(read(tokens))
        tokens.pop(0)
        return items
    if token.isdigit():
        return int(token)
    return token


def total(tree):
    if isinstance(tree, list):
        s = 0
        for item in tree:
            s += total(item)
        return s
    if isinstance(tree, int):
        return tree
    return 0


def depth(tree):
    if not isinstance(tree, list):
        return 0
    return 1 + max([depth(t) for t in tree], default=0)


def expressions(text):
    spaced = text.replace("(", " ( ").replace(")", " ) ")
    tree, again = read(spaced.split()), read(spaced.split())
    return tree, total(tree), depth(tree), str(tree), tree == again


def spelled(words):
    root = {}
    for word in words:
        node = root
        for letter in word:
            node = node.setdefault(letter, {})
        node["$"] = True
    return root


def letters(words):
    root = {}
    for word in words:
        node = root
        for letter in word:
            if letter not in node:
                node[letter] = {}
            node = node[letter]
    return root


def has(root, word):
    for letter in word:
        if letter not in root:
            return False
        root = root[letter]
    return True


def size(d):
    return sum(1 + (size(v) if isinstance(v, dict) else 0) for v in d.values())


def count(d):
    return sum(1 + count(v) for v in d.values())


def deepest(d):
    return 1 + max((deepest(v) for v in d.values()), default=0)


def tries(words):
    marked, plain = spelled(words), letters(words)
    found = [has(plain, word) for word in ("ca", "cart", "x", "carts")]
    return marked, plain, size(marked), count(plain), found, deepest(plain), sorted(plain)


def put(words, path):
    # What is no dict takes no item: the index is evaluated before CPython sees it.
    root = spelled(words)
    node = root
    for letter in path[:-1]:
        node = node[letter]
    node[path[len(words)]] = False
    return root


def removed(words, path):
    root = spelled(words)
    node = root
    for letter in path:
        node = node[letter]
    last = "$"
    del node[last]
    return root


WORDS = ["car", "cart", "dog"]

CASES: list[Case] = [
    (expressions, [("(+ 1 (* 2 3) (- x))",), ("7",), ("()",), ("(((1)))",)]),
    (tries, [(WORDS,), (["a"],), (["abc", "abd", "x"],)]),
    (put, [(WORDS, "caxy"), (["a"], "do"), (["do", "d"], "d$x"), (["do"], "do$x"), (["a"], "a")]),
    (removed, [(WORDS, "car"), (WORDS, "car$"), (WORDS, "ca"), (["d"], "x")]),
]
