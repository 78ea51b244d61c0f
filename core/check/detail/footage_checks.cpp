// Checks of what each camera shows: pictures, empty scene, foreground, boxes.

#include <fmt/core.h>
#include <algorithm>
#include <string>

#include "core/base/clock.h"
#include "core/check/check.h"
#include "core/check/detail/project_checks.h"
#include "core/detections/detection_file.h"
#include "core/detections/detection_parameters.h"
#include "core/foreground/camera_shake.h"
#include "core/foreground/foreground.h"
#include "core/project/project.h"
#include "core/results/results_paths.h"
#include "core/video/video_source.h"

namespace vantage {
namespace {

// Checks that a camera's file of detections belongs to its pictures.

struct DetectionsFinding {
  Verdict verdict = Verdict::passed;
  std::string figure, remedy;
};

constexpr double kDoubtfulOutside = 0.02, kFailedOutside = 0.2;  // shares of the boxes
constexpr double kSmallPart =
    0.5;  // share of the picture's sides: boxes that fill no more come from a smaller picture
constexpr int64_t kEnoughBoxes = 100;  // minimum number of boxes for a verdict

struct Places {
  int64_t boxes = 0, outside = 0;
  double right_px = 0, bottom_px = 0;  // farthest right and bottom of all boxes
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

// Boxes whose centre lies outside the picture come from another picture or size. `min_score`: minimum score
// of boxes that count.
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
  finding.figure = fmt::format("{}: {} frames examined, {} boxes scoring at least {:.2g}", file->format,
                               file->known_frames(), places.boxes, min_score);
  if (outside > 0) finding.figure += fmt::format(", {:.0f} % of them outside the picture", 100 * outside);
  if (file->skipped > 0)
    finding.figure += fmt::format("; {} entries skipped ({})", file->skipped, file->problems.front());
  if (places.boxes == 0) {
    finding.verdict = Verdict::doubtful;
    finding.remedy = "Lower detections.min_score, or check whether it is the right file.";
  } else if (outside > kDoubtfulOutside) {
    finding.verdict = outside > kFailedOutside ? Verdict::failed : Verdict::doubtful;
    finding.remedy = "The boxes are of a larger picture or another camera: detect in this video's pictures.";
  } else if (places.boxes >= kEnoughBoxes && places.right_px < kSmallPart * video.width_px &&
             places.bottom_px < kSmallPart * video.height_px) {
    finding.verdict = Verdict::doubtful;
    finding.figure += fmt::format(", none beyond pixel {:.0f}, {:.0f}", places.right_px, places.bottom_px);
    finding.remedy = "The boxes seem to be of a smaller picture: detect in this video's pictures.";
  } else if (file->skipped > 0) {
    finding.verdict = Verdict::doubtful;
    finding.remedy = "Fix the lines, or write the file again.";
  }
  return finding;
}

constexpr double kMinForeground = 0.0002;  // share of the picture: some 60 pixels of 640 x 480
// Share of the picture that moves while the empty scene is learnt, or that differs from it throughout: more
// is a person (some 300 pixels of 640 x 480).
constexpr double kNobody = 0.001;
constexpr double kFewGaps = 0.01;  // share of the frames
constexpr char kGiveClip[] = "vantage-cli new --background";
constexpr double kDoubtfulForeground = 0.4, kMaxForeground = 0.7;

class FootageChecks : ProjectChecks {
 public:
  FootageChecks(const ReadProject& read, std::vector<CheckItem>* items) : ProjectChecks(read, items) {}

  void check(size_t c) {
    check_decoding(c);
    check_empty_scene(c);
    check_foreground(c);
    if (!project_.cameras[c].detections.file.empty()) check_detections(c);
  }

