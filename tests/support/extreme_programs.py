"""Random programs whose sizes, steps, axes, indices and bounds are ints from the ends of 64 bits.

A program is one call, or what is done with the array that one makes; where a form has `#`, there
stands an int, a parameter of the program or a literal.  The same seed gives the same program.
"""

import random
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

LEAST, MOST = -(2**63), 2**63 - 1
# Ends, what overflows when it is multiplied by an item size or by itself, and what wraps to little.
EXTREMES = (
    *(LEAST, LEAST + 1, LEAST + 7, -(2**62) - 1, -(2**62), -(2**32), -(2**31) - 1, -(2**31)),
    *(2**31 - 1, 2**31, 2**31 + 1, 2**32 - 1, 2**32, 2**32 + 1, 3037000500, 2**59, 2**60, 2**61),
    *(2**62 - 1, 2**62, 2**62 + 1, 2**62 + 2, 6148914691236517206, MOST - 7, MOST - 1, MOST),
)
SMALL = (-5, -3, -2, -1, -1, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 9)
NAMES = "abcd"
HEAD = "x: f64[N], z: i64[K], u: u8[L], m: f64[P, Q], xs: list[int], t: str, " + ", ".join(
    f"{name}: int" for name in NAMES
)


def _forms(text: str) -> tuple[str, ...]:
    return tuple(form.strip() for form in text.split(";"))


