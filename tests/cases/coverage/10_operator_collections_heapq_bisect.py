"""operator, collections, heapq, bisect"""


# functions of operator
import operator

def example():
    return (operator.add(1, 2), operator.itemgetter(1)([5, 6]), operator.mul(2, 3), operator.neg(1), operator.contains([1], 1))


# attrgetter, methodcaller
import operator

def example():
    return (operator.methodcaller("upper")("a"), operator.attrgetter("imag")(2j))


# namedtuple
import collections

P = collections.namedtuple("P", ["x", "y"])

def example():
    return P(1, 2).x


# deque
import collections

def example():
    q = collections.deque([1, 2])
    q.append(3)
    return (q.popleft(), list(q))


# deque with maxlen, rotate
import collections

def example():
    q = collections.deque([1, 2, 3], maxlen=3)
    q.append(4)
    q.rotate(1)
    return list(q)


# defaultdict
import collections

def example():
    d = collections.defaultdict(list)
    d["a"].append(1)
    return d["a"]


# Counter
import collections

def example():
    c = collections.Counter("abca")
    return (c["a"], c.most_common(1))


# OrderedDict
import collections

def example():
    d = collections.OrderedDict()
    d["a"] = 1
    d["b"] = 2
    d.move_to_end("a")
    return list(d)


# ChainMap
import collections

def example():
    return collections.ChainMap({"a": 1})["a"]


# heappush, heappop, heapify, heappushpop, heapreplace, nlargest, nsmallest
import heapq

def example():
    h = [3, 1, 2]
    heapq.heapify(h)
    heapq.heappush(h, 0)
    return (heapq.heappop(h), heapq.heappushpop(h, 5), heapq.heapreplace(h, 7), heapq.nlargest(2, h), heapq.nsmallest(1, h))


# heapq.merge
import heapq

def example():
    return list(heapq.merge([1, 3], [2]))


# bisect_left, bisect_right, insort
import bisect

def example():
    xs = [1, 3]
    bisect.insort(xs, 2)
    return (xs, bisect.bisect_left(xs, 2), bisect.bisect(xs, 2))


# bisect with a key
import bisect

def example():
    return bisect.bisect_left([1, 2], 2, key=lambda x: x)
