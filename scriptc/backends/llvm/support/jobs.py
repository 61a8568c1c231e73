"""What threads know of work that they share: the fields of a `%job`, in texts of support code.

load fields m n      loads fields under their names
store fields m n     stores values under the names of fields
"""

import re
from collections.abc import Mapping


def with_fields(job: Mapping[str, str], text: str) -> str:
    """Return a text with the code for such lines, given the LLVM types of all fields."""
    return re.sub(r"(?m)^  (load|store) fields (.+)$", lambda line: _code(job, line), text)


def _code(job: Mapping[str, str], line: re.Match[str]) -> str:
    how, names = line.groups()
    code: list[str] = []
    for name in names.split():
        number, t = list(job).index(name), job[name]
        code.append(f"  %{name}.at = getelementptr %job, ptr %job, i64 0, i32 {number}")
        if how == "load":
            code.append(f"  %{name} = load {t}, ptr %{name}.at")
        else:
            code.append(f"  store {t} %{name}, ptr %{name}.at")
    return "\n".join(code)