# What makes an array, with or without elements.
MAKING = _forms("""
x.reshape(#, #); x.reshape((#, #, #)); np.reshape(m, (#, #)); m.reshape(#);
np.reshape(x[:0], (#, #)); np.resize(x, (#, #)); np.resize(m, #); np.tile(x, #);
np.tile(m, (#, #)); np.repeat(x, #); np.repeat(m, #, axis=1); np.roll(x, #);
np.roll(m, #, axis=0); np.roll(m, (#, #), axis=(0, 1)); np.zeros(#); np.ones((#, #));
np.zeros((#, #, #)); np.full((#, #), 1.5); np.zeros((#, 0, #)); np.zeros((0, #));
np.ones(#, dtype=np.uint8); np.zeros((#, #), dtype=np.complex128); np.full(#, 3); np.arange(#);
np.arange(#, #); np.arange(#, #, #); np.arange(#, dtype=np.uint8); np.arange(#, #, 0.5);
np.linspace(0.0, 1.0, #); np.linspace(#, 3.0, #); np.geomspace(1.0, 8.0, #);
np.logspace(0.0, 1.0, #); np.eye(#, #, #); np.eye(3, k=#); np.identity(#); np.tri(#, #, #);
np.tri(3, 4, #); np.tril(m, #); np.triu(m, #); np.diag(x, #); np.diag(m, #); np.diagflat(m, #);
np.diagonal(m, #); np.diagonal(m.T, #); np.indices((#, #)); np.pad(x, #);
np.pad(x, (#, #), mode='edge'); np.vander(x, #); np.pad(m, ((#, #), (#, #)));
np.pad(x, #, mode='reflect'); np.pad(x, #, mode='wrap'); np.pad(x, #, mode='symmetric');
np.pad(x, (#, #), mode='linear_ramp'); np.pad(x, #, mode='mean', stat_length=#);
np.broadcast_to(x[:1], (#, #)); np.broadcast_to(x, (#, len(x)));
np.lib.stride_tricks.sliding_window_view(x, #); np.take(x, #, mode='clip');
np.take(x, np.array([#, #])); x[np.array([#, #])]; np.take(x, np.array([#, #]), mode='clip');
np.take(m, np.array([#, #]), axis=1); m[np.array([#, #])]; m[np.array([#]), np.array([#])];
np.delete(x, #); np.insert(x, #, 9.0); np.delete(m, #, axis=1); np.insert(m, #, 1.0, axis=0);
np.bincount(abs(z), minlength=#); np.bincount(np.array([#, #]) & 7, minlength=#);
np.fft.fft(x, #); np.fft.rfft(x, #); np.fft.fftfreq(#); np.fft.irfft(np.fft.rfft(x), #);
np.hanning(#); np.bartlett(#); np.partition(x, #); np.argpartition(x, #);
np.random.default_rng(3).random(#); np.random.default_rng(3).random((#, #));
np.random.default_rng(3).permutation(#); np.random.default_rng(3).integers(#, #, 5);
np.random.default_rng(3).integers(0, 9, #); np.random.default_rng(3).normal(0.0, 1.0, (#, #));
np.random.default_rng(3).choice(#, 2); np.random.RandomState(3).randint(#, #, 5);
np.random.RandomState(3).rand(#, #); np.random.default_rng(3).choice(x, #); np.histogram(x, #)[0];
np.histogram_bin_edges(x, #); x[#:#]; x[#:#:#]; x[::#]; m[#:#, ::#]; m[#, #:#]; m[::#, #];
x[#:][::#]; z << #; z >> #; u << 3; z // #; z % #; z * #; np.left_shift(z, #); z ** 2 + #;
np.power(z, abs(z) % 5) + #; np.clip(z, #, #); np.gcd(z, #); np.maximum(z, #); np.full_like(z, #);
np.array([#, #, #]); np.int64(#) + z; np.ldexp(x, z % 9); np.searchsorted(np.array([#, #]), z);
np.cumsum(np.array([#, #])); np.diff(np.array([#, #])); np.tril_indices(3, #)[0];
np.triu_indices(3, #, 4)[1]; np.tril_indices(#)[0]; np.diag_indices(#)[0];
np.array_split(x, #)[0]; np.split(x, #)[0]; np.hsplit(m, #)[0]; np.split(x, [#, #])[1];
np.array_split(m, [#, #], axis=1)[2]; np.split(m, (#,))[0]; np.rint(x).astype(np.int64) * #;
np.choose(z % 2, (z, np.full_like(z, #))); np.zeros((#, #))[#:#]; np.ones((2, #))[:, ::#];
np.arange(#)[#:#]; np.unravel_index(z, (max(#, 0), #))[0]; np.where(z > #, z, #);
np.isin(z, np.array([#, #])); np.mgrid[0:#, 0:2][0]; np.r_[#:#];
np.stack([np.zeros(#), np.zeros(#)]); np.concatenate((x, np.zeros(#))); np.kron(x, np.ones(#));
np.concatenate((np.zeros((#, 0)), np.zeros((#, 0)))); np.tile(np.zeros((#, 0)), (#, 1));
np.repeat(np.zeros((#, 0)), #, axis=0); np.pad(np.zeros((#, 0)), ((#, 2), (0, 0)));
np.zeros((#, 0))[:, None, :] + np.zeros((#, 0)); np.zeros((#, #, 0)).reshape(-1, 0);
np.zeros((0, #)).T @ np.zeros((0, #)); np.zeros((0, #, #)).sum(axis=0); np.stack((m[:0],) * 2);
np.kron(np.zeros((#, 0)), np.zeros((#, 1))); np.outer(x, np.ones(#))
""")
# What is done with an array `y` that was made so.
USING = _forms("""
y; y; y + 1; y.shape; y.sum(); y[::-1]; y * 2 - y; len(y); y.size; y.T; y.ravel(); y.reshape(-1);
y.nbytes; y[#:#]; y[#]; np.sum(y, axis=0); y.copy(); y.reshape(#, -1); y.any(); y.max();
y.mean(axis=-1); np.argmax(y); y[::#]
""")
# What gives something else, or writes.
OTHERS = _forms("""
x[#]; m[#, #]; z[#]; x.item(#); xs[#]; t[#]; x[#] + m[#, #]; np.trace(m, #); xs[#:#]; xs[#:#:#];
t[#:#]; t[#:#:#]; t[::#]; xs * #; [7] * #; t * #; # * t; [None] * # == []; len([1.5] * #);
len(t * #); [xs] * #; xs.index(#); xs.count(#); xs.index(2, #, #); t.find('b', #, #);
t.index('c', #); t.count('a', #, #); t.rjust(#); t.center(#); t.zfill(#); t.startswith('a', #);
t.replace('a', 'bb', #); # in range(#, #); # in range(#, #, #); len(range(#, #, #));
range(#, #, #)[#]; # + #; # - #; # * #; # // #; # % #; # ** 2; # << 3; # >> #; -#; abs(#); # ^ #;
divmod(#, #); pow(#, 3, #); pow(2, #, 7); round(#, -2); round(#, #); #.bit_length();
int(float(#)); float(#) / 3; # / #; math.gcd(#, #); math.lcm(#, #); math.isqrt(#);
math.comb(#, 2); math.comb(9, #); math.perm(#, 2); math.factorial(#); math.ldexp(1.5, #);
np.int64(#) * np.int64(#); np.int64(#) << np.int64(#); np.int64(#) // np.int64(#); np.int32(#);
np.uint8(#); np.int64(#) % np.int64(#); abs(np.int64(#)); -np.int64(#); np.uint64(#);
np.float32(#); chr(#); bool(#); min(#, #, #); sum([#, #]); str(#);
np.ravel_multi_index((#, #), (3, 4)); np.ravel_multi_index((#, #), (#, #));
np.unravel_index(#, (3, 4)); np.unravel_index(#, (max(#, 0), #)); np.searchsorted(z, #);
np.linalg.matrix_power(m[:2, :2], #); np.random.RandomState(#).rand(); np.polyder(x, 1) * #;
np.sum(z * #); np.prod(np.array([#, #])); np.mean(np.array([#, #])); np.dot(z, z * #);
[v * # for v in xs]; f'{#:>5}';
np.array([1, *xs])[#]; np.array([1, *xs])[#:#]; z.searchsorted(#); x.take(#)
""")
# Statements, and what is returned after them.
STATEMENTS = (
    ("x[#] = 7.0", "x"),
    ("x[#:#] = 7.0", "x"),
    ("x[#:#:#] = 7.0", "x"),
    ("m[#, #:#] += 1.0", "m"),
    ("m[#:#, #] = 2.0", "m"),
    ("x[::#] = x[0]", "x"),
    ("x[np.array([#, #])] = 5.0", "x"),
    ("z[0] = #", "z"),
    ("z[:] = #", "z"),
    ("z += #", "z"),
    ("u[0] = #", "u"),
    ("z <<= #", "z"),
    ("z //= #", "z"),
    ("z.fill(#)", "z"),
    ("np.put(x, [#, #], 1.0)", "x"),
    ("x.partition(#)", "x"),
    ("np.put(x, [#, #], 1.0, mode='clip')", "x"),
    ("np.fill_diagonal(m, #)", "m"),
    ("xs[#] = 3", "xs"),
    ("xs.insert(#, 5)", "xs"),
    ("xs.pop(#)", "xs"),
    ("del xs[#]", "xs"),
    ("xs[#:#] = [1, 2]", "xs"),
    ("del xs[#:#]", "xs"),
    ("xs *= #", "xs"),
    ("xs += [#] * #", "xs"),
    ("y = x.copy(); y.shape = (#, #)", "y"),
    ("y = m.copy(); y.shape = (#,)", "y"),
    ("np.copyto(x[#:#], 3.0)", "x"),
    ("y = x[#:#]; y[:] = y[::-1].copy()", "x"),
    ("y = np.reshape(x, (#, #)); y[:] = 1.0", "x"),
    ("y = np.reshape(x, (#, -1, #)); y[0] = 1.0", "x"),
)
# Loops that end themselves: `s` is what they give.
_LOOPS_TEXT = """
for i in range(#, #, #):
    s += i & 15
    if s > 40:
        break

for i in range(#, #, #):
    s += x[i & 1]
    n += 1
    if n > 6:
        break

for i in range(#, #):
    s += x[i]
    n += 1
    if n > 6:
        break

for i in range(#):
    for j in range(#, #, #):
        s += (i ^ j) & 3
        if s > 30:
            break
    if s > 30:
        break

for i in reversed(range(#, #, #)):
    s += i & 15
    if s > 40:
        break

for i, v in enumerate(x, #):
    s += (i & 7) * v

for i, j in zip(range(#, #, #), range(5)):
    s += (i & 7) * j

for i, v in zip(range(#, #), x):
    s += (i & 7) * v

for i in range(len(x)):
    s += x[i + # - #]

for i in range(len(x)):
    if i + # < len(x):
        s += x[i + #]

for i in range(len(x)):
    s += x[i * # % len(x)]

for i in range(#, len(x)):
    s += x[i]
    n += 1
    if n > 6:
        break

for i in range(len(x) - 1, #, -1):
    s += x[i]
    n += 1
    if n > 6:
        break

for i in range(0, len(x), #):
    s += x[i]
    x[i] = s

for i in range(#, len(x), #):
    x[i] = 2.0
    n += 1
    if n > 6:
        break

i = #
while i < len(x):
    s += x[i]
    i += #
    n += 1
    if n > 6:
        break

i = #
while i >= 0:
    s += x[i]
    i -= #
    n += 1
    if n > 6:
        break

for i in prange(0, len(x), #):
    x[i] = 3.0

for i in prange(#, len(x)):
    x[i] = 3.0

for i in range(m.shape[0]):
    for j in range(#, m.shape[1], 2):
        s += m[i, j]
        n += 1
        if n > 9:
            break

for i in range(len(x)):
    for j in range(i, len(x), #):
        s += x[j] * x[i]

for i in np.ndindex(#, 2):
    s += i[0] & 3
    n += 1
    if n > 6:
        break

for v in x[#:#:#]:
    s += v

for v in np.arange(#, #, #):
    s += v & 3
    n += 1
    if n > 6:
        break
"""
LOOPS = tuple(loop.strip() for loop in _LOOPS_TEXT.split("\n\n"))


