"""The functions that CPython calls, as LLVM IR: arguments in, result or exception out.

An entry has CPython's vectorcall signature. It checks the arguments from left to right and jumps,
where one does not fit, to the next specialisation or the slow path, with nothing done yet. Only
when all of them fit are lists copied and the scripted function called.
"""

from collections.abc import Iterator, Mapping, Sequence, Set

from scriptc.backends.llvm.emitter.box import Boxer
from scriptc.backends.llvm.emitter.effort import AS_IT_STANDS
from scriptc.backends.llvm.emitter.function import MOSTLY, SELDOM, Components, Emitter, ModuleState
from scriptc.backends.llvm.emitter.layout import verify_layout
from scriptc.backends.llvm.entry import list_routines, lists
from scriptc.backends.llvm.entry.unbox import (
    Axis,
    BoundaryError,
    Unboxer,
    axes_of,
    copied_by,
    require_checkable,
)
from scriptc.backends.llvm.generators import locks
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.loading.abi import POLL_ROUNDS, Context
from scriptc.backends.llvm.loading.machine_code import entry_symbol
from scriptc_runtime.dims import Dim
from scriptc_runtime.ir import Function, walk
from scriptc_runtime.ops import control, generators, low
from scriptc_runtime.record import record
from scriptc_runtime.types import (
    Container,
    ListType,
    TensorType,
    Type,
    parts_of,
)


@record
class ParameterSpec:
    """One parameter of an entry.

    `writes`: the function writes the array. `converts`: an int is taken for a float. `dense`: only
    arrays in C order are taken.
    """

    name: str
    type: Type
    writes: bool = False
    converts: bool = False
    dense: bool = False


@record
class EntrySpec:
    """A function that Python calls, with the types its arguments must have.

    `unequal` are pairs of sizes in these types of which a call with equal ones is passed on.
    `apart` are pairs of dense parameters, by their places, whose arrays must share no memory.
    `cupys`: all arrays are CuPy's, on a device; else NumPy's. `wraps`: the result is an object of
    which something of Python's is made, as a generator.
    """

    function: str
    parameters: tuple[ParameterSpec, ...]
    unequal: tuple[tuple[Dim, Dim], ...] = ()
    apart: tuple[tuple[int, int], ...] = ()
    cupys: bool = False
    wraps: bool = False


def emit_entry(state: ModuleState, spec: EntrySpec, index: int) -> str:
    """Return the LLVM IR of one entry.  Raises BoundaryError.

    What the entry jumps to stands in words of the callable, whose byte offsets are filled in at
    load: that of the BIND word in `sc_words[0]`, of the next cell in `sc_words[index + 1]`.
    """
    writer = _EntryWriter(state, spec, index)
    return writer.text()


