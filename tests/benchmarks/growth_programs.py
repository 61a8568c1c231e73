"""Programs that grow: for each kind, the text of one with so many statements, calls or fields.

What a parameter is called says what it is given: `x`, `y` and `z` are arrays of one axis, `A`, `B`
and `C` matrices, and so on, see `ARGUMENTS`.  No function has annotations but those of two kinds,
which say so: nothing is known of sizes.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

HEAD = "import math\nimport numpy as np\nfrom scriptc.types import *\n\n"


@dataclass(frozen=True, slots=True)
class Kind:
    """`size` is the least of three lengths, the others are 4 and 16 times as long.

    The longest takes about two seconds.
    """

    size: int
    text: Callable[[int], str]
    numba: bool = True  # whether Numba has what it needs


def arguments(names: Iterable[str]) -> list[object]:
    """Return what parameters of these names are given."""
    rng = np.random.default_rng(1)
    made: Mapping[str, Callable[[], object]] = {
        **dict.fromkeys("xyzw", lambda: rng.random(50) + 0.5),
        **dict.fromkeys("ABC", lambda: rng.random((12, 12)) + 0.5),
        "T": lambda: rng.random((3, 4, 2, 5)) + 0.5,
        "k": lambda: rng.permutation(50),
        "row": lambda: rng.random((1, 12)),
        "column": lambda: rng.random((12, 1)),
        "whole": lambda: rng.integers(1, 1000, 50),
        "cx": lambda: rng.random(50) + 1j * rng.random(50),
        **dict.fromkeys("abc", rng.random),
        "n": lambda: 5,
    }
    return [made.get(name.rstrip("0123456789"), made["x"])() for name in names]


def _main(parameters: str, lines: Iterable[str], result: str, before: str = "") -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"{HEAD}{before}\ndef main({parameters}):\n{body}    return {result}\n"


def _each(n: int, *lines: str) -> list[str]:
    """Return the lines once for each number: `{i}` stands for it, `{d}` for a digit."""
    return [line.format(i=i, d=i % 9 + 1) for i in range(n) for line in lines]


def _statements(
    parameters: str, *lines: str, result: str = "r", first: str = ""
) -> Callable[[int], str]:
    """Return a program that starts with a line, and then has some for each number."""
    start = [first] if first else []
    return lambda n: _main(parameters, [*start, *_each(n, *lines)], result)


def _functions(parameters: str, function: str, *lines: str, first: str) -> Callable[[int], str]:
    """Return a program with a function and some lines for each number."""
    return lambda n: _main(parameters, [first, *_each(n, *lines)], "r", "".join(_each(n, function)))


def _many_arguments(n: int) -> str:
    names = [f"x{i}" for i in range(n)]
    return _main(", ".join(names), [f"r = {' + '.join(names)}"], "r")


def _many_arguments_in_a_loop(n: int) -> str:
    names = [f"x{i}" for i in range(n)]
    total = " + ".join(f"{name}[i]" for name in names)
    lines = ["s = 0.0", "for i in range(x0.shape[0]):", f"    s += {total}"]
    return _main(", ".join(names), lines, "s")


def _call_tree(n: int) -> str:
    head = "def f0(a):\n    return a * 0.5 + 1.0\n\n\n"
    tree = "".join(
        f"def f{i}(a):\n    return f{i - 1}(a) * 0.25 + f{i - 1}(a + 1.0) * 0.25\n\n\n"
        for i in range(1, 6)
    )
    return _main("a", ["r = a", *_each(n, "r = f5(r + {d})")], "r", head + tree)


def _empty_lists(n: int) -> str:
    """Functions and objects that hold nothing, of which only their use says what they may."""
    made = "".join(
        f"def made{i}():\n    return []\n\n\n"
        f"class Tree{i}:\n    def __init__(self, kids):\n        self.kids = kids\n\n\n"
        for i in range(n)
    )
    lines = ("xs{i} = made{i}()", "xs{i}.append(a + {d})", "t{i} = Tree{i}([])")
    used = ("t{i}.kids.append(xs{i}[0])", "r += t{i}.kids[0]")
    return _main("a", ["r = a", *_each(n, *lines, *used)], "r", made)


_MANAGER = """
class Manager:
    def __init__(self, value):
        self.value = value

    def __enter__(self):
        return self.value

    def __exit__(self, *raised):
        return False

