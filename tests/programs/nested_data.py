"""Nested data of several types: merged, flattened, sorted, and narrowed by tests of items."""

# Without annotations the types follow from what is put in, which is what these programs are about.
# pyright: basic
# ruff: noqa: B007, SIM108, B905 -- how people write it

from tests.programs import Case

MENU_MENUS = [
    ("File", [("New", None), ("Open", [("Recent", None), ("Other", None)])]),
    ("Edit", [("Cut", None)]),
    ("Help", None),
]


def walk_menus(menu, depth=0):
    lines = []
    for name, children in menu:
        lines.append("  " * depth + name)
        if children:
            lines += walk_menus(children, depth + 1)
    return lines


def find_menus(menu, path):
    for name, children in menu:
        if name == path[0]:
            if len(path) == 1:
                return True
            return children is not None and find_menus(children, path[1:])
    return False


def count_menus(menu):
    return sum(1 + (count_menus(c) if c else 0) for _, c in menu)


def menus(path):
    return walk_menus(MENU_MENUS), find_menus(MENU_MENUS, path.split("/")), count_menus(MENU_MENUS)


DEFAULTS_CONFIG = {
    "name": "app",
    "debug": False,
    "server": {"host": "localhost", "port": 80, "tls": {"on": False, "cert": None}},
    "paths": ["a", "b"],
}


def deep_merge_config(a, b):
    out = dict(a)
    for key, value in b.items():
        if key in out and isinstance(out[key], dict) and isinstance(value, dict):
            out[key] = deep_merge_config(out[key], value)
        else:
            out[key] = value
    return out


def get_config(config, path, default=None):
    here = config
    for part in path.split("."):
        if not isinstance(here, dict) or part not in here:
            return default
        here = here[part]
    return here


def flat_config(config, prefix=""):
    for key, value in config.items():
        if isinstance(value, dict):
            yield from flat_config(value, prefix + key + ".")
        else:
            yield prefix + key, value


def config(port):
    user = {"server": {"port": port, "tls": {"on": True}}, "extra": {"level": 1.5}}
    config = deep_merge_config(DEFAULTS_CONFIG, user)
    return (
        config,
        get_config(config, "server.tls.on"),
        get_config(config, "server.nope", -1),
        list(flat_config(config)),
        DEFAULTS_CONFIG["server"]["port"],
    )


def flatten_flattened(x):
    if isinstance(x, list):
        out = []
        for item in x:
            out.extend(flatten_flattened(item))
        return out
    return [x]


def gen_flattened(x):
    for item in x:
        if isinstance(item, (list, tuple)):
            yield from gen_flattened(item)
        else:
            yield item


def deep_sum_flattened(x):
    return sum(deep_sum_flattened(i) if isinstance(i, list) else i for i in x)


def reverse_flattened(x):
    return [reverse_flattened(i) if isinstance(i, list) else i for i in x[::-1]]


def deep_map_flattened(f, x):
    return [deep_map_flattened(f, i) if isinstance(i, list) else f(i) for i in x]


def flattened(n):
    nested = [1, [2, [3, n], []], [[4]], 6]
    return (
        flatten_flattened(nested),
        list(gen_flattened([1, [2, [3, (4, 5)], []], 6])),
        deep_sum_flattened(nested),
        reverse_flattened(nested),
        deep_map_flattened(lambda v: v * 2, nested),
    )


def merge_merged(a, b):
    out = dict(a)
    for k, v in b.items():
        if k in out and isinstance(out[k], dict) and isinstance(v, dict):
            out[k] = merge_merged(out[k], v)
        else:
            out[k] = v
    return out


def doc_merged(n):
    d = {"a": 1, "b": {"c": 2.5, "d": {"e": "x"}}}
    if n:
        d["b"]["f"] = [1, 2, [3]]
    return d


def walk_merged(d, path):
    here = d
    for p in path.split("."):
        if isinstance(here, list):
            here = here[int(p)]
        else:
            here = here[p]
    return here


