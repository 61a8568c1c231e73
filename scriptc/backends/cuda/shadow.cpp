// Watches the accesses of a launch on the emulated device: what a GPU would let pass in silence.
//
// An access must lie in the buffer that its address leads to, be aligned, and read what somebody has
// written.  Two accesses of one place, of which one writes and not both are atomic, must be ordered:
// by one thread, by a __syncthreads of their block, by a __syncwarp of both, or by atomics between
// which and the access a fence stands, as where the last block of a launch adds up what others left.
//
// For each granule of memory, as small as the smallest element that was accessed, the last writer
// and two readers are kept, each with the time on a clock that goes on where threads are ordered.
// So what is found depends on the schedule only where three threads and more read one place.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace {

using namespace emulated;

constexpr unsigned WARP = 32, MAX_THREADS = 1024, SECTOR = 32, BANKS = 32;

// Who accessed a place and when; all zero stands for nobody, as time starts at one.
struct Stamp {
  uint64_t block : 24, thread : 10, atomic : 1, time : 29;
  explicit operator bool() const { return time != 0; }
};
struct Cell {
  Stamp writer, reader, other;
};

// A buffer, or all shared memory of a block, as one launch sees it.
struct Space {
  Region region;
  size_t granule = 0;  // 0: nothing was accessed yet
  std::vector<Cell> cells;
  std::vector<uint8_t> sectors;  // 1: read, 2: written
};

struct Release {
  unsigned thread;
  uint64_t fence, barrier;  // what it orders: its thread's accesses before, its block's before
};
using Releases = std::map<uint64_t, Release>;  // by block

struct Acquired {
  unsigned thread;
  uint64_t time;
  Releases releases;
};

// An access of shared memory or of a sector, at the n-th time that a thread came by a place.
struct Visit {
  unsigned warp, phase;
  uint64_t place, nth, word;
  bool is_shared;
  auto key() const { return std::tie(is_shared, warp, place, nth, phase, word); }
};

std::vector<Space> spaces;  // by address; the last one is shared memory
Traffic* traffic;
uint64_t now, block, barrier_time;
uint64_t fences[MAX_THREADS];         // of this block's threads; 0: none
uint32_t met[MAX_THREADS][WARP];      // when each thread met each lane of its warp
std::unordered_map<uintptr_t, Releases> released;  // by the address of an atomic
std::vector<Acquired> acquired;       // by this block
std::vector<Visit> visits;            // of this block
std::unordered_map<uint64_t, uint64_t> counts;  // by thread and place, of this block
uint64_t accesses[MAX_THREADS];
char message[400];

const char* text_of(Access access) {
  return access == Access::Read ? "reads" : access == Access::Write ? "writes" : "updates";
}
bool reads(Access access) { return access == Access::Read || access == Access::Update; }
bool is_atomic(Access access) { return access == Access::Update || access == Access::Exchange; }

template <class... Values>
const char* wrong(const Touch& touch, const char* format, Values... values) {
  const int used = snprintf(message, sizeof message, "thread %u %s element %lld of %s, ", touch.thread,
                            text_of(touch.access), touch.index, touch.name);
  snprintf(message + used, sizeof message - used, format, values...);
  return message;
}

// ---- Which memory ------------------------------------------------------------------------------

bool holds(const Space& space, uintptr_t at) {
  return at >= space.region.begin && at <= space.region.begin + space.region.bytes;
}

Space* space_of(uintptr_t at) {
  static size_t last = 0;
  if (last < spaces.size() && holds(spaces[last], at)) return &spaces[last];
  for (size_t i = 0; i < spaces.size(); ++i)
    if (holds(spaces[i], at)) return &spaces[last = i];
  return nullptr;
}

// Makes granules smaller: an access of a larger one was one of each of its parts.
void refine(Space& space, size_t size) {
  const size_t granule = std::min<size_t>(size, 16);
  if (!space.granule) {
    space.granule = granule;
    space.cells.assign(space.region.bytes / granule + 1, Cell{});
    return;
  }
  if (granule >= space.granule) return;
  std::vector<Cell> finer(space.region.bytes / granule + 1, Cell{});
  const size_t ratio = space.granule / granule;
  for (size_t i = 0; i < finer.size() && i / ratio < space.cells.size(); ++i)
    finer[i] = space.cells[i / ratio];
  space.cells = std::move(finer);
  space.granule = granule;
}

