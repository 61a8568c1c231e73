"""The queues of `queue`, for one thread: where Python would wait for another one, they raise."""

# Types come from the calls, as in any program.
# pyright: basic

# No base in common: a class that has one is not split by what its objects hold.

import heapq
from collections import deque
from queue import Empty, Full


class Queue:
    """A queue that gives first what it was given first."""

    def __init__(self, maxsize: int = 0):
        self.maxsize = maxsize
        self.unfinished_tasks = 0
        self.queue = deque()

    def qsize(self) -> int:
        """Return how many items wait."""
        return len(self.queue)

    def empty(self) -> bool:
        """Return whether none does."""
        return not self.queue

    def full(self) -> bool:
        """Return whether it takes no more."""
        return 0 < self.maxsize <= len(self.queue)

    def put(self, item, block: bool = True, timeout: float | None = None) -> None:
        """Add an item.  Raises Full where Python would wait."""
        if 0 < self.maxsize <= len(self.queue):
            raise Full
        self.queue.append(item)
        self.unfinished_tasks += 1

    def get(self, block: bool = True, timeout: float | None = None):
        """Remove an item and return it.  Raises Empty where Python would wait for one."""
        if not self.queue:
            raise Empty
        return self.queue.popleft()

    def put_nowait(self, item) -> None:
        """Add an item.  Raises Full."""
        self.put(item)

    def get_nowait(self):
        """Remove an item and return it.  Raises Empty."""
        return self.get()

    def task_done(self) -> None:
        """Say that an item that was given is done with."""
        if self.unfinished_tasks <= 0:
            raise ValueError("task_done() called too many times")
        self.unfinished_tasks -= 1

    def join(self) -> None:
        """Do nothing: nobody is waited for."""


class LifoQueue:
    """A queue that gives first what it was given last."""

    def __init__(self, maxsize: int = 0):
        self.maxsize = maxsize
        self.unfinished_tasks = 0
        self.queue = []

    def qsize(self) -> int:
        """Return how many items wait."""
        return len(self.queue)

    def empty(self) -> bool:
        """Return whether none does."""
        return not self.queue

    def full(self) -> bool:
        """Return whether it takes no more."""
        return 0 < self.maxsize <= len(self.queue)

    def put(self, item, block: bool = True, timeout: float | None = None) -> None:
        """Add an item.  Raises Full where Python would wait."""
        if 0 < self.maxsize <= len(self.queue):
            raise Full
        self.queue.append(item)
        self.unfinished_tasks += 1

    def get(self, block: bool = True, timeout: float | None = None):
        """Remove an item and return it.  Raises Empty where Python would wait for one."""
        if not self.queue:
            raise Empty
        return self.queue.pop()

    def put_nowait(self, item) -> None:
        """Add an item.  Raises Full."""
        self.put(item)

    def get_nowait(self):
        """Remove an item and return it.  Raises Empty."""
        return self.get()

    def task_done(self) -> None:
        """Say that an item that was given is done with."""
        if self.unfinished_tasks <= 0:
            raise ValueError("task_done() called too many times")
        self.unfinished_tasks -= 1

    def join(self) -> None:
        """Do nothing: nobody is waited for."""


class PriorityQueue:
    """A queue that gives the least item first."""

    def __init__(self, maxsize: int = 0):
        self.maxsize = maxsize
        self.unfinished_tasks = 0
        self.queue = []

    def qsize(self) -> int:
        """Return how many items wait."""
        return len(self.queue)

    def empty(self) -> bool:
        """Return whether none does."""
        return not self.queue

    def full(self) -> bool:
        """Return whether it takes no more."""
        return 0 < self.maxsize <= len(self.queue)

    def put(self, item, block: bool = True, timeout: float | None = None) -> None:
        """Add an item.  Raises Full where Python would wait."""
        if 0 < self.maxsize <= len(self.queue):
            raise Full
        heapq.heappush(self.queue, item)
        self.unfinished_tasks += 1

    def get(self, block: bool = True, timeout: float | None = None):
        """Remove an item and return it.  Raises Empty where Python would wait for one."""
        if not self.queue:
            raise Empty
        return heapq.heappop(self.queue)

    def put_nowait(self, item) -> None:
        """Add an item.  Raises Full."""
        self.put(item)

    def get_nowait(self):
        """Remove an item and return it.  Raises Empty."""
        return self.get()

    def task_done(self) -> None:
        """Say that an item that was given is done with."""
        if self.unfinished_tasks <= 0:
            raise ValueError("task_done() called too many times")
        self.unfinished_tasks -= 1

    def join(self) -> None:
        """Do nothing: nobody is waited for."""
