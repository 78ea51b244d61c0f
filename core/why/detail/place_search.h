// Repeats the search for people of one frame with other parameters, to find whether a person is found at a
// position.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/carving/carving.h"
#include "core/people/occupancy/floor_map.h"
#include "core/people/occupancy/occupancy_map.h"
#include "core/people/people.h"
#include "core/pipeline/stages/fused_people.h"
#include "core/run/analysis.h"

namespace vantage::why_detail {

// One frame in host memory, as the people stages use it.
struct PlaceInput {
  const FrameResult* result = nullptr;
  std::vector<PinholeCamera<double>> cameras;
  VoxelGrid grid;
  std::vector<FloorZone> areas;
  FloorRectangle fusion_floor;
  std::vector<IgnoredPixels> ignored;  // one per camera
  std::vector<Image> indicators;       // one per camera; empty: no picture
  std::vector<MaskSamples> masks;      // samples of the indicators
  FloorViews floor() const {
    const FloorMap& map = *result->floor_map();
    return {map.columns.view<uint16_t>(), map.tops.view<uint16_t>()};
  }
  MayStand may_stand() const;
};
// Errors: the device's.
Result<PlaceInput> place_input(const Project& project, Analysis& analysis, const FrameResult& result);

class PlaceSearch {
 public:
  // `input` must outlive it; `parameters`: those of the frame's analysis.
  PlaceSearch(const PlaceInput& input, const ParameterStore& parameters, PeopleSource source);

  // True when a person is found within kWhyReach_m. Errors: the algorithms'.
  Result<bool> somebody(const ParameterStore& parameters, double x_m, double y_m);
  // Maximum of the occupancy map's cells within kWhyReach_m.
  Result<double> probability(const ParameterStore& parameters, double x_m, double y_m);

 private:
  Result<Marginals> marginals(const ParameterStore& parameters);
  Result<std::vector<FoundPerson>> in_volume(const ParameterStore& parameters);
  Result<std::vector<FoundPerson>> in_occupancy(const ParameterStore& parameters);
  Result<std::vector<FoundPerson>> in_detections(const ParameterStore& parameters);
  Result<FloorMap> carved(const ParameterStore& parameters);

  const PlaceInput& input_;
  const PeopleSource source_;
  const uint64_t carving_hash_;  // hash of the frame's own volume
  PeopleFinder finder_;
  FusedPeopleFinder fused_;
  std::unique_ptr<Carver> carver_;  // made at the first use
  std::unique_ptr<FloorMapper> mapper_;
  std::unique_ptr<OccupancyMapper> occupancy_;
};

}  // namespace vantage::why_detail
