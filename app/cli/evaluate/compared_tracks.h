// What `evaluate` compares: tracks of files or results with ground truth, in frames that both sides know, and
// what of it was asked for beyond the figures of all frames.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/evaluate/evaluate_figures.h"
#include "core/metrics/wildtrack.h"

namespace vantage::cli {

struct EvaluateOptions {
  std::string truth, result, against, space = "image";
  double threshold = 0.5, cutoff_m = 0, order = EvaluationOptions().order;
  WildtrackOptions wildtrack;
  IntervalOptions intervals;
  std::string by, project, table;
  int time_parts = MeasureOptions().time_parts;
  size_t moments = 0;
  int truth_from = -1, result_from = -1;  // the number of the first frame in the files, 0 or 1; -1: not said
  bool json = false;

  EvaluationOptions how() const {
    return {space == "world" ? TrackSpace::world : TrackSpace::image, threshold, cutoff_m, order};
  }
};

bool holds_annotations(const std::string& path);  // of WILDTRACK

struct ComparedTracks {
  std::vector<TrackRow> truth, given, against;  // against: of a second result
  int64_t unknown_frames = 0;                   // left out
  std::vector<std::string> notes;               // how the files' frames were counted, a sentence each
};
// Only frames that are annotated, and whose people the results know: of two results both.
ComparedTracks read_compared(const EvaluateOptions& options);

struct MoreFigures {
  std::optional<MeasuredParts> whole, parts;  // with intervals; by time, person, zone or cameras
  std::vector<ComparedFigure> compared;
  std::optional<std::vector<WorstMoment>> moments;  // frames from 0
};
MoreFigures more_figures(const ComparedTracks& rows, const EvaluateOptions& options);

}  // namespace vantage::cli
