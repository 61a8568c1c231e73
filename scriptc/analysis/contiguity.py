"""Which arrays are known to lie in memory row by row, whoever made them.

New arrays are in C order; views are as what they are views of lets them be; an array that a region
gives, or that a loop carries from iteration to iteration, is what all that may become it are.

    y = x * 2.0 if c else x + 1.0      in C order: both ways make a new array
    y[1:]                              in C order: whole rows, one behind the other
    y[:, 1:]                           contiguous rows: parts of those of `y`
    y[:, 0]                            spaced, where rows of `y` have several elements
    y[:, ::2]                          spaced
    y.T                                nothing is known

No two elements of an array that is spaced are neighbours in memory.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from typing import cast

from scriptc_runtime.call_graph import calls_of
from scriptc_runtime.dims import ONE, Dim
from scriptc_runtime.ir import Block, Function, Instr, Label, Module, Value
from scriptc_runtime.ops import (
    arrays,
    buffers,
    control,
    data,
    joining,
    low,
    picking,
    reductions,
    reshaping,
)
from scriptc_runtime.ops.opdef import OpDef, Trait
from scriptc_runtime.types import NONE, TensorType


class Order(IntEnum):
    """What is known of the places of an array's elements, less first."""

    UNKNOWN = 0
    ROWS = 1  # neighbours along the last axis are neighbours in memory
    DENSE = 2  # C order: rows are, one behind the other


# Ops that give a new array, which is in C order.
_MAKES = frozenset(
    {
        *(
            arrays.EMPTY,
            arrays.FULL,
            arrays.ARANGE,
            arrays.COPY,
            picking.COMPRESS,
            picking.TAKE,
            picking.OUTER_TAKE,
        ),
        *(joining.JOIN, joining.ROLL, arrays.MATMUL, low.NEW_ARRAY, buffers.KEPT_ARRAY),
        *(reductions.SUM, reductions.PROD, reductions.ANY, reductions.ALL),
        *(reductions.MAX, reductions.MIN),
    }
)


class Contiguity:
    """What is known of the arrays of one function."""

    def __init__(self, function: Function, results: Mapping[str, Order]) -> None:
        """Look at a function; `results` are orders of what others return, see below."""
        self._given = frozenset(function.given.dense)
        self._several = {_dims(array)[axis] for array, axis in function.given.several}
        self._spaced: set[Value] = set()
        self._steps: set[Value] = set()  # numbers other than 1
        self._results = results
        self._return = function.label
        self._orders: dict[Value, Order] = {}
        self._regions: dict[Label, Instr] = {}
        # All that loops carry is taken to be in C order at first; what is found wrong is looked at
        # once more. An order only becomes less, so this ends.
        self._changed = True
        while self._changed:
            self._changed = False
            self.result = Order.DENSE  # the least that is known of what is returned
            self._block(function.body)

    def of(self, value: Value) -> Order:
        """Return what is known of an array."""
        if isinstance(value.type, TensorType) and value.type.rank == 0:
            return Order.DENSE
        found = self._orders.get(value, Order.UNKNOWN)
        return Order.DENSE if value in self._given else found

    def is_spaced(self, value: Value) -> bool:
        """Whether no two elements of an array are neighbours, or it has few elements or none."""
        return value in self._spaced

    @property
    def known(self) -> Iterable[Value]:
        """The arrays of which something is known, but for scalars' ones."""
        return (*self._given, *self._orders)

    def _block(self, block: Block) -> None:
        for instr in block.body:
            if instr.label is not None:
                self._region(instr, instr.label)
            elif instr.target is not None:
                self._exit(instr)
            elif instr.op is data.CONST:
                if instr.attrs["value"] not in (None, 1):
                    self._steps.add(instr.result)
            else:
                for result in instr.results:
                    if isinstance(result.type, TensorType):
                        found = self._order(instr)
                        one_row = found is Order.ROWS and result.type.rank == 1
                        self._orders[result] = Order.DENSE if one_row else found
                        # Another look may find that an array is not in C order after all.
                        if instr.op in _VIEWS and self._takes_apart(instr):
                            self._spaced.add(result)
                        else:
                            self._spaced.discard(result)

    def _order(self, instr: Instr) -> Order:
        op = instr.op
        if op in _MAKES or Trait.ELEMENTWISE in op.traits:
            return Order.DENSE
        if op is control.CALL:
            return self._results.get(str(instr.attrs["callee"]), Order.UNKNOWN)
        rule = _RULES.get(op)
        return rule(instr, self.of(instr.operands[0])) if rule else Order.UNKNOWN

    def _takes_apart(self, view: Instr) -> bool:
        """Whether a view has one element of each row of an array, or is of such a view."""
        array = view.operands[0]
        if tuple(_dims(view.result)[-1:]) == (ONE,):
            return False  # the elements of its last axis are neighbours: there is one
        if array in self._spaced:
            return True
        if self.of(array) is not Order.UNKNOWN and _last_step(view) in self._steps:
            return True
        last = picked_axis(view)
        if last is None or self.of(array) is not Order.DENSE:
            return False
        return last in self._several or (last.is_constant and last.constant != 1)

    def _region(self, instr: Instr, label: Label) -> None:
        self._regions[label] = instr
        carried = _carried(instr)
        first = instr.operands[len(instr.operands) - len(carried) :]
        for value, param in zip(first, carried, strict=True):
            self._reach(param, value)
        for block in instr.blocks:
            self._block(block)
        if instr.op is control.FOR:
            for param, result in zip(carried, instr.results, strict=True):
                self._reach(result, param)

    def _exit(self, instr: Instr) -> None:
        assert instr.target is not None
        if instr.target.label is self._return:
            self.result = min([self.result, *map(self.of, instr.operands)])
            return
        region = self._regions[instr.target.label]
        goals = _carried(region) if instr.target.next else region.results
        # The iterations of a `reduce` give what no parameter receives.
        for goal, value in zip(goals, instr.operands, strict=False):
            self._reach(goal, value)

    def _reach(self, goal: Value, value: Value) -> None:
        """Note that an array of a region may be `value`."""
        if isinstance(goal.type, TensorType):
            before = self._orders.get(goal, Order.DENSE)
            self._orders[goal] = min(before, self.of(value))
            self._changed = self._changed or self._orders[goal] != before


