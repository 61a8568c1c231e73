"""LLVM code for the parameters of distributions: numbers, or arrays of one for each element.

They are tested as NumPy's methods test them, all before anything is drawn, with its messages.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from scriptc.backends.llvm.emitter.addresses import parts
from scriptc.backends.llvm.emitter.function import Emitter
from scriptc.backends.llvm.emitter.literals import float_constant
from scriptc_runtime.distributions import (
    BOUNDED,
    HYPERGEOMETRIC_MAX,
    POISSON_MAX,
    Distribution,
    Rule,
)
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.record import record
from scriptc_runtime.types import INT, RANDOM_STATE, DType, PyType, TensorType, int_limits

Wrong = Callable[[Emitter, Sequence[str]], str]


class Parameters:
    """The parameters of one draw; those that are arrays lie side by side in memory."""

    def __init__(self, e: Emitter, values: Sequence[Value], count: str) -> None:
        self._e = e
        self._count = count
        self._types = [v.type for v in values]
        self._values = [
            parts(e, v).data if isinstance(v.type, TensorType) else e.one(v) for v in values
        ]
        self.many = any(isinstance(type_, TensorType) for type_ in self._types)

    def at(self, index: str) -> Sequence[str]:
        """Return the parameters of the element at an index."""
        return [self._number(place, index) for place in range(len(self._values))]

    def _number(self, place: int, index: str) -> str:
        e, type_, value = self._e, self._types[place], self._values[place]
        if not isinstance(type_, TensorType):
            return value
        element = "i64" if type_.dtype is DType.I64 else "double"
        at = e.let(f"getelementptr {element}, ptr {value}, i64 {index}")
        return e.let(f"load {element}, ptr {at}")

    def any(self, places: Sequence[int], wrong: Wrong) -> str:
        """Return whether any element has parameters of which a test holds."""
        if not any(isinstance(self._types[place], TensorType) for place in places):
            return wrong(self._e, self._values)
        e, before = self._e, self._e.block
        head, body, done = e.label(), e.label(), e.label()
        e.jump(head)
        e.start(head)
        names, phis = e.open_phis(("i64", "i1"))
        index, found = names
        e.branch(e.let(f"icmp slt i64 {index}, {self._count}"), body, done)
        e.start(body)
        more = e.let(f"or i1 {found}, {wrong(e, self.at(index))}")
        after = e.let(f"add i64 {index}, 1")
        iterations = e.join(("i64", "i1"))
        iterations.incoming += [(before, ("0", "false")), (e.block, (after, more))]
        e.close_phis(phis, names, iterations)
        e.jump(head)
        e.start(done)
        return found


@record
class Test:
    """What parameters must not be: those at `places`; where none is what `unless` says."""

    places: tuple[int, ...]
    wrong: Wrong
    message: str
    kind: str = "ValueError"
    unless: Wrong | None = None


def require(e: Emitter, instr: Instr, found: Distribution, given: Parameters) -> None:
    """Raise where NumPy's method does."""
    for test in _tests(instr, found, given):
        wrong = given.any(test.places, test.wrong)
        if test.unless:
            other = given.any(test.places, test.unless)
            wrong = e.let(f"and i1 {wrong}, {e.let(f'xor i1 {other}, true')}")
        e.raise_if(wrong, test.kind, test.message, instr)


def _tests(instr: Instr, found: Distribution, given: Parameters) -> Iterator[Test]:
    name = str(instr.attrs["name"])
    older = instr.operands[0].type is RANDOM_STATE
    if name == BOUNDED:
        yield from _bounds(instr)
    elif name == "uniform":
        yield from _range(older=older, many=given.many)
    elif name in _SPECIAL:
        yield from _SPECIAL[name]
    places = range(len(found.parameters))
    # Of this one NumPy tests the second parameter first.
    for place in reversed(places) if name == "binomial" else places:
        parameter = found.parameters[place]
        yield from _by_rule(place, parameter.rule, parameter.name, parameter.type, given.many)
    if name == "negative_binomial":
        message = "n too large or p too small, see Generator.negative_binomial Notes"
        yield Test((0, 1), _too_many_failures, message)


# Comparisons of which any tells that a float breaks a rule.
_COMPARED: Mapping[Rule, Sequence[tuple[str, str]]] = {
    Rule.POSITIVE: (("ole", "0.0"),),
    Rule.POSITIVE_NOT_NAN: (("uno", "0.0"),),
    Rule.UP_TO_1: (("ult", "0.0"), ("ugt", "1.0")),
    Rule.ABOVE_0_UP_TO_1: (("ule", "0.0"), ("ugt", "1.0")),
    Rule.BELOW_1: (("ult", "0.0"), ("uge", "1.0")),
    Rule.ABOVE_1: (("ule", "1.0"),),
    Rule.POISSON: (("ult", "0.0"),),
}


def _by_rule(place: int, rule: Rule, name: str, type_: PyType, many: bool) -> Iterator[Test]:
    if rule is Rule.NONE:
        return
    broken = Test((place,), _breaks(place, rule, type_), rule.message(name, many=many))
    match rule:
        case Rule.POISSON:
            # Of arrays NumPy says first that they hold too much, and so of NaN.
            limit = float_constant(POISSON_MAX)
            much = _compares(place, (("ugt" if many else "ogt", limit),))
            tests = broken, Test((place,), much, f"{name} value too large")
            yield from reversed(tests) if many else tests
        case Rule.POSITIVE_NOT_NAN:
            yield broken
            yield from _by_rule(place, Rule.POSITIVE, name, type_, many)
        case _:
            yield broken