// ---- Order -------------------------------------------------------------------------------------

bool is_acquired(Stamp before, unsigned thread) {
  for (const Acquired& one : acquired) {
    if (one.thread != thread && one.time >= barrier_time) continue;
    const auto found = one.releases.find(before.block);
    if (found == one.releases.end()) continue;
    const Release& release = found->second;
    if (before.time < release.barrier) return true;
    if (before.thread == release.thread && before.time < release.fence) return true;
  }
  return false;
}

bool is_ordered(Stamp before, unsigned thread) {
  if (before.block == block) {
    if (before.thread == thread || before.time < barrier_time) return true;
    if (before.thread / WARP == thread / WARP && met[thread][before.thread % WARP] > before.time)
      return true;
  }
  return is_acquired(before, thread);
}

const char* raced(const Touch& touch, Stamp before, const char* did) {
  return wrong(touch, "which thread %u of block number %llu has %s: nothing orders the two",
               (unsigned)before.thread, (unsigned long long)before.block, did);
}

void note_reader(Cell& cell, Stamp me) {
  const Stamp last = cell.reader;
  const bool is_me = last.block == me.block && last.thread == me.thread;
  if (last && !is_me && (!cell.other || last.block != me.block || cell.other.block == me.block))
    cell.other = last;
  cell.reader = me;
}

const char* ordered_with(const Touch& touch, Cell& cell, Stamp me) {
  const bool atomic = is_atomic(touch.access);
  const Stamp writer = cell.writer;
  if (writer && !(atomic && writer.atomic) && !is_ordered(writer, touch.thread))
    return raced(touch, writer, "written");
  if (touch.access == Access::Read) return note_reader(cell, me), nullptr;
  for (Stamp reader : {cell.reader, cell.other})
    if (reader && !is_ordered(reader, touch.thread)) return raced(touch, reader, "read");
  cell.writer = me;
  return nullptr;
}

const char* look_for_races(Space& space, const Touch& touch, size_t offset) {
  refine(space, touch.size);
  const Stamp me{block, touch.thread, is_atomic(touch.access), now};
  const size_t end = offset + touch.size;
  for (size_t at = offset / space.granule; at * space.granule < end; ++at)
    if (const char* race = ordered_with(touch, space.cells[at], me)) return race;
  return nullptr;
}

// A fence before an atomic lets who finds its result see what came before; the finder waits for it.
void pass_on(const Touch& touch, uintptr_t at) {
  const auto found = released.find(at);
  if (found != released.end()) acquired.push_back({touch.thread, now, found->second});
  if (fences[touch.thread])
    released[at][block] = {touch.thread, fences[touch.thread], barrier_time};
}

// ---- Traffic -----------------------------------------------------------------------------------

// Wide accesses of shared memory take turns: half a warp at a time for 8 bytes, a quarter for 16.
void count_shared(const Touch& touch, size_t offset, unsigned warp, uint64_t place, uint64_t nth) {
  const unsigned lane = touch.thread % WARP;
  const unsigned phase = lane * std::max<size_t>(touch.size / 4, 1) / WARP;
  for (size_t word = offset / 4; word * 4 < offset + touch.size; ++word)
    visits.push_back({warp, phase, place, nth, word, true});
}

void count_global(Space& space, const Touch& touch, size_t offset, unsigned warp, uint64_t place,
                  uint64_t nth) {
  if (space.sectors.empty()) space.sectors.resize(space.region.bytes / SECTOR + 1);
  if (reads(touch.access)) traffic->read_bytes += touch.size;
  if (touch.access != Access::Read) traffic->written_bytes += touch.size;
  for (size_t sector = offset / SECTOR; sector * SECTOR < offset + touch.size; ++sector) {
    uint8_t& seen = space.sectors[sector];
    if (reads(touch.access) && !(seen & 1)) ++traffic->read_sectors, seen |= 1;
    if (touch.access != Access::Read && !(seen & 2)) ++traffic->written_sectors, seen |= 2;
    visits.push_back({warp, 0, place, nth, space.region.begin / SECTOR + sector, false});
  }
}

void count(Space& space, const Touch& touch, size_t offset) {
  const uint64_t place = (uint64_t)(uintptr_t)touch.name * 31 + touch.line;
  const uint64_t nth = counts[place * MAX_THREADS + touch.thread]++;
  const unsigned warp = touch.thread / WARP;
  ++accesses[touch.thread];
  if (&space == &spaces.back()) return count_shared(touch, offset, warp, place, nth);
  count_global(space, touch, offset, warp, place, nth);
}

