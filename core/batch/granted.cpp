#include "core/batch/granted.h"

#include <charconv>
#include <string_view>

namespace vantage {
namespace {

constexpr double kMegabyte = 1024.0 * 1024.0;  // Slurm's

}  // namespace

Granted granted_by(const std::function<const char*(const char*)>& variable) {
  const auto number = [&](const char* name) -> std::optional<int64_t> {
    const char* const text = variable(name);
    if (!text) return std::nullopt;
    const std::string_view digits(text);
    int64_t value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (read.ec != std::errc() || value <= 0) return std::nullopt;  // "4(x2)" is 4 on each of two nodes
    return value;
  };
  Granted granted;
  if (!variable("SLURM_JOB_ID")) return granted;
  granted.by_slurm = true;
  auto threads = number("SLURM_CPUS_PER_TASK");
  if (!threads) threads = number("SLURM_CPUS_ON_NODE");
  if (threads) granted.threads = static_cast<int>(*threads);
  if (const auto of_node = number("SLURM_MEM_PER_NODE"))
    granted.host_bytes = kMegabyte * static_cast<double>(*of_node);
  else if (const auto of_cpu = number("SLURM_MEM_PER_CPU"); of_cpu && threads)
    granted.host_bytes = kMegabyte * static_cast<double>(*of_cpu) * static_cast<double>(*threads);
  const char* const devices = variable("CUDA_VISIBLE_DEVICES");
  granted.gpu = devices && *devices != '\0' && std::string_view(devices) != "NoDevFiles";
  return granted;
}

}  // namespace vantage
