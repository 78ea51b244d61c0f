#include "core/base/memory.h"

#include <fmt/core.h>
#include <malloc.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <new>
#include <numeric>

#include "core/base/text.h"

namespace vantage {
namespace {

const char* ending_program = "";
std::terminate_handler other_end = nullptr;
std::atomic<bool> ran_out{false};

// The handler that operator new calls before it gives up.
[[noreturn]] void note_that_memory_ran_out() {
  ran_out = true;
  throw std::bad_alloc();
}

// Allocates no memory itself.
void say_memory_ran_out() {
  const auto part = [](const char* text) { return iovec{const_cast<char*>(text), std::strlen(text)}; };
  const iovec parts[] = {part(ending_program), part(": "), part(kMemoryRanOut), part("\n")};
  static_cast<void>(!::writev(STDERR_FILENO, parts, 4));
}

// True when lack of memory ends the program. An exception out of a function that must not throw (a destructor
// that allocates, as nlohmann's) cannot be examined.
bool ends_over_memory() {
  if (!std::current_exception()) return ran_out && std::uncaught_exceptions() > 0;
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

[[noreturn]] void end() {
  if (ends_over_memory()) {
    say_memory_ran_out();
    ::_exit(1);
  }
  other_end();
  std::abort();
}

}  // namespace

void end_where_memory_runs_out(const char* program) {
  ending_program = program;
  std::set_new_handler(note_that_memory_ran_out);
  other_end = std::set_terminate(end);
}

void give_back_large_blocks() {
  mallopt(M_MMAP_THRESHOLD, kLarge_bytes);
}

void give_back_free_memory() {
  malloc_trim(0);
}

namespace {

constexpr double kShareWorthNaming = 0.01;

double bytes_of(const MemoryShare& share, bool on_device) {
  return on_device ? share.device_bytes : share.host_bytes;
}

double sum(const MemoryNeed& need, bool on_device) {
  return std::accumulate(
      need.shares.begin(), need.shares.end(), 0.0,
      [&](double bytes, const MemoryShare& share) { return bytes + bytes_of(share, on_device); });
}

std::vector<const MemoryShare*> largest_first(const MemoryNeed& need, bool on_device) {
  std::vector<const MemoryShare*> shares;
  for (const MemoryShare& share : need.shares) shares.push_back(&share);
  std::stable_sort(shares.begin(), shares.end(), [&](const MemoryShare* a, const MemoryShare* b) {
    return bytes_of(*a, on_device) > bytes_of(*b, on_device);
  });
  return shares;
}

std::optional<double> number_in(const std::filesystem::path& file) {
  std::ifstream in(file);
  double value = 0;
  if (in >> value) return value;
  return std::nullopt;  // also "max"
}

std::optional<double> available_by_kernel() {
  std::ifstream in("/proc/meminfo");
  std::string key, unit;
  for (double kilobytes = 0; in >> key >> kilobytes; std::getline(in, unit))
    if (key == "MemAvailable:") return 1024 * kilobytes;
  return std::nullopt;
}

// Memory available to the control group that the process sees as its root: a container's.
std::optional<double> available_by_group() {
  const std::filesystem::path group = "/sys/fs/cgroup";
  const auto max = number_in(group / "memory.max"), used = number_in(group / "memory.current");
  if (!max || !used) return std::nullopt;
  return std::max(0.0, *max - *used);
}

Status check_place(const MemoryNeed& need, const std::optional<double>& available, bool on_device) {
  const double bytes = sum(need, on_device);
  if (!available || bytes <= *available) return {};
  const MemoryShare& largest = *largest_first(need, on_device).front();
  return fail(
      ErrorKind::out_of_memory,
      memory_text(bytes) +
          (on_device ? " of GPU memory are needed, available: " : " of memory are needed, available: ") +
          memory_text(*available),
      shares_text(need, on_device), largest.remedy);
}

}  // namespace

double MemoryNeed::host_bytes() const {
  return sum(*this, false);
}
double MemoryNeed::device_bytes() const {
  return sum(*this, true);
}

std::optional<double> free_host_bytes() {
  const auto kernel = available_by_kernel(), group = available_by_group();
  if (kernel && group) return std::min(*kernel, *group);
  return kernel ? kernel : group;
}

std::string memory_text(double bytes) {
  return bytes < 999.5e6 ? fmt::format("{:.0f} MB", bytes * 1e-6) : fmt::format("{:.1f} GB", bytes * 1e-9);
}

std::string memory_text(const MemoryNeed& need, const MemoryAvailable& available) {
  const auto of = [](double bytes, const std::optional<double>& there) {
    return memory_text(bytes) + (there ? " of " + memory_text(*there) : "");
  };
  std::string text = of(need.host_bytes(), available.host_bytes);
  if (need.device_bytes() > 0) text += ", GPU " + of(need.device_bytes(), available.device_bytes);
  return text;
}

std::string shares_text(const MemoryNeed& need, bool on_device) {
  const double all = sum(need, on_device);
  std::string text;
  for (const MemoryShare* share : largest_first(need, on_device)) {
    const double bytes = bytes_of(*share, on_device);
    if (bytes <= 0 || bytes < kShareWorthNaming * all) break;
    append_item(&text, share->of + " " + memory_text(bytes));
  }
  return text;
}

Status check_memory(const MemoryNeed& need, const MemoryAvailable& available) {
  VANTAGE_TRY(check_place(need, available.device_bytes, true));
  return check_place(need, available.host_bytes, false);
}

}  // namespace vantage
