#include "core/session/evidence_text.h"

#include <fmt/core.h>
#include <algorithm>

#include "core/fusion/place_evidence.h"

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

}  // namespace

std::vector<std::string> person_evidence_text(const Project& project, const ShownFrame& shown,
                                              size_t person) {
  const std::vector<FramePerson> people = people_of(shown);
  const DetectionsArtifact* detections = shown.result->detections();
  if (person < people.size() && people[person].carried) {
    const FoundPerson& found = people[person].found;
    return {fmt::format("x {:.2f}  y {:.2f} m, {:.2f} m tall, confidence {:.2f}", found.x_m, found.y_m,
                        found.height_m, found.confidence),
            "no detector examined this frame: carried over from examined ones"};
  }
  if (person >= people.size() || !all_fused(people)) return {};
  const FusedPerson& fused = *people[person].fused;
  if (fused.evidence.empty())  // from results, and no person of this frame is near (recorded_tracks.h)
    return {fmt::format("x {:.2f}  y {:.2f} m, {:.2f} m tall", fused.x_m, fused.y_m, fused.height_m),
            "found where their path expects them, not from this frame's detections alone"};
  return describe(fused,
                  detections ? std::span<const CameraDetections>(detections->cameras)
                             : std::span<const CameraDetections>(),
                  camera_names(project));
}

}  // namespace vantage
