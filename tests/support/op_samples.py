"""For each op that computes, operands and attributes to try it on, edge cases among them.

A sample may well raise. The operands that many of them share stand in `sample_operands`.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import product

import numpy as np

from scriptc_runtime.dims import UNKNOWN, Dim
from scriptc_runtime.ops import (
    OPS,
    arrays,
    buffers,
    classes,
    control,
    data,
    device,
    elementwise,
    exact,
    integers,
    joining,
    list_items,
    low,
    outside,
    products,
    reductions,
    reshaping,
    sequences,
    sorting,
    unions,
)
from scriptc_runtime.ops.opdef import Attr, OpTypeError, Trait
from scriptc_runtime.ops.signature import result_types
from scriptc_runtime.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STR,
    CellType,
    ClassType,
    DType,
    OptionalType,
    TensorType,
    UnionType,
    is_counted,
)
from scriptc_runtime.unions import is_value_of, members_of
from scriptc_runtime.values import Cell
from tests.support import draws, matrices
from tests.support.bigint_samples import bigint_samples
from tests.support.container_samples import container_samples
from tests.support.exception_samples import exception_samples
from tests.support.list_samples import list_samples, low_list_samples
from tests.support.named_samples import named_samples
from tests.support.picking_samples import picking_samples, scan_samples
from tests.support.sample_operands import (
    ALONE,
    B1,
    EMPTY_CELL,
    F32,
    F64,
    FLIPPED,
    FLOATS,
    FULL_CELL,
    HOLLOW,
    I64,
    INTEGERS,
    MATRIX,
    MAYBE,
    NO_NUMBERS,
    NOT,
    NUMBERS,
    NUMPY,
    PERMUTED,
    POINT,
    PYTHON,
    ROWS,
    SCALAR,
    TURNED,
    VECTOR,
    WAVES,
    WINDOWS,
    Operand,
    Sample,
    array_makers,
    constant,
    given,
    sample,
    type_of,
)
from tests.support.text_samples import text_samples


def _bytes_of_records(count: int) -> np.ndarray:
    return np.arange(24 * count).astype(np.uint8).reshape(count, 24)


def candidates() -> Iterator[list[Operand]]:
    """Groups of operands that an elementwise op may take together."""
    for values in PYTHON.values():
        yield [given(constant(v)) for v in values]
    yield [given(constant(v)) for v in (*INTEGERS[:4], *FLOATS)]
    for dtype, values in NUMPY.items():
        yield [given(constant(v)) for v in values]
        yield list(map(given, [*array_makers(dtype), constant(values[1])]))


def accepted(sample: Sample) -> bool:
    """Whether the op's type rule takes the sample."""
    try:
        result_types(sample.op, sample.types, sample.attrs)
    except OpTypeError:
        return False
    return True


TARGETS = (BOOL, INT, FLOAT, COMPLEX, *NUMPY)


def elementwise_samples() -> Iterator[Sample]:
    """All elementwise ops on all groups that they accept."""
    ops = [op for op in OPS.values() if Trait.ELEMENTWISE in op.traits]
    for op, group in product(ops, candidates()):
        if op is elementwise.WHERE:
            continue
        attrs: list[dict[str, Attr]] = (
            [{"to": t} for t in TARGETS] if op is elementwise.CAST else [{}]
        )
        for operands, chosen in product(product(group, repeat=len(op.operands)), attrs):
            yield sample(op, *operands, **chosen)


def where_samples() -> Iterator[Sample]:
    """`where` on conditions and values of several shapes."""
    conditions = [given(constant(np.True_)), *map(given, array_makers(B1))]
    for dtype in NUMPY:
        values = list(map(given, [constant(NUMPY[dtype][0]), *array_makers(dtype)[:5]]))
        for operands in product(conditions, values, values):
            yield sample(elementwise.WHERE, *operands)


