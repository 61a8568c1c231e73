"""json, struct, array, re"""


# json.dumps
import json

def example():
    return json.dumps({"a": [1, 2.5, None, True]})


# json.loads
import json

def example():
    return json.loads("[1]")


# struct.pack, unpack, calcsize
import struct

def example():
    return (struct.pack("<ih", 1, 2), struct.unpack("<i", b"\x01\0\0\0"), struct.calcsize("<ih"))


# array.array
import array

def example():
    a = array.array("i", [1, 2])
    a.append(3)
    return list(a)


# fields and records of structured arrays
import numpy as np

BODY = np.dtype([("x", "f8"), ("n", "i8")])

def example():
    bodies = np.ones(3, BODY)
    bodies["x"] *= 0.5
    for b in bodies[1:]:
        b["n"] += 1
    return [b["x"] * b["n"] for b in bodies]


# re
import re

def example():
    return re.match("a", "ab") is not None


# datetime
import datetime

def example():
    return datetime.date(2020, 1, 2).year


# fractions
import fractions

def example():
    return str(fractions.Fraction(1, 2))


# io.StringIO
import io

def example():
    stream = io.StringIO()
    print("a", 1, file=stream)
    return stream.getvalue()


# queue.Queue, LifoQueue, PriorityQueue
import queue

def example():
    waiting = queue.Queue()
    waiting.put(1)
    return waiting.get()


# decimal
import decimal

def example():
    return str(decimal.Decimal(1))


# os, sys, pathlib
import os

def example():
    return os.getcwd()
