#include "core/pipeline/stages/fused_people.h"

#include <algorithm>
#include <utility>

namespace vantage {
FoundPerson person_of(const FusedPerson& fused) {
  FoundPerson person;
  person.x_m = fused.x_m, person.y_m = fused.y_m, person.height_m = fused.height_m;
  person.confidence = fused.confidence;
  person.cameras = static_cast<int>(std::count_if(fused.evidence.begin(), fused.evidence.end(), speaks_for));
  return person;
}

FusedPeopleFinder::FusedPeopleFinder(const FloorRectangle& floor, std::vector<PinholeCamera<double>> cameras,
                                     std::vector<FloorZone> areas, std::vector<IgnoredPixels> ignored)
    : floor_(floor), cameras_(std::move(cameras)), areas_(std::move(areas)), ignored_(std::move(ignored)) {}

void FusedPeopleFinder::configure(const ParameterStore& parameters) {
  parameters_ = parameters.get<FusionParameters>();
  parameter_hash_ = parameters.hash(parameter_table<FusionParameters>().stage);
  if (fusion_) fusion_->set_parameters(parameters_);
}

void FusedPeopleFinder::hash(Hasher* hasher) const {
  hasher->add(floor_.min_x_m).add(floor_.min_y_m).add(floor_.max_x_m).add(floor_.max_y_m);
  hasher->add(parameter_hash_);
}

void FusedPeopleFinder::find(std::span<const CameraDetections> detections, std::span<const MaskSamples> masks,
                             std::span<const std::vector<HeadBox>> heads, PeopleArtifact* found) {
  if (!fusion_) {
    fusion_ = std::make_unique<PeopleFusion>(floor_, cameras_, ignored_);
    fusion_->set_parameters(parameters_);
  }
  found->fused = fusion_->find({.cameras = detections, .heads = heads, .masks = masks});
  // People outside the areas explain boxes too, so they are removed only now.
  std::erase_if(found->fused,
                [&](const FusedPerson& person) { return !in_any(areas_, {person.x_m, person.y_m}); });
  for (const FusedPerson& fused : found->fused) found->found.people.push_back(person_of(fused));
  found->found.peaks = static_cast<int64_t>(found->found.people.size());
}

std::string where_fusion_stopped(std::span<const CameraDetections> detections, const PeopleFound& found) {
  if (!found.people.empty()) return {};
  const auto empty = [](const CameraDetections& camera) { return camera.people.empty(); };
  if (std::all_of(detections.begin(), detections.end(), empty)) return "no camera has a detection";
  return "the cameras' detections do not meet in a person";
}

}  // namespace vantage
