"""`io.StringIO` and the queues of `queue`, in one thread."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import io
import queue
from io import StringIO
from queue import PriorityQueue, Queue

from tests.programs import Case


def written(n):
    s = io.StringIO()
    s.write("ab")
    print("x", n, file=s)
    s.write("line2\nlast")
    whole = s.getvalue()
    s.seek(0)
    first = s.read(3)
    rest = s.readline(), s.readlines(), s.read(), s.tell()
    s.seek(1)
    s.write("ZZ")
    return whole, first, rest, s.getvalue(), s.truncate(n), s.getvalue()


def read(text):
    with StringIO(text) as f:
        lines = [line.rstrip() for line in f]
    try:
        f.read()
    except ValueError as error:
        lines.append(str(error))
    again = io.StringIO(text)
    total = 0
    for line in again:
        a, b = line.split(",")
        total += int(a) * int(b)
    return lines, f.closed, total, again.tell(), again.readline()


def placed(n):
    f = io.StringIO()
    f.writelines(["a\n", "b\n"])
    f.seek(n)
    f.write("c")
    found = []
    for place, whence in ((-1, 0), (1, 1), (0, 5)):
        try:
            f.seek(place, whence)
        except (ValueError, OSError) as error:
            found.append(str(error))
    return f.getvalue(), found, f.seek(0, 2), f.seek(2), f.readline(1), f.read(0), f.readlines(1)


def breadth_first(n):
    waiting = queue.Queue()
    waiting.put((0, 0))
    seen = {(0, 0)}
    order = []
    while not waiting.empty():
        x, y = waiting.get()
        order.append((x, y))
        for dx, dy in ((1, 0), (0, 1)):
            place = (x + dx, y + dy)
            if max(place) < n and place not in seen:
                seen.add(place)
                waiting.put(place)
    return order, waiting.qsize()


def by_priority(n):
    tasks = PriorityQueue()
    for i in (5, n, 4):
        tasks.put((i * 1.5, f"x{i}"))
    found = []
    while not tasks.empty():
        found.append(tasks.get()[1])
    try:
        tasks.get_nowait()
    except queue.Empty:
        found.append("empty")
    return found


class Network:
    def __init__(self):
        self.waiting: queue.Queue[tuple[int, int]] = queue.Queue()

    def pass_on(self, n):
        self.waiting.put((n, 1))
        return self.waiting.get()


def bounded(n):
    numbers: Queue[int] = Queue(maxsize=2)
    texts, stack = queue.Queue(), queue.LifoQueue()
    for i in range(n):
        texts.put(str(i))
        stack.put(i)
    numbers.put(1)
    numbers.put(2)
    try:
        numbers.put_nowait(3)
    except queue.Full as error:
        full = numbers.full(), str(error), type(error).__name__
    return full, texts.get(), stack.get(), stack.qsize(), Network().pass_on(n)


def closed(text: str):
    stream = io.StringIO(text)
    stream.close()
    stream.flush()
    said = []
    try:
        stream.readlines()
    except ValueError as error:
        said.append(str(error))
    try:
        stream.writelines([text])
    except ValueError as error:
        said.append(str(error))
    try:
        stream.read()
    except ValueError as error:
        said.append(str(error))
    try:
        with stream:
            said.append("open")
    except ValueError as error:
        said.append(str(error))
    return said


def counted(n: int):
    first, least, last = queue.Queue(), queue.PriorityQueue(), queue.LifoQueue()
    for i in range(n):
        first.put(i)
        least.put(-i)
        last.put(i)
    said = []
    for _ in range(n):
        said.append(first.get() + least.get() + last.get())
        least.task_done()
        last.task_done()
    least.join()
    last.join()
    try:
        for _ in range(n + 1):
            first.task_done()
    except ValueError as error:
        return said, str(error), first.unfinished_tasks
    return said, "", 0


CASES: list[Case] = [
    (written, [(3,), (0,)]),
    (read, [("1,2\n3,4\n",), ("1,2",), ("",)]),
    (placed, [(7,), (1,)]),
    (breadth_first, [(3,), (1,)]),
    (by_priority, [(1,)]),
    (bounded, [(2,)]),
    (closed, [("a\nb",)]),
    (counted, [(3,)]),
]
