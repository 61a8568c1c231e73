"""Range analysis: what it proves, and that whatever it proves is true."""

import copy
import itertools
import random
import sys
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest

from scriptc.check.roots import Root
from scriptc.driver import check_and_lower
from scriptc.passes.inline import inline
from scriptc.passes.pipeline import CLEAN
from scriptc.passes.unchecked import unchecked
from scriptc_runtime.budget import Budget
from scriptc_runtime.errors import BudgetExceededError
from scriptc_runtime.interp.interpreter import Interpreter
from scriptc_runtime.ir import Block, Builder, Instr, Label, Module, Value, walk
from scriptc_runtime.ops import arrays, control, data, exact, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Level, OpDef
from scriptc_runtime.record import replace
from scriptc_runtime.types import INT, DType
from scriptc_runtime.verify.module import verify
from tests.support.live_source import argument_types, last_function, live_module
from tests.support.outcomes import ending

CHECKED: dict[OpDef, OpDef] = {
    exact.EXACT_ADD: e.ADD,
    exact.EXACT_SUB: e.SUB,
    exact.EXACT_MUL: e.MUL,
    exact.EXACT_FLOORDIV: e.FLOORDIV,
    exact.EXACT_MOD: e.MOD,
    exact.SCALE: e.MUL,
}
_NUMBERS = itertools.count()


def lowered(source: str) -> Module:
    """Compile the last function of `source` to core IR as the passes leave it."""
    text = f"import numpy as np\nfrom scriptc.types import M, N, f64\n\n{source}"
    function = last_function(live_module(text, f"ranges_{next(_NUMBERS)}.py"))
    module = check_and_lower([Root(function, argument_types(function, ""))]).module
    for step in (inline, *CLEAN):
        module = step(module)
    return module


def checks_left(source: str) -> list[str]:
    """Return the ops on ints and elements that are still checked."""
    after = unchecked(lowered(source))
    verify(after, level=Level.LOW)
    numbers = (e.ADD, e.SUB, e.MUL, exact.SCALE, e.FLOORDIV, e.MOD, e.NEG)
    watched = (*numbers, arrays.INDEX, arrays.SET_INDEX)
    names = [
        i.op.name
        for f in after.functions.values()
        for i in walk(f.body)
        if i.op in watched and (i.op in watched[-2:] or i.result.type is INT)
    ]
    return names


PROVEN = {
    "a slot that a mask gives": """
def f(x: f64[N], code: int):
    if len(x) == 0:
        return 0.0
    return x[code & (len(x) - 1)]
""",
    "what an arm that is not taken would give": """
def f(x: f64[N]):
    s = 0.0
    for i in range(len(x)):
        place = i
        if place < 0:
            place += 3
        s += x[place]
    return s
""",
    "a loop over the length": """
def f(x: f64[N]):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return s
""",
    "a length that another array shares": """
def f(x: f64[N], y: f64[N]):
    for i in range(x.shape[0]):
        y[i] = x[i]
    return 0
""",
    "neighbours": """
def f(x: f64[N]):
    for i in range(1, len(x) - 1):
        x[i] = x[i - 1] + x[i + 1]
    return 0
""",
    "a loop that counts down": """
def f(x: f64[N]):
    for i in range(len(x) - 1, -1, -1):
        x[i] = x[i] + 1.0
    return 0
""",
    "an index counted from the end of a part": """
def f(x: f64[N]):
    for k in range(1, len(x)):
        for i in range(k):
            x[i] = x[k - i - 1]
    return 0
""",
    "multiples, as in a sieve": """
def f(x: f64[N]):
    i = 2
    while i < len(x):
        for j in range(i, len(x), i):
            x[j] = 0.0
        i += 1
    return 0
""",
    "a counter that a round moves by at most one": """
def f(x: f64[N], y: f64[N]):
    count = 0
    for i in range(len(x)):
        if x[i] > 0.0:
            y[count] = x[i]
            count += 1
    return count
""",
    "binary search": """
def f(x: f64[N], wanted: float):
    low = 0
    high = len(x)
    while low < high:
        middle = (low + high) // 2
        if x[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low
""",
    "remainders and halves": """
def f(x: f64[N], seed: int):
    n = len(x)
    if n == 0:
        return 0
    k = seed % n
    x[k] = x[k // 2]
    return k
""",
    "neighbours on a closed line, without a division": """
def f(x: f64[N]):
    n = len(x)
    for i in range(n):
        for d in range(-1, 2):
            x[i] += x[(i + d) % n]
    return 0
""",
    "parts of a length": """
def f(x: f64[N]):
    n = len(x)
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            x[j] = x[i]
    return 0
""",
    "a test by hand": """
def f(x: f64[N], k: int):
    if 0 <= k and k < len(x):
        x[k] = 0.0
    return 0
""",
    "a new array of a given size": """
def f(n: int):
    x = np.zeros(n)
    for i in range(n):
        x[i] = i
    return x
""",
}


