"""The functions of `random`, in the script language, as CPython 3.11 has them in Lib/random.py.

Their numbers are those of Python's own generator. What takes logarithms is asked of CPython: those
of compiled code may differ in the last bit.

What is drawn comes from a `random.Random`, `self`, or from the generator of the module where that
is None.
"""

import math

from scriptc_runtime import unsafe


def seed(a: int | None = None) -> None:
    """Start the numbers anew."""
    drawn_seed(None, a)


def random() -> float:
    """Return a number from 0 up to 1."""
    return drawn_random(None)


def getrandbits(k: int, /) -> int:
    """Return a number of so many bits."""
    return drawn_getrandbits(None, k)


def randrange(start: int, stop: int | None = None, step: int = 1) -> int:
    """Return an item of a range."""
    return drawn_randrange(None, start, stop, step)


def randint(a: int, b: int) -> int:
    """Return an int from `a` up to `b` itself."""
    return drawn_randint(None, a, b)


def choice(seq):
    """Return an item."""
    return drawn_choice(None, seq)


def choices(population, weights=None, *, k: int = 1):
    """Return so many items, each of which may be there more than once."""
    return drawn_choices(None, population, weights, k=k)


def shuffle(x: unsafe.Written) -> None:
    """Bring the items of a list into another order."""
    drawn_shuffle(None, x)


def sample(population, k: int):
    """Return so many items, each once."""
    return drawn_sample(None, population, k)


def uniform(a: float, b: float) -> float:
    """Return a number between two others."""
    return drawn_uniform(None, a, b)


def triangular(low: float = 0.0, high: float = 1.0, mode: float | None = None) -> float:
    """Return a number of the triangular distribution."""
    return drawn_triangular(None, low, high, mode)


def normalvariate(mu: float = 0.0, sigma: float = 1.0) -> float:
    """Return a number of the normal distribution."""
    return drawn_normalvariate(None, mu, sigma)


def gauss(mu: float = 0.0, sigma: float = 1.0) -> float:
    """Return a number of the normal distribution, two of which are made at once."""
    return drawn_gauss(None, mu, sigma)


def lognormvariate(mu: float, sigma: float) -> float:
    """Return a number whose logarithm is of the normal distribution."""
    return drawn_lognormvariate(None, mu, sigma)


def expovariate(lambd: float) -> float:
    """Return a number of the exponential distribution."""
    return drawn_expovariate(None, lambd)


def paretovariate(alpha: float) -> float:
    """Return a number of the Pareto distribution."""
    return drawn_paretovariate(None, alpha)


def weibullvariate(alpha: float, beta: float) -> float:
    """Return a number of the Weibull distribution."""
    return drawn_weibullvariate(None, alpha, beta)


def gammavariate(alpha: float, beta: float) -> float:
    """Return a number of the gamma distribution.  Raises ValueError."""
    return drawn_gammavariate(None, alpha, beta)


def betavariate(alpha: float, beta: float) -> float:
    """Return a number of the beta distribution.  Raises ValueError."""
    return drawn_betavariate(None, alpha, beta)


def vonmisesvariate(mu: float, kappa: float) -> float:
    """Return an angle of the von Mises distribution."""
    return drawn_vonmisesvariate(None, mu, kappa)


def drawn_seed(self, a: int | None = None) -> None:
    """Start the numbers anew."""
    if a is None:
        unsafe.draw(self, "seed_anew")
    else:
        unsafe.draw(self, "seed", a)


def drawn_random(self) -> float:
    """Return a number from 0 up to 1."""
    return unsafe.draw(self, "random")


def drawn_getrandbits(self, k: int, /) -> int:
    """Return a number of so many bits."""
    if k < 0:
        raise ValueError("number of bits must be non-negative")
    if k > 63:
        raise OverflowError("the result does not fit in the 64 bits of an int")
    return unsafe.draw(self, "getrandbits", k)


def _below(self, n: int) -> int:
    bits = 0
    rest = n
    while rest > 0:
        bits += 1
        rest >>= 1
    found = unsafe.draw(self, "getrandbits", bits)
    while found >= n:
        found = unsafe.draw(self, "getrandbits", bits)
    return found


def drawn_randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
    """Return an item of a range."""
    if stop is None:
        if step != 1:
            raise TypeError("Missing a non-None stop argument")
        if start > 0:
            return _below(self, start)
        raise ValueError("empty range for randrange()")
    width = stop - start
    if step == 1:
        if width > 0:
            return start + _below(self, width)
        raise ValueError(f"empty range for randrange() ({start}, {stop}, {width})")
    if step > 0:
        count = (width + step - 1) // step
    elif step < 0:
        count = (width + step + 1) // step
    else:
        raise ValueError("zero step for randrange()")
    if count <= 0:
        raise ValueError("empty range for randrange()")
    return start + step * _below(self, count)


