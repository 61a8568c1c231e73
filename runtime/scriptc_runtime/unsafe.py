"""Ops that no function of Python's or NumPy's stands for, as functions for the standard library.

The compiler recognises these functions and emits the low op of the same name; under CPython they
do the same to Python's own lists.  Low ones test nothing: a position out of range is the caller's
mistake.  Reference counts are Python's business here, so `retain` and `release` do nothing.
"""

import math
import unicodedata
from typing import Any, Literal, NoReturn, TypeVar, cast

import numpy as np

from scriptc_runtime import gufuncs
from scriptc_runtime.ops import bigints, elementary, outside, sorting, texts
from scriptc_runtime.random_generators import draw_index as drawn_index

Item = TypeVar("Item")
Array = np.ndarray[Any, np.dtype[Any]]
SortKind = Literal["quicksort", "stable"]
Extreme = Literal["max", "min"]
# Annotations of parameters that a call gives constants, for which a body is checked.
Flag = bool
Whole = int
# The annotation of an int of any size.
AnySize = int
Axis = int | tuple[int, ...] | None
# The annotation of an array that the caller writes the result to; the body is not concerned.
Out = Array | None
# The annotation of a list that is written to.
Written = list


def refuse(message: str, instead: str = "", about: str = "") -> NoReturn:
    """Refuse the call of the script whose types, or constants, have led here.

    `about` is the parameter that is wrong, `instead` says what to write. `{x}` in the message
    stands for the type of the argument `x`.
    """
    raise TypeError(message)


def c_pow(x: float, y: float) -> float:
    """Return the power as C does: an infinity or NaN where Python raises."""
    return elementary.c_power(x, y)


def c_hypot(x: float, y: float) -> float:
    """Return the square root of the sum of both squares."""
    return math.hypot(x, y)


def c_fmod(x: float, y: float) -> float:
    """Return the remainder as C does: NaN where Python raises."""
    return float(np.fmod(x, y))


def c_gamma(x: float) -> float:
    """Return the gamma function as C does: an infinity or NaN where Python raises."""
    return elementary.c_gamma(x)


def c_lgamma(x: float) -> float:
    """Return the logarithm of its absolute value as C does: an infinity where Python raises."""
    return elementary.c_lgamma(x)


def gcd(x: int, y: int) -> int:
    """Return the greatest common divisor."""
    return math.gcd(x, y)


def lcm(x: int, y: int) -> int:
    """Return the least common multiple."""
    return math.lcm(x, y)


def common_floats(a: Any, b: Any) -> tuple[Array, Array]:
    """Return two operands in the dtype of floats in which NumPy compares them."""
    dtype = np.result_type(a, b)
    if dtype.kind not in "fc":
        dtype = np.dtype(np.float64)
    return np.asarray(a, dtype), np.asarray(b, dtype)


def load(x: Array, index: np.int64) -> Any:
    """Return an element of an array with one axis."""
    return x[index]


def store(x: Array, value: Any, index: np.int64) -> None:
    """Put `value` at `index` of an array with one axis."""
    x[index] = value


def atomic(x: Array, value: np.int64, index: np.int64, kind: Literal["sum", "max"]) -> None:
    """Combine `value` with an element of ints of 64 bits, as if no other thread ran meanwhile."""
    x[index] = x[index] + value if kind == "sum" else max(x[index], value)


def tally(target: Array, places: Array, values: Any) -> None:
    """Add the values in order, or one value each time, to the elements at `places`."""
    np.add.at(target, places, values)


def on_device() -> bool:
    """Return whether a device runs this, whose many threads may be worth another way."""
    return False


def ask(function: str, *given: float) -> float:
    """Return what a function of `time` or `random` gives."""
    evaluate = outside.ASK.evaluate
    assert evaluate is not None
    return cast(float, evaluate(*given, kind=function))


def draw(source: object, method: str, *given: float) -> float:
    """Return what a method of a `random.Random` gives, or the function of `random` for None."""
    if source is None:
        return ask(f"random.{method}", *given)
    evaluate = outside.ASK.evaluate
    assert evaluate is not None
    return cast(float, evaluate(source, *given, kind=f"Random.{method}"))


