"""What random array programs are made of: expressions that NumPy takes for exact samples.

NumPy itself says what is possible: each statement is run on small samples while it is drawn, and
drawn anew where NumPy refuses it. Floats are small multiples of 1/8, and samples run under a NumPy
whose sums and products refuse numbers that might be rounded. So do the arguments of a call before
it is compared: no result depends on the order of a sum, and all are compared bit for bit.
"""

import random
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from scriptc_runtime.types import DType

Array = npt.NDArray[Any]

NUMPY = {str(d): d.numpy for d in DType if d.kind in "biuf"}
_ELEMENT = {dtype: name for name, dtype in NUMPY.items()}
# Sizes of the samples; distinct, so that a size tells its axis.
SIZES = (8, 9, 7)
_LARGEST = 1 << 12
_TRIES = 40
_REFUSALS = (TypeError, ValueError, IndexError, ZeroDivisionError, OverflowError)


class RoundedError(ValueError):
    """A sum or a product of these numbers may be rounded."""


class Parameter(NamedTuple):
    """A parameter: an array of any layout, or with rank 0 a Python number."""

    name: str
    element: str
    axes: tuple[int, ...]  # which of the sizes of a call each axis has

    @property
    def rank(self) -> int:
        """The number of axes."""
        return len(self.axes)

    @property
    def annotation(self) -> str:
        """Its annotation in the source; each axis has a size of its own."""
        sizes = ", ".join(f"dim('{self.name}{axis}')" for axis in range(self.rank))
        return f"{self.element}[{sizes}]" if self.rank else self.element


def values(rng: random.Random, element: str, shape: Sequence[int]) -> Array:
    """Return an array of small numbers that are exact in every type."""
    count = int(np.prod(shape))
    numbers = np.array([rng.randint(-24, 24) for _ in range(count)]).reshape(shape)
    dtype = NUMPY[element]
    match dtype.kind:
        case "b":
            return numbers > 0
        case "i":
            return numbers.astype(dtype)
        case "u":
            return np.abs(numbers).astype(dtype)
        case _:
            return (numbers / 8).astype(dtype)


def sample(parameter: Parameter, rng: random.Random) -> Any:
    """Return what a parameter holds while a program is drawn."""
    if not parameter.rank:
        return {"int": 3, "float": 0.75}[parameter.element]
    return values(rng, parameter.element, [SIZES[axis] for axis in parameter.axes])


# -------------------------------------------------------------- sums and products that are exact


def _exact(array: Any) -> Array:
    """Refuse numbers a sum of which might be rounded."""
    array = np.asarray(array)
    if array.dtype.kind == "f":
        with np.errstate(all="ignore"):
            scaled = np.abs(array.astype(np.float64)) * 64
            whole = np.all(np.isfinite(scaled) & (scaled == np.floor(scaled)))
        # f16 is summed in f32 by NumPy, f32 in f32.
        largest = float(np.max(scaled, initial=0.0))
        total = largest * array.size if array.dtype.itemsize < 8 else 0.0
        if not whole or largest >= 2.0**13 or total >= 2.0**24:
            raise RoundedError
    return array


class _Product:
    """`x |PRODUCT| y` is the `x @ y` of a program."""

    __array_ufunc__ = None

    def __init__(self, left: Any = None) -> None:
        self._left = left

    def __ror__(self, left: Any) -> "_Product":
        return _Product(left)

    def __or__(self, right: Any) -> Any:
        return _product(self._left, right)


def _product(left: Any, right: Any) -> Any:
    for factor in (_exact(left), _exact(right)):
        # Below 2**10 in sixty-fourths: nine products of two of these are exact in f32.
        if factor.dtype.kind == "f" and np.max(np.abs(factor), initial=0) >= 2.0**4:
            raise RoundedError
    return np.asarray(left) @ np.asarray(right)


def _summed(function: Callable[..., Any], array: Any, **options: Any) -> Any:
    return function(_exact(array), **options)