"""


def _with_blocks(n: int) -> str:
    lines = _each(n, "with Manager(a + {d}) as b{i}:", "    r += b{i}")
    return _main("a", ["r = a", *lines], "r", _MANAGER)


def _told_fields(n: int) -> str:
    """Fields that start as None or an int, of which methods say what else they hold."""
    made = "".join(
        f"class Told{i}:\n    def __init__(self):\n        self.last = None\n"
        "        self.sum = 0\n\n"
        "    def take(self, x):\n        self.last = x\n        self.sum += x\n\n\n"
        for i in range(n)
    )
    lines = ("t{i} = Told{i}()", "t{i}.take(a + {d})", "r += t{i}.last + t{i}.sum")
    return _main("a", ["r = a", *_each(n, *lines)], "r", made)


def _virtual_calls(n: int) -> str:
    """A base of many classes, and functions in a dict, each of which a call may reach."""
    made = "class Base:\n    def at(self, x):\n        return x\n\n\n" + "".join(
        f"def f{i}(a):\n    return a * {i}.5\n\n\n"
        f"class Heir{i}(Base):\n    def at(self, x):\n        return x + {i}\n\n\n"
        for i in range(n)
    )
    table = ", ".join(f'"f{i}": f{i}' for i in range(n))
    heirs = ", ".join(f"Heir{i}()" for i in range(n))
    lines = [f"table = {{{table}}}", "r = a", f"for heir in [{heirs}]:", "    r += heir.at(a)"]
    return _main("a", [*lines, "for name in table:", "    r += table[name](a)"], "r", made)


def _early_returns(n: int) -> str:
    """Returns, each of which lets go of all lists that there are by then."""
    lines = _each(n, "x{i} = [a, {i}.5]", "if len(x{i}) > b:", "    return x{i}[0]")
    return _main("a, b", lines, " + ".join(f"x{i}[1]" for i in range(n)))


def _isinstance_chain(n: int) -> str:
    """A loop over objects of many classes, each of which has its own arm."""
    made = "".join(
        f"class Own{i}:\n    def __init__(self, x):\n        self.x{i} = x\n\n\n" for i in range(n)
    )
    arms = [
        f"    {'elif' if i else 'if'} isinstance(x, Own{i}):\n            r += x.x{i} * {i}.5"
        for i in range(n)
    ]
    items = ", ".join(f"Own{i}(a)" for i in range(n))
    lines = ["r = b", f"for x in [{items}]:", *arms]
    return _main("a, b", lines, "r", made)


def _levels_of_a_parser(n: int) -> str:
    """A parser whose methods call the next level, through a helper, and the last one the first."""
    made = """class Leaf:
    def __init__(self, value):
        self.value = value


class Pair:
    def __init__(self, left, op, right):
        self.left, self.op, self.right = left, op, right


class Parser:
    def __init__(self, items):
        self.items = items
        self.at = 0

    def found(self, op):
        if self.at < len(self.items) and self.items[self.at] == op:
            self.at += 1
            return op
        return None

    def joined(self, op, part):
        left = part()
        while self.found(op):
            left = Pair(left, op, part())
        return left

"""
    for i in range(n):
        made += f"    def level{i}(self):\n        return self.joined({i}, self.level{i + 1})\n\n"
    made += f"""    def level{n}(self):
        if self.found(-1):
            return self.level0()
        self.at += 1
        return Leaf(self.items[self.at - 1])


"""
    return _main(
        "n", ["tree = Parser([7, 0, -1, 8, 1, 9]).level0()"], "isinstance(tree, Pair)", made
    )


def _ring_of_functions(n: int) -> str:
    """Functions each of which calls itself and the next one, and the last one the first."""
    made = "".join(
        f"def level{i}(items, at):\n"
        f"    left, at = level{i + 1}(items, at)\n"
        f"    if at < len(items) and items[at] == {i}:\n"
        f"        right, at = level{i}(items, at + 1)\n"
        f"        return left + right, at\n"
        f"    return left, at\n\n\n"
        for i in range(n)
    )
    made += f"""def level{n}(items, at):
    if items[at] == -1:
        return level0(items, at + 1)
    return items[at], at + 1


