// Which implementations of an algorithm exist, keyed by (algorithm interface, device). Registration is
// explicit: the program calls register_cpu_backends() and, where it was built with CUDA and a device answers,
// register_cuda_backends(). There is no silent fallback: asking for a device that an algorithm has no
// implementation on is an error.
#pragma once

#include <any>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/base/trace.h"

namespace vantage {

enum class Device : uint8_t { cpu, cuda };
std::string_view device_name(Device device);  // "cpu", "cuda"

// What an implementation may use. The trace outlives everything made with it.
struct BackendContext {
  TraceRecorder* trace = nullptr;
  int device_index = 0;  // which GPU, for Device::cuda
};

// An algorithm interface I names itself by `static constexpr std::string_view kAlgorithm = "carving";` and
// its factory's extra arguments by `using Arguments = ...;` (one struct).
class BackendRegistry {
 public:
  template <typename I>
  using Factory =
      std::function<Result<std::unique_ptr<I>>(const BackendContext&, const typename I::Arguments&)>;

  template <typename I>
  void add(Device device, Factory<I> factory) {
    factories_[{std::string(I::kAlgorithm), device}] = std::move(factory);
  }

  template <typename I>
  Result<std::unique_ptr<I>> create(Device device, const BackendContext& context,
                                    const typename I::Arguments& arguments) const {
    const auto found = factories_.find({std::string(I::kAlgorithm), device});
    if (found == factories_.end()) return missing(I::kAlgorithm, device);
    return std::any_cast<const Factory<I>&>(found->second)(context, arguments);
  }

  template <typename I>
  bool has(Device device) const {
    return factories_.contains({std::string(I::kAlgorithm), device});
  }

  // (algorithm, device) of everything registered; for `doctor`.
  std::vector<std::pair<std::string, Device>> entries() const;

 private:
  static tl::unexpected<Error> missing(std::string_view algorithm, Device device);
  std::map<std::pair<std::string, Device>, std::any> factories_;
};

}  // namespace vantage
