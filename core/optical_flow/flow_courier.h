// Pictures and flows on their way to and from the device that the flow is estimated on, for callers whose own
// are on the host. Where that device is the CPU nothing moves.
#pragma once

#include <memory>

#include "core/backend/memory_transfer.h"
#include "core/optical_flow/optical_flow.h"

namespace vantage {

class FlowCourier {
 public:
  static Result<FlowCourier> make(const BackendRegistry& registry, Device device, int device_index) {
    FlowCourier courier;
    if (device != Device::cpu) {
      VANTAGE_ASSIGN(courier.transfer_, registry.create<MemoryTransfer>(device, {nullptr, device_index}, {}));
    }
    return courier;
  }
  // An empty image stays empty.
  Result<Image> there(const Image& image) const {
    if (!transfer_ || !image) return image;
    return transfer_->upload(image, 0, 0);
  }
  Result<Image> back(const Image& image) const {
    if (!transfer_ || !image) return image;
    return transfer_->download(image, 0, 0);
  }
  Result<FlowField> there(FlowField field) const {
    VANTAGE_ASSIGN(field.vectors, there(field.vectors));
    return field;
  }
  Result<FlowField> back(FlowField field) const {
    VANTAGE_ASSIGN(field.vectors, back(field.vectors));
    VANTAGE_ASSIGN(field.confidence, back(field.confidence));
    return field;
  }

 private:
  std::unique_ptr<MemoryTransfer> transfer_;
};

}  // namespace vantage
