#include "core/image/backend/registry.h"

namespace vantage {

std::string_view device_name(Device device) {
  return device == Device::cpu ? "cpu" : "cuda";
}

std::vector<std::string> BackendRegistry::methods(std::string_view algorithm, Device device) const {
  std::vector<std::string> found;
  for (const auto& [key, factory] : factories_)
    if (std::get<0>(key) == algorithm && std::get<2>(key) == device) found.push_back(std::get<1>(key));
  return found;
}

std::vector<BackendRegistry::Entry> BackendRegistry::entries() const {
  std::vector<Entry> all;
  for (const auto& [key, factory] : factories_)
    all.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key)});
  return all;
}

tl::unexpected<Error> BackendRegistry::missing(std::string_view algorithm, std::string_view method,
                                               Device device) const {
  const std::string where(algorithm), device_text(device_name(device));
  if (method.empty())
    return fail(ErrorKind::unsupported, "no implementation on " + device_text, where,
                device == Device::cuda
                    ? "Choose --backend cpu, or see `vantage-cli doctor` for the devices found."
                    : "This algorithm runs on other devices only.");
  std::string others;
  for (const std::string& other : methods(algorithm, device))
    others += (others.empty() ? "Choose " : " or ") + where + ".method=" + other;
  const bool elsewhere =
      device != Device::cpu && factories_.contains(Key{where, std::string(method), Device::cpu});
  if (elsewhere) others += (others.empty() ? "Choose" : ", or") + std::string(" --backend cpu");
  return fail(ErrorKind::unsupported,
              "method " + std::string(method) +
                  (elsewhere || device != Device::cpu ? " has no implementation on " + device_text
                                                      : " is not part of this program"),
              where, others.empty() ? "" : others + ".");
}

}  // namespace vantage
