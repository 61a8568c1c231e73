"""Structures of objects that are linked, written without annotations."""

# Fields that may be None are used without a test.
# pyright: basic, reportOptionalMemberAccess=false, reportArgumentType=false
# pyright: reportAttributeAccessIssue=false, reportOptionalOperand=false
# pyright: reportOperatorIssue=false, reportCallIssue=false

import heapq

from tests.programs import Case

RED, BLACK = 0, 1


class RBNode:
    def __init__(self, key):
        self.key = key
        self.color = RED
        self.left = None
        self.right = None
        self.parent = None


class RBTree:
    def __init__(self):
        self.root = None

    def rotate_left(self, x):
        y = x.right
        x.right = y.left
        if y.left is not None:
            y.left.parent = x
        y.parent = x.parent
        if x.parent is None:
            self.root = y
        elif x is x.parent.left:
            x.parent.left = y
        else:
            x.parent.right = y
        y.left = x
        x.parent = y

    def rotate_right(self, x):
        y = x.left
        x.left = y.right
        if y.right is not None:
            y.right.parent = x
        y.parent = x.parent
        if x.parent is None:
            self.root = y
        elif x is x.parent.right:
            x.parent.right = y
        else:
            x.parent.left = y
        y.right = x
        x.parent = y

    def insert(self, key):
        z = RBNode(key)
        y = None
        x = self.root
        while x is not None:
            y = x
            x = x.left if z.key < x.key else x.right
        z.parent = y
        if y is None:
            self.root = z
        elif z.key < y.key:
            y.left = z
        else:
            y.right = z
        self.fix(z)

    def fix(self, z):
        while z.parent is not None and z.parent.color == RED:
            g = z.parent.parent
            if z.parent is g.left:
                u = g.right
                if u is not None and u.color == RED:
                    z.parent.color = BLACK
                    u.color = BLACK
                    g.color = RED
                    z = g
                else:
                    if z is z.parent.right:
                        z = z.parent
                        self.rotate_left(z)
                    z.parent.color = BLACK
                    z.parent.parent.color = RED
                    self.rotate_right(z.parent.parent)
            else:
                u = g.left
                if u is not None and u.color == RED:
                    z.parent.color = BLACK
                    u.color = BLACK
                    g.color = RED
                    z = g
                else:
                    if z is z.parent.left:
                        z = z.parent
                        self.rotate_right(z)
                    z.parent.color = BLACK
                    z.parent.parent.color = RED
                    self.rotate_left(z.parent.parent)
        self.root.color = BLACK

    def inorder(self, node, out):
        if node is not None:
            self.inorder(node.left, out)
            out.append((node.key, node.color))
            self.inorder(node.right, out)


def red_black(keys):
    t = RBTree()
    for k in keys:
        t.insert(k)
    out = []
    t.inorder(t.root, out)
    return out


class Member:
    def __init__(self, name):
        self.name = name
        self.parent = None


def representative(x):
    while x.parent is not None:
        x = x.parent
    return x


def united(n, pairs):
    items = [Member(i) for i in range(n)]
    for a, b in pairs:
        ra, rb = representative(items[a]), representative(items[b])
        if ra is not rb:
            rb.parent = ra
    return [representative(x).name for x in items]


class Splay:
    def __init__(self, key):
        self.key = key
        self.left = self.right = None


def splay(root, key):  # noqa: C901
    if root is None or root.key == key:
        return root
    if key < root.key:
        if root.left is None:
            return root
        if key < root.left.key:
            root.left.left = splay(root.left.left, key)
            root = right_rotate(root)
        elif key > root.left.key:
            root.left.right = splay(root.left.right, key)
            if root.left.right is not None:
                root.left = left_rotate(root.left)
        return root if root.left is None else right_rotate(root)
    if root.right is None:
        return root
    if key < root.right.key:
        root.right.left = splay(root.right.left, key)
        if root.right.left is not None:
            root.right = right_rotate(root.right)
    elif key > root.right.key:
        root.right.right = splay(root.right.right, key)
        root = left_rotate(root)
    return root if root.right is None else left_rotate(root)


def right_rotate(x):
    y = x.left
    x.left = y.right
    y.right = x
    return y


def left_rotate(x):
    y = x.right
    x.right = y.left
    y.left = x
    return y


def insert_splay(root, key):
    if root is None:
        return Splay(key)
    root = splay(root, key)
    if root.key == key:
        return root
    node = Splay(key)
    if key < root.key:
        node.right = root
        node.left = root.left
        root.left = None
    else:
        node.left = root
        node.right = root.right
        root.right = None
    return node


def splay_tree(keys):
    root = None
    tops = []
    for k in keys:
        root = insert_splay(root, k)
        tops.append(root.key)
    return tops


class SamState:
    def __init__(self, length, link):
        self.length = length
        self.link = link
        self.next = {}


