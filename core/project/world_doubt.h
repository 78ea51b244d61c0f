// Whether boxes of several cameras meet in the world of a calibration, or in that of its mirror image.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/detections/detections.h"
#include "core/fusion/fusion.h"
#include "core/geometry/projection.h"

namespace vantage {

// Boxes that fused people have in two cameras or more, of all that count (fusion.min_score).
struct MeetingBoxes {
  int64_t all = 0, met = 0;
  double share() const { return all > 0 ? static_cast<double>(met) / static_cast<double>(all) : 0; }
  void add(std::span<const FusedPerson> people, std::span<const CameraDetections> cameras, double min_score);
};

struct WorldDoubt {
  bool mirrored = false;  // they meet once all cameras are mirrored; false: they meet nowhere
  MeetingBoxes as_is, in_mirror;
};

// `frames`: one of each camera each. Nothing where boxes meet, or are too few to tell.
std::optional<WorldDoubt> world_doubt(MeetingBoxes as_is, std::span<const PinholeCamera<double>> cameras,
                                      const FloorRectangle& floor, const FusionParameters& parameters,
                                      std::span<const std::vector<CameraDetections>> frames);

std::string doubt_text(const WorldDoubt& doubt);   // "boxes of 3 % meet, ..."
std::string remedy_text(const WorldDoubt& doubt);  // a sentence

}  // namespace vantage
