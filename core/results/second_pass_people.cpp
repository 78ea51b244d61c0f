#include "core/results/second_pass_people.h"

#include <cmath>
#include <utility>

#include "core/base/json.h"
#include "core/pipeline/frame_people.h"
#include "core/pipeline/person_skeletons.h"
#include "core/project/json_parts.h"
#include "core/project/scene_plan.h"
#include "core/results/detail/line_schema.h"
#include "core/results/results_paths.h"
#include "core/tracking/paths/smoothing.h"

namespace vantage {
namespace {

using nlohmann::json;

// Throws json::exception where the line is not as the schema says.
std::vector<CameraDetections> detections_from(const json& line, bool with_joints) {
  std::vector<CameraDetections> cameras;
  for (const json& camera : line.at("cameras")) {
    CameraDetections& found = cameras.emplace_back();
    const auto detections = camera.find("detections");
    if (detections == camera.end() || detections->is_null()) continue;
    found.known = true;
    for (const json& entry : *detections) {
      PersonDetection& person = found.people.emplace_back();
      project_detail::take(project_detail::kDetectionKeys, entry, &person);
      if (!with_joints || !entry.contains("keypoints")) continue;
      for (const json& joint : entry.at("keypoints"))
        person.keypoints.push_back(
            {joint.at(0).get<float>(), joint.at(1).get<float>(), joint.at(2).get<float>()});
    }
  }
  return cameras;
}

// The heads that a search found; none where there was no search. Throws json::exception likewise.
std::vector<std::vector<HeadBox>> heads_from(const json& line) {
  std::vector<std::vector<HeadBox>> heads;
  const auto stage = line.find("heads");
  if (stage == line.end() || !stage->is_object()) return heads;
  for (const json& camera : stage->at("cameras")) {
    std::vector<HeadBox>& boxes = heads.emplace_back();
    for (const json& entry : camera.at("boxes")) {
      Detection box;
      project_detail::take(project_detail::kHeadBoxKeys, entry, &box);
      boxes.push_back({box.x, box.y, box.w, box.h});
    }
  }
  return heads;
}

// Shares of the masks of people who were found before paths were known; nothing of older results. Throws
// json::exception likewise.
std::vector<MaskAtPlace> masks_from(const json& people) {
  std::vector<MaskAtPlace> masks;
  const bool again = people.contains("first_found");
  for (const json& person : people.at(again ? "first_found" : "people")) {
    const auto evidence = person.find("evidence");
    if (evidence == person.end() || !evidence->is_object()) continue;
    for (const json& camera : evidence->at("cameras"))
      if (const double in_mask = camera.value("in_mask", 0.0); in_mask > 0)
        masks.push_back({person.at("x_m").get<double>(), person.at("y_m").get<double>(),
                         camera.at("camera").get<int32_t>(), in_mask});
  }
  return masks;
}

std::optional<std::vector<FloorPerson>> first_from(const json& people) {
  const auto first = people.find("first_found");
  if (first == people.end()) return std::nullopt;
  std::vector<FloorPerson> found;
  for (const json& entry : *first)
    project_detail::take(project_detail::kPersonKeys<FloorPerson>, entry, &found.emplace_back());
  return found;
}

FloorPerson floor_person(const FusedPerson& fused) {
  using project_detail::rounded;
  FloorPerson person;
  person.x_m = rounded(fused.x_m), person.y_m = rounded(fused.y_m);
  person.height_m = rounded(fused.height_m), person.confidence = rounded(fused.confidence);
  return person;
}

// Colours and velocities are those of who was found there before.
std::vector<FloorPerson> floor_people(const std::vector<FusedPerson>& found,
                                      const std::vector<FloorPerson>& before) {
  std::vector<FloorPerson> people;
  for (const FusedPerson& one : found) {
    FloorPerson& person = people.emplace_back(floor_person(one));
    double nearest_m = kSamePerson_m;
    for (const FloorPerson& other : before) {
      const double away_m = std::hypot(other.x_m - person.x_m, other.y_m - person.y_m);
      if (away_m >= nearest_m) continue;
      nearest_m = away_m;
      person.colors = other.colors, person.velocity_m_per_s = other.velocity_m_per_s;
    }
  }
  return people;
}

}  // namespace

std::shared_ptr<SecondPassPeople> SecondPassPeople::of(const Project& project, const VoxelGrid& grid) {
  const auto parameters = project.parameters.get<FusionParameters>();
  if (!project.calibrated() || people_source(project) != PeopleSource::fused || parameters.track_prior <= 0)
    return nullptr;
  std::vector<int64_t> begins = project.calibration_changes();
  begins.insert(begins.begin(), 0);
  std::vector<Span> spans;
  for (const int64_t begin : begins) {
    std::vector<Camera> cameras = project.calibrations(begin);
    PeopleFusion fusion(fusion_floor(project, grid), models_of(cameras), project.ignored_pixels(cameras));
    fusion.set_parameters(parameters);
    spans.push_back({begin, std::move(cameras), std::move(fusion)});
  }
  return std::shared_ptr<SecondPassPeople>(
      new SecondPassPeople(std::move(spans), project.areas(), project.parameters.get<SkeletonParameters>()));
}

size_t SecondPassPeople::span_at(int64_t frame) const {
  size_t at = 0;
  while (at + 1 < spans_.size() && spans_[at + 1].begin <= frame) ++at;
  return at;
}

void SecondPassPeople::add(const std::string& text) {
  try {
    const json line = parse_json_or_throw(text);
    const json& people = line.at("people");
    if (people.is_null() || people.at("count").is_null() || people.value("carried", false)) return;
    Frame frame{{detections_from(line, skeletons_.enabled), heads_from(line), masks_from(people)},
                first_from(people),
                people.value("found_again", false),
                {}};
    if (frame.seen.cameras.size() != spans_.front().cameras.size()) return;
    const std::lock_guard lock(mutex_);
    frames_.insert_or_assign(line.at("frame").get<int64_t>(), std::move(frame));
  } catch (const json::exception&) {
    return;  // reported where results are read
  }
}

std::optional<SecondPassPeople::Seen> SecondPassPeople::seen_in(int64_t frame) const {
  const std::lock_guard lock(mutex_);
  const auto found = frames_.find(frame);
  if (found == frames_.end()) return std::nullopt;
  return found->second.seen;
}

// People outside the areas explain boxes too, so they are left out only now.
std::vector<FusedPerson> SecondPassPeople::find(int64_t frame, const FusionInput& input) {
  const std::lock_guard lock(finding_);
  std::vector<FusedPerson> found = spans_[span_at(frame)].fusion.find(input);
  std::erase_if(found, [&](const FusedPerson& one) { return !in_any(areas_, {one.x_m, one.y_m}); });
  return found;
}

std::optional<std::vector<FloorPerson>> SecondPassPeople::first_people(int64_t frame) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = frames_.find(frame);
    if (found == frames_.end() || !found->second.found_again) return std::nullopt;
    if (found->second.first) return found->second.first;
  }
  const std::optional<Seen> seen = seen_in(frame);
  return floor_people(
      find(frame, {.cameras = seen->cameras, .heads = seen->heads, .mask_places = seen->masks}), {});
}

