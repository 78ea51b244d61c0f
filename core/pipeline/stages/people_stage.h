// People of one frame, and where the search stopped when there are none: from its floor map and masks; with
// people.source = occupancy from the masks alone, the floor map then only tells how tall they are; with fused
// from the cameras' detections, the floor map then only tells their volumes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/people/people.h"
#include "core/pipeline/stage_type.h"

namespace vantage {

extern const StageType kPeopleStageType;

// The source that people.source = automatic means; any other source is itself.
PeopleSource resolved_source(const ParameterStore& parameters, bool has_detections);

// The figures that the sentence is made of.
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
// The point at which the search for people stopped: the first step that left nothing, "cam3 has no
// foreground". Empty when a person was found.
std::string where_it_stopped(const SearchTrace& trace, const PeopleFound& found);

}  // namespace vantage