def _variance(array: Any) -> Any:
    """Refuse what has a mean that is rounded, or elements too far from it."""
    count = np.size(array)
    if np.asarray(array).dtype != np.float64 or count != 1 << (count.bit_length() - 1):
        raise RoundedError
    return np.var(_exact(array))


class _ExactNumPy:
    """NumPy, but sums and products refuse what might be rounded."""

    def __getattr__(self, name: str) -> Any:
        function = getattr(np, name)
        if name in ("dot", "matmul"):
            return _product
        if name in ("sum", "mean", "trace"):
            return partial(_summed, function)
        if name == "var":
            return _variance
        return function


_NAMES: dict[str, Any] = {"np": _ExactNumPy(), "PRODUCT": _Product()}

# What programs call: functions of arrays that may share memory.
HELPERS_TEXT = """
def shift(x, y):
    x[1:] += 0.5 * y[:-1]


def exchange(x, y):
    kept = x.copy()
    x[:] = y[::-1]
    y[:] = kept


def smooth(x, y):
    for t in range(2):
        y[1:-1] = 0.5 * (x[:-2] + x[2:])
        x[1:-1] = 0.5 * (y[:-2] + y[2:])


def scan(x, y):
    for i in range(1, x.shape[0]):
        x[i] = y[i] - x[i - 1]
"""
exec(HELPERS_TEXT, _NAMES)


def is_exact(text: str, variables: dict[str, Any]) -> bool:
    """Run statements; say whether each sum and product is exact until they end or raise."""
    try:
        _run(text, variables)
    except RoundedError:
        return False
    except _REFUSALS:
        pass
    return True


def _run(text: str, variables: dict[str, Any]) -> None:
    with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
        exec(text.replace("@", "|PRODUCT|"), _NAMES, variables)


def evaluate(text: str, variables: dict[str, Any]) -> Any:
    """Return what an expression gives for samples; raises what NumPy raises."""
    with np.errstate(all="ignore"):
        return eval(text.replace("@", "|PRODUCT|"), _NAMES, variables)


def runs(text: str, variables: dict[str, Any]) -> bool:
    """Run statements; say whether NumPy takes them, and what they give are values of the language.

    What they define besides `v...` is gone afterwards.
    """
    before = set(variables)
    try:
        _run(text, variables)
    except _REFUSALS:
        return False
    for name in set(variables) - before:
        if not name.startswith("v"):
            del variables[name]
    return all(_is_value(value) for value in variables.values())


