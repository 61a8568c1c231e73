"""What makes texts of numbers, and lists of texts, inside of compiled code; see `bench_containers`.

python -m tests.benchmarks.bench_texts [--rounds 7] [NAME ...]
"""

# ruff: noqa: UP031

import random

from tests.benchmarks.bench_containers import COUNT, Case, main


def bin_length(count: int, times: int) -> int:
    found = 0
    for _ in range(times):
        for i in range(count):
            found += len(bin(i))
    return found


def bin_count(count: int, times: int) -> int:
    found = 0
    for _ in range(times):
        for i in range(count):
            found += bin(i).count("1")
    return found


def hex_text(count: int, times: int) -> int:
    found = 0
    for _ in range(times):
        for i in range(count):
            found += len(hex(i)) + len(f"{i:04x}")
    return found


def percent_int(count: int, times: int) -> int:
    found = 0
    for _ in range(times):
        for i in range(count):
            found += len("%d" % i)
    return found


def percent_int_text(count: int, times: int) -> int:
    found = 0
    for _ in range(times):
        for i in range(count):
            found += len("%d %s" % (i, "item"))
    return found


def str_int(count: int, times: int) -> int:
    found = 0
    for _ in range(times):
        for i in range(count):
            found += len(str(i))
    return found


def padded_int(count: int, times: int) -> int:
    found = 0
    for _ in range(times):
        for i in range(count):
            found += len(f"{i:6d}") + len(f"{i:,}")
    return found


def aligned_text(words: list[str], times: int) -> int:
    found = 0
    for _ in range(times):
        for word in words:
            found += len(f"{word:<12}") + len(f"{word:>12}")
    return found


def repr_floats(numbers: list[float], times: int) -> int:
    found = 0
    for _ in range(times):
        found += len(repr(numbers))
    return found


def repr_ints(keys: list[int], times: int) -> int:
    found = 0
    for _ in range(times):
        found += len(repr(keys))
    return found


def repr_texts(words: list[str], times: int) -> int:
    found = 0
    for _ in range(times):
        found += len(repr(words))
    return found


def str_float(numbers: list[float], times: int) -> int:
    found = 0
    for _ in range(times):
        for number in numbers:
            found += len(str(number))
    return found


def two_places(numbers: list[float], times: int) -> int:
    found = 0
    for _ in range(times):
        for number in numbers:
            found += len(f"{number:.2f}")
    return found


def percent_places(numbers: list[float], times: int) -> int:
    found = 0
    for _ in range(times):
        for number in numbers:
            found += len("%.3f" % number)
    return found


def scientific(numbers: list[float], times: int) -> int:
    found = 0
    for _ in range(times):
        for number in numbers:
            found += len(f"{number:10.2e}")
    return found


def float_of_text(texts: list[str], times: int) -> int:
    found = 0.0
    for _ in range(times):
        for text in texts:
            found += float(text)
    return int(found)


def int_of_text(texts: list[str], times: int) -> int:
    found = 0
    for _ in range(times):
        for text in texts:
            found += int(text)
    return found


def build_and_sort(count: int, times: int) -> int:
    found = 0
    for _ in range(times):
        names = [f"name{i * 7919 % count}" for i in range(count)]
        names.sort()
        found += len(names[0])
    return found


def sort_alike(names: list[str], times: int) -> int:
    found = 0
    for _ in range(times):
        found += len(sorted(names)[0])
    return found


def sort_ordered(ordered: list[str], times: int) -> int:
    found = 0
    for _ in range(times):
        found += len(sorted(ordered)[0])
    return found


def sort_by_length(words: list[str], times: int) -> int:
    found = 0
    for _ in range(times):
        found += len(sorted(words, key=len)[0])
    return found


def sort_pairs(words: list[str], times: int) -> int:
    pairs = [(word, len(word)) for word in words]
    found = 0
    for _ in range(times):
        found += sorted(pairs)[0][1]
    return found


def words_of_text(text: str, times: int) -> int:
    found = 0
    for _ in range(times):
        counts: dict[str, int] = {}
        for word in text.split():
            counts[word] = counts.get(word, 0) + 1
        found += len(counts)
    return found


def fields_of_lines(text: str, times: int) -> int:
    found = 0
    for _ in range(times):
        for line in text.splitlines():
            found += len(line.split(","))
    return found


def cases() -> dict[str, Case]:
    """Return the cases, over arguments that are the same everywhere."""
    rng = random.Random(23)
    keys = rng.sample(range(10 * COUNT), COUNT)
    numbers = [rng.uniform(-1000.0, 1000.0) for _ in range(COUNT)]
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(rng.choices(letters, k=rng.randint(3, 10))) for _ in range(COUNT)]
    names = [f"name{i * 7919 % COUNT}" for i in range(COUNT)]
    common = " ".join(rng.choices(words[:500], k=COUNT))
    lines = "\n".join(",".join(words[i : i + 5]) for i in range(0, COUNT, 5))
    with_count = (
        bin_length,
        bin_count,
        hex_text,
        percent_int,
        percent_int_text,
        str_int,
        padded_int,
        build_and_sort,
    )
    with_numbers = (repr_floats, str_float, two_places, percent_places, scientific)
    with_words = (aligned_text, repr_texts, sort_by_length, sort_pairs)
    found = [
        *(Case(function, (COUNT,), 5) for function in with_count),
        *(Case(function, (numbers,), 5) for function in with_numbers),
        *(Case(function, (words,), 5) for function in with_words),
        Case(repr_ints, (keys,), 5),
        Case(float_of_text, ([repr(number) for number in numbers],), 5),
        Case(int_of_text, ([str(key) for key in keys],), 5),
        Case(sort_alike, (names,), 5),
        Case(sort_ordered, (sorted(names),), 5),
        Case(words_of_text, (common,), 5),
        Case(fields_of_lines, (lines,), 5),
    ]
    return {case.function.__name__: case for case in found}


if __name__ == "__main__":
    main(__doc__, cases())
