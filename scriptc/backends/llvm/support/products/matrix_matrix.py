"""Products of two matrices, as LLVM IR: a part of the support code.

    sc.part.product_of_f64    out = a @ b, for matrices of any layout
    sc.part.space_of_f64      how many elements that needs room for, besides the result

Large products are computed in tiles (`tiles`) on processors with AVX-512.  On others they are calls
of the BLAS that NumPy brings, which takes matrices whose rows or columns are contiguous; others are
copied first.  As in NumPy, of the product of a matrix and its own transpose, `a @ a.T` or
`a.T @ a`, one half is computed, in BLAS by its syrk; the other one is its mirror image.  Long calls
give up the GIL.

Small products, those of one row, or of a few and a large wide matrix, and all where there is
neither, are products of one matrix and several vectors (`matrix_vector`), whose code is loaded when
such a product is met.
"""

from string import Template

from scriptc.backends.llvm.loading import numpy_routines
from scriptc.backends.llvm.loading.machine_code import PART_PREFIX
from scriptc.backends.llvm.support import late
from scriptc.backends.llvm.support.products import tiles

PART = "of_"  # what the names of the parts begin with
_LETTERS = {"f64": ("d", "double"), "f32": ("s", "float")}
# Multiplications below which the call of BLAS costs more than it gains: 20 x 20 x 20.
_SMALL = 8000
# A product of so few rows and a matrix of so many elements is bound by memory, if the rows of the
# matrix are longer than that by this factor.
_FEW, _LARGE, _WIDE = 8, 1 << 17, 8
# Tiles have eight rows, so half of them may be waste before a matrix in rows is read faster as
# vectors, unless it is far away; one in columns of at least so many elements need not be copied for
# that, from so many elements of the matrix on for more than half.
_HALF, _FAR, _DEEP, _SOME = 4, 1 << 22, 64, 1 << 15
_LARGEST_INT32, _LARGEST = 2**31 - 1, 2**62
_LONG = 1 << 18  # multiplications from where on others have their turn: some microseconds


def product_text(part: str, features: str) -> str:
    """Return the text of a part, for a processor with these features."""
    dtype = part.removeprefix(PART)
    needed, large = _by_tiles(dtype) if tiles.available(features) else _by_blas(dtype)
    symbols = {what: f"{PART_PREFIX}{what}_{dtype}" for what in ("room", "pack", "matvec")}
    cells = {what: late.cell(symbol) for what, symbol in symbols.items()}
    ways = _WAYS.substitute(cells, prefix=PART_PREFIX, part=part, t=_LETTERS[dtype][1])
    return late.with_late(late.late_text({*symbols.values(), *needed}) + ways + large)


def _by_tiles(dtype: str) -> tuple[list[str], str]:
    """Return what is compiled when it is called, and the text of large products by tiles."""
    needed = [tiles.product_symbol(dtype), tiles.room_symbol(dtype)]
    text = _TILES.substitute(
        product=late.cell(needed[0]),
        room=late.cell(needed[1]),
        half=_HALF,
        few=_FEW,
        wide=_WIDE,
        some=_SOME,
        deep=_DEEP,
        large=_LARGE,
        far=_FAR,
    )
    return needed, _MIRROR.substitute(t=_LETTERS[dtype][1]) + text


def _by_blas(dtype: str) -> tuple[list[str], str]:
    """Return the same for BLAS, which may not be to be had."""
    letter, element = _LETTERS[dtype]
    found = numpy_routines.cblas(f"cblas_{letter}gemm") and numpy_routines.cblas(
        f"cblas_{letter}syrk"
    )
    if found is None:
        return [], _WITHOUT
    symbol = f"{PART_PREFIX}pack_{dtype}"
    text = _BLAS.substitute(
        gemm=numpy_routines.blas_symbol(f"cblas_{letter}gemm", wide=found.wide),
        syrk=numpy_routines.blas_symbol(f"cblas_{letter}syrk", wide=found.wide),
        t=element,
        pack=late.cell(symbol),
        int="i64" if found.wide else "i32",
        convert="or" if found.wide else "trunc",
        to=", 0" if found.wide else " to i32",
        long=_LONG,
        small=_SMALL,
        few=_FEW,
        large=_LARGE,
        wide=_WIDE,
        most=_LARGEST if found.wide else _LARGEST_INT32,
    )
    return [symbol], _MIRROR.substitute(t=element) + text