def swapped_merged(xs):
    # what is known of an item is forgotten where something is put there
    items = [1, "a", xs]
    got = []
    i = 0
    if isinstance(items[i], int):
        items.reverse()
        got.append(str(items[i]))
    if isinstance(items[0], list):
        items[0] = "z"
        got.append(str(items[0]) + "!")
    if isinstance(items[1], str):
        items[1] = 5
        items[0] = 2
    return items, got


def merged(n):
    a = doc_merged(n)
    b = {"b": {"d": {"q": None}}, "z": True}
    m = merge_merged(a, b)
    return m, walk_merged(m, "b.d.e"), walk_merged(m, "b.c"), swapped_merged([n])


def sorted_items(n):
    d = {"b": 1, "a": {"x": n}, "c": [1, "z", {"q": None}]}
    e = {3: [1], 1: ["a"], 2: []}
    nan = float("nan")
    f = {nan: [1], 1.0: {"a"}, -1.0: None}
    return (
        sorted(d.items()),
        [k for k, v in sorted(d.items(), reverse=True)],
        sorted(e.items()),
        len(sorted(f.items())),
        sorted({"b": 2, "a": 1}.items()),
    )


def item_missing(d, i):
    try:
        if i == 0:
            return d["a"][0]
        if i == 1:
            return d["a"]["k"]
        if i == 2:
            return d["b"][0]
        if i == 3:
            return d["b"]["k"]
        return 0
    except KeyError as e:
        return "key", e.args[0], str(e)
    except TypeError as e:
        return "type", str(e)


def missing(i):
    d = {"a": [1, 2], "b": {"k": 1}, "c": {"z": 2}}
    return item_missing(d, i)


def value_trees(tree):
    if isinstance(tree, int):
        return tree
    op, a, b = tree
    if op == "+":
        return value_trees(a) + value_trees(b)
    return value_trees(a) * value_trees(b)


def trees(n):
    return value_trees(["*", ["+", 1, n], 3])


def evaluate_expressions(e):
    if isinstance(e, tuple):
        op, a, b = e
        x, y = evaluate_expressions(a), evaluate_expressions(b)
        if op == "+":
            return x + y
        if op == "-":
            return x - y
        if op == "*":
            return x * y
        return x // y
    return e


def show_expressions(e):
    if isinstance(e, tuple):
        op, a, b = e
        return f"({show_expressions(a)} {op} {show_expressions(b)})"
    return str(e)


def simplify_expressions(e):
    if not isinstance(e, tuple):
        return e
    op, a, b = e
    a, b = simplify_expressions(a), simplify_expressions(b)
    if op == "*" and (a == 0 or b == 0):
        return 0
    if op == "*" and a == 1:
        return b
    if op == "+" and a == 0:
        return b
    return (op, a, b)


def parse_expressions(tokens):
    def term():
        left = factor()
        while tokens and tokens[0] in "*/":
            op = tokens.pop(0)
            left = (op, left, factor())
        return left

    def factor():
        t = tokens.pop(0)
        if t == "(":
            inner = expr()
            tokens.pop(0)
            return inner
        return int(t)

    def expr():
        left = term()
        while tokens and tokens[0] in "+-":
            op = tokens.pop(0)
            left = (op, left, term())
        return left

    return expr()


def expressions(text):
    e = ("+", ("*", 1, ("-", 7, 2)), ("*", 0, 9))
    p = parse_expressions(text.split())
    return (
        evaluate_expressions(e),
        show_expressions(e),
        simplify_expressions(e),
        show_expressions(simplify_expressions(e)),
        p,
        evaluate_expressions(p),
        show_expressions(p),
        simplify_expressions(p),
    )


def push_chains(items):
    node = None
    for x in items:
        node = (x, node)
    return node


def length_chains(node):
    n = 0
    while node is not None:
        _, node = node
        n += 1
    return n


def pairs_chains(items):
    head = None
    for x in reversed(items):
        head = [x, head]
    out = []
    while head:
        out.append(head[0])
        head = head[1]
    return out


def chains(items):
    return push_chains(items), length_chains(push_chains(items)), pairs_chains(items)


