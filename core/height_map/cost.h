// The data cost of a height map: how unlike the reference pixel and its correspondence in each other view
// are, were the pixel at that height. Explanation: resources/docs/algorithms/height-map.md.
//
// Source: height-map-belief-propagation.txt, section 2, with DAISY (core/features/daisy.h): the mean over the
// descriptor's histograms of the distance between the two views' histograms, 0 (alike) to sqrt 2, turned into
// the direction of the epipolar segment; ring points are read at the nearest pixel.
//
// Choices that the source leaves open: how views combine (`combine`), what a view that does not see the point
// counts (`unseen`), the cost of "no head": no_head_cost, or what the pixel costs at the best of
// `below_heights` heights from the floor to below the first label, if that is less. A pixel outside the mask,
// or that does not look down, is "no head": cost 0, any height kMaskedCost.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "core/features/daisy.h"
#include "core/geometry/projection.h"
#include "core/height_map/height_map.h"

namespace vantage {

inline constexpr float kMaskedCost = 2.0f;

class HeightCost {
 public:
  static constexpr std::string_view kAlgorithm = "height cost";
  struct Arguments {
    PinholeCamera<double> reference;
    std::vector<PinholeCamera<double>> others;
    double center_in_world_m[3] = {0, 0, 0};  // of the reference camera
    Image slopes;                             // its HeightRays (core/geometry/height_field.h), host memory
  };
  virtual ~HeightCost() = default;
  virtual void set_parameters(const HeightMapParameters& parameters, const DaisyParameters& descriptor) = 0;
  // `others` in the order of the arguments; an empty field is a view without a picture. `mask`: u8 of the
  // reference's size, 0 = outside; empty: everywhere. All in the implementation's memory. Errors: sizes or
  // memory (invalid_argument), out_of_memory, device_lost.
  virtual Result<CostVolume> measure(const DaisyField& reference, std::span<const DaisyField> others,
                                     const Image& mask, int64_t frame) = 0;
  // Called during measure() with the share that is done; false ends it (cancelled). Implementations that are
  // done at once do not call it.
  void set_progress(std::function<bool(double)> progress) { progress_ = std::move(progress); }

 protected:
  std::function<bool(double)> progress_;
};

namespace height_map {

Status check(const HeightCost::Arguments& arguments);
Status check(const HeightCost::Arguments& arguments, const DaisyField& reference,
             std::span<const DaisyField> others, const Image& mask, int levels, MemoryPlace place);

}  // namespace height_map

}  // namespace vantage
