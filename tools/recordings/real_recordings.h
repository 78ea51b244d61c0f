// Real recordings with ground truth for `evaluate --recordings`: their projects with default values, ground
// truth and requirements. The data is not part of the project; tests/support/data.h states its location.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/pipeline/frame_result.h"
#include "core/project/project.h"

namespace vantage::cli {

struct RecordingFigure {
  std::string name;             // "MODA"
  double value = 0;             // NaN: nothing to measure
  std::string unit = {};        // "m", "count"; empty: a share, 0 to 1
  std::optional<double> asked;  // requirement; nothing: measured only
  bool at_most = false;         // `asked` is a maximum; otherwise a minimum
  // True if the requirement is met; always true without one.
  bool met() const { return !asked || (at_most ? value <= *asked : value >= *asked); }
};

struct RealRecording {
  std::string folder, name;           // "cmc-detections", "ten people"; the folder of the data
  std::string file;                   // its project's file, without an extension
  std::vector<std::string> settings;  // as --set takes them; empty: default values
  bool needs_model = false;           // uses a learned detector on its pictures
  size_t cameras = 0;  // every subset of that many cameras is evaluated separately; 0: all together
  // Makes the project from the data's folder; detections.model is set by the caller.
  std::function<Result<Project>(const std::filesystem::path& data)> project;
  // Evaluates by the data's folder and the folder of a run's results.
  std::function<Result<std::vector<RecordingFigure>>(const std::filesystem::path& data,
                                                     const std::filesystem::path& results)>
      judge;
  // Evaluates each frame during the analysis, by data that results do not keep; may be empty.
  std::function<Result<std::vector<RecordingFigure>>(const std::filesystem::path& data,
                                                     const FrameResult& frame)>
      judge_frame;
};

// All known recordings, with and without data here: first those with detections, then those with masks alone.
std::vector<RealRecording> real_recordings();

}  // namespace vantage::cli
