"""LLVM code of hosts whose arrays lie on a device: launches, new memory, numbers fetched.

A kernel of the device is, to the host, a function that takes what the kernel takes and launches it:
it counts the points, chooses as many blocks and threads, and lays the arguments out as the driver
wants them, an array of pointers to their values.
"""

from collections.abc import Mapping, Sequence

from scriptc.backends.llvm.emitter.addresses import address, parts
from scriptc.backends.llvm.emitter.failures import FAILURES
from scriptc.backends.llvm.emitter.function import Emitter, Rule
from scriptc.backends.llvm.emitter.kept_buffers import NO_MEMORY
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.loading.abi import BLOCK_HEADER
from scriptc.backends.llvm.routines import device as routines_device
from scriptc.backends.llvm.rules.control import status_value
from scriptc.kernels.device import plan
from scriptc.kernels.device.launch import (
    MAX_BLOCKS,
    MAX_ROUNDS,
    WARP_THREADS,
    CallFields,
    DeviceKernel,
    Field,
    Part,
)
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import device, low
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import DType, TensorType

# Two words a kernel: its handle, filled in at its first launch, and its number, given at loading.
KERNELS = "sc_kernels"
_ALIGNED = 256  # bytes, as the driver aligns memory
_REFUSED = "the CUDA driver ended a launch with error {}"
_NOT_FETCHED = "the CUDA driver ended a copy with error {}"


def emit_launcher(e: Emitter, kernel: DeviceKernel, rules: Mapping[OpDef, Rule]) -> None:
    """Write the body of the function that launches a kernel."""
    whole = Instr(low.LAUNCH, (), {}, (), e.function.loc)
    for instr in kernel.before:
        rules[instr.op](e, instr)
    points = _product(e, kernel.counts)
    some, done = e.label(), e.label()
    e.branch(e.let(f"icmp sgt i64 {points}, 0"), some, done)
    e.start(some)
    threads = _threads(e, kernel)
    blocks = _blocks(e, kernel, points, threads)
    arguments = [_argument(e, field) for field in kernel.fields]
    owner = _add_buffers(e, whole, kernel, blocks, arguments)
    given = f"ptr {_entry(e, kernel.number)}, i64 {blocks}, i64 {threads}"
    for site, raised in enumerate(kernel.raised, kernel.first_site):
        number = e.site_number(raised.instr.loc, raised.message)
        e.state.failures[site] = abi.KIND[raised.kind], number
    _launch(e, whole, kernel, given, arguments, owner)
    e.jump(done)
    e.start(done)
    e.write(f"ret {abi.result_type(e.function.result)} {status_value(0, ())}")


def _launch(
    e: Emitter,
    instr: Instr,
    kernel: DeviceKernel,
    given: str,
    arguments: Sequence[str],
    owner: str,
) -> None:
    """Launch a kernel; `owner` has the memory of buffers, which is given back."""
    name, more = "device_launch", ""
    listed = _listed(e, arguments, room=2)
    if kernel.guarded:
        name, last = "device_launch_guarded", _behind(e, "ptr", listed, len(arguments))
        more = f", ptr {last}, i64 {CallFields.ASK if kernel.raised else 0}"
    e.state.routines.add(name)
    status = e.let(f"call i32 @sc.{name}({given}, ptr {listed}{more})")
    if owner:
        e.declare("declare void @sc_release(ptr)")
        e.write(f"call void @sc_release(ptr {owner})")
    _refuse(e, instr, status, _REFUSED)


def _raise_failed(e: Emitter, instr: Instr) -> None:
    e.state.routines.add("device_raise_failed")
    status = e.let(f"call i32 @sc.device_raise_failed(ptr %ctx, ptr @{FAILURES})")
    e.check_status(e.let(f"icmp eq i32 {status}, {routines_device.RAISED}"), e.unwound_block(instr))
    _refuse(e, instr, status, _NOT_FETCHED)


def _refuse(e: Emitter, instr: Instr, status: str, message: str) -> None:
    failed = e.let(f"icmp ne i32 {status}, 0")
    e.raise_if(failed, "RuntimeError", message, instr, (e.let(f"zext i32 {status} to i64"),))


def _product(e: Emitter, sizes: Sequence[Value]) -> str:
    total = "1"
    for size in sizes:
        total = e.one(size) if total == "1" else e.let(f"mul i64 {total}, {e.one(size)}")
    return total


