"""Nested data of several types: merged, flattened, sorted, and narrowed by tests of items."""

# Without annotations the types follow from what is put in, which is what these programs are about.
# pyright: basic
# ruff: noqa: SIM108 -- how people write it

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


CASES: list[Case] = [
    (menus, [("File/Open/Recent",), ("File/Cut",), ("Help/x",)]),
    (config, [(8080,)]),
    (flattened, [(5,)]),
    (merged, [(0,), (1,)]),
    (sorted_items, [(1,)]),
    (missing, [(0,), (1,), (2,), (3,), (4,)]),
    (trees, [(1,), (4,)]),
]
