"""Results that are libm's where a number is far: tested in a function that the vectoriser takes.

Written as a branch around a call, this would stop the vectoriser. So the test hides in a function
with vector variants of our own, one of which it takes: they test all lanes at once, and go through
them only if one is far.
"""

from collections.abc import Sequence

from scriptc.backends.llvm.elementary.emitter import Emitter

_VECTOR_WIDTHS = (128, 256, 512)  # bits


def libm_beyond(
    e: Emitter, name: str, operands: Sequence[str], near: str, size: str, limit: float
) -> str:
    """Return `near`, or what libm's function makes of the operands where |size| reaches a limit."""
    t, far = e.format.llvm, f"sc_{name}_far_{e.type_}"
    lane_counts = [width // e.format.bits for width in _VECTOR_WIDTHS]
    places = range(len(operands))
    fields = {
        "t": t,
        "type_": e.type_,
        "far": far,
        "libm": f"@{name}{e.format.libm_suffix}",
        "limit": e.constant(limit),
        "lane": ", ".join(f"{t} %lane{i}" for i in places),
        "scalars": "".join(f", {t} %lane{i}" for i in places),
    }
    e.definitions.append(_FAR.format(**fields))
    for n in lane_counts:
        of_lane = (f"  %lane{i} = extractelement <{n} x {t}> %x{i}, i64 %i\n" for i in places)
        vectors = "".join(f", <{n} x {t}> %x{i}" for i in places)
        e.definitions.append(
            _FAR_LANES.format(n=n, vectors=vectors, of_lane="".join(of_lane), **fields)
        )
    e.declarations |= {
        f"declare {t} {fields['libm']}({', '.join([t] * len(operands))})",
        f"declare {t} @llvm.fabs.{e.type_}({t})",
        *(f"declare <{n} x {t}> @llvm.fabs.v{n}{e.type_}(<{n} x {t}>)" for n in lane_counts),
    }
    kinds = "v" * (2 + len(operands))
    variants = ",".join(f"_ZGV_LLVM_N{n}{kinds}_{far}({far}_lanes{n})" for n in lane_counts)
    given = ", ".join(f"{t} {value}" for value in (size, near, *operands))
    return e.emit(f'call {t} @{far}({given}) "vector-function-abi-variant"="{variants}"')


_FAR = """\
define internal {t} @{far}({t} %size, {t} %near{scalars})
  noinline nounwind willreturn memory(none) {{
entry:
  %positive = call {t} @llvm.fabs.{type_}({t} %size)
  %beyond = fcmp oge {t} %positive, {limit}
  br i1 %beyond, label %call, label %done
call:
  %y = call {t} {libm}({lane})
  br label %done
done:
  %result = phi {t} [ %near, %entry ], [ %y, %call ]
  ret {t} %result
}}
"""

# The linkage is weak, because nothing calls a variant until the vectoriser has run, and an internal
# function would be gone by then.  The test of all lanes is inlined behind the vectoriser, see
# `machine.py`: a call in every iteration would leave nothing in registers.  `minsize` keeps the
# loop over the lanes from being unrolled.
_FAR_LANES = """\
define weak_odr hidden <{n} x {t}> @{far}_lanes{n}(<{n} x {t}> %size, <{n} x {t}> %near{vectors})
  alwaysinline nounwind willreturn memory(none) {{
entry:
  %positive = call <{n} x {t}> @llvm.fabs.v{n}{type_}(<{n} x {t}> %size)
  %beyond = fcmp oge <{n} x {t}> %positive, splat ({t} {limit})
  %mask = bitcast <{n} x i1> %beyond to i{n}
  %all_near = icmp eq i{n} %mask, 0
  br i1 %all_near, label %done, label %some_far, !prof !{{!"branch_weights", i32 1048576, i32 1}}
some_far:
  %each = call <{n} x {t}> @{far}_each{n}(<{n} x {t}> %size, <{n} x {t}> %near{vectors})
  br label %done
done:
  %result = phi <{n} x {t}> [ %near, %entry ], [ %each, %some_far ]
  ret <{n} x {t}> %result
}}
define weak_odr hidden <{n} x {t}> @{far}_each{n}(<{n} x {t}> %size, <{n} x {t}> %near{vectors})
  noinline cold minsize optsize nounwind willreturn memory(none) {{
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %lane ]
  %before = phi <{n} x {t}> [ %near, %entry ], [ %after, %lane ]
  %size_i = extractelement <{n} x {t}> %size, i64 %i
  %near_i = extractelement <{n} x {t}> %near, i64 %i
{of_lane}\
  %y_i = call {t} @{far}({t} %size_i, {t} %near_i{scalars})
  %after = insertelement <{n} x {t}> %before, {t} %y_i, i64 %i
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, {n}
  br i1 %end, label %done, label %lane
done:
  ret <{n} x {t}> %after
}}
"""