def suffix_automaton(s):
    root = SamState(0, None)
    last = root
    states = [root]
    for c in s:
        cur = SamState(last.length + 1, None)
        states.append(cur)
        p = last
        while p is not None and c not in p.next:
            p.next[c] = cur
            p = p.link
        if p is None:
            cur.link = root
        else:
            q = p.next[c]
            if p.length + 1 == q.length:
                cur.link = q
            else:
                clone = SamState(p.length + 1, q.link)
                clone.next = dict(q.next)
                states.append(clone)
                while p is not None and p.next.get(c) is q:
                    p.next[c] = clone
                    p = p.link
                q.link = clone
                cur.link = clone
        last = cur
    total = 0
    for st in states:
        if st.link is not None:
            total += st.length - st.link.length
    return total, len(states)


class Cell:
    def __init__(self, x, y):
        self.x = x
        self.y = y
        self.wall = False
        self.g = float("inf")
        self.neighbors = []
        self.came_from = None

    def __lt__(self, other):
        return self.g < other.g


def grid_of(rows):
    grid = [[Cell(x, y) for x in range(len(rows[0]))] for y in range(len(rows))]
    for y, row in enumerate(rows):
        for x, c in enumerate(row):
            grid[y][x].wall = c == "#"
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                if 0 <= x + dx < len(row) and 0 <= y + dy < len(rows):
                    grid[y][x].neighbors.append(grid[y + dy][x + dx])
    return grid


def astar(rows):
    grid = grid_of(rows)
    start, goal = grid[0][0], grid[-1][-1]
    start.g = 0
    heap = [(0, start)]
    seen = set()
    while heap:
        _, cur = heapq.heappop(heap)
        if cur is goal:
            break
        if (cur.x, cur.y) in seen:
            continue
        seen.add((cur.x, cur.y))
        for n in cur.neighbors:
            if n.wall:
                continue
            g = cur.g + 1
            if g < n.g:
                n.g = g
                n.came_from = cur
                heapq.heappush(heap, (g + abs(goal.x - n.x) + abs(goal.y - n.y), n))
    return way_to(goal)


def way_to(cell):
    path = []
    while cell is not None:
        path.append((cell.x, cell.y))
        cell = cell.came_from
    return path[::-1]


class DNode:
    def __init__(self, val, prev=None, next=None):
        self.val = val
        self.prev = prev
        self.next = next


class DList:
    def __init__(self):
        self.head = None
        self.tail = None
        self.size = 0

    def append(self, val):
        node = DNode(val, prev=self.tail)
        if self.tail:
            self.tail.next = node
        else:
            self.head = node
        self.tail = node
        self.size += 1
        return node

    def remove(self, node):
        if node.prev:
            node.prev.next = node.next
        else:
            self.head = node.next
        if node.next:
            node.next.prev = node.prev
        else:
            self.tail = node.prev
        self.size -= 1

    def __iter__(self):
        n = self.head
        while n:
            yield n.val
            n = n.next

    def __len__(self):
        return self.size

    def reverse(self):
        n = self.head
        while n:
            n.prev, n.next = n.next, n.prev
            n = n.prev
        self.head, self.tail = self.tail, self.head


def dlist(vals):
    d = DList()
    nodes = [d.append(v) for v in vals]
    d.remove(nodes[0])
    d.remove(nodes[2])
    d.reverse()
    return list(d), len(d)


class Graph:
    def __init__(self):
        self.nodes = {}

    def node(self, name):
        if name not in self.nodes:
            self.nodes[name] = GNode(name)
        return self.nodes[name]

    def edge(self, a, b, w):
        self.node(a).out.append((self.node(b), w))
        self.node(b).inn.append((self.node(a), w))


class GNode:
    def __init__(self, name):
        self.name = name
        self.out = []
        self.inn = []
        self.mark = 0


def topo(edges):
    g = Graph()
    for a, b, w in edges:
        g.edge(a, b, w)
    order = []
    ready = [n for n in g.nodes.values() if not n.inn]
    while ready:
        n = ready.pop()
        order.append(n.name)
        for m, _ in n.out:
            m.mark += 1
            if m.mark == len(m.inn):
                ready.append(m)
    return order


class Josephus:
    def __init__(self, n):
        self.n = n
        self.next = None


def josephus(n, k):
    first = Josephus(1)
    cur = first
    for i in range(2, n + 1):
        cur.next = Josephus(i)
        cur = cur.next
    cur.next = first
    out = []
    while cur.next is not cur:
        for _ in range(k - 1):
            cur = cur.next
        out.append(cur.next.n)
        cur.next = cur.next.next
    return out, cur.n


CASES: list[Case] = [
    (red_black, [([5, 1, 9, 3, 7, 2, 8, 4, 6, 0, 11, 10],), ([3, 2, 1],)]),
    (united, [(8, [(0, 1), (2, 3), (1, 3), (5, 6)]), (1, [(0, 0)])]),
    (splay_tree, [([5, 1, 9, 3, 7, 2, 8, 5],)]),
    (suffix_automaton, [("abcbcabb",), ("",)]),
    (astar, [(["..#.", ".#..", "....", "#..."],), (["#"],)]),
    (dlist, [([1, 2, 3, 4, 5],), ([1],)]),
    (topo, [([("a", "b", 1), ("b", "c", 2), ("a", "c", 3), ("d", "c", 1)],)]),
    (josephus, [(7, 3), (1, 1)]),
]
