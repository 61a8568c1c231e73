"""`sys.stdout` and streams outside: which file that is does not matter when compiling."""

import io
import queue
import sys

import pytest

from scriptc import ScriptError, script

WAITING: "queue.Queue[int]" = queue.Queue()
OUT = io.StringIO()


class Tee:
    def __init__(self) -> None:
        self.parts: list[str] = []

    def write(self, text: str) -> int:
        self.parts.append(text)
        return len(text)

    def flush(self) -> None:
        self.parts.append("!")


def told(n: int) -> int:
    print("x", n, file=sys.stdout)
    print(n, sep="", flush=True, file=sys.stderr)
    return n


def waiting() -> int:
    return WAITING.qsize()


def written() -> str:
    return OUT.getvalue()


@pytest.mark.parametrize("backend", ["interp", "llvm"])
@pytest.mark.parametrize("kind", [Tee, io.StringIO])
def test_print_writes_to_what_is_there_at_the_call(
    backend: str, kind: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = script(told, backend=backend)
    for _ in range(2):
        out, error = kind(), kind()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", error)
            assert compiled(3) == 3
        if isinstance(out, Tee):
            assert "".join(out.parts) == "x 3\n"
            assert error.parts[-1] == "!"
        else:
            assert (out.getvalue(), error.getvalue()) == ("x 3\n", "3\n")


@pytest.mark.parametrize("function", [waiting, written])
def test_queues_and_streams_outside_are_refused(function: object) -> None:
    with pytest.raises(ScriptError, match="is not built"):
        script(function)()  # pyright: ignore
