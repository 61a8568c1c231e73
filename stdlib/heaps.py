"""The functions of `heapq` and `bisect`, in the script language; heaps come out as Python's do."""


def heappush(heap, item) -> None:
    """Put an item into a heap."""
    heap.append(item)
    _rise(heap, 0, len(heap) - 1)


def heappop(heap):
    """Take the least item out of a heap."""
    if len(heap) == 0:
        raise IndexError("index out of range")
    last = heap.pop()
    if len(heap) == 0:
        return last
    least = heap[0]
    heap[0] = last
    _sink(heap, 0)
    return least


def heapreplace(heap, item):
    """Take the least item out of a heap, and put another one in."""
    if len(heap) == 0:
        raise IndexError("index out of range")
    least = heap[0]
    heap[0] = item
    _sink(heap, 0)
    return least


def heappushpop(heap, item):
    """Put an item into a heap, and take the least one out."""
    if len(heap) == 0 or not heap[0] < item:
        return item
    return heapreplace(heap, item)


def heapify(heap) -> None:
    """Make a heap of a list."""
    for place in reversed(range(len(heap) // 2)):
        _sink(heap, place)


def nsmallest(n: int, items):
    """Return the `n` least items in their order, of equal ones the first."""
    ordered = [item for item in items]
    ordered.sort()
    return ordered[: max(n, 0)]


def nlargest(n: int, items):
    """Return the `n` largest items, the largest first, of equal ones the first."""
    ordered = [item for item in items]
    ordered.sort(reverse=True)
    return ordered[: max(n, 0)]


def _rise(heap, top: int, place: int) -> None:
    if top < 0 or place < top:
        return  # not so: it tells the compiler that no place counts from the end
    item = heap[place]
    while place > top:
        above = (place - 1) >> 1
        if not item < heap[above]:
            break
        heap[place] = heap[above]
        place = above
    heap[place] = item


def _sink(heap, top: int) -> None:
    # Down to a leaf, and up again from there, which takes fewer comparisons.
    if top < 0:
        return  # not so, as above
    place = top
    item = heap[place]
    below = 2 * place + 1
    while below + 1 < len(heap):
        # Added, as no processor foresees which of two items is less.
        below += int(not heap[below] < heap[below + 1])
        heap[place] = heap[below]
        place = below
        below = 2 * place + 1
    if below < len(heap):
        heap[place] = heap[below]
        place = below
    heap[place] = item
    _rise(heap, top, place)


def bisect_left(a, x, lo: int, hi: int) -> int:
    """Return the first place in a sorted list where an item may be put."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    if hi == -1:  # CPython's code calls that the end
        hi = len(a)
    while lo < hi:
        middle = lo + (hi - lo) // 2  # lo + hi may be too large
        if a[middle] < x:
            lo = middle + 1
        else:
            hi = middle
    return lo


def bisect_right(a, x, lo: int, hi: int) -> int:
    """Return the last place in a sorted list where an item may be put."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    if hi == -1:  # CPython's code calls that the end
        hi = len(a)
    while lo < hi:
        middle = lo + (hi - lo) // 2  # lo + hi may be too large
        if x < a[middle]:
            hi = middle
        else:
            lo = middle + 1
    return lo


def insort_left(a, x, lo: int, hi: int) -> None:
    """Put an item into a sorted list, before those that are equal."""
    a.insert(bisect_left(a, x, lo, hi), x)


def insort_right(a, x, lo: int, hi: int) -> None:
    """Put an item into a sorted list, behind those that are equal."""
    a.insert(bisect_right(a, x, lo, hi), x)


def bisect_left_by(a, x, lo: int = 0, hi: int | None = None, *, key) -> int:
    """Return the first place for an item of which a function makes `x`."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    end = len(a) if hi is None or hi == -1 else hi
    while lo < end:
        middle = lo + (end - lo) // 2
        if key(a[middle]) < x:
            lo = middle + 1
        else:
            end = middle
    return lo


def bisect_right_by(a, x, lo: int = 0, hi: int | None = None, *, key) -> int:
    """Return the last place for an item of which a function makes `x`."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    end = len(a) if hi is None or hi == -1 else hi
    while lo < end:
        middle = lo + (end - lo) // 2
        if x < key(a[middle]):
            end = middle
        else:
            lo = middle + 1
    return lo


def insort_left_by(a, x, lo: int = 0, hi: int | None = None, *, key) -> None:
    """Put an item before those of which a function makes as much."""
    a.insert(bisect_left_by(a, key(x), lo, hi, key=key), x)


def insort_right_by(a, x, lo: int = 0, hi: int | None = None, *, key) -> None:
    """Put an item behind those of which a function makes as much."""
    a.insert(bisect_right_by(a, key(x), lo, hi, key=key), x)


def merged(rows, key=None, reverse: bool = False):
    """Yield the items of sorted lists in their order, of equal ones those of the first list."""
    keys, places, heap = [], [], []
    for k in range(len(rows)):
        places.append(0)
        if len(rows[k]) > 0:
            keys.append(rows[k][0] if key is None else key(rows[k][0]))
            heap.append((len(keys) - 1, k))
    for top in reversed(range(len(heap) // 2)):
        _settle(heap, keys, top, reverse)
    while len(heap) > 0:
        place, k = heap[0]
        yield rows[k][places[k]]
        places[k] += 1
        if places[k] < len(rows[k]):
            item = rows[k][places[k]]
            keys[place] = item if key is None else key(item)
        elif len(heap) > 1:
            heap[0] = heap.pop()
        else:
            return
        _settle(heap, keys, 0, reverse)


def _settle(heap: list[tuple[int, int]], keys, top: int, descending: bool) -> None:
    """Let what is at a place of a heap of lists sink to where it belongs."""
    moved = heap[top]
    place = top
    while 2 * place + 1 < len(heap):
        below = 2 * place + 1
        if below + 1 < len(heap) and _comes_first(heap[below + 1], heap[below], keys, descending):
            below += 1
        if not _comes_first(heap[below], moved, keys, descending):
            break
        heap[place] = heap[below]
        place = below
    heap[place] = moved


def _comes_first(one: tuple[int, int], other: tuple[int, int], keys, descending: bool) -> bool:
    first, second = keys[one[0]], keys[other[0]]
    if first == second:
        return one[1] < other[1]
    return second < first if descending else first < second
