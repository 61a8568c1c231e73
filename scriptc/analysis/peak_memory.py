"""How much memory the new arrays of a function take at once, as `explain` says it.

What is alive is known where owners are counted: see `passes/ownership.py`. Sizes are those of
types, so they are written with the names of sizes, and the greatest is the one where each name
stands for a thousand. Buffers of loops are counted from the first iteration to the end of the loop.
Rows that kernels keep for themselves, and what called functions make, are not.
"""

from collections import Counter
from collections.abc import Iterable

from scriptc.analysis.remarks import Kind, Message, Topic, place_of, remark
from scriptc_runtime.ir import NOWHERE, Function, Instr, Loc, Value
from scriptc_runtime.ops import buffers
from scriptc_runtime.record import field, record
from scriptc_runtime.types import TensorType

PEAK = Message(
    "ownership",
    Topic.MEMORY,
    Kind.NOTE,
    "new arrays take at most {bytes} at once, in line {line}",
)
_NAMED = 1000  # what a name of a size stands for where sizes are compared


@record(frozen=False, eq=False)
class PeakMemory:
    """What the arrays that a function makes take at the place where they take most."""

    _most: Counter[TensorType] = field(default_factory=Counter[TensorType])
    _loc: Loc = NOWHERE
    _kept: dict[int, TensorType] = field(default_factory=dict[int, TensorType])

    def note(self, instr: Instr, live: Iterable[Value]) -> None:
        """Take note of what is alive when an instruction has run."""
        if instr.op is buffers.DROP_KEPT:
            self._kept.pop(_slot(instr), None)
        made = [r.type for r in instr.results if isinstance(r.type, TensorType)]
        if not made:
            return
        if instr.op is buffers.KEPT_ARRAY:
            before = self._kept.get(_slot(instr), made[0])
            self._kept[_slot(instr)] = max(before, made[0], key=_weight)
        arrays = [v.type for v in live if isinstance(v.type, TensorType)]
        total = Counter([*arrays, *self._kept.values()])
        if _total(total) > _total(self._most):
            self._most, self._loc = total, place_of(instr)

    def say(self, function: Function) -> None:
        """Leave the remark, at the head of the function."""
        if self._most:
            place = function.loc if self._loc is NOWHERE else self._loc
            remark(PEAK, function.loc, bytes=_Sum(self._most), line=place)


class _Sum:
    """The memory of several arrays, the greatest first: `16 * N * M + 8 * M bytes`."""

    __slots__ = ("_arrays",)

    def __init__(self, arrays: Counter[TensorType]) -> None:
        self._arrays = arrays

    def __str__(self) -> str:
        terms: dict[tuple[str, ...], int] = {}
        computed = 0
        for type_, count in sorted(self._arrays.items(), key=lambda i: -_weight(i[0])):
            if not all(dim.known for dim in type_.dims):
                computed += count
                continue
            names = tuple(str(dim) for dim in type_.dims if not dim.is_constant)
            terms[names] = terms.get(names, 0) + count * _constant(type_)
        known = [" * ".join([f"{number:,}", *names]) for names, number in terms.items()]
        others = f"{computed} array{'s' if computed > 1 else ''} of computed sizes"
        text = f"{' + '.join(known)} bytes" if known else ""
        return " and ".join([*filter(None, [text]), *([others] if computed else [])])


def _slot(instr: Instr) -> int:
    slot = instr.attrs["slot"]
    assert isinstance(slot, int)
    return slot


def _constant(type_: TensorType) -> int:
    total = type_.dtype.itemsize
    for dim in type_.dims:
        total *= dim.constant if dim.is_constant else 1
    return total


def _weight(type_: TensorType) -> int:
    """Return about how many bytes an array takes, to compare it with others."""
    return _constant(type_) * _NAMED ** sum(not dim.is_constant for dim in type_.dims)


def _total(arrays: Counter[TensorType]) -> int:
    return sum(count * _weight(type_) for type_, count in arrays.items())