def reduction_samples() -> Iterator[Sample]:
    """Every reduction over every axis."""
    axes: tuple[Attr, ...] = (None, 0, 1, (0, 1), (0,))
    ops = (
        reductions.SUM,
        reductions.PROD,
        reductions.ANY,
        reductions.ALL,
        reductions.MAX,
        reductions.MIN,
        reductions.MEAN,
        reductions.VAR,
        reductions.ARGMAX,
        reductions.ARGMIN,
    )
    for op, dtype, axis, keepdims in product(ops, NUMPY, axes, (False, True)):
        for make in array_makers(dtype):
            attrs: dict[str, Attr] = {"axis": axis, "keepdims": keepdims}
            yield Sample(op, (make,), (type_of(make()),), attrs)


def array_samples() -> Iterator[Sample]:
    """Ops on arrays that are neither elementwise nor reductions."""
    for x, axis in product((MATRIX, FLIPPED, HOLLOW), (0, 1)):
        yield sample(arrays.DIM, x, axis=axis)
        yield sample(low.SIZE, x, axis=axis)
    for x, i, j in product((MATRIX, FLIPPED, HOLLOW), (0, -1, 2, -9), (0, 2, -3)):
        yield sample(arrays.INDEX, x, i, j)
        yield sample(arrays.SET_INDEX, x, np.float64(7), i, j)
    yield sample(arrays.INDEX, SCALAR)
    yield sample(arrays.SET_INDEX, SCALAR, np.float64(7))
    for x in (MATRIX, FLIPPED, HOLLOW):
        yield from view_samples(x)
        yield from joined_samples(x)
        for source in (MATRIX, VECTOR, np.float64(2), SCALAR, given(lambda: np.zeros((2, 1)))):
            yield sample(arrays.ASSIGN, x, source)
        # The type does not tell that it does not fit.
        unsized = TensorType(F64, (UNKNOWN,))
        yield sample(arrays.ASSIGN, x, given(lambda: np.zeros(7), unsized))
        yield sample(arrays.COPY, x)
        yield sample(arrays.TRANSPOSE, x, order=(1, 0))
        yield sample(arrays.TRANSPOSE, x, order=(0, 1))
    yield sample(arrays.COPY, SCALAR)
    yield from picking_samples()
    yield from scan_samples()
    for x, index in product((WAVES, given(lambda: np.zeros((2, 0), np.complex64))), (0, 1)):
        yield sample(arrays.PART, x, index=index)
    for count, (offset, dtype, shape) in product(
        (0, 3), ((8, F64, ()), (20, DType.I32, ()), (0, DType.I8, (2, 3)), (8, F64, (2,)))
    ):
        memory = partial(_bytes_of_records, count)
        records = given(memory, TensorType(DType.U8, (UNKNOWN, Dim(24))))
        yield sample(arrays.RECORD_FIELD, records, offset=offset, dtype=dtype, shape=shape)
    yield from maker_samples()
    square = given(lambda: np.arange(9.0).reshape(3, 3)[:, ::-1])
    for lhs, rhs in product((MATRIX, VECTOR, HOLLOW, square), repeat=2):
        yield sample(arrays.MATMUL, lhs, rhs)
    bound = np.float64(1)
    for x in (MATRIX, VECTOR, HOLLOW, np.float64("nan")):
        yield sample(reductions.CLIP, x, bound, np.float64(2))
        yield sample(reductions.CLIP, x, bound, VECTOR)


def joined_samples(x: Operand) -> Iterator[Sample]:
    """Arrays behind each other, and elements that move along an axis."""
    rank = 2
    for axis in range(rank):
        yield sample(joining.JOIN, x, x, axis=axis, kind=joining.CONCATENATE)
        for shift in (0, 1, -1, 5, 2**63 - 1, -(2**63)):
            yield sample(joining.ROLL, x, shift, axis=axis)
    for axis in range(rank + 1):
        yield sample(joining.JOIN, x, axis=axis, kind=joining.STACK)
        yield sample(joining.JOIN, x, x, x, axis=axis, kind=joining.EXPAND)