def _threads(e: Emitter, kernel: DeviceKernel) -> str:
    """Return how many threads a block has: no more than a point has work for.

    The sizes alone decide, as the order of a sum depends on it.
    """
    if not kernel.shared or kernel.plan.shape is plan.Shape.TILE:
        return str(plan.BLOCK_THREADS)
    widest = "0"
    for sizes in kernel.shared:
        count = _product(e, sizes)
        widest = e.intrinsic("i64", "@llvm.smax.i64", f"i64 {widest}", f"i64 {count}")
    # Before the sum below, which must not overflow.
    few = e.intrinsic("i64", "@llvm.smin.i64", f"i64 {widest}", f"i64 {plan.BLOCK_THREADS}")
    more = e.let(f"add i64 {few}, {WARP_THREADS - 1}")
    whole = e.let(f"and i64 {more}, {-WARP_THREADS}")
    return e.intrinsic("i64", "@llvm.smax.i64", f"i64 {whole}", f"i64 {WARP_THREADS}")


def _blocks(e: Emitter, kernel: DeviceKernel, points: str, threads: str) -> str:
    if kernel.plan.shape is plan.Shape.TILE:
        return _tiles(e, kernel)
    resident = MAX_BLOCKS if kernel.buffers else MAX_BLOCKS * MAX_ROUNDS
    if kernel.by_blocks:
        fitting = e.let(f"udiv i64 {plan.BLOCK_THREADS}, {threads}")
        most = e.let(f"mul i64 {fitting}, {resident}")
        return e.intrinsic("i64", "@llvm.smin.i64", f"i64 {points}", f"i64 {most}")
    less = e.let(f"sub i64 {points}, 1")
    taken = kernel.plan.threads * kernel.plan.points
    needed = e.let(f"add i64 {e.let(f'udiv i64 {less}, {taken}')}, 1")
    return e.intrinsic("i64", "@llvm.smin.i64", f"i64 {needed}", f"i64 {resident}")


def _tiles(e: Emitter, kernel: DeviceKernel) -> str:
    """Return how many tiles the last two axes of a space have, in all of its planes."""
    tiles = _product(e, kernel.counts[:-2])
    for count in kernel.counts[-2:]:
        along = e.let(f"udiv i64 {e.let(f'add i64 {e.one(count)}, {plan.TILE - 1}')}, {plan.TILE}")
        tiles = e.let(f"mul i64 {tiles}, {along}")
    return e.intrinsic("i64", "@llvm.smin.i64", f"i64 {tiles}", f"i64 {MAX_BLOCKS * MAX_ROUNDS}")


def _argument(e: Emitter, field: Field) -> str:
    """Return the address of an argument's value."""
    param = e.function.params[field.param]
    if field.part is Part.SCALAR:
        return _scalar(e, param)
    described = parts(e, param)
    match field.part:
        case Part.ADDRESS:
            return _slot(e, "ptr", described.data)
        case Part.SIZE:
            return _slot(e, "i64", described.sizes[field.axis])
        case _:
            return _slot(e, "i64", described.strides[field.axis])


def _scalar(e: Emitter, param: Value) -> str:
    components, types = e.components(param), abi.flatten(param.type)
    at = e.alloca("[2 x i64], align 16")
    for place, (type_, component) in enumerate(zip(types, components, strict=True)):
        kept = abi.in_memory(type_)
        if kept != type_:
            component = e.let(f"zext {type_} {component} to {kept}")
        e.write(f"store {kept} {component}, ptr {_behind(e, kept, at, place)}")
    return at


def _behind(e: Emitter, type_: str, at: str, place: int) -> str:
    return e.let(f"getelementptr {type_}, ptr {at}, i64 {place}") if place else at


def _slot(e: Emitter, type_: str, value: str) -> str:
    at = e.alloca("i64")
    e.write(f"store {type_} {value}, ptr {at}")
    return at


def _listed(e: Emitter, arguments: Sequence[str], room: int) -> str:
    """Return the address of the pointers to the arguments' values, with room for more."""
    at = e.alloca(f"[{len(arguments) + room} x ptr]")
    for place, argument in enumerate(arguments):
        e.write(f"store ptr {argument}, ptr {_behind(e, 'ptr', at, place)}")
    return at


def _entry(e: Emitter, number: int) -> str:
    return e.let(f"getelementptr ptr, ptr @{KERNELS}, i64 {2 * number}")