 private:
  void check_decoding(size_t c) {
    const CameraSample& s = samples_[c];
    const std::string limit = "every sampled frame decodes";
    for (const MissingFile& missing : read_.missing)
      if (missing.camera == c && !serves_all_cameras(missing.role))
        return add("decoding", name(c), options_.without_missing ? Verdict::doubtful : Verdict::failed,
                   missing_file_name(project_, missing) + " is missing: " + missing.path, limit,
                   "Put it back, or find it.", -1, "vantage-cli relink PROJECT --folder DIR");
    if (!s.error.empty())
      return add("decoding", name(c), Verdict::failed, s.error, limit,
                 "Choose the video again, or copy it again.");
    if (without_video(c))
      return add("decoding", name(c), Verdict::passed, "no video: its detections alone", limit, "");
    if (s.asked == 0)
      return add("decoding", name(c), Verdict::cannot_tell, "no frame was examined", limit,
                 "Check again without stopping it.");
    const Verdict verdict = s.decoded == s.asked       ? Verdict::passed
                            : 2 * s.decoded >= s.asked ? Verdict::doubtful
                                                       : Verdict::failed;
    std::string figure = fmt::format("{} of {} frames", s.decoded, s.asked);
    if (!s.problem.empty()) figure += "; " + s.problem;
    add("decoding", name(c), verdict, figure, limit, "Copy the video again from where it was recorded.",
        s.problem_frame);
    if (!s.info.timing.empty()) check_times(c);
  }

  // Pictures are played at the times stated by the file; between them the camera sees nothing.
  void check_times(size_t c) {
    const VideoInfo& info = samples_[c].info;
    const std::string limit = fmt::format("at most {:.0f} % of the frames without a picture", 100 * kFewGaps);
    if (!info.picture_of_frame)
      return add("times", name(c), Verdict::doubtful, info.timing, "times that follow the pictures",
                 "Record or export it again with times that follow its pictures.");
    const std::vector<VideoGap> gaps = gaps_in(*info.picture_of_frame);
    int64_t absent = 0;
    for (const VideoGap& gap : gaps) absent += gap.frames;
    const double share =
        static_cast<double>(absent) / static_cast<double>(std::max<int64_t>(1, info.frame_count));
    add("times", name(c), share > kFewGaps ? Verdict::doubtful : Verdict::passed, info.timing, limit,
        "In the gaps people are seen by the other cameras only. Find out why the recorder lost pictures.",
        gaps.empty() ? -1 : gaps.front().first_frame);
  }

  // A person in the picture of the empty scene is not found until they leave, and then leaves a ghost. Only a
  // clip shows a scene empty: later frames cannot tell a person who stays from a coat stand.
  void check_empty_scene(size_t c) {
    const CameraSample& s = samples_[c];
    if (!usable(c) || without_video(c)) return;
    const bool has_clip = samples_[c].clip;
    const std::string limit =
        fmt::format("an empty-scene clip in which at most {:.1f} % moves", 100 * kNobody);
    if (s.learnt == 0)
      return add("empty scene", name(c), Verdict::cannot_tell, "nothing was learnt", limit,
                 "Fix the decoding first.");
    std::string figure = learnt_from(s) + fmt::format("; {:.2f} % moved meanwhile", 100 * s.moved_share) +
                         changed_since(s) + shake_of(s);
    if (has_clip)
      return add("empty scene", name(c), s.moved_share > kNobody ? Verdict::doubtful : Verdict::passed,
                 figure, limit, "Check the clip: record it while no one is in the picture.");
    if (s.scene) return check_learnt_scene(c, limit);
    const double staying = staying_share(s.masks);
    const bool contradicted = s.moved_share > kNobody || staying > kNobody;
    figure += fmt::format(
        ", {:.2f} % differed from it in every frame examined; the empty scene never appeared", 100 * staying);
    add("empty scene", name(c), contradicted ? Verdict::doubtful : Verdict::cannot_tell, figure, limit,
        "Anyone who stands there from the start is not found: give a clip of the empty scene, or start the "
        "analysis at a frame without people.",
        -1, kGiveClip);
  }

  std::string learnt_from(const CameraSample& s) const {
    if (s.brief && s.clip) return fmt::format("learnt from {} pictures of the clip", s.learnt);
    const double rate = s.info.frame_rate > 0 ? s.info.frame_rate : read_.base_rate;
    return fmt::format("learnt from {} frames ({:.1f} s) of {}", s.learnt,
                       static_cast<double>(s.learnt) / rate, s.clip ? "the clip" : "the recording itself");
  }

