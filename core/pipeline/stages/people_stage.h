// People of one frame, and where the search stopped when there are none: from its floor map and masks; with
// people.source = occupancy from the masks alone, the floor map then only tells how tall they are; with fused
// from the cameras' detections, the floor map then only tells their volumes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/fusion/fusion.h"
#include "core/geometry/projection.h"
#include "core/occupancy/coverage.h"
#include "core/occupancy/occupancy_map.h"
#include "core/pipeline/stage.h"
#include "core/tracking/mask_samples.h"
#include "core/tracking/people.h"

namespace vantage {

struct PeopleStageOptions {
  std::vector<std::string> names;  // of the cameras, in the project's order
  std::vector<PinholeCamera<double>> cameras;
  VoxelGrid grid;  // of the floor map
  FloorCoverage coverage;
  std::vector<FloorZone> areas;                // people stand only there; none: everywhere
  std::unique_ptr<MaskSampler> sampler;        // where the masks are
  std::unique_ptr<OccupancyMapper> occupancy;  // of the same cameras, grid and areas
  FloorRectangle fusion_floor;                 // where detections are fused
  bool has_detections = false;                 // files or a model: what people.source = automatic asks
};

std::unique_ptr<Stage> make_people_stage(PeopleStageOptions options);

// What people.source = automatic means; any other source is itself.
PeopleSource resolved_source(const ParameterStore& parameters, bool has_detections);

// What the sentence is made of.
struct SearchTrace {
  struct Camera {
    std::string name;
    bool has_picture = false;
    double foreground_share = 0;
  };
  std::vector<Camera> cameras;
  double covered_share = 0;
  int64_t occupied_voxels = 0;
  std::optional<double> largest_probability = std::nullopt;  // only with people.source = occupancy
};
struct PeopleFound;
// Where the search for people stopped: the first step that left nothing, "cam3 has no foreground". Empty when
// somebody was found.
std::string where_it_stopped(const SearchTrace& trace, const PeopleFound& found);

}  // namespace vantage
