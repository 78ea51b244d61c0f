#include "core/base/memory_need.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "core/base/formatted.h"

namespace vantage {
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
  return bytes < 999.5e6 ? formatted("%.0f MB", bytes * 1e-6) : formatted("%.1f GB", bytes * 1e-9);
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
    text += (text.empty() ? "" : ", ") + share->of + " " + memory_text(bytes);
  }
  return text;
}

Status check_memory(const MemoryNeed& need, const MemoryAvailable& available) {
  VANTAGE_TRY(check_place(need, available.device_bytes, true));
  return check_place(need, available.host_bytes, false);
}

}  // namespace vantage
