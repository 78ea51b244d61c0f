// The results of a plan's tasks merged: for each scene an ordinary results folder.
//
// IDs: with Seams::hand_over they are those of one run. After a warm-up each task has its own IDs; people
// seen by two neighbours in the overlap are joined by the cheapest assignment of whole tracks
// (join_tracks()), and all others are new. With tracking.method = paths the IDs are then those of the paths
// over the whole recording (core/results/merged_results.h). Lines are copied from file to file: time grows
// with the recording, memory does not.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/batch/plan.h"
#include "core/metrics/tracking_metrics.h"
#include "core/video/frame_source.h"

namespace vantage {

// Gaps of a span of a recording: cameras without a picture, or with a damaged one, and frames that could not
// be analysed at all.

struct Gap {
  std::string camera;           // empty: the frames themselves are lacking
  int64_t first = 0, last = 0;  // frames, both included
  std::string problem;
  bool operator==(const Gap&) const = default;
};
// "cam2, frames 100 to 249: the video is missing"
std::string gap_text(const Gap& gap);

class GapWatch {
 public:
  // Maximum absence at the beginning or the end of the recording that is not a gap: cameras are started and
  // stopped by hand.
  static constexpr double kEdge_s = 5;

  GapWatch(std::vector<std::string> cameras, int64_t recording_frames, double frame_rate)
      : cameras_(std::move(cameras)),
        recording_frames_(recording_frames),
        edge_frames_(static_cast<int64_t>(kEdge_s * frame_rate)),
        open_(cameras_.size(), -1) {}

  // Frames in order.
  void add(const FrameSet& frames);
  // The gaps by first frame.
  std::vector<Gap> take();

 private:
  bool at_edge(const Gap& gap) const;

  std::vector<std::string> cameras_;
  int64_t recording_frames_, edge_frames_;
  std::vector<Gap> gaps_;
  std::vector<int64_t> open_;  // index of the gap that may continue, by camera; -1: none
};

struct MergeOptions {
  std::filesystem::path out;       // empty: the projects' own results folders, where the window finds them
  std::optional<double> window_s;  // window of paths, instead of the project's; 0: all frames at once
  StopSource stop;
  std::function<void(int64_t done, int64_t total)> progress;  // frames; empty: not reported
};

struct Seam {
  int64_t frame = 0;  // the first of the later task
  // Numbers of tracks in the overlap: those that the earlier task had before the seam, and all of the later
  // one.
  int64_t before = 0, after = 0;
  int64_t joined = 0;
};

struct MergedScene {
  std::string name;
  std::filesystem::path folder;  // folder of its results
  int64_t frames = 0, tasks = 0;
  int64_t bytes = 0;  // size of results.jsonl
  std::vector<Seam> seams = {};
  std::vector<Gap> gaps = {};  // gaps of all its tasks, sorted by frame
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

// Tracks of the same people in two tasks that saw the same frames (the overlap at a seam).

// Maximum distance of two tracks in a frame that counts for them.
inline constexpr double kJoin_m = 0.5;

// Distance from the seam, as a share of the overlap, over which the weight of a frame halves.
inline constexpr double kHalvedAfter = 0.125;

// Pairs of IDs, of `before` and of `after`, each at most once: the assignment of whole tracks with the
// largest sum over all common frames of 1 - distance / kJoin_m, where the distance is that on the floor and
// 1.5 times that of heights (as trackers weigh them, core/tracking/tracker.h). By ID of `before`. The
// overlap, frames [begin, end), begins at the seam. Frames count less the farther they are from it: results
// come from one task up to the seam and from the other behind it, so IDs matter there, and trackers with
// different pasts confuse people at different times.
std::vector<std::pair<int64_t, int64_t>> join_tracks(std::span<const TrackRow> before,
                                                     std::span<const TrackRow> after, int64_t begin,
                                                     int64_t end);

}  // namespace vantage
