"""Statements of random array programs beyond straight lines.

Loops over rows, over elements and over time, whose statements read rows and elements shifted by
one, rows up to the diagonal and dot products of them; chains in place; masks and arrays as
indices; small products; unpacking; calls with arguments that share memory.
"""

import textwrap
from collections.abc import Callable
from typing import cast

import numpy as np

from tests.support.array_expressions import Array, Writer, evaluate

# What a loop variable is while a statement in its loop is tried alone.
_TRIED = {"i": 2, "j": 1, "k": 1, "t": 1}
_STENCILS = (":-2", "1:-1", "2:")


class LoopWriter(Writer):
    """Draws statements of all kinds."""

    def _statements(self) -> tuple[Callable[[], str], ...]:
        return (
            *(self._new, self._write, self._chain, self._masked, self._unpacked, self._call),
            self._changed,
            *(self._rows, self._rows, self._rows, self._elements, self._elements),
            *(self._nest, self._nest),
            *(self._steps, self._steps, self._kept),
        )

    def _more(self) -> tuple[Callable[[int], str], ...]:
        return (self._product, self._product, self._picked, self._rearranged)

    # -------------------------------------------------------------------------------- statements

    def _chain(self) -> str:
        """One array after the other, in place."""
        name = self._array(1, 2, 3)
        lines = list[str]()
        for _ in range(3):
            symbol = self._symbol(name)
            lines.append(f"{name} {symbol} {self._operand(symbol, self._expression(1))}")
        return "\n".join(lines)

    def _symbol(self, name: str) -> str:
        more = ("/=",) if self._values[name].dtype.kind == "f" else ("//=",)
        return self._rng.choice(("+=", "-=", "*=", *more))

    def _masked(self) -> str:
        """Write where a condition holds: a number, or what the same mask picks."""
        name = self._array(1, 2)
        mask = f"{name} {self._rng.choice(('<', '>=', '!='))} {self._rng.choice(('0', '1', '0.5'))}"
        like = [n for n in self._arrays() if self._values[n].shape == self._values[name].shape]
        other = self._rng.choice(like)
        value = self._rng.choice(("1", "-2", f"{other}[{mask}]", f"{other}[{mask}] * 2"))
        return self._into(f"{name}[{mask}]", self._rng.choice(("=", "=", "+=", "*=")), value)

    def _unpacked(self) -> str:
        one, two = f"v{len(self._lines)}", f"v{len(self._lines)}x"
        name = self._array(1, 2, 3)
        value = self._rng.choice(
            (
                f"{name}[0], {name}[-1]",
                f"np.mgrid[0:3, 0:{name}.shape[0]]",
                f"{name}[:2]",
                f"{name}.copy(), {self._expression(1)}",
            )
        )
        return f"{one}, {two} = {value}"

    def _call(self) -> str:
        name = self._rng.choice(("shift", "exchange", "smooth", "scan"))
        one, two = self._array(1, 2), self._array(1, 2)
        if self._rng.random() < 0.5:
            two = one
        part = self._rng.choice((("", ""), ("[1:]", "[:-1]"), ("[::-1]", ""), ("[:-1]", "[1:]")))
        if {self._values[n].dtype.kind for n in (one, two)} != {"f"}:
            raise TypeError("the helpers halve")
        if self._values[one].dtype != self._values[two].dtype:
            raise TypeError("one would be cut off")
        return f"{name}({one}{part[0]}, {two}{part[1]})"

    def _rows(self) -> str:
        """A loop over rows or columns."""
        name = self._array(1, 2)
        axis = self._rng.randrange(self._values[name].ndim)
        body = [self._of_row(name, axis) for _ in range(self._rng.randint(1, 3))]
        return _loop("i", self._range(f"{name}.shape[{axis}]"), body)

    def _elements(self) -> str:
        """A loop over elements, or two."""
        name = self._array(1, 2)
        if self._values[name].ndim == 1:
            body = [self._of_element(name) for _ in range(self._rng.randint(1, 2))]
            return _loop("i", self._range(f"{name}.shape[0]"), body)
        inner = self._rng.choice((f"{name}.shape[1]", f"{name}.shape[1]", "i", "i + 1"))
        body = [_loop("j", self._range(inner), [self._of_element(name)])]
        if self._rng.random() < 0.5:
            body.append(self._of_row(name, 0))
        if self._rng.random() < 0.4:
            body = [self._summed(name)]
        return _loop("i", self._range(f"{name}.shape[0]"), body)

    def _summed(self, name: str) -> str:
        """A dot product by hand."""
        other = self._rng.choice(self._same_rank(name))
        inner = _loop(
            "j", f"{name}.shape[1]", [f"s {self._rng.choice(('+=', '-='))} {other}[i, j]"]
        )
        product = inner + f" * {name}[i, j]"
        place = f"{name}[i, {self._rng.choice(('0', '-1', ':'))}]"
        self._into(place, "=", f"{other}[i, 0] * {name}[i, 0] * 1.0", **_TRIED)
        return f"s = 0.0\n{product}\n{place} = s"

    def _nest(self) -> str:
        """Loops in a loop, one after the other, some as far as the diagonal or from it on."""
        name = self._array(2)
        body: list[str] = []
        for _ in range(self._rng.randint(1, 3)):
            within = self._rng.choice((self._of_element, self._total, self._total))
            body.append(_loop("j", self._bounds(name, 1, "i"), [within(name)]))
        if self._rng.random() < 0.3:
            body.insert(self._rng.randint(0, len(body)), self._of_row(name, 0))
        return _loop("i", self._range(f"{name}.shape[0]"), body)

    def _total(self, name: str) -> str:
        """An element from a sum over a third loop."""
        one, two = self._rng.choice(self._same_rank(name)), self._rng.choice(self._same_rank(name))
        places = ("i, k", "k, j", "j, k", "k, i", "i, k - 1", "k + 1, j")
        place = f"{name}[{self._element(name)}]"
        factors = f"{one}[{self._rng.choice(places)}] * {two}[{self._rng.choice(places)}]"
        self._into(place, "=", f"{factors} * 1.0", **_TRIED)
        inner = _loop(
            "k", self._bounds(name, 0, "j"), [f"s {self._rng.choice(('+=', '-='))} {factors}"]
        )
        symbol = self._rng.choice(("=", "=", "+=", "-="))
        return f"s = 0.0\n{inner}\n{place} {symbol} s"

    def _bounds(self, name: str, axis: int, outer: str) -> str:
        size = f"{name}.shape[{axis}]"
        near = (outer, f"{outer} + 1", f"{outer}, {size}", f"{outer} + 1, {size}", f"1, {outer}")
        return self._rng.choice((*near, self._range(size), size, size))

    def _steps(self) -> str:
        """Steps in time: stencils, chains, exchanges."""
        draws = (self._stencil, self._stencil, self._chain, self._write, self._add)
        body: list[str] = []
        if self._rng.random() < 0.4:
            # An array of the round, which the statements after it may read and write.
            text = self._expression(2)
            body.append(f"w = {text}")
            self._values["w"] = evaluate(text, dict(self._values))
        try:
            body += [self._rng.choice(draws)() for _ in range(self._rng.randint(1, 3))]
        finally:
            self._values.pop("w", None)
        return _loop("t", "3", body)

    def _kept(self) -> str:
        """Rows made in each round, changed, written, and handed to the next round."""
        name = self._array(2)
        first, second = self._row_value(name, 0), self._row_value(name, 0)
        row = f"{first} {self._rng.choice('+-*')} {second}"
        sample = evaluate(row, self._values | _TRIED)
        kept = self._values[name][0]
        if (np.shape(sample), np.asarray(sample).dtype) != (kept.shape, kept.dtype):
            raise TypeError("a variable has one type in all rounds")
        changes = ("w += {}", "w[1:] = w[:-1]", "w *= 0.5", "w = w[::-1]", "w = w + u", "w -= u")
        change = self._rng.choice(changes).format(second)
        symbol = self._rng.choice(("=", "+=", "-="))
        write = self._into(f"{name}[i]", symbol, "w", w=sample, **_TRIED)
        last = self._rng.choice(
            ("u = w", "u = w.copy()", f"u = {name}[i]", "u[:] = w", "w, u = u, w")
        )
        body = [f"w = {row}", change, write, last]
        return f"u = {name}[0] * 0\n" + _loop("i", self._range(f"{name}.shape[0]"), body)

    def _stencil(self) -> str:
        """Each element from its neighbours, of another array or of its own."""
        name = self._array(1, 2)
        rank = cast(Array, self._values[name]).ndim
        like = self._same_rank(name)
        terms = [
            f"{self._rng.choice((name, self._rng.choice(like)))}[{self._neighbour(rank)}]"
            for _ in range(self._rng.randint(1, 4))
        ]
        weight = self._rng.choice(("", "0.5 * ", "2 * "))
        value = f"{weight}({' + '.join(terms)})"
        place = f"{name}[{', '.join(['1:-1'] * rank)}]"
        return self._into(place, self._rng.choice(("=", "=", "+=", "-=")), value)

    def _neighbour(self, rank: int) -> str:
        return ", ".join(self._rng.choice(_STENCILS) for _ in range(rank))

    def _same_rank(self, name: str) -> list[str]:
        rank = self._values[name].ndim
        return [other for other in self._arrays() if self._values[other].ndim == rank]

    # ----------------------------------------------------------------------------- inside of loops

    def _range(self, count: str) -> str:
        forms = ("{}", "{}", "1, {}", "1, {} - 1", "{} - 1, -1, -1", "0, {}, 2", "2, {}")
        return self._rng.choice(forms).format(count)

    def _of_row(self, name: str, axis: int) -> str:
        """A statement about the row (or column) `i` of an array."""
        place = f"{name}[{self._row(name, axis)}]"
        symbol = self._rng.choice(("=", "=", "+=", "-=", "*="))
        value = self._row_value(name, axis)
        if self._rng.random() < 0.3:
            value = f"{value} {self._rng.choice('+-*')} {self._row_value(name, axis)}"
        return self._into(place, symbol, value, **_TRIED)

    def _row_value(self, name: str, axis: int) -> str:
        other = self._rng.choice([name, *self._same_rank(name)])
        row = f"{other}[{self._row(other, axis)}]"
        draws = ("row", "row", "half", "sum", "dot", "number")
        match self._rng.choice(draws):
            case "half":
                return f"0.5 * {row}"
            case "sum":
                return f"np.sum({row})"
            case "dot":
                return self._dot(name, other, axis)
            case "number":
                return self._rng.choice(("1", "i", "0.5", "2"))
            case _:
                return row

    def _dot(self, name: str, other: str, axis: int) -> str:
        """A product of rows: as far as the diagonal, or whole."""
        part = self._rng.choice((":i", "i:", ":", "1:"))
        self._are_numbers(name, other)
        if self._values[name].ndim == 1:
            return f"({name}[{part}] @ {other}[{part}])"
        left, right = (f"{x}[{f'i, {part}' if axis == 0 else f'{part}, i'}]" for x in (name, other))
        return self._rng.choice((f"({left} @ {right})", f"np.dot({left}, {right})"))

    def _row(self, name: str, axis: int) -> str:
        parts = [self._rng.choice((":", ":", "1:", ":-1", ":i", "i:"))] * self._values[name].ndim
        parts[axis] = self._rng.choice(("i", "i", "i", "i - 1", "i + 1", ":i", "i:"))
        return ", ".join(parts)

    def _of_element(self, name: str) -> str:
        """A statement about the element `i`, or `i, j`."""
        place = f"{name}[{self._element(name)}]"
        first, second = self._element_value(name), self._element_value(name)
        value = f"{first} {self._rng.choice('+-*')} {second}"
        line = self._into(place, self._rng.choice(("=", "=", "+=", "-=")), value, **_TRIED)
        if self._rng.random() < 0.3:
            return f"if {self._element_value(name)} > 0:\n    {line}"
        return line

    def _element_value(self, name: str) -> str:
        if self._rng.random() < 0.2:
            return self._rng.choice(("2", "0.5", "i"))
        other = self._rng.choice([name, *self._same_rank(name)])
        return f"{other}[{self._element(other)}]"

    def _element(self, name: str) -> str:
        rank = self._values[name].ndim
        near = ("{}", "{}", "{} - 1", "{} + 1", "-1", "0")
        names = ("i", "j") if rank == 1 or self._rng.random() < 0.8 else ("j", "i")
        return ", ".join(self._rng.choice(near).format(x) for x in names[:rank])

    # -------------------------------------------------------------------------------- expressions

    def _product(self, depth: int) -> str:
        """A product of two arrays whose sizes fit, some of them small."""
        one, two = self._array(1, 2), self._array(1, 2)
        forms = ("{}", "{}", "{}.T", "{}[:3]", "{}[..., :3]", "{}[:2]")
        left, right = self._rng.choice(forms).format(one), self._rng.choice(forms).format(two)
        self._are_numbers(one, two)
        return self._rng.choice((f"({left} @ {right})", f"np.dot({left}, {right})"))

    def _are_numbers(self, *names: str) -> None:
        if all(self._values[name].dtype.kind == "b" for name in names):
            raise TypeError("products of bools are refused")

    def _picked(self, depth: int) -> str:
        """What a mask or an array of indices picks."""
        name = self._array(1, 2)
        mask = f"{name} > {self._rng.choice(('0', '1', '-1'))}"
        whole = [n for n in self._arrays() if self._values[n].dtype.kind == "i"]
        if whole and self._rng.random() < 0.5:
            return f"{name}[{self._rng.choice(whole)} % {name}.shape[0]]"
        return self._rng.choice((f"{name}[{mask}]", f"np.sum({name}[{mask}])"))

    def _rearranged(self, depth: int) -> str:
        name = self._array(1, 2)
        other = self._rng.choice(self._same_rank(name))
        forms = (
            *("np.concatenate(({}, {}))", "np.stack(({0}, {0}), axis=1)", "np.flip({}, axis=0)"),
            *("np.cumsum({})", "np.clip({}, -1, 2)", "{}.copy()", "np.roll({}, 1)", "{}.ravel()"),
            *("np.mean({})", "np.any({} > 2)", "np.outer({}, {})", "{}.reshape(-1, 1)"),
        )
        return self._rng.choice(forms).format(name, other)


def _loop(variable: str, count: str, body: list[str]) -> str:
    return f"for {variable} in range({count}):\n" + textwrap.indent("\n".join(body), "    ")
