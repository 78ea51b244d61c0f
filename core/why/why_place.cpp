#include "core/why/why_place.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/base/formatted.h"
#include "core/carving/voxel_votes.h"
#include "core/detections/detection_parameters.h"
#include "core/pipeline/head_views.h"
#include "core/pipeline/stages/people_stage.h"
#include "core/why/detail/place_search.h"
#include "core/why/detail/thresholds.h"

namespace vantage {
namespace {

using why_detail::PlaceInput;

// Why people are not searched for at this place; empty: they are.
std::string not_searched(const PlaceInput& input, PeopleSource source, double x_m, double y_m) {
  if (!in_any(input.areas, {x_m, y_m}))
    return "outside the areas in which people are searched for; anyone here is left out";
  FloorRectangle floor = input.fusion_floor;
  const VoxelGrid& grid = input.grid;
  if (source != PeopleSource::fused)
    floor = {grid.origin_in_world_m[0], grid.origin_in_world_m[1],
             grid.origin_in_world_m[0] + grid.nx * grid.voxel_size_m,
             grid.origin_in_world_m[1] + grid.ny * grid.voxel_size_m};
  if (x_m >= floor.min_x_m && x_m <= floor.max_x_m && y_m >= floor.min_y_m && y_m <= floor.max_y_m) return {};
  return formatted("outside the floor that is searched, x %.2f to %.2f, y %.2f to %.2f m", floor.min_x_m,
                   floor.max_x_m, floor.min_y_m, floor.max_y_m);
}

// The nearest of them within reach; -1: none is.
template <typename List, typename PlaceOf>
int32_t nearest(const List& list, double x_m, double y_m, const PlaceOf& place_of) {
  int32_t found = -1;
  double nearest_m = kWhyReach_m;
  for (size_t i = 0; i < list.size(); ++i) {
    const FoundPerson& one = place_of(list[i]);
    const double away_m = std::hypot(one.x_m - x_m, one.y_m - y_m);
    if (away_m <= nearest_m) found = static_cast<int32_t>(i), nearest_m = away_m;
  }
  return found;
}

// What is examined: who is found there, the peak that was rejected there, or the very place.
std::pair<double, double> choose_place(const PeopleFound& found, WhyPlace* place) {
  const double x_m = place->asked_x_m, y_m = place->asked_y_m;
  place->person = nearest(found.people, x_m, y_m, std::identity());
  if (place->person >= 0) {
    const FoundPerson& person = found.people[static_cast<size_t>(place->person)];
    return {person.x_m, person.y_m};
  }
  const int32_t peak = nearest(found.rejected, x_m, y_m,
                               [](const RejectedPeak& one) -> const FoundPerson& { return one.peak; });
  if (peak < 0) return {x_m, y_m};
  const RejectedPeak& rejected = found.rejected[static_cast<size_t>(peak)];
  place->rejected = rejected.reason;
  return {rejected.peak.x_m, rejected.peak.y_m};
}

// Confidences of the voxels over the footprint, from the floor map's lowest layer up.
Status add_agreement(const PlaceInput& input, const ParameterStore& parameters, WhyPlace* place) {
  const Carver::Arguments scene{input.cameras, input.grid, false};
  VANTAGE_ASSIGN(const VoxelVoter voter,
                 VoxelVoter::make(scene, parameters.get<CarvingParameters>(), input.indicators));
  const auto people = parameters.get<PeopleParameters>();
  const VoxelGrid& grid = input.grid;
  const int radius = std::max(1, static_cast<int>(std::lround(people.footprint_m / 2 / grid.voxel_size_m)));
  const auto cell = [&](int axis, double at_m) {
    return static_cast<int>(std::floor((at_m - grid.origin_in_world_m[axis]) / grid.voxel_size_m));
  };
  const int x = cell(0, place->figures.x_m), y = cell(1, place->figures.y_m);
  const int x0 = std::max(0, x - radius), x1 = std::min(grid.nx, x + radius + 1);
  const int y0 = std::max(0, y - radius), y1 = std::min(grid.ny, y + radius + 1);
  const int lowest = floor_map::first_layer(grid, parameters.get<FloorMapParameters>().lowest_m);
  std::vector<float> confidences;
  const auto in_block = [&](int bx, int by, int bz) {
    const VoxelVoter::Block block(voter, bx * kBlockSide, by * kBlockSide, bz * kBlockSide);
    for (int vz = std::max(lowest, bz * kBlockSide); vz < std::min(grid.nz, (bz + 1) * kBlockSide); ++vz)
      for (int vy = std::max(y0, by * kBlockSide); vy < std::min(y1, (by + 1) * kBlockSide); ++vy)
        for (int vx = std::max(x0, bx * kBlockSide); vx < std::min(x1, (bx + 1) * kBlockSide); ++vx) {
          const VoxelVotes votes = block.votes(vx, vy, vz);
          place->max_cameras = std::max(place->max_cameras, votes.seeing);
          confidences.push_back(votes.confidence);
        }
  };
  for (int bz = lowest / kBlockSide; bz * kBlockSide < grid.nz; ++bz)
    for (int by = y0 / kBlockSide; by * kBlockSide < y1; ++by)
      for (int bx = x0 / kBlockSide; bx * kBlockSide < x1; ++bx) in_block(bx, by, bz);
  const double needed = std::ceil(people.min_volume_l * place->figures.decided / grid.liters(1));
  const auto rank = static_cast<size_t>(std::max(1.0, needed)) - 1;
  if (rank >= confidences.size()) return {};
  const auto at = confidences.begin() + static_cast<ptrdiff_t>(rank);
  std::nth_element(confidences.begin(), at, confidences.end(), std::greater<>());
  if (*at > 0) place->agreement = *at;
  return {};
}

Status check_result(const Project& project, const FrameResult& result) {
  if (!project.calibrated())
    return fail(ErrorKind::invalid_argument, "places on the floor are only known with a calibration", "",
                "Calibrate the cameras.");
  if (!result.people() || !result.floor_map() || !result.foreground() || !result.artifacts.detections)
    return fail(ErrorKind::invalid_argument, "people were not searched for in this frame", "", "Analyse it.");
  return {};
}

}  // namespace

Result<WhyPlace> why_place(const Project& project, Analysis& analysis, const FrameResult& result, double x_m,
                           double y_m, const StopSource& stop) {
  VANTAGE_TRY(check_result(project, result));
  VANTAGE_ASSIGN(const PlaceInput input, why_detail::place_input(project, analysis, result));
  const ParameterStore& parameters = project.parameters;
  const PeopleArtifact& people = *result.people();
  WhyPlace place;
  place.frame = result.frame, place.preview = result.preview;
  place.asked_x_m = x_m, place.asked_y_m = y_m;
  place.source = resolved_source(parameters, project.has_detections());
  place.looked = people.looked;
  const auto [at_x_m, at_y_m] = choose_place(people.found, &place);
  place.not_searched = not_searched(input, place.source, at_x_m, at_y_m);
  place.figures = place_figures({input.grid, input.cameras, input.floor(), input.masks, people.found.people,
                                 parameters.get<PeopleParameters>(), input.may_stand()},
                                at_x_m, at_y_m, place.person);
  if (const DetectionsArtifact* detections = result.detections(); detections && place.not_searched.empty()) {
    std::vector<FusedPerson> fused = people.fused;
    for (size_t i = fused.size(); i < people.found.people.size(); ++i) {
      const FoundPerson& one = people.found.people[i];
      FusedPerson& made = fused.emplace_back();
      made.x_m = one.x_m, made.y_m = one.y_m, made.height_m = one.height_m;
    }
    const std::vector<std::vector<HeadBox>> heads = head_boxes(result.heads());
    place.detections =
        evidence_at(at_x_m, at_y_m, {.cameras = detections->cameras, .heads = heads, .masks = input.masks},
                    fused, input.cameras, parameters.get<FusionParameters>());
  }
  if (!place.not_searched.empty() || !place.looked) return place;
  if (place.source == PeopleSource::volume) VANTAGE_TRY(add_agreement(input, parameters, &place));
  why_detail::PlaceSearch search(input, parameters, place.source);
  if (place.source == PeopleSource::occupancy) {
    VANTAGE_ASSIGN(place.probability, search.probability(parameters, at_x_m, at_y_m));
  }
  place.thresholds = why_detail::thresholds_of(place, parameters);
  VANTAGE_TRY(why_detail::try_thresholds(search, parameters, stop, &place));
  return place;
}

}  // namespace vantage
