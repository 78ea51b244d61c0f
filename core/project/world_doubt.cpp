#include "core/project/world_doubt.h"

#include <fmt/core.h>
#include <algorithm>

#include "core/calibration/formats/calibration.h"

namespace vantage {
namespace {

constexpr int64_t kMinBoxes = 30;
// Chance: a fifth to three quarters of the boxes of people who stand close together meet in the wrong one of
// the two worlds, in the right one .12 more or above (cmc-detections, shelf-detections, rendered rooms).
constexpr double kMoreInMirror = 0.1, kMinInMirror = 0.5;
constexpr double kNowhere = 0.05;

}  // namespace

void MeetingBoxes::add(std::span<const FusedPerson> people, std::span<const CameraDetections> cameras,
                       double min_score) {
  for (const CameraDetections& camera : cameras)
    all += std::ranges::count_if(camera.people,
                                 [&](const PersonDetection& one) { return one.score >= min_score; });
  for (const FusedPerson& person : people)
    if (const auto boxes = std::ranges::count_if(
            person.evidence, [](const CameraEvidence& one) { return one.detection >= 0; });
        boxes >= 2)
      met += boxes;
}

std::optional<WorldDoubt> world_doubt(MeetingBoxes as_is, std::span<const PinholeCamera<double>> cameras,
                                      const FloorRectangle& floor, const FusionParameters& parameters,
                                      std::span<const std::vector<CameraDetections>> frames) {
  if (as_is.all < kMinBoxes || as_is.share() + kMoreInMirror >= 1) return std::nullopt;
  std::vector<PinholeCamera<double>> mirrored(cameras.begin(), cameras.end());
  for (PinholeCamera<double>& camera : mirrored) mirror(&camera);
  PeopleFusion fusion({floor.min_x_m, -floor.max_y_m, floor.max_x_m, -floor.min_y_m}, mirrored);
  fusion.set_parameters(parameters);
  WorldDoubt doubt{false, as_is, {}};
  for (const std::vector<CameraDetections>& frame : frames)
    doubt.in_mirror.add(fusion.find({.cameras = frame}), frame, parameters.min_score);
  doubt.mirrored =
      doubt.in_mirror.share() >= kMinInMirror && doubt.in_mirror.share() >= as_is.share() + kMoreInMirror;
  if (!doubt.mirrored && as_is.share() >= kNowhere) return std::nullopt;
  return doubt;
}

std::string doubt_text(const WorldDoubt& doubt) {
  const std::string as_is =
      fmt::format("{} of {} boxes belong to people whom two cameras see", doubt.as_is.met, doubt.as_is.all);
  return doubt.mirrored ? fmt::format("{}, {} once all cameras are mirrored", as_is, doubt.in_mirror.met)
                        : as_is;
}

std::string remedy_text(const WorldDoubt& doubt) {
  return doubt.mirrored
             ? "The calibration's world is left-handed: make the project again, ticking mirrored in New "
               "Project, or with --mirror."
             : "Unless people are rarely where two cameras look: examine offsets, which boxes belong to "
               "which "
               "camera, and the calibration.";
}

}  // namespace vantage