// How many turns beyond the first a run of visits, those of one warp at once, takes.
uint64_t conflicts(const Visit* first, const Visit* last) {
  uint64_t words[BANKS] = {}, most = 0;
  for (const Visit* v = first; v != last; ++v) most = std::max(most, ++words[v->word % BANKS]);
  return most - 1;
}

void count_block() {
  if (!traffic) return;
  auto less = [](const Visit& a, const Visit& b) { return a.key() < b.key(); };
  auto same = [](const Visit& a, const Visit& b) { return a.key() == b.key(); };
  std::sort(visits.begin(), visits.end(), less);
  visits.erase(std::unique(visits.begin(), visits.end(), same), visits.end());
  auto turn = [](const Visit& v) { return std::tie(v.is_shared, v.warp, v.place, v.nth, v.phase); };
  for (size_t i = 0, end; i < visits.size(); i = end) {
    for (end = i; end < visits.size() && turn(visits[end]) == turn(visits[i]);) ++end;
    if (visits[i].is_shared) traffic->bank_conflicts += conflicts(&visits[i], &visits[0] + end);
    else traffic->warp_sectors += end - i;
  }
  for (uint64_t& made : accesses) traffic->longest = std::max(traffic->longest, made), made = 0;
  visits.clear();
  counts.clear();
}

// ---- What a launch calls -----------------------------------------------------------------------

void begin(const Region* regions, size_t number, const char* shared, size_t shared_bytes,
           Traffic* counted) {
  static std::vector<uint8_t> written;
  written.assign(shared_bytes, 0);
  spaces.clear();
  for (size_t i = 0; i < number; ++i) spaces.push_back({regions[i]});
  spaces.push_back({{(uintptr_t)shared, shared_bytes, written.data()}});
  traffic = counted;
  now = 1;
  released.clear();
}

void end() {
  count_block();
  spaces.clear();
}

void new_block(uint64_t number) {
  count_block();
  Space& shared = spaces.back();
  memset(shared.region.written, 0, shared.region.bytes);
  shared.granule = 0;
  block = number;
  barrier_time = ++now;
  memset(fences, 0, sizeof fences);
  memset(met, 0, sizeof met);
  acquired.clear();
}

void barrier() { barrier_time = ++now; }

void warp_barrier(unsigned warp, unsigned mask) {
  ++now;
  for (unsigned i = 0; i < WARP; ++i)
    for (unsigned k = 0; k < WARP; ++k)
      if (mask >> i & mask >> k & 1) met[warp * WARP + i][k] = (uint32_t)now;
}

void fence(unsigned thread) { fences[thread] = ++now; }

const char* touched(const Touch* touch) {
  const uintptr_t base = (uintptr_t)touch->base;
  const uintptr_t at = base + (uintptr_t)touch->index * touch->size;
  Space* space = space_of(base);
  if (!space) return wrong(*touch, "which leads to no buffer");
  const Region& region = space->region;
  if (at < region.begin || at + touch->size > region.begin + region.bytes ||
      (touch->count && (unsigned long long)touch->index >= touch->count)) {
    const long long first = touch->count ? 0 : -(long long)((base - region.begin) / touch->size);
    const long long count = touch->count ? touch->count : region.bytes / touch->size;
    return wrong(*touch, "whose memory has elements %lld to %lld", first, first + count - 1);
  }
  if (at % touch->alignment)
    return wrong(*touch, "which is not aligned to %zu bytes", touch->alignment);
  const size_t offset = at - region.begin;
  uint8_t* const written = region.written + offset;
  if (reads(touch->access) && memchr(written, 0, touch->size))
    return wrong(*touch, "which nobody has written");
  if (const char* race = look_for_races(*space, *touch, offset)) return race;
  if (touch->access != Access::Read) memset(written, 1, touch->size);
  if (is_atomic(touch->access)) pass_on(*touch, at);
  if (traffic) count(*space, *touch, offset);
  return nullptr;
}

const Watch WATCH = {begin, end, new_block, barrier, warp_barrier, fence, touched};

}  // namespace

extern "C" __attribute__((visibility("default"))) const Watch* emulated_watch() { return &WATCH; }
