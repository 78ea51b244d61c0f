#include "core/session/evidence_text.h"

#include <algorithm>

#include "core/base/formatted.h"
#include "core/geometry/floor_shapes.h"
#include "core/project/fusion_floor.h"

namespace vantage {
namespace {

std::vector<std::string> camera_names(const Project& project) {
  std::vector<std::string> names;
  for (const ProjectCamera& camera : project.cameras) names.push_back(camera.name);
  return names;
}

bool all_fused(const std::vector<FramePerson>& people) {
  return std::all_of(people.begin(), people.end(),
                     [](const FramePerson& one) { return one.fused != nullptr; });
}

// As fusion found them; people of another source stand where they do, without evidence.
std::vector<FusedPerson> fused_people(const std::vector<FramePerson>& people) {
  std::vector<FusedPerson> all;
  const bool fused = all_fused(people);
  for (const FramePerson& one : people) {
    FusedPerson& person = all.emplace_back(fused ? *one.fused : FusedPerson());
    if (!fused) person.x_m = one.found.x_m, person.y_m = one.found.y_m, person.height_m = one.found.height_m;
  }
  return all;
}

std::vector<std::string> named(std::span<const FusedPerson> people, std::span<const std::string> names) {
  std::vector<std::string> all;
  for (size_t i = 0; i < people.size(); ++i)
    all.push_back(i < names.size() && !names[i].empty()
                      ? names[i]
                      : formatted("the person at x %.2f y %.2f", people[i].x_m, people[i].y_m));
  return all;
}

// Why people are not searched for at this position; empty: they are.
std::string not_searched(const Project& project, const FrameResult& result, double x_m, double y_m) {
  if (!in_any(project.areas(), {x_m, y_m}))
    return "outside the areas in which people are searched for; anybody here is left out";
  const CarvedVolume* volume = result.volume();
  const Result<VoxelGrid> grid = volume ? Result<VoxelGrid>(volume->grid) : project.effective_grid();
  if (!grid) return {};
  const FloorRectangle floor = fusion_floor(project, *grid);
  if (x_m >= floor.min_x_m && x_m <= floor.max_x_m && y_m >= floor.min_y_m && y_m <= floor.max_y_m) return {};
  return formatted("outside the floor that is searched, x %.2f to %.2f, y %.2f to %.2f m", floor.min_x_m,
                   floor.max_x_m, floor.min_y_m, floor.max_y_m);
}

}  // namespace

std::vector<std::string> person_evidence_text(const Project& project, const ShownFrame& shown,
                                              size_t person) {
  const std::vector<FramePerson> people = people_of(shown);
  const DetectionsArtifact* detections = shown.result->detections();
  if (person < people.size() && people[person].carried) {
    const FoundPerson& found = people[person].found;
    return {formatted("x %.2f  y %.2f m, %.2f m tall, confidence %.2f", found.x_m, found.y_m, found.height_m,
                      found.confidence),
            "no detector looked at this frame: carried from its other looks"};
  }
  if (person >= people.size() || !all_fused(people)) return {};
  const FusedPerson& fused = *people[person].fused;
  if (fused.evidence.empty())  // of results, and nobody of this frame's own is near (recorded_tracks.h)
    return {formatted("x %.2f  y %.2f m, %.2f m tall", fused.x_m, fused.y_m, fused.height_m),
            "found where their path expects them, not by this frame's detections alone"};
  return describe(fused,
                  detections ? std::span<const CameraDetections>(detections->cameras)
                             : std::span<const CameraDetections>(),
                  camera_names(project));
}

Result<ExplainedPlace> explain_place(const Project& project, const ShownFrame& shown, double x_m, double y_m,
                                     std::span<const std::string> people) {
  if (!project.calibrated())
    return fail(ErrorKind::invalid_argument, "detections give positions on the floor only with a calibration",
                "", "Calibrate the cameras.");
  const DetectionsArtifact* detections = shown.result->detections();
  if (!detections)
    return fail(ErrorKind::invalid_argument, "this frame has no detections", "",
                project.has_detections()
                    ? "Analyse it with detections.enabled on."
                    : "Name a model (detections.model) or a file of detections for each camera.");
  const PeopleArtifact* found = shown.people();
  if (!found)
    return fail(ErrorKind::invalid_argument, "nobody was searched for in this frame", "", "Analyse it.");
  ExplainedPlace place;
  const std::string at = formatted("x %.2f  y %.2f m: ", x_m, y_m);
  place.evidence.x_m = x_m, place.evidence.y_m = y_m;
  if (const std::string why = not_searched(project, *shown.result, x_m, y_m); !why.empty()) {
    place.lines = {at + why};
    return place;
  }
  std::vector<PinholeCamera<double>> cameras;
  for (const Camera& camera : project.calibrations()) cameras.push_back(camera.model());
  const std::vector<FramePerson> in_frame = people_of(shown);
  const std::vector<FusedPerson> all = fused_people(in_frame);
  place.evidence = evidence_at(x_m, y_m, {.cameras = detections->cameras}, all, cameras,
                               project.parameters.get<FusionParameters>());
  place.lines = describe(place.evidence, camera_names(project), named(all, people));
  if (!found->looked)
    place.lines.front() = at + "no detector looked at this frame: its people are carried or unknown";
  else if (!all_fused(in_frame))
    place.lines.front() += ". (This frame's people do not come from its detections.)";
  return place;
}

}  // namespace vantage
