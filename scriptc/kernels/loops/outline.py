"""Outline: every parallel loop nest becomes a kernel, a function for a part of it.

    loop %n [parallel=true] {(%i) ...}    =>    launch %n, %x, %out [callee="kernel.f.0"]

    func kernel @kernel.f.0(%x, %out, %begin: i64, %end: i64) -> None {
      loop %count [parallel=true] {(%i) ... at %begin + %i ...}
    }

Nests that differ in nothing but numbers share a kernel, which takes these as well.

What host code would fetch from a cell, a kernel reads there itself, and computes of it what host
code would.

A buffer that only the nest uses moves into the kernel: each thread, or each block of a GPU, then
has its own.

Needs: low IR after `fuse`.
Gives: low IR; a parallel loop stands only as the outermost loop of a kernel or inside it.
Does not: touch loops whose iterations depend on each other.
Cases: tests/cases/loops/outline.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial

from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.induction import constant_int
from scriptc.analysis.instr_kinds import computes_only, may_raise
from scriptc.analysis.remarks import (
    Kind,
    Message,
    Topic,
    about,
    place_of,
    remark,
    remarks_wanted,
    stands_for,
)
from scriptc.kernels.loops import shared_constants
from scriptc.kernels.loops.loop_functions import Inputs, inputs_of, is_dense
from scriptc.passes.rebuild import Renaming, clone, map_blocks
from scriptc_runtime.dims import symbol
from scriptc_runtime.ir import (
    Block,
    Builder,
    Function,
    Instr,
    Label,
    Module,
    Role,
    Value,
    walk,
)
from scriptc_runtime.ops import data, device, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import replace
from scriptc_runtime.reserved import KERNEL_PREFIX
from scriptc_runtime.text import writer
from scriptc_runtime.types import NONE, DType, TensorType, element_of, substitute_dims

SHARED = Message(
    "outline",
    Topic.PARALLEL,
    Kind.DONE,
    "parallel: threads share its iterations, if they are much work",
)

_MOST_STEPS = 16  # by which a kernel computes what follows from what it reads of cells
# What a kernel computes again, so that LLVM knows there what it says.
_REMADE = (data.CONST, low.ASSUME_CONTIGUOUS, low.ASSUME_DISTINCT)


def outline(module: Module) -> Module:
    """Return `module` with its parallel loops as kernels."""
    return _outlined(module, None)


def outline_for(runs_in_kernels: Callable[[Instr], bool]) -> Callable[[Module], Module]:
    """Return the pass for a device whose kernels may hold what `runs_in_kernels` says."""

    def run(module: Module) -> Module:
        return _outlined(module, runs_in_kernels)

    run.__name__ = outline.__name__
    return run


def _outlined(module: Module, runs_in_kernels: Callable[[Instr], bool] | None) -> Module:
    functions: dict[str, Function] = {}
    for name, function in module.functions.items():
        about(function)
        outliner = _Outliner(function, _fetched_once(function, runs_in_kernels))
        functions[name] = outliner.run()
        functions.update(outliner.kernels)
    return module.with_functions(functions)


def has_places(kernel: Function) -> bool:
    """Whether what a kernel raises is raised at lines of its own.

    Otherwise nothing ends it but memory that is missing, and Ctrl-C: then the place is the one that
    it is launched at, and nests of several lines may have a kernel in common.
    """
    return any(map(may_raise, walk(kernel.body)))


class _Outliner:
    def __init__(self, function: Function, fetched: AbstractSet[Value]) -> None:
        self._function = function
        self._definitions = definitions_of(function)
        self._uses = Counter(v for i in walk(function.body) for v in i.operands)
        self._fetched = fetched
        self.kernels: dict[str, Function] = {}
        self._same: dict[str, str] = {}
        self._numbers: dict[Instr, set[Value]] = {}  # of nests, what a common kernel takes

    def run(self) -> Function:
        self._find_numbers()
        body = self._block(self._function.body)
        return replace(self._function, body=_without_unused_buffers(body))

    def _block(self, block: Block) -> Block:
        body: list[Instr] = []
        for instr in block.body:
            if instr.op is low.LOOP and instr.attrs["parallel"]:
                if remarks_wanted():
                    remark(SHARED, place_of(instr))
                body.append(self._launch(instr))
                continue
            body.append(map_blocks(instr, self._block))
        return block if tuple(body) == block.body else Block(block.params, tuple(body))

    def _find_numbers(self) -> None:
        """Find the nests that differ in numbers alone, and these numbers."""
        alike: dict[Hashable, list[Instr]] = {}
        for loop in _parallel_loops(self._function.body):
            alike.setdefault(shared_constants.shape_of(loop), []).append(loop)
        for loops in alike.values():
            groups: dict[str, dict[Instr, set[Value]]] = {}
            for loop in loops if len(loops) > 1 else ():
                numbers = shared_constants.plain_numbers(loop, self._definitions)
                if numbers:
                    text = self._text(self._kernel("", loop, self._inputs(loop, numbers)))
                    groups.setdefault(text, {})[loop] = numbers
            for group in groups.values():
                texts = {self._text(self._kernel("", n, self._inputs(n, set()))) for n in group}
                if len(texts) > 1:
                    self._numbers |= group

    def _text(self, kernel: Function) -> str:
        """Return what tells a kernel from others."""
        return writer.write_function(_without_names(kernel), locations=has_places(kernel))

    def _launch(self, loop: Instr) -> Instr:
        name = f"{KERNEL_PREFIX}{self._function.name}.{len(self.kernels)}"
        inputs = self._inputs(loop, self._numbers.get(loop, set()))
        kernel = self._kernel(name, loop, inputs)
        # Versions of loops around a nest, and lines that do the same, make copies of it: one kernel
        # serves them all.
        name = self._same.setdefault(self._text(kernel), name)
        self.kernels.setdefault(name, kernel)
        operands = (loop.operands[0], *inputs.passed)
        return Instr(low.LAUNCH, operands, {"callee": name}, (), loc=loop.loc)

    def _inputs(self, loop: Instr, numbers: AbstractSet[Value]) -> Inputs:
        """Return what a loop uses; `numbers` are constants that are passed in."""
        inside = Counter(v for b in loop.blocks for i in walk(b) for v in i.operands)
        is_single = constant_int(loop.operands[0], self._definitions) == 1
        # Host code must know how many threads there are.
        nests = _nest(loop) if self._fetched else ()
        counts = {i.operands[0] for i in nests if i.op in (low.LOOP, low.REDUCE)}
        index = loop.blocks[0].params[0]
        views = (i for i in walk(loop.blocks[0]) if i.op is low.SUBVIEW)
        parts = {i.operands[0] for i in views if i.operands[1:2] == (index,)}

        def is_remade(value: Value, definition: Instr) -> bool:
            if definition.op is low.NEW_ARRAY:
                # Nobody else uses it, and each iteration is to have its own, not a part of it.
                shared = value in parts or is_single
                return self._uses[value] == inside[value] and not shared
            if value in self._fetched:
                return value not in counts
            return definition.op in _REMADE and value not in numbers

        return inputs_of(inside, loop.blocks, self._definitions, is_remade)

    def _kernel(self, name: str, loop: Instr, inputs: Inputs) -> Function:
        builder = Builder()
        bindings = Renaming()
        params = [Value(v.type, f"p{i}") for i, v in enumerate(inputs.passed)]
        for param, value in zip(params, inputs.passed, strict=True):
            stands_for(param, value, self._definitions)
        begin, end = Value(DType.I64, "begin"), Value(DType.I64, "end")
        builder.open()
        views = {d.operands[0]: d for d in inputs.remade if d.op is low.ASSUME_CONTIGUOUS}
        any_layout = self._is_for_any_layout(loop, inputs.passed, views)
        # In the order of the parameters, so that equal nests give equal text.
        for value, param in zip(inputs.passed, params, strict=True):
            bindings[value] = param if any_layout else self._dense(value, param, builder)
            if value in views:
                _remake(views[value], bindings, builder)
        for definition in inputs.remade:
            if bindings[definition.result] is definition.result:
                _remake(definition, bindings, builder)
        self._iterations(loop, bindings, begin, end, builder)
        label = Label("return")
        builder.exit(label, builder.emit(data.CONST, value=None), loc=loop.loc)
        body = builder.close()
        file = self._function.file
        parameters, role = (*params, begin, end), Role.KERNEL
        return Function(name, parameters, NONE, body, label, loop.loc, file, role=role)

    def _is_for_any_layout(
        self, loop: Instr, passed: Sequence[Value], views: Mapping[Value, Instr]
    ) -> bool:
        """Whether nothing is gained from what is known of some arrays, as others may be strided.

        The same kernel then serves a new array and a part of an old one.
        """
        if sum(i.op in (low.LOOP, low.REDUCE) and _is_innermost(i) for i in _nest(loop)) != 1:
            return False
        arrays = [v for v in passed if isinstance(v.type, TensorType) and v.type.rank]
        return any(v not in views and not self._is_known(v) for v in arrays)

    def _is_known(self, value: Value) -> bool:
        return is_dense(self._definitions.get(value))

    def _dense(self, value: Value, param: Value, builder: Builder) -> Value:
        """Say inside the kernel that an array made outside is contiguous."""
        return builder.emit(low.ASSUME_CONTIGUOUS, param) if self._is_known(value) else param

    def _iterations(
        self, loop: Instr, bindings: Renaming, begin: Value, end: Value, builder: Builder
    ) -> None:
        count = builder.emit(e.SUB, end, begin, loc=loop.loc)
        index, label = Value(DType.I64, "i"), Label("loop")
        assert loop.label is not None
        builder.open(index)
        bindings[loop.blocks[0].params[0]] = builder.emit(e.ADD, begin, index, loc=loop.loc)
        inner = clone(
            Block((), loop.blocks[0].body), bindings, {loop.label: label}, lambda loc: loc
        )
        for instr in inner.body:
            builder.append(instr)
        block = builder.close()
        builder.append(Instr(low.LOOP, (count,), loop.attrs, (), loop.loc, (block,), label))


def _fetched_once(
    function: Function, runs_in_kernels: Callable[[Instr], bool] | None
) -> AbstractSet[Value]:
    """Return what host code fetches of cells, and what it computes from it without raising.

    Kernels read the cells themselves, so host code need not wait for them.  What takes more than a
    few steps is computed once, by host code: each kernel that needs it would have them all.
    """
    steps: dict[Value, int] = {}
    if runs_in_kernels is None:
        return frozenset()
    for instr in walk(function.body):
        if instr.op is device.FETCH:
            steps.update(dict.fromkeys(instr.results if instr.attrs["once"] else (), 1))
            continue
        count = sum(steps.get(v, 0) for v in instr.operands) + 1
        if 1 < count <= _MOST_STEPS and _computes_a_number(instr) and runs_in_kernels(instr):
            steps[instr.result] = count
    return steps.keys()


def _computes_a_number(instr: Instr) -> bool:
    numbers = len(instr.results) == 1 and element_of(instr.result.type) is instr.result.type
    return numbers and computes_only(instr)


def _parallel_loops(block: Block) -> Iterator[Instr]:
    """Yield the loops that become kernels."""
    for instr in block.body:
        if instr.op is low.LOOP and instr.attrs["parallel"]:
            yield instr
            continue
        for inner in instr.blocks:
            yield from _parallel_loops(inner)


def _without_names(kernel: Function) -> Function:
    """Return a kernel without its name, and with sizes named in the order of its parameters."""
    types = [p.type for p in kernel.params]
    dims = [d for t in types if isinstance(t, TensorType) for d in t.dims]
    names = dict.fromkeys(name for dim in dims for name, _ in dim.terms)
    renamed = {name: symbol(f"s{number}") for number, name in enumerate(names)}
    labels = {kernel.label: kernel.label}
    inner = Block(kernel.params, kernel.body.body)
    retype = partial(substitute_dims, bindings=renamed)
    block = clone(inner, Renaming(), labels, lambda loc: loc, retype)
    return replace(kernel, name="", params=block.params, body=Block((), block.body))


def _nest(loop: Instr) -> Iterator[Instr]:
    """Yield a loop and all in it."""
    yield loop
    for block in loop.blocks:
        yield from walk(block)


def _is_innermost(loop: Instr) -> bool:
    return not any(i.blocks for block in loop.blocks for i in walk(block))


def _remake(definition: Instr, bindings: Renaming, builder: Builder) -> None:
    """Append a copy of an instruction without blocks; what host code fetches, a kernel loads."""
    results = tuple(Value(r.type) for r in definition.results)
    operands = tuple(bindings[v] for v in definition.operands)
    if definition.op is device.FETCH:
        builder.append(Instr(low.LOAD, operands, {}, results, definition.loc))
    else:
        builder.append(replace(definition, operands=operands, results=results))
    bindings[definition.result] = results[0]


def _without_unused_buffers(block: Block) -> Block:
    """Drop the arrays that moved into kernels."""
    used = {v for i in walk(block) for v in i.operands}

    def kept(block: Block) -> Block:
        body: list[Instr] = []
        for instr in block.body:
            if instr.op in (low.NEW_ARRAY, low.ASSUME_CONTIGUOUS) and instr.result not in used:
                continue
            blocks = tuple(kept(b) for b in instr.blocks)
            body.append(replace(instr, blocks=blocks) if blocks else instr)
        return Block(block.params, tuple(body))

    return kept(block)