_MIRROR = Template("""\
; Whether a product is one of a matrix and its own transpose.
define internal i1 @is_symmetric(ptr %a, i64 %m, i64 %a.down, i64 %a.across, ptr %b, i64 %n,
  i64 %b.down, i64 %b.across) nounwind {
  %square = icmp eq i64 %m, %n
  %one = icmp eq ptr %a, %b
  %turned.down = icmp eq i64 %a.down, %b.across
  %turned.across = icmp eq i64 %a.across, %b.down
  %same = and i1 %square, %one
  %turned = and i1 %turned.down, %turned.across
  %symmetric = and i1 %same, %turned
  ret i1 %symmetric
}

; Copy the upper half of a square matrix to the lower one, 16 rows of that at a time.
define internal void @mirror(ptr %out, i64 %n) nounwind {
entry:
  br label %band
band:
  %first = phi i64 [ 0, %entry ], [ %stop, %rows ]
  %end = add nsw i64 %first, 16
  %stop = call i64 @llvm.smin.i64(i64 %end, i64 %n)
  %some = icmp slt i64 %first, %n
  br i1 %some, label %rows, label %done
rows:
  %i = phi i64 [ 0, %band ], [ %i.next, %columns ]
  %i.next = add nsw i64 %i, 1
  %more = icmp slt i64 %i, %stop
  br i1 %more, label %row, label %band
row:
  %start = call i64 @llvm.smax.i64(i64 %i.next, i64 %first)
  %above = mul nsw i64 %i, %n
  br label %columns
columns:
  %j = phi i64 [ %start, %row ], [ %j.next, %copy ]
  %inside = icmp slt i64 %j, %stop
  br i1 %inside, label %copy, label %rows
copy:
  %from.index = add nsw i64 %above, %j
  %from = getelementptr $t, ptr %out, i64 %from.index
  %value = load $t, ptr %from
  %below = mul nsw i64 %j, %n
  %to.index = add nsw i64 %below, %i
  %to = getelementptr $t, ptr %out, i64 %to.index
  store $t %value, ptr %to
  %j.next = add nsw i64 %j, 1
  br label %columns
done:
  ret void
}
""")

