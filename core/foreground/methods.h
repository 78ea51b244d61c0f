// The methods that foreground.method chooses from. Adding one: its folder, its line in methods.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/foreground/foreground.h"

namespace vantage {

struct ForegroundMethodInfo {
  std::string_view name;  // also of its implementations in the registry
  // Its own parameters; null: they are among the stage's (ForegroundParameters).
  const ParameterTable& (*parameters)() = nullptr;
  // ForegroundModel::save() works. Otherwise a frame after a jump is computed from the recording's start.
  bool saves_state = true;
  double bytes_per_px = 0;  // of the model and its working memory, without indicator and mask
  void (*register_cpu)(BackendRegistry& registry) = nullptr;  // null: this program was built without it
};

// In the order of the parameter's choices. The registry knows which of them a program has on a device.
std::span<const ForegroundMethodInfo> foreground_methods();
std::vector<std::string> foreground_method_names();

const ForegroundMethodInfo& foreground_method(const ForegroundParameters& parameters);

// Hash of the parameters that the chosen method uses: those of other methods make nothing out of date.
uint64_t foreground_parameter_hash(const ParameterStore& parameters);

}  // namespace vantage