def _add_buffers(
    e: Emitter, instr: Instr, kernel: DeviceKernel, blocks: str, arguments: list[str]
) -> str:
    """Add the addresses of the blocks' own buffers to the arguments; return their one owner."""
    if not kernel.buffers:
        return ""
    total, places = "0", list[str]()
    for buffer in kernel.buffers:
        places.append(total)
        size = _product(e, buffer.sizes)
        is_kept = e.let(f"icmp sle i64 {size}, {buffer.kept}")
        far = e.let(f"select i1 {is_kept}, i64 0, i64 {size}")
        row = e.let(f"mul i64 {far}, {buffer.itemsize}")
        padded = e.let(f"add i64 {e.let(f'mul i64 {row}, {blocks}')}, {_ALIGNED - 1}")
        total = e.let(f"add i64 {total}, {e.let(f'and i64 {padded}, {-_ALIGNED}')}")
    memory, owner = new_memory(e, instr, total)
    for place in places:
        at = e.let(f"getelementptr i8, ptr {memory}, i64 {place}")
        arguments.append(_slot(e, "ptr", at))
    return owner


def new_memory(e: Emitter, instr: Instr, count: str) -> tuple[str, str]:
    """Return the address of `count` bytes on the device, and their owner."""
    e.state.routines.add("device_new")
    owner = e.let(f"call ptr @sc.device_new(i64 {count})")
    failed = e.let(f"icmp eq ptr {owner}, null")
    e.raise_if(failed, "MemoryError", NO_MEMORY, instr, (count,))
    at = e.let(f"getelementptr i8, ptr {owner}, i64 {BLOCK_HEADER}")
    return e.let(f"load ptr, ptr {at}"), owner


def _fetch(e: Emitter, instr: Instr) -> None:
    array, *index = instr.operands
    assert isinstance(array.type, TensorType)
    dtype = array.type.dtype
    e.state.routines.add("device_fetch")
    kept = e.alloca("[2 x i64], align 16")
    given = f"ptr {kept}, ptr {address(e, array, index)}, i64 {dtype.itemsize}"
    status = e.let(f"call i32 @sc.device_fetch({given})")
    _refuse(e, instr, status, _NOT_FETCHED)
    found: list[str] = []
    for place, type_ in enumerate(abi.flatten(dtype)):
        kept_as = abi.in_memory(type_)
        loaded = e.let(f"load {kept_as}, ptr {_behind(e, kept_as, kept, place)}")
        found.append(e.let(f"icmp ne i8 {loaded}, 0") if dtype is DType.B1 else loaded)
    e.bind(instr, *found)


def _to_host(e: Emitter, instr: Instr) -> None:
    described, count = parts(e, instr.operands[0]), _bytes(e, instr.operands[0])
    e.declare("declare noalias ptr @sc_alloc(i64)")
    owner = e.let(f"call noalias ptr @sc_alloc(i64 {count})")
    failed = e.let(f"icmp eq ptr {owner}, null")
    e.raise_if(failed, "MemoryError", NO_MEMORY, instr, (count,))
    data = e.let(f"getelementptr i8, ptr {owner}, i64 {BLOCK_HEADER}")
    e.state.routines.add("device_fetch")
    given = f"ptr {data}, ptr {described.data}, i64 {count}"
    _refuse(e, instr, e.let(f"call i32 @sc.device_fetch({given})"), _NOT_FETCHED)
    e.bind(instr, data, owner, *described.sizes, *described.strides)


def _to_device(e: Emitter, instr: Instr) -> None:
    described, count = parts(e, instr.operands[0]), _bytes(e, instr.operands[0])
    data, owner = new_memory(e, instr, count)
    e.state.routines.add("device_put")
    given = f"ptr {data}, ptr {described.data}, i64 {count}"
    _refuse(e, instr, e.let(f"call i32 @sc.device_put({given})"), _NOT_FETCHED)
    e.bind(instr, data, owner, *described.sizes, *described.strides)


def _bytes(e: Emitter, array: Value) -> str:
    assert isinstance(array.type, TensorType)
    total = str(array.type.dtype.itemsize)
    for size in parts(e, array).sizes:
        total = e.let(f"mul i64 {total}, {size}")
    return total


def _atomic(e: Emitter, instr: Instr) -> None:
    array, value, *index = instr.operands
    what = "add" if instr.attrs["kind"] == "sum" else "max"
    e.let(f"atomicrmw {what} ptr {address(e, array, index)}, i64 {e.one(value)} monotonic")


RULES: Mapping[OpDef, Rule] = {
    device.ATOMIC: _atomic,
    device.FETCH: _fetch,
    device.TO_HOST: _to_host,
    device.TO_DEVICE: _to_device,
    device.RAISE_FAILED: _raise_failed,
}
