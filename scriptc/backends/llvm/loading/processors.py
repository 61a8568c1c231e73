"""Tells the thread pool how many threads to use, before its first launch.

The processors that the scheduler may put this process on are counted by the pool itself, when it
starts threads: a child may have been given others. A limit of the control group, as containers
have, is no such set but a share of time; it is looked up here.
"""

import ctypes
import sys
from collections.abc import Iterator, Mapping

MOST_THREADS = 64  # each has a cache line in the description of a launch


def configure(support: Mapping[str, int], threads: int) -> None:
    """Tell the pool in the support code of this process; 0 threads: as many as are useful."""
    ctypes.c_int32.from_address(support["sc_threads"]).value = threads
    if threads == 0 and sys.platform == "linux":
        ctypes.c_int32.from_address(support["sc_quota"]).value = quota()


def quota(root: str = "/sys/fs/cgroup", listed: str = "/proc/self/cgroup") -> int:
    """Return how many processors' time the control groups of this process may use."""
    limits = [limit for group in _groups(listed) for limit in _limits(root, group)]
    return max(1, min([MOST_THREADS, *(-(-used // period) for used, period in limits)]))


def _groups(listed: str) -> Iterator[str]:
    """Yield the folders of this process's groups that may limit time, below the root."""
    for line in _read(listed).splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            yield path  # version 2, one tree for everything
        elif "cpu" in controllers.split(","):
            yield f"/{controllers}{path}"
            yield f"/cpu{path}"


def _limits(root: str, group: str) -> Iterator[tuple[int, int]]:
    """Yield the microseconds that a group and those around it may use in how many."""
    folder = group.rstrip("/")
    while True:
        # Version 2 has one file, version 1 two.
        texts = _read(f"{root}{folder}/cpu.max").split() or [
            *_read(f"{root}{folder}/cpu.cfs_quota_us").split(),
            *_read(f"{root}{folder}/cpu.cfs_period_us").split(),
        ]
        if len(texts) == 2 and all(text.isdigit() for text in texts) and int(texts[1]):
            yield int(texts[0]), int(texts[1])
        if not folder:
            return
        # The last one is the root itself: a container sees its own group as that.
        folder = folder.rpartition("/")[0]


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""
