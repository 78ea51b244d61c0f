// A height map against the truth that `vantage-cli synth --heights` writes.
#pragma once

#include <filesystem>
#include <string>

#include "core/height_map/heads.h"

namespace vantage::cli {

struct HeightTruthReport {
  int truth_heads = 0, found_heads = 0, matched = 0;
  double recall() const { return truth_heads > 0 ? static_cast<double>(matched) / truth_heads : 1; }
  double precision() const { return found_heads > 0 ? static_cast<double>(matched) / found_heads : 1; }
  double mean_distance_m = 0;   // of matched heads, across the floor
  double mean_top_error_m = 0;  // of their tops, less the highest point that the camera sees of the true ones
  // Pixels of matched heads as the truth has them; a pixel without a height is within nothing.
  struct Pixels {
    int64_t all = 0, with_height = 0, within_5cm = 0, within_2_5cm = 0;
  };
  Pixels pixels, of_labels;  // of the heights that come out, and of the map's labels alone
  // All pixels.
  int64_t missed = 0, invented = 0;  // head without a height, height without a head
};

// `folder` is the recording's truth folder, `frame` the camera's. Heads that are seen to less than a half do
// not count: a match with one is neither right nor wrong. A head matches within 0.3 m across the floor.
Result<HeightTruthReport> compare_with_truth(const std::filesystem::path& folder, const std::string& camera,
                                             int64_t frame, const HeightEstimate& estimate);

}  // namespace vantage::cli
