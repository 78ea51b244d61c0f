// Recordings with pictures: by a learned detector, and by masks alone.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/base/quantile.h"
#include "core/people/floor_person.h"
#include "core/run/mask_scores.h"
#include "tools/recordings/evaluate_recordings.h"

namespace vantage::cli {
namespace {

bool anybody(const FloorPerson&) {
  return true;
}

namespace fs = std::filesystem;

constexpr double kMarked_m = 0.3;  // maximum distance between people and positions marked by hand

// ---- ufes-lab-4cam

// The median over that many frames before and after.
double median_height_m(const Rows& rows, const TrackRow& at, int64_t reach_frames) {
  std::vector<double> heights;
  for (const TrackRow& row : rows)
    if (row.id == at.id && std::llabs(row.frame - at.frame) <= reach_frames) heights.push_back(row.height_m);
  return upper_median(std::move(heights));
}

// The results at the marked positions of the men: 13, of two identities.
struct LabMarks {
  double marked = 0, found = 0;
  double error_m = NAN;  // mean, of the found positions
  double worst_height_m = NAN,
         worst_second_m = NAN;  // by the median of the complete track, and over one second
  double numbers = 0;           // IDs of both men
  double tracks = 0;
};
Result<LabMarks> lab_marks(const fs::path& data, const fs::path& results) {
  VANTAGE_ASSIGN(const Rows truth, read_rows(data / "truth.csv"));
  VANTAGE_ASSIGN(const Rows rows, read_rows(results / "tracks.csv"));
  LabMarks marks;
  double error_m = 0, worst_m = 0, worst_second_m = 0;
  std::map<int64_t, std::set<int64_t>> given;  // IDs given to each true person
  for (const TrackRow& mark : truth) {
    const TrackRow* nearest = nullptr;
    double nearest_m = kMarked_m;
    for (const TrackRow& row : rows) {
      const double away_m = std::hypot(row.x_m - mark.x_m, row.y_m - mark.y_m);
      if (row.frame == mark.frame && away_m < nearest_m) nearest = &row, nearest_m = away_m;
    }
    if (!nearest) continue;
    ++marks.found, error_m += nearest_m;
    given[mark.id].insert(nearest->id);
    constexpr int64_t kSecond = 5, kAll = INT32_MAX;  // frames, at 10 a second
    const auto off_m = [&](int64_t reach) {
      return std::abs(median_height_m(rows, *nearest, reach) - mark.height_m);
    };
    worst_m = std::max(worst_m, off_m(kAll)), worst_second_m = std::max(worst_second_m, off_m(kSecond));
  }
  marks.marked = static_cast<double>(truth.size());
  if (marks.found > 0) {
    marks.error_m = error_m / marks.found;
    marks.worst_height_m = worst_m, marks.worst_second_m = worst_second_m;
  }
  for (const auto& [id, its] : given) marks.numbers += static_cast<double>(its.size());
  std::set<int64_t> all;
  for (const TrackRow& row : rows) all.insert(row.id);
  marks.tracks = static_cast<double>(all.size());
  return marks;
}

// True where the two men sit; walkers pass there, too.
bool among_desks(const FloorPerson& person) {
  return person.x_m >= 1.5 && person.x_m <= 3 && person.y_m >= 2 && person.y_m <= 3.5;
}

// The share of frames with a person labelled seated where `counts` is true.
Result<double> frames_with_seated(const fs::path& results, bool (*counts)(const FloorPerson&)) {
  VANTAGE_ASSIGN(const std::vector<StoredFrame> frames, known_frames(results));
  const auto with = std::count_if(frames.begin(), frames.end(), [&](const StoredFrame& frame) {
    return std::any_of(frame.people.begin(), frame.people.end(),
                       [&](const FloorPerson& one) { return sits(one) && counts(one); });
  });
  return static_cast<double>(with) / static_cast<double>(frames.size());
}

Result<Project> lab_project(const fs::path& data) {
  return from_videos(numbered(data, "cam", 0, 4, ".mp4"), data / "room.json");
}

RealRecording lab(int every) {
  RealRecording recording;
  recording.folder = "ufes-lab-4cam", recording.name = "two men walking, two seated";
  recording.file = "lab";
  if (every > 1) {
    recording.name += ", the detector on every second set";
    recording.file += "_every" + std::to_string(every);
    recording.settings = {"detections.every=" + std::to_string(every)};
  }
  recording.needs_model = true;
  recording.project = lab_project;
  recording.judge = [](const fs::path& data, const fs::path& results) -> Result<Figures> {
    VANTAGE_ASSIGN(const LabMarks marks, lab_marks(data, results));
    VANTAGE_ASSIGN(const double in_sight, frames_with_seated(results, among_desks));
    VANTAGE_ASSIGN(const double elsewhere,
                   seated_share(results, [](const FloorPerson& one) { return !among_desks(one); }));
    return Figures{
        at_least("marked places found", marks.found, marks.marked, "count"),
        at_most("mean error of those", marks.error_m, 0.05, "m"),
        at_most("worst height, median of the track", marks.worst_height_m, 0.06, "m"),
        {"worst height, median over 1 s", marks.worst_second_m, "m", std::nullopt, true},
        at_most("numbers of the two men", marks.numbers, 2, "count"),
        {"tracks", marks.tracks, "count", std::nullopt, true},
        {"frames with somebody seated at the desks", in_sight, "", std::nullopt, false},
        at_most("people called seated elsewhere", elsewhere, 0),
    };
  };
  return recording;
}

RealRecording lab_by_masks() {
  RealRecording recording;
  recording.folder = "ufes-lab-4cam", recording.name = "two men walking, masks alone";
  recording.file = "lab_masks";
  recording.project = lab_project;
  recording.judge = [](const fs::path& data, const fs::path& results) -> Result<Figures> {
    VANTAGE_ASSIGN(const LabMarks marks, lab_marks(data, results));
    VANTAGE_ASSIGN(const std::vector<StoredFrame> frames, known_frames(results));
    const auto no_other = std::count_if(frames.begin(), frames.end(),
                                        [](const StoredFrame& frame) { return frame.people.size() <= 2; });
    return Figures{at_least("marked places found", marks.found, 12, "count"),
                   at_most("worst height of those", marks.worst_height_m, 0.1, "m"),
                   at_least("frames with nobody but the two",
                            static_cast<double>(no_other) / static_cast<double>(frames.size()), 0.9)};
  };
  return recording;
}

RealRecording lab_subsets(size_t cameras) {
  RealRecording recording = lab(1);
  recording.cameras = cameras;
  recording.judge = [cameras](const fs::path& data, const fs::path& results) -> Result<Figures> {
    VANTAGE_ASSIGN(const LabMarks marks, lab_marks(data, results));
    return subset_figures(cameras, marks.found / marks.marked, marks.error_m);
  };
  return recording;
}

// ---- those whose truth is a number of people

// The share of all frames in which exactly `people` are found where `counts` is true.
Result<double> share_with(const fs::path& results, size_t people,
                          const std::function<bool(const FloorPerson&)>& counts) {
  VANTAGE_ASSIGN(const StoredResults stored, read_results(results));
  double with = 0;
  for (const StoredFrame& frame : stored.frames)
    with += frame.people_count >= 0 &&
            static_cast<size_t>(std::count_if(frame.people.begin(), frame.people.end(), counts)) == people;
  return with / static_cast<double>(stored.frames.size());
}

Result<Project> pizza_project(const fs::path& data) {
  CalibrationChoice choice;
  choice.camera_type = "hd";
  return from_videos({data / "00_04.mp4", data / "00_10.mp4", data / "00_29.mp4"},
                     data.parent_path() / "sync-sports1/calibration_160906.json", choice,
                     PictureFit::Kind::scaled);
}

RealRecording pizza() {
  RealRecording recording;
  recording.folder = "panoptic-pizza1-3cam", recording.name = "five people almost still";
  recording.file = "pizza";
  recording.needs_model = true;
  recording.project = pizza_project;
  recording.judge = [](const fs::path&, const fs::path& results) -> Result<Figures> {
    VANTAGE_ASSIGN(const double share, share_with(results, 5, anybody));
    VANTAGE_ASSIGN(const double seated, seated_share(results, anybody));
    return Figures{at_least("frames with exactly five", share, 0.99),
                   at_most("people called seated, who all stand", seated, 0.01)};
  };
  return recording;
}

// No one leaves: masks cannot find them, and must not report that no one is there.
RealRecording pizza_by_masks() {
  RealRecording recording;
  recording.folder = "panoptic-pizza1-3cam", recording.name = "five people almost still, masks alone";
  recording.file = "pizza_masks";
  recording.project = pizza_project;
  recording.judge = [](const fs::path&, const fs::path& results) -> Result<Figures> {
    VANTAGE_ASSIGN(const double nobody, share_with(results, 0, anybody));
    VANTAGE_ASSIGN(const double five, share_with(results, 5, anybody));
    return Figures{at_most("frames that say nobody", nobody, 0),
                   {"frames with exactly five", five, "", std::nullopt, false}};
  };
  return recording;
}

// `take`: "multi", two people on a platform and one behind it; "single", one on it.
RealRecording platform(const std::string& take, size_t people, bool by_masks) {
  RealRecording recording;
  recording.folder = "pose2sim";
  recording.name = people == 2 ? "two on a platform, one behind" : "one on a platform";
  recording.file = people == 2 ? "platform" : "platform_single";
  if (by_masks) recording.name += ", masks alone", recording.file += "_masks";
  recording.needs_model = !by_masks;
  recording.project = [take](const fs::path& data) {
    return from_videos(numbered(data / take, "cam0", 1, 4, ".mp4"), data / "calibration_mm.json", {},
                       PictureFit::Kind::cropped);
  };
  recording.judge = [people, by_masks](const fs::path&, const fs::path& results) -> Result<Figures> {
    VANTAGE_ASSIGN(const double share,
                   share_with(results, people, [](const FloorPerson& one) { return one.x_m > -3; }));
    return Figures{at_least(people == 2 ? "frames with exactly two on it" : "frames with exactly one on it",
                            share, by_masks ? 0.95 : 0.99)};
  };
  return recording;
}

RealRecording seated_man() {
  RealRecording recording;
  recording.folder = "uu-voxel-1p", recording.name = "one who sits";
  recording.file = "seated";
  recording.settings = {"detections.every=5"};
  recording.needs_model = true;
  recording.project = [](const fs::path& data) {
    return from_videos(numbered(data, "cam", 1, 4, "/video.avi"), data / "calibration_mm.json");
  };
  recording.judge = [](const fs::path&, const fs::path& results) -> Result<Figures> {
    VANTAGE_ASSIGN(const double one, share_with(results, 1, anybody));
    VANTAGE_ASSIGN(const double seated, seated_share(results, anybody));
    return Figures{at_least("frames with exactly one", one, 0.99),
                   at_least("people called seated", seated, 0.99)};
  };
  return recording;
}

RealRecording empty_room() {
  RealRecording recording;
  recording.folder = "uu-voxel-1p", recording.name = "an empty room";
  recording.file = "empty_room";
  recording.needs_model = true;
  recording.project = [](const fs::path& data) {
    return from_videos(numbered(data, "cam", 1, 4, "/background.avi"), data / "calibration_mm.json");
  };
  recording.judge = [](const fs::path&, const fs::path& results) -> Result<Figures> {
    VANTAGE_ASSIGN(const std::vector<StoredFrame> frames, known_frames(results));
    double people = 0;
    for (const StoredFrame& frame : frames) people += static_cast<double>(frame.people.size());
    return Figures{at_most("people in all frames", people, 0, "count"),
                   {"frames examined", static_cast<double>(frames.size()), "count", std::nullopt, false}};
  };
  return recording;
}

// ---- masks compared with those drawn by hand

// One frame is annotated. The requirement for each camera is the result of OpenCV's KNN there, with its
// default values, fed the complete clip of the empty scene, its mask opened by 3x3 and closed by 5x5 pixels.
Result<Figures> judge_drawn_masks(const fs::path& data, const FrameResult& result) {
  constexpr int64_t kDrawnFrame = 425;
  constexpr std::array<double, 4> kKnn = {0.907, 0.747, 0.759, 0.884};
  if (result.frame != kDrawnFrame || !result.foreground()) return Figures{};
  std::vector<ProjectCamera> cameras;
  for (size_t c = 1; c <= kKnn.size(); ++c) cameras.push_back({.name = "cam" + std::to_string(c)});
  VANTAGE_ASSIGN(const DrawnMasks drawn, find_masks(data / "gt_masks"));
  VANTAGE_ASSIGN(const std::vector<MaskScore> scores, score_frame(result, cameras, drawn));
  if (scores.size() != kKnn.size())
    return fail(ErrorKind::bad_data, "not every camera has a mask", (data / "gt_masks").string());
  Figures figures;
  for (size_t c = 0; c < kKnn.size(); ++c)
    figures.push_back(at_least("mask of " + scores[c].camera + ", IoU", scores[c].overlap.iou(), kKnn[c]));
  figures.push_back(at_least("masks, mean IoU", *mean_iou(scores), 0.89));
  return figures;
}

RealRecording drawn_masks() {
  RealRecording recording;
  recording.folder = "uu-voxel-1p", recording.name = "masks of a seated man, with empty scenes";
  recording.file = "drawn_masks";
  recording.project = [](const fs::path& data) -> Result<Project> {
    VANTAGE_ASSIGN(Project project,
                   from_videos(numbered(data, "cam", 1, 4, "/video.avi"), data / "calibration_mm.json"));
    for (ProjectCamera& camera : project.cameras)
      camera.background = (fs::path(camera.video).parent_path() / "background.avi").string();
    return project;
  };
  recording.judge_frame = judge_drawn_masks;
  return recording;
}

}  // namespace

std::vector<RealRecording> recordings_with_detector() {
  return {lab(1),       lab(2),      lab_subsets(2), lab_subsets(1), pizza(), platform("multi", 2, false),
          seated_man(), empty_room()};
}

std::vector<RealRecording> recordings_by_masks() {
  return {lab_by_masks(), pizza_by_masks(), platform("multi", 2, true), platform("single", 1, true),
          drawn_masks()};
}

}  // namespace vantage::cli
