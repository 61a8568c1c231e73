"""Which loops look for signals, whose handlers are Python's and may do anything.

A loop that is known to be short looks for none, and neither does one of a library function that
only reads, as CPython's own searches do not.
"""

from collections.abc import Mapping

from scriptc.analysis import bit_loops
from scriptc_runtime.ir import Instr, Role, Value
from scriptc_runtime.ops import control, data
from scriptc_runtime.values import length_of_range

# A loop of at most so many iterations, known when compiling, counts as straight code; so does one
# over the bits of a number.
SHORT_LOOP = 64


def looks_for_signals(loop: Instr, role: Role, definitions: Mapping[Value, Instr]) -> bool:
    """Whether a `for` or a `while` of a function with a role looks for signals."""
    if role is Role.SEARCH:
        return False
    known = known_iterations(loop, definitions)
    return known is None or known > SHORT_LOOP


def known_iterations(instr: Instr, definitions: Mapping[Value, Instr]) -> int | None:
    """Return how many iterations a loop has at most, if that is known when compiling."""
    if instr.op is control.WHILE:
        return bit_loops.BITS if bit_loops.is_over_bits(instr, definitions) else None
    if instr.op is not control.FOR:
        return None
    made = [definitions.get(v) for v in instr.operands[:3]]
    ends = [i.attrs["value"] for i in made if i is not None and i.op is data.CONST]
    match ends:
        case [int(start), int(stop), int(step)] if step:
            return length_of_range(start, stop, step)
        case _:
            return None
