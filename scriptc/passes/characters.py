"""Characters: what is only compared, classed or counted is the number of a character, no text.

    %1 = str_get %t, %i                        %1 = str_code %t, %i
    %2 = const [value="x"] : str               %2 = const [value=120] : int
    %3 = eq %1, %2                       =>    %3 = eq %1, %2

So scanners and parsers, which look at one character after the other, make no texts of them. Where
one is needed as a text somewhere, it stays, and the others take its number.

Needs: core IR, inlined.
Gives: core IR, same results, same exceptions.
Does not: follow a character into loops that carry it, or out of a region.
Cases: tests/cases/passes/characters.
"""

from collections.abc import Sequence

from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.induction import constant_int
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import rebuild
from scriptc_runtime.ir import Builder, Function, Instr, Value, make, walk
from scriptc_runtime.ops import control, data, texts
from scriptc_runtime.ops import elementwise as e


@per_function
def characters(function: Function) -> Function:
    """Return `function` with numbers in place of characters where these do."""
    made = [i.result for i in walk(function.body) if i.op is texts.STR_GET]
    return _Characters(function, frozenset(made)).run() if made else function


class _Characters:
    def __init__(self, function: Function, made: frozenset[Value]) -> None:
        self._function = function
        self._made = made
        self._definitions = definitions_of(function)
        # The numbers that loops over the characters of a text go through, with that text.
        self._counted = dict[Value, Value]()
        self._codes = dict[Value, Value]()
        self._whole = set[Value]()  # what is needed as a text
        self._asked = set[Value]()  # of which a number does at some place

    def run(self) -> Function:
        for instr in walk(self._function.body):
            if instr.op is control.FOR:
                self._note_loop(instr)
        for instr in walk(self._function.body):
            does = self._takes_numbers(instr)
            found = self._made.intersection(instr.operands)
            (self._asked if does else self._whole).update(found)
        return rebuild(self._function, self._rewrite) if self._asked else self._function

    def _note_loop(self, loop: Instr) -> None:
        start, stop, step = loop.operands[:3]
        length = self._definitions.get(stop)
        if length is None or length.op is not data.STR_LEN:
            return
        if constant_int(start, self._definitions) == 0 and self._is_one(step):
            self._counted[loop.blocks[0].params[0]] = length.operands[0]

    def _is_one(self, value: Value) -> bool:
        return constant_int(value, self._definitions) == 1

    def _takes_numbers(self, instr: Instr) -> bool:
        """Whether an instruction that takes characters may take their numbers."""
        if instr.op in (texts.ORD, data.STR_LEN):
            return True
        if instr.op in (e.EQ, e.NE):
            return all(map(self._is_comparable, instr.operands))
        if instr.op is texts.STR_CODE:
            text, index = instr.operands
            counted = self._counted.get(index)
            by_loop = counted is not None and text in (counted, self._codes.get(counted))
            return by_loop or constant_int(index, self._definitions) in (0, -1)
        return False

    def _is_comparable(self, value: Value) -> bool:
        is_character = value in self._made or value in self._codes
        return is_character or self._constant(value) is not None

    def _constant(self, value: Value) -> str | None:
        found = self._definitions.get(value)
        known = found.attrs["value"] if found is not None and found.op is data.CONST else None
        return known if isinstance(known, str) else None

    def _rewrite(self, instr: Instr, builder: Builder) -> Sequence[Value] | None:
        if instr.op is texts.STR_GET and instr.result in self._asked:
            code = builder.append(make(texts.STR_CODE, instr.operands, {}, instr.loc)).result
            self._codes[instr.result] = code
            if instr.result in self._whole:
                return None
            self._codes[code] = code  # as its uses have it now
            return (code,)
        given = [v for v in instr.operands if v in self._codes]
        if not given or not self._takes_numbers(instr):
            return None
        if instr.op is data.STR_LEN:
            return builder.append(make(data.CONST, (), {"value": 1}, instr.loc)).results
        if instr.op in (e.EQ, e.NE):
            return self._compared(instr, builder)
        return (self._codes[given[0]],)

    def _compared(self, instr: Instr, builder: Builder) -> Sequence[Value]:
        operands: list[Value] = []
        for value in instr.operands:
            known = self._constant(value)
            if known is not None and len(known) != 1:
                unlike = {"value": instr.op is e.NE}
                return builder.append(make(data.CONST, (), unlike, instr.loc)).results
            code = self._codes.get(value)
            if code is None:
                number = {"value": ord(known or "")}
                code = builder.append(make(data.CONST, (), number, instr.loc)).result
            operands.append(code)
        return builder.append(make(instr.op, operands, {}, instr.loc)).results
