"""How much of what is exhaustive a run does: `make test` a telling sample, `make test-all` all.

`@pytest.mark.sampled(n)` stands on a test with many parameters: its first case is telling, and one
in n of the others, which the checksum of the name chooses, so that it has no pattern. The rest get
the mark `exhaustive`, which runs deselect that do not ask for it. A test that loops by itself asks
the fixture `thorough` how far to go.
"""

from collections.abc import Iterable
from zlib import crc32

import pytest


def mark_exhaustive(items: Iterable[pytest.Item]) -> None:
    """Mark the cases of sampled tests that a run need not do to be telling."""
    begun: set[str] = set()
    for item in items:
        mark = item.get_closest_marker("sampled")
        if mark is not None:
            test = item.nodeid.partition("[")[0]
            if test in begun and crc32(item.nodeid.encode()) % mark.args[0]:
                item.add_marker(pytest.mark.exhaustive)
            begun.add(test)


def is_thorough(config: pytest.Config) -> bool:
    """Whether the run does what is exhaustive too."""
    return "not exhaustive" not in str(config.getoption("markexpr"))
