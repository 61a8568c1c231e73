"""LLVM code for the buffers that a function keeps from iteration to iteration of its loops.

A slot holds the address of its memory, the bytes that there are, and the counted block they are
part of, null at first: what is small stands on the stack and takes none.
"""

from typing import cast

from scriptc.backends.llvm.emitter.function import SELDOM, Emitter, KeptBuffer
from scriptc.backends.llvm.loading.abi import BLOCK_CAPACITY, BLOCK_HEADER, BLOCK_OVERHEAD
from scriptc_runtime.ir import Instr, walk
from scriptc_runtime.ops.buffers import KEPT_ARRAY

# Bytes on the stack for a slot; a recursive function has many frames, and takes the least.
_BYTES, _LEAST_BYTES = 1024, 64
# More slots than these have the least, too.
_MOST_ROOMY = 8
NO_MEMORY = "Unable to allocate {} bytes"


def open_buffers(e: Emitter) -> None:
    """Make the slots of all buffers that the function keeps."""
    kept = (i for i in walk(e.function.body) if i.op is KEPT_ARRAY)
    slots = max((cast(int, i.attrs["slot"]) + 1 for i in kept), default=0)
    for slot in range(slots):
        roomy = slot < _MOST_ROOMY and e.function.name not in e.state.recursive
        room = _BYTES if roomy else _LEAST_BYTES
        own = e.alloca(f"[{room} x i8], align 64")
        buffer = KeptBuffer(own, room, e.alloca("ptr"), e.alloca("i64"), e.alloca("ptr"))
        e.kept.append(buffer)
        e.allocas += [f"  {line}" for line in _at_first(buffer)]


def _at_first(buffer: KeptBuffer) -> tuple[str, ...]:
    return (
        f"store ptr {buffer.own}, ptr {buffer.data}",
        f"store i64 {buffer.own_bytes}, ptr {buffer.bytes}",
        f"store ptr null, ptr {buffer.owner}",
    )


def kept_memory(e: Emitter, instr: Instr, count: str) -> str:
    """Return the address of `count` bytes in the slot of `instr`, grown if need be."""
    buffer = e.kept[cast(int, instr.attrs["slot"])]
    room = e.let(f"load i64, ptr {buffer.bytes}")
    grow, taken, ready = e.label(), e.label(), e.label()
    failed = e.raise_block("MemoryError", NO_MEMORY, instr, (count,))
    e.branch(e.let(f"icmp ugt i64 {count}, {room}"), grow, ready, SELDOM)
    hot, e.lines = e.lines, e.cold
    e.start(grow)
    drop_buffer(e, buffer)  # before there is more: nothing in it is needed
    e.declare("declare noalias ptr @sc_alloc(i64)")
    owner = e.let(f"call noalias ptr @sc_alloc(i64 {count})")
    e.branch(e.let(f"icmp eq ptr {owner}, null"), failed, taken, SELDOM)
    e.start(taken)
    e.write(f"store ptr {owner}, ptr {buffer.owner}")
    data = e.let(f"getelementptr i8, ptr {owner}, i64 {BLOCK_HEADER}")
    e.write(f"store ptr {data}, ptr {buffer.data}")
    capacity_at = e.let(f"getelementptr i8, ptr {owner}, i64 {BLOCK_CAPACITY}")
    capacity = e.let(f"load i64, ptr {capacity_at}")
    e.write(f"store i64 {e.let(f'sub i64 {capacity}, {BLOCK_OVERHEAD}')}, ptr {buffer.bytes}")
    e.jump(ready)
    e.lines = hot
    e.start(ready)
    return e.let(f"load ptr, ptr {buffer.data}")


def drop_buffer(e: Emitter, buffer: KeptBuffer) -> None:
    """Give back the memory of a slot, which is then as at first."""
    _release(e, buffer)
    for line in _at_first(buffer):
        e.write(line)


def drop_buffers(e: Emitter) -> None:
    """Give back the memory of all slots: the function is about to return."""
    for buffer in e.kept:
        _release(e, buffer)


def _release(e: Emitter, buffer: KeptBuffer) -> None:
    e.state.routines.add("drop")
    e.write(f"call void @sc.drop(ptr {e.let(f'load ptr, ptr {buffer.owner}')})")