class ExtremeProgram(NamedTuple):
    """One function."""

    seed: int
    lines: tuple[str, ...]

    @property
    def name(self) -> str:
        """What the function is called."""
        return f"p{self.seed}"

    @property
    def has_large(self) -> bool:
        """Whether a literal is too large for a size."""
        return any(abs(number) > 10**9 for number in self.literals)

    @property
    def literals(self) -> list[int]:
        """The ints that are written down."""
        return list(map(int, re.findall(r"\((-?\d+)\)", "".join(self.lines))))

    @property
    def computes(self) -> bool:
        """Whether the program itself computes with ints, which may not fit in 64 bits."""
        return not self.lines[0].startswith("y = ")

    @property
    def text(self) -> str:
        """The function as source text."""
        return "\n    ".join((f"def {self.name}({HEAD}):", *self.lines)) + "\n"


def module_text(programs: Sequence[ExtremeProgram]) -> str:
    """Return the source of a module with these functions."""
    head = (
        "import math\n\nimport numpy as np\n\nfrom scriptc import prange\n"
        "from scriptc.types import dim, f64, i64, u8\n\n"
        "N, K, L, P, Q = map(dim, ('N', 'K', 'L', 'P', 'Q'))\n"
    )
    return head + "".join(f"\n\n{program.text}" for program in programs)


