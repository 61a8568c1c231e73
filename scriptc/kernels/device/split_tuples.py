"""Split tuples: loops carry the items of tuples, and not tuples, which no kernel has.

    %t = for ..., %s : tuple<f64, int>     =>    %a, %k = for ..., %s.0, %s.1 : f64, int
                                                 %t = tuple %a, %k

Needs: core IR.
Gives: the same; regions give and carry no tuples of numbers, where a loop carries one.
Does not: split tuples that hold anything but numbers and such tuples; those have no kernels.
Cases: tests/cases/device/split_tuples.
"""

from collections.abc import Iterator, Sequence

from scriptc.kernels.device.cells import is_number
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import Renaming
from scriptc_runtime.ir import Block, Builder, Function, Instr, Label, Loc, Value, walk
from scriptc_runtime.ops import control, data
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import TupleType, Type

_LOOPS = (control.FOR, control.WHILE)
_REGIONS = (*_LOOPS, control.IF, control.BLOCK)


@per_function
def split_tuples(function: Function) -> Function:
    """Return `function` with tuples of numbers split where loops carry them."""
    loops = (i for i in walk(function.body) if i.op in _LOOPS)
    if not any(_is_split(v.type) for loop in loops for v in loop.results):
        return function
    return replace(function, body=_Splitter(Builder(), Renaming(), set()).block(function.body))


def _is_split(type_: Type) -> bool:
    return (
        isinstance(type_, TupleType)
        and len(type_.items) > 0
        and all(is_number(t) or _is_split(t) for t in type_.items)
    )


@record(eq=False)
class _Splitter:
    builder: Builder
    names: Renaming
    labels: set[Label]  # of regions whose exits give items

    def block(self, block: Block) -> Block:
        """Return a block whose parameters are items."""
        params = [(p, self._items(p)) for p in block.params]
        self.builder.open(*(v for _, items in params for v in items))
        for param, items in params:
            self._stand_for(param, items, block.body[0].loc)
        for instr in block.body:
            self._instr(instr)
        return self.builder.close()

    def _instr(self, instr: Instr) -> None:
        instr = self.names.instr(instr)
        if instr.op in _REGIONS:
            self._region(instr)
            return
        if instr.target is not None and instr.target.label in self.labels:
            instr = replace(instr, operands=self._split(instr.operands, instr.loc))
        if instr.blocks:
            instr = replace(instr, blocks=tuple([self.block(b) for b in instr.blocks]))
        self.builder.append(instr)

    def _region(self, instr: Instr) -> None:
        assert instr.label is not None
        self.labels.add(instr.label)
        operands = self._split(instr.operands, instr.loc)
        results = [(r, self._items(r)) for r in instr.results]
        blocks = tuple([self.block(b) for b in instr.blocks])
        split = tuple(v for _, items in results for v in items)
        self.builder.append(replace(instr, operands=operands, results=split, blocks=blocks))
        for result, items in results:
            self._stand_for(result, items, instr.loc)

    def _items(self, value: Value) -> Sequence[Value]:
        """Return new values for the items of a tuple, or the value itself."""
        if not _is_split(value.type):
            return (value,)
        return [Value(t, value.name) for t in _leaves(value.type)]

    def _stand_for(self, value: Value, items: Sequence[Value], loc: Loc) -> None:
        """Emit the tuple that items make, for what uses it as a whole."""
        if _is_split(value.type):
            self.names[value] = self._made(value.type, iter(items), loc)

    def _made(self, type_: Type, items: Iterator[Value], loc: Loc) -> Value:
        if not _is_split(type_):
            return next(items)
        assert isinstance(type_, TupleType)
        return self.builder.emit(
            data.TUPLE, *[self._made(t, items, loc) for t in type_.items], loc=loc
        )

    def _split(self, values: Sequence[Value], loc: Loc) -> tuple[Value, ...]:
        """Emit the items of tuples among values."""
        found: list[Value] = []
        for value in values:
            if not _is_split(value.type):
                found.append(value)
                continue
            assert isinstance(value.type, TupleType)
            items = [
                self.builder.emit(data.ITEM, value, loc=loc, index=index)
                for index in range(len(value.type.items))
            ]
            found += self._split(items, loc)
        return tuple(found)


def _leaves(type_: Type) -> Sequence[Type]:
    if not _is_split(type_):
        return (type_,)
    assert isinstance(type_, TupleType)
    return [leaf for item in type_.items for leaf in _leaves(item)]
