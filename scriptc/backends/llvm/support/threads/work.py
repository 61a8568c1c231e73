"""How much work a launch is, estimated where it is launched: trip count times cost.

The unit is about an eighth of a nanosecond: an addition in vector code whose operands are in the
cache. An estimate decides who runs a kernel, never what it computes, so it may be wrong by a factor
or two, and may wrap around: a size that no array has makes a launch look small.
"""

from collections.abc import Sequence

from scriptc.analysis.costs import COSTS, OF_ROWS, OTHER, SCALAR, scalar_cost
from scriptc.analysis.definitions import definitions_of
from scriptc.backends.llvm.emitter.function import Emitter, literal
from scriptc.backends.llvm.loading.abi import tensor_parts
from scriptc_runtime.ir import Block, Function, Instr, Role, Value
from scriptc_runtime.ops import arrays, control, data, low
from scriptc_runtime.ops import elementwise as elements
from scriptc_runtime.types import TensorType

_STRIDED = 4  # times as much: no vector code, a cache line for an element
_ROUNDS = 16  # of an inner loop whose length follows from what the kernel computes
_OPEN_ROUNDS = 64  # of a loop of the script: `for` of a length that is not known, or `while`


def launch_work(e: Emitter, launch: Instr, kernel: Function) -> str:
    """Write code that estimates the work of a launch, and return it, an i64."""
    count, *arguments = launch.operands
    return Estimate(e, kernel, arguments).work(e.one(count))


