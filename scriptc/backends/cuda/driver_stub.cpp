// A CUDA driver whose device is the CPU: the functions of libcuda that scriptc calls, by their names.
//
// It runs kernels that g++ has compiled against emulator.h, and refuses what a driver refuses: what
// it did not hand out, launches of nothing, sizes over the limits.  Memory is poisoned and stands
// between fences; under guard nothing can touch it but kernels and copies, as that of a GPU.  What
// went wrong stands in `emulated_message`; `emulated_count` counts calls.

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <vector>

namespace {

enum Status {
  OK = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  INVALID_IMAGE = 200,
  INVALID_CONTEXT = 201,
  NOT_FOUND = 500,
  LAUNCH_FAILED = 719,
};

using emulated::Failure;
using emulated::Launch;
using emulated::Region;
using emulated::Traffic;
typedef int (*Entry)(const Launch*, void**, Failure*);

struct Kernel {
  std::string name;
  Entry entry;
  bool meets;
};

struct Allocation {
  unsigned char* whole;  // pages, with the fences
  size_t pages;          // in bytes
  size_t bytes;
  std::vector<uint8_t> written;  // by byte, for who watches launches
};

constexpr size_t FENCE = 256, PAGE = 4096;
constexpr unsigned char POISON = 0xff;
constexpr int CONTEXT = 1, ANOTHER = 2;  // of the device, and one that somebody else has made

std::recursive_mutex lock;
std::map<uintptr_t, Allocation> allocations;
std::map<std::string, long long> counts;
std::string message;
thread_local std::vector<void*> contexts;  // the last one is current
int schedule = 0;
unsigned seed = 1;
size_t held = 0, kept = 0, most = size_t(1) << 36;
bool guarded = false;
const emulated::Watch* watch = nullptr;
bool counting = false;
std::vector<std::pair<std::string, Traffic>> launches;  // that were counted

// What was copied to the host stands there once its stream was waited for, as with a GPU.
struct Copy {
  void *stream, *to;
  std::vector<uint8_t> bytes;
};
std::vector<Copy> under_way;

int refuse(int status, const std::string& what) {
  message = what;
  return status;
}

struct Call {
  std::lock_guard<std::recursive_mutex> guard;
  explicit Call(const char* name) : guard(lock) { ++counts[name]; }
  Call(const char* name, void* stream) : Call(name) {
    ++counts["stream " + std::to_string((uintptr_t)stream)];
  }
};

void protect(const Allocation& a, int access) {
  if (guarded) mprotect(a.whole, a.pages, access);
}

// A call of the driver, while the device's memory can be reached.
struct Work : Call {
  Work(const char* name, void* stream) : Call(name, stream) {
    for (const auto& one : allocations) protect(one.second, PROT_READ | PROT_WRITE);
  }
  ~Work() {
    for (const auto& one : allocations) protect(one.second, PROT_NONE);
  }
};

bool fences_hold(uintptr_t at, const Allocation& a) {
  auto check = [](const unsigned char* from) {
    for (size_t i = 0; i < FENCE; ++i)
      if (from[i] != POISON) return false;
    return true;
  };
  return check((unsigned char*)at - FENCE) && check((unsigned char*)at + a.bytes);
}

std::map<uintptr_t, Allocation>::iterator around(uintptr_t at) {
  auto found = allocations.upper_bound(at);
  if (found == allocations.begin()) return allocations.end();
  --found;
  return at <= found->first + found->second.bytes ? found : allocations.end();
}

bool has_context() { return !contexts.empty() && contexts.back() == (void*)CONTEXT; }

bool is_inside(uintptr_t at, size_t bytes) {
  auto found = around(at);
  return found != allocations.end() && at + bytes <= found->first + found->second.bytes;
}

// Notes that bytes of the device were written, but for a kernel, which is watched.
void note_written(uintptr_t at, size_t bytes) {
  const auto found = around(at);
  if (watch && bytes) memset(&found->second.written[at - found->first], 1, bytes);
}

std::vector<Region> regions() {
  std::vector<Region> found;
  for (auto& one : allocations)
    found.push_back({one.first, one.second.bytes, one.second.written.data()});
  return found;
}

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT void emulated_schedule(int order, unsigned number) {
  std::lock_guard<std::recursive_mutex> locked(lock);
  schedule = order;
  seed = number;
}
EXPORT void emulated_limit(unsigned long long memory) {
  std::lock_guard<std::recursive_mutex> locked(lock);
  most = memory;
}
EXPORT void emulated_guard(int guard) {
  std::lock_guard<std::recursive_mutex> locked(lock);
  guarded = guard;
}
EXPORT void emulated_watched(const emulated::Watch* watcher) {
  std::lock_guard<std::recursive_mutex> locked(lock);
  watch = watcher;
}
EXPORT void emulated_counting(int wanted) {
  std::lock_guard<std::recursive_mutex> locked(lock);
  counting = wanted;
  launches.clear();
}
EXPORT const char* emulated_launch(unsigned number, Traffic* traffic) {
  std::lock_guard<std::recursive_mutex> locked(lock);
  if (number >= launches.size()) return nullptr;
  *traffic = launches[number].second;
  return launches[number].first.c_str();
}
EXPORT const char* emulated_message() {
  std::lock_guard<std::recursive_mutex> locked(lock);
  thread_local std::string told;
  told = std::move(message);
  message.clear();
  return told.c_str();
}
EXPORT long long emulated_count(const char* name) {
  std::lock_guard<std::recursive_mutex> guard(lock);
  if (!strcmp(name, "live")) return (long long)allocations.size();
  auto found = counts.find(name);
  return found == counts.end() ? 0 : found->second;
}

EXPORT int cuInit(unsigned flags) { return flags ? INVALID_VALUE : OK; }
EXPORT int cuDriverGetVersion(int* version) { return *version = 13000, OK; }
EXPORT int cuDeviceGetCount(int* count) { return *count = 1, OK; }
EXPORT int cuDeviceGet(int* device, int number) {
  if (number) return refuse(101, "there is one device");
  return *device = 0, OK;
}
EXPORT int cuDeviceGetName(char* name, int size, int) {
  return snprintf(name, size, "emulated device (this processor)"), OK;
}
EXPORT int cuDeviceGetAttribute(int* value, int attribute, int) {
  // Compute capability 9.0; as many multiprocessors as an H200 has.
  return *value = attribute == 75 ? 9 : attribute == 76 ? 0 : attribute == 16 ? 132 : 0, OK;
}
EXPORT int cuDevicePrimaryCtxRetain(void** context, int) { return *context = (void*)CONTEXT, OK; }
EXPORT int cuCtxSetCurrent(void* context) {
  if (context > (void*)ANOTHER)
    return refuse(INVALID_CONTEXT, "a context that this driver has not made");
  if (!contexts.empty()) contexts.pop_back();
  if (context) contexts.push_back(context);
  return OK;
}
EXPORT int cuCtxGetCurrent(void** context) {
  return *context = contexts.empty() ? nullptr : contexts.back(), OK;
}
EXPORT int cuCtxPushCurrent_v2(void* context) { return contexts.push_back(context), OK; }
EXPORT int cuCtxPopCurrent_v2(void** context) {
  if (contexts.empty()) return refuse(INVALID_CONTEXT, "no context is current");
  return *context = contexts.back(), contexts.pop_back(), OK;
}
EXPORT int cuMemGetInfo_v2(size_t* free_, size_t* total) {
  return *total = most, *free_ = most - held, OK;
}

EXPORT int cuModuleLoadData(void** module, const void* image) {
  Call call("cuModuleLoadData");
  if (!has_context()) return refuse(INVALID_CONTEXT, "no context is current");
  *module = dlopen((const char*)image, RTLD_NOW | RTLD_LOCAL);
  return *module ? OK : refuse(INVALID_IMAGE, dlerror());
}
EXPORT int cuModuleGetFunction(void** function, void* module, const char* name) {
  Call call("cuModuleGetFunction");
  const std::string base(name);
  Entry entry = (Entry)dlsym(module, (base + "__emulated").c_str());
  const int* meets = (const int*)dlsym(module, (base + "__meets").c_str());
  if (!entry || !meets) return refuse(NOT_FOUND, "no kernel is called " + base);
  *function = new Kernel{base, entry, *meets != 0};
  return OK;
}

EXPORT int cuMemAllocAsync(uintptr_t* at, size_t bytes, void* stream) {
  Call call("cuMemAllocAsync", stream);
  if (!has_context()) return refuse(INVALID_CONTEXT, "no context is current");
  if (!bytes) return refuse(INVALID_VALUE, "no memory is asked for");
  if (bytes > most || held + kept > most - bytes) return refuse(OUT_OF_MEMORY, "out of memory");
  const size_t pages = (bytes + 2 * FENCE + PAGE - 1) / PAGE * PAGE;
  void* whole = mmap(nullptr, pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (whole == MAP_FAILED) return refuse(OUT_OF_MEMORY, "out of memory");
  memset(whole, POISON, pages);
  *at = (uintptr_t)whole + FENCE;  // aligned to 256 bytes
  allocations[*at] = {(unsigned char*)whole, pages, bytes, {}};
  if (watch) allocations[*at].written.resize(bytes);
  protect(allocations[*at], PROT_NONE);
  held += bytes;
  return OK;
}
EXPORT int cuMemFreeAsync(uintptr_t at, void* stream) {
  Work work("cuMemFreeAsync", stream);
  if (!has_context()) return refuse(INVALID_CONTEXT, "no context is current");
  auto found = allocations.find(at);
  if (found == allocations.end()) return refuse(INVALID_VALUE, "memory that is not there is freed");
  const bool whole = fences_hold(at, found->second);
  held -= found->second.bytes;
  kept += found->second.bytes;  // by the pool, until the stream is waited for
  munmap(found->second.whole, found->second.pages);
  allocations.erase(found);
  return whole ? OK : refuse(LAUNCH_FAILED, "a kernel wrote beside an allocation");
}
EXPORT int cuCtxSynchronize() {
  Call call("cuCtxSynchronize");
  for (Copy& copy : under_way) memcpy(copy.to, copy.bytes.data(), copy.bytes.size());
  under_way.clear();
  return OK;
}
EXPORT int cuDeviceGetDefaultMemPool(void** pool, int) { return *pool = (void*)1, OK; }
EXPORT int cuMemPoolTrimTo(void*, size_t) {
  Call call("cuMemPoolTrimTo");
  return kept = 0, OK;
}
EXPORT int cuMemGetAddressRange_v2(uintptr_t* base, size_t* bytes, uintptr_t at) {
  Call call("cuMemGetAddressRange");
  auto found = around(at);
  if (found == allocations.end()) return refuse(NOT_FOUND, "no allocation is there");
  return *base = found->first, *bytes = found->second.bytes, OK;
}
EXPORT int cuMemcpyDtoHAsync_v2(void* to, uintptr_t from, size_t bytes, void* stream) {
  Work work("cuMemcpyDtoHAsync", stream);
  if (!is_inside(from, bytes)) return refuse(INVALID_VALUE, "a copy from outside of allocations");
  const uint8_t* const first = (const uint8_t*)from;
  under_way.push_back({stream, to, {first, first + bytes}});
  return memset(to, POISON, bytes), OK;
}
EXPORT int cuMemcpyHtoDAsync_v2(uintptr_t to, const void* from, size_t bytes, void* stream) {
  Work work("cuMemcpyHtoDAsync", stream);
  if (!is_inside(to, bytes)) return refuse(INVALID_VALUE, "a copy to outside of allocations");
  note_written(to, bytes);
  return memcpy((void*)to, from, bytes), OK;
}
EXPORT int cuMemsetD8Async(uintptr_t at, unsigned char value, size_t count, void* stream) {
  Work work("cuMemsetD8Async", stream);
  if (!is_inside(at, count)) return refuse(INVALID_VALUE, "a fill outside of allocations");
  note_written(at, count);
  return memset((void*)at, value, count), OK;
}
EXPORT int cuStreamSynchronize(void* stream) {
  Call call("cuStreamSynchronize", stream);
  std::vector<Copy> others;
  for (Copy& copy : under_way) {
    if (copy.stream != stream) others.push_back(std::move(copy));
    else memcpy(copy.to, copy.bytes.data(), copy.bytes.size());
  }
  under_way = std::move(others);
  return kept = 0, OK;
}

EXPORT int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                          unsigned by, unsigned bz, unsigned shared, void* stream,
                          void** arguments, void** extra) {
  Work work("cuLaunchKernel", stream);
  if (!has_context()) return refuse(INVALID_CONTEXT, "no context is current");
  if (!function || extra || shared > 232448) return refuse(INVALID_VALUE, "no such launch");
  if (!gx || gx > 0x7fffffffu || !gy || gy > 65535 || !gz || gz > 65535)
    return refuse(INVALID_VALUE, "a grid outside of the limits");
  if (!bx || !by || !bz || (uint64_t)bx * by * bz > 1024)
    return refuse(INVALID_VALUE, "a block outside of the limits");
  const Kernel& kernel = *(const Kernel*)function;
  Launch launch{};
  launch.grid = {gx, gy, gz};
  launch.block = {bx, by, bz};
  launch.schedule = schedule;
  launch.seed = seed;
  launch.synchronises = kernel.meets;
  std::vector<Region> memory;
  Traffic traffic{};
  if (watch) {
    memory = regions();
    launch.watch = watch;
    launch.regions = memory.data();
    launch.region_count = memory.size();
    if (counting) launch.traffic = &traffic;
  }
  Failure failure{};
  if (kernel.entry(&launch, arguments, &failure)) {
    char text[900];
    snprintf(text, sizeof text, "%s (kernel %s, block (%u, %u, %u), line %d)", failure.what,
             kernel.name.c_str(), failure.block.x, failure.block.y, failure.block.z, failure.line);
    return refuse(LAUNCH_FAILED, text);
  }
  if (counting) launches.emplace_back(kernel.name, traffic);
  for (const auto& one : allocations)
    if (!fences_hold(one.first, one.second))
      return refuse(LAUNCH_FAILED, "kernel " + kernel.name + " wrote beside an allocation");
  return OK;
}
