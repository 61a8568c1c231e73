"""The functions that CPython calls, as LLVM IR: arguments in, result or exception out.

An entry has CPython's vectorcall signature. It checks the arguments from left to right and jumps,
where one does not fit, to the next specialisation or the slow path, with nothing done yet. Only
when all of them fit are lists copied and the scripted function called.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scriptc.backends.llvm import abi
from scriptc.backends.llvm.abi import Context
from scriptc.backends.llvm.box import Boxer
from scriptc.backends.llvm.emit_function import SELDOM, Components, Emitter, ModuleState
from scriptc.backends.llvm.layout import verify_layout
from scriptc.backends.llvm.rules_control import POLL_ROUNDS
from scriptc.backends.llvm.unbox import BoundaryError, Unboxer
from scriptc_runtime.dims import Dim
from scriptc_runtime.ir import Function, walk
from scriptc_runtime.ops import control, low
from scriptc_runtime.types import TensorType, Type


@dataclass(frozen=True, slots=True)
class ParameterSpec:
    """One parameter of an entry.

    `writes`: the function writes the array. `converts`: an int is taken for a float.
    """

    name: str
    type: Type
    writes: bool = False
    converts: bool = False


@dataclass(frozen=True, slots=True)
class EntrySpec:
    """A function that Python calls, with the types its arguments must have."""

    function: str
    parameters: tuple[ParameterSpec, ...]


def entry_symbol(index: int) -> str:
    """Return the exported name of an entry of an object."""
    return f"sc_entry_{index}"


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
        self.unboxer = Unboxer(self.e, self.layout, "miss")
        self.boxer = Boxer(self.e, self.layout)

    def text(self) -> str:
        e = self.e
        self._check_arity()
        arguments = self._arguments()
        self._check_dims(arguments)
        self._fill_context()
        self._call(arguments)
        self._jump_on("miss", self.index + 1)
        self._jump_on("bind", 0)
        signature = "(ptr %self, ptr %args, i64 %nargsf, ptr %names)"
        head = f"define ptr @{entry_symbol(self.index)}{signature} optsize nounwind {{"
        context = f"  %ctx = alloca [{abi.CONTEXT_SIZE} x i8], align 8"
        return "\n".join((head, "entry:", context, *e.allocas, *e.lines, *e.cold, "}", ""))

    def _check_arity(self) -> None:
        e = self.e
        given = e.let("and i64 %nargsf, 9223372036854775807")
        enough = e.let(f"icmp eq i64 {given}, {len(self.spec.parameters)}")
        positional = e.let("icmp eq ptr %names, null")
        good = e.label()
        e.branch(e.let(f"and i1 {enough}, {positional}"), good, "bind", "!prof !1")
        e.start(good)

    def _arguments(self) -> list[Components]:
        result: list[Components] = []
        for position, parameter in enumerate(self.spec.parameters):
            obj = self.unboxer.load("ptr", "%args", 8 * position)
            result.append(
                self.unboxer.unbox(
                    parameter.type, obj, writes=parameter.writes, converts=parameter.converts
                )
            )
        return result

    def _check_dims(self, arguments: Sequence[Components]) -> None:
        """Take only arrays whose sizes fit the dims of the parameters together."""
        sizes: list[tuple[Dim, str]] = []
        for parameter, components in zip(self.spec.parameters, arguments, strict=True):
            if isinstance(parameter.type, TensorType):
                parts = abi.tensor_parts(components)
                sizes += zip(parameter.type.dims, parts.sizes, strict=True)
        symbols = self._bound_symbols(sizes)
        for dim, size in sizes:
            expected = self._size_of(dim, symbols)
            if expected is not None and expected != size:
                self.unboxer.expect(self.e.let(f"icmp eq i64 {size}, {expected}"))

    def _bound_symbols(self, sizes: Sequence[tuple[Dim, str]]) -> Mapping[str, str]:
        bound: dict[str, str] = {}
        for dim, size in sizes:
            if dim.constant == 0 and len(dim.terms) == 1 and dim.terms[0][1] == 1:
                bound.setdefault(dim.terms[0][0], size)
        return bound

    def _size_of(self, dim: Dim, symbols: Mapping[str, str]) -> str | None:
        if not dim.known:
            return None
        total = str(dim.constant)
        for symbol, coefficient in dim.terms:
            if symbol not in symbols:
                raise BoundaryError(
                    f"the size {dim} of @{self.function.name} does not tell what {symbol} is: no"
                    " axis of a parameter is that alone"
                )
            part = symbols[symbol]
            if coefficient != 1:
                part = self.e.let(f"mul i64 {part}, {coefficient}")
            total = part if total == "0" else self.e.let(f"add i64 {total}, {part}")
        return total

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
        if recursive or any(_loops(f) for f in reached):
            self._store(Context.POLL, "i64", str(POLL_ROUNDS))

    def _store(self, field: Context, type_: str, value: str) -> None:
        at = self.e.let(f"getelementptr i8, ptr %ctx, i64 {field}")
        self.e.write(f"store {type_} {value}, ptr {at}")

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
        raised, good = e.label(), e.label()
        e.branch(e.let(f"icmp ne i32 {status}, 0"), raised, good, SELDOM)
        e.start(good)
        width = len(abi.flatten(result))
        parts = tuple(e.let(f"extractvalue {type_} {returned}, {i + 1}") for i in range(width))
        obj = self.boxer.box(result, parts)
        e.write(f"ret ptr {obj}")
        e.start(raised)
        e.state.routines.add("report")
        e.write("call void @sc.report(ptr %ctx)")
        e.write("ret ptr null")

    def _jump_on(self, label: str, word: int) -> None:
        e = self.e
        e.start(label)
        place = e.let(f"getelementptr i64, ptr @sc_words, i64 {word}")
        offset = e.let(f"load i64, ptr {place}")
        cell = e.let(f"getelementptr i8, ptr %self, i64 {offset}")
        target = e.let(f"load ptr, ptr {cell}")
        arguments = "ptr %self, ptr %args, i64 %nargsf, ptr %names"
        e.write(f"ret ptr {e.let(f'musttail call ptr {target}({arguments})')}")


def _loops(function: Function) -> bool:
    regions = (control.FOR, control.WHILE, low.LOOP, low.LAUNCH)
    return any(instr.op in regions for instr in walk(function.body))


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
        ]
    return list(seen.values())