class Estimate:
    """What is known of a function where it is called, with arguments of the function around it.

    `around` is that of the caller, if the caller is not the function that is emitted.
    """

    def __init__(
        self,
        e: Emitter,
        function: Function,
        arguments: Sequence[Value],
        around: "Estimate | None" = None,
    ) -> None:
        self._e = e
        self._function = function
        self._given = dict(zip(function.params, arguments, strict=False))
        self._around = around
        self._definitions = definitions_of(function)
        self._sizes: dict[Value, str | None] = {}

    @property
    def iteration(self) -> Block:
        """What an iteration of a kernel does."""
        *_, loop = (i for i in self._function.body.body if i.op is low.LOOP)
        return loop.blocks[0]

    def work(self, iterations: str) -> str:
        """Return the work of iterations of a kernel."""
        return self.product(iterations, self._round(self.iteration))

    def called(self, function: Function, arguments: Sequence[Value]) -> "Estimate":
        """Return what is known of a function that this one calls."""
        return Estimate(self._e, function, arguments, self)

    def work_of_call(self) -> str:
        """Return the work of a function that is no kernel: vector code is a part of it at most."""
        return self.product(self._round(self._function.body), str(SCALAR))

    def count(self, launch: Instr) -> str:
        """Return how many iterations a launch has that this function does."""
        return self._size(launch.operands[0]) or str(_ROUNDS)

    def _round(self, block: Block) -> str:
        """Return the cost of the instructions of a block, inner loops times their iterations."""
        fixed = 0
        cost = "0"
        for instr in block.body:
            if instr.op in (low.LOOP, low.REDUCE):
                iterations = self._size(instr.operands[0]) or str(_ROUNDS)
                each = self.total(self._round(instr.blocks[0]), "1")
                cost = self.total(cost, self.product(iterations, each))
                continue
            cost = self.total(cost, self.work_of_row(instr))
            fixed += self._cost(instr)
            iterations = self.iterations_of(instr)
            for inner in instr.blocks:
                each = (
                    self.total(self._round(inner), "1") if iterations != "1" else self._round(inner)
                )
                cost = self.total(cost, self.product(iterations, each))
        return self.total(cost, str(fixed))

    def work_of_row(self, instr: Instr) -> str:
        """Return the work of an op that takes a row whole, 0 of another one."""
        each = OF_ROWS.get(instr.op)
        if each is None:
            return "0"
        size = self._axis(instr.operands[0], 0) or str(_OPEN_ROUNDS)
        return self.product(size, str(each))

    def iterations_of(self, instr: Instr) -> str:
        """Return how often the blocks of an instruction run, as far as that is known."""
        match instr.op:
            case control.FOR:
                start, stop = (self._definition(v) for v in instr.operands[:2])
                if stop is not None and stop.op is elements.ADD:
                    first, length = stop.operands
                    if self._definition(first) is start:
                        return self._size(length) or str(_OPEN_ROUNDS)
                return self._size(instr.operands[1]) or str(_OPEN_ROUNDS)
            case control.WHILE:
                return str(_OPEN_ROUNDS)
            case _:
                return "1"

    def _definition(self, value: Value) -> Instr | None:
        """Return what makes a number, looking through conversions between int and i64."""
        definition = self._definitions.get(value)
        while definition is not None and definition.op is elements.CAST:
            definition = self._definitions.get(definition.operands[0])
        return definition

    def _cost(self, instr: Instr) -> int:
        match instr.op:
            case low.LOAD:
                return COSTS[low.LOAD] * self._stretch(instr.operands[0])
            case low.STORE:
                return COSTS[low.STORE] * self._stretch(instr.operands[0])
            case op:
                in_kernel = self._function.role is Role.KERNEL
                return COSTS.get(op, OTHER) if in_kernel else scalar_cost(op)

    def _stretch(self, array: Value) -> int:
        # What is not said to be contiguous came in as it is.
        assert isinstance(array.type, TensorType)
        return _STRIDED if array in self._given and array.type.rank else 1

    def _size(self, value: Value) -> str | None:
        """Return a number of the kernel as the launch knows it; None where it does not."""
        if value not in self._sizes:
            self._sizes[value] = self._find(value)
        return self._sizes[value]

    def _argument(self, value: Value) -> str | None:
        return self._around._size(value) if self._around else self._e.one(value)

    def _find(self, value: Value) -> str | None:
        if value in self._given:
            return self._argument(self._given[value])
        definition = self._definitions.get(value)
        if definition is None:
            return None  # the number of an iteration
        match definition.op:
            case data.CONST:
                return str(int(str(definition.attrs["value"])))
            case elements.CAST:
                return self._size(definition.operands[0])
            case low.SIZE | arrays.DIM:
                return self._axis(definition.operands[0], int(str(definition.attrs["axis"])))
            case low.SELECT | elements.MINIMUM | elements.MAXIMUM:
                return self._smaller(definition.operands[-2:])
            case elements.ADD | elements.MUL | elements.FLOORDIV:
                return self._arithmetic(definition)
            case low.CHUNK | low.CHUNKS:
                return self._chunks(definition)
            case elements.SUB:
                # What is left of a whole from some iteration on is the whole at most.
                return self._size(definition.operands[0])
            case _:
                return None

    def _chunks(self, definition: Instr) -> str | None:
        """Return about how large the chunks of a fold are, or how many; None of other numbers."""
        if definition.op not in (low.CHUNK, low.CHUNKS):
            return None
        count, size = map(self._size, definition.operands)
        if count is None or size is None:
            return None
        if definition.op is low.CHUNK:
            inner = literal(size) or 1
            least, share = low.FOLD_ELEMENTS // inner, self._e.let(f"ashr i64 {count}, 8")
            return self._e.intrinsic("i64", "@llvm.smax.i64", f"i64 {share}", f"i64 {least or 1}")
        some = self._e.intrinsic("i64", "@llvm.smax.i64", f"i64 {size}", "i64 1")
        return self.total(self._e.let(f"udiv i64 {count}, {some}"), "1")

    def _axis(self, array: Value, axis: int) -> str | None:
        definition = self._definitions.get(array)
        if array in self._given:
            given = self._given[array]
            if self._around:
                return self._around._axis(given, axis)
            return tensor_parts(self._e.components(given)).sizes[axis]
        if definition is not None and definition.op is low.ASSUME_CONTIGUOUS:
            return self._axis(definition.operands[0], axis)
        if definition is not None and definition.op is low.NEW_ARRAY:
            return self._size(definition.operands[axis])
        if definition is not None and definition.op is low.SUBVIEW:
            letters = str(definition.attrs["axes"])
            if letters == "i" * len(letters):
                return self._axis(definition.operands[0], axis + len(letters))
        return None

    def _smaller(self, values: Sequence[Value]) -> str | None:
        """Return the size that is known of two, or the smaller one; 0 says little."""
        known = [size for v in values if (size := self._size(v)) is not None and size != "0"]
        if len(known) < 2:
            return known[0] if known else None
        return self._e.intrinsic("i64", "@llvm.smin.i64", *(f"i64 {size}" for size in known))

    def _arithmetic(self, definition: Instr) -> str | None:
        if definition.op is elements.SUB:
            # What is left of a whole from some iteration on is the whole at most.
            return self._size(definition.operands[0])
        first, second = map(self._size, definition.operands)
        if first is None or second is None:
            return None
        match definition.op:
            case elements.ADD:
                return self.total(first, second)
            case elements.MUL:
                return self.product(first, second)
            case _:
                divisor = literal(second)
                return self._e.let(f"sdiv i64 {first}, {divisor}") if divisor else None

    def total(self, a: str, b: str) -> str:
        """Return a sum."""
        known = literal(a), literal(b)
        if known[0] is not None and known[1] is not None:
            return str(known[0] + known[1])
        if "0" in (a, b):
            return a if b == "0" else b
        return self._e.let(f"add i64 {a}, {b}")

    def product(self, a: str, b: str) -> str:
        """Return a product."""
        known = literal(a), literal(b)
        if known[0] is not None and known[1] is not None:
            return str(known[0] * known[1])
        if "0" in (a, b):
            return "0"
        if "1" in (a, b):
            return a if b == "1" else b
        return self._e.let(f"mul i64 {a}, {b}")