class _EntryWriter:
    def __init__(self, state: ModuleState, spec: EntrySpec, index: int) -> None:
        self.function: Function = state.module.functions[spec.function]
        self.spec = spec
        self.index = index
        self.e = Emitter(state, self.function, self.function.file)
        self.layout = verify_layout()
        self.unboxer = Unboxer(self.e, self.layout, "miss", cupys=spec.cupys)
        self.boxer = Boxer(self.e, self.layout, state.list_out, cupys=spec.cupys, wraps=spec.wraps)
        self.objects: list[str] = []
        self.lists: list[tuple[str, ListType | Container, str]] = []
        self.row: list[str] = []
        self.locks = ""
        self.device = ""  # the state of a call on a device

    def text(self) -> str:
        e = self.e
        self._check_arity()
        arguments = self._arguments()
        self._check_dims(arguments)
        self._check_apart(arguments)
        self._enter_device()
        self._copy_objects()
        self._fill_context()
        self._take_locks(arguments)
        self._call(arguments)
        self._jump_on("miss", self.index + 1)
        self._jump_on("bind", 0)
        signature = "(ptr %self, ptr %args, i64 %nargsf, ptr %names)"
        # Not optimised: that saves a fifth of the time to compile a small function, for 1 to 2 ns
        # of each call.
        head = f"define ptr @{entry_symbol(self.index)}{signature} {AS_IT_STANDS} {{"
        context = f"  %ctx = alloca [{abi.CONTEXT_SIZE} x i8], align 8"
        return "\n".join((head, "entry:", context, *e.allocas, *e.lines, *e.cold, "}", ""))

    def _check_arity(self) -> None:
        e = self.e
        given = e.let("and i64 %nargsf, 9223372036854775807")
        enough = e.let(f"icmp eq i64 {given}, {len(self.spec.parameters)}")
        positional = e.let("icmp eq ptr %names, null")
        good = e.label()
        e.branch(e.let(f"and i1 {enough}, {positional}"), good, "bind", MOSTLY)
        e.start(good)

    def _arguments(self) -> list[Components]:
        result: list[Components] = []
        for position, parameter in enumerate(self.spec.parameters):
            obj = self.unboxer.load("ptr", "%args", 8 * position)
            self.objects.append(obj)
            try:
                found = self.unboxer.unbox(
                    parameter.type,
                    obj,
                    writes=parameter.writes,
                    converts=parameter.converts,
                    dense=parameter.dense,
                )
            except BoundaryError as error:
                raise error.inside(self._where(parameter)) from None
            result.append(found)
        return result

    def _where(self, parameter: ParameterSpec) -> str:
        return f"{self.function.name}(): parameter {parameter.name!r}"

    def _check_dims(self, arguments: Sequence[Components]) -> None:
        """Take only arrays whose sizes fit the dims of the parameters together."""
        e = self.e
        for parameter in self.spec.parameters:
            require_checkable(self.function.name, parameter.name, parameter.type)
        found = [
            axis
            for parameter, components in zip(self.spec.parameters, arguments, strict=True)
            for axis in axes_of(parameter.type, components)
        ]
        symbols = self._symbols(found)
        for axis in found:
            expected = self._size_of(axis.dim, symbols, found)
            if expected is None or expected == axis.size:
                continue
            fits = e.let(f"icmp eq i64 {axis.size}, {expected}")
            if axis.present != "true":
                fits = e.let(f"select i1 {axis.present}, i1 {fits}, i1 true")
            self.unboxer.expect(fits)
        for pair in self.spec.unequal:
            first, second = (self._size_of(dim, symbols, found) for dim in pair)
            self.unboxer.expect(e.let(f"icmp ne i64 {first}, {second}"))

    def _check_apart(self, arguments: Sequence[Components]) -> None:
        """Take only arrays that share no memory where the function counts on it."""
        e = self.e
        named = dict.fromkeys(place for pair in self.spec.apart for place in pair)
        ends = {place: self._ends(place, arguments[place]) for place in named}
        for first, second in self.spec.apart:
            (start, end), (other_start, other_end) = ends[first], ends[second]
            before = e.let(f"icmp ule ptr {end}, {other_start}")
            behind = e.let(f"icmp ule ptr {other_end}, {start}")
            self.unboxer.expect(e.let(f"or i1 {before}, {behind}"))

    def _ends(self, place: int, components: Components) -> tuple[str, str]:
        """Return where an array in C order begins, and where what is behind it does."""
        e, type_ = self.e, self.spec.parameters[place].type
        assert isinstance(type_, TensorType)
        parts = abi.tensor_parts(components)
        size = str(type_.dtype.itemsize)
        for axis in parts.sizes:
            size = e.let(f"mul i64 {size}, {axis}")
        return parts.data, e.let(f"getelementptr i8, ptr {parts.data}, i64 {size}")

    def _symbols(self, found: Sequence[Axis]) -> dict[str, str]:
        """Return the size that each symbol stands for: that of the first array which is there."""
        symbols: dict[str, str] = {}
        lone = [
            axis
            for axis in found
            if axis.dim.constant == 0 and len(axis.dim.terms) == 1 and axis.dim.terms[0][1] == 1
        ]
        certain = [axis for axis in lone if axis.present == "true"]
        for axis in reversed(certain):
            symbols[axis.dim.terms[0][0]] = axis.size
        for axis in reversed(lone):
            name = axis.dim.terms[0][0]
            if any(other.dim.terms[0][0] == name for other in certain):
                continue
            later = symbols.get(name, axis.size)
            choice = f"select i1 {axis.present}, i64 {axis.size}, i64 {later}"
            symbols[name] = axis.size if later == axis.size else self.e.let(choice)
        return symbols

    def _size_of(self, dim: Dim, symbols: Mapping[str, str], axes: Sequence[Axis]) -> str | None:
        """Return the size that `dim` asks for, None where any will do."""
        if not dim.known:
            return None
        unbound = [symbol for symbol, _ in dim.terms if symbol not in symbols]
        if unbound:
            alone = sum(unbound[0] in dict(axis.dim.terms) for axis in axes) == 1
            if alone and dim.terms == ((unbound[0], 1),) and dim.constant == 0:
                return None
            raise BoundaryError(
                f"the size {dim} of @{self.function.name} does not tell what {unbound[0]} is: no"
                " axis of a parameter is that alone"
            )
        total = str(dim.constant)
        for symbol, coefficient in dim.terms:
            part = symbols[symbol]
            if coefficient != 1:
                part = self.e.let(f"mul i64 {part}, {coefficient}")
            total = part if total == "0" else self.e.let(f"add i64 {total}, {part}")
        return total

    def _enter_device(self) -> None:
        """Enter a call on the device, on the current stream of who gives CuPy's arrays."""
        if self.spec.cupys:
            self.e.state.routines.update(("enter_device", "leave_device"))
            self.device = self.e.let("call ptr @sc.enter_device()")
            self.unboxer.expect(self.e.let(f"icmp ne ptr {self.device}, null"))

    def _leave_device(self) -> None:
        if self.device:
            self.e.write(f"call void @sc.leave_device(ptr {self.device})")

    def _copy_objects(self) -> None:
        """Copy texts and lists; the copies are kept in a row so that each can be released."""
        e = self.e
        self.lists = list(self.unboxer.lists)
        count = len(self.unboxer.texts) + len(self.lists)
        self._make_memo()
        if not count:
            return
        base = e.alloca(f"[{count} x ptr]")
        self.row = [e.let(f"getelementptr ptr, ptr {base}, i64 {index}") for index in range(count)]
        for at in self.row:
            e.write(f"store ptr null, ptr {at}")
        go, undo = e.label(), e.label()
        self._copy_lists(undo)
        self._copy_texts(undo)
        e.jump(go)
        e.start(undo)
        self._settle(writes=False)
        self._release_row()
        e.jump("miss")
        e.start(go)

    def _copy_texts(self, undo: str) -> None:
        e = self.e
        places = self.row[len(self.lists) :]
        for at, (name, routine, obj) in zip(places, self.unboxer.texts, strict=True):
            e.state.routines.add(routine)
            e.write(f"{name} = call ptr @sc.{routine}(ptr {obj})")
            e.write(f"store ptr {name}, ptr {at}")
            good = e.label()
            absent = e.let(f"icmp eq ptr {obj}, null")
            made = e.let(f"icmp ne ptr {name}, null")
            e.branch(e.let(f"or i1 {absent}, {made}"), good, undo, MOSTLY)
            e.start(good)

    def _copy_lists(self, undo: str) -> None:
        if not self.lists:
            return
        e = self.e
        written = self._written()
        for at, (name, type_, obj) in zip(self.row, self.lists, strict=False):
            # One that is given twice, also inside of another one, is copied once, and in one way.
            writes = not written.isdisjoint(_held_types(type_))
            function = lists.list_in(e.state, self.layout, type_, writes=writes)
            e.write(f"{name} = call ptr {function}(ptr {obj}, ptr {self.boxer.memo})")
            e.write(f"store ptr {name}, ptr {at}")
            good = e.label()
            absent = e.let(f"icmp eq ptr {obj}, null")
            made = e.let(f"icmp ne ptr {name}, null")
            e.branch(e.let(f"or i1 {absent}, {made}"), good, undo, MOSTLY)
            e.start(good)

    def _written(self) -> Set[Type]:
        """Return the types of the lists and containers that are written, and all in these."""
        return {t for p in self.spec.parameters if p.writes for t in _held_types(p.type)}

    def _make_memo(self) -> None:
        """Make a memo where a list may be given twice, is written, or may leave again or twice."""
        e = self.e
        given = {t for _, type_, _ in self.lists for t in _held_types(type_)}
        result = list(_held_types(self.function.result))
        two_ways = bool(self._written()) or len(result) > 1 or not given.isdisjoint(result)
        if not (two_ways or len(self.lists) > 1 or len(given) > 1):
            return
        memo = self.boxer.memo = e.alloca(f"[{list_routines.MEMO_SIZE} x i8]")
        parts = {
            list_routines.MEMO_DICT: ("ptr", e.intrinsic("ptr", "@PyDict_New")),
            list_routines.MEMO_NOTES: ("ptr", "null"),
            list_routines.MEMO_TWO_WAYS: ("i64", str(int(two_ways))),
        }
        for offset, (type_, value) in parts.items():
            at = e.let(f"getelementptr i8, ptr {memo}, i64 {offset}")
            e.write(f"store {type_} {value}, ptr {at}")

    def _settle(self, *, writes: bool) -> str:
        """Give written lists their new items, and drop the notes; return whether that worked."""
        if self.boxer.memo == "null":
            return "true"
        self.e.state.routines.add("settle")
        flag = "true" if writes else "false"
        return self.e.let(f"call i1 @sc.settle(ptr {self.boxer.memo}, i1 {flag})")

    def _drop(self, obj: str) -> None:
        self.e.declare("declare void @Py_DecRef(ptr)")
        self.e.write(f"call void @Py_DecRef(ptr {obj})")

    def _release_row(self) -> None:
        """Release what was copied, and the memo."""
        e = self.e
        for place, at in enumerate(self.row):
            is_list = place < len(self.lists)
            later = place - len(self.lists)
            type_ = self.lists[place][1] if is_list else copied_by(self.unboxer.texts[later][1])
            e.release(type_, (e.let(f"load ptr, ptr {at}"),))
        if self.boxer.memo != "null":
            at = e.let(f"getelementptr i8, ptr {self.boxer.memo}, i64 {list_routines.MEMO_DICT}")
            self._drop(e.let(f"load ptr, ptr {at}"))

    def _fill_context(self) -> None:
        e = self.e
        reached = _reached(e.state, self.function)
        recursive = any(f.name in e.state.recursive for f in reached)
        if recursive:
            limit = e.intrinsic("i32", "@Py_GetRecursionLimit")
            e.state.routines.add("stack_limit")
            lowest = e.let("call ptr @sc.stack_limit()")
            self._store(Context.DEPTH, "i64", "0")
            self._store(Context.DEPTH_LIMIT, "i64", e.let(f"sext i32 {limit} to i64"))
            self._store(Context.STACK_LIMIT, "ptr", lowest)
        # Routines without a loop in sight look for Ctrl-C as well: sorts, products, long texts.
        self._store(Context.POLL, "i64", str(POLL_ROUNDS))
        self._store(Context.JOB, "ptr", "null")

    def _store(self, field: int, type_: str, value: str) -> None:
        at = self.e.let(f"getelementptr i8, ptr %ctx, i64 {field}")
        self.e.write(f"store {type_} {value}, ptr {at}")

    def _take_locks(self, arguments: Sequence[Components]) -> None:
        """Take the locks of the generators that the function may draw from."""
        used = {instr.op for f in _reached(self.e.state, self.function) for instr in walk(f.body)}
        if used.isdisjoint(generators.LOCKED_OPS):
            return
        sources = [
            source
            for parameter, components in zip(self.spec.parameters, arguments, strict=True)
            for source in locks.sources_in(parameter.type, components)
        ]
        if generators.GLOBAL_RANDOM in used:
            sources.append(locks.global_source(self.e))
        self.locks, taken = locks.take(self.e, sources)
        failed, good = self.e.label(), self.e.label()
        self.e.branch(taken, good, failed, MOSTLY)
        self.e.start(failed)
        self._settle(writes=False)
        self._release_row()
        self.e.write("ret ptr null")
        self.e.start(good)
        self._store(Context.LOCKS, "ptr", self.locks)

    def _call(self, arguments: Sequence[Components]) -> None:
        e = self.e
        result = self.function.result
        type_ = abi.result_type(result)
        typed = ["ptr %ctx"]
        for parameter, components in zip(self.spec.parameters, arguments, strict=True):
            typed += [
                f"{t} {c}" for t, c in zip(abi.flatten(parameter.type), components, strict=True)
            ]
        # The entry is made small; a loop inlined into it would be made small as well, not fast.
        apart = " noinline" if _works(self.function) else ""
        call = f"call {type_} {abi.symbol(self.function.name)}({', '.join(typed)}){apart}"
        returned = e.let(call)
        status = e.let(f"extractvalue {type_} {returned}, 0")
        if self.locks:
            locks.give_back(e, self.locks)
        raised, good = e.label(), e.label()
        e.branch(e.let(f"icmp ne i32 {status}, 0"), raised, good, SELDOM)
        e.start(good)
        width = len(abi.flatten(result))
        parts = tuple(e.let(f"extractvalue {type_} {returned}, {i + 1}") for i in range(width))
        self._return(parts)
        e.start(raised)
        if self.row or self.boxer.memo != "null":
            self._settle(writes=True)
            self._release_row()
            # The script's own exception is the one to see.
            e.declare("declare void @PyErr_Clear()")
            e.write("call void @PyErr_Clear()")
        e.state.routines.add("report")
        e.declare("@sc_raiser = global ptr null")
        e.write(f"call void @sc.report(ptr %ctx, ptr {e.let('load ptr, ptr @sc_raiser')})")
        self._leave_device()
        self._end_call()
        e.write("ret ptr null")

    def _return(self, parts: Components) -> None:
        e = self.e
        written = self._settle(writes=True)
        # A list that came in is the caller's own: the memo knows it.
        obj = self.boxer.box(self.function.result, parts)
        self._leave_device()
        self._release_row()
        self._end_call()
        if written != "true":
            good, bad = e.label(), e.label()
            e.branch(written, good, bad, MOSTLY)
            e.start(bad)
            self._drop(obj)
            e.write("ret ptr null")
            e.start(good)
        e.write(f"ret ptr {obj}")

    def _end_call(self) -> None:
        """Let the collector of rings look, where the program makes what can be in one."""
        if self.e.state.tracks:
            self.e.declare("declare void @sc_end_call()")
            self.e.write("call void @sc_end_call()")

    def _jump_on(self, label: str, word: int) -> None:
        e = self.e
        e.start(label)
        place = e.let(f"getelementptr i64, ptr @sc_words, i64 {word}")
        offset = e.let(f"load i64, ptr {place}")
        cell = e.let(f"getelementptr i8, ptr %self, i64 {offset}")
        target = e.let(f"load ptr, ptr {cell}")
        arguments = "ptr %self, ptr %args, i64 %nargsf, ptr %names"
        e.write(f"ret ptr {e.let(f'musttail call ptr {target}({arguments})')}")


def _held_types(type_: Type) -> Iterator[Type]:
    """Yield the types of the lists and containers that values of a type are or hold."""
    if isinstance(type_, ListType | Container):
        yield type_
    for part in parts_of(type_):
        yield from _held_types(part)


def _works(function: Function) -> bool:
    """Return whether a function has loops or calls: it is worth a call of its own."""
    return any(
        instr.op in (control.FOR, control.WHILE, control.CALL, low.LOOP, low.REDUCE, low.LAUNCH)
        for instr in walk(function.body)
    )


def _reached(state: ModuleState, start: Function) -> list[Function]:
    seen: dict[str, Function] = {}
    waiting = [start]
    while waiting:
        function = waiting.pop()
        if function.name in seen:
            continue
        seen[function.name] = function
        waiting += [
            state.module.functions[str(instr.attrs["callee"])]
            for instr in walk(function.body)
            if instr.op in (control.CALL, low.LAUNCH)
            and instr.attrs["callee"] in state.module.functions
        ]
    return list(seen.values())
