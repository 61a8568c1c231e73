"""`scriptc explain`: what became of each line of a function, as text or as a page."""

from collections.abc import Sequence
from pathlib import Path

from scriptc.cli.compile import scripted
from scriptc.function_types import request_of
from scriptc.inspection.explain import Explanation, explain
from scriptc.inspection.llvm_remarks import UnknownProcessorError
from scriptc.inspection.target import Target, UsageError
from scriptc.specialise.arguments import explicit_arguments
from scriptc_runtime.types import Type


def explanation(target: Target, types: Sequence[Type] | None, cpu: str) -> Explanation:
    """Return what became of a function, for its annotations or these types.

    Raises ScriptError, UsageError.
    """
    function = scripted(target)
    arguments = explicit_arguments(request_of(function, ()), types or ())
    try:
        return explain(request_of(function, arguments), cpu=cpu)
    except UnknownProcessorError as error:
        raise UsageError(str(error)) from None


def write_page(page: str, path: str) -> str:
    """Write a page, and say where."""
    Path(path).write_text(page, encoding="utf-8")
    return f"wrote {path}"