  static std::string changed_since(const CameraSample& s) {
    if (s.changed_share == 0) return {};
    return fmt::format(
        "; {:.2f} % of the picture has changed since and keeps still, and is taken for the scene",
        100 * s.changed_share);
  }

  std::string shake_of(const CameraSample& s) const {
    const bool followed = project_.parameters.get<ForegroundParameters>().steady != Steadying::off;
    if (!followed || s.shake_px < kShakes_px) return {};
    return fmt::format("; the camera shakes by up to {:.1f} px, which is compensated", s.shake_px);
  }

  // Share of the picture that showed the scene too seldom to be sure of it, where it was learnt from the
  // whole recording. A person who stays cannot be told from a coat stand where nothing ever changed.
  void check_learnt_scene(size_t c, const std::string& limit) {
    const CameraSample& s = samples_[c];
    const double unsure = seldom_seen_share(*s.scene, project_.cameras[c].ignored);
    add("empty scene", name(c), unsure > kNobody ? Verdict::doubtful : Verdict::cannot_tell,
        fmt::format("learnt from {} pictures of the whole recording; {:.2f} % of the picture showed it in "
                    "less than "
                    "half of them; the empty scene never appeared",
                    s.scene->pictures, 100 * unsure) +
            shake_of(s),
        limit, "Anyone who stays in one position all the time is not found: give a clip of the empty scene.",
        -1, kGiveClip);
  }

  void check_foreground(size_t c) {
    if (!usable(c) || without_video(c)) return;
    double most = 0, least = 1;
    int seen = 0;
    for (const Image& mask : samples_[c].masks) {
      if (!mask) continue;
      const ImageView<const uint8_t> view = mask.view<uint8_t>();
      int64_t count = 0;
      for (int y = 0; y < view.height; ++y)
        for (int x = 0; x < view.width; ++x) count += view.at(x, y) >= 128;
      const double share = static_cast<double>(count) / (static_cast<double>(view.width) * view.height);
      most = std::max(most, share), least = std::min(least, share), ++seen;
    }
    const std::string limit =
        fmt::format("{:.2f} % to {:.0f} % of the picture", 100 * kMinForeground, 100 * kDoubtfulForeground);
    if (seen == 0)
      return add("foreground", name(c), Verdict::cannot_tell, "no picture to examine", limit,
                 "Fix the decoding first.");
    const std::string figure = fmt::format("{:.2f} % to {:.2f} %", 100 * least, 100 * most);
    if (most < kMinForeground)
      return add("foreground", name(c), Verdict::doubtful, figure, limit,
                 "Nothing moves in the examined frames: check the foreground overlay, or lower the "
                 "foreground's thresholds.");
    // A run is stopped only by a clip that shows another scene, and only where people come from the masks.
    const bool has_clip = samples_[c].clip;
    const bool decides = has_clip && people_source(project_) != PeopleSource::fused;
    const Verdict verdict = least > kMaxForeground && decides ? Verdict::failed
                            : least > kDoubtfulForeground     ? Verdict::doubtful
                                                              : Verdict::passed;
    add("foreground", name(c), verdict, figure, limit,
        std::string("The scene differs from what was learnt as empty: ") +
            (has_clip ? "use an empty-scene clip of this camera position and this light."
                      : "give an empty-scene clip.") +
            (people_source(project_) == PeopleSource::fused
                 ? " People come from detections and are not affected; volumes and height maps are."
                 : ""),
        -1, kGiveClip);
  }

  void check_detections(size_t c) {
    if (!usable(c)) return;  // reported earlier
    const VideoInfo& info = samples_[c].info;
    DetectionsFinding finding = examine_detections(project_.cameras[c], info,
                                                   project_.parameters.get<DetectionParameters>().min_score);
    add("detections", name(c), finding.verdict, std::move(finding.figure), "boxes that lie in the pictures",
        std::move(finding.remedy));
  }
};

}  // namespace

void check_footage(const ReadProject& read, size_t camera, std::vector<CheckItem>* items) {
  FootageChecks(read, items).check(camera);
}

}  // namespace vantage
