#include "core/foreground/methods.h"

#include "core/algorithms.h"
#include "core/base/hash.h"
#include "core/foreground/gaussian_cpu.h"
#include "core/foreground/knn/knn.h"

namespace vantage {

namespace {

#ifdef VANTAGE_KNN
constexpr auto kRegisterKnn = register_knn_cpu;
#else
constexpr void (*kRegisterKnn)(BackendRegistry&) = nullptr;  // built without OpenCV's video module
#endif

}  // namespace

std::span<const ForegroundMethodInfo> foreground_methods() {
  static constexpr ForegroundMethodInfo kMethods[] = {
      // 12 of the model: 2 values of each luma pixel and of both chroma planes, floats; 11 of evidence,
      // distances and votes.
      {.name = ForegroundModel::kDefaultMethod, .bytes_per_px = 24, .register_cpu = register_gaussian_cpu},
      // 21 samples of 4 bytes, the picture in B, G, R twice, its mask.
      {.name = "knn",
       .parameters = parameter_table<KnnParameters>,
       .saves_state = false,
       .bytes_per_px = 91,
       .register_cpu = kRegisterKnn},
  };
  return kMethods;
}

std::vector<std::string> foreground_method_names() {
  std::vector<std::string> names;
  for (const ForegroundMethodInfo& method : foreground_methods()) names.emplace_back(method.name);
  return names;
}

const ForegroundMethodInfo& foreground_method(const ForegroundParameters& parameters) {
  return foreground_methods()[static_cast<size_t>(parameters.method)];
}

uint64_t foreground_parameter_hash(const ParameterStore& parameters) {
  const uint64_t stage = parameters.hash(parameter_table<ForegroundParameters>().stage);
  const ForegroundMethodInfo& method = foreground_method(parameters.get<ForegroundParameters>());
  if (!method.parameters) return stage;
  return Hasher().add(stage).add(parameters.hash(method.parameters().stage)).value();
}

void register_foreground_cpu(BackendRegistry& registry) {
  for (const ForegroundMethodInfo& method : foreground_methods())
    if (method.register_cpu) method.register_cpu(registry);
}

}  // namespace vantage
