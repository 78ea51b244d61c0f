// Real recordings with truth that `evaluate --recordings` knows: how each becomes a project with default
// values, what its truth says, and what is asked. The data is no part of the project; tests/support/data.h
// says where it lies.
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
  double value = 0;             // NaN: there is nothing to measure
  std::string unit = {};        // "m", "count"; empty: a share, 0 to 1
  std::optional<double> asked;  // nothing: measured only
  bool at_most = false;         // of `asked`; otherwise at least
  // Whether it is reached; nothing is asked of a figure without `asked`.
  bool met() const { return !asked || (at_most ? value <= *asked : value >= *asked); }
};

struct RealRecording {
  std::string folder, name;           // "cmc-detections", "ten people"; the folder of the data
  std::string file;                   // of its project, without an extension
  std::vector<std::string> settings;  // as --set takes them; empty: default values
  bool needs_model = false;           // a learned detector looks at its pictures
  size_t cameras = 0;                 // every subset of so many cameras is judged for itself; 0: all together
  // Makes the project from the data's folder; detections.model is set by the caller.
  std::function<Result<Project>(const std::filesystem::path& data)> project;
  // Judges by the data's folder and the folder of a run's results.
  std::function<Result<std::vector<RecordingFigure>>(const std::filesystem::path& data,
                                                     const std::filesystem::path& results)>
      judge;
  // Judges each frame as it is analysed, by what results do not keep; may be empty.
  std::function<Result<std::vector<RecordingFigure>>(const std::filesystem::path& data,
                                                     const FrameResult& frame)>
      judge_frame;
};

// All that are known, whether their data is there or not: first those with detections, then those with masks
// alone.
std::vector<RealRecording> real_recordings();

}  // namespace vantage::cli
