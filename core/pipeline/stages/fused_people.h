// People of one frame from the cameras' detections and calibrations, for the people stage.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "core/base/parameters.h"
#include "core/fusion/fusion.h"
#include "core/geometry/floor_shapes.h"
#include "core/pipeline/artifacts.h"

namespace vantage {

class FusedPeopleFinder {
 public:
  // `areas`: where people can be; none: everywhere. `ignored`: as for PeopleFusion.
  FusedPeopleFinder(const FloorRectangle& floor, std::vector<PinholeCamera<double>> cameras,
                    std::vector<FloorZone> areas, std::vector<IgnoredPixels> ignored);
  void configure(const ParameterStore& parameters);
  void hash(Hasher* hasher) const;  // covers floor and parameters

  // Number of cameras with detections that suffice to count a frame's people: two, or one if it is alone.
  int needed() const { return cameras_.size() < 2 ? 1 : 2; }
  // Finds people and their evidence, sorted by x, then y; without volumes. One of `detections`, and of
  // `masks`, per camera; a camera without a mask has an empty one. `heads`: detected boxes as in results, or
  // none.
  void find(std::span<const CameraDetections> detections, std::span<const MaskSamples> masks,
            std::span<const std::vector<HeadBox>> heads, PeopleArtifact* found);

 private:
  const FloorRectangle floor_;
  const std::vector<PinholeCamera<double>> cameras_;
  const std::vector<FloorZone> areas_;
  const std::vector<IgnoredPixels> ignored_;
  FusionParameters parameters_;
  uint64_t parameter_hash_ = 0;
  std::unique_ptr<PeopleFusion> fusion_;  // made at the first use, which takes a while
};

// The person without a volume.
FoundPerson person_of(const FusedPerson& fused);

// Why no one was found, in one sentence; empty when a person was.
std::string where_fusion_stopped(std::span<const CameraDetections> detections, const PeopleFound& found);

}  // namespace vantage
