// Flow on a device with host pictures in and out, for the parity tests.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "core/optical_flow/flow_courier.h"
#include "tests/support/data.h"
#include "tests/support/flow_images.h"

namespace vantage::test {

class FlowRunner {
 public:
  FlowRunner(const DeviceBackends& backends, const OpticalFlowParameters& parameters)
      : flow_(backends.create<OpticalFlow>({}).value()), courier_(FlowCourier::make(backends).value()) {
    flow_->set_parameters(parameters);
  }
  // What a flow over several pictures gives for the next one; empty for the first.
  FlowField next(const Image& picture, int64_t frame) {
    return courier_.download(flow_->next(courier_.upload(picture).value(), {}, frame).value()).value();
  }
  OpticalFlow& flow() { return *flow_; }
  // From one picture to the next, all on the host. The request's mask and initial flow are host images as
  // well.
  FlowField between(const Image& a, const Image& b, FlowRequest request = {}) {
    flow_->reset();
    request.mask = courier_.upload(request.mask).value();
    request.initial = courier_.upload(request.initial).value();
    EXPECT_FALSE(next(a, 0));
    return courier_.download(flow_->next(courier_.upload(b).value(), request, 1).value()).value();
  }

 private:
  std::unique_ptr<OpticalFlow> flow_;
  FlowCourier courier_;
};

struct FlowDifference {
  double mean_px = 0, worst_px = 0;
  int not_finite = 0;
};

// at(x, y) -> pair of dx, dy.
template <typename At>
FlowDifference flow_difference(const FlowField& field, const At& at, int border = 0) {
  const ImageView<const float> v = field.vectors.view<float>();
  FlowDifference result;
  double sum = 0;
  for (int y = border; y < field.height - border; ++y)
    for (int x = border; x < field.width - border; ++x) {
      const auto [dx, dy] = at(x, y);
      const double distance = std::hypot(v.at(2 * x, y) - dx, v.at(2 * x + 1, y) - dy);
      if (!std::isfinite(distance)) ++result.not_finite;
      sum += distance;
      result.worst_px = std::max(result.worst_px, distance);
    }
  result.mean_px = sum / std::max(1, (field.width - 2 * border) * (field.height - 2 * border));
  return result;
}

inline FlowDifference flow_difference(const FlowField& a, const FlowField& b) {
  const ImageView<const float> v = b.vectors.view<float>();
  return flow_difference(a, [&](int x, int y) { return std::pair(v.at(2 * x, y), v.at(2 * x + 1, y)); });
}

}  // namespace vantage::test
