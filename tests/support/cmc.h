// Real detections of people in a small room with their truth (cmc-detections): 4 cameras, 4 frames a second.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/calibration/formats/calibration.h"
#include "core/detections/detections.h"
#include "core/metrics/tracking_metrics.h"

namespace vantage::test {

inline constexpr double kCmcFrameRate = 4;
// Where truth is complete; people wait beside it.
inline constexpr double kCmcBegin_m = 2.03, kCmcEnd_m = 6.3;

struct CmcRecording {
  std::vector<PinholeCamera<double>> cameras;
  std::map<int64_t, std::vector<CameraDetections>> frames;
  std::vector<TrackRow> truth;
};

inline CmcRecording read_cmc(const std::filesystem::path& folder, const std::string& name) {
  CmcRecording recording;
  const Calibration calibration = read_calibration(folder / "calibration.json", {}).value();
  for (const Camera& camera : calibration.cameras) recording.cameras.push_back(camera.model());
  for (size_t c = 0; c < recording.cameras.size(); ++c) {
    std::ifstream file(folder / (name + "_Cam_" + std::to_string(c + 1) + "_det.txt"));
    for (std::string line; std::getline(file, line);) {
      std::replace(line.begin(), line.end(), ',', ' ');
      std::istringstream columns(line);
      int64_t frame = 0, id = 0;
      PersonDetection one;
      columns >> frame >> id >> one.left_px >> one.top_px >> one.width_px >> one.height_px >> one.score;
      auto& cameras = recording.frames[frame];
      cameras.resize(recording.cameras.size());
      cameras[c].people.push_back(one);
    }
  }
  for (auto& [frame, cameras] : recording.frames)
    for (CameraDetections& camera : cameras) camera.known = true;
  recording.truth = read_mot_csv(read_file(folder / (name + "_gt.txt")).value(), name).value();
  return recording;
}

// Rows outside where truth is complete that match nobody are dropped.
inline TrackingMetrics evaluate_cmc(const CmcRecording& recording, const std::vector<TrackRow>& rows) {
  const auto in = [](const TrackRow& row) { return row.x_m >= kCmcBegin_m && row.x_m <= kCmcEnd_m; };
  std::vector<TrackRow> truth, given;
  for (const TrackRow& row : recording.truth)
    if (in(row)) truth.push_back(row);
  for (const TrackRow& row : rows)
    if (in(row) || std::any_of(truth.begin(), truth.end(), [&](const TrackRow& one) {
          return one.frame == row.frame && std::hypot(one.x_m - row.x_m, one.y_m - row.y_m) < 0.5;
        }))
      given.push_back(row);
  return evaluate_tracks(truth, given, {TrackSpace::world, 0.5}).value();
}

}  // namespace vantage::test