def draw_program(seed: int) -> ExtremeProgram:
    """Return the program of a seed."""
    rng = random.Random(seed)
    literals = rng.random() < 0.3

    def filled(form: str) -> str:
        parts = form.split("#")
        text = parts[0]
        for part in parts[1:]:
            text += f"({draw_int(rng)})" if literals and rng.random() < 0.6 else rng.choice(NAMES)
            text += part
        return text

    kind = rng.choices(("made", "other", "statement", "loop"), (50, 22, 10, 18))[0]
    match kind:
        case "made":
            lines = [f"y = {filled(rng.choice(MAKING))}", f"return {filled(rng.choice(USING))}"]
        case "other":
            lines = [f"return {filled(rng.choice(OTHERS))}"]
        case "statement":
            statement, result = rng.choice(STATEMENTS)
            lines = [*filled(statement).split("; "), f"return {result}"]
        case _:
            body = filled(rng.choice(LOOPS)).split("\n")
            lines = ["s = 0.0", "n = 0", *body, "return float(s), n"]
    return ExtremeProgram(seed, tuple(lines))


def draw_int(rng: random.Random) -> int:
    """Return an int that may be anything."""
    return rng.choice(SMALL if rng.random() < 0.5 else EXTREMES)


def draw_arguments(seed: int, call: int) -> list[Any]:
    """Return the arguments of one call."""
    rng = random.Random(seed * 64 + call)
    size = rng.choice((0, 1, 3, 4, 7))
    x = np.arange(size) * 0.75 - 1.0
    z = np.array([rng.randint(-9, 9) for _ in range(rng.choice((0, 1, 3, 4)))], np.int64)
    u = np.arange(rng.choice((1, 5)), dtype=np.uint8)
    m = np.arange(12.0).reshape(rng.choice(((3, 4), (4, 3), (1, 12), (12, 1)))) - 2.0
    xs = [rng.randint(0, 9) for _ in range(rng.choice((0, 1, 4)))]
    return [x, z, u, m, xs, rng.choice(("", "a", "abcab")), *(draw_int(rng) for _ in NAMES)]