# Enumerations of CBLAS: 101 row-major, 111 as it is, 112 transposed, 121 the upper half.
_BLAS = Template("""\
; Whether a product is one of several vectors and a matrix; BLAS takes none of larger sizes.
define internal i1 @is_own(i64 %m, i64 %k, i64 %n, i64 %a.down, i64 %a.across, i64 %b.down,
  i64 %b.across) nounwind {
  %results = mul i64 %m, %n
  %products = mul i64 %results, %k
  %small = icmp slt i64 %products, $small
  %few = icmp sle i64 %m, $few
  %elements = mul i64 %k, %n
  %large = icmp sge i64 %elements, $large
  %least = mul i64 %m, $wide
  %wide = icmp sge i64 %n, %least
  %rows = and i1 %few, %wide
  %memory = and i1 %rows, %large
  %row = icmp eq i64 %m, 1
  %column = icmp eq i64 %n, 1
  %line = or i1 %row, %column
  %vectors = or i1 %small, %line
  %either = or i1 %vectors, %memory
  %s1 = call i64 @llvm.smax.i64(i64 %m, i64 %k)
  %s2 = call i64 @llvm.smax.i64(i64 %s1, i64 %n)
  %s3 = call i64 @llvm.smax.i64(i64 %s2, i64 %a.down)
  %s4 = call i64 @llvm.smax.i64(i64 %s3, i64 %a.across)
  %s5 = call i64 @llvm.smax.i64(i64 %s4, i64 %b.down)
  %s6 = call i64 @llvm.smax.i64(i64 %s5, i64 %b.across)
  %beyond = icmp sgt i64 %s6, $most
  %own = or i1 %either, %beyond
  ret i1 %own
}

declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare void @$gemm(i32, i32, i32, $int, $int, $int, $t, ptr, $int, ptr, $int, $t, ptr, $int)
declare void @$syrk(i32, i32, i32, $int, $int, $t, ptr, $int, $t, ptr, $int)

; Whether the rows, or the columns, of a matrix are contiguous and do not overlap.
define internal i1 @fits(i64 %m, i64 %n, i64 %down, i64 %across) nounwind {
  %dense.rows = icmp eq i64 %across, 1
  %apart.rows = icmp sge i64 %down, %n
  %rows = and i1 %dense.rows, %apart.rows
  %dense.columns = icmp eq i64 %down, 1
  %apart.columns = icmp sge i64 %across, %m
  %columns = and i1 %dense.columns, %apart.columns
  %fits = or i1 %rows, %columns
  ret i1 %fits
}

define internal i64 @large_room(i64 %m, i64 %k, i64 %a.down, i64 %a.across, i64 %n, i64 %b.down,
  i64 %b.across) nounwind {
  %a.size = mul i64 %m, %k
  %b.size = mul i64 %k, %n
  %a.fits = call i1 @fits(i64 %m, i64 %k, i64 %a.down, i64 %a.across)
  %a.room = select i1 %a.fits, i64 0, i64 %a.size
  %b.fits = call i1 @fits(i64 %k, i64 %n, i64 %b.down, i64 %b.across)
  %b.room = select i1 %b.fits, i64 0, i64 %b.size
  %both = add i64 %a.room, %b.room
  ret i64 %both
}

define internal void @by_blas(ptr %out, ptr %a, i64 %m, i64 %k, i64 %a.down, i64 %a.across,
  ptr %b, i64 %n, i64 %b.down, i64 %b.across) nounwind {
entry:
  %a.dense = icmp eq i64 %a.across, 1
  %a.apart = icmp sge i64 %a.down, %k
  %a.rows = and i1 %a.dense, %a.apart
  %a.order = select i1 %a.rows, i32 111, i32 112
  %a.step = select i1 %a.rows, i64 %a.down, i64 %a.across
  %a.distance = call i64 @llvm.smax.i64(i64 %a.step, i64 1)
  %b.dense = icmp eq i64 %b.across, 1
  %b.apart = icmp sge i64 %b.down, %n
  %b.rows = and i1 %b.dense, %b.apart
  %b.order = select i1 %b.rows, i32 111, i32 112
  %b.step = select i1 %b.rows, i64 %b.down, i64 %b.across
  %b.distance = call i64 @llvm.smax.i64(i64 %b.step, i64 1)
  %out.distance = call i64 @llvm.smax.i64(i64 %n, i64 1)
  %c.m = $convert i64 %m$to
  %c.n = $convert i64 %n$to
  %c.k = $convert i64 %k$to
  %c.a = $convert i64 %a.distance$to
  %c.b = $convert i64 %b.distance$to
  %c.out = $convert i64 %out.distance$to
  %turned = call i1 @is_symmetric(ptr %a, i64 %m, i64 %a.down, i64 %a.across, ptr %b, i64 %n,
    i64 %b.down, i64 %b.across)
  %other.order = icmp ne i32 %a.order, %b.order
  %symmetric = and i1 %turned, %other.order
  %results = mul nsw i64 %m, %n
  %products = mul nsw i64 %results, %k
  %long = icmp sge i64 %products, $long
  br i1 %long, label %leave, label %choose
leave:
  %saved = call ptr @PyEval_SaveThread()
  br label %choose
choose:
  %state = phi ptr [ null, %entry ], [ %saved, %leave ]
  br i1 %symmetric, label %half, label %whole
half:
  call void @$syrk(i32 101, i32 121, i32 %a.order, $int %c.n, $int %c.k, $t 1.0, ptr %a, $int %c.a,
    $t 0.0, ptr %out, $int %c.out)
  call void @mirror(ptr %out, i64 %n)
  br label %done
whole:
  call void @$gemm(i32 101, i32 %a.order, i32 %b.order, $int %c.m, $int %c.n, $int %c.k, $t 1.0,
    ptr %a, $int %c.a, ptr %b, $int %c.b, $t 0.0, ptr %out, $int %c.out)
  br label %done
done:
  br i1 %long, label %come.back, label %end
come.back:
  call void @PyEval_RestoreThread(ptr %state)
  br label %end
end:
  ret void
}

define internal i32 @large_product(ptr %ctx, ptr %out, ptr %room, ptr %a, i64 %m, i64 %k,
  i64 %a.down, i64 %a.across, ptr %b, i64 %n, i64 %b.down, i64 %b.across, i32 %limit) nounwind {
entry:
  %a.size = mul i64 %m, %k
  %a.fits = call i1 @fits(i64 %m, i64 %k, i64 %a.down, i64 %a.across)
  br i1 %a.fits, label %first, label %pack.first
pack.first:
  late %pack.a = $pack
  call void %pack.a(ptr %a, i64 %m, i64 %k, i64 %a.down, i64 %a.across, ptr %room)
  %behind.first = getelementptr $t, ptr %room, i64 %a.size
  br label %first
first:
  %f = phi ptr [ %a, %entry ], [ %room, %pack.a.loaded ]
  %f.down = phi i64 [ %a.down, %entry ], [ %k, %pack.a.loaded ]
  %f.across = phi i64 [ %a.across, %entry ], [ 1, %pack.a.loaded ]
  %free = phi ptr [ %room, %entry ], [ %behind.first, %pack.a.loaded ]
  %b.fits = call i1 @fits(i64 %k, i64 %n, i64 %b.down, i64 %b.across)
  br i1 %b.fits, label %second, label %pack.second
pack.second:
  late %pack.b = $pack
  call void %pack.b(ptr %b, i64 %k, i64 %n, i64 %b.down, i64 %b.across, ptr %free)
  br label %second
second:
  %s = phi ptr [ %b, %first ], [ %free, %pack.b.loaded ]
  %s.down = phi i64 [ %b.down, %first ], [ %n, %pack.b.loaded ]
  %s.across = phi i64 [ %b.across, %first ], [ 1, %pack.b.loaded ]
  call void @by_blas(ptr %out, ptr %f, i64 %m, i64 %k, i64 %f.down, i64 %f.across, ptr %s, i64 %n,
    i64 %s.down, i64 %s.across)
  ret i32 0
}
""")

