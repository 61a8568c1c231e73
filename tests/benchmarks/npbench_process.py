"""Talk to a worker process, within a time limit for each request."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from tests.benchmarks.npbench_worker import Reply

REPO = Path(__file__).parents[2]
WORKER = "tests.benchmarks.npbench_worker"


class WorkerFailure(Exception):
    """The worker gave no result: it raised, died or took too long."""


class WorkerProcess:
    """A worker, started at once; after a failure it is gone."""

    def __init__(
        self,
        arguments: list[str],
        *,
        python: str = sys.executable,
        environment: Mapping[str, str],
        errors: Path,
    ) -> None:
        self._errors = errors
        with errors.open("wb") as log:
            self._process = subprocess.Popen(
                [python, "-m", *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=REPO,
                env={**os.environ, **environment},
                start_new_session=True,
            )

    def ask(self, limit: float, **request: object) -> Reply:
        """Send a request and wait for the answer; raises WorkerFailure."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write((json.dumps(request) + "\n").encode())
            self._process.stdin.flush()
        except BrokenPipeError:
            raise WorkerFailure(self._last_words()) from None
        reply = Reply(**json.loads(self._line(limit)))
        if reply.error:
            raise WorkerFailure(reply.error)
        return reply

    def close(self) -> None:
        """End the process and whatever it started."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()

    def _line(self, limit: float) -> bytes:
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        end, line = time.monotonic() + limit, b""
        while not line.endswith(b"\n"):
            left = end - time.monotonic()
            if left <= 0 or not select.select([descriptor], [], [], left)[0]:
                raise WorkerFailure(f"takes more than {limit:.0f} s")
            part = os.read(descriptor, 1 << 16)
            if not part:
                raise WorkerFailure(self._last_words())
            line += part
        return line

    def _last_words(self) -> str:
        code = self._process.wait()
        tail = " ".join(self._errors.read_text(errors="replace").split())[-300:]
        return f"the process ended with {code}: {tail}"
