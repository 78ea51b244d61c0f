// The results of a plan's tasks merged: for each scene an ordinary results folder.
//
// IDs: with Seams::hand_over they are those of one run. After a warm-up each task has IDs of its own; whom
// two neighbours saw in the overlap is the same person by the cheapest assignment of whole tracks
// (join_tracks.h), and everybody else is new. With tracking.method = paths the IDs are then those of the
// paths over the whole recording (core/results/merged_results.h). Lines go from file to file: time grows with
// the recording, memory does not.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/stop_token.h"
#include "core/batch/gaps.h"
#include "core/batch/plan.h"

namespace vantage {

struct MergeOptions {
  std::filesystem::path out;       // empty: the projects' own results folders, where the window finds them
  std::optional<double> window_s;  // of paths, instead of the project's; 0: all frames at once
  StopSource stop;
  std::function<void(int64_t done, int64_t total)> progress;  // frames; empty: not reported
};

struct Seam {
  int64_t frame = 0;  // the first of the later task
  // Tracks in the overlap: of those that the earlier task had before the seam, and all of the later one's.
  int64_t before = 0, after = 0;
  int64_t joined = 0;
};

struct MergedScene {
  std::string name;
  std::filesystem::path folder;  // of its results
  int64_t frames = 0, tasks = 0;
  int64_t bytes = 0;  // of results.jsonl
  std::vector<Seam> seams = {};
  std::vector<Gap> gaps = {};  // of all its tasks, by frame
  std::vector<std::string> notes = {};
};

// The folder of a scene's results: `out` itself where the plan has one scene, else a folder in it; its
// project's own where `out` is empty.
std::filesystem::path merged_folder(const BatchPlan& plan, size_t scene, const std::filesystem::path& out);

// `folder` is the plan's. Writes the results and, next to them, merge.json. Errors: not_found where tasks are
// not complete, naming them; invalid_argument where one does not belong to the plan or to the others: another
// program, project, parameters, device or video; or where two scenes would have the same folder; bad_data,
// io.
Result<std::vector<MergedScene>> merge_tasks(const BatchPlan& plan, const std::filesystem::path& folder,
                                             const MergeOptions& options);

}  // namespace vantage
