"""What is loaded from objects, lists, dicts and cells, and used after its place has changed.

Machine code counts no owner for what is loaded and used before its place is written.
"""

# Without annotations the types come from the call.
# pyright: basic

from tests.programs import Case


class Node:
    """One of a chain."""

    def __init__(self, name: str, rest: "Node | None") -> None:
        self.name = name
        self.rest = rest
        self.rows = [[1, 2], [3]]


def chain(n: int) -> Node:
    """Return a chain of `n` and one more."""
    node = Node("last one of a name that is not short at all", None)
    for i in range(n):
        node = Node(f"number {i} of a name that is longer than a cell", node)
    return node


def cut_behind(n: int) -> tuple[str, str, int]:
    node = chain(n)
    rest = node.rest
    node.rest = None
    second = "" if rest is None else rest.name
    name = node.name
    node.name = "another name for what is there, made of " + name
    return name, second, len(node.name)


def cut_by_an_alias(n: int) -> list[int]:
    node = chain(n)
    same = node if n < 3 else chain(n)
    row = node.rows[0]
    rows = node.rows
    same.rows = [[7, 7, 7]]
    row.append(len(rows))
    return row + node.rows[-1]


def turned(n: int) -> list[str]:
    node: Node | None = chain(n)
    before: Node | None = None
    while node is not None:
        after = node.rest
        node.rest = before
        before = node
        node = after
    names: list[str] = []
    while before is not None:
        names.append(before.name)
        before = before.rest
    return names


def swapped(n: int) -> tuple[list[list[int]], int]:
    rows = [[i] * (i + 1) for i in range(n)]
    first, last = rows[0], rows[-1]
    rows[0], rows[-1] = rows[-1], rows[0]
    rows[n // 2] = rows[0]
    first.append(last[0])
    total = 0
    while rows:
        row = rows[-1]
        rows.pop()
        total += row[0] + len(row)
    return [first, last], total


def itself_again(words: list[str]) -> list[str]:
    held = [word + " which is made longer than what fits in a cell" for word in words]
    held[0] = held[0]
    held[-1] = held[0] if held[-1] == held[0] else held[-1]
    word = held[0]
    held.clear()
    return [word, word.upper()]


def replaced_in_a_dict(words: list[str]) -> tuple[str, int]:
    names = {word: word + " and its value, a text of some length" for word in words}
    value = names[words[0]]
    names[words[0]] = value + value
    other = names[words[-1]]
    del names[words[-1]]
    return value + other, len(names)


def changed_around(n: int) -> list[int]:
    row = [n]

    def change() -> int:
        nonlocal row
        before = row
        row = [before[0] + 1, n]
        return before[0] + len(before)

    before = row
    total = change() + change()
    before = before + row
    before.append(total)
    return before


def let_go_by_a_callee(n: int) -> int:
    def drop(node: Node) -> int:
        node.rest = None
        node.rows = [[]]
        return 1

    node = chain(n)
    rest = node.rest
    rows = node.rows
    found = drop(node) + len(rows) + len(rows[0])
    return found if rest is None else found + len(rest.name)


def raised_in_between(words: list[str], place: int) -> str:
    held = [word * 20 for word in words]
    word = held[0]
    try:
        other = held[place]
        held[0] = other
        held[place + 1] = word
    except IndexError:
        held = [word]
    return word + held[-1]


class Shelf:
    def __init__(self, rows: list[list[int]]) -> None:
        self.rows = rows

    def clear(self) -> int:
        self.rows = [[] for _ in self.rows]
        return len(self.rows)


def needed_by_no_branch_that_leaves(n: int, kind: int) -> int:
    shelf = Shelf([[i, n, kind] for i in range(n + 1)])
    row = shelf.rows[n]
    if kind == 0:
        return shelf.clear() + len(shelf.rows[0])
    if kind < 0:
        for i in range(n + 2):
            shelf.rows = [[i]]
        return len(shelf.rows)
    return row[0] + len(row)


def needed_by_a_branch_that_leaves(n: int, kind: int) -> int:
    shelf = Shelf([[i, n, kind] for i in range(n + 1)])
    row = shelf.rows[n]
    if kind == 0:
        return shelf.clear() + len(row) + row[0]
    if kind < 0:
        first = row[0]
        for _ in range(n + 2):
            shelf.rows = [[i + first] for i in range(3)]
        return len(shelf.rows)
    return row[0] + len(row)


def needed_in_part_of_a_branch(n: int, kind: int) -> int:
    shelf = Shelf([[i, n, kind] for i in range(n + 1)])
    found = 0
    for _ in range(2):
        row = shelf.rows[-1]
        if kind > 0:
            found += len(row)
            if kind > 1:
                found += shelf.clear()
                continue
            found += row[0]
        else:
            found += shelf.clear()
            found += len(shelf.rows[-1])
    return found


class Held:
    def __init__(self, value: int):
        self.items = [value, value, value, value]
        self.text = str(value) * 4
        self.rest: Held | None = None


class Holder:
    def __init__(self, held: Held):
        self.held = held


def of_a_part_that_goes(n: int):
    holder, other = Holder(Held(1)), Held(5)
    held = holder.held
    found = 0
    if n > 2:
        items = held.items
        text = held.text
        holder.held = other
        again = [7, 8, 9, 10]
        shown = str(n) * 4
        found = items[n - 3] * 100 + again[1] + len(text + shown)
        return found, text, shown
    return found, "", ""


def of_one_that_is_taken_out(n: int):
    first, second = Held(3), Held(4)
    first.rest = second
    held = first.rest
    if held is not None:
        items = held.items
        first.rest = held.rest
        del second
        again = [7, 8, 9, n]
        return items[0] * 100 + again[1]
    return 0


CASES: list[Case] = [
    (of_a_part_that_goes, [(1,), (3,), (4,), (9,)]),
    (of_one_that_is_taken_out, [(1,), (2,)]),
    (cut_behind, [(0,), (3,)]),
    (cut_by_an_alias, [(1,), (4,)]),
    (turned, [(0,), (4,)]),
    (swapped, [(1,), (2,), (5,)]),
    (itself_again, [(["a"],), (["a", "b"],), (["ab", "ab"],)]),
    (replaced_in_a_dict, [(["a"],), (["a", "b"],)]),
    (changed_around, [(0,), (3,)]),
    (let_go_by_a_callee, [(0,), (2,)]),
    (needed_by_no_branch_that_leaves, [(2, 0), (2, -1), (2, 1)]),
    (needed_by_a_branch_that_leaves, [(2, 0), (2, -1), (2, 1)]),
    (needed_in_part_of_a_branch, [(2, 0), (2, 1)]),
    (raised_in_between, [(["a"], 0), (["a", "b"], 0), (["a", "b"], 5)]),
]