def view_samples(x: Operand) -> Iterator[Sample]:
    """Basic indexing."""
    for size in (1, 2):  # as large as it says, and not
        yield sample(arrays.VIEW, x, None, None, None, 1, 2, None, axes="ss", dims=(None, size))
    yield sample(arrays.VIEW, x, axes="")
    yield sample(arrays.VIEW, x, axes="nn")
    yield sample(arrays.VIEW, x, 0, axes="i")
    yield sample(arrays.VIEW, x, 5, axes="i")
    yield sample(arrays.VIEW, x, 0, -1, axes="ii")
    yield sample(arrays.VIEW, x, None, None, None, 1, axes="sni")
    for step in (1, -1, 2, None, 0):
        yield sample(arrays.VIEW, x, -9, 9, step, axes="s")
        yield sample(arrays.VIEW, x, None, None, None, None, 1, step, axes="ss")


def maker_samples() -> Iterator[Sample]:
    """Ops that make arrays."""
    for n in (3, 0, -1):
        yield sample(arrays.EMPTY, n, dtype=F64, dims=(None,))
        yield sample(arrays.EMPTY, 2, n, dtype=B1, dims=(2, None))
        yield sample(arrays.FULL, np.int64(7), n, dims=(None,))
        yield sample(arrays.FULL, np.True_, n, 3, dims=(None, 3))
        yield sample(arrays.FULL, np.float32(1), n, dims=(3,))
    yield sample(arrays.EMPTY, dtype=F64, dims=())
    yield sample(arrays.FULL, np.float64(1), dims=())
    for kind, step in product((np.int64, np.float64), (1, 2, -1, 0)):
        yield sample(arrays.ARANGE, kind(0), kind(5), kind(step))
        yield sample(arrays.ARANGE, kind(5), kind(0), kind(step))


def number_samples() -> Iterator[Sample]:
    """Functions of ints, and what is taken from the items of a list or an array."""
    least = -(2**63)
    for x, y in ((12, 18), (0, 0), (-12, 18), (7, 0), (2**40, -(2**20))):
        yield sample(integers.GCD, x, y)
        yield sample(integers.LCM, x, y)
    for x, y in ((least, 6), (6, least), (2**63 - 1, 2**62), (least, least)):
        yield sample(integers.GCD, x, y)
    yield sample(integers.LCM, 2**62, 3)
    for n in (0, 1, 24, 2**63 - 1, -1):
        yield sample(integers.ISQRT, n)
    for modulus in (7, -7, 1, 0, 2**62 + 1, least):
        for base, exponent in ((3, 5), (-3, 2**62), (3, -1), (0, 0), (14, -2), (3, least)):
            yield sample(integers.POW_MOD, base, exponent, modulus)
    for items, start in (
        (NUMBERS, 5),
        (NUMBERS, 2**63 - 1),
        (NO_NUMBERS, 2**63 - 1),
        (VECTOR, np.float64(0.1)),
    ):
        yield sample(sequences.ITEMS_SUM, items, start)
        yield sample(sequences.ITEMS_MIN, items)
        yield sample(sequences.ITEMS_MAX, items)
    for values in ([np.nan, 1.0], [1.0, np.nan, 0.5], [], [0.0, -0.0]):
        items = given(lambda values=values: np.array(values))
        yield sample(sequences.ITEMS_MIN, items)
        yield sample(sequences.ITEMS_MAX, items)
        yield sample(sequences.ITEMS_SUM, items, np.float64(-0.0))


def exact_samples() -> Iterator[Sample]:
    """Ops on ints that fit, of either type."""
    two = np.int64(2)
    for op in (exact.EXACT_ADD, exact.EXACT_SUB, exact.EXACT_MUL):
        yield from (sample(op, *pair) for pair in ((3, -4), (np.int64(-(2**40)), two)))
    yield from (sample(exact.EXACT_INT, x) for x in (-3.7, np.float64(2.0**62)))
    yield from (sample(exact.SCALE, 2**k, 3) for k in (61, 62))
    for op in (exact.EXACT_FLOORDIV, exact.EXACT_MOD):
        yield from (sample(op, *pair) for pair in ((7, 2), (np.int64(2**62), two)))