# The sum of two indices is large before it is halved, a length may be the greatest int there is,
# and the remainder of what may be negative is no simpler.
STAYS = {
    "binary search": ["add"],
    "parts of a length": ["add"],
    "remainders and halves": ["mod"],
}


@pytest.mark.parametrize("name", PROVEN)
def test_checks_that_cannot_fail_are_dropped(name: str) -> None:
    assert checks_left(PROVEN[name]) == STAYS.get(name, [])


@pytest.mark.parametrize(
    ("body", "second", "left"),
    [
        ("for i in range(len(x)):\n        x[i] = y[i]", "M", ["index"]),
        ("for i in range(len(x)):\n        x[i - 1] = y[i]", "N", ["set_index"]),
        ("for i in range(len(x) + 1):\n        x[i] = 0.0", "N", ["set_index"]),
        ("k = len(y)\n    x[k - 1] = 0.0", "N", ["set_index"]),
    ],
)
def test_a_check_that_may_fail_stays(body: str, second: str, left: list[str]) -> None:
    found = checks_left(f"def f(x: f64[N], y: f64[{second}]):\n    {body}\n    return 0")
    assert [name for name in found if name != "add"] == left


def test_a_remainder_next_to_its_range_is_no_division() -> None:
    after = unchecked(lowered(PROVEN["neighbours on a closed line, without a division"]))
    ops = [i.op for f in after.functions.values() for i in walk(f.body)]
    assert exact.EXACT_MOD not in ops
    assert e.MOD not in ops


@pytest.mark.parametrize(
    ("made", "proven"),
    [
        ("np.sqrt(abs(n))", True),
        ("0.5 * n", True),
        ("abs(n) / 3 - 1.5", True),
        ("np.sqrt(n)", False),
        ("float(n)", False),  # the greatest int is rounded to 2**63
        ("2.0 * n", False),
        ("n / k", False),
    ],
)
def test_int_of_a_float_between_ints_is_not_checked(made: str, proven: bool) -> None:
    after = unchecked(lowered(f"def f(n: int, k: int):\n    return int({made})"))
    ops = [i.op for f in after.functions.values() for i in walk(f.body)]
    assert (exact.EXACT_INT in ops) is proven


def test_an_overflow_that_is_possible_is_still_noticed() -> None:
    assert checks_left("def f(n: int):\n    return 3 * n + 1") == ["mul", "add"]
    assert checks_left("def f(n: int):\n    return 3 * abs(n)") == ["scale"]
    assert checks_left("def f(n: int):\n    return -n") == ["neg"]
    assert checks_left("def f(n: int, k: int):\n    return n // k") == ["floordiv"]


# ------------------------------------------------------------------------- whatever is proven


def rechecked(module: Module) -> Module:
    """Return `module` with a check wherever one was dropped, which raises if the proof is wrong."""
    return module.with_functions(
        {n: replace(f, body=_rechecked(f.body)) for n, f in module.functions.items()}
    )


def _rechecked(block: Block) -> Block:
    builder = Builder()
    builder.open(*block.params)
    for instr in block.body:
        if instr.op in CHECKED:
            zero = builder.emit(data.CONST, value=0)
            if (
                instr.op in (exact.EXACT_FLOORDIV, exact.EXACT_MOD, exact.SCALE)
                and instr.result.type is INT
            ):
                _fail_if(builder, builder.emit(e.LT, instr.operands[0], zero))
                _fail_if(builder, builder.emit(e.LE, instr.operands[1], zero))
            builder.append(replace(instr, op=CHECKED[instr.op]))
            continue
        if instr.op is exact.EXACT_INT:
            builder.append(replace(instr, op=e.CAST, attrs={"to": INT}))
            continue
        if instr.op in (low.LOAD, low.STORE):
            _check_access(builder, instr)
        blocks = tuple(map(_rechecked, instr.blocks))
        builder.append(replace(instr, blocks=blocks) if blocks else instr)
    return builder.close()


def _check_access(builder: Builder, instr: Instr) -> None:
    array = instr.operands[0]
    index = instr.operands[1 if instr.op is low.LOAD else 2 :]
    zero = builder.emit(data.CONST, value=0, dtype=DType.I64)
    for axis, place in enumerate(index):
        size = builder.emit(low.SIZE, array, axis=axis)
        for test in (builder.emit(e.LT, place, zero), builder.emit(e.GE, place, size)):
            _fail_if(builder, builder.emit(e.CAST, test, to=e.BOOL))


def _fail_if(builder: Builder, condition: Value) -> None:
    label = Label("wrong")
    builder.open()
    builder.effect(low.FAIL, kind="AssertionError", message="the proof is wrong")
    wrong = builder.close()
    builder.open()
    builder.exit(label)
    builder.region(control.IF, (condition,), (wrong, builder.close()), label, ())


_FORMS = (
    *("{a}", "{a} + 1", "{a} - 1", "{a} + {b}", "{a} - {b}", "{a} * {b}", "{a} // 2", "{a} % 3"),
    *("{a} // {b}", "{a} % {b}", "-{a}", "abs({a})", "min({a}, {b})", "max({a}, {b})", "{a} & 7"),
    *("({a} + {b}) // 2", "{a} >> 1", "{a} << 1", "{a} | {b}"),
)


