// The C library's allocator in programs that run for days, and their end when memory runs out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace vantage {

// Blocks of kLarge_bytes and more come from the system and return to it one by one. glibc starts so, but
// raises the limit to the size of any freed block (32 MiB at most): pictures then lie among small blocks, and
// cameras that come and go leave gaps between them that never join again. Called once, at the start of a
// program.
inline constexpr int kLarge_bytes = 128 << 10;
void give_back_large_blocks();

// The message when memory runs out.
inline constexpr char kMemoryRanOut[] =
    "memory ran out: close other programs, or use fewer or smaller cameras at a time, a coarser grid, fewer "
    "--threads. What was saved before is untouched.";
// Memory that runs out where nothing can handle it (on a thread of its own, in a destructor) ends the program
// from now on with that sentence and exit code 1, not as a crash. Called once, at the start of a program
// without a window.
void end_where_memory_runs_out(const char* program);

// Returns free memory among small blocks to the system, page by page; for use after much memory was freed.
// Takes some milliseconds, in which other threads may wait for memory.
void give_back_free_memory();

// Memory needs, estimated before the work starts, compared with the available memory.

struct MemoryShare {
  std::string of;  // "carving"
  double host_bytes = 0, device_bytes = 0;
  std::string remedy;  // how this part becomes less
};

struct MemoryNeed {
  std::vector<MemoryShare> shares;
  double host_bytes() const;
  double device_bytes() const;
};

// An empty value is unknown, and no analysis is refused for it.
struct MemoryAvailable {
  std::optional<double> host_bytes, device_bytes;
};

// Memory that this process could still get on this machine: by the kernel's estimate, and by the limit of its
// control group. Nothing where neither can be read.
std::optional<double> free_host_bytes();

std::string memory_text(double bytes);  // "1.2 GB", "340 MB"

// "1.2 GB of 15.0 GB, GPU 3.4 GB of 80.0 GB"; what is 0 or not known is left out.
std::string memory_text(const MemoryNeed& need, const MemoryAvailable& available);
// "carving 1.1 GB, foreground 200 MB", the largest first; those below a hundredth are left out.
std::string shares_text(const MemoryNeed& need, bool on_device);

// out_of_memory where it does not fit, with the need, the available memory, the largest part and its remedy.
Status check_memory(const MemoryNeed& need, const MemoryAvailable& available);

}  // namespace vantage
