"""How much of what is exhaustive a run does: `make test` a telling sample, `make test-all` all.

`@pytest.mark.sampled(n)` stands on a test with many parameters: its first case and each n-th after
it are telling, the others get the mark `exhaustive`, which runs deselect that do not ask for it.
A good n has no factor in common with the numbers of values, so that each value is met. A test that
loops by itself asks the fixture `thorough` how far to go.
"""

from collections import Counter
from collections.abc import Iterable

import pytest


def mark_exhaustive(items: Iterable[pytest.Item]) -> None:
    """Mark the cases of sampled tests that a run need not do to be telling."""
    met: Counter[str] = Counter()
    for item in items:
        mark = item.get_closest_marker("sampled")
        if mark is not None:
            test = item.nodeid.partition("[")[0]
            if met[test] % mark.args[0]:
                item.add_marker(pytest.mark.exhaustive)
            met[test] += 1


def is_thorough(config: pytest.Config) -> bool:
    """Whether the run does what is exhaustive too."""
    return "not exhaustive" not in str(config.getoption("markexpr"))
