"""Simulate a bank counter: customers come, wait and are served; events are kept in a heap."""

import heapq
from abc import ABC, abstractmethod

from scriptc import script


class Random:
    """Numbers by a shift register: the same everywhere (G. Marsaglia, Xorshift RNGs, 2003)."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def uniform(self) -> float:
        """Return a float from 0 to 1."""
        state = self.state
        state ^= (state << 13) & 0xFFFFFFFF
        state ^= state >> 17
        state ^= (state << 5) & 0xFFFFFFFF
        self.state = state
        return state / 4294967296.0


class Customer:
    """Somebody who waits."""

    def __init__(self, number: int, came: float, patience: float) -> None:
        self.number = number
        self.came = came
        self.patience = patience
        self.is_served = False


class Event(ABC):
    """What happens at a time; those at the same time in the order in which they were planned."""

    def __init__(self, time: float) -> None:
        self.time = time
        self.order = 0

    def __lt__(self, other: "Event") -> bool:
        return (self.time, self.order) < (other.time, other.order)

    @abstractmethod
    def happen(self, counter: "Counter") -> None:
        """Change what the event changes."""


class Arrival(Event):
    """A customer comes."""

    def happen(self, counter: "Counter") -> None:
        customer = Customer(counter.came, self.time, 3.0 + 9.0 * counter.random.uniform())
        counter.came += 1
        counter.queue.append(customer)
        counter.plan(Impatience(self.time + customer.patience, customer))
        if self.time < counter.closing:
            counter.plan(Arrival(self.time + 2.0 * counter.random.uniform()))
        counter.serve(self.time)


class Departure(Event):
    """A customer was served."""

    def __init__(self, time: float, customer: Customer) -> None:
        super().__init__(time)
        self.customer = customer

    def happen(self, counter: "Counter") -> None:
        counter.free += 1
        counter.served += 1
        counter.serve(self.time)


class Impatience(Event):
    """A customer who still waits goes home."""

    def __init__(self, time: float, customer: Customer) -> None:
        super().__init__(time)
        self.customer = customer

    def happen(self, counter: "Counter") -> None:
        if not self.customer.is_served:
            counter.queue.remove(self.customer)
            counter.lost += 1


class Counter:
    """The counter, its queue, and the events to come."""

    def __init__(self, clerks: int, closing: float, seed: int) -> None:
        self.random = Random(seed)
        self.closing = closing
        self.free = clerks
        self.queue: list[Customer] = []
        self.events: list[Event] = []
        self.planned = 0
        self.came = 0
        self.served = 0
        self.lost = 0
        self.waited = 0.0
        self.longest = 0

    def plan(self, event: Event) -> None:
        """Have an event happen at its time."""
        event.order = self.planned
        self.planned += 1
        heapq.heappush(self.events, event)

    def serve(self, time: float) -> None:
        """Let customers come to the clerks who are free."""
        self.longest = max(self.longest, len(self.queue))
        while self.free and self.queue:
            customer = self.queue.pop(0)
            customer.is_served = True
            self.waited += time - customer.came
            self.free -= 1
            self.plan(Departure(time + 1.0 + 3.0 * self.random.uniform(), customer))

    def open(self) -> float:
        """Let everything happen; return when the last event did."""
        self.plan(Arrival(0.0))
        time = 0.0
        while self.events:
            event = heapq.heappop(self.events)
            time = event.time
            event.happen(self)
        return time


@script
def run(rounds: int) -> tuple[dict[int, float], int, int, float]:
    """Return the share of customers lost by number of clerks, the longest queue, and times."""
    shares: dict[int, float] = {}
    longest, events, last = 0, 0, 0.0
    for clerks in range(1, 5):
        came, lost = 0, 0
        for i in range(rounds):
            counter = Counter(clerks, 100.0, 2463534242 + i)
            last = max(last, counter.open())
            came += counter.came
            lost += counter.lost
            events += counter.planned
            longest = max(longest, counter.longest)
        shares[clerks] = lost / came
    return shares, longest, events, last


if __name__ == "__main__":
    print(run(40))