def _breaks(place: int, rule: Rule, type_: PyType) -> Wrong:
    if rule is not Rule.NON_NEGATIVE:
        return _compares(place, _COMPARED[rule])
    if type_ is INT:
        return lambda e, values: e.let(f"icmp slt i64 {values[place]}, 0")
    return lambda e, values: _is_negative(e, values[place])


def _compares(place: int, tests: Sequence[tuple[str, str]]) -> Wrong:
    def wrong(e: Emitter, values: Sequence[str]) -> str:
        found = [e.let(f"fcmp {how} double {values[place]}, {bound}") for how, bound in tests]
        return found[0] if len(found) == 1 else e.let(f"or i1 {found[0]}, {found[1]}")

    return wrong


def _is_negative(e: Emitter, value: str) -> str:
    """Return whether a float has a sign; -0.0 has, and NaN has none."""
    bits = e.let(f"bitcast double {value} to i64")
    number = e.let(f"fcmp ord double {value}, 0.0")
    return e.let(f"and i1 {number}, {e.let(f'icmp slt i64 {bits}, 0')}")


def _range(*, older: bool, many: bool) -> Iterator[Test]:
    def reach(e: Emitter, values: Sequence[str]) -> str:
        return e.let(f"fsub double {values[1]}, {values[0]}")

    def endless(e: Emitter, values: Sequence[str]) -> str:
        size = e.intrinsic("double", "@llvm.fabs.f64", f"double {reach(e, values)}")
        return e.let(f"fcmp ueq double {size}, {float_constant(float('inf'))}")

    def backward(e: Emitter, values: Sequence[str]) -> str:
        return _is_negative(e, reach(e, values))

    what = "Range" if older or many else "high - low range"
    yield Test((0, 1), endless, f"{what} exceeds valid bounds", "OverflowError")
    if not older:
        yield Test((0, 1), backward, Rule.NON_NEGATIVE.message("high - low"))


def _bounds(instr: Instr) -> Iterator[Test]:
    dtype, closed = instr.attrs["dtype"], instr.attrs["closed"]
    assert isinstance(dtype, DType)
    least, greatest = (0, 1) if dtype is DType.B1 else int_limits(dtype)
    name = "bool" if dtype is DType.B1 else dtype.numpy.name
    if least > -(2**63):
        yield Test((0,), _integers(f"slt {{0}}, {least}"), f"low is out of bounds for {name}")
    if greatest < 2**63 - 1:
        end = greatest if closed else greatest + 1
        yield Test((1,), _integers(f"sgt {{1}}, {end}"), f"high is out of bounds for {name}")
    wrong = _integers("sgt {0}, {1}" if closed else "sge {0}, {1}")
    of_zero = f"high {'<' if closed else '<='} 0"
    yield Test((0, 1), wrong, of_zero, unless=_integers("ne {0}, 0"))
    yield Test((0, 1), wrong, f"low {'>' if closed else '>='} high")


def _integers(test: str) -> Wrong:
    """Return a comparison of integers, `slt {0}, {1}` for example."""
    how, _, operands = test.partition(" ")
    return lambda e, values: e.let(f"icmp {how} i64 {operands.format(*values)}")


def _floats(test: str) -> Wrong:
    how, _, operands = test.partition(" ")
    return lambda e, values: e.let(f"fcmp {how} double {operands.format(*values)}")


def _takes_more(e: Emitter, values: Sequence[str]) -> str:
    total = e.let(f"add i64 {values[0]}, {values[1]}")
    return e.let(f"icmp slt i64 {total}, {values[2]}")


def _has_much(e: Emitter, values: Sequence[str]) -> str:
    much = [e.let(f"icmp sge i64 {value}, {HYPERGEOMETRIC_MAX}") for value in values[:2]]
    return e.let(f"or i1 {much[0]}, {much[1]}")


def _too_many_failures(e: Emitter, values: Sequence[str]) -> str:
    """Return whether a negative binomial distribution may ask too much of Poisson's."""
    n, p = values
    odds = e.let(f"fdiv double {e.let(f'fsub double 1.0, {p}')}, {p}")
    root = e.intrinsic("double", "@llvm.sqrt.f64", f"double {n}")
    most = e.let(f"fadd double {n}, {e.let(f'fmul double 10.0, {root}')}")
    product = e.let(f"fmul double {odds}, {most}")
    return e.let(f"fcmp ogt double {product}, {float_constant(POISSON_MAX)}")


_SPECIAL: Mapping[str, Sequence[Test]] = {
    "triangular": (
        Test((0, 1), _floats("ogt {0}, {1}"), "left > mode"),
        Test((1, 2), _floats("ogt {1}, {2}"), "mode > right"),
        Test((0, 2), _floats("oeq {0}, {2}"), "left == right"),
    ),
    "hypergeometric": (
        Test((0, 1), _has_much, f"both ngood and nbad must be less than {HYPERGEOMETRIC_MAX}"),
        Test((0, 1, 2), _takes_more, "ngood + nbad < nsample"),
    ),
}
