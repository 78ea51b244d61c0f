// Implementations of algorithms, keyed by (algorithm interface, method, device). Most
// algorithms have one method, whose name is empty; where there are several the stage's parameter `method`
// chooses (core/foreground/methods.h).
//
// Registration is explicit: the program calls register_cpu_backends() (core/algorithms.h) and, if it was
// built with CUDA and a device answers, register_cuda_backends(). There is no silent fallback: to request
// what is not registered is an error.
#pragma once

#include <any>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/base/trace.h"

namespace vantage {

enum class Device : uint8_t { cpu, cuda };
std::string_view device_name(Device device);  // "cpu", "cuda"

// The resources that an implementation can use. The trace outlives everything made with it.
struct BackendContext {
  TraceRecorder* trace = nullptr;
  int device_index = 0;  // which GPU, for Device::cuda
};

// An algorithm interface I names itself by `static constexpr std::string_view kAlgorithm = "carving";`, its
// factory's extra arguments by `using Arguments = ...;` (one struct) and, where it has several methods, the
// one that is meant without a name by `kDefaultMethod`.
class BackendRegistry {
 public:
  template <typename I>
  using Factory =
      std::function<Result<std::unique_ptr<I>>(const BackendContext&, const typename I::Arguments&)>;

  template <typename I>
  void add(Device device, Factory<I> factory) {
    add<I>(default_method<I>(), device, std::move(factory));
  }
  template <typename I>
  void add(std::string_view method, Device device, Factory<I> factory) {
    factories_[key<I>(method, device)] = std::move(factory);
  }

  template <typename I>
  Result<std::unique_ptr<I>> create(Device device, const BackendContext& context,
                                    const typename I::Arguments& arguments) const {
    return create<I>(default_method<I>(), device, context, arguments);
  }
  // Errors: unsupported where no such method is registered for the device; the factory's.
  template <typename I>
  Result<std::unique_ptr<I>> create(std::string_view method, Device device, const BackendContext& context,
                                    const typename I::Arguments& arguments) const {
    const auto found = factories_.find(key<I>(method, device));
    if (found == factories_.end()) return missing(I::kAlgorithm, method, device);
    return std::any_cast<const Factory<I>&>(found->second)(context, arguments);
  }

  // True if any method is registered.
  template <typename I>
  bool has(Device device) const {
    return !methods(I::kAlgorithm, device).empty();
  }
  template <typename I>
  bool has(std::string_view method, Device device) const {
    return factories_.contains(key<I>(method, device));
  }

  // The methods of an algorithm that are registered for a device.
  std::vector<std::string> methods(std::string_view algorithm, Device device) const;

  // Everything registered; for `doctor`.
  struct Entry {
    std::string algorithm, method;
    Device device = Device::cpu;
  };
  std::vector<Entry> entries() const;

 private:
  template <typename I>
  static constexpr std::string_view default_method() {
    if constexpr (requires { I::kDefaultMethod; })
      return I::kDefaultMethod;
    else
      return {};
  }
  using Key = std::tuple<std::string, std::string, Device>;
  template <typename I>
  static Key key(std::string_view method, Device device) {
    return {std::string(I::kAlgorithm), std::string(method), device};
  }
  tl::unexpected<Error> missing(std::string_view algorithm, std::string_view method, Device device) const;
  std::map<Key, std::any> factories_;
};

// The implementations of one device and what they may use, from which a chain is built. Cheap to copy; the
// registry outlives it.
struct DeviceBackends {
  DeviceBackends() = default;
  DeviceBackends(const BackendRegistry* from,  // NOLINT(google-explicit-constructor)
                 Device on = Device::cpu, const BackendContext& with = {})
      : registry(from), device(on), context(with) {}

  const BackendRegistry* registry = nullptr;
  Device device = Device::cpu;
  BackendContext context;

  explicit operator bool() const { return registry != nullptr; }
  bool on_gpu() const { return device != Device::cpu; }
  template <typename I>
  bool has() const {
    return registry->has<I>(device);
  }
  template <typename I>
  Result<std::unique_ptr<I>> create(const typename I::Arguments& arguments) const {
    return registry->create<I>(device, context, arguments);
  }
  template <typename I>
  Result<std::unique_ptr<I>> create(std::string_view method, const typename I::Arguments& arguments) const {
    return registry->create<I>(method, device, context, arguments);
  }
};

}  // namespace vantage