_TILES = Template("""\
; Whether a product is one of several vectors and a matrix: one row or one column, few rows and a
; matrix that is in columns, or far away, or sums of nothing, which that routine clears.
define internal i1 @is_own(i64 %m, i64 %k, i64 %n, i64 %a.down, i64 %a.across, i64 %b.down,
  i64 %b.across) nounwind {
  %elements = mul i64 %k, %n
  %row = icmp eq i64 %m, 1
  %column = icmp eq i64 %n, 1
  %line = or i1 %row, %column
  %half = icmp sle i64 %m, $half
  %few = icmp sle i64 %m, $few
  %columns = icmp ne i64 %b.across, 1
  %large = icmp sge i64 %elements, $large
  %far = icmp sge i64 %elements, $far
  %some = icmp sge i64 %elements, $some
  %least = mul i64 %m, $wide
  %wide = icmp sge i64 %n, %least
  %half.far = and i1 %half, %large
  %few.far = and i1 %few, %far
  %any.far = or i1 %half.far, %few.far
  %rows = and i1 %any.far, %wide
  %few.some = and i1 %few, %some
  %along = or i1 %half, %few.some
  %deep = icmp sge i64 %k, $deep
  %long = and i1 %deep, %columns
  %dots = and i1 %along, %long
  %either = or i1 %rows, %dots
  %nothing = icmp eq i64 %k, 0
  %zeros = or i1 %either, %nothing
  %own = or i1 %zeros, %line
  ret i1 %own
}

define internal i64 @large_room(i64 %m, i64 %k, i64 %a.down, i64 %a.across, i64 %n, i64 %b.down,
  i64 %b.across) nounwind {
  late %room = $room
  %size = call i64 %room(i64 %m, i64 %k, i64 %n, i64 %b.down, i64 %b.across)
  ret i64 %size
}

define internal i32 @large_product(ptr %ctx, ptr %out, ptr %room, ptr %a, i64 %m, i64 %k,
  i64 %a.down, i64 %a.across, ptr %b, i64 %n, i64 %b.down, i64 %b.across, i32 %limit) nounwind {
  %symmetric = call i1 @is_symmetric(ptr %a, i64 %m, i64 %a.down, i64 %a.across, ptr %b, i64 %n,
    i64 %b.down, i64 %b.across)
  late %product = $product
  %status = call i32 %product(ptr %ctx, ptr %out, ptr %room, ptr %a, i64 %m, i64 %k, i64 %a.down,
    i64 %a.across, ptr %b, i64 %n, i64 %b.down, i64 %b.across, i1 %symmetric, i32 %limit)
  %well = icmp eq i32 %status, 0
  %is.half = and i1 %symmetric, %well
  br i1 %is.half, label %half, label %whole
half:
  call void @mirror(ptr %out, i64 %n)
  br label %whole
whole:
  ret i32 %status
}
""")

