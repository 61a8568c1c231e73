"""Ways out of what becomes a kernel: where host code goes on, and with what.

Numbers go through cells.  Tuples of them and constants of other types, host code makes itself.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

from scriptc.kernels.builder import Code
from scriptc.kernels.device.cells import Cell, is_number
from scriptc.passes.rebuild import Renaming
from scriptc_runtime.ir import Instr, Value, walk
from scriptc_runtime.ops import data
from scriptc_runtime.record import record, replace


@record
class Way:
    """An exit, the cells of the numbers that it takes along, and what host code makes of them."""

    exit: Instr
    cells: Mapping[Value, Cell]
    made: Collection[Instr]

    @classmethod
    def of(cls, code: Code, exit_: Instr, inside: "Inside") -> "Way":
        """Emit the cells of a way."""
        made = dict[Instr, None]()
        numbers = inside.parts(exit_.operands, made) or {}
        return cls(exit_, {v: Cell.made(code, v) for v in numbers}, made.keys())

    def take(self, code: Code) -> None:
        """Emit host code that goes the way."""
        names = Renaming()
        for value, cell in self.cells.items():
            names[value] = cell.fetch(code, Value(value.type))
        for instr in self.made:
            results = tuple([Value(r.type, r.name) for r in instr.results])
            code.builder.append(replace(names.instr(instr), results=results))
            for old, new in zip(instr.results, results, strict=True):
                names[old] = new
        code.builder.append(
            replace(self.exit, operands=tuple([names[v] for v in self.exit.operands]))
        )


class Inside:
    """Instructions of a kernel to be, and those in them."""

    def __init__(self, body: Iterable[Instr]) -> None:
        self.instrs = [i for instr in body for i in (instr, *_within(instr))]
        self._made = {result: i for i in self.instrs for result in i.results}
        self._params = {p for i in self.instrs for block in i.blocks for p in block.params}

    def parts(self, values: Iterable[Value], made: dict[Instr, None]) -> dict[Value, None] | None:
        """Return the numbers that values are made of, and add what host code makes to `made`.

        There is None of values that host code can neither fetch nor make.
        """
        numbers = dict[Value, None]()
        for value in values:
            instr = self._made.get(value)
            if is_number(value.type):
                numbers[value] = None
            elif value in self._params:
                return None
            elif instr is not None:
                if instr.op not in (data.TUPLE, data.CONST):
                    return None
                inner = self.parts(instr.operands, made)
                if inner is None:
                    return None
                numbers.update(inner)
                made[instr] = None
        return numbers

    def made_by_host(self, exits: Iterable[Instr]) -> Collection[Instr] | None:
        """Return what host code makes for exits; None where that is not enough."""
        made, leaving = dict[Instr, None](), set(exits)
        if any(self.parts(instr.operands, made) is None for instr in leaving):
            return None
        results = {r for instr in made for r in instr.results}
        others = (i for i in self.instrs if i not in made and i not in leaving)
        return made.keys() if all(results.isdisjoint(i.operands) for i in others) else None


def _within(instr: Instr) -> Iterator[Instr]:
    for block in instr.blocks:
        yield from walk(block)
