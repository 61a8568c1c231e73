"""Work that threads share, in texts of support code: the fields of a `%job`, and its launch.

load fields m n      loads fields under their names
store fields m n     stores values under the names of fields
"""

import re
from collections.abc import Mapping


def with_fields(job: Mapping[str, str], text: str, type_: str = "%job") -> str:
    """Return a text with the code for such lines, given the LLVM types of all fields."""
    return re.sub(r"(?m)^  (load|store) fields (.+)$", lambda line: _code(job, line, type_), text)


def _code(job: Mapping[str, str], line: re.Match[str], type_: str) -> str:
    how, names = line.groups()
    code: list[str] = []
    for name in names.split():
        number, t = list(job).index(name), job[name]
        code.append(f"  %{name}.at = getelementptr {type_}, ptr %job, i64 0, i32 {number}")
        if how == "load":
            code.append(f"  %{name} = load {t}, ptr %{name}.at")
        else:
            code.append(f"  store {t} %{name}, ptr %{name}.at")
    return "\n".join(code)


# What shares call: it estimates their work, in the units of `work.py`.
LAUNCHED = """\
declare i32 @sc_launch(ptr, ptr, ptr, i64, i64, i32)
@sc_apart_work = external global i64

; A share by itself, or by threads, if there is much work; a kernel, whose limit is -1, and which
; threads may share already, launches nothing.
define internal i32 @launched(ptr %ctx, ptr %share, ptr %job, i64 %rounds, i64 %work, i32 %limit)
  nounwind {
  %enough = load i64, ptr @sc_apart_work
  %much = icmp sge i64 %work, %enough
  %free = icmp sge i32 %limit, 0
  %launched = and i1 %much, %free
  br i1 %launched, label %away, label %here
here:
  %status = call i32 %share(ptr %job, ptr %ctx, i64 0, i64 %rounds)
  ret i32 %status
away:
  %result = call i32 @sc_launch(ptr %ctx, ptr %share, ptr %job, i64 %rounds, i64 %work, i32 %limit)
  ret i32 %result
}
"""
