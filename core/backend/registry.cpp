#include "core/backend/registry.h"

namespace vantage {

std::string_view device_name(Device device) {
  return device == Device::cpu ? "cpu" : "cuda";
}

std::vector<std::pair<std::string, Device>> BackendRegistry::entries() const {
  std::vector<std::pair<std::string, Device>> keys;
  for (const auto& [key, factory] : factories_) keys.push_back(key);
  return keys;
}

tl::unexpected<Error> BackendRegistry::missing(std::string_view algorithm, Device device) {
  return fail(ErrorKind::unsupported, "no implementation on " + std::string(device_name(device)),
              std::string(algorithm),
              device == Device::cuda
                  ? "Choose --backend cpu, or see `vantage-cli doctor` for the devices found."
                  : "This algorithm runs on other devices only.");
}

}  // namespace vantage