def fresh_value(items: object) -> object:
    """Return what a defaultdict makes for a key that is missing."""
    raise NotImplementedError(items)


def made_value(items: object, value: object) -> object:
    """Return what a factory has made as a value of a dict, which may hold values of more types."""
    return value


def argument_text(args: tuple[object, ...], index: int, kind: Literal["str", "repr"]) -> str:
    """Return what `str` or `repr` gives of an argument of an exception."""
    return str(args[index]) if kind == "str" else repr(args[index])


def place(value: object) -> int:
    """Return a number that no other list, dict, set or deque has while this one is there."""
    return id(value)


def is_of(value: object, types: str) -> bool:
    """Return whether all values of the type of `value` are of one of these types."""
    return type(value).__name__ in types.split()


def str_repeat(x: str, count: int) -> str:
    """Return a text as often as `count` says; the caller knows that its length is an int."""
    return x * count


def list_size(items: list[Item]) -> np.int64:
    """Return the number of items."""
    return np.int64(len(items))


def list_capacity(items: list[Item]) -> np.int64:
    """Return the number of items there is room for."""
    return np.int64(len(items))


def list_reserve(items: list[Item], capacity: np.int64) -> None:
    """Make room for `capacity` items."""


def list_room(items: list[Item], count: int) -> None:
    """Let a list have room for `count` items.  Raises MemoryError."""
    _ = [None] * count


def list_add(items: list[Item], more: list[Item], first: int, count: int) -> None:
    """Add `count` items of another list at the end, from `first` on."""
    items.extend(more[first : first + count])


def list_replace(items: list[Item], first: int, count: int, more: list[Item]) -> None:
    """Put the items of another list in place of `count` items from `first` on."""
    items[first : first + count] = more


def list_fill(items: list[Item], value: Item, count: int) -> None:
    """Add `value` at the end, `count` times.  Raises MemoryError."""
    items.extend([value] * count)


def list_set_size(items: list[Item], size: np.int64) -> None:
    """Say how many items there are; new ones are None until stored."""
    del items[int(size) :]
    if len(items) < size:
        items.extend([cast(Item, None)] * (int(size) - len(items)))


def list_load(items: list[Item], index: np.int64) -> Item:
    """Return the item at `index`."""
    return items[int(index)]


def list_store(items: list[Item], index: np.int64, value: Item) -> None:
    """Put `value` at `index`."""
    items[int(index)] = value


def list_move(items: list[Item], to: np.int64, first: np.int64, count: np.int64) -> None:
    """Move `count` items from `first` on to `to`."""
    items[int(to) : int(to + count)] = items[int(first) : int(first + count)]


def list_copy(
    items: list[Item], to: np.int64, source: list[Item], first: np.int64, count: np.int64
) -> None:
    """Put `count` items of `source` from `first` on at `to`."""
    items[int(to) : int(to + count)] = source[int(first) : int(first + count)]


def list_drop(items: list[Item], first: np.int64, count: np.int64) -> None:
    """Release `count` items from `first` on."""


def list_pad(items: list[Item], to: np.int64, count: np.int64, value: Item) -> None:
    """Put `value` at `count` places from `to` on; it is counted as often."""
    items[int(to) : int(to + count)] = [value] * int(count)


def retain(value: object) -> None:
    """Count one more owner of `value`."""


def release(value: object) -> None:
    """Count one owner of `value` less."""


def str_find(x: str, part: str, start: int, stop: int) -> int:
    """Return the first place of `part` in `x[start:stop]`, -1 where there is none."""
    return x.find(part, start, stop)


def str_rfind(x: str, part: str, start: int, stop: int) -> int:
    """Return the last place of `part` in `x[start:stop]`, -1 where there is none."""
    return x.rfind(part, start, stop)


def str_scan(x: str, start: int, kind: str) -> int:
    """Return the first place from `start` on of a `blank`, `ink` or a `break`, else the length."""
    return texts.scanned(x, start, kind=kind)


