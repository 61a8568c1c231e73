// Runs the CUDA C++ that scriptc generates on the CPU, so that it is tested without a GPU.
//
// One CUDA thread is one fiber: a stack of its own, switched to by hand. The threads of a block
// run until each waits at a barrier or at a warp collective (shuffle, vote); then the scheduler
// lets them go on. Blocks run one after the other. Schedules differ in the order of blocks, warps
// and lanes, so a kernel that lacks a barrier gives other numbers in at least one of them.
//
// Shared memory is filled with 0xFF before each block, so reading it unwritten gives NaN or -1.
//
// In shadow mode (shadow.h) accesses are watched: bounds, alignment, races, what nobody wrote.
//
// Not emulated: weak memory ordering, inline PTX, dynamic shared memory, blocks that wait for
// each other. Contraction and flushing of denormals do not happen, as in our NVRTC options.
//
// One kernel source includes this file once, so everything in it is static to that library.
#pragma once

#if !defined(__x86_64__) || !defined(__ELF__)
#error "the emulated CUDA device runs on x86-64 Linux only"
#endif

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <numeric>
#include <type_traits>
#include <utility>

#include "emulated_launch.h"

// ---- The dialect: CUDA's keywords as C++ -------------------------------------------------------

#define __global__
#define __device__
#define __host__
#define __constant__ static
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) alignas(bytes)
#define __launch_bounds__(...)

// All shared arrays of a source lie in one section, so one memset poisons them. The linker names
// its ends; weak, because a source without shared arrays has no such section.
#define __shared__ static __attribute__((section("emulated_shared")))
extern "C" {
extern char __start_emulated_shared[] __attribute__((weak, visibility("hidden")));
extern char __stop_emulated_shared[] __attribute__((weak, visibility("hidden")));
}

// CUDA's vectors are aligned to their size; 16 bytes is the widest access, so none is larger.
#define EMULATED_VECTOR2(name, T)                                    \
  struct alignas(2 * sizeof(T)) name##2 {                            \
    T x, y;                                                          \
  };                                                                 \
  static inline name##2 make_##name##2(T x, T y) { return {x, y}; }
#define EMULATED_VECTORS(name, T)                                    \
  EMULATED_VECTOR2(name, T)                                          \
  struct alignas(4 * sizeof(T)) name##4 {                            \
    T x, y, z, w;                                                    \
  };                                                                 \
  static inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
EMULATED_VECTORS(char, signed char)
EMULATED_VECTORS(uchar, unsigned char)
EMULATED_VECTORS(short, short)
EMULATED_VECTORS(ushort, unsigned short)
EMULATED_VECTORS(int, int)
EMULATED_VECTORS(uint, unsigned)
EMULATED_VECTORS(float, float)
EMULATED_VECTOR2(longlong, long long)
EMULATED_VECTOR2(ulonglong, unsigned long long)
EMULATED_VECTOR2(double, double)

namespace emulated {

// ---- The state of the running launch -----------------------------------------------------------

constexpr unsigned WARP = 32;
constexpr unsigned MAX_THREADS = 1024;
constexpr size_t STACK_BYTES = 128 << 10;
constexpr uint64_t STACK_END = 0x5c1297ace0ffbea7;

enum class State : uint8_t { Ready, AtCollective, AtBarrier, Done };
enum class Collective : uint8_t { SyncWarp, Shuffle, Ballot, Any, All };

struct Fiber {
  void* stack_pointer;
  char* stack;
  uint3 thread;
  State state;
  int line;  // of the barrier or collective it waits at
  Collective collective;
  unsigned index;  // in its block
  unsigned lane;
  unsigned mask;
  unsigned source;  // the lane a shuffle reads
  uint64_t value;
  uint64_t result;
};

static Fiber fibers[MAX_THREADS];
static Fiber* running;
static void* scheduler_stack_pointer;
static uint3 block_index;
static Launch current;
static Failure* failure;
static bool failed;
static pthread_mutex_t launching = PTHREAD_MUTEX_INITIALIZER;

// The first failure is the cause; later ones follow from it.
static void fail(const char* what, int line) {
  if (failed) return;
  failed = true;
  failure->block = block_index;
  failure->line = line;
  snprintf(failure->what, sizeof failure->what, "%s", what);
}

static unsigned threads_of(uint3 block) { return block.x * block.y * block.z; }

// ---- The schedule ------------------------------------------------------------------------------

// Visits 0..count-1, each once, by a fixed step: forward, backward, or by a random step that has
// no divisor in common with count. So a shuffled grid of any size needs no memory.
class Order {
 public:
  explicit Order(uint64_t count) : count_(count) {
    if (current.schedule == 1) step_ = at_ = count - 1;
    if (current.schedule == 2) {
      at_ = random() % count;
      do step_ = 1 + random() % count;
      while (std::gcd(step_, count) != 1);
    }
  }

