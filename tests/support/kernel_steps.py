"""Steps of threads: how often those of an emulated device go around the loops of kernels.

A step is an iteration of a loop, as the text of a kernel has it; those of functions that it calls
are not counted.
"""

import ctypes
import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from scriptc.backends.cuda.emulator import EmulatedDevice

_COUNTER = """
static long long sc_begun, sc_threads, sc_longest, sc_most, sc_sum;
struct ScSteps {
  long long count = 0;
  ScSteps() {
    if (sc_begun++ == sc_threads) {
      sc_sum += sc_longest;
      sc_threads = (long long)gridDim.x * blockDim.x;
      sc_begun = 1;
      sc_longest = 0;
    }
  }
  void add() {
    if (++count > sc_longest) sc_longest = count;
    if (count > sc_most) sc_most = count;
  }
};
#define SEEN extern "C" __attribute__((visibility("default"))) long long
SEEN sc_steps_begin() { return sc_begun = sc_threads = sc_longest = sc_most = sc_sum = 0; }
SEEN sc_steps_most() { return sc_most; }
SEEN sc_steps_sum() { return sc_sum + sc_longest; }
"""
_KERNEL = 'extern "C" __global__ '
_HEAD = re.compile(r"^([^{]*\{)")
_LOOP = re.compile(r"^( *for \(.*\) \{)$", re.MULTILINE)


class Steps(NamedTuple):
    """Steps of the longest thread of a launch: the most of one launch, and the sum of all."""

    most: int
    sum: int


class Counted:
    """The libraries of kernels that count."""

    def __init__(self) -> None:
        self.paths: list[Path] = []

    def steps(self) -> Steps:
        """Return the steps of the launches so far."""
        libraries = [ctypes.CDLL(str(path)) for path in self.paths]
        for library in libraries:
            library.sc_steps_most.restype = library.sc_steps_sum.restype = ctypes.c_longlong
        most = max((int(library.sc_steps_most()) for library in libraries), default=0)
        return Steps(most, sum(int(library.sc_steps_sum()) for library in libraries))


@contextmanager
def counted_steps() -> Generator[Counted]:
    """Let kernels that are loaded meanwhile count the steps of their threads."""
    image = EmulatedDevice.image
    counted = Counted()

    def counting(device: EmulatedDevice, source: str, kernels: Mapping[str, bool]) -> Path:
        support, *texts = source.split(_KERNEL)
        texts = [
            _LOOP.sub(r"\1 sc_steps.add();", _HEAD.sub(r"\1 ScSteps sc_steps;", text))
            for text in texts
        ]
        path = image(device, _KERNEL.join([support + _COUNTER, *texts]), kernels)
        if path not in counted.paths:
            # It may have counted for somebody else before.
            ctypes.CDLL(str(path)).sc_steps_begin()
            counted.paths.append(path)
        return path

    with mock.patch.object(EmulatedDevice, "image", counting):
        yield counted