_WITHOUT = """\
define internal i1 @is_own(i64 %m, i64 %k, i64 %n, i64 %a.down, i64 %a.across, i64 %b.down,
  i64 %b.across) nounwind {
  ret i1 true
}

define internal i64 @large_room(i64 %m, i64 %k, i64 %a.down, i64 %a.across, i64 %n, i64 %b.down,
  i64 %b.across) nounwind {
  unreachable
}

define internal i32 @large_product(ptr %ctx, ptr %out, ptr %room, ptr %a, i64 %m, i64 %k,
  i64 %a.down, i64 %a.across, ptr %b, i64 %n, i64 %b.down, i64 %b.across, i32 %limit) nounwind {
  unreachable
}
"""

_WAYS = Template("""\
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)

define i64 @${prefix}space_$part(i64 %m, i64 %k, i64 %a.down, i64 %a.across, i64 %n, i64 %b.down,
  i64 %b.across) nounwind {
  %own = call i1 @is_own(i64 %m, i64 %k, i64 %n, i64 %a.down, i64 %a.across, i64 %b.down,
    i64 %b.across)
  %a.size = mul i64 %m, %k
  %b.size = mul i64 %k, %n
  %results = mul i64 %m, %n
  %none = icmp eq i64 %results, 0
  br i1 %none, label %nothing, label %some
nothing:
  ret i64 0
some:
  br i1 %own, label %few, label %many
few:
  late %room.of = $room
  %is.column = icmp eq i64 %n, 1
  br i1 %is.column, label %column, label %rows
column:
  %one = call i64 %room.of(i64 %m, i64 %k, i64 %a.down, i64 %a.across, i64 %b.down, i64 1)
  ret i64 %one
rows:
  %dense = icmp eq i64 %a.across, 1
  %vectors = select i1 %dense, i64 0, i64 %a.size
  %rest = call i64 %room.of(i64 %n, i64 %k, i64 %b.across, i64 %b.down, i64 1, i64 %m)
  %all = add i64 %vectors, %rest
  ret i64 %all
many:
  %large = call i64 @large_room(i64 %m, i64 %k, i64 %a.down, i64 %a.across, i64 %n, i64 %b.down,
    i64 %b.across)
  ret i64 %large
}

define i32 @${prefix}product_$part(ptr %ctx, ptr %out, ptr %room, ptr %a, i64 %m, i64 %k,
  i64 %a.down, i64 %a.across, ptr %b, i64 %n, i64 %b.down, i64 %b.across, i32 %limit) nounwind {
  %a.size = mul i64 %m, %k
  %own = call i1 @is_own(i64 %m, i64 %k, i64 %n, i64 %a.down, i64 %a.across, i64 %b.down,
    i64 %b.across)
  ; Without a result there may be more rows, or columns, than anybody could walk over.
  %results = mul i64 %m, %n
  %none = icmp eq i64 %results, 0
  br i1 %none, label %nothing, label %some
nothing:
  ret i32 0
some:
  br i1 %own, label %few, label %many
few:
  late %product = $matvec
  %is.column = icmp eq i64 %n, 1
  br i1 %is.column, label %column, label %rows
column:
  %one.status = call i32 %product(ptr %ctx, ptr %out, ptr %room, ptr %a, i64 %m, i64 %k,
    i64 %a.down, i64 %a.across, ptr %b, i64 %b.down, $t 1.0, i32 %limit, i64 1, i64 0)
  ret i32 %one.status
rows:
  %dense = icmp eq i64 %a.across, 1
  br i1 %dense, label %vectors, label %pack.vectors
pack.vectors:
  late %pack.1 = $pack
  call void %pack.1(ptr %a, i64 %m, i64 %k, i64 %a.down, i64 %a.across, ptr %room)
  %behind.vectors = getelementptr $t, ptr %room, i64 %a.size
  br label %vectors
vectors:
  %x = phi ptr [ %a, %rows ], [ %room, %pack.1.loaded ]
  %apart = phi i64 [ %a.down, %rows ], [ %k, %pack.1.loaded ]
  %rest = phi ptr [ %room, %rows ], [ %behind.vectors, %pack.1.loaded ]
  %status = call i32 %product(ptr %ctx, ptr %out, ptr %rest, ptr %b, i64 %n, i64 %k,
    i64 %b.across, i64 %b.down, ptr %x, i64 1, $t 1.0, i32 %limit, i64 %m, i64 %apart)
  ret i32 %status
many:
  %result = call i32 @large_product(ptr %ctx, ptr %out, ptr %room, ptr %a, i64 %m, i64 %k,
    i64 %a.down, i64 %a.across, ptr %b, i64 %n, i64 %b.down, i64 %b.across, i32 %limit)
  ret i32 %result
}
""")
