"""Extract loops: in a function that launches kernels, a loop over elements becomes a function.

    launch ...                              launch ...
    for ... %x, %n ...                =>    call %x, %n [callee="loop.f.0"]
    launch ...                              launch ...

                                            func loop @loop.f.0(%x, %n) -> None { for ... }

If a loop is left early, the region that it is left to becomes the function: the body of an inlined
function with `return` in a loop, for one.

What launches kernels is long and runs once: a few of LLVM's passes are enough for it. A loop over
elements is worth all of them, and they took as long for all of the function that it stood in.

Where a function runs once in a call and is long outside of its loops, loops that launch kernels
become functions as well: what is left is not worth any of LLVM's time then.

The function of a loop knows of its arrays what was known where the loop stood: which are contiguous
and which share no memory.

Needs: low IR after `outline`.
Gives: low IR; loops of a function with several launches have launches, where they can be apart.
Does not: touch functions with one launch, or loops over elements that make arrays for what follows.
Cases: tests/cases/loops/extract_loops.
"""

from collections.abc import Collection, Iterator, Mapping

from scriptc.analysis.call_frequency import LOOPS, called_often
from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.remarks import about
from scriptc.kernels.loops.loop_functions import LoopFunctions, is_dense
from scriptc.passes.rebuild import rebuild_outermost
from scriptc_runtime.call_graph import callees
from scriptc_runtime.ir import Block, Builder, Function, Instr, Module, Role, Value, walk
from scriptc_runtime.ops import data, low
from scriptc_runtime.record import replace
from scriptc_runtime.types import TensorType

# With one launch, all of LLVM's passes take a few milliseconds for a function.
_SEVERAL = 2
# Instructions outside of loops from which on it matters what LLVM makes of them.
_LONG = 150


def extract_loops(module: Module) -> Module:
    """Return `module` with loops over elements apart from what launches kernels."""
    functions: dict[str, Function] = {}
    kernels = {name for f in module.functions.values() for name in callees(f, (low.LAUNCH,))}
    often: Collection[str] | None = None
    for name, function in module.functions.items():
        about(function)
        functions[name] = function
        if sum(i.op is low.LAUNCH for i in walk(function.body)) < _SEVERAL:
            continue
        _extract(functions, Extracted(function))
        if _is_long(functions[name].body):
            often = called_often(module, kernels) if often is None else often
            if name not in often:
                _extract(functions, ExtractedLaunches(functions[name], functions))
    return module.with_functions(functions)


def _extract(functions: dict[str, Function], extracted: "Extracted") -> None:
    function = extracted.function
    body = rebuild_outermost(function.body, extracted.replaces)
    functions[function.name] = replace(function, body=body)
    functions.update(extracted.functions)


def _is_long(body: Block) -> bool:
    """Whether a function has loops, and is long outside of them."""
    outside = list(_outside_loops(body))
    return len(outside) >= _LONG and any(i.op in LOOPS for i in outside)


def _outside_loops(block: Block) -> Iterator[Instr]:
    for instr in block.body:
        yield instr
        for inner in instr.blocks if instr.op not in LOOPS else ():
            yield from _outside_loops(inner)


class Extracted(LoopFunctions):
    """The loops of one function, with what is known of their arrays."""

    remade = frozenset({data.CONST, low.ASSUME_CONTIGUOUS, low.ASSUME_DISTINCT})

    def __init__(self, function: Function, taken: Collection[str] = ()) -> None:
        super().__init__(function, definitions_of(function), Role.LOOP, taken)
        self.function = function
        self._params = frozenset(function.params)

    def replaces(self, instr: Instr, builder: Builder) -> bool:
        """Emit a call that stands for an instruction, if that holds loops and no launches."""
        ops = {instr.op, *(i.op for block in instr.blocks for i in walk(block))}
        return low.LAUNCH not in ops and not ops.isdisjoint(LOOPS) and self.emit(builder, instr)

    def known(self, params: Mapping[Value, Value], builder: Builder) -> Mapping[Value, Value]:
        """Say which arrays are contiguous, and which are new and share memory with no other."""
        apart = [v for v in params if self._is_array(v) and (v in self._params or self._is_new(v))]
        found: dict[Value, Value] = {}
        for value, param in params.items():
            known = param
            if self._is_array(value) and is_dense(self.definitions.get(value)):
                known = builder.emit(low.ASSUME_CONTIGUOUS, known)
            others = [params[v] for v in apart if v is not value]
            if self._is_array(value) and self._is_new(value) and others:
                known = builder.emit(low.ASSUME_DISTINCT, known, *others)
            found[value] = known
        return found

    def _is_array(self, value: Value) -> bool:
        return isinstance(value.type, TensorType) and value.type.rank > 0

    def _is_new(self, value: Value) -> bool:
        made = self.definitions.get(value)
        return made is not None and made.op is low.NEW_ARRAY


class ExtractedLaunches(Extracted):
    """The loops of one function that launch kernels, which know of their arrays by themselves."""

    gives_counted = True

    def replaces(self, instr: Instr, builder: Builder) -> bool:
        """Emit a call that stands for a loop; one that has to stay is emitted as it is."""
        if not self._is_loop(instr):
            return False
        if not self.emit(builder, instr):
            if instr.op not in LOOPS:
                return False
            builder.append(instr)
        return True

    def _is_loop(self, instr: Instr) -> bool:
        """Whether an instruction is a loop, or what one is left to."""
        if instr.op in LOOPS:
            return True
        inner = (i for block in instr.blocks for i in walk(block))
        loops = [i for i in inner if i.op in LOOPS]
        leaving = (i for loop in loops for block in loop.blocks for i in walk(block))
        return any(i.target is not None and i.target.label is instr.label for i in leaving)

    def known(self, params: Mapping[Value, Value], builder: Builder) -> Mapping[Value, Value]:
        """Say which arrays are contiguous."""
        return {
            value: builder.emit(low.ASSUME_CONTIGUOUS, param)
            if self._is_array(value) and is_dense(self.definitions.get(value))
            else param
            for value, param in params.items()
        }