def data_samples() -> Iterator[Sample]:
    """Ops on constants, tuples, lists, optionals, strings and objects."""
    for value in (None, True, 3, -(2**63), 1.5, float("nan"), -0.0, "é\n"):
        yield sample(data.CONST, value=value)
    for value, dtype in ((1, I64), (1.5, F32), (True, B1), (float("inf"), F64), (255, DType.U8)):
        yield sample(data.CONST, value=value, dtype=dtype)
    yield sample(data.TUPLE)
    yield sample(data.TUPLE, 1, MATRIX, NUMBERS)
    for index in (0, 1):
        yield sample(data.ITEM, given(lambda: (1, np.zeros(3))), index=index)
    yield sample(data.LIST, item=INT)
    yield sample(data.LIST, 1, 2, item=INT)
    yield sample(data.LIST, given(lambda: np.zeros(2)), item=TensorType(F64, (Dim(2),)))
    yield from list_samples()
    yield sample(data.SOME, 3)
    yield sample(data.SOME, MATRIX)
    yield sample(data.NOTHING, item=INT)
    yield sample(data.NOTHING, item=STR)
    for maybe in (MAYBE, NOT):
        yield sample(data.HAS_VALUE, maybe)
    yield sample(data.UNWRAP, MAYBE)
    yield sample(data.UNWRAP, given(lambda: None, OptionalType(STR)))
    yield sample(data.UNWRAP, given(lambda: np.zeros(2), OptionalType(TensorType(F64, (Dim(2),)))))
    yield sample(data.CONCAT)
    yield sample(data.CONCAT, "a", "", "é")
    yield sample(data.EXTEND, "a", "", "é")
    yield sample(data.EXTEND, "", "b")
    for text in ("", "é\n"):
        yield sample(data.STR_LEN, text)
        yield sample(data.PRINT, text)
    yield sample(data.PRINT)
    yield sample(data.PRINT_WITH, ", ", "", "stdout", "")
    yield sample(outside.ASK, -1, kind="random.getrandbits")  # raises
    for seed in (1, -(2**40)):
        yield sample(outside.ASK, seed, kind="random.seed")
    yield sample(data.PRINT_WITH, "", "!\n", "stderr", "flush", "a", "é")
    values = (3, 1.5, True, "x", None, np.float32(2), np.True_)
    for value, spec in product(values, ("", "4", ".2f")):
        for conversion in ("", "s", "r", "a"):
            yield sample(data.FORMAT, value, spec=spec, conversion=conversion)
    yield from object_samples()
    yield from container_samples()
    yield from named_samples()
    yield from union_samples()
    yield from text_samples()
    yield from bigint_samples()


def union_samples() -> Iterator[Sample]:
    """Values of unions with every member, as the union, as a wider one and as the member."""
    several = UnionType((INT, FLOAT, STR, TensorType(F64, (UNKNOWN,)), NONE))
    some = UnionType((FLOAT, STR, NONE))
    for value in (3, -0.0, "é", np.zeros(2), None):
        made = given(lambda value=value: value, several)
        for type_ in (INT, STR, some, several, OptionalType(FLOAT)):
            yield sample(unions.HOLDS, made, type=type_)
            # Any number may come of another member, so it is not asked for one.
            if is_counted(type_) or any(is_value_of(value, m) for m in members_of(type_)):
                yield sample(unions.HELD, made, type=type_)
    for value in (1.5, "a", None):
        yield sample(unions.HELD, value, type=several)
    yield sample(unions.HELD, MAYBE, type=several)
    yield sample(unions.HOLDS, MAYBE, type=several)


