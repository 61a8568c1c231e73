"""Which loops work on arrays that no cache holds, and store their lines past the caches.

Nothing of such an array would be there for the next loop, and a line that is stored whole need not
be read from memory first. `unroll_and_jam.py` leaves the rows of such loops single, and back ends
write them.
"""

from collections.abc import Sequence

from scriptc.analysis.remarks import Kind, Message, Topic
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import low

PAST = Message(
    "streaming_stores",
    Topic.MEMORY,
    Kind.DONE,
    "an array larger than {limit} MB is written with streaming stores, past the caches",
)

# Bytes of an array that is taken to be in no cache.
PAST_CACHES = 48 << 20
# A loop of fewer iterations has little to gain from aligned stores, and one more start to lose.
LEAST_ROUNDS = 96
# Instructions of a loop that back ends write twice, for arrays of either size.
_MOST_INSTRUCTIONS = 40


def store_past_caches(body: Sequence[Instr]) -> Instr | None:
    """Return the one store of an innermost loop to what it does not read, and so is in no cache.

    None where there is none, or the loop is too long to be written twice.
    """
    stores = [i for i in body if i.op is low.STORE]
    read = {i.operands[0] for i in body if i.op is low.LOAD}
    if len(stores) != 1 or stores[0].operands[0] in read or len(body) > _MOST_INSTRUCTIONS:
        return None
    return stores[0]
