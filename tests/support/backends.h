// The devices a parity test runs on: those the program itself would find.
//   DeviceUnderTest device(GetParam());
//   if (!device.has<Carver>()) GTEST_SKIP() << device.why_missing();
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "app/backends/backends.h"
#include "core/image/backend/memory_transfer.h"

namespace vantage::test {

inline const Backends& found_backends() {
  static TraceRecorder trace;
  static const Backends backends = open_backends("auto", &trace).value();
  return backends;
}

class DeviceUnderTest {
 public:
  explicit DeviceUnderTest(Device device) : device_(device) {
    context_.trace = &trace_;
    context_.device_index = found_backends().device_index;
    if (registry().has<MemoryTransfer>(device))
      transfer_ = registry().create<MemoryTransfer>(device, context_, {}).value();
  }

  Device device() const { return device_; }
  const BackendRegistry& registry() const { return found_backends().registry; }
  template <typename I>
  bool has() const {
    return registry().has<I>(device_) && transfer_;
  }
  std::string why_missing() const {
    std::string why = "nothing to test on " + std::string(device_name(device_));
    for (const std::string& note : found_backends().notes) why += ": " + note;
    return why;
  }
  template <typename I>
  std::unique_ptr<I> create(const typename I::Arguments& arguments) const {
    return registry().create<I>(device_, context_, arguments).value();
  }

  // Host content in the device's memory and back; on the CPU the very same buffers.
  template <typename T>
  T to_device(const T& host) {
    return host ? transfer_->upload(host, -1, -1).value() : host;
  }
  template <typename T>
  T to_host(const T& on_device) {
    return on_device ? transfer_->download(on_device, -1, -1).value() : on_device;
  }

 private:
  Device device_;
  TraceRecorder trace_;
  BackendContext context_;
  std::unique_ptr<MemoryTransfer> transfer_;
};

inline std::string device_test_name(const ::testing::TestParamInfo<Device>& info) {
  return std::string(device_name(info.param));
}

}  // namespace vantage::test