def object_samples() -> Iterator[Sample]:
    """Instances and cells."""
    yield sample(data.NEW, 1.0, given(lambda: np.zeros(2)), cls="Point", fields=("x", "w"))
    yield sample(data.NEW, cls="Empty", fields=())
    yield sample(data.FIELD, POINT, name="x", type=FLOAT)
    yield sample(data.FIELD, POINT, name="w", type=TensorType(F64, (Dim(2),)))
    yield sample(data.SET_FIELD, POINT, 2.0, name="x")
    yield sample(data.SET_FIELD, POINT, given(lambda: np.ones(2)), name="w")
    yield sample(data.SAME, POINT, POINT)
    yield sample(data.SAME, ALONE, ALONE)
    for classes_tried in (("Point",), ("Empty",), ()):
        yield sample(classes.IS_INSTANCE, POINT, classes=classes_tried)
    for tried in ("Point", "Empty"):
        yield sample(classes.DOWNCAST, POINT, cls="Point", classes=(tried,))
    for upcast in (POINT, given(lambda: None, OptionalType(ClassType("Point")))):
        yield sample(classes.UPCAST, upcast, type=upcast.type)
    for cell in (FULL_CELL, EMPTY_CELL):
        yield sample(control.CELL_GET, cell, name="x", free=False)
        yield sample(control.CELL_SET, cell, 6)
    yield sample(control.CELL, 1)
    yield sample(control.CELL, MATRIX)
    held = CellType(TensorType(F64, (Dim(2),)))
    yield sample(control.CELL_GET, given(lambda: Cell(np.zeros(2)), held), name="x", free=False)
    yield sample(control.CELL_UNSET, item=INT)
    yield sample(control.CELL_UNSET, item=STR)


def sorting_samples() -> Iterator[Sample]:
    """Rows of every dtype, and long ones with many equal elements."""
    for op, dtype, kind in product(sorting.SORTS, NUMPY, sorting.KINDS):
        attrs: Mapping[str, Attr] = {"kind": kind}
        for make in array_makers(dtype):
            yield Sample(op, (make,), (type_of(make()),), attrs)
        long = given(lambda t=dtype: (np.arange(200) * 37 % 23).astype(t.numpy).reshape(2, 100))
        yield sample(op, long, kind=kind)
    for dtype, kind in product(NUMPY, sorting.KINDS):
        row = given(lambda t=dtype: (np.arange(40) * 37 % 23).astype(t.numpy))
        yield sample(sorting.SORT_ROW, row, kind=kind)
        yield sample(sorting.ORDER_ROW, row, given(lambda: np.zeros(40, np.int64)), kind=kind)


def selection_samples() -> Iterator[Sample]:
    """Rows of every dtype, places that they have or not, and rows too long to be sorted."""
    some = [
        given(lambda p=p: np.array(p, np.int64)) for p in ([], [0], [1, 0], [-1], [2, 0, 2], [5])
    ]
    apart = given(lambda: np.array([1, 9, 0, 9, 1])[::-2])
    for op, dtype, places in product(sorting.SELECTIONS, NUMPY, (*some, apart)):
        for make in array_makers(dtype):
            yield sample(op, given(make), places)
        long = given(lambda t=dtype: (np.arange(1200) * 37 % 523).astype(t.numpy).reshape(2, 600))
        yield sample(op, long, places)
    for dtype, places in product(NUMPY, some):
        row = given(lambda t=dtype: (np.arange(300) * 37 % 223).astype(t.numpy))
        order = given(lambda: np.zeros(300, np.int64))
        count = len(np.asarray(places.make()))
        found = given(lambda t=dtype, n=count: np.zeros(n, t.numpy))
        yield sample(sorting.SELECT_ROW, row, places, found)
        yield sample(sorting.PART_ROW, row, places)
        yield sample(sorting.ORDER_PARTS, row, order, places)
    for dtype, kind in product(NUMPY, sorting.EXTREMES):
        for make in array_makers(dtype):
            if np.asarray(make()).ndim == 1:
                yield sample(sorting.EXTREME_PLACE, given(make), kind=kind)
        row = given(lambda t=dtype: (np.arange(300) * 37 % 223).astype(t.numpy))
        yield sample(sorting.EXTREME_PLACE, row, kind=kind)


def linalg_samples() -> Iterator[Sample]:
    """What tests.support.matrices lists."""
    for op, makers, attrs in matrices.calls():
        yield sample(op, *map(given, makers), **attrs)
    for op, make, count, norm in matrices.transforms():
        yield sample(op, given(make), count, norm=norm)


