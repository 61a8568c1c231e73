// What a kernel can name without any header: where it is, barriers, collectives, atomics and functions.
// Included by emulator.h alone.
#pragma once

#define threadIdx (emulated::running->thread)
#define blockIdx (emulated::block_index)
#define blockDim (emulated::current.block)
#define gridDim (emulated::current.grid)
#define warpSize 32

#define __syncthreads() emulated::barrier(__LINE__)
#define __syncwarp emulated::WarpBarrier{__LINE__}
#define __shfl_sync(mask, value, lane) emulated::shuffle(mask, value, (lane) & 31, __LINE__)
#define __shfl_xor_sync(mask, value, bits) \
  emulated::shuffle(mask, value, (emulated::running->lane ^ (bits)) & 31, __LINE__)
#define __shfl_up_sync(mask, value, delta) \
  emulated::shuffle(mask, value, emulated::lane_up(delta), __LINE__)
#define __shfl_down_sync(mask, value, delta) \
  emulated::shuffle(mask, value, emulated::lane_down(delta), __LINE__)
#define __ballot_sync(mask, test) \
  ((unsigned)emulated::collective(emulated::Collective::Ballot, mask, (test) != 0, 0, __LINE__))
#define __any_sync(mask, test) \
  ((int)emulated::collective(emulated::Collective::Any, mask, (test) != 0, 0, __LINE__))
#define __all_sync(mask, test) \
  ((int)emulated::collective(emulated::Collective::All, mask, (test) != 0, 0, __LINE__))
#define __trap() emulated::abort_thread("the kernel trapped", __LINE__)

static inline void __threadfence() { emulated::shadow::fence(); }
static inline void __threadfence_block() {}

// Threads of a launch never run at the same time, so plain memory accesses are atomic. The last
// parameter does not take part in deduction, as CUDA's overloads convert it too; objects, so that the
// macros get their line.
#define EMULATED_ATOMIC(name, access, result)                                               \
  struct Emulated_##name {                                                                  \
    int line;                                                                               \
    template <class T>                                                                      \
    T operator()(T* address, std::common_type_t<T> value) const {                           \
      return emulated::update(                                                              \
          emulated::Access::access, address, [=](T old) -> T { return result; }, line);     \
    }                                                                                       \
  };
EMULATED_ATOMIC(atomicAdd, Update, old + value)
EMULATED_ATOMIC(atomicMin, Update, value < old ? value : old)
EMULATED_ATOMIC(atomicMax, Update, value > old ? value : old)
EMULATED_ATOMIC(atomicExch, Exchange, ((void)old, value))
EMULATED_ATOMIC(atomicAnd, Update, old & value)
EMULATED_ATOMIC(atomicOr, Update, old | value)
struct Emulated_atomicCAS {
  int line;
  template <class T>
  T operator()(T* address, std::common_type_t<T> expected, std::common_type_t<T> value) const {
    return emulated::update(
        emulated::Access::Update, address,
        [=](T old) -> T { return old == expected ? value : old; }, line);
  }
};
#define atomicAdd Emulated_atomicAdd{__LINE__}
#define atomicMin Emulated_atomicMin{__LINE__}
#define atomicMax Emulated_atomicMax{__LINE__}
#define atomicExch Emulated_atomicExch{__LINE__}
#define atomicAnd Emulated_atomicAnd{__LINE__}
#define atomicOr Emulated_atomicOr{__LINE__}
#define atomicCAS Emulated_atomicCAS{__LINE__}

static inline float __int_as_float(int i) { return emulated::bits_as<float>(i); }
static inline int __float_as_int(float f) { return emulated::bits_as<int>(f); }
static inline float __uint_as_float(unsigned u) { return emulated::bits_as<float>(u); }
static inline unsigned __float_as_uint(float f) { return emulated::bits_as<unsigned>(f); }
static inline double __longlong_as_double(long long i) { return emulated::bits_as<double>(i); }
static inline long long __double_as_longlong(double d) { return emulated::bits_as<long long>(d); }

static inline int __clz(int i) { return i == 0 ? 32 : __builtin_clz(i); }
static inline int __clzll(long long i) { return i == 0 ? 64 : __builtin_clzll(i); }
static inline int __ffs(int i) { return __builtin_ffs(i); }
static inline int __ffsll(long long i) { return __builtin_ffsll(i); }
static inline int __popc(unsigned u) { return __builtin_popcount(u); }
static inline int __popcll(unsigned long long u) { return __builtin_popcountll(u); }
#define EMULATED_HIGH_HALF(name, T, Wide)                             \
  static inline T name(T a, T b) { return (T)((Wide)a * b >> 8 * sizeof(T)); }
EMULATED_HIGH_HALF(__mulhi, int, long long)
EMULATED_HIGH_HALF(__umulhi, unsigned, unsigned long long)
EMULATED_HIGH_HALF(__mul64hi, long long, __int128)
EMULATED_HIGH_HALF(__umul64hi, unsigned long long, unsigned __int128)

// Integers only: on floats CUDA's min and max drop a NaN, which NumPy's keep.
#define EMULATED_MIN_MAX(T)                                    \
  static inline T min(T a, T b) { return b < a ? b : a; }      \
  static inline T max(T a, T b) { return a < b ? b : a; }
EMULATED_MIN_MAX(int)
EMULATED_MIN_MAX(unsigned)
EMULATED_MIN_MAX(long long)
EMULATED_MIN_MAX(unsigned long long)
float min(float, float) = delete;
float max(float, float) = delete;
double min(double, double) = delete;
double max(double, double) = delete;

static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
static inline double rsqrt(double x) { return 1.0 / sqrt(x); }
// Hints to a cache.
#define __ldg(address) (*(address))
#define __ldcs(address) (*(address))
#define __stcs(address, value) ((void)(*(address) = (value)))
