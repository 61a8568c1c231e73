"""Functions from source text, in a file as a user's are: the checker reads their source again."""

import importlib.util
import tempfile
from pathlib import Path
from types import FunctionType


def function_of(source: str) -> FunctionType:
    """Return the last function that `source` defines."""
    folder = Path(tempfile.mkdtemp(prefix="scriptc-case-"))
    path = folder / "case.py"
    path.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("case", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    functions = [v for v in vars(module).values() if isinstance(v, FunctionType)]
    return [f for f in functions if f.__module__ == "case"][-1]
