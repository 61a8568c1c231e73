"""Vectors of elements that lie apart in memory: each is loaded, or stored, by itself.

    a[:, 1] / a[:, 2]        eight loads, put together in a register, for each column,
                             and then one division for all

What a loop computes takes a fraction of the time then; the loads take as long as in a loop over
single elements.  Instructions of processors that gather elements take no less.
"""

from scriptc.analysis.costs import LONG, scalar_cost
from scriptc.analysis.remarks import Kind, Message, Topic
from scriptc.backends.llvm.emitter.addresses import product
from scriptc.backends.llvm.emitter.function import Emitter
from scriptc.backends.llvm.vectors.lanes import element, vector
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import low
from scriptc_runtime.record import record
from scriptc_runtime.types import DType

SCATTERED = Message(
    "vectors",
    Topic.VERSIONS,
    Kind.MISSED,
    "where elements of {array} are not neighbours in memory, one element at a time",
)
IN_LANES = Message(
    "vectors",
    Topic.VECTORS,
    Kind.DONE,
    "{lanes} elements at a time, also where those of {array} are not neighbours in memory",
)

# What an iteration computes for each element that it loads or stores, in the units of
# `analysis/costs.py`: below that single elements are as fast, and their code is shorter.
_LEAST_WORK = 1.25


@record
class Places:
    """Where elements lie: the first of them, and how many elements lie from one to the next."""

    first: str
    step: str

    def of(self, e: Emitter, lane: int, type_: str) -> str:
        """Write the address of an element."""
        if lane == 0:
            return self.first
        far = product(e, str(lane), self.step)
        return e.let(f"getelementptr {type_}, ptr {self.first}, i64 {far}")


def is_worth_it(loop: Instr) -> bool:
    """Whether vectors of the iterations of an innermost loop take less time than each by itself."""
    body = loop.blocks[0].body
    if any(instr.op in LONG for instr in body):
        return False  # these are for LLVM
    accesses = sum(instr.op in (low.LOAD, low.STORE) for instr in body)
    computed = (i for i in body if i.op is not low.LOAD and i.results)
    work = sum(scalar_cost(i.op) for i in computed if i.result.type is not DType.I64)
    return work >= _LEAST_WORK * accesses


def load(e: Emitter, lanes: int, dtype: DType, places: Places, facts: str) -> str:
    """Write the load of some elements into a vector; `facts` is metadata of the accesses."""
    t, v, made = element(dtype), vector(lanes, dtype), "poison"
    for lane in range(lanes):
        at = places.of(e, lane, t)
        loaded = e.let(f"load {t}, ptr {at}, align {dtype.itemsize}{facts}")
        made = e.let(f"insertelement {v} {made}, {t} {loaded}, i64 {lane}")
    return made


def store(e: Emitter, lanes: int, dtype: DType, value: str, places: Places, facts: str) -> None:
    """Write the store of the elements of a vector, in the order of the iterations."""
    t, v = element(dtype), vector(lanes, dtype)
    for lane in range(lanes):
        at = places.of(e, lane, t)
        stored = e.let(f"extractelement {v} {value}, i64 {lane}")
        e.write(f"store {t} {stored}, ptr {at}, align {dtype.itemsize}{facts}")