def first_unpacked(kind):
    values = [1, None, [2, 3], 2.5, [4], [5, 6, 7]]
    a, b = values[kind]
    return a, b


def second_unpacked(kind):
    values = [(1, "a"), None, 5, (1, "b", 2.5)]
    a, b = values[kind]
    return a, b


def unpacked(kind):
    out = []
    for f in (first_unpacked, second_unpacked):
        try:
            out.append(f(kind))
        except (TypeError, ValueError) as e:
            out.append((type(e).__name__, str(e)))
    return out


def items_looped(x):
    out = []
    for item in x:
        if item == "stop" or item == 3:
            break
        if item == "skip":
            continue
        out.append(item)
    else:
        out.append("end")
    return out


def both_looped(kind, xs):
    pick = ["ab", xs, {"k": 1, "stop": 2}, 5, None, (1, "z")]
    value = pick[kind]
    out = []
    try:
        for part in value:
            out.append(part)
        for part in pick[kind]:
            if isinstance(part, str):
                out.append(part + "!")
    except TypeError as e:
        out.append(str(e))
    return out, [str(p) * 2 for p in pick[kind]] if kind < 3 else []


def grows_looped(n):
    pick = [[1, 2], "ab"]
    value = pick[n]
    count = 0
    for v in value:
        count += 1
        if isinstance(value, list) and len(value) < 5:
            value.append(count)
    return count, value


def looped(kind):
    return (
        both_looped(kind, [1, 2.5, "x"]),
        items_looped([1, "skip", 2, 4]),
        items_looped("abc"),
        items_looped([3]),
        grows_looped(0),
        grows_looped(1),
    )


def reduced_copies(rows):
    m = [row[:] for row in rows]
    for k in range(1, len(m)):
        f = m[k][0] / m[0][0]
        m[k] = [x - f * y for x, y in zip(m[k], m[0])]
    return m, rows


def mixed_copies(xs):
    ys = xs.copy()
    ys.append("end")
    zs = xs[1:]
    zs[0] = None
    return xs, ys, zs


def copies(rows):
    return reduced_copies(rows), mixed_copies([1, 2, 3]), mixed_copies(rows[0])


class Loud:
    def __init__(self, data):
        self.data = data

    def __repr__(self):
        self.data["a"] = 5
        return "loud"

    def __lt__(self, other):
        self.data["a"] = 6
        return False


def written_meanwhile(kind):
    """What is called by functions of the library puts something else in after the test."""
    data = {"a": {"x": 1}, "b": 3}

    def key(n):
        data["a"] = n
        return n

    def numbers():
        data["a"] = 7
        yield 1

    loud, found = [Loud(data), Loud(data)], numbers()
    if isinstance(data["a"], dict):
        if kind == 0:
            return min([3, 2], key=key), str(data["a"])
        if kind == 1:
            return repr(loud), str(data["a"])
        if kind == 2:
            return max(loud) is loud[0], str(data["a"])
        if kind == 3:
            return 1 in found, str(data["a"])
        return sum(found), str(data["a"])
    return 0, ""


CASES: list[Case] = [
    (menus, [("File/Open/Recent",), ("File/Cut",), ("Help/x",)]),
    (config, [(8080,)]),
    (flattened, [(5,)]),
    (merged, [(0,), (1,)]),
    (sorted_items, [(1,)]),
    (missing, [(0,), (1,), (2,), (3,), (4,)]),
    (trees, [(1,), (4,)]),
    (expressions, [("1 + 2 * ( 3 - 1 )",), ("7",), ("1 * ( 0 + 5 )",)]),
    (chains, [([5, 2, 8, 1],), ([3],)]),
    (unpacked, [(0,), (1,), (2,), (3,)]),
    (written_meanwhile, [(0,), (1,), (2,), (3,), (4,)]),
    (looped, [(0,), (1,), (2,), (3,), (4,), (5,)]),
    (copies, [([[1, 2], [3, 4]],), ([[2, 1, 1], [4, 0, 2], [1, 1, 1]],)]),
]
