"""Statements of random array programs that rearrange whole arrays.

Joins, stacks, tiles and repeats whose operands repeat; padded, rolled, flipped, transposed and
reshaped arrays behind each other; slices of them, between constants and between computed bounds;
elements picked by what a mask gives; writes between computed bounds.
"""

from collections.abc import Callable
from typing import cast

from tests.support.array_expressions import Array, Writer, evaluate

BEYOND = 20  # a bound behind the end of any axis
_CONSTANT = ("0", "1", "2", "3", "-1", "-2", "-3", str(BEYOND), str(-BEYOND))
_TOTAL = 1 << 9  # elements of what is rearranged again


class RearrangingWriter(Writer):
    """Draws statements of rearrangements, and some that compute."""

    def _statements(self) -> tuple[Callable[[], str], ...]:
        usual = (self._new, self._new, self._write, self._add)
        return (*usual, *(self._moved,) * 6, *(self._between,) * 3, self._room, self._size)

    def _more(self) -> tuple[Callable[[int], str], ...]:
        return (self._rearranged,) * 7

    # -------------------------------------------------------------------------------- statements

    def _moved(self) -> str:
        return f"v{len(self._lines)} = {self._rearranged(self._rng.randint(0, 2))}"

    def _room(self) -> str:
        """An array of zeros whose sizes are computed."""
        like = self._array(1, 2)
        sizes = [self._size_of(like)]
        if self._rng.random() < 0.3:
            sizes.append(self._size_of(like))
        return f"v{len(self._lines)} = np.zeros(({', '.join(sizes)},), dtype={like}.dtype)"

    def _size_of(self, name: str) -> str:
        other = self._array(1, 2)
        more = ("", " + 1", " + 2", f" + len({other})", " * 2")
        return f"len({name}){self._rng.choice(more)}"

    def _size(self) -> str:
        """A number that later slices are bounded by."""
        return f"v{len(self._lines)} = {self._bound(self._array(1, 2, 3))}"

    def _between(self) -> str:
        """Write a part between computed bounds."""
        name, other = self._array(1, 2), self._array(1, 2)
        if self._rng.random() < 0.3:
            other = name
        kind = self._rng.randrange(4)
        if kind == 0:  # the whole of another array, somewhere in this one
            at = self._rng.choice(("0", "1", "2"))
            place, value = f"{name}[{at} : len({other}) + {at}]", other
        elif kind == 1:  # between rows or elements
            rows = self._rng.sample(("0", "1", "2", "-1", "len({0}) - 1", "len({0}) // 2"), 2)
            place, value = f"{name}[{rows[0].format(name)}]", f"{other}[{rows[1].format(other)}]"
        else:
            place = f"{name}[{self._slice(name)}]"
            value = self._rng.choice((f"{other}[{self._slice(other)}]", self._expression(1)))
        symbol = self._rng.choice(("=", "=", "=", "+=", "*="))
        return self._into(place, symbol, value)

    # ------------------------------------------------------------------------------- expressions

    def _rearranged(self, depth: int) -> str:
        """What an array looks like behind one rearrangement, or as many more as `depth` says."""
        one = self._operand_of(depth)
        value = cast(Array, evaluate(one, dict(self._values)))
        if value.size > _TOTAL or value.ndim == 0:
            raise ValueError("too large, or no array")
        kinds = (self._together, self._together, self._repeated, self._turned, self._part)
        return self._rng.choice((*kinds, self._part, self._gathered))(one, value.ndim)

    def _operand_of(self, depth: int) -> str:
        return self._rearranged(depth - 1) if depth > 0 else self._array(1, 2, 3)

    def _together(self, one: str, rank: int) -> str:
        """Operands behind each other or as layers; they repeat more often than not."""
        other = one if self._rng.random() < 0.5 else self._array(rank)
        parts = self._rng.choice(
            ((one, other), (one, other, one), (other, one, one), (one, f"{other}[::-1]", one))
        )
        if self._rng.random() < 0.3:
            axis = self._rng.randrange(-rank - 1, rank + 1)
            return f"np.stack(({', '.join(parts)}), axis={axis})"
        return f"np.concatenate(({', '.join(parts)}), axis={self._rng.randrange(-rank, rank)})"

    def _repeated(self, one: str, rank: int) -> str:
        times = self._rng.choice((0, 1, 2, 2, 3))
        axis = self._rng.randrange(-rank, rank)
        some = (f"np.tile({one}, {times})", f"np.tile({one}, ({times}, 2))")
        return self._rng.choice((*some, f"np.repeat({one}, {times}, axis={axis})"))

    def _turned(self, one: str, rank: int) -> str:
        axis = self._rng.randrange(-rank, rank)
        shift = self._rng.choice(("1", "-1", "3", "-4", f"len({self._array(1, 2, 3)})"))
        before, behind = self._rng.choice(((0, 1), (1, 2), (2, 0), (1, 1)))
        flat = f"{one}.reshape(-1)"
        return self._rng.choice(
            (
                f"np.roll({one}, {shift}, axis={axis})",
                f"np.flip({one}, axis={axis})",
                f"np.pad({one}, ({before}, {behind}))",
                f"{one}.T",
                f"np.transpose({one})",
                f"np.swapaxes({one}, 0, {axis})",
                flat,
                f"{flat}[::-1].reshape(-1, 1)",
                f"{one}.reshape(1, -1)",
                f"{one}.reshape({one}.shape[0], -1)",
            )
        )

    def _part(self, one: str, rank: int) -> str:
        parts = [self._slice(self._array(1, 2, 3)) for _ in range(self._rng.randint(1, rank))]
        if self._rng.random() < 0.2:
            parts[self._rng.randrange(len(parts))] = self._rng.choice(("0", "-1", "1", "None"))
        return f"{one}[{', '.join(parts)}]"

    def _gathered(self, one: str, rank: int) -> str:
        """Elements picked by what a mask gives, or those that a mask keeps."""
        other = self._array(rank)
        mask = f"{other} {self._rng.choice(('<', '>=', '!='))} {self._rng.choice(('0', '1'))}"
        picked = (
            f"{one}[np.where({mask}, 0, -1)]",
            f"{one}[({mask}).astype(np.int64)]",
            f"np.where({mask}, {one}, {other})",
            f"{one}[np.arange(len({other})) // 2]",
        )
        return self._rng.choice((*picked, f"{one}[{mask}]"))

    def _slice(self, name: str) -> str:
        low, high = (self._rng.choice(("", "", self._bound(name))) for _ in range(2))
        return f"{low} : {high}{self._rng.choice(('', '', '', ':2', ':-1', ':-2'))}"

    def _bound(self, name: str) -> str:
        """A constant, a size or a form of sizes; an int of the program."""
        if self._rng.random() < 0.3:
            return self._rng.choice(_CONSTANT)
        ints = [n for n, value in self._values.items() if type(value) is int]
        sizes = [f"len({name})", f"{name}.shape[-1]", f"len({self._array(1, 2, 3)})", *ints]
        first, second = self._rng.choice(sizes), self._rng.choice(sizes)
        forms = ("{0}", "{0} - 1", "{0} + 1", "{0} - {1}", "{0} + {1}", "{0} // 2", "2 * {0} - {1}")
        return self._rng.choice(forms).format(first, second)
