#include "core/check/detail/detections.h"

#include "core/base/formatted.h"
#include "core/base/frame_rate.h"
#include "core/detections/detection_file.h"

namespace vantage {
namespace {

constexpr double kDoubtfulOutside = 0.02, kFailedOutside = 0.2;  // shares of the boxes
constexpr double kSmallPart = 0.5;     // of the picture's sides: boxes that fill no more are of a smaller one
constexpr int64_t kEnoughBoxes = 100;  // to say so

struct Places {
  int64_t boxes = 0, outside = 0;
  double right_px = 0, bottom_px = 0;  // the farthest
};

Places places_of(const DetectionFile& file, const VideoInfo& video, double min_score) {
  Places places;
  for (const CameraDetections& frame : file.frames)
    for (const PersonDetection& person : frame.people) {
      if (person.score < min_score) continue;
      const double x = person.left_px + 0.5 * person.width_px, y = person.top_px + 0.5 * person.height_px;
      ++places.boxes;
      places.outside += x < -0.5 || y < -0.5 || x > video.width_px - 0.5 || y > video.height_px - 0.5;
      places.right_px = std::max<double>(places.right_px, person.left_px + person.width_px);
      places.bottom_px = std::max<double>(places.bottom_px, person.top_px + person.height_px);
    }
  return places;
}

}  // namespace

DetectionsFinding examine_detections(const ProjectCamera& camera, const VideoInfo& video, double min_score) {
  const DetectionFileOptions options =
      reading_options(camera.detections, video.width_px, video.height_px,
                      effective_frame_rate(camera.frame_rate, video.frame_rate), video.frame_count);
  const auto file = read_detection_file(camera.detections.file, options);
  if (!file) return {Verdict::failed, file.error().message(), "Choose the file again."};
  const Places places = places_of(*file, video, min_score);
  const double outside =
      places.boxes > 0 ? static_cast<double>(places.outside) / static_cast<double>(places.boxes) : 0;
  DetectionsFinding finding;
  finding.figure = formatted("%s: %lld frames examined, %lld boxes scoring at least %.2g",
                             file->format.c_str(), static_cast<long long>(file->known_frames()),
                             static_cast<long long>(places.boxes), min_score);
  if (outside > 0) finding.figure += formatted(", %.0f %% of them outside the picture", 100 * outside);
  if (file->skipped > 0)
    finding.figure += formatted("; %lld entries skipped (%s)", static_cast<long long>(file->skipped),
                                file->problems.front().c_str());
  if (places.boxes == 0) {
    finding.verdict = Verdict::doubtful;
    finding.remedy = "Lower detections.min_score, or check whether it is the right file.";
  } else if (outside > kDoubtfulOutside) {
    finding.verdict = outside > kFailedOutside ? Verdict::failed : Verdict::doubtful;
    finding.remedy = "The boxes are of a larger picture or another camera: detect in this video's pictures.";
  } else if (places.boxes >= kEnoughBoxes && places.right_px < kSmallPart * video.width_px &&
             places.bottom_px < kSmallPart * video.height_px) {
    finding.verdict = Verdict::doubtful;
    finding.figure += formatted(", none beyond pixel %.0f, %.0f", places.right_px, places.bottom_px);
    finding.remedy = "The boxes seem to be of a smaller picture: detect in this video's pictures.";
  } else if (file->skipped > 0) {
    finding.verdict = Verdict::doubtful;
    finding.remedy = "Fix the lines, or write the file again.";
  }
  return finding;
}

}  // namespace vantage
