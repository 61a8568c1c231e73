"""Generators that Python gets do what CPython's do: by both backends, and from saved modules."""

# Without annotations the types come from the call, which is what some of this is about.
# pyright: basic

import contextlib
import gc
import io
import itertools
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scriptc_runtime
from scriptc import load, save, script
from scriptc_runtime.errors import LoadError, TypeCheckError
from scriptc_runtime.record import replace
from scriptc_runtime.saved.file import read_saved, write_saved
from tests.support.support_code import live_blocks


def squares(n: int):
    for i in range(n):
        print("give", i)
        yield i * i
    return "done"


def pairs(xs: list[int]):
    for x in xs:
        yield x, str(x), [x] * x


def with_end(n: int):
    try:
        for i in range(n):
            yield {i: "x" * i}
    finally:
        print("end")


@contextlib.contextmanager
def opened(n):
    print("open")
    try:
        yield n + 1
    finally:
        print("close")


def with_manager(n: int):
    with opened(n) as m:
        yield m
        yield m + 1


def failing(n: int):
    yield 1
    yield 1 // n


def stopping(n: int):
    yield n
    yield next(iter([n][1:]))


def averages() -> Generator[float, float, str]:
    total, count = 0.0, 0
    while True:
        value = yield total / max(count, 1)
        if value is None:
            return f"{count} values"
        total += value
        count += 1


def averages_as_text() -> "Generator[float, float, str]":
    return (yield from averages())


def nothing(n: int):
    return
    yield n


def mapped(xs: list[int], k: int):
    def scaled(x):
        return x * k

    return map(scaled, xs)


def begun(n: int):
    given = squares(n)
    next(given)
    return given


def filtered(n: int):
    return (x for x in range(n) if x % 2)


def chosen(n: int):
    return itertools.combinations(range(n), 2)


def counted(n: int) -> Iterator[int]:
    while True:
        yield n
        n += 1


def taken(given: Any) -> object:
    return list(itertools.islice(given, 5))


def with_value(given: Any) -> object:
    items = []
    try:
        while True:
            items.append(next(given))
    except StopIteration as end:
        items.append(end.value)
    return items, list(given)


def closed(given: Any) -> object:
    first = next(given)
    given.close()
    return first, list(given)


def dropped(given: Any) -> object:
    first = next(given)
    del given
    return first


def never_begun(given: Any) -> object:
    given.close()
    return list(given)


def fed(given: Any) -> object:
    return next(given), given.send(2.5), given.send(0.5), next(given, "over"), next(given, "gone")


def fed_too_early(given: Any) -> object:
    return given.send(2)


CASES = [
    *((squares, (n,), use) for n in (0, 3) for use in (taken, with_value, never_begun)),
    *((squares, (3,), use) for use in (closed, dropped, fed_too_early)),
    *((pairs, (xs,), taken) for xs in ([1, 2], [3])),
    *((with_end, (2,), use) for use in (taken, closed, dropped, never_begun, with_value)),
    *((with_manager, (2,), use) for use in (taken, closed, dropped, never_begun)),
    *((failing, (n,), taken) for n in (0, 1)),
    *((stopping, (1,), use) for use in (taken, dropped)),
    *((averages, (), use) for use in (fed, fed_too_early, closed, with_value)),
    *((averages_as_text, (), use) for use in (fed, with_value)),
    (nothing, (1,), with_value),
    *((mapped, ([1, 2], 3), use) for use in (taken, dropped)),
    *((begun, (3,), use) for use in (taken, with_value, never_begun)),
    *((filtered, (n,), taken) for n in (0, 6)),
    *((chosen, (n,), taken) for n in (1, 4)),
    *((counted, (n,), use) for n in (7,) for use in (taken, closed, dropped)),
]


def outcome(make: Callable, arguments: tuple, use: Callable) -> object:
    """Return what is done with a generator, and all that is printed meanwhile."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            ended = "returned", use(make(*arguments))
        except Exception as error:
            ended = "raised", type(error), str(error)
    return ended, printed.getvalue()


@pytest.mark.parametrize("backend", ["llvm", "interp"])
@pytest.mark.parametrize(
    ("function", "arguments", "use"), CASES, ids=lambda part: getattr(part, "__name__", None)
)
def test_a_generator_does_what_cpythons_does(
    function: Callable, arguments: tuple, use: Callable, backend: str
) -> None:
    compiled = script(function, backend=backend)
    assert outcome(compiled, arguments, use) == outcome(function, arguments, use)
    gc.collect()  # what other tests had
    held = live_blocks()
    outcome(compiled, arguments, use)
    gc.collect()
    assert live_blocks() == held


FUNCTIONS = list(dict.fromkeys(function for function, _, _ in CASES))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file in which all these functions are saved."""
    found = tmp_path_factory.mktemp("saved") / "given.scriptc"
    save({f.__name__: script(f) for f in FUNCTIONS}, found)
    return found


