"""Results that another function has where a number is far: tested where the vectoriser allows it.

Written as a branch around a call, this would stop the vectoriser. So the test hides in a function
with vector variants of our own, one of which it takes: they test all lanes at once, and go through
them only if one is far. The other function is compiled once, as a part of the support code.
"""

from collections.abc import Sequence

from scriptc.backends.llvm.loading.machine_code import PART_PREFIX

PART = "apart_"  # what the names of the parts with these functions begin with
_VECTOR_WIDTHS = (128, 256, 512)  # bits


def symbol_apart(name: str, type_: str) -> str:
    """Return the symbol of a function that is a part of the support code."""
    return f"{PART_PREFIX}function_{PART}{name}_{type_}"


def far_name(name: str) -> str:
    """Return the name of the function that has the far results of another one."""
    return f"far_{name}"


def far_definitions(
    name: str, type_: str, t: str, limit: str, count: int
) -> tuple[Sequence[str], frozenset[str], str]:
    """Return definitions, what they declare, and the callee, with {} for what it is given.

    It returns its second operand, or what the function `far_NAME` makes of the `count` others where
    the size of the first one reaches a limit.
    """
    far, bits = f"sc_{name}_far_{type_}", int(type_[1:])
    lane_counts = [width // bits for width in _VECTOR_WIDTHS]
    places = range(count)
    fields = {
        "t": t,
        "type_": type_,
        "far": far,
        "apart": f"@{symbol_apart(far_name(name), type_)}",
        "limit": limit,
        "lane": ", ".join(f"{t} %lane{i}" for i in places),
        "scalars": "".join(f", {t} %lane{i}" for i in places),
    }
    definitions = [_FAR.format(**fields)]
    for n in lane_counts:
        of_lane = (f"  %lane{i} = extractelement <{n} x {t}> %x{i}, i64 %i\n" for i in places)
        vectors = "".join(f", <{n} x {t}> %x{i}" for i in places)
        definitions.append(
            _FAR_LANES.format(n=n, vectors=vectors, of_lane="".join(of_lane), **fields)
        )
    declarations = {
        f"declare {t} {fields['apart']}({', '.join([t] * count)}) nounwind willreturn memory(none)",
        f"declare {t} @llvm.fabs.{type_}({t})",
        *(f"declare <{n} x {t}> @llvm.fabs.v{n}{type_}(<{n} x {t}>)" for n in lane_counts),
    }
    kinds = "v" * (2 + count)
    variants = ",".join(f"_ZGV_LLVM_N{n}{kinds}_{far}({far}_lanes{n})" for n in lane_counts)
    callee = f'@{far}({{}}) "vector-function-abi-variant"="{variants}"'
    return definitions, frozenset(declarations), callee


_FAR = """\
define internal {t} @{far}({t} %size, {t} %near{scalars})
  noinline nounwind willreturn memory(none) {{
entry:
  %positive = call {t} @llvm.fabs.{type_}({t} %size)
  %beyond = fcmp oge {t} %positive, {limit}
  br i1 %beyond, label %call, label %done
call:
  %y = call {t} {apart}({lane})
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
