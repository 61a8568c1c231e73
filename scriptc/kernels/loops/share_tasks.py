"""Share tasks: pieces of a straight stretch that do not depend on each other may run side by side.

    launch %n, %x, %1 ...                  if tasks_pay ... [callee="kernel.f.2"] {
    call %1 [callee="loop.f.0"]     =>       launch 2, ... [callee="kernel.f.2", tasks=true]
    launch %n, %y, %2 ...                  } {
    call %2 [callee="loop.f.0"]              launch %n, %x, %1 ...    as before
                                             ... }

    func kernel @kernel.f.2(..., %begin: i64, %end: i64) -> None {
      loop %count [parallel=true] {(%i) if %i == 0 { the first task }  if %i == 1 { ... } }

An iteration of the kernel is a task, so tasks have what iterations have: threads take them, the
first exception in the order of the program is kept, Ctrl-C ends them all.  A task launches nothing:
it runs the kernels that it holds itself.  Its temporary arrays are its own; arrays that others use
are made before the tasks, and numbers are handed over in arrays of one element.

Where sizes say that tasks gain nothing, all is done as before, in the same order.  Loops are moved
into functions, as `extract_loops` does, so that there is one copy of each.

Needs: low IR after `outline` and `extract_loops`, before `reuse_buffers` and `ownership`.
Gives: low IR, same results.
Does not: touch what holds Python's lock (text, lists, random numbers, calls of functions that are
not inlined, linear algebra, products), or stretches whose tasks are too little for any size.
Cases: tests/cases/loops/share_tasks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import count
from typing import TypeVar

from scriptc.analysis import task_graph
from scriptc.analysis.effects import ModuleEffects
from scriptc.analysis.remarks import (
    VERSIONS,
    Kind,
    Message,
    Topic,
    about,
    is_versions,
    place_of,
    remark,
    stands_for,
)
from scriptc.kernels.builder import Code
from scriptc.kernels.loops.extract_loops import Extracted
from scriptc.kernels.loops.loop_functions import inputs_of
from scriptc.passes.rebuild import Renaming, map_blocks, rebuild_outermost
from scriptc_runtime.dims import Dim
from scriptc_runtime.ir import Block, Builder, Function, Instr, Label, Module, Role, Value, walk
from scriptc_runtime.ops import control, data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Attrs
from scriptc_runtime.record import replace
from scriptc_runtime.reserved import KERNEL_PREFIX
from scriptc_runtime.types import BOOL, FLOAT, INT, NONE, DType, TensorType, Type, is_counted

SHARED = Message(
    "share_tasks",
    Topic.PARALLEL,
    Kind.DONE,
    "{count} pieces of work from here on do not depend on each other: threads run them side by "
    "side, if they are much work",
)

_ROLES = (Role.SCRIPT, Role.LIBRARY)
_WORK = (low.LAUNCH, control.FOR, control.WHILE, low.LOOP, low.REDUCE, control.CALL)
_T = TypeVar("_T")
_KEPT_AS: dict[Type, DType] = {BOOL: DType.B1, INT: DType.I64, FLOAT: DType.F64}


def share_tasks(module: Module) -> Module:
    """Return `module` with independent pieces of work as tasks."""
    effects: ModuleEffects | None = None
    functions = dict(module.functions)
    for name, function in module.functions.items():
        if function.role not in _ROLES or not _has_work(function):
            continue
        about(function)
        effects = effects or ModuleEffects(module)
        sharer = _Sharer(module, function, effects)
        body = sharer.block(function.body)
        if body is not function.body:
            functions[name] = replace(function, body=body)
            functions |= sharer.functions
    return module.with_functions(functions)


def _has_work(function: Function) -> bool:
    """Whether there may be tasks. What `either` shares memory with, nothing says."""
    ops = Counter(i.op for i in walk(function.body))
    return sum(ops[op] for op in _WORK) > 1 and low.EITHER not in ops


class _Sharer:
    """Shares the tasks of one function."""

    def __init__(self, module: Module, function: Function, effects: ModuleEffects) -> None:
        self._module = module
        self._function = function
        self._graph = task_graph.TaskGraph(module, function, effects)
        self._extracted = Extracted(function, module.functions)
        self._kernels: dict[str, Function] = {}

    @property
    def functions(self) -> dict[str, Function]:
        """The kernels and loops that were made."""
        return {**self._kernels, **self._extracted.functions}

    def block(self, block: Block) -> Block:
        """Return `block` with its tasks shared, and those of the blocks inside of it."""
        builder = Builder()
        builder.open(*block.params)
        done = 0
        for stretch in self._graph.stretches(block):
            outputs = [self._outputs(task) for task in stretch.tasks]
            if not all(_is_kept(v.type) for v in _joined(outputs)):
                continue
            self._keep(builder, block.body[done : stretch.begin])
            self._keep(builder, stretch.before)
            self._share(builder, stretch, outputs)
            self._keep(builder, stretch.after)
            done = stretch.end
        self._keep(builder, block.body[done:])
        new = builder.close()
        return block if new.body == block.body else new

    def _keep(self, builder: Builder, instrs: Sequence[Instr]) -> None:
        for instr in instrs:
            builder.append(self._inside(instr))

    def _inside(self, instr: Instr) -> Instr:
        """Share tasks in the blocks of an instruction; of versions in the fast one alone."""
        if not is_versions(instr):
            return map_blocks(instr, self.block)
        fast, *others = instr.blocks
        new = self.block(fast)
        return instr if new is fast else replace(instr, blocks=(new, *others))

    def _share(
        self, builder: Builder, stretch: task_graph.Stretch, outputs: Sequence[Sequence[Value]]
    ) -> None:
        tasks = [[self._with_functions(i) for i in task] for task in stretch.tasks]
        first = next(i for task in stretch.tasks for i in task if self._graph.cost(i).all)
        remark(SHARED, place_of(first), count=len(tasks))
        kernel, passed = self._kernel([_joined(task) for task in tasks], outputs, first)
        numbers = [value for found in outputs for value in found]
        code = Code(builder, first.loc)
        pays = builder.emit(low.TASKS_PAY, *passed, loc=first.loc, callee=kernel.name)

        def side_by_side() -> Sequence[Value]:
            zero, one = code.number(0), code.number(1)
            kept = [code.new_array(_array_for(v), [one]) for v in numbers]
            operands = (code.number(len(tasks)), *passed, *kept)
            attrs: Attrs = {"callee": kernel.name, "tasks": True}
            builder.append(Instr(low.LAUNCH, operands, attrs, (), first.loc))
            loaded = [code.op(low.LOAD, array, zero) for array in kept]
            return [_converted(code, new, v.type) for new, v in zip(loaded, numbers, strict=True)]

        def in_order() -> Sequence[Value]:
            pairs = [
                pair
                for task, new in zip(stretch.tasks, tasks, strict=True)
                for pair in zip(task, new, strict=True)
            ]
            pairs.sort(key=lambda pair: stretch.places[pair[0]])
            names = Renaming()
            code.again(_joined([new for _, new in pairs]), names)
            return [names[v] for v in numbers]

        code.choose(pays, side_by_side, in_order, VERSIONS, numbers)

    def _with_functions(self, instr: Instr) -> Sequence[Instr]:
        """Return what stands for an instruction whose loops are functions, but for launches."""

        def emit(instr: Instr, builder: Builder) -> bool:
            makes = any(i.op is low.NEW_ARRAY for block in instr.blocks for i in walk(block))
            return not makes and self._extracted.replaces(instr, builder)

        return rebuild_outermost(Block((), (instr,)), emit).body

    def _outputs(self, task: Sequence[Instr]) -> Sequence[Value]:
        """Return the numbers of a task that others use."""
        inside = Counter(v for i in walk(Block((), tuple(task))) for v in i.operands)
        given = [r for instr in task for r in instr.results if not is_counted(r.type)]
        return [v for v in given if self._graph.uses[v] > inside[v]]

    def _kernel(
        self, tasks: Sequence[Sequence[Instr]], outputs: Sequence[Sequence[Value]], first: Instr
    ) -> tuple[Function, Sequence[Value]]:
        """Return a kernel whose iterations are tasks, and what it takes but for the outputs."""
        block = Block((), tuple(_joined(tasks)))
        used = [v for i in walk(block) for v in i.operands]
        definitions = self._graph.definitions
        inputs = inputs_of(used, [block], definitions, lambda _, made: made.op is data.CONST)
        params = [Value(v.type, f"p{n}") for n, v in enumerate(inputs.passed)]
        names = Renaming()
        for param, value in zip(params, inputs.passed, strict=True):
            stands_for(param, value, definitions)
            names[value] = param
        kept = [[Value(_array_for(v), "out") for v in found] for found in outputs]
        begin, end = Value(DType.I64, "begin"), Value(DType.I64, "end")
        code = Code(Builder(), first.loc)
        code.builder.open()
        code.again(inputs.remade, names)

        def choose(index: Value) -> None:
            number = code.op(e.ADD, begin, index)
            for place, (task, values, arrays) in enumerate(zip(tasks, outputs, kept, strict=True)):
                _one(code, place, number, task, values, arrays, names)

        code.loop(code.op(e.SUB, end, begin), choose, parallel=True)
        label = Label("return")
        code.builder.exit(label, code.builder.emit(data.CONST, value=None), loc=first.loc)
        parameters = (*params, *_joined(kept), begin, end)
        kernel = Function(
            self._name(), parameters, NONE, code.builder.close(), label, first.loc,
            self._function.file, role=Role.KERNEL,
        )  # fmt: skip
        self._kernels[kernel.name] = kernel
        return kernel, inputs.passed

    def _name(self) -> str:
        names = (f"{KERNEL_PREFIX}{self._function.name}.{n}" for n in count())
        return next(n for n in names if n not in self._module.functions and n not in self._kernels)


def _one(
    code: Code,
    place: int,
    number: Value,
    task: Sequence[Instr],
    values: Sequence[Value],
    arrays: Sequence[Value],
    names: Renaming,
) -> None:
    """Emit one task of a kernel, for the iteration of its place."""

    def run() -> Sequence[Value]:
        code.again(task, names)
        for value, array in zip(values, arrays, strict=True):
            kept = _converted(code, names[value], _dtype(value.type))
            code.builder.effect(low.STORE, array, kept, code.number(0), loc=code.loc)
        return ()

    code.choose(code.test(e.EQ, number, code.number(place)), run, lambda: (), "task")


def _joined(parts: Sequence[Sequence[_T]]) -> Sequence[_T]:
    return [item for part in parts for item in part]


def _is_kept(type_: Type) -> bool:
    """Whether an array may keep values of a type."""
    return isinstance(type_, DType) or type_ in _KEPT_AS


def _dtype(type_: Type) -> DType:
    """Return the dtype of an array that keeps numbers of a type."""
    return type_ if isinstance(type_, DType) else _KEPT_AS[type_]


def _array_for(value: Value) -> TensorType:
    return TensorType(_dtype(value.type), (Dim(1),))


def _converted(code: Code, value: Value, type_: Type) -> Value:
    return (
        value if value.type == type_ else code.builder.emit(e.CAST, value, loc=code.loc, to=type_)
    )
