"""`print` to the streams that Python has when it is called, whatever objects these are."""

import contextlib
import io
import sys

import pytest

from scriptc import script
from scriptc_runtime.errors import TypeCheckError

HELD = io.StringIO()


@pytest.mark.parametrize("backend", ["interp", "llvm"])
def test_streams_that_python_has_bound_anew_are_written_to(backend: str) -> None:
    def told(n: int) -> None:
        print("n is", n, file=sys.stdout)
        print("done", file=sys.stderr)

    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        script(told, backend=backend)(3)
    assert (out.getvalue(), errors.getvalue()) == ("n is 3\n", "done\n")


def test_streams_outside_are_refused() -> None:
    def told(n: int) -> None:
        print(n, file=HELD)

    with pytest.raises(TypeCheckError, match="no object of the program"):
        script(told)(3)