def reshaping_samples() -> Iterator[Sample]:
    """Arrays of every layout in shapes that fit, or do not."""
    shapes = (
        (6,),
        (3, 2),
        (-1,),
        (2, -1),
        (1, 6, 1),
        (-1, -1),
        (4, 2),
        (0, 3),
        (0, -1),
        (2**32,) * 2,
    )
    wholes = (MATRIX, FLIPPED, HOLLOW, given(lambda: np.arange(12.0).reshape(3, 4).T[::2]))
    for x, shape, dense in product(wholes, shapes, (False, True)):
        dims = tuple(None if size < 0 else size for size in shape)
        yield sample(reshaping.RESHAPE, x, *shape, dims=dims, dense=dense)
        if not dense:
            yield sample(reshaping.SET_SHAPE, x, *shape, dims=dims)
    turned = given(lambda: np.arange(6.0).reshape(2, 3).T)
    for x, shape in product((MATRIX, turned), ((6,), (3, 2), (2, 3, 1))):
        sizes = tuple(map(np.int64, shape))
        for dense in (False, True):
            yield sample(reshaping.CAN_RESHAPE, x, *sizes, dense=dense)
        type_ = TensorType(F64, tuple(map(Dim, shape)))
        if x is MATRIX:
            yield sample(reshaping.RESHAPED, x, *sizes, type=type_, dense=True)


def product_samples() -> Iterator[Sample]:
    """Low ops of products, with arrays whose sizes fit, and one each whose do not."""
    for lhs in (given(lambda: np.eye(2)), given(lambda: np.full((2, 2), np.inf)), MATRIX):
        out = given(lambda: np.ones((2, 3)))
        yield sample(products.MATRIX_ROOM, lhs, MATRIX)
        yield sample(products.GEMM, out, given(lambda: np.ones(0)), lhs, MATRIX)
    two, three = given(lambda: np.full(2, 0.5)), given(lambda: np.array([1.0, np.nan, -0.0]))
    rows, out = given(lambda: np.ones(2)), given(lambda: np.ones(3))
    room = given(lambda: np.ones(9))
    for vector in (two, three):
        yield sample(products.PRODUCT_ROOM, MATRIX, vector)
        yield sample(products.PRODUCT_ROOM, MATRIX, MATRIX)
        yield sample(products.MATVEC, rows, room, MATRIX, vector)
        yield sample(products.MATVEC, rows, room, MATRIX, vector, np.float64(np.inf))
        yield sample(products.BOTH_PRODUCTS, rows, out, room, MATRIX, vector, two)


def device_samples() -> Iterator[Sample]:
    """Low ops for a device."""
    for op, dense in product((device.TO_HOST, device.TO_DEVICE), (MATRIX, VECTOR)):
        yield sample(op, dense)
    for op in (device.RAISE_FAILED, device.ON_DEVICE):
        yield from (sample(op) for _ in range(2))  # of no operands, so the same
    counts = given(lambda: np.array([7, 2**62], np.int64))
    for kind, value, k in product(("sum", "max"), (-3, 2**62), (0, 1)):
        yield sample(device.ATOMIC, counts, np.int64(value), np.int64(k), kind=kind)


