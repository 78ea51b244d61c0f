// Two runs of a project that are compared: read off the GUI thread, kept as long as their files stay as they
// are.
#pragma once

#include <QString>
#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/stop_token.h"
#include "core/project/project.h"
#include "core/results/compare_results.h"
#include "ui/views/compared_marks.h"

namespace vantage::ui {

// The results of a variant, by its name; the project's own have an empty one.
using RunName = std::string;
QString run_text(const RunName& name);  // "strict", "the project"

struct ComparedRun {
  RunName name;
  std::filesystem::path folder;
  std::optional<ParameterStore> made_with;  // nothing: older results do not say
  std::optional<ParameterStore> variant;    // its present parameters; nothing: the project's count
  bool masks = false;                       // foreground masks of some frames are kept

  // Why they are not those of the present parameters, for a label; empty: they are.
  QString outdated(const ParameterStore& project) const;
};

struct ComparedRuns {
  std::array<ComparedRun, 2> runs;
  ResultsComparison results;
};
using ComparedRunsRef = std::shared_ptr<const ComparedRuns>;

// When their results were written; changes with every run.
using RunStamps = std::array<std::filesystem::file_time_type, 2>;
RunStamps stamps_of(const Project& project, const std::array<RunName, 2>& names);

// Errors: those of read_variant() and compare_results().
Result<ComparedRunsRef> compare_runs(const Project& project, const std::array<RunName, 2>& names,
                                     const StopSource& stop);

// The two by the ground truth drawn in the project; empty where it has none in their frames. Errors: those of
// compare_by_truth().
Result<std::vector<ComparedFigure>> measure_runs(const Project& project, const std::array<RunName, 2>& names);

// People of the project at other values, shown next to those it has now: a point of a sweep.
struct ComparedValue {
  QString name;  // "people.min_own 0.4"
  // Who is there then; nothing: not known.
  std::function<std::optional<std::vector<FloorPerson>>(int64_t frame)> people;
};
// A: those `now`, B: those of the value.
MarkedComparison marks_of_value(const ComparedValue& value, const std::vector<FloorPerson>& now,
                                int64_t frame);

// The two sides of a frame; without masks.
MarkedComparison marks_of_frame(const ComparedRuns& compared, int64_t frame, const ParameterStore& project);
// The masks of a frame that the runs keep, by camera; empty: none.
std::vector<ComparedMasks> masks_of_frame(const ComparedRuns& compared,
                                          const std::vector<std::string>& cameras, int64_t frame,
                                          const StopSource& stop);

}  // namespace vantage::ui