@pytest.mark.parametrize("reader", [scriptc_runtime.load, load], ids=["runtime", "compiled"])
def test_saved_functions_give_the_same_generators(path: Path, reader: Callable) -> None:
    module = reader(path)
    for function, arguments, use in CASES:
        loaded = getattr(module, function.__name__)
        assert outcome(loaded, arguments, use) == outcome(function, arguments, use)


def test_a_generator_is_resumed_by_what_takes_it_alone(path: Path, tmp_path: Path) -> None:
    saved = read_saved(path)
    entry = next(e for e in saved.entry_points if e.name == "squares")
    (signature,) = entry.signatures
    uses = dict(signature.generator)
    wrong = [
        {"value": uses["value"]},
        {**uses, "other": uses["value"]},
        {**uses, "resume": uses["value"]},
        {**uses, "resume": signature.function},
        {**uses, "send": uses["resume"]},
        {**uses, "close": "nothing"},
    ]
    for given in wrong:
        changed = replace(signature, generator=tuple(given.items()))
        others = [e for e in saved.entry_points if e is not entry]
        points = (*others, replace(entry, signatures=(changed,)))
        with pytest.raises(LoadError, match="gives no such generator"):
            write_saved(tmp_path / "wrong.scriptc", replace(saved, entry_points=points))


@script
class Chain:
    """Objects that a method walks along."""

    def __init__(self, value: int, rest: "Chain | None" = None):
        self.value = value
        self.rest = rest

    def walk(self):
        """Give this object and all behind it."""
        link = self
        while link is not None:
            yield link
            link = link.rest

    def __iter__(self):
        for link in self.walk():
            yield link.value


def test_methods_of_scripted_classes_give_their_own_objects() -> None:
    last = Chain(2)
    first = Chain(1, last)
    assert [link.value for link in first.walk()] == [1, 2]
    assert list(first.walk())[1] is last
    assert list(first) == [1, 2]
    assert (sum(first), max(first), 2 in first) == (3, 2, True)


def test_arrays_that_are_given_share_their_memory() -> None:
    @script
    def rows(x):
        for row in x:
            yield row
            row[0] = 7.0

    x = np.zeros((2, 2))
    given = rows(x)
    first = next(given)
    first[1] = 3.0
    next(given)
    assert x.tolist() == [[7.0, 3.0], [0.0, 0.0]]


def test_a_generator_lives_longer_than_its_function() -> None:
    def made():
        @script
        def local(n: int):
            yield from range(n)

        return local(3)

    given = made()
    gc.collect()
    assert list(given) == [0, 1, 2]


def test_a_generator_raises_when_its_function_is_gone() -> None:
    def made():
        @script
        def local(n: int):
            yield n
            yield [n][n]

        return local(3)

    given = made()
    gc.collect()
    assert next(given) == 3
    with pytest.raises(IndexError, match="list index out of range"):
        next(given)


def test_generators_are_called_as_their_functions_are() -> None:
    given = script(squares)(2)
    assert type(given) is type(squares(2))
    assert repr(given).startswith("<generator object squares at 0x")


TABLE = np.arange(3.0)


def written_to(xs: list[int]):
    for i in range(len(xs)):
        xs[i] += 1
        yield xs[i]


def reading_a_global(n: int):
    for x in TABLE:
        yield x * n


def functions(n: int):
    yield lambda: n


def among_others(n: int):
    return n, (x for x in range(n))


@pytest.mark.parametrize("backend", ["llvm", "interp"])
@pytest.mark.parametrize(
    ("function", "argument", "why"),
    [
        (written_to, [1], "it writes to a list, dict or set that it was given"),
        (reading_a_global, 2, "it reads the global 'TABLE'"),
        (functions, 2, "what functions\\(\\) gives is a function"),
        (among_others, 2, "holds a generator"),
    ],
)
def test_what_would_be_another_generator_is_refused(
    function: Callable, argument: object, why: str, backend: str
) -> None:
    with pytest.raises(TypeCheckError, match=why):
        script(function, backend=backend)(argument)


def test_what_is_thrown_into_a_generator_ends_it() -> None:
    given = script(with_end)(2)
    next(given)
    with pytest.raises(TypeError, match="ends where Python throws"):
        given.throw(ValueError("no"))
    assert list(given) == []