def char_is(code: int, kind: str) -> bool:
    """Whether the character with a number is of a kind: `alpha`, `upper`."""
    return texts.CLASSES[kind](chr(code))


def char_decimal(code: int) -> int:
    """Return which decimal digit the character with a number is, -1 if it is none."""
    return unicodedata.decimal(chr(code), -1)


def str_is_identifier(x: str) -> bool:
    """Whether a text is a name as Python has them."""
    return x.isidentifier()


def bytes_text(x: bytes) -> str:
    """Return the text of the characters that have these bytes as their numbers."""
    return x.decode("latin-1")


def text_bytes(x: str) -> bytes:
    """Return the bytes that are the numbers of the characters of a text."""
    return x.encode("latin-1")


def bytes_items(x: bytes) -> list[np.uint8]:
    """Return a new list of the bytes."""
    return list(map(np.uint8, x))


def bytes_of(items: list[np.uint8]) -> bytes:
    """Return the bytes that a list holds."""
    return bytes(map(int, items))


def bigint_is_small(x: int) -> bool:
    """Whether an int of any size is a word."""
    return bigints.is_small(x)


def bigint_small(x: int) -> int:
    """Return the int of 64 bits that a small one is."""
    return x


def bigint_limbs(x: int) -> list[np.uint64]:
    """Return the limbs of one that is not small, which are not to be changed."""
    return bigints.limbs_of(x)


def bigint_negative(x: int) -> bool:
    """Whether one that is not small is below 0."""
    return x < 0


def bigint_made(limbs: list[np.uint64], negative: bool) -> int:
    """Return the number that is made of limbs, of which the last is not 0; it is not small."""
    return bigints.made(limbs, negative)


def bigint_of(number: int) -> int:
    """Return an int as one of any size."""
    return number


def bigint_gcd(x: int, y: int) -> int:
    """Return the greatest common divisor of ints of any size."""
    return math.gcd(x, y)


def bigint_of_float(x: float) -> int:
    """Return the whole part of a float as an int of any size."""
    return int(x)


def bigint_of_text(x: str, base: int) -> int:
    """Return the int of any size that a text says in a base."""
    return int(x, base)


def high_product(x: np.uint64, y: np.uint64) -> np.uint64:
    """Return the upper half of a product of 128 bits."""
    return bigints.high_product(x, y)


def sort_row(row: Array, kind: SortKind) -> None:
    """Put the elements of a row in order."""
    row.sort(kind=kind)


def order_row(keys: Array, row: Array, kind: SortKind) -> None:
    """Write the indices that put `keys` in order to `row`."""
    row[...] = np.argsort(keys, kind=kind)


def select_row(row: Array, places: Array, found: Array) -> None:
    """Write the elements that sorting a row puts at some places to `found`."""
    found[...] = sorting.order_statistics(row, places)


def part_row(row: Array, places: Array) -> None:
    """Part a row at some places."""
    row[...] = sorting.partition(row, places)


def order_parts(keys: Array, row: Array, places: Array) -> None:
    """Write the indices that part `keys` at some places to `row`."""
    row[...] = sorting.argpartition(keys, places)


def extreme_place(row: Array, kind: Extreme) -> np.int64:
    """Return the index of the first largest element of a row that has some, or the first least."""
    return np.argmax(row) if kind == "max" else np.argmin(row)


def is_contiguous(x: Array) -> bool:
    """Whether the rows of an array, along its last axis, are contiguous."""
    return x.ndim == 0 or x.shape[-1] < 2 or x.strides[-1] == x.itemsize


def order_statistics(x: Array, places: Array) -> Array:
    """Return the elements that sorting each row puts at some places, as the op of this name."""
    return sorting.order_statistics(x, places)


def draw_index(source: Any, last: int) -> int:
    """Return an int from 0 to `last`, as NumPy draws it to shuffle."""
    return drawn_index(source, last)


def gufunc(routine: str, *arrays: object) -> bool:
    """Run a loop of NumPy's on arrays it reads and arrays it writes; whether it failed."""
    return gufuncs.run(routine, *arrays)
