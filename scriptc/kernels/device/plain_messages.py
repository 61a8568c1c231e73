"""Plain messages: `raise` with a text and ints in it becomes `fail`, which kernels may hold.

    %1 = const "negative at "                        fail %i [kind="ValueError",
    %2 = format %i                            =>              message="negative at {}"]
    %3 = concat %1, %2
    raise %3 [kind="ValueError"]

A kernel makes no texts: it notes which message it is, and numbers, and host code puts them in.

Needs: low IR.
Gives: low IR, the same exceptions.
Does not: take texts with other values than ints, with more of them than a kernel notes, or with a
    format of their own; an empty text, which `fail` does not tell from none.
Cases: tests/cases/device/plain_messages.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from scriptc.analysis.definitions import definitions_of
from scriptc.kernels.device.launch import MOST_VALUES
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import map_blocks
from scriptc_runtime.ir import Block, Function, Instr, Value, walk
from scriptc_runtime.ops import control, data, low
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import INT, STR, DType

# What a text is made by, and nothing else.
_TEXTS = (data.CONST, data.FORMAT, data.CONCAT)
_NUMBERS = (INT, DType.I64)


@per_function
def plain_messages(function: Function) -> Function:
    """Return `function` with `fail` for `raise` where messages have ints alone."""
    if not any(i.op is control.RAISE for i in walk(function.body)):
        return function
    body = _Plain(function).block(function.body)
    return function if body is function.body else replace(function, body=body)


@record
class _Message:
    """A message as `fail` takes it, and what stands for its {}."""

    text: str
    values: Sequence[Value]


class _Plain:
    def __init__(self, function: Function) -> None:
        self._made: Mapping[Value, Instr] = definitions_of(function)
        self._uses = Counter(v for i in walk(function.body) for v in i.operands)

    def block(self, block: Block) -> Block:
        """Return a block with plain messages; the same object if it has none to change."""
        body = [map_blocks(instr, self.block) for instr in block.body]
        last = body[-1]
        message = self._message(last) if last.op is control.RAISE else None
        if message is None or len(message.values) > MOST_VALUES:
            return block if tuple(body) == block.body else Block(block.params, tuple(body))
        attrs = {"kind": last.attrs["kind"], "message": message.text}
        fail = Instr(low.FAIL, tuple(message.values), attrs, (), last.loc)
        return Block(block.params, (*self._without_texts(body[:-1], last), fail))

    def _message(self, instr: Instr) -> _Message | None:
        """Return the message of a `raise`, None where it has more than ints."""
        if not instr.operands:
            return _Message("", ())
        found = self._text(instr.operands[0])
        return None if found is None or not found.text else found

    def _text(self, value: Value) -> _Message | None:
        made = self._made.get(value)
        if made is None:
            return None
        if made.op is data.CONST:
            text = str(made.attrs["value"])
            return _Message(text.replace("{", "{{").replace("}", "}}"), ())
        if made.op is data.FORMAT:
            plain = not made.attrs["spec"] and not made.attrs["conversion"]
            of_int = made.operands[0].type in _NUMBERS
            return _Message("{}", made.operands) if plain and of_int else None
        if made.op is not data.CONCAT:
            return None
        parts = [found for part in made.operands if (found := self._text(part)) is not None]
        if len(parts) < len(made.operands):
            return None
        return _Message("".join(p.text for p in parts), [v for p in parts for v in p.values])

    def _without_texts(self, body: Sequence[Instr], last: Instr) -> Sequence[Instr]:
        """Return what is left of a block when nobody needs the text of its `raise`."""
        self._uses.subtract(last.operands)
        kept: list[Instr] = []
        for instr in reversed(body):
            if instr.op in _TEXTS and instr.result.type is STR and not self._uses[instr.result]:
                self._uses.subtract(instr.operands)
            else:
                kept.append(instr)
        return kept[::-1]
