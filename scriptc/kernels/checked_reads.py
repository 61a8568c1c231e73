"""Opens checked reads of elements, where nothing else works on arrays: what `fuse` does otherwise.

    %2 = index %x, %1 : f64              =>    %2 = size %x [axis=0]
                                               (is %1 inside? else IndexError)
                                               %9 = load %x, %8 : f64

Needs: a plain module in core IR, see `passes/plain.py`.
Gives: low IR, the same that `fuse` gives for it.
Does not: load the modules that fuse, and schedule loop nests.
Cases: tests/cases/kernels/open_checked_reads.
"""

from collections.abc import Sequence

from scriptc.kernels.builder import Code
from scriptc.passes.rebuild import Renaming, map_blocks
from scriptc_runtime.dims import Dim
from scriptc_runtime.ir import Block, Builder, Function, Instr, Module, Role, Value
from scriptc_runtime.ops import arrays, data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import replace
from scriptc_runtime.types import DType, TensorType


def open_checked_reads(module: Module) -> Module:
    """Return a plain module with every read of an element opened."""
    functions = {
        name: _Elements(versions=function.role is not Role.FALLBACK).function(function)
        for name, function in module.functions.items()
    }
    return module.with_functions(functions)


def position(code: Code, index: Value, axis: int, size: Value) -> Value:
    """Return an int index as an i64 in range; IndexError in NumPy's words if it is not."""
    given = code.to_i64(index)
    # Without a sign, what is below zero is above every size: one comparison tells a usual index.
    most = code.cast(size, DType.U64)
    unusual = code.test(e.GE, code.cast(given, DType.U64), most)
    back = code.op(e.ADD, given, size)
    found = code.select(unusual, back, given, seldom=True)
    below = code.test(e.LT, code.cast(back, DType.U64), most)
    true = code.builder.emit(data.CONST, loc=code.loc, value=True)
    inside = code.select(unusual, below, true, seldom=True)
    message = f"index {{}} is out of bounds for axis {axis} with size {{}}"
    code.require(inside, "IndexError", message, given, size)
    return found


class _Elements:
    """The walk over one function."""

    def __init__(self, *, versions: bool) -> None:
        self._builder = Builder()
        self._names = Renaming()
        self._sizes: dict[Value, Sequence[Value]] = {}
        self._known: dict[Dim, Value] = {}  # sizes of known dims that are no constants
        self._code = Code(self._builder, versions=versions)

    def function(self, function: Function) -> Function:
        """Return `function` in low IR."""
        body = self._block(function.body)
        return function if body is function.body else replace(function, body=body)

    def _block(self, block: Block) -> Block:
        # Values of an inner block are not there after it.
        outer = self._sizes, self._known
        self._sizes, self._known = dict(self._sizes), dict(self._known)
        self._builder.open(*block.params)
        for instr in block.body:
            self._instr(instr)
        self._sizes, self._known = outer
        new = self._builder.close()
        return block if new.body == block.body else new

    def _instr(self, instr: Instr) -> None:
        code = self._code.at(instr.loc)
        if instr.op is arrays.INDEX:
            array, *index = (self._names[v] for v in instr.operands)
            sizes = self._sizes_of(array)
            places = [position(code, v, i, sizes[i]) for i, v in enumerate(index)]
            self._names[instr.result] = code.op(low.LOAD, array, *places)
        elif instr.op is arrays.DIM:
            axis = instr.attrs["axis"]
            assert isinstance(axis, int)
            size = self._sizes_of(self._names[instr.operands[0]])[axis]
            self._names[instr.result] = code.to_int(size)
        else:
            self._builder.append(map_blocks(self._names.instr(instr), self._block))

    def _sizes_of(self, array: Value) -> Sequence[Value]:
        if array not in self._sizes:
            assert isinstance(array.type, TensorType)
            self._sizes[array] = [
                self._shared(dim, self._code.size(array, axis))
                for axis, dim in enumerate(array.type.dims)
            ]
        return self._sizes[array]

    def _shared(self, dim: Dim, size: Value) -> Value:
        """Return the size that stands for all axes of a dim."""
        return self._known.setdefault(dim, size) if dim.known and not dim.is_constant else size