def _is_value(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        array = cast(Array, value)
        return array.dtype in _ELEMENT and array.ndim <= 3 and array.size <= _LARGEST
    return isinstance(value, int | float | np.generic)


def has_open_sign(*texts: str) -> bool:
    """Say whether a zero that these texts compute may have either sign.

    That is "Signs of zeros" in docs/language/differences.md.
    """
    return any(name in text for text in texts for name in ("max", "min", "np.dot"))


# ------------------------------------------------------------------------------------- expressions


class Writer:
    """Draws statements; `_values` are what the variables hold for the samples."""

    def __init__(self, rng: random.Random, parameters: Sequence[Parameter]) -> None:
        self._rng = rng
        self._values: dict[str, Any] = {p.name: sample(p, rng) for p in parameters}
        self._parameters = {p.name for p in parameters}
        self._lines: list[str] = []

    def lines(self, count: int) -> tuple[str, ...]:
        """Draw that many statements."""
        for _ in range(count):
            self._try(self._rng.choice(self._statements()))
        return tuple(self._lines)

    def result(self) -> str:
        """Return what the function gives: variables, some of them as views."""
        arrays = self._arrays()
        count = self._rng.choice((1, 1, 2))
        made = [name for name in arrays if name not in self._parameters] or arrays
        chosen = [self._rng.choice(made) for _ in range(count)]
        numbers = [name for name in self._values if name[0] == "v" and name not in arrays]
        return ", ".join([*chosen, *numbers])

    def _try(self, draw: Callable[[], str]) -> None:
        for _ in range(_TRIES):
            try:
                line = draw()
            except _REFUSALS:
                continue
            # The line may write: to the samples only once it is known to work on copies of them.
            if runs(line, {name: _copy(value) for name, value in self._values.items()}):
                runs(line, self._values)
                self._lines.append(line)
                return

    def _arrays(self) -> list[str]:
        return [name for name, value in self._values.items() if isinstance(value, np.ndarray)]

    def _array(self, *ranks: int) -> str:
        """Choose an array of one of these ranks; raises ValueError where there is none."""
        fitting = [name for name in self._arrays() if self._values[name].ndim in ranks]
        if not fitting:
            raise ValueError("no array of this rank")
        return self._rng.choice(fitting)

    # -------------------------------------------------------------------------------- statements

    def _statements(self) -> tuple[Callable[[], str], ...]:
        return (self._new, self._new, self._write, self._write, self._add, self._changed)

    def _new(self) -> str:
        return f"v{len(self._lines)} = {self._expression(self._rng.randint(1, 3))}"

    def _write(self) -> str:
        name = self._rng.choice(self._arrays())
        symbol = self._rng.choice(("=", "=", "=", "+=", "*=", "-="))
        return self._into(f"{name}[{self._place(name)}]", symbol, self._expression(2))

    def _add(self) -> str:
        name = self._rng.choice(self._arrays())
        return f"{name} {self._rng.choice(('+=', '-=', '*='))} {self._expression(1)}"

    def _changed(self) -> str:
        """Folds of a new array, before and after each of its changes in place."""
        name = f"v{len(self._lines)}"
        first = self._rng.choice((f"{self._array(1, 2)}.copy()", f"({self._expression(2)}) * 2"))
        lines = [f"{name} = {first}"]
        kinds = self._rng.sample(("sum", "max", "min", "sum", "var"), 2)
        folds = list[str]()
        for _ in range(self._rng.randint(2, 4)):
            for kind in kinds[: self._rng.randint(1, 2)]:
                folds.append(f"{name}s{len(folds)}")
                lines.append(f"{folds[-1]} = np.{kind}({name})")
            change = self._rng.choice(("{0} += {1}", "{0} *= {1}", "{0}[:] = {0} - {1}"))
            lines.append(change.format(name, self._expression(self._rng.choice((0, 0, 1)))))
        return "\n".join(lines[: len(lines) - self._rng.randint(0, 1)])

    def _into(self, place: str, symbol: str, value: str, **more: Any) -> str:
        """Return an assignment; raises TypeError where NumPy would cut the value off.

        The language refuses to do that.
        """
        variables = self._values | more
        new = value if symbol == "=" else f"({place}) {symbol[:-1]} ({value})"
        made = np.asarray(evaluate(new, dict(variables)))
        target = np.asarray(evaluate(place, dict(variables)))
        if not np.can_cast(made.dtype, target.dtype, "same_kind"):
            raise TypeError("NumPy cuts it off")
        return f"{place} {symbol} {value}"

    # ------------------------------------------------------------------------------- expressions

    def _expression(self, depth: int) -> str:
        if depth == 0 or self._rng.random() < 0.15:
            return self._leaf()
        usual = (self._binary, self._binary, self._binary, self._unary, self._choice, self._reduced)
        return self._rng.choice((*usual, self._joined, *self._more()))(depth - 1)

    def _more(self) -> tuple[Callable[[int], str], ...]:
        """Return what else an expression may be."""
        return ()

    def _leaf(self) -> str:
        if self._rng.random() < 0.2:
            return self._rng.choice(("2", "-1", "0.5", "1", "3", "-1.5"))
        names = list(self._values)
        name = self._rng.choice(names)
        if self._rng.random() < 0.06:
            return f"{name}[{self._places()}]"
        return self._view(name) if self._rng.random() < 0.5 else name

    def _places(self) -> str:
        """Return an array of indices; the last ones are in bounds where there is an element."""
        fixed = ("np.array([0, 2, -1, 2])", "np.arange(7) // 2")
        found = f"(np.abs({self._array(1, 2)}) % 2).astype(np.int64) - 1"
        return self._rng.choice((*fixed, found, found, found))

    def _binary(self, depth: int) -> str:
        symbol = self._rng.choice(("+", "+", "-", "*", "*", "<", ">=", "==", "/", "//", "%"))
        left, right = self._expression(depth), self._expression(depth)
        if self._rng.random() < 0.15:
            name = self._rng.choice(("maximum", "minimum"))
            return f"np.{name}({left}, {right})"
        return f"({left} {symbol} {self._operand(symbol, right)})"

    def _operand(self, symbol: str, value: str) -> str:
        """Return a right operand: a zero of an open sign would make an infinity of an open sign."""
        divides = symbol in ("/", "//", "/=", "//=")
        return f"({value} + 0)" if divides and has_open_sign(*self._lines, value) else value

    def _unary(self, depth: int) -> str:
        inner = self._expression(depth)
        return self._rng.choice((f"(-{inner})", f"np.abs({inner})", f"np.sqrt({inner})"))

    def _choice(self, depth: int) -> str:
        low, high = self._expression(0), self._expression(0)
        first, second = self._expression(depth), self._expression(depth)
        return f"np.where({low} < {high}, {first}, {second})"

    def _joined(self, depth: int) -> str:
        """Return parts behind each other, or elements that move along an axis."""
        first = self._expression(depth)
        rank = np.ndim(evaluate(first, dict(self._values)))
        if rank and self._rng.random() < 0.5:
            shift = self._rng.choice((1, -1, 2, -3, 5, 2**62))
            axis = self._rng.choice(("", f", axis={self._rng.randrange(-rank, rank)}"))
            return f"np.roll({first}, {shift}{axis})"
        parts = ", ".join(
            [first, *(self._expression(depth) for _ in range(self._rng.choice((0, 1, 1, 2))))]
        )
        if rank and self._rng.random() < 0.6:
            return f"np.concatenate(({parts},), axis={self._rng.randrange(-rank, rank)})"
        axis = self._rng.randrange(-rank - 1, rank + 1)
        stack = f"np.stack(({parts},), axis={axis})"
        if self._rng.random() < 0.5:
            return stack
        kept = self._rng.choice((axis, axis, self._rng.randrange(-rank - 1, rank + 1)))
        if self._rng.random() < 0.3:
            other = f"np.max({self._expression(0)}, axis=-1, keepdims=True)"
            return f"({stack} - {other})"
        return f"np.{self._rng.choice(('sum', 'max', 'min'))}({stack}, axis={kept})"

    def _reduced(self, depth: int) -> str:
        name = self._rng.choice(self._arrays())
        rank = cast(Array, self._values[name]).ndim
        inner = self._view(name) if depth == 0 or self._rng.random() < 0.5 else name
        function = self._rng.choice(("sum", "max", "min"))
        if rank == 0 or self._rng.random() < 0.3:
            return f"np.{function}({inner})"
        axis = self._rng.randrange(-rank, rank)
        keep = self._rng.choice(("", "", ", keepdims=True"))
        return f"np.{function}({inner}, axis={axis}{keep})"

    def _view(self, name: str) -> str:
        value: Any = self._values[name]
        if not isinstance(value, np.ndarray):
            return name
        if self._rng.random() < 0.2:
            return f"{name}.T"
        return f"{name}[{self._place(name)}]"

    def _place(self, name: str) -> str:
        rank = cast(Array, self._values[name]).ndim
        count = self._rng.randint(min(rank, 1), rank)
        parts = [self._index() for _ in range(count)]
        if parts and self._rng.random() < 0.1:
            parts.insert(self._rng.randrange(len(parts) + 1), "None")
        if rank == 0:
            return "..."
        return ", ".join(parts)

    def _index(self) -> str:
        if self._rng.random() < 0.2:
            return self._rng.choice(("0", "-1", "1"))
        low, high = (self._rng.choice(("", "", "1", "-1", "2", "-2")) for _ in range(2))
        step = self._rng.choice(("", "", "", ":2", ":-1", ":-2"))
        return f"{low}:{high}{step}"


def _copy(value: Any) -> Any:
    return cast(Array, value).copy() if isinstance(value, np.ndarray) else value
