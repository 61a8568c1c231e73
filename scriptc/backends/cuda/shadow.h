// Shadow mode: a kernel compiled with SC_SHADOW tells a watcher (shadow.cpp) of every access that it
// writes by SC_LD, SC_ST and atomics, and of what orders them.  Without it nothing is told.
// Included by emulator.h alone.
#pragma once

namespace emulated::shadow {

#ifndef SC_SHADOW

static inline void begin(const char*, size_t) {}
static inline void end() {}
static inline void new_block(uint64_t) {}
static inline void barrier() {}
static inline void warp_barrier(unsigned, unsigned) {}
static inline void fence() {}
static inline void atomic(Access, const void*, size_t, int) {}

#else

static void begin(const char* shared, size_t bytes) {
  if (!current.watch) return fail("a watched kernel was launched without a watcher", 0);
  current.watch->begin(current.regions, current.region_count, shared, bytes, current.traffic);
}
static void end() { if (current.watch) current.watch->end(); }
static void new_block(uint64_t number) { current.watch->new_block(number); }
static void barrier() { current.watch->barrier(); }
static void warp_barrier(unsigned warp, unsigned mask) { current.watch->warp_barrier(warp, mask); }
static void fence() { current.watch->fence(running->index); }

__attribute__((noinline)) static void touched(Access access, const void* base, long long index,
                                              size_t size, size_t alignment, size_t count,
                                              const char* name, int line) {
  const size_t at = (size_t)((const char*)base - running->stack);
  if (at < STACK_BYTES) {  // an array of the thread's own
    if (count && (size_t)index >= count) abort_thread("a thread leaves an array of its own", line);
    return;
  }
  const Touch touch{access, base, index, size, alignment, count, name, line, running->index};
  if (const char* wrong = current.watch->touch(&touch)) abort_thread(wrong, line);
}

static void atomic(Access access, const void* address, size_t size, int line) {
  touched(access, address, 0, size, size, 0, "the target of an atomic", line);
}

// Arrays whose number of elements the type says are shared ones.
template <class Array>
using Element = std::remove_pointer_t<std::decay_t<Array>>;

template <class Array>
auto load(Array&& array, long long index, const char* name, int line) {
  using T = std::remove_cv_t<Element<Array>>;
  constexpr size_t count = std::extent<std::remove_reference_t<Array>>::value;
  touched(Access::Read, &array[0], index, sizeof(T), alignof(T), count, name, line);
  return (T)array[index];
}

template <class Array, class Value>
void store(Array&& array, long long index, Value value, const char* name, int line) {
  using T = Element<Array>;
  constexpr size_t count = std::extent<std::remove_reference_t<Array>>::value;
  touched(Access::Write, &array[0], index, sizeof(T), alignof(T), count, name, line);
  array[index] = value;
}

#define SC_LD(array, index) emulated::shadow::load(array, index, #array, __LINE__)
#define SC_ST(array, index, value) emulated::shadow::store(array, index, value, #array, __LINE__)

#endif

}  // namespace emulated::shadow
