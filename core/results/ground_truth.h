// Ground truth, wherever it lies: what tracks are compared with.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/metrics/drawn_truth.h"
#include "core/metrics/wildtrack.h"

namespace vantage {

struct GroundTruth {
  std::vector<TrackRow> rows = {};               // frames count from 1, as in tracks.csv
  std::optional<std::set<int64_t>> frames = {};  // those that are annotated, likewise; nothing: all
  bool counted_from_zero = false;  // the file did, as its frame 0 says; the rows count from 1 all the same
  bool empty() const { return rows.empty(); }
};

// What was drawn: its annotated frames.
GroundTruth ground_truth_of(std::span<const TruePerson> drawn);
// Ground truth of a file in MOTChallenge's columns, of a folder of WILDTRACK's annotations, of a folder of
// results, or what was drawn in a project (NAME.vantage). Errors: those of reading; not_found where no one
// was drawn.
Result<GroundTruth> read_ground_truth(const std::filesystem::path& path,
                                      const WildtrackOptions& options = {});

// Only of frames that are annotated.
void keep_annotated(const GroundTruth& truth, std::vector<TrackRow>* given);

}  // namespace vantage