"""
    return _main("n", ["value, at = level0([7, 0, -1, 8, 1, 9], 0)"], "value + n", made)


def _dataclasses(n: int) -> str:
    """Dataclasses of one base, whose fields hold any of them."""
    made = "from dataclasses import dataclass\n\n\nclass Node:\n    pass\n\n\n" + "".join(
        f"@dataclass(frozen=True)\nclass Node{i}(Node):\n"
        f"    left: Node | None\n    right: Node | None\n\n\n"
        for i in range(n)
    )
    nodes = [f"node = Node{i}(node, None if n > {i} else node)" for i in range(n)]
    lines = ["node: Node | None = None", *nodes, "same = node == node and hash(node) != 0"]
    return _main("n", lines, "repr(node), str(node), same", made)


def _elif_chain(n: int) -> str:
    lines = ["r = 0.0", "if n == 0:", "    r = a"]
    for i in range(1, n):
        lines += [f"elif n == {i}:", f"    r = a * {i}.5 + b"]
    return _main("n, a, b", lines, "r")


def _state_machine(n: int) -> str:
    lines = [
        "state = 0",
        "r = a",
        "steps = 0",
        f"while state < {n} and steps < 1000:",
        "    steps += 1",
    ]
    for i in range(n):
        lines += [f"    {'if' if i == 0 else 'elif'} state == {i}:", f"        r = r * 0.5 + {i}.0"]
        lines += [f"        state = {i + 1} if r > 0.5 else {max(i - 1, 0)}"]
    return _main("a", lines, "r")


def _element_block(n: int) -> str:
    lines = [
        f"A[{i % 12}, {i // 12 % 12}] = a * {i}.0 + A[{i // 5 % 12}, {i % 12}]" for i in range(n)
    ]
    return _main("A, a", lines, "A")


def _class_fields(n: int) -> str:
    fields = [f"self.u{i} = x * {i + 1}.0" for i in range(n)]
    steps = [f"self.u{i} = self.u{i} + 0.1 * (self.u{(i or n) - 1} - self.u{i})" for i in range(n)]
    made = "".join(f"        {line}\n" for line in fields)
    step = "".join(f"        {line}\n" for line in steps)
    text = f"class Model:\n    def __init__(self, x):\n{made}\n    def step(self):\n{step}\n\n"
    return _main("x", ["model = Model(x)", "model.step()", "model.step()"], "model.u0", text)


def _scalar_fields(n: int) -> str:
    made = "".join(f"        self.v{i} = a + {i}\n" for i in range(n))
    head, step = "def move{i}(self, by)", "self.v{i} = self.v{i} * 0.5 + by * self.v{other}"
    method = f"\n    {head}:\n        {step}\n"
    methods = "".join(method.format(i=i, other=i * 7 % n) for i in range(n))
    text = f"class Model:\n    def __init__(self, a):\n{made}{methods}\n\n"
    return _main("a", ["model = Model(a)", *_each(n, "model.move{i}(0.5)")], "model.v0", text)


def _tuple_state(n: int) -> str:
    text = "def step(a, b, c, t):\n    return b * 0.5 + t, c * 0.5 + a, a * 0.25 + b\n\n\n"
    lines = ["p, q, s = a, b, c", *_each(n, "p, q, s = step(p, q, s, {d})")]
    return _main("a, b, c", lines, "p + q + s", text)


def _deep_expression(n: int) -> str:
    return _main("a, b", [f"r = {' + '.join(_each(n, 'a * {d} - b'))}"], "r")


def _conditions(n: int) -> str:
    return _main("a, b", [f"r = {' and '.join(_each(n, '(a < {i} + b or b > {d})'))}"], "r")


def _small_literals(n: int) -> str:
    lines = ["r = 0.0"]
    lines += _each(
        n, "m = np.array([[a, {d}.0], [b, {i} + a]])", "r += m[0, 0] * m[1, 1] - m[0, 1]"
    )
    return _main("a, b", lines, "r")


def _small_products(n: int) -> str:
    lines = ["r = np.eye(3)", "for i in range(n):"]
    lines += [f"    {line}" for line in _each(n, "r = (r @ A[:3, :3]) * 0.1 + {d}")]
    return _main("A, n", lines, "r")


KINDS: Mapping[str, Kind] = {
    # Scalars.
    "scalar statements": Kind(
        40,
        _statements(
            "a, b", "r = r * 0.99 + b * {d}", "b = r * 0.5 - b", first="r = a", result="r + b"
        ),
    ),
    "scalar calls": Kind(
        25,
        _functions(
            "a, b",
            "def f{i}(a, b):\n    c = a * {d} + b\n    return c * 0.5 - a\n\n\n",
            "r = f{i}(r, b) * 0.5",
            first="r = a",
        ),
    ),
    "call tree": Kind(8, _call_tree),
    "scalar branches": Kind(
        25,
        _statements(
            "a, b", "if r > {d}:", "    r = r - {d}", "else:", "    r = r * 0.5 + b", first="r = a"
        ),
    ),
    "elif chain": Kind(25, _elif_chain),
    "state machine": Kind(15, _state_machine),
    "deep expression": Kind(60, _deep_expression),
    "conditions": Kind(40, _conditions),
    "tuple state": Kind(25, _tuple_state),
    "scalar fields": Kind(10, _scalar_fields),
    "try blocks": Kind(
        10,
        _statements(
            "n, a",
            "try:",
            "    r += 10 // (n - {d})",
            "except ZeroDivisionError:",
            "    r -= {i}",
            first="r = 0",
        ),
        numba=False,
    ),
    "small literals": Kind(10, _small_literals),
    "ints": Kind(
        20, _statements("n", "r = (r * 31 + {d}) % 1000003", "r = r ^ (r >> 3)", first="r = n")
    ),
    # Loops.
    "loops in a row": Kind(
        6,
        _statements(
            "x, y", "for i in range(x.shape[0]):", "    y[i] = y[i] * 0.5 + x[i] * {d}", result="y"
        ),
    ),
    "nests in a row": Kind(
        4,
        _statements(
            "A, B",
            "for i in range(A.shape[0]):",
            "    for j in range(A.shape[1]):",
            "        B[i, j] = B[i, j] * 0.5 + A[j, i] * {d}",
            result="B",
        ),
    ),
    "while nests": Kind(
        8,
        _statements(
            "n, a",
            "i = 0",
            "while i < n:",
            "    i += 1",
            "    j = 0",
            "    while j < i:",
            "        j += 1",
            "        r = r * 0.5 + {d}",
            first="r = a",
        ),
    ),
    "loop of functions": Kind(
        15,
        lambda n: _main(
            "x, y",
            [
                "for i in range(x.shape[0]):",
                "    r = x[i]",
                *(f"    {line}" for line in _each(n, "r = math.exp(-r) + math.sin(r) / {d}")),
                "    y[i] = r",
            ],
            "y",
        ),
    ),
    "many arguments in a loop": Kind(4, _many_arguments_in_a_loop),
    "elements of a block": Kind(20, _element_block),
    # Arrays of one size.
    "array in place": Kind(4, _statements("x, y", "x += {i} * y", result="x")),
    "array chain": Kind(10, _statements("x, y", "r = r * 0.5 + y * {d}", first="r = x")),
    "annotated chain": Kind(
        15,
        _statements(
            "x: f64[N], y: f64[N]",
            "r = r * 0.5 + y * {d}",
            "s = r - y * {d}",
            "r = s * 0.5 + r * 0.1",
            first="r = x",
        ),
    ),
    "chain of new arrays": Kind(
        10, _statements("x, y", "r = r * y * 0.5 + r * 0.1", first="r = np.zeros_like(x)")
    ),
    "where chain": Kind(
        10, _statements("x", "r = np.where(x > 0, r + {d}, r * 0.5)", first="r = np.zeros_like(x)")
    ),
    "where chain, three arrays": Kind(
        6,
        _statements(
            "x, y, z", "r = np.where(x > r, r + y, z * 0.5 - r)", first="r = np.zeros_like(x)"
        ),
    ),
    "polynomial": Kind(
        8,
        lambda n: _main(
            "x, y",
            ["r = 0.0 * x", *_each(n, "r = r * x * 0.5 + y * {d}", "q{i} = r - {d}")],
            " + ".join(_each(n, "q{i}")),
        ),
    ),
    "arrays that stay": Kind(
        4,
        lambda n: _main(
            "x, y, k",
            _each(n, "q{i} = (x * {d} + y)[k]", "x[{d}] += q{i}[k[{d}]]"),
            " + ".join(_each(n, "q{i}")),
        ),
    ),
    "functions of arrays": Kind(
        4, _statements("x", "r = np.exp(-r) + np.sin(r) / {d}", first="r = x")
    ),
    "array branches": Kind(
        4,
        _statements(
            "x, y, a",
            "if a > {d} * 0.1:",
            "    r = r + y * {d}",
            "else:",
            "    r = r * 0.5",
            first="r = x * 1.0",
        ),
    ),
    "array calls": Kind(
        3,
        _functions(
            "x, y",
            "def f{i}(x, y):\n    z = x * {d} + y\n    return z * 0.5 - x\n\n\n",
            "r = f{i}(r, y) * 0.5",
            first="r = x",
        ),
    ),
    "nested calls of arrays": Kind(
        4,
        lambda n: _main(
            "x, y",
            [f"r = f{n}(x, y)"],
            "r",
            "def f0(x, y):\n    return x + y\n\n\n"
            + "".join(
                f"def f{i}(x, y):\n    u = x * 0.5 + {i}.0\n    return f{i - 1}(u, y) * y\n\n\n"
                for i in range(1, n + 1)
            ),
        ),
    ),
    "many arguments": Kind(4, _many_arguments),
    "lists of arrays": Kind(
        4,
        _statements(
            "x, y",
            "parts.append(x * {d} + y)",
            "r += parts[{i}][{d}]",
            first="r = 0.0; parts = [x]",
        ),
    ),
    "class with fields": Kind(2, _class_fields, numba=False),
    "empty lists": Kind(5, _empty_lists, numba=False),
    "displays that stay empty": Kind(
        10,
        _statements(
            *("a", "xs{i}, d{i} = [], {{}}", "for x in xs{i}:", "    r += 1.0"),
            *("r += len(', '.join(xs{i})) + len(sorted(d{i}))",),
            first="r = a",
        ),
        numba=False,
    ),
    "with blocks": Kind(2, _with_blocks, numba=False),
    "methods in variables": Kind(
        10,
        _statements(
            *("a", "xs = []", "add = xs.append", "add(a + {d})", "r += xs[0]"),
            first="r = a",
        ),
        numba=False,
    ),
    "told fields": Kind(5, _told_fields, numba=False),
    "early returns": Kind(10, _early_returns, numba=False),
    "isinstance chain": Kind(5, _isinstance_chain, numba=False),
    "levels of a parser": Kind(5, _levels_of_a_parser, numba=False),
    "dataclasses": Kind(3, _dataclasses, numba=False),
    "ring of functions": Kind(5, _ring_of_functions, numba=False),
    "virtual calls": Kind(5, _virtual_calls, numba=False),
    # Reductions, products.
    "reductions": Kind(
        1,
        _statements("x, y", "s += np.sum(x * {i}) / np.max(y + {i})", first="s = 0.0", result="s"),
    ),
    "reductions of rows": Kind(
        1,
        _statements(
            "A, B",
            "r = r + np.sum(A * {d}, axis=1) * np.max(B - r[:, None], axis=1)",
            first="r = np.sum(B, axis=1)",
        ),
    ),
    "statistics": Kind(
        1,
        _statements(
            "A",
            "m = np.mean(r, axis=0)",
            "r = (r - m) / (1.0 + np.std(r + {d}, axis=0))",
            first="r = A * 2.0",
        ),
    ),
    "matrix products": Kind(3, _statements("A, B", "r = r @ B * 0.1 + A", first="r = A")),
    "products in a loop": Kind(2, _small_products),
    # Parts, places, broadcasting.
    "stencils": Kind(
        2,
        _statements(
            "A, B",
            "s = A[:-2, 1:-1] + A[2:, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:]",
            "B[1:-1, 1:-1] = 0.2 * (A[1:-1, 1:-1] + s)",
            "A[1:-1, 1:-1] = B[1:-1, 1:-1] * 0.5 + {d}",
            result="A",
        ),
    ),
    "chain of slices": Kind(
        5,
        _statements("A, B", "r = r * 0.5 + A[1:-1, 1:-1] * B[2:, :-2]", first="r = A[1:-1, 1:-1]"),
    ),
    "slices of any bounds": Kind(
        4,
        _statements(
            "x, y, n", "r = r * 0.5 + x[n:2 * n] * y[{i} % 7:n + {i} % 7]", first="r = x[:n]"
        ),
    ),
    "rows": Kind(
        2, _statements("A, B", "A[{i}% 12, :] = A[{d}, :] * 0.5 + B[:, {d} + 1] * {d}", result="A")
    ),
    "rows and columns": Kind(
        3, _statements("A, row, column", "r = r * row + column * {d}", first="r = A * 1.0")
    ),
    "axes of many sizes": Kind(
        2,
        _statements(
            "A, x, row, column",
            "r = r * 0.5 + row * column - A * {d}",
            "q = q + np.sum(r, axis=0)",
            first="r = A; q = A[0] * 1.0",
            result="q",
        ),
    ),
    "four axes": Kind(
        4, _statements("T", "r = r * 0.5 + T * {d}", "r = r - T * 0.1", first="r = T")
    ),
    "masks": Kind(
        6,
        _statements("x, y", "x[x > {d}] = y[x > {d}] * 0.5", "x[y < {d} * 0.1] = {d}", result="x"),
    ),
    "gathers": Kind(2, _statements("x, y, k", "x = x[k] + y[k] * {d}", result="x")),
    "complex": Kind(4, _statements("cx", "r = r * r * 0.1 + cx * {d}", first="r = cx")),
}
