// What a launch on the emulated device is told: shared by emulator.h, driver_stub.cpp and shadow.cpp,
// and mirrored in emulator.py.
#pragma once

#include <stddef.h>
#include <stdint.h>

struct uint3 { unsigned x, y, z; };

namespace emulated {

// An allocation of the device, and for each byte whether somebody has written it.
struct Region {
  uintptr_t begin;
  size_t bytes;
  uint8_t* written;
};

// What a launch moved.  Sectors are those of 32 bytes: each once for the launch, and each once for
// every time that a warp reached it.
struct Traffic {
  uint64_t read_bytes, written_bytes;
  uint64_t read_sectors, written_sectors;
  uint64_t warp_sectors;
  uint64_t bank_conflicts;  // how often a warp had to take another turn at shared memory
  uint64_t longest;         // the accesses of the thread that made most
};

enum class Access { Read, Write, Update, Exchange };

// One access of a thread, to element `index` of what `name` is called at `line`.
struct Touch {
  Access access;
  const void* base;
  long long index;
  size_t size, alignment;
  size_t count;  // of a shared array's elements; 0: the buffer says it
  const char* name;
  int line;
  unsigned thread;
};

// What watches a launch in shadow mode (shadow.cpp).  `touch` returns what is wrong, or null.
struct Watch {
  void (*begin)(const Region* regions, size_t count, const char* shared, size_t shared_bytes,
                Traffic* traffic);
  void (*end)();
  void (*new_block)(uint64_t number);
  void (*barrier)();
  void (*warp_barrier)(unsigned warp, unsigned mask);
  void (*fence)(unsigned thread);
  const char* (*touch)(const Touch* touch);
};

struct Launch {
  uint3 grid;
  uint3 block;
  int schedule;
  unsigned seed;
  int synchronises;
  const char* kinds;  // "p8,i4,f4": what Python packed, one entry per argument
  const Watch* watch;  // null unless the kernel was compiled to be watched
  const Region* regions;
  size_t region_count;
  Traffic* traffic;  // null: nothing is counted
};

struct Failure {
  uint3 block;
  int line;
  char what[512];
};

}  // namespace emulated
