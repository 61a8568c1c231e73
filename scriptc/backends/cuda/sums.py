"""Reductions as CUDA C++; sums and products of floats are in the order that machine code has.

`backends/llvm/vectors/reductions.py` says the order: blocks of 1024 elements, each by lanes of 2048
bits and then halves of them, and blocks as a binary counter carries. A lane of f64 is one of a
warp, and a thread has two lanes of f32, so that the halves are a butterfly. Each warp of a thread
block takes a power of two of blocks; what they came to is combined as blocks are. So the bits
depend on how many elements there are, and not on how many threads.
"""

from collections.abc import Mapping

from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import low
from scriptc_runtime.types import DType

COMBINE: Mapping[str, str] = {
    "sum": "ScSum",
    "product": "ScProduct",
    "max": "ScMax",
    "min": "ScMin",
}
_ORDERED = ("sum", "product")


def is_ordered(reduction: Instr) -> bool:
    """Whether the bits of a reduction depend on the order of its elements."""
    is_float = reduction.result.type in (DType.F32, DType.F64)
    return reduction.op is low.REDUCE and is_float and reduction.attrs["kind"] in _ORDERED


def alone(reduction: Instr, c_type: str) -> str:
    """Return the type of what one thread adds elements to, in their order."""
    return f"ScInOrder<{c_type}, {COMBINE[str(reduction.attrs['kind'])]}>"


def together(reduction: Instr, c_type: str) -> str:
    """Return the type of what the threads of a block add elements to."""
    return f"ScShared<{c_type}, {COMBINE[str(reduction.attrs['kind'])]}>"


