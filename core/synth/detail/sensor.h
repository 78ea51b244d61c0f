// Makes a camera's picture of an ideal one: exposure that drifts and jumps, noise, and on request a time code
// burnt in.
//
// Exposure acts on linear light; here its factor g is applied to the coded values as g^(1/2.2), which is what
// the sRGB curve makes of it to about 2 of 255 steps.
#pragma once

#include <cstdint>
#include <vector>

#include "core/image/picture.h"
#include "core/synth/detail/scene.h"

namespace vantage::synth {

// I420 with limited range; Cb and Cr are of 2 x 2 pixels.
struct Planes {
  int width = 0, height = 0;
  std::vector<uint8_t> y, cb, cr;
};

class Sensor {
 public:
  Sensor(const Scene& scene, int camera);

  // Stops over the exposure of the empty scene.
  double exposure_stops(double time_s) const;

  // `take` tells the noise of one picture from that of all others. `time_s` is what the time code shows.
  Result<Picture> picture(const Planes& planes, double exposure_stops, uint64_t take, double time_s) const;

 private:
  struct Step {
    double time_s, stops;  // from then on, added to the drift
  };
  void plan_exposure(const Scene& scene);

  uint64_t seed_;
  bool time_code_;
  double drift_stops_ = 0, drift_period_s_ = 1, start_s_;
  std::vector<Step> steps_;
  std::vector<int8_t> noise_;
};

}  // namespace vantage::synth