def low_samples() -> Iterator[Sample]:
    """Low ops, within what they assume."""
    one, two, zero = np.int64(1), np.int64(2), np.int64(0)
    for x in (MATRIX, FLIPPED):
        yield sample(low.LOAD, x, one, two)
        yield sample(low.STORE, x, np.float64(7), one, zero)
        for other in (MATRIX, FLIPPED):
            yield sample(low.MAY_OVERLAP, x, other)
            yield sample(low.IS_CONTIGUOUS, x, other)
            yield sample(low.HAS_RUNS, x, other)
        row = TensorType(F64, (Dim(3),))
        yield sample(device.FETCH, x, one, one, once=False)
        yield sample(low.SUBVIEW, x, one, axes="i", type=row)
        backwards = TensorType(F64, (Dim(2), Dim(1), Dim(3)))
        yield sample(low.SUBVIEW, x, one, two, np.int64(-1), axes="sn", type=backwards)
    yield from (sample(low.ASSUME_CONTIGUOUS, dense) for dense in (MATRIX, VECTOR))
    yield from device_samples()
    yield from (sample(low.LENGTHWISE, x, w) for x in (MATRIX, TURNED) for w in (False, True))
    for x, wanted, summed in product((MATRIX, TURNED), (False, True), (False, True)):
        yield sample(low.IN_ROWS, x, wanted, summed=summed)
    for spread in (MATRIX, FLIPPED, VECTOR, TURNED, HOLLOW, PERMUTED, WINDOWS):
        yield sample(low.IS_SPREAD, spread)
    yield from (sample(low.ADJOIN, np.int64(n), MATRIX, axis=-2) for n in (2, 3))
    yield sample(low.ASSUME_DISTINCT, MATRIX)
    yield sample(low.ASSUME_DISTINCT, VECTOR, MATRIX)
    yield sample(low.EITHER, TURNED, MATRIX, False)  # the other one it does not own up to
    yield sample(low.EITHER, MATRIX, TURNED, False)
    yield sample(low.NEW_ARRAY, two, type=TensorType(F64, (Dim(2),)))
    yield sample(low.NEW_ARRAY, type=TensorType(I64, ()))
    for slot in (0, 1):
        yield sample(buffers.KEPT_ARRAY, two, type=TensorType(F64, (Dim(2),)), slot=slot)
        yield sample(buffers.DROP_KEPT, slot=slot)
    yield from (sample(low.SELECT, chosen, 1.5, 2.5) for chosen in (True, False))
    for count, inner in ((0, 1), (70_000, 1), (2**40, 1), (500, 0), (500, 1000), (2**40, 3)):
        yield sample(low.CHUNK, np.int64(count), np.int64(inner))
        yield sample(low.CHUNKS, np.int64(count), np.int64(max(inner, 1)))
    yield from (sample(low.DIGITS, np.int64(n)) for n in (-(2**63), -1, 0, 1, 2, 255, 2**63 - 1))
    yield from (sample(low.SHARES, np.int64(most)) for most in (0, 1))
    yield from (sample(low.TASKS_PAY, *given, callee="k") for given in ((), (MATRIX, 1.5)))
    for x in (MATRIX, NUMBERS):
        yield sample(low.RETAIN, x)
        yield sample(low.RELEASE, x)
    yield sample(low.FAIL, kind="ValueError", message="no")
    yield sample(low.FAIL, one, 2, kind="IndexError", message="{} and {}")
    for item in (INT, STR):
        yield sample(list_items.LIST_ALLOC, two, item=item)
    for items in (NUMBERS, NO_NUMBERS):
        yield sample(list_items.LIST_SIZE, items)
        yield sample(list_items.LIST_CAPACITY, items)
        yield sample(list_items.LIST_RESERVE, items, two)
        yield sample(list_items.LIST_SET_SIZE, items, two)
    yield sample(list_items.LIST_LOAD, NUMBERS, two)
    yield sample(list_items.LIST_LOAD, ROWS, zero)
    yield sample(list_items.LIST_STORE, NUMBERS, two, 9)
    yield sample(list_items.LIST_STORE, ROWS, zero, given(lambda: np.ones(2)))
    yield from low_list_samples()


def random_samples() -> Iterator[Sample]:
    """What tests.support.draws lists."""
    for op, makers, attrs in draws.calls():
        yield sample(op, *map(given, makers), **attrs)


def samples_of(op: str) -> Sequence[Sample]:
    """Return every sample of an op that the op's type rule accepts."""
    return samples().get(op, ())


@cache
def samples() -> Mapping[str, Sequence[Sample]]:
    """Return, by op, every sample that its op's type rule accepts."""
    sources = (
        elementwise_samples,
        where_samples,
        reduction_samples,
        array_samples,
        reshaping_samples,
        sorting_samples,
        selection_samples,
        linalg_samples,
        data_samples,
        exception_samples,
        number_samples,
        exact_samples,
        low_samples,
        product_samples,
        random_samples,
    )
    found: defaultdict[str, list[Sample]] = defaultdict(list)
    for source in sources:
        for each in source():
            if accepted(each):
                found[each.op.name].append(each)
    return dict(found)
