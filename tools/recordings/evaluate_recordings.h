// `evaluate --recordings DIR`: analyses every real recording of a folder (real_recordings.h) as `run` does
// with default values, and evaluates it by its own ground truth.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/metrics/tracking_metrics.h"
#include "core/project/new_project.h"
#include "core/results/results_reader.h"
#include "tools/recordings/real_recordings.h"

namespace vantage::cli {

struct EvaluateRecordingsOptions {
  std::string data;   // parent of the recordings' folders
  std::string model;  // the learned detector's; empty: models/rtmdet_nano_person.onnx of `data`
  std::string out;    // for the projects and their results; empty: a temporary folder
  std::string only;   // only names that contain this
  std::string backend = "cpu";
  bool json = false;
};

// Prints a table; recordings without data or model are listed on standard error.
void evaluate_recordings(const EvaluateRecordingsOptions& options);

// Parts shared by the real recordings: projects with default values from videos or boxes, readers of results,
// and figures with their requirements.

using Figures = std::vector<RecordingFigure>;
using Rows = std::vector<TrackRow>;

// ---- projects

Result<Project> from_videos(const std::vector<std::filesystem::path>& videos,
                            const std::filesystem::path& calibration, const CalibrationChoice& choice = {},
                            PictureFit::Kind fit = PictureFit::Kind::same);
Result<Project> from_detections(const std::vector<std::filesystem::path>& files, double frame_rate,
                                const std::filesystem::path& calibration);
// folder/BEFOREiBEHIND for `count` numbers from `first` on.
std::vector<std::filesystem::path> numbered(const std::filesystem::path& folder, const std::string& before,
                                            int first, int count, const std::string& behind);

// ---- what truth and results say

Result<Rows> read_rows(const std::filesystem::path& path);
// Frames with known people, from the results' lines rather than the tracks: people count with and without an
// ID.
Result<std::vector<StoredFrame>> known_frames(const std::filesystem::path& results);
// Drops rows without a match where the ground truth is not complete; `complete` states where it is.
Result<TrackingMetrics> evaluated(const Rows& all_truth, const Rows& all,
                                  const std::function<bool(const TrackRow&)>& complete);
// Share of the people selected by `counts` that is labelled seated; NaN: there are none.
Result<double> seated_share(const std::filesystem::path& results,
                            const std::function<bool(const FloorPerson&)>& counts);
bool sits(const FloorPerson& person);

// ---- figures

RecordingFigure at_least(std::string name, double value, double asked, std::string unit = {});
RecordingFigure at_most(std::string name, double value, double asked, std::string unit = {});
// The mean recall is required of two cameras; one gives only a ray.
Figures subset_figures(size_t cameras, double recall, double error_m);

// ---- recordings with pictures (pictured_recordings.cpp), in the order of real_recordings()

std::vector<RealRecording> recordings_with_detector();
std::vector<RealRecording> recordings_by_masks();

}  // namespace vantage::cli