class _Writer:
    """Writes a random function of ints and an array, with loops, tests and accesses."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._names = ["n", "k"]
        self._lines: list[str] = []
        self._loops = 0

    def function(self) -> str:
        self._lines = [
            "def f(x: f64[N], y: f64[M], n: int, k: int):",
            "    total = 0",
            "    a = 0",
            "    b = 1",
        ]
        self._names += ["a", "b", "total"]
        self._block(1, 0)
        return "\n".join([*self._lines, "    return total", ""])

    def _line(self, depth: int, text: str) -> None:
        self._lines.append("    " * depth + text)

    def _atom(self) -> str:
        choice = self._random
        if choice.random() < 0.3:
            return str(choice.choice([0, 1, 2, 3, -1, 5, 2**62, -(2**63) + 1]))
        if choice.random() < 0.2:
            return choice.choice(["len(x)", "len(y)"])
        return choice.choice(self._names)

    def _expression(self) -> str:
        a, b = self._atom(), self._atom()
        form = self._random.choice(_FORMS)
        return form.format(a=a if a[0] != "-" else f"({a})", b=b if b[0] != "-" else f"({b})")

    def _condition(self) -> str:
        symbol = self._random.choice(["<", "<=", ">", ">=", "==", "!="])
        test = f"{self._atom()} {symbol} {self._atom()}"
        if self._random.random() < 0.4:
            joined = self._random.choice(["and", "or"])
            test += f" {joined} {self._atom()} {symbol} {self._atom()}"
        return test

    def _block(self, depth: int, loops: int) -> None:
        for _ in range(self._random.randint(1, 4)):
            self._statement(depth, loops)

    def _statement(self, depth: int, loops: int) -> None:
        choice = self._random.random()
        if depth > 4 or choice < 0.35:
            name = self._random.choice(["a", "b", "total"])
            self._line(depth, f"{name} = {self._expression()}")
        elif choice < 0.55:
            array, index = self._random.choice("xy"), self._expression()
            self._line(depth, f"total = (total + int({array}[{index}])) % 1000")
        elif choice < 0.75:
            self._line(depth, f"if {self._condition()}:")
            self._block(depth + 1, loops)
            if self._random.random() < 0.5:
                self._line(depth, "else:")
                self._block(depth + 1, loops)
            elif loops and self._random.random() < 0.3:
                self._line(depth + 1, self._random.choice(["break", "continue"]))
        elif loops < 3:
            self._loop(depth, loops)

    def _loop(self, depth: int, loops: int) -> None:
        self._loops += 1
        name = f"i{self._loops}"
        if self._random.random() < 0.75:
            bounds = ", ".join(self._atom() for _ in range(self._random.choice([1, 2, 2])))
            if "," in bounds and self._random.random() < 0.3:
                bounds += f", {self._random.choice(['-1', '2', '-3', 'k'])}"
            self._line(depth, f"for {name} in range({bounds}):")
            self._names.append(name)
            self._block(depth + 1, loops + 1)
            self._line(depth + 1, "total = (total * 3 + 1) % 1000")
            self._names.remove(name)
        else:
            self._line(depth, f"{name} = {self._atom()}")
            self._line(depth, f"while {name} {self._random.choice(['<', '<='])} {self._atom()}:")
            self._names.append(name)
            self._line(depth + 1, f"{name} += {self._random.choice(['1', '2', 'abs(k) + 1'])}")
            self._block(depth + 1, loops + 1)
            self._names.remove(name)


def _arguments() -> Iterator[Sequence[object]]:
    for length, n, k in ((0, 0, 0), (5, 4, 1), (7, -3, 2), (3, 9, -1), (4, 2**62, 3)):
        yield np.arange(float(length)), np.arange(float(length + n % 3)), n, k


def compare(seed: int) -> None:
    """Run one random function before and after the pass, with its proofs checked."""
    source = _Writer(seed).function()
    module = lowered(source)
    after = rechecked(unchecked(module))
    verify(after, level=Level.LOW)
    for arguments in _arguments():
        before = ending(_within(module, 3_000), copy.deepcopy(arguments))
        if BudgetExceededError.__name__ in before:
            continue  # a loop to 2**62
        actual = ending(_within(after, 60_000), copy.deepcopy(arguments))
        assert before == actual, f"seed {seed}, {arguments}\n{source}"


def _within(module: Module, steps: int) -> Callable[..., object]:
    run = Interpreter(module, budget=Budget(steps, 2**20))
    return lambda *arguments: run.call("f", arguments)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("first", range(0, 200, 50))
def test_whatever_is_proven_is_true(first: int) -> None:
    for seed in range(first, first + 50):
        compare(seed)


if __name__ == "__main__":
    for number in range(int(sys.argv[1]), int(sys.argv[2])):
        compare(number)