  uint64_t next() {
    const uint64_t result = at_;
    at_ = (at_ + step_) % count_;
    return result;
  }

 private:
  static uint64_t random() {
    current.seed = current.seed * 1664525u + 1013904223u;
    return current.seed >> 8;
  }

  uint64_t count_;
  uint64_t step_ = 1;
  uint64_t at_ = 0;
};

// ---- Fibers ------------------------------------------------------------------------------------

// Saves what the calling convention says a callee preserves, and continues on the other stack.
// `noipa`: the compiler must not reason across a call that returns on another stack.
__attribute__((naked, noipa)) static void switch_stack(void** /*save*/, void* /*next*/) {
  asm("pushq %rbp\n pushq %rbx\n pushq %r12\n pushq %r13\n pushq %r14\n pushq %r15\n"
      "movq %rsp, (%rdi)\n movq %rsi, %rsp\n"
      "popq %r15\n popq %r14\n popq %r13\n popq %r12\n popq %rbx\n popq %rbp\n ret\n");
}

static void to_scheduler() { switch_stack(&running->stack_pointer, scheduler_stack_pointer); }

static void resume(Fiber& fiber) {
  running = &fiber;
  switch_stack(&scheduler_stack_pointer, fiber.stack_pointer);
  if (*(uint64_t*)fiber.stack != STACK_END) fail("a thread overflowed its stack", fiber.line);
}

// Ends the launch from inside a thread, whose stack is simply left behind.
[[noreturn]] static void abort_thread(const char* what, int line) {
  fail(what, line);
  running->state = State::Done;
  to_scheduler();
  __builtin_unreachable();
}

static void set_thread(Fiber& fiber, unsigned index) {
  const uint3 b = current.block;
  fiber.thread = {index % b.x, index / b.x % b.y, index / (b.x * b.y)};
  fiber.index = index;
  fiber.lane = index % WARP;
}

static void prepare(unsigned index, void (*body)()) {
  Fiber& fiber = fibers[index];
  *(uint64_t*)fiber.stack = STACK_END;
  // Staggered, because equally aligned stacks would all share one set of the cache.
  void** top = (void**)(fiber.stack + STACK_BYTES - 64 - index % 61 * 192);
  *--top = nullptr;  // where a body would return to, which keeps the stack aligned for a call
  *--top = (void*)body;
  fiber.stack_pointer = top - 6;  // the registers that switch_stack pops
  fiber.state = State::Ready;
  fiber.line = 0;
  set_thread(fiber, index);
}

// Address space only, once per library: pages are touched when a thread first runs.
static bool map_stacks() {
  if (fibers[0].stack) return true;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  // One more than needed, so that the lowest stack too overflows into memory of ours.
  const size_t bytes = (MAX_THREADS + 1) * STACK_BYTES;
  char* all = (char*)mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (all == MAP_FAILED) return false;
  for (unsigned i = 0; i < MAX_THREADS; ++i) fibers[i].stack = all + (i + 1) * STACK_BYTES;
  return true;
}

}  // namespace emulated
#include "shadow.h"
namespace emulated {

// ---- Barriers and warp collectives, as a thread sees them --------------------------------------

static void wait(State state, int line) {
  if (!current.synchronises) abort_thread("the launch said that this kernel never waits", line);
  running->state = state;
  running->line = line;
  to_scheduler();
}

static void barrier(int line) { wait(State::AtBarrier, line); }

static uint64_t collective(Collective kind, unsigned mask, uint64_t value, unsigned source,
                           int line) {
  running->collective = kind;
  running->mask = mask;
  running->value = value;
  running->source = source;
  wait(State::AtCollective, line);
  return running->result;
}

// An object, so that the macro gets its line although the call's mask is optional.
struct WarpBarrier {
  int line;
  void operator()(unsigned mask = 0xffffffffu) const {
    collective(Collective::SyncWarp, mask, 0, 0, line);
  }
};

template <class To, class From>
To bits_as(From from) {
  static_assert(sizeof(From) <= 8 && sizeof(To) <= 8, "a register holds at most 8 bytes");
  uint64_t bits = 0;
  memcpy(&bits, &from, sizeof from);
  To to;
  memcpy(&to, &bits, sizeof to);
  return to;
}

template <class T>
T shuffle(unsigned mask, T value, unsigned source, int line) {
  return bits_as<T>(
      collective(Collective::Shuffle, mask, bits_as<uint64_t>(value), source, line));
}

static unsigned lane_up(unsigned delta) {
  return running->lane < delta ? running->lane : running->lane - delta;
}

static unsigned lane_down(unsigned delta) {
  return running->lane + delta >= WARP ? running->lane : running->lane + delta;
}

// ---- Barriers and warp collectives, as the scheduler resolves them -----------------------------

struct Warp {
  Fiber* lane;
  unsigned count;
};

enum class Arrival { Complete, Pending, Broken };

static bool same_collective(const Fiber& a, const Fiber& b) {
  return a.line == b.line && a.collective == b.collective && a.mask == b.mask;
}

// Whether every lane in `fiber`'s mask stands at the same collective.
static Arrival arrival(Warp warp, const Fiber& fiber) {
  const unsigned beyond = warp.count < WARP ? ~0u << warp.count : 0;
  const char* broken = nullptr;
  if (!(fiber.mask >> fiber.lane & 1)) broken = "a lane is not in the mask of its own collective";
  if (fiber.mask & beyond) broken = "a collective's mask names a lane that the block lacks";
  bool complete = true;
  for (unsigned i = 0; i < warp.count; ++i) {
    const Fiber& other = warp.lane[i];
    if (!(fiber.mask >> i & 1)) continue;
    if (other.state == State::Done) broken = "a collective's mask names a lane that has exited";
    if (other.state == State::AtBarrier)
      broken = "a collective's mask names a lane that waits at __syncthreads";
    complete = complete && other.state == State::AtCollective && same_collective(fiber, other);
  }
  if (broken) {
    fail(broken, fiber.line);
    return Arrival::Broken;
  }
  return complete ? Arrival::Complete : Arrival::Pending;
}

static void release_lane(Warp warp, Fiber& fiber, unsigned ballot) {
  fiber.state = State::Ready;
  switch (fiber.collective) {
    case Collective::SyncWarp: return;
    case Collective::Ballot: fiber.result = ballot; return;
    case Collective::Any: fiber.result = ballot != 0; return;
    case Collective::All: fiber.result = ballot == fiber.mask; return;
    case Collective::Shuffle:
      if (!(fiber.mask >> fiber.source & 1))
        return fail("a shuffle reads a lane outside its mask", fiber.line);
      fiber.result = warp.lane[fiber.source].value;
      return;
  }
}

static void release_lanes(Warp warp, unsigned mask) {
  unsigned ballot = 0;
  for (unsigned i = 0; i < warp.count; ++i)
    if (mask >> i & 1 && warp.lane[i].value != 0) ballot |= 1u << i;
  for (unsigned i = 0; i < warp.count; ++i)
    if (mask >> i & 1) release_lane(warp, warp.lane[i], ballot);
}

// Of the collectives only this one orders memory.
static void note_warp_barrier(const Fiber& fiber) {
  if (fiber.collective == Collective::SyncWarp)
    shadow::warp_barrier(fiber.index / WARP, fiber.mask);
}

// Resolves every complete collective of a warp. Returns whether some lane still waits at one.
static bool resolve_collectives(Warp warp) {
  bool waiting = false;
  bool released = false;
  int line = 0;
  for (unsigned i = 0; i < warp.count && !failed; ++i) {
    if (warp.lane[i].state != State::AtCollective) continue;
    waiting = true;
    line = warp.lane[i].line;
    if (arrival(warp, warp.lane[i]) != Arrival::Complete) continue;
    note_warp_barrier(warp.lane[i]);
    release_lanes(warp, warp.lane[i].mask);
    released = true;
  }
  if (waiting && !released) fail("deadlock: lanes of a warp wait at different collectives", line);
  return waiting;
}

static void run_warp(Warp warp) {
  do {
    Order lanes(warp.count);
    for (unsigned i = 0; i < warp.count && !failed; ++i) {
      Fiber& fiber = warp.lane[lanes.next()];
      if (fiber.state == State::Ready) resume(fiber);
    }
  } while (!failed && resolve_collectives(warp));
}

// Lets a block go on when all its threads wait at one barrier. Returns whether they do.
static bool release_barrier(unsigned threads) {
  const Fiber* waiting = nullptr;
  bool exited = false;
  for (unsigned i = 0; i < threads; ++i) {
    if (fibers[i].state == State::Done) exited = true;
    if (fibers[i].state != State::AtBarrier) continue;
    if (waiting && waiting->line != fibers[i].line)
      fail("divergent barrier: threads of a block wait at different __syncthreads",
           fibers[i].line);
    waiting = &fibers[i];
  }
  if (!waiting) return false;
  // sm_70 and later would let this pass; generated kernels never need it, so it is a mistake.
  if (exited)
    fail("divergent barrier: threads wait at __syncthreads and others have exited",
         waiting->line);
  for (unsigned i = 0; i < threads; ++i) fibers[i].state = State::Ready;
  shadow::barrier();
  return true;
}

// ---- Blocks and launches -----------------------------------------------------------------------

// The kernel with its arguments, in a form that does not depend on their types.
static void (*call_kernel)(void*);
static void* kernel_call;

static void thread_body() {
  call_kernel(kernel_call);
  running->state = State::Done;
  to_scheduler();
}

// A kernel that never waits needs no fiber per thread, which makes it several times faster. It
// still has one, so that a thread which does wait can be abandoned.
static void unsynchronised_block_body() {
  const unsigned threads = threads_of(current.block);
  Order order(threads);
  for (unsigned i = 0; i < threads; ++i) {
    set_thread(*running, order.next());
    call_kernel(kernel_call);
  }
  running->state = State::Done;
  to_scheduler();
}

static void run_block() {
  if (!current.synchronises) {
    prepare(0, unsynchronised_block_body);
    return resume(fibers[0]);
  }
  const unsigned threads = threads_of(current.block);
  for (unsigned i = 0; i < threads; ++i) prepare(i, thread_body);
  const unsigned warps = (threads + WARP - 1) / WARP;
  do {
    Order order(warps);
    for (unsigned i = 0; i < warps && !failed; ++i) {
      const unsigned first = order.next() * WARP;
      run_warp({&fibers[first], threads - first < WARP ? threads - first : WARP});
    }
  } while (!failed && release_barrier(threads));
}

static void run_grid() {
  const uint3 grid = current.grid;
  const uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z;
  Order order(blocks);
  shadow::begin(__start_emulated_shared, __stop_emulated_shared - __start_emulated_shared);
  for (uint64_t i = 0; i < blocks && !failed; ++i) {
    const uint64_t k = order.next();
    block_index = {(unsigned)(k % grid.x), (unsigned)(k / grid.x % grid.y),
                   (unsigned)(k / grid.x / grid.y)};
    if (__start_emulated_shared)
      memset(__start_emulated_shared, 0xff, __stop_emulated_shared - __start_emulated_shared);
    shadow::new_block(k);
    run_block();
  }
  shadow::end();
}

template <class T>
constexpr char kind_of() {
  if (std::is_pointer<T>::value) return 'p';
  if (std::is_same<T, bool>::value) return 'b';
  if (std::is_floating_point<T>::value) return 'f';
  if (std::is_integral<T>::value) return std::is_signed<T>::value ? 'i' : 'u';
  return 's';
}

// The driver trusts its caller with the number and sizes of arguments; here they are compared.
template <class... T>
bool accepts(const char* packed) {
  char expected[2048] = "";
  char* end = expected;
  char* const limit = expected + sizeof expected - 16;
  auto append = [&](char kind, size_t bytes) {
    if (end < limit) end += sprintf(end, end == expected ? "%c%zu" : ",%c%zu", kind, bytes);
  };
  (append(kind_of<T>(), sizeof(T)), ...);
  if (!packed || strcmp(expected, packed) == 0) return true;  // a driver is told no kinds
  char what[sizeof Failure::what];
  snprintf(what, sizeof what, "the kernel takes (%s), was given (%s)", expected, packed);
  fail(what, 0);
  return false;
}

template <class... T>
struct Call {
  void (*kernel)(T...);
  void** arguments;

