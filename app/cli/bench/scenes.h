// Inputs for benches that need no footage: noise, discs, upright bodies, cameras at the corners of a square.
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "app/backends/backends.h"
#include "app/cli/common/value_or_fail.h"
#include "core/geometry/camera.h"
#include "core/image/backend/memory_transfer.h"

namespace vantage::cli {

inline constexpr unsigned kBenchSeed = 20;

// The device under test with what benches make there. Ends the command at the first error.
class BenchDevice {
 public:
  explicit BenchDevice(const std::string& choice);

  const Backends& backends() const { return backends_; }
  const DeviceRates& rates() const { return rates_; }
  bool on_gpu() const { return backends_.device == Device::cuda; }
  template <typename Algorithm>
  std::unique_ptr<Algorithm> create(const typename Algorithm::Arguments& arguments,
                                    TraceRecorder* trace = nullptr) const {
    return value_or_fail(backends_.on_device(trace).create<Algorithm>(arguments));
  }

  Image to_device(const Image& image) const;
  // Until its content is there.
  void wait_for(const Image& image) const;

  // Nearly even grey with noise: what a background is.
  Picture noise_picture(int width, int height);
  // A smooth texture with a little noise, moved by up to so many pixels in ways that turn over the picture:
  // what optical flow can follow.
  Picture clouds(int width, int height, double moved_px);
  Image noise_image(ImageType type, int width, int height);
  // Discs of full indicator on an empty picture until the wanted share is covered.
  Image discs(int width, int height, double covered_share);
  // Six upright bodies, 0.5 m wide and 1.75 m high, within 3 m of the middle, as the camera sees them.
  Image six_people(const PinholeCamera<double>& camera) const;

 private:
  Backends backends_;
  DeviceRates rates_;
  std::unique_ptr<MemoryTransfer> transfer_;
  std::mt19937 random_{kBenchSeed};
};

// 1280x960, at the corners of a square, 2.5 m high, looking at the middle.
std::vector<Camera> corner_cameras(double half_side_m);

}  // namespace vantage::cli
