"""Programs that tests start as processes of their own, and what they have in common."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

REPO = Path(__file__).parent.parent.parent


def run_apart(
    command: Sequence[str], cache: Path, *, timeout: float = 120.0
) -> "subprocess.CompletedProcess[str]":
    """Run Python on a command with a cache folder of its own; it need not succeed."""
    environment = os.environ | {
        "PYTHONPATH": f"{REPO}:{REPO / 'runtime'}",
        "SCRIPTC_CACHE_DIR": str(cache),
        "PYTHONFAULTHANDLER": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return subprocess.run(
        [sys.executable, *command],
        env=environment,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