  template <size_t... I>
  void apply(std::index_sequence<I...>) const {
    kernel(*(T*)arguments[I]...);
  }

  static void run(void* self) { ((const Call*)self)->apply(std::index_sequence_for<T...>()); }
};

template <class... T>
int launch(void (*kernel)(T...), const Launch* request, void** arguments, Failure* report) {
  pthread_mutex_lock(&launching);
  Call<T...> call{kernel, arguments};
  call_kernel = Call<T...>::run;
  kernel_call = &call;
  current = *request;
  failure = report;
  failed = false;
  block_index = {0, 0, 0};
  if (!map_stacks()) fail("no address space for the stacks of the threads", 0);
  if (!failed && accepts<T...>(request->kinds)) run_grid();
  const bool result = failed;
  pthread_mutex_unlock(&launching);
  return result;
}

template <class T, class Combine>
T update(Access access, T* address, Combine combine, int line) {
  shadow::atomic(access, address, sizeof(T), line);
  const T old = *address;
  *address = combine(old);
  return old;
}

}  // namespace emulated

// The parameters' names must hide no kernel's.
#define EMULATED_ENTRY(kernel)                                                              \
  extern "C" __attribute__((visibility("default"))) int kernel##__emulated(                 \
      const emulated::Launch* emulated_request, void** emulated_arguments,                  \
      emulated::Failure* emulated_failure) {                                                \
    return emulated::launch(kernel, emulated_request, emulated_arguments, emulated_failure); \
  }
// What a driver that is told nothing of a kernel asks: whether its threads meet.
#define EMULATED_MEETING(kernel, meets) \
  extern "C" __attribute__((visibility("default"))) const int kernel##__meets = meets;

#include "emulated_functions.h"
