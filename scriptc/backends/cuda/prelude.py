"""The CUDA text that every generated kernel source starts with, and the error record it writes.

The text is header-free, because NVRTC then needs no include path and compiles ten times quicker,
and it is the same for a GPU and for the emulated device.

The kernels of a module that contains checks take a pointer to the *error record* of the call, and
the number of their launch. A failing iteration lowers the record's word to `iteration << 16 |
site`, so that when all threads are done it names the failing iteration with the lowest index and,
within it, the lowest site: what a sequential loop would have met first. A lock follows the word,
then what the message of that site says of operands, and the number of the launch that failed:
kernels that are launched later see it, and do nothing.

Elements of arrays and of shared memory are read and written by `SC_LD` and `SC_ST`, wide ones
through a pointer to vectors. They are plain accesses, but for an emulated device that watches.
"""

from scriptc.kernels.device.launch import FAILED_LAUNCH, FIRST_VALUE, NO_ERROR, SITE_BITS
from scriptc_runtime.record import record

MAX_SITE = (1 << SITE_BITS) - 1

PRELUDE = (
    f"""\
#define SC_FAILED_LAUNCH {FAILED_LAUNCH}
#define SC_FIRST_VALUE {FIRST_VALUE}
#define SC_SITE_BITS {SITE_BITS}
"""
    + """\
#define SC_INF_F32 __int_as_float(0x7f800000)
#define SC_NAN_F32 __int_as_float(0x7fc00000)
#define SC_INF_F64 __longlong_as_double(0x7ff0000000000000LL)
#define SC_NAN_F64 __longlong_as_double(0x7ff8000000000000LL)
#define SC_MIN_I64 (-0x7fffffffffffffffLL - 1)
#define SC_MAX_I64 0x7fffffffffffffffLL
#define SC_ALL_LANES 0xffffffffu
#ifndef SC_LD
#define SC_LD(array, index) ((array)[index])
#define SC_ST(array, index, value) ((array)[index] = (value))
#endif

// Whether an earlier launch has failed. Threads of one block see the same, whatever the others do.
__device__ __forceinline__ bool sc_has_failed(const unsigned long long* error,
                                              unsigned long long launch) {
  const unsigned long long failed = ((const volatile unsigned long long*)error)[SC_FAILED_LAUNCH];
  return failed != 0 && failed != launch;
}

// The failing iteration must go no further, or a later site of it would be reported too.
__device__ __forceinline__ void sc_fail(unsigned long long* error, unsigned long long launch,
                                        unsigned long long iteration, unsigned site) {
  ((volatile unsigned long long*)error)[SC_FAILED_LAUNCH] = launch;
  atomicMin(error, iteration << SC_SITE_BITS | site);
}

template <class... Values>
__device__ __forceinline__ void sc_fail(unsigned long long* error, unsigned long long launch,
                                        unsigned long long iteration, unsigned site,
                                        Values... values) {
  const long long all[] = {(long long)values...};
  const unsigned long long word = iteration << SC_SITE_BITS | site;
  unsigned* const lock = (unsigned*)(error + 1);
  while (atomicCAS(lock, 0u, 1u) != 0u) {}
  ((volatile unsigned long long*)error)[SC_FAILED_LAUNCH] = launch;
  if (word < atomicMin(error, word))
    for (unsigned k = 0; k < sizeof...(values); ++k)
      ((volatile long long*)error)[SC_FIRST_VALUE + k] = all[k];
  __threadfence();
  atomicExch(lock, 0u);
}

// NumPy's integers wrap around, as unsigned ones do; overflow of signed ones is undefined.
typedef unsigned long long sc_u64;

template <class T>
__device__ __forceinline__ T sc_add(T a, T b) { return (T)((sc_u64)a + (sc_u64)b); }
template <class T>
__device__ __forceinline__ T sc_sub(T a, T b) { return (T)((sc_u64)a - (sc_u64)b); }
template <class T>
__device__ __forceinline__ T sc_mul(T a, T b) { return (T)((sc_u64)a * (sc_u64)b); }
template <class T>
__device__ __forceinline__ T sc_neg(T a) { return (T)(0 - (sc_u64)a); }
template <class T>
__device__ __forceinline__ T sc_abs(T a) { return a < 0 ? sc_neg(a) : a; }
template <class T>
__device__ __forceinline__ bool sc_is_minus_one(T a) { return T(-1) < T(0) && a == T(-1); }
// Of Python's ints.
__device__ __forceinline__ bool sc_add_overflows(long long a, long long b) {
  const long long sum = sc_add(a, b);
  return ((a ^ sum) & (b ^ sum)) < 0;
}
__device__ __forceinline__ bool sc_sub_overflows(long long a, long long b) {
  return ((a ^ b) & (a ^ sc_sub(a, b))) < 0;
}
__device__ __forceinline__ bool sc_mul_overflows(long long a, long long b) {
  if (a == 0 || b == 0) return false;
  if (a == -1 || b == -1) return (a == -1 ? b : a) == SC_MIN_I64;
  return sc_mul(a, b) / b != a;
}
// How many numbers range(start, stop, step) has.
__device__ __forceinline__ long long sc_rounds(long long start, long long stop, long long step) {
  if (step > 0 ? start >= stop : start <= stop || step == 0) return 0;
  const sc_u64 distance = step > 0 ? (sc_u64)stop - (sc_u64)start : (sc_u64)start - (sc_u64)stop;
  const sc_u64 size = step > 0 ? (sc_u64)step : 0 - (sc_u64)step;
  return (long long)((distance - 1) / size + 1);
}
__device__ __forceinline__ float sc_add(float a, float b) { return a + b; }
__device__ __forceinline__ double sc_add(double a, double b) { return a + b; }
__device__ __forceinline__ float sc_mul(float a, float b) { return a * b; }
__device__ __forceinline__ double sc_mul(double a, double b) { return a * b; }

// One rounding where numbers are floats.
template <class T>
__device__ __forceinline__ T sc_add_product(T sum, T a, T b) { return sc_add(sum, sc_mul(a, b)); }
__device__ __forceinline__ float sc_add_product(float sum, float a, float b) {
  return fmaf(a, b, sum);
}
__device__ __forceinline__ double sc_add_product(double sum, double a, double b) {
  return fma(a, b, sum);
}

// A combination starts from what changes no other number.
struct ScSum {
  static constexpr int NEUTRAL = 0;
  template <class T>
  __device__ __forceinline__ T operator()(T a, T b) const { return sc_add(a, b); }
};
struct ScProduct {
  static constexpr int NEUTRAL = 1;
  template <class T>
  __device__ __forceinline__ T operator()(T a, T b) const { return sc_mul(a, b); }
};

// NumPy's max and min give NaN where an operand is NaN; CUDA's fmax and fmin do not.
struct ScMax {
  template <class T>
  __device__ __forceinline__ T operator()(T a, T b) const { return a > b || a != a ? a : b; }
};

struct ScMin {
  template <class T>
  __device__ __forceinline__ T operator()(T a, T b) const { return a < b || a != a ? a : b; }
};

// A number divided: in 32 bits where they are enough, which takes a quarter of the time.
struct ScPlace {
  long long whole, rest;
};
__device__ __forceinline__ ScPlace sc_place(long long at, long long by) {
  if (((at | by) >> 32) == 0) {
    const unsigned whole = (unsigned)at / (unsigned)by;
    return {(long long)whole, (long long)((unsigned)at - whole * (unsigned)by)};
  }
  return {at / by, at % by};
}

// N neighbours, which are moved by words of 16 bytes where they can be.
template <int Bytes> struct alignas(Bytes) ScWide { unsigned words[Bytes / 4]; };
template <> struct ScWide<2> { unsigned short word; };
template <> struct ScWide<1> { unsigned char word; };
template <class T, int N>
struct ScVector {
  static const int bytes = N * sizeof(T) < 16 ? N * sizeof(T) : 16;
  union {
    T at[N];
    ScWide<bytes> wide[N * sizeof(T) / bytes];
  };
  __device__ __forceinline__ ScVector() {}
  __device__ __forceinline__ static bool fits(const T* address, long long stride) {
    return stride == 1 && ((sc_u64)address & (bytes - 1)) == 0;
  }
};
template <class T, int N>
__device__ __forceinline__ void sc_load(ScVector<T, N>& to, const T* from, long long stride) {
  if (to.fits(from, stride)) {
#pragma unroll
    for (int k = 0; k < N * (int)sizeof(T) / to.bytes; ++k)
      to.wide[k] = SC_LD((const ScWide<ScVector<T, N>::bytes>*)from, k);
  } else {
#pragma unroll
    for (int k = 0; k < N; ++k) to.at[k] = SC_LD(from, k * stride);
  }
}
template <class T, int N>
__device__ __forceinline__ void sc_store(const ScVector<T, N>& from, T* to, long long stride) {
  if (from.fits(to, stride)) {
#pragma unroll
    for (int k = 0; k < N * (int)sizeof(T) / from.bytes; ++k)
      SC_ST((ScWide<ScVector<T, N>::bytes>*)to, k, from.wide[k]);
  } else {
#pragma unroll
    for (int k = 0; k < N; ++k) SC_ST(to, k * stride, from.at[k]);
  }
}
// How many elements before an address there are to one that is a multiple of 16 bytes, or of the
// bytes of a vector where these are fewer: always less than a vector has.
template <int vector, class T>
__device__ __forceinline__ long long sc_head(const T* address, long long stride) {
  const sc_u64 bytes = vector * sizeof(T) < 16 ? vector * sizeof(T) : 16;
  return stride == 1 ? (long long)(((sc_u64)address & (bytes - 1)) / sizeof(T)) : 0;
}

template <class T>
__device__ __forceinline__ T sc_lane_xor(T value, int distance) {
  return (T)__shfl_xor_sync(SC_ALL_LANES, value, distance);
}

template <class T>
__device__ __forceinline__ T sc_from_lane(T value, int lane) {
  return (T)__shfl_sync(SC_ALL_LANES, value, lane);
}

// A butterfly: lanes combine the same pairs in the same order, so all get the same bits.
template <class T, class Combine>
__device__ __forceinline__ T sc_warp_reduce(T value, Combine combine) {
  for (int distance = 16; distance > 0; distance >>= 1)
    value = combine(value, sc_lane_xor(value, distance));
  return value;
}

// Every thread of the block calls this and gets the result. The order depends on the block's size
// alone. `scratch` is shared memory of 32 elements, free again on return. Blocks are whole warps.
template <class T, class Combine>
__device__ __forceinline__ T sc_block_reduce(T value, T identity, T* scratch, Combine combine) {
  const unsigned thread =
      (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned lane = thread & 31;
  const unsigned warps = (blockDim.x * blockDim.y * blockDim.z) >> 5;
  value = sc_warp_reduce(value, combine);
  if (lane == 0) SC_ST(scratch, thread >> 5, value);
  __syncthreads();
  value = lane < warps ? SC_LD(scratch, lane) : identity;
  __syncthreads();
  return sc_warp_reduce(value, combine);
}

"""
)


@record
class FailedCheck:
    """The first check that failed in a launch: which iteration, and which check of the kernel."""

    iteration: int
    site: int


def failed_check(error_word: int) -> FailedCheck | None:
    """Take apart an error word read back from the device; None where every check held."""
    if error_word == NO_ERROR:
        return None
    return FailedCheck(error_word >> SITE_BITS, error_word & MAX_SITE)
