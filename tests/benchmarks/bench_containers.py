"""What dicts, sets and texts do inside of compiled code: CPython's time over that of machine code.

A case does its work a number of times in one call. What the call itself costs, copies of its
arguments included, is that of a call which does it no time, and is left out. The two take turns,
a few times each, and the medians of the processor's time are compared.

    python -m tests.benchmarks.bench_containers [--rounds 7] [NAME ...]
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from scriptc import script

COUNT = 10_000


class Case(NamedTuple):
    """A function, what it takes besides the number of times, and that number."""

    function: Callable[..., object]
    arguments: tuple[Any, ...]
    times: int


def dict_set(keys: list[int], times: int) -> int:
    found = 0
    for _ in range(times):
        made: dict[int, int] = {}
        for key in keys:
            made[key] = 1
        found += len(made)
    return found


def dict_get(keys: list[int], times: int) -> int:
    made = {key: 1 for key in keys}
    found = 0
    for _ in range(times):
        for key in keys:
            found += made[key]
    return found


def dict_iterate(keys: list[int], times: int) -> int:
    made = {key: 1 for key in keys}
    found = 0
    for _ in range(times):
        for key, value in made.items():
            found += key + value
    return found


def dict_contains(keys: list[int], times: int) -> int:
    made = {key: 1 for key in keys}
    found = 0
    for _ in range(times):
        for key in keys:
            if key + 1 in made:
                found += 1
    return found


def text_dict_set(words: list[str], times: int) -> int:
    found = 0
    for _ in range(times):
        made: dict[str, int] = {}
        for word in words:
            made[word] = 1
        found += len(made)
    return found


def text_dict_get(words: list[str], times: int) -> int:
    made = {word: 1 for word in words}
    found = 0
    for _ in range(times):
        for word in words:
            found += made[word]
    return found


def word_count(words: list[str], times: int) -> int:
    found = 0
    for _ in range(times):
        counts: dict[str, int] = {}
        for word in words:
            counts[word] = counts.get(word, 0) + 1
        found += len(counts)
    return found


def set_add(keys: list[int], times: int) -> int:
    found = 0
    for _ in range(times):
        made: set[int] = set()
        for key in keys:
            made.add(key)
        found += len(made)
    return found


def set_contains(keys: list[int], times: int) -> int:
    made = set(keys)
    found = 0
    for _ in range(times):
        for key in keys:
            if key in made:
                found += 1
    return found


def set_union(keys: list[int], others: list[int], times: int) -> int:
    one, other = set(keys), set(others)
    found = 0
    for _ in range(times):
        found += len(one | other)
    return found


def set_intersection(keys: list[int], others: list[int], times: int) -> int:
    one, other = set(keys), set(others)
    found = 0
    for _ in range(times):
        found += len(one & other)
    return found


def set_difference(keys: list[int], others: list[int], times: int) -> int:
    one, other = set(keys), set(others)
    found = 0
    for _ in range(times):
        found += len(one - other)
    return found


def text_set_union(words: list[str], others: list[str], times: int) -> int:
    one, other = set(words), set(others)
    found = 0
    for _ in range(times):
        found += len(one | other)
    return found


def build_text(words: list[str], times: int) -> int:
    found = 0
    for _ in range(times):
        text = ""
        for word in words:
            text += word
        found += len(text)
    return found


def join_texts(words: list[str], times: int) -> int:
    found = 0
    for _ in range(times):
        found += len(",".join(words))
    return found


def split_text(text: str, times: int) -> int:
    found = 0
    for _ in range(times):
        found += len(text.split())
    return found


def split_at_commas(text: str, times: int) -> int:
    found = 0
    for _ in range(times):
        found += len(text.split(","))
    return found


def sort_texts(words: list[str], times: int) -> int:
    found = 0
    for _ in range(times):
        found += len(sorted(words)[0])
    return found


def sort_ints(keys: list[int], times: int) -> int:
    found = 0
    for _ in range(times):
        found += sorted(keys)[0]
    return found


def cases() -> dict[str, Case]:
    """Return the cases, over arguments that are the same everywhere."""
    rng = random.Random(19)
    keys = rng.sample(range(10 * COUNT), COUNT)
    others = rng.sample(range(10 * COUNT), COUNT // 2) + keys[: COUNT // 2]
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(rng.choices(letters, k=rng.randint(3, 10))) for _ in range(COUNT)]
    common = rng.choices(words[:500], k=COUNT)
    texts = words[COUNT // 2 :] + ["".join(rng.choices(letters, k=8)) for _ in range(COUNT // 2)]
    with_keys = (dict_set, dict_get, dict_iterate, dict_contains, set_add, set_contains, sort_ints)
    with_words = (text_dict_set, text_dict_get, build_text, join_texts, sort_texts)
    with_both = (set_union, set_intersection, set_difference)
    found = [
        *(Case(function, (keys,), 10) for function in with_keys),
        *(Case(function, (words,), 10) for function in with_words),
        Case(word_count, (common,), 10),
        *(Case(function, (keys, others), 20) for function in with_both),
        Case(text_set_union, (words, texts), 10),
        Case(split_text, (" ".join(words),), 10),
        Case(split_at_commas, (",".join(words),), 10),
    ]
    return {case.function.__name__: case for case in found}


def seconds(call: Callable[[], object]) -> float:
    """Return the processor's time of a call, which a busy machine does not change much."""
    start = time.thread_time()
    call()
    return time.thread_time() - start


def measured(case: Case, rounds: int) -> tuple[float, float]:
    """Return the medians of CPython's time and of ours for doing it once, in seconds."""
    function, arguments, times = case
    compiled = script(function)
    assert compiled(*arguments, times) == function(*arguments, times)
    taken: dict[Callable[..., object], list[float]] = {function: [], compiled: []}
    for _ in range(rounds):
        for run, found in taken.items():
            without = seconds(lambda run=run: run(*arguments, 0))
            found.append((seconds(lambda run=run: run(*arguments, times)) - without) / times)
    return statistics.median(taken[function]), statistics.median(taken[compiled])


def main(description: str | None, known: Mapping[str, Case]) -> None:
    """Print a row for each of the cases that the command line names, all where it names none."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    ratios: list[float] = []
    print("| case | CPython, us | ours, us | ratio |\n|---|---|---|---|")
    for name in given.names or known:
        python, ours = measured(known[name], given.rounds)
        ratios.append(python / ours)
        print(f"| {name} | {python * 1e6:.0f} | {ours * 1e6:.0f} | {ratios[-1]:.2f} |", flush=True)
    print(f"\nmedian {statistics.median(ratios):.2f}, least {min(ratios):.2f}")


if __name__ == "__main__":
    main(__doc__, cases())