SUMS = r"""
#define SC_BLOCK 1024  // elements
#define SC_FEW 4       // elements of a block that are combined in their order
#define SC_SLOTS 53    // of a binary counter of blocks, of a thread alone

// What blocks came to: each bit of their count is a slot, of as many blocks as the bit says.
template <class T, class Combine>
struct ScBlocks {
  T slots[SC_SLOTS];
  long long count = 0;
  __device__ __forceinline__ void add(T value) {
    int slot = 0;
    for (; count >> slot & 1; ++slot) value = Combine()(slots[slot], value);
    slots[slot] = value;
    ++count;
  }
  __device__ __forceinline__ T value() const {
    T later = T(Combine::NEUTRAL);
    for (int slot = 0; count >> slot; ++slot)
      if (count >> slot & 1) later = Combine()(slots[slot], later);
    return later;
  }
};

// A thread alone adds elements in their order.
template <class T, class Combine>
struct ScInOrder {
  static constexpr int LANES = 256 / sizeof(T);
  T lanes[LANES];
  int size = 0;  // of the block at hand
  ScBlocks<T, Combine> blocks;
  __device__ __forceinline__ void add(T x) {
    if (size == SC_BLOCK) {
      blocks.add(block());
      size = 0;
    }
    const int lane = size & (LANES - 1);
    lanes[lane] = Combine()(size < LANES ? T(Combine::NEUTRAL) : lanes[lane], x);
    ++size;
  }
  __device__ __forceinline__ T value() {
    if (blocks.count == 0) return block();
    blocks.add(block());
    return blocks.value();
  }
  __device__ __forceinline__ T block() {
    if (size == 0) return T(Combine::NEUTRAL);
    int left = size < LANES ? size : LANES;
    if (size <= SC_FEW) {
      for (int lane = 1; lane < left; ++lane) lanes[0] = Combine()(lanes[0], lanes[lane]);
      return lanes[0];
    }
    // A lane that has met no element would change nothing.
    for (int half = LANES / 2; half > 0; half /= 2) {
      for (int lane = 0; lane + half < left; ++lane)
        lanes[lane] = Combine()(lanes[lane], lanes[lane + half]);
      left = left < half ? left : half;
    }
    return lanes[0];
  }
};

// How many of n elements the threads of a block have at most.
__device__ __forceinline__ long long sc_share(long long n) {
  const long long warps = blockDim.x >> 5;
  if (n <= SC_BLOCK) return (n + 31) / 32;
  return 32 * (((n + SC_BLOCK - 1) / SC_BLOCK + warps - 1) / warps);
}

// Whether rows of a sum are done sooner one after the other, by all threads of a block.
__device__ __forceinline__ bool sc_shares_rows(long long rows, long long size) {
  return rows * (sc_share(size) + 8) < sc_share(rows) * size;
}

// The threads of a block share the blocks of elements, those of a warp the elements of a block:
//
//     for (block = first(); block < last(); ++block) {
//       for (i = begin(block); i < end(block); i += 32) add(i, element i);
//       close(block);
//     }
//
// A warp takes 2**shift blocks; lane k keeps the slot k of its binary counter.
template <class T, class Combine>
struct ScShared {
  const long long size;
  int shift = 0;
  T low = T(Combine::NEUTRAL), high = T(Combine::NEUTRAL);  // lanes of f32 have two elements
  T slot = T(Combine::NEUTRAL);
  __device__ __forceinline__ explicit ScShared(long long n) : size(n > 0 ? n : 0) {
    while ((long long)(blockDim.x >> 5) << shift < blocks()) ++shift;
  }
  __device__ __forceinline__ long long blocks() const { return (size + SC_BLOCK - 1) / SC_BLOCK; }
  __device__ __forceinline__ long long first() const {
    return (long long)(threadIdx.x >> 5) << shift;
  }
  __device__ __forceinline__ long long last() const {
    const long long stop = first() + (1LL << shift);
    return stop < blocks() ? stop : blocks();
  }
  __device__ __forceinline__ long long begin(long long block) const {
    return block * SC_BLOCK + (threadIdx.x & 31);
  }
  __device__ __forceinline__ long long end(long long block) const {
    return block * SC_BLOCK + SC_BLOCK < size ? block * SC_BLOCK + SC_BLOCK : size;
  }
  __device__ __forceinline__ void add(long long i, T x) {
    if (sizeof(T) == 4 && (i & 32)) high = Combine()(high, x);
    else low = Combine()(low, x);
  }
  __device__ __forceinline__ void close(long long block) {
    const int count = (int)(end(block) - block * SC_BLOCK);
    T value = low;
    if (count <= SC_FEW) {
      value = sc_from_lane(low, 0);
      for (int lane = 1; lane < count; ++lane) value = Combine()(value, sc_from_lane(low, lane));
    } else {
      if (sizeof(T) == 4) value = Combine()(low, high);
      value = sc_warp_reduce(value, Combine());
    }
    int k = 0;
    for (long long full = block - first(); full & 1; full >>= 1, ++k)
      value = Combine()(sc_from_lane(slot, k), value);
    if ((int)(threadIdx.x & 31) == k) slot = value;
    low = high = T(Combine::NEUTRAL);
  }
  // All threads of the block know the element i, after those before it.
  __device__ __forceinline__ void take(long long i, T x) {
    const long long block = i / SC_BLOCK;
    if (block < first() || block >= last()) return;
    if ((i & 31) == (long long)(threadIdx.x & 31)) add(i, x);
    if (i + 1 == end(block)) close(block);
  }
  // Every thread calls this and gets the result. `scratch` is shared memory of 32 elements, free
  // again on return.
  __device__ __forceinline__ T value(T* scratch) {
    const unsigned lane = threadIdx.x & 31;
    if (first() < last()) {
      T later = T(Combine::NEUTRAL);
      int k = 0;
      for (long long full = last() - first(); full; full >>= 1, ++k) {
        const T earlier = sc_from_lane(slot, k);
        if (full & 1) later = Combine()(earlier, later);
      }
      if (lane == 0) SC_ST(scratch, threadIdx.x >> 5, later);
    }
    __syncthreads();
    const unsigned parts = (unsigned)((blocks() + (1LL << shift) - 1) >> shift);
    T value = lane < parts ? SC_LD(scratch, lane) : T(Combine::NEUTRAL);
    for (unsigned step = 1; step < parts; step *= 2) {
      const T later = sc_lane_xor(value, (int)step);
      if (lane % (2 * step) == 0 && lane + step < parts) value = Combine()(value, later);
    }
    value = sc_from_lane(value, 0);
    __syncthreads();
    return value;
  }
};
"""
