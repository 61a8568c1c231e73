"""A kernel in low IR as CUDA C++: one statement for each instruction, `%7` becomes `v7`.

Parameter 1, an array, arrives as its address `p1` and, where the kernel asks for them, its sizes
`p1_size0` and strides `p1_stride0`, in elements. The strides of an array proven contiguous
follow from its sizes. A row buffer arrives as memory for one row of each block.
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from scriptc.backends.cuda.array_access import (
    Array,
    combined,
    in_order,
    loaded,
    overlap,
    rank_of,
    stored,
    view_of,
    with_rows,
)
from scriptc.backends.cuda.checks import Check, checks_of
from scriptc.backends.cuda.comments import comment_of, printable
from scriptc.backends.cuda.kernel import Kernel
from scriptc.backends.cuda.number_types import C_TYPES, identity, literal
from scriptc.backends.cuda.prelude import MAX_SITE
from scriptc.backends.cuda.rules import EXPRESSIONS
from scriptc.backends.cuda.schedule import (
    REGIONS,
    WRITES,
    Accesses,
    Nest,
    Schedule,
    Spread,
    collapse,
    collapse_reduction,
    inside,
    kept_elements,
    numbered,
    refusal,
    roots,
    round_of,
    row_of_sum,
)
from scriptc.backends.cuda.sums import COMBINE, alone, is_ordered, together
from scriptc.kernels.device.launch import MOST_VALUES, Field, Part, Raised
from scriptc.kernels.device.plan import Plan
from scriptc_runtime.ir import Instr, Label, Loc, Value
from scriptc_runtime.ops import control, data, low
from scriptc_runtime.ops.device import ATOMIC
from scriptc_runtime.ops.sorting import EXTREME_PLACE
from scriptc_runtime.record import record
from scriptc_runtime.types import BOOL, INT, DType, TensorType, Type


@record
class _Target:
    """Where exits to a label go, and what gets values before: at its end, and before the next."""

    name: str
    results: Sequence[str]
    carried: Sequence[str]


class Emitter:
    """Writes one kernel, a point at a time; `writers.py` has those of other plans.

    What it may raise is numbered from `first_site` on; None where no kernel of the call can fail.
    """

    def __init__(self, schedule: Schedule, plan: Plan, first_site: int | None) -> None:
        self._schedule = schedule
        self._plan = plan
        self._guarded = first_site is not None
        self._first_site = first_site or 0
        self._function = schedule.function
        self._params = {p: i for i, p in enumerate(self._function.params)}
        self._buffers = {b.result: b for b in schedule.buffers}
        self._own = {made.result: made for made in schedule.own}
        self._root = roots(schedule)
        self._names = {v: f"v{i}" for i, v in enumerate(numbered(self._function.body))}
        self._arrays: dict[Value, Array] = {}
        self._fields: set[Field] = set()
        self._scratch: set[Type] = set()
        self._targets: dict[Label, _Target] = {}
        self._raised: list[Raised] = []
        self._point = "0"  # the prologue belongs to the first iteration
        self._lines: list[str] = []
        self._indent = 1
        self._place = ""
        self._pending = Accesses(set(), set())
        every = Accesses.of(schedule.nest.body, self._root)
        self._written = every.writes

    def kernel(self, name: str) -> Kernel:
        """Return the kernel as `extern "C"` function `name`."""
        if self._guarded:
            self._line("if (sc_has_failed(error, launch)) return;")
        self._scalars(self._schedule.prologue)
        for number, buffer in enumerate(self._schedule.buffers):
            self._row(number, buffer)
        if self._schedule.spread is Spread.ROWS:
            self._rows(self._schedule.nest)
        else:
            self._threads(self._schedule.nest)
        fields = tuple(sorted(self._fields))
        written = frozenset(i for p, i in self._params.items() if p in self._written)
        text = f"{self._signature(name, fields)} {{\n{self._text()}}}\n"
        return Kernel(
            name, text, self._schedule, self._plan, fields, written, tuple(self._raised),
            self._first_site, self._guarded,
        )  # fmt: skip

    # Names, types and fields

    def _name(self, value: Value) -> str:
        """Return the C++ text of a scalar."""
        if value in self._params:
            return self._field(self._params[value], Part.SCALAR)
        return self._names[value]

    def _operand(self, value: Value) -> str:
        """Return the C++ text of what an op computes with: a half is widened."""
        return f"(float){self._name(value)}" if value.type is DType.F16 else self._name(value)

    def _field(self, param: int, part: Part, axis: int = 0) -> str:
        # Addresses first, then sizes, then strides.
        order = list(Part).index(part) * 64 + axis
        self._fields.add(Field(param, order, part, axis))
        last = param - len(self._params)
        base = {-2: "begin", -1: "end"}.get(last, f"p{param}")
        return f"{base}{part.value}{axis}" if part in (Part.SIZE, Part.STRIDE) else base

    def _c_type(self, type_: Type, loc: Loc) -> str:
        element = type_.dtype if isinstance(type_, TensorType) else type_
        if element not in C_TYPES:
            raise refusal(self._function, loc, f"values of type {type_}", _NO_TYPE)
        return C_TYPES[element]

    def _array(self, value: Value) -> Array:
        """Return how an array is reached."""
        if value not in self._arrays:
            root = self._root[value]
            is_made = root in self._buffers or root in self._own
            self._arrays[value] = self._made(root) if is_made else self._param(root)
        return self._arrays[value]

    def _made(self, root: Value) -> Array:
        made = self._own.get(root) or self._buffers[root]
        buffers = self._schedule.buffers
        pointer = f"row{buffers.index(made)}" if made in buffers else self._name(root)
        return in_order(pointer, root, lambda axis: self._name(made.operands[axis]))

    def _param(self, root: Value) -> Array:
        param = self._params[root]
        return Array(
            self._field(param, Part.ADDRESS),
            root,
            lambda axis: self._field(param, Part.SIZE, axis),
            lambda axis: self._field(param, Part.STRIDE, axis),
        )

    def _places(self, index: Sequence[Value]) -> Sequence[str]:
        return [self._name(v) for v in index]

    def _view(self, instr: Instr) -> None:
        """Emit the address, the sizes and the strides of a part of an array."""
        base, name = self._array(instr.operands[0]), self._name(instr.result)
        view = view_of(base, instr, self._name)
        self._line(f"auto* const {name} = {base.pointer} + ({view.offset or 0});", instr.loc)
        sizes = self._numbers(f"{name}_size", view.sizes, instr.loc)
        strides = self._numbers(f"{name}_stride", view.strides, instr.loc)
        self._arrays[instr.result] = Array(name, base.root, sizes.__getitem__, strides.__getitem__)

    def _new(self, instr: Instr) -> None:
        """Emit an array of the thread's own."""
        size = " * ".join(map(self._name, instr.operands)) or "1"
        type_ = self._c_type(instr.result.type, instr.loc)
        self._line(f"{type_} {self._name(instr.result)}[{size} > 0 ? {size} : 1];", instr.loc)

    def _of_arrays(self, instr: Instr) -> str:
        """Return the text of what a thread finds out about arrays."""
        if instr.op is low.MAY_OVERLAP:
            first, second = ((self._array(v), rank_of(v)) for v in instr.operands)
            return overlap(first, second)
        row = self._array(instr.operands[0])
        largest = "true" if instr.attrs["kind"] == "max" else "false"
        return f"sc_extreme_place<{largest}>({row.pointer}, {row.sizes(0)}, {row.strides(0)})"

    def _numbers(self, name: str, texts: Sequence[str], loc: Loc) -> Sequence[str]:
        """Emit variables for numbers and return their names."""
        for number, text in enumerate(texts):
            self._line(f"const long long {name}{number} = {text};", loc)
        return [f"{name}{number}" for number in range(len(texts))]

    # Text

    def _line(self, text: str, loc: Loc | None = None) -> None:
        if loc is not None and loc.line:
            place = comment_of(self._function, loc)
            if place != self._place:
                self._lines.append(f"{'  ' * self._indent}// {place}")
                self._place = place
        self._lines.append(f"{'  ' * self._indent}{text}")

    @contextmanager
    def _braces(self, head: str, loc: Loc | None = None) -> Generator[None]:
        self._line(f"{head} {{", loc)
        self._indent += 1
        yield
        self._indent -= 1
        self._line("}")

    def _text(self) -> str:
        shared = [
            f"  __shared__ {C_TYPES[t]} scratch_{t}[32];\n" for t in sorted(self._scratch, key=str)
        ]
        return "".join([*shared, *(f"{line}\n" for line in self._lines)])

    def _row(self, number: int, buffer: Instr) -> None:
        """Emit where a row buffer is: in shared memory, or in global memory if it is long."""
        type_ = self._c_type(buffer.result.type, buffer.loc)
        size = " * ".join(self._name(v) for v in buffer.operands) or "1"
        kept = kept_elements(self._schedule.buffers, buffer)
        self._line(f"__shared__ {type_} kept{number}[{kept}];")
        self._line(f"const long long size{number} = {size};")
        far = f"rows{number} + blockIdx.x * size{number}"
        self._line(f"{type_}* const row{number} = size{number} <= {kept} ? kept{number} : {far};")

    def _signature(self, name: str, fields: Sequence[Field]) -> str:
        params = [self._parameter(f) for f in fields]
        for i, buffer in enumerate(self._schedule.buffers):
            params.append(f"{self._c_type(buffer.result.type, buffer.loc)}* rows{i}")
        if self._guarded:
            params += ["unsigned long long* error", "const unsigned long long launch"]
        plan = self._plan
        bounds = f"{plan.threads}, {plan.resident}" if plan.resident else f"{plan.threads}"
        head = f'extern "C" __global__ void __launch_bounds__({bounds})\n{name}('
        source = self._function.file or "?"
        about = f"// {printable(self._function.name)}, of {printable(source)}: "
        about += f"{printable(str(plan))}\n"
        return about + head + f",\n{' ' * (len(name) + 1)}".join(params) + ")"

    def _parameter(self, field: Field) -> str:
        param = self._function.params[field.param]
        name = self._field(field.param, field.part, field.axis)
        if field.part in (Part.SIZE, Part.STRIDE):
            return f"const long long {name}"
        type_ = self._c_type(param.type, self._function.loc)
        if field.part is Part.SCALAR:
            return f"const {type_} {name}"
        # What a kernel only reads may be written through another parameter: no `__restrict__`.
        return f"{type_}* {name}" if param in self._written else f"const {type_}* {name}"

    # Spaces

    def _space(self, nest: Nest, point: str, first: str, step: str) -> tuple[str, list[str]]:
        """Return the head of a loop over a nest's points, and what gives the indices there."""
        counts = [self._name(c) for c in nest.counts]
        if len(counts) == 1:
            point = self._name(nest.indices[0])
        head = (
            f"for (long long {point} = {first}; {point} < {' * '.join(counts)}; {point} += {step})"
        )
        places: list[str] = []
        for axis, index in enumerate(nest.indices if len(counts) > 1 else ()):
            inner = "".join(f" / {count}" for count in reversed(counts[axis + 1 :]))
            outer = f" % {counts[axis]}" if axis else ""
            places.append(f"const long long {self._name(index)} = {point}{inner}{outer};")
        return head, places

    def _new_point(self, nest: Nest) -> str:
        return f"at_{self._name(nest.indices[-1])}"

    @contextmanager
    def _over(self, nest: Nest, point: str, first: str, step: str, loc: Loc) -> Generator[None]:
        head, places = self._space(nest, point, first, step)
        with self._braces(head, loc):
            for place in places:
                self._line(place)
            yield

    def _threads(self, nest: Nest) -> None:
        self._point = "at" if len(nest.counts) > 1 else self._name(nest.indices[0])
        self._line("const long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x;")
        self._line("const long long step = (long long)gridDim.x * blockDim.x;")
        with self._over(nest, "at", "first", "step", self._function.loc):
            self._iteration(nest)

    def _rows(self, nest: Nest) -> None:
        self._point = "row" if len(nest.counts) > 1 else self._name(nest.indices[0])
        with self._over(nest, "row", "blockIdx.x", "gridDim.x", self._function.loc):
            self._together(nest.body)

    # What one thread does alone

    def _alone(self, body: Sequence[Instr]) -> None:
        for instr in body:
            if instr.op in REGIONS:
                self._region(instr)
            elif instr.op is control.EXIT:
                self._exit(instr)
            elif instr.op is low.FAIL:
                self._fail(instr)
            elif instr.op is low.LOOP:
                self._one_after_another(instr)
            elif instr.op is low.REDUCE:
                total = self._accumulate(instr, "0", "1")
                self._define(instr.result, total, instr.loc)
            else:
                self._scalar(instr)

    def _one_after_another(self, loop: Instr) -> None:
        body, _ = round_of(self._function, loop)
        nest = Nest(loop.operands, loop.blocks[0].params, body, loop.label)
        with self._over(nest, "", "0", "1", loop.loc):
            self._iteration(nest)

    def _iteration(self, nest: Nest) -> None:
        """Emit one iteration, which control flow inside of it may end."""
        exits = (i.target for i in inside(nest.body))
        if nest.label is None or not any(t and t.label is nest.label for t in exits):
            self._alone(nest.body)
            return
        end = self._new_target(nest.label, (), ())
        with self._braces(""):
            self._alone(nest.body)
        self._line(f"{end.name}_next: ;")

    # Control flow of one thread: each region ends in a label

    def _new_target(
        self, label: Label, results: Sequence[str], carried: Sequence[str]
    ) -> "_Target":
        target = self._targets[label] = _Target(f"l{len(self._targets)}", results, carried)
        return target

    def _region(self, instr: Instr) -> None:
        results = [self._name(r) for r in instr.results]
        for result, name in zip(instr.results, results, strict=True):
            self._line(f"{self._c_type(result.type, instr.loc)} {name};", instr.loc)
        assert instr.label is not None
        if instr.op in (control.FOR, control.WHILE):
            self._loop(instr, instr.label, results)
            return
        target = self._new_target(instr.label, results, ())
        heads = [""]
        if instr.op is control.IF:
            heads = [f"if ({self._name(instr.operands[0])})", "else"]
        for head, block in zip(heads, instr.blocks, strict=True):
            with self._braces(head, instr.loc):
                self._alone(block.body)
        self._line(f"{target.name}: ;")

    def _loop(self, loop: Instr, label: Label, results: Sequence[str]) -> None:
        """Emit a loop with its state in variables, which iterations know by constants."""
        is_range = loop.op is control.FOR
        first = loop.operands[3:] if is_range else loop.operands
        params = loop.blocks[0].params[is_range:]
        states = [f"s{self._name(p)}" for p in params]
        target = self._new_target(label, results, states)
        types = [self._c_type(p.type, loop.loc) for p in params]
        for type_, state, value in zip(types, states, first, strict=True):
            self._line(f"{type_} {state} = {self._name(value)};", loop.loc)
        head, index = self._range(loop, target) if is_range else ("for (;;)", "")
        with self._braces(head, loop.loc):
            with self._braces(""):
                if is_range:
                    self._define(loop.blocks[0].params[0], index, loop.loc)
                for param, state in zip(params, states, strict=True):
                    self._define(param, state, loop.loc)
                self._alone(loop.blocks[0].body)
            self._line(f"{target.name}_next: ;")
        for result, state in zip(results, states if is_range else (), strict=False):
            self._line(f"{result} = {state};")
        self._line(f"{target.name}: ;")

    def _range(self, loop: Instr, target: _Target) -> tuple[str, str]:
        """Return the head of a loop over a range, and which number an iteration has."""
        start, stop, step = (self._name(v) for v in loop.operands[:3])
        at, count = f"{target.name}_at", f"{target.name}_count"
        self._line(f"const long long {count} = sc_rounds({start}, {stop}, {step});", loop.loc)
        head = f"for (long long {at} = 0; {at} < {count}; ++{at})"
        return head, f"sc_add({start}, sc_mul({at}, {step}))"

    def _exit(self, instr: Instr) -> None:
        assert instr.target is not None
        target = self._targets.get(instr.target.label)
        if target is None:
            raise refusal(self._function, instr.loc, "leaving a loop of a kernel", _LEAVES)
        is_next = instr.target.next
        places = target.carried if is_next else target.results
        for place, value in zip(places, instr.operands, strict=True):
            self._line(f"{place} = {self._name(value)};", instr.loc)
        self._line(f"goto {target.name}{'_next' if is_next else ''};")

    def _scalars(self, body: Sequence[Instr]) -> None:
        for instr in body:
            self._scalar(instr)

    def _scalar(self, instr: Instr) -> None:
        if instr.op is data.CONST:
            self._c_type(instr.result.type, instr.loc)
            self._names[instr.result] = literal(instr.attrs["value"], instr.result.type)
        elif instr.op is low.ASSUME_CONTIGUOUS:
            source = instr.operands[0]
            self._arrays[instr.result] = with_rows(self._array(source), rank_of(source))
        elif instr.op is low.ASSUME_DISTINCT:
            self._arrays[instr.result] = self._array(instr.operands[0])
        elif instr.op in (low.SUBVIEW, low.NEW_ARRAY):
            self._view(instr) if instr.op is low.SUBVIEW else self._new(instr)
        elif instr.op in (EXTREME_PLACE, low.MAY_OVERLAP):
            self._define(instr.result, self._of_arrays(instr), instr.loc)
        elif instr.op is low.SIZE:
            axis = instr.attrs["axis"]
            assert isinstance(axis, int)
            self._names[instr.result] = self._array(instr.operands[0]).sizes(axis)
        elif instr.op is low.LOAD:
            array, *index = instr.operands
            text = loaded(self._array(array), self._places(index))
            self._define(instr.result, text, instr.loc)
        elif instr.op is low.STORE:
            array, value, *index = instr.operands
            text = stored(self._array(array), self._places(index), self._name(value))
            self._line(f"{text};", instr.loc)
        elif instr.op is ATOMIC:
            array, value, *index = instr.operands
            kind = str(instr.attrs["kind"])
            text = combined(self._array(array), self._places(index), kind, self._name(value))
            self._line(f"{text};", instr.loc)
        else:
            self._expression(instr)

    def _expression(self, instr: Instr) -> None:
        args = [self._operand(v) for v in instr.operands]
        for check in checks_of(instr, args):
            self._check(check, args, instr)
        text = EXPRESSIONS[instr.op](instr, args)
        if text is None:
            types = ", ".join(str(v.type) for v in instr.operands)
            what = f"{instr.op.name} of {types} to {instr.result.type}"
            raise refusal(self._function, instr.loc, what, _NO_TYPE)
        self._define(instr.result, text, instr.loc)

    def _check(self, check: Check, args: Sequence[str], instr: Instr) -> None:
        values = [said.format(*args) for said in check.says]
        failure = self._failure(Raised(check.kind, check.message, instr), values)
        self._line(f"if ({check.condition.format(*args)}) {failure}", instr.loc)

    def _failure(self, raised: Raised, values: Sequence[str]) -> str:
        """Return the statement that reports a check that failed, and ends the thread's work."""
        assert self._guarded  # whoever asks for the kernel knows what may fail
        site, what = self._first_site + len(self._raised), "kernels of so many checks"
        if site > MAX_SITE:
            raise refusal(self._function, raised.instr.loc, what, "sites have 16 bits")
        self._raised.append(raised)
        fail = f"sc_fail({', '.join(('error', 'launch', self._point, str(site), *values))});"
        # A thread's later points have higher numbers: they need not run.
        return f"{{ {fail} return; }}" if self._schedule.spread is Spread.THREADS else fail

    def _fail(self, instr: Instr) -> None:
        ints = (BOOL, INT, DType.I64)
        if len(instr.operands) > MOST_VALUES or any(v.type not in ints for v in instr.operands):
            raise refusal(self._function, instr.loc, "a message of other values", _MESSAGE)
        raised = Raised(str(instr.attrs["kind"]), str(instr.attrs["message"]), instr)
        values = [self._name(v) for v in instr.operands]
        self._line(self._failure(raised, values), instr.loc)

    def _define(self, value: Value, text: str, loc: Loc) -> None:
        self._line(f"const {self._c_type(value.type, loc)} {self._name(value)} = {text};", loc)

    # What the threads of a block do together

    def _together(self, body: Sequence[Instr]) -> None:
        """Emit an iteration that all threads of a block run, and which may run again."""
        for instr in body:
            accesses = Accesses.of([instr], self._root)
            self._wait_for(accesses)
            if instr.op is low.LOOP and not instr.attrs["parallel"]:
                self._in_order(instr)
                continue
            self._pending.add(accesses)
            self._stage(instr)
        # The next iteration starts where this one ends.
        self._wait_for(Accesses.of(body, self._root))

    def _stage(self, instr: Instr) -> None:
        if instr.op is low.REDUCE:
            self._reduce(instr)
        elif instr.op in WRITES:
            with self._braces("if (threadIdx.x == 0)", instr.loc):
                self._scalar(instr)
        elif instr.op is low.LOOP:
            self._parallel(instr, _FIRST, _STEP)
        else:
            self._scalar(instr)

    def _parallel(self, loop: Instr, first: str, step: str) -> None:
        nest = collapse(self._function, loop)
        with self._over(nest, self._new_point(nest), first, step, loop.loc):
            self._alone(nest.body)

    def _in_order(self, loop: Instr) -> None:
        index = self._name(loop.blocks[0].params[0])
        count = self._name(loop.operands[0])
        with self._braces(f"for (long long {index} = 0; {index} < {count}; ++{index})", loop.loc):
            body, _ = round_of(self._function, loop)
            before, self._pending = self._pending, Accesses(set(), set())
            self._together(body)
        self._pending.add(before)

    def _wait_for(self, accesses: Accesses) -> None:
        """Emit a barrier where `accesses` must see, or must not disturb, what others do."""
        if self._pending.conflict(accesses):
            self._line("__syncthreads();")
            self._pending.clear()

    def _reduce(self, reduce: Instr) -> None:
        kind, type_ = str(reduce.attrs["kind"]), reduce.result.type
        self._scratch.add(type_)
        if is_ordered(reduce):
            self._sum(reduce)
        else:
            total, neutral = self._accumulate(reduce, _FIRST, _STEP), identity(kind, type_)
            text = f"sc_block_reduce({total}, {neutral}, scratch_{type_}, {COMBINE[kind]}())"
            self._define(reduce.result, text, reduce.loc)
        self._pending.clear()  # threads met inside

    def _sum(self, reduce: Instr) -> None:
        """Emit a sum in order: threads share its elements, or those of each row that it adds.

        A row alone is shared by all of them, and so is each of a few long ones.
        """
        inner = row_of_sum(reduce)
        if inner is None:
            value = f"{self._shared_total(reduce)}.value(scratch_{reduce.result.type})"
            self._define(reduce.result, value, reduce.loc)
            return
        name = self._name(reduce.result)
        counts = ", ".join(self._name(r.operands[0]) for r in (reduce, inner))
        self._line(f"{C_TYPES[reduce.result.type]} sum_of_{name};", reduce.loc)
        for head in (f"if (sc_shares_rows({counts}))", "else"):
            with self._braces(head):
                total = (self._shared_total if head == "else" else self._total_of_rows)(reduce)
                self._line(f"sum_of_{name} = {total}.value(scratch_{reduce.result.type});")
        self._define(reduce.result, f"sum_of_{name}", reduce.loc)

    def _total_of_rows(self, reduce: Instr) -> str:
        """Emit a sum of rows, whose elements all threads share; return what they are added to."""
        total, count = f"total_{self._name(reduce.result)}", self._name(reduce.operands[0])
        body, value = round_of(self._function, reduce)
        index, type_ = (
            self._name(reduce.blocks[0].params[0]),
            self._c_type(reduce.result.type, reduce.loc),
        )
        self._line(f"{together(reduce, type_)} {total}({count});", reduce.loc)
        with self._braces(f"for (long long {index} = 0; {index} < {count}; ++{index})"):
            self._scalars(body[:-1])
            self._sum(body[-1])
            assert value is not None  # the verifier saw it
            self._line(f"{total}.take({index}, {self._name(value)});")
        return total

    def _shared_total(self, reduce: Instr) -> str:
        """Emit the loops of a thread's part of a sum in order; return what it adds to."""
        nest, name = collapse_reduction(self._function, reduce), self._name(reduce.result)
        total, block, index = f"total_{name}", f"block_{name}", self._name(nest.indices[0])
        type_, count = self._c_type(reduce.result.type, reduce.loc), self._name(nest.counts[0])
        self._line(f"{together(reduce, type_)} {total}({count});", reduce.loc)
        blocks = f"for (long long {block} = {total}.first(); {block} < {total}.last(); ++{block})"
        within = f"{index} = {total}.begin({block}); {index} < {total}.end({block}); {index} += 32"
        with self._braces(blocks):
            with self._braces(f"for (long long {within})"):
                self._alone(nest.body)
                assert nest.value is not None  # the verifier saw it
                self._line(f"{total}.add({index}, {self._name(nest.value)});")
            self._line(f"{total}.close({block});")
        return total

    def _accumulate(self, reduce: Instr, first: str, step: str) -> str:
        """Emit the loop of a thread's part of a reduction; return what it came to."""
        kind, type_, loc = str(reduce.attrs["kind"]), reduce.result.type, reduce.loc
        c_type = self._c_type(type_, loc)
        nest = collapse_reduction(self._function, reduce)
        total, in_order = f"{kind}_{self._name(reduce.result)}", is_ordered(reduce)
        zero = f"{c_type} {total} = {identity(kind, type_)};"
        self._line(f"{alone(reduce, c_type)} {total};" if in_order else zero, loc)
        with self._over(nest, self._new_point(nest), first, step, loc):
            self._alone(nest.body)
            assert nest.value is not None  # the verifier saw it
            value = self._name(nest.value)
            after = f"{total} = {COMBINE[kind]}()({total}, {value});"
            self._line(f"{total}.add({value});" if in_order else after, loc)
        return f"{total}.value()" if in_order else total


_FIRST, _STEP = "threadIdx.x", "blockDim.x"
_MESSAGE = "what a kernel raises says up to four ints"
_LEAVES = "an iteration ends itself alone: no inner loop ends one of an outer loop"
_NO_TYPE = "kernels compute with NumPy's numbers, and with none that Python checks"
