"""string, random, time, copy, statistics, textwrap"""


# constants of string
import string

def example():
    return (string.ascii_lowercase, string.digits, string.punctuation)


# string.capwords, Template
import string

def example():
    return string.capwords("a b")


# random.random, randint, choice, shuffle, seed
import random

def example():
    random.seed(3)
    return (random.randint(1, 6), random.random(), random.choice([1, 2]))


# random.Random objects
import random

def example():
    r = random.Random(3)
    return r.random()


# random.sample, uniform, gauss
import random

def example():
    random.seed(3)
    return (random.sample([1, 2, 3], 2), random.uniform(1.0, 2.0), random.gauss(0.0, 1.0))


# time.perf_counter, time, sleep
import time

def example():
    return time.perf_counter() > 0.0


# copy.copy, copy.deepcopy of values, of lists in lists too
import copy

def example():
    xs = [1, 2]
    ys, zs = copy.copy(xs), copy.deepcopy({"a": 1})
    ys.append(3)
    return (xs, ys, zs, copy.deepcopy([xs, xs]))


# copy.deepcopy of objects of classes
import copy

class Point:
    def __init__(self, x):
        self.x = x

def example():
    p = Point([1])
    return copy.deepcopy(p).x


# statistics.mean, median, mode, stdev, variance, pstdev, fmean
import statistics

def example():
    return (statistics.mean([1.0, 2.0]), statistics.median([1.0, 3.0, 2.0]), statistics.stdev([1.0, 3.0]), statistics.fmean([1, 2]))


# textwrap.dedent, wrap, fill, indent
import textwrap

def example():
    return (textwrap.dedent("  a\n  b"), textwrap.wrap("a b c", 3), textwrap.indent("a", "> "))
