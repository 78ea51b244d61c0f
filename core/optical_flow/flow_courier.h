// Pictures and flows on their way to and from the device that the flow is estimated on, for callers whose own
// are on the host.
#pragma once

#include <memory>

#include "core/image/backend/memory_transfer.h"
#include "core/optical_flow/optical_flow.h"

namespace vantage {

class FlowCourier {
 public:
  static Result<FlowCourier> make(const DeviceBackends& backends) {
    FlowCourier courier;
    VANTAGE_ASSIGN(courier.transfer_, backends.create<MemoryTransfer>({}));
    return courier;
  }
  // An empty image stays empty.
  Result<Image> upload(const Image& image) const {
    return image ? transfer_->upload(image, 0, 0) : Result<Image>(image);
  }
  Result<Image> download(const Image& image) const {
    return image ? transfer_->download(image, 0, 0) : Result<Image>(image);
  }
  Result<FlowField> upload(FlowField field) const {
    VANTAGE_ASSIGN(field.vectors, upload(field.vectors));
    return field;
  }
  Result<FlowField> download(FlowField field) const {
    VANTAGE_ASSIGN(field.vectors, download(field.vectors));
    VANTAGE_ASSIGN(field.confidence, download(field.confidence));
    return field;
  }

 private:
  std::unique_ptr<MemoryTransfer> transfer_;
};

}  // namespace vantage
