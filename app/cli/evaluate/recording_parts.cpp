#include "app/cli/evaluate/recording_parts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/base/file.h"
#include "core/fusion/posture.h"
#include "core/project/match_cameras.h"

namespace vantage::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kSame_m = 0.5;  // people and their truth are one where they stand so near

Result<Project> assembled(std::vector<NewCamera> cameras, const fs::path& calibration,
                          const CalibrationChoice& choice, PictureFit::Kind fit) {
  std::vector<std::string> files, names;
  for (const NewCamera& camera : cameras)
    files.push_back(camera.video.empty() ? camera.detections.file : camera.video);
  VANTAGE_ASSIGN(const std::vector<CalibratedCamera> calibrated,
                 read_calibrated_cameras(calibration.string(), choice, cameras.front().info.width_px,
                                         cameras.front().info.height_px));
  for (const CalibratedCamera& camera : calibrated) names.push_back(camera.camera.name());
  VANTAGE_ASSIGN(const std::vector<size_t> matched, match_cameras(files, names, {}));
  for (size_t i = 0; i < cameras.size(); ++i) {
    cameras[i].calibration = calibrated[matched[i]];
    cameras[i].fit.kind = fit;
    if (fit == PictureFit::Kind::cropped)
      cameras[i].fit =
          guess_fit(calibrated[matched[i]].camera, cameras[i].info.width_px, cameras[i].info.height_px).fit;
  }
  VANTAGE_TRY(stand_in_for_videos(&cameras, 0, 0));
  return assemble_project(cameras);
}

}  // namespace

Result<Project> from_videos(const std::vector<fs::path>& videos, const fs::path& calibration,
                            const CalibrationChoice& choice, PictureFit::Kind fit) {
  std::vector<NewCamera> cameras;
  for (const fs::path& video : videos) {
    NewCamera& camera = cameras.emplace_back();
    camera.video = video.string();
    VANTAGE_ASSIGN(const auto source, open_video(camera.video, {}));
    camera.info = source->info();
  }
  return assembled(std::move(cameras), calibration, choice, fit);
}

Result<Project> from_detections(const std::vector<fs::path>& files, double frame_rate,
                                const fs::path& calibration) {
  std::vector<NewCamera> cameras;
  for (const fs::path& file : files) {
    NewCamera& camera = cameras.emplace_back();
    camera.detections.file = file.string(), camera.detections.frame_rate = frame_rate;
  }
  return assembled(std::move(cameras), calibration, {}, PictureFit::Kind::same);
}

std::vector<fs::path> numbered(const fs::path& folder, const std::string& before, int first, int count,
                               const std::string& behind) {
  std::vector<fs::path> paths;
  for (int i = first; i < first + count; ++i) paths.push_back(folder / (before + std::to_string(i) + behind));
  return paths;
}

Result<Rows> read_rows(const fs::path& path) {
  VANTAGE_ASSIGN(const std::string text, read_file(path));
  return read_mot_csv(text, path.string());
}

RecordingFigure at_least(std::string name, double value, double asked, std::string unit) {
  return {std::move(name), value, std::move(unit), asked, false};
}
RecordingFigure at_most(std::string name, double value, double asked, std::string unit) {
  return {std::move(name), value, std::move(unit), asked, true};
}

Result<std::vector<StoredFrame>> known_frames(const fs::path& results) {
  VANTAGE_ASSIGN(StoredResults stored, read_results(results));
  std::erase_if(stored.frames, [](const StoredFrame& frame) { return frame.people_count < 0; });
  return std::move(stored.frames);
}

Result<TrackingMetrics> evaluated(const Rows& all_truth, const Rows& all,
                                  const std::function<bool(const TrackRow&)>& complete) {
  const bool anywhere = std::any_of(all_truth.begin(), all_truth.end(), complete);
  std::map<int64_t, Rows> truth_of;
  Rows truth, given;
  for (const TrackRow& row : all_truth)
    if (!anywhere || complete(row)) truth.push_back(row), truth_of[row.frame].push_back(row);
  for (const TrackRow& row : all) {
    const Rows& here = truth_of[row.frame];
    const auto is_near = [&](const TrackRow& one) {
      return std::hypot(one.x_m - row.x_m, one.y_m - row.y_m) < kSame_m;
    };
    if (complete(row) || std::any_of(here.begin(), here.end(), is_near)) given.push_back(row);
  }
  return evaluate_tracks(truth, given, {TrackSpace::world, kSame_m});
}

bool sits(const FloorPerson& person) {
  return seated_probability(person.height_m) >= kCalledSeated;
}

Result<double> seated_share(const fs::path& results, const std::function<bool(const FloorPerson&)>& counts) {
  VANTAGE_ASSIGN(const std::vector<StoredFrame> frames, known_frames(results));
  double all = 0, seated = 0;
  for (const StoredFrame& frame : frames)
    for (const FloorPerson& person : frame.people)
      if (counts(person)) ++all, seated += sits(person);
  return all > 0 ? seated / all : NAN;
}

Figures subset_figures(size_t cameras, double recall, double error_m) {
  RecordingFigure found{"recall", recall, {}, std::nullopt, false};
  if (cameras == 2) found.asked = 0.96;
  return {found, {"error on the floor", error_m, "m", std::nullopt, true}};
}

}  // namespace vantage::cli
