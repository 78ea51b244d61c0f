// What a cluster's scheduler has granted this process, by the environment that Slurm gives its jobs.
#pragma once

#include <functional>
#include <optional>

namespace vantage {

struct Granted {
  bool by_slurm = false;             // false: nothing is limited, and the rest is empty
  std::optional<int> threads;        // CPUs of the task, else of the job on this node
  std::optional<double> host_bytes;  // of memory on this node; nothing: all of it
  bool gpu = false;                  // at least one
};

// `variable` gives an environment variable, null where it is not set. Values that are no numbers are as
// absent ones.
Granted granted_by(const std::function<const char*(const char*)>& variable);

}  // namespace vantage
