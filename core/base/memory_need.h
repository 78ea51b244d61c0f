// Memory that something takes, estimated before it is begun, and whether it is there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace vantage {

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

// An empty figure is not known, and no analysis is refused for it.
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

// out_of_memory where it does not fit: what is needed and there, what takes most, and how that becomes less.
Status check_memory(const MemoryNeed& need, const MemoryAvailable& available);

}  // namespace vantage
