"""Kernels of straight lines whose threads take several neighbours along the last axis at once.

    for each slot of V neighbours             a row is cut into slots from where memory is aligned,
      load V elements of each operand         so its first and last slot may be ragged: these are
      compute V times                         taken element by element
      store V elements of each result

All loads of a slot come before its stores, as iterations do not depend on each other.  Whether an
operand can be loaded by words of 16 bytes is found where it is loaded: its elements must be
neighbours and its address a multiple.  Where all operands lie as in C, the whole space is one row.
"""

from collections.abc import Sequence

from scriptc.backends.cuda.accesses import Access, places_of, slice_of
from scriptc.backends.cuda.array_access import address
from scriptc.backends.cuda.emit import Emitter
from scriptc.backends.cuda.plans import wide
from scriptc.backends.cuda.schedule import Nest, Schedule
from scriptc.kernels.device.plan import Plan
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import low


class PointsEmitter(Emitter):
    """Writes a kernel of the plan "points" that takes vectors."""

    def __init__(self, schedule: Schedule, plan: Plan, first_site: int | None) -> None:
        super().__init__(schedule, plan, first_site)
        self._wide = wide(schedule)
        self._vectors = {a.instr for a in (*self._wide.loads, *self._wide.stores)}
        self._slot: int | None = None  # of which the body is written, by vectors

    def _threads(self, nest: Nest) -> None:
        vector, items = self._plan.vector, range(self._plan.items)
        self._line("const long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x;")
        self._line("const long long step = (long long)gridDim.x * blockDim.x;")
        self._rows_of(nest)
        round_ = f"step * {len(items)}" if len(items) > 1 else "step"
        with self._braces(f"for (long long slot = first; slot < slots; slot += {round_})"):
            for item in items:
                self._begin(nest, f"slot + step * {item}" if item else "slot", f"_{item}")
                whole = f"start_{item} >= 0 && start_{item} + {vector} <= inner"
                bound = f"slot + step * {item} < slots && " if item else ""
                self._line(f"const bool whole_{item} = {bound}{whole};")
            for item in items:
                self._load(nest, item)
            for item in items:
                self._finish(nest, item)
            every = " && ".join(f"whole_{item}" for item in items)
            with self._braces(f"if (!({every}))"):
                self._ragged(nest)

    def _rows_of(self, nest: Nest) -> None:
        """Emit how long a row is, how many there are, and how many slots each is cut into."""
        *outer, inner = (self._name(count) for count in nest.counts)
        assign = "" if self._wide.merged is not None else "const "
        self._line(f"{assign}long long inner = {inner}, outer = {' * '.join(outer) or 1};")
        leader, vector = self._wide.leader, self._plan.vector
        array = self._array(leader.array)
        level = "true"
        if outer:
            bytes_ = [f"{array.strides(axis)}" for axis in range(len(leader.forms) - 1)]
            level = " && ".join(f"({b}) * {leader.itemsize} % 16 == 0" for b in bytes_) or "true"
        if self._wide.merged is not None:
            self._line(f"if ({self._in_order_of_space(nest)}) {{ inner *= outer; outer = 1; }}")
        self._line("long long head;")
        with self._braces(""):
            self._indices(nest, "0", "0")
            head = self._head(nest)
            self._line(f"head = {head};")
        # A row that does not start at a multiple has a slot more.
        self._line(
            f"const long long spare = outer == 1 ? head : head == 0 && {level} ? 0 : {vector - 1};"
        )
        self._line(f"const long long cuts = (inner + spare + {vector - 1}) / {vector};")
        self._line("const long long slots = inner > 0 ? outer * cuts : 0;")

    def _in_order_of_space(self, nest: Nest) -> str:
        """Return the test that rows follow one another in memory, in all that moves."""
        tests: list[str] = []
        assert self._wide.merged is not None
        for access in self._wide.merged:
            array, last = self._array(access.array), len(access.forms) - 1
            for back in range(1, len(nest.counts)):
                inner = self._name(nest.counts[-back])
                step = f"({array.strides(last - back + 1)}) * {inner}"
                tests.append(f"{array.strides(last - back)} == {step}")
        return " && ".join(dict.fromkeys(tests)) or "true"

    def _begin(self, nest: Nest, slot: str, mark: str) -> None:
        """Emit the row of a slot, and at which element of it the slot starts."""
        self._line(f"const ScPlace place{mark} = sc_place({slot}, cuts);")
        self._line(f"long long start{mark} = place{mark}.rest * {self._plan.vector};")
        with self._braces(""):
            self._indices(nest, f"place{mark}.whole", "0")
            head = self._head(nest)
            self._line(f"start{mark} -= {head};")

    def _indices(self, nest: Nest, row: str, column: str) -> None:
        *outer, last = nest.indices
        counts = [self._name(count) for count in nest.counts[:-1]]
        for axis, index in enumerate(outer):
            inner = "".join(f" / {count}" for count in counts[axis + 1 :])
            rest = f" % {counts[axis]}" if axis else ""
            self._line(f"const long long {self._name(index)} = {row}{inner}{rest};")
        self._line(f"const long long {self._name(last)} = {column};")

    def _head(self, nest: Nest) -> str:
        self._reach(nest, [self._wide.leader])
        return f"sc_head<{self._plan.vector}>({self._address(self._wide.leader)})"

    def _reach(self, nest: Nest, accesses: Sequence[Access]) -> None:
        """Emit what the places of accesses are computed by."""
        self._scalars(slice_of(nest.body, [v for a in accesses for v in places_of(a.instr)]))

    def _address(self, access: Access) -> str:
        """Return the address of an element, and the stride of the last axis."""
        array = self._array(access.array)
        first = address(array, self._places(places_of(access.instr)))
        return f"{first}, {array.strides(len(access.forms) - 1)}"

    def _load(self, nest: Nest, item: int) -> None:
        for access in self._wide.loads:
            type_ = self._c_type(access.instr.result.type, access.instr.loc)
            name = self._vector(access.instr, item)
            self._line(f"ScVector<{type_}, {self._plan.vector}> {name};", access.instr.loc)
        if not self._wide.loads:
            return
        with self._braces(f"if (whole_{item})"):
            self._indices(nest, f"place_{item}.whole", f"start_{item}")
            self._reach(nest, self._wide.loads)
            for access in self._wide.loads:
                self._line(f"{self._moved('load', access, item)};", access.instr.loc)

    def _moved(self, what: str, access: Access, item: int) -> str:
        return f"sc_{what}({self._vector(access.instr, item)}, {self._address(access)})"

    def _finish(self, nest: Nest, item: int) -> None:
        with self._braces(f"if (whole_{item})"):
            for access in self._wide.stores:
                type_ = self._c_type(access.array.type, access.instr.loc)
                name = self._vector(access.instr, item)
                self._line(f"ScVector<{type_}, {self._plan.vector}> {name};", access.instr.loc)
            self._line("#pragma unroll")
            with self._braces(f"for (int k = 0; k < {self._plan.vector}; ++k)"):
                self._slot = item
                self._indices(nest, f"place_{item}.whole", f"start_{item} + k")
                self._alone(nest.body)
                self._slot = None
            if self._wide.stores:
                self._indices(nest, f"place_{item}.whole", f"start_{item}")
                self._reach(nest, self._wide.stores)
            for access in self._wide.stores:
                self._line(f"{self._moved('store', access, item)};", access.instr.loc)

    def _ragged(self, nest: Nest) -> None:
        """Emit what takes the slots of a round that are not whole, an element at a time."""
        if self._plan.items == 1:
            self._one_by_one(nest, "_0")
            return
        last = f"slot + step * {self._plan.items - 1}"
        head = f"for (long long part = slot; part <= {last} && part < slots; part += step)"
        with self._braces(head):
            self._begin(nest, "part", "")
            with self._braces(f"if (start < 0 || start + {self._plan.vector} > inner)"):
                self._one_by_one(nest, "")

    def _one_by_one(self, nest: Nest, mark: str) -> None:
        begin, end = f"start{mark}", f"start{mark} + {self._plan.vector}"
        self._line(f"const long long last = {end} < inner ? {end} : inner;")
        head = f"for (long long column = {begin} < 0 ? 0 : {begin}; column < last; ++column)"
        with self._braces(head):
            self._indices(nest, f"place{mark}.whole", "column")
            self._alone(nest.body)

    def _vector(self, access: Instr, item: int) -> str:
        if access.op is low.LOAD:
            return f"w{self._name(access.result)}_{item}"
        number = [a.instr for a in self._wide.stores].index(access)
        return f"out{number}_{item}"

    def _scalar(self, instr: Instr) -> None:
        if self._slot is None or instr not in self._vectors:
            super()._scalar(instr)
        elif instr.op is low.LOAD:
            self._define(instr.result, f"{self._vector(instr, self._slot)}.at[k]", instr.loc)
        else:
            value = self._name(instr.operands[1])
            self._line(f"{self._vector(instr, self._slot)}.at[k] = {value};", instr.loc)