def drawn_randint(self, a: int, b: int) -> int:
    """Return an int from `a` up to `b` itself."""
    return drawn_randrange(self, a, b + 1)


def drawn_choice(self, seq):
    """Return an item."""
    if len(seq) == 0:
        raise IndexError("Cannot choose from an empty sequence")
    return seq[_below(self, len(seq))]


def drawn_choices(self, population, weights=None, *, k: int = 1):
    """Return so many items, each of which may be there more than once."""
    n = len(population)
    found = [population[0]][:0]
    if weights is None:
        size = n + 0.0
        for _ in range(k):
            found.append(population[math.floor(drawn_random(self) * size)])
        return found
    if len(weights) != n:
        raise ValueError("The number of weights does not match the population")
    sums = [weights[0]][:0]
    for weight in weights:
        sums.append(sums[-1] + weight if len(sums) > 0 else weight)
    total = sums[-1] + 0.0
    if total <= 0.0:
        raise ValueError("Total of weights must be greater than zero")
    if not math.isfinite(total):
        raise ValueError("Total of weights must be finite")
    for _ in range(k):
        drawn = drawn_random(self) * total
        low, high = 0, n - 1
        while low < high:
            middle = (low + high) // 2
            if drawn < sums[middle]:
                high = middle
            else:
                low = middle + 1
        found.append(population[low])
    return found


def drawn_shuffle(self, x: unsafe.Written) -> None:
    """Bring the items of a list into another order."""
    for i in reversed(range(1, len(x))):
        j = _below(self, i + 1)
        other = x[i]
        x[i] = x[j]
        x[j] = other


def drawn_sample(self, population, k: int):
    """Return so many items, each once."""
    n = len(population)
    if k < 0 or k > n:
        raise ValueError("Sample larger than population or is negative")
    pool = [item for item in population]
    found = pool[:0]
    room = 21
    if k > 5:
        room += 4 ** math.ceil(math.log(k * 3, 4))
    if n <= room:
        for i in range(k):
            j = _below(self, n - i)
            found.append(pool[j])
            pool[j] = pool[n - i - 1]
    else:
        selected = {-1}
        for _ in range(k):
            j = _below(self, n)
            while j in selected:
                j = _below(self, n)
            selected.add(j)
            found.append(pool[j])
    return found


def drawn_uniform(self, a: float, b: float) -> float:
    """Return a number between two others."""
    return a + (b - a) * drawn_random(self)


def drawn_triangular(self, low: float = 0.0, high: float = 1.0, mode: float | None = None) -> float:
    """Return a number of the triangular distribution."""
    u = drawn_random(self)
    if mode is None:
        c = 0.5
    else:
        if high == low:
            return low
        c = (mode - low) / (high - low)
    if u > c:
        u = 1.0 - u
        c = 1.0 - c
        low, high = high, low
    return low + (high - low) * math.sqrt(u * c)


def drawn_normalvariate(self, mu: float = 0.0, sigma: float = 1.0) -> float:
    """Return a number of the normal distribution."""
    return unsafe.draw(self, "normalvariate", mu, sigma)


def drawn_gauss(self, mu: float = 0.0, sigma: float = 1.0) -> float:
    """Return a number of the normal distribution, two of which are made at once."""
    return unsafe.draw(self, "gauss", mu, sigma)


def drawn_lognormvariate(self, mu: float, sigma: float) -> float:
    """Return a number whose logarithm is of the normal distribution."""
    return unsafe.draw(self, "lognormvariate", mu, sigma)


def drawn_expovariate(self, lambd: float) -> float:
    """Return a number of the exponential distribution."""
    return unsafe.draw(self, "expovariate", lambd)


def drawn_paretovariate(self, alpha: float) -> float:
    """Return a number of the Pareto distribution."""
    return unsafe.draw(self, "paretovariate", alpha)


def drawn_weibullvariate(self, alpha: float, beta: float) -> float:
    """Return a number of the Weibull distribution."""
    return unsafe.draw(self, "weibullvariate", alpha, beta)


def drawn_gammavariate(self, alpha: float, beta: float) -> float:
    """Return a number of the gamma distribution.  Raises ValueError."""
    return unsafe.draw(self, "gammavariate", alpha, beta)


def drawn_betavariate(self, alpha: float, beta: float) -> float:
    """Return a number of the beta distribution.  Raises ValueError."""
    return unsafe.draw(self, "betavariate", alpha, beta)


def drawn_vonmisesvariate(self, mu: float, kappa: float) -> float:
    """Return an angle of the von Mises distribution."""
    return unsafe.draw(self, "vonmisesvariate", mu, kappa)