def picked_axis(instr: Instr) -> Dim | None:
    """Return the size of the last axis of what a view is of, where it has one element of each row.

    None for other views, and for what is none.
    """
    if instr.op is not arrays.VIEW:
        return None
    dims = _dims(instr.operands[0])
    letters = [letter for letter in str(instr.attrs["axes"]) if letter != "n"]
    return dims[-1] if len(letters) == len(dims) > 1 and letters[-1] == "i" else None


def _last_step(view: Instr) -> Value | None:
    """Return the step that a view goes by along the last axis of what it is of, if it has one."""
    if view.op is not arrays.VIEW:
        return None
    letters = [letter for letter in str(view.attrs["axes"]) if letter != "n"]
    is_whole = len(letters) == _rank(view.operands[0])
    return view.operands[-1] if is_whole and letters[-1:] == ["s"] else None


def orders_of_results(module: Module) -> Mapping[str, Order]:
    """Return what is known of the results of functions, whatever arrays they are called with.

    Nothing is known of what is called in a circle.
    """
    found: dict[str, Order] = {}
    called = {name: set(names) for name, names in calls_of(module).items()}
    callers: dict[str, list[str]] = {name: [] for name in called}
    for caller, names in called.items():
        for name in names:
            callers[name].append(caller)
    ready = [name for name, names in called.items() if not names]
    while ready:
        name = ready.pop()
        function = module.functions[name]
        if isinstance(function.result, TensorType):
            found[name] = Contiguity(function, found).result
        for caller in callers[name]:
            called[caller].remove(name)
            if not called[caller]:
                ready.append(caller)
    return found


def _carried(region: Instr) -> Sequence[Value]:
    """Return the parameters that a loop carries from iteration to iteration."""
    match region.op:
        case control.FOR:
            return region.blocks[0].params[1:]
        case control.WHILE:
            return region.blocks[0].params
        case _:
            return ()


def _of_view(instr: Instr, order: Order) -> Order:
    """Return what is known of a view: whole rows of the first axes, or parts of rows."""
    taken = _taken(instr)
    while taken and taken[-1] == _WHOLE:
        taken.pop()
    if not taken:
        return order
    *before, last = taken
    if all(part == _ONE for part in before) and last != _STEPS:
        return order
    rank = _rank(instr.operands[0])
    return min(order, Order.ROWS) if len(taken) < rank or last == _PART else Order.UNKNOWN


# Of these a view of what is spaced is spaced as well.
_VIEWS = (arrays.VIEW, arrays.TRANSPOSE)
# What a view takes of an axis: all, neighbours, others as well, or one element.
_WHOLE, _PART, _STEPS, _ONE = "whole", "part", "steps", "one"


def _taken(view: Instr) -> list[str]:
    """Return what is taken of the first axes of the operand of a view; new axes change nothing."""
    found: list[str] = []
    operands = iter(view.operands[1:])
    for letter in str(view.attrs["axes"]):
        if letter == "i":
            next(operands)
            found.append(_ONE)
        elif letter == "s":
            start, stop, step = (next(operands).type is NONE for _ in range(3))
            found.append((_WHOLE if start and stop else _PART) if step else _STEPS)
    return found


def _of_transposed(instr: Instr, order: Order) -> Order:
    axes = cast("tuple[int, ...]", instr.attrs["order"])
    if axes == tuple(range(len(axes))):
        return order
    return min(order, Order.ROWS) if axes[-1] == len(axes) - 1 else Order.UNKNOWN


def _of_reshaped(instr: Instr, order: Order) -> Order:
    asked = instr.attrs.get("dense")
    return Order.DENSE if asked or order is Order.DENSE else Order.UNKNOWN


def _rank(array: Value) -> int:
    return len(_dims(array))


def _dims(array: Value) -> Sequence[Dim]:
    assert isinstance(array.type, TensorType)
    return array.type.dims


_RULES: Mapping[OpDef, Callable[[Instr, Order], Order]] = {
    arrays.VIEW: _of_view,
    arrays.TRANSPOSE: _of_transposed,
    reshaping.RESHAPE: _of_reshaped,
    reshaping.SET_SHAPE: _of_reshaped,
    reshaping.RESHAPED: _of_reshaped,
    low.ASSUME_CONTIGUOUS: lambda instr, order: max(order, Order.ROWS),
    low.ASSUME_DISTINCT: lambda instr, order: order,
}