FindAgain SecondPassPeople::finder(std::shared_ptr<SecondPassPeople> again) {
  if (!again) return {};
  return [again = std::move(again)](std::span<const ExpectedPlace> expected, SeenFrame* frame) {
    const std::optional<Seen> seen = again->seen_in(frame->frame);
    if (!seen) return;
    std::vector<ExpectedPerson> people;
    for (const ExpectedPlace& place : expected) people.push_back({place.x_m, place.y_m});
    std::vector<FusedPerson> found = again->find(
        frame->frame,
        {.cameras = seen->cameras, .heads = seen->heads, .mask_places = seen->masks, .expected = people});
    frame->people = floor_people(found, frame->people);
    const std::lock_guard lock(again->mutex_);
    again->frames_.at(frame->frame).people = std::move(found);
  };
}

std::optional<std::vector<FusedPerson>> SecondPassPeople::people_at(int64_t frame) const {
  const std::lock_guard lock(mutex_);
  const auto found = frames_.find(frame);
  return found == frames_.end() ? std::nullopt : found->second.people;
}

std::vector<PersonSkeleton> SecondPassPeople::skeletons_at(int64_t frame) const {
  const std::lock_guard lock(mutex_);
  const auto found = frames_.find(frame);
  if (!skeletons_.enabled || found == frames_.end() || !found->second.people) return {};
  return find_skeletons(spans_[span_at(frame)].cameras, found->second.seen.cameras, *found->second.people,
                        skeletons_);
}

PathDeviations SecondPassPeople::deviations(const std::vector<PersonPath>& paths, double frame_rate,
                                            const PathParameters& parameters) const {
  if (parameters.method != PathMethod::motion) return {};
  std::vector<std::vector<PinholeCamera<double>>> cameras;
  for (const Span& span : spans_) cameras.push_back(models_of(span.cameras));
  DeviationLearner learner;
  {
    const std::lock_guard lock(mutex_);
    for (const PersonPath& path : paths)
      for (const PathPoint& point : path.points) {
        const auto frame = point.person < 0 ? frames_.end() : frames_.find(point.frame);
        if (frame == frames_.end() || !frame->second.people) continue;
        learner.add(path.id, point.frame, frame->second.people->at(static_cast<size_t>(point.person)),
                    {point.x_m, point.y_m}, frame->second.seen.cameras, cameras[span_at(point.frame)]);
      }
  }
  const int64_t step = error_step(learner.usual_gap(), frame_rate);
  if (step == 0) return {};
  const PathSmoothing smoothing = path_smoothing(static_cast<double>(step) / frame_rate, parameters);
  PathDeviations deviations;
  for (const SightingDeviation& one : learner.learn({step, smoothing.weights, smoothing.removed_m2}))
    deviations[{one.frame, one.path}] = one;
  return deviations;
}

void SecondPassPeople::forget_before(int64_t frame) {
  const std::lock_guard lock(mutex_);
  frames_.erase(frames_.begin(), frames_.lower_bound(frame));
}

}  // namespace vantage
