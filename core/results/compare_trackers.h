// The people of a run followed by one tracker and by another, to be examined side by side, and measured
// against truth where there is some.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/metrics/frame_counts.h"
#include "core/metrics/tracking_metrics.h"
#include "core/metrics/worst_moments.h"
#include "core/project/project.h"
#include "core/results/results_reader.h"
#include "core/results/truth_files.h"

namespace vantage {

// recorded: the numbers in the results; greedy: frame by frame; graph, grid: the globally cheapest paths.
enum class ComparedMethod : uint8_t { recorded, greedy, graph, grid, motion };
inline constexpr std::array<ComparedMethod, 5> kComparedMethods = {
    ComparedMethod::recorded, ComparedMethod::greedy, ComparedMethod::graph, ComparedMethod::grid,
    ComparedMethod::motion};
std::string_view compared_name(ComparedMethod method);  // "greedy"

// With the project's parameters of that tracker, and its entrances. Errors: those of follow_paths().
Result<std::vector<PersonPath>> follow_again(const StoredResults& results, ComparedMethod method,
                                             const Project& project);

// Which annotated frames are compared: not those of the results whose people are unknown. Frames without
// results are frames in which no one was found, or are left out.
struct ComparedFrames {
  std::span<const int64_t> analysed, known;  // of the results, from 0; known: of these
  bool analysed_only = true;

  bool are(int64_t frame) const;  // from 0
};
// "449 of 500 annotated frames have no results: their people count as missed"; empty: all have some.
// `analysed`: from 0.
std::string without_results_text(const GroundTruth& truth, std::span<const int64_t> analysed,
                                 bool analysed_only);

// On the floor, only in annotated frames, all of these or some. Errors: those of evaluate_tracks().
inline constexpr double kComparedWithin_m = 0.5;
Result<TrackingMetrics> measure_paths(const std::vector<PersonPath>& paths, const ComparedFrames& frames,
                                      const GroundTruth& truth);
// The same, to be told of parts, with intervals, and to be compared with others.
Result<MatchedTracks> match_paths(const std::vector<PersonPath>& paths, const ComparedFrames& frames,
                                  const GroundTruth& truth);
// The worst of these: missed, false and exchanged people; frames from 0.
Result<std::vector<WorstMoment>> worst_of_paths(const std::vector<PersonPath>& paths,
                                                const ComparedFrames& frames, const GroundTruth& truth);

// The differences between two trackers of the same people. IDs of one correspond to IDs of the other
// by the one assignment that has the most person-frames in common.
struct TwiceFollowed {
  double x_m = 0, y_m = 0, height_m = 0;
  int64_t first = 0, second = 0;  // numbers; 0: not followed by that tracker
  bool differs = false;           // the numbers do not correspond, or only one tracker follows
};
// Along the way of a number of one tracker the other's number changes. Without truth no one knows who is
// wrong: a switch is said of the tracker whose number jumps, or is new.
struct TrackerSwitch {
  int64_t frame = 0;     // the first one with `after`
  int tracker = 0;       // whose number changes: 0 the first, 1 the second
  int64_t followed = 0;  // the other's number, which stays
  int64_t before = 0, after = 0;
  double x_m = 0, y_m = 0;
};
struct TrackerDifferences {
  std::map<int64_t, std::vector<TwiceFollowed>> frames;
  std::vector<TrackerSwitch> switches;  // by frame
  int64_t followed = 0, differing = 0;  // person-frames
};
TrackerDifferences compare_paths(const std::vector<PersonPath>& first, const std::vector<PersonPath>& second);

// Tracks as they are compared with ground truth: of a file, or of a folder of results.

struct JudgedTracks {
  std::vector<TrackRow> rows;      // frames count from 1
  bool counted_from_zero = false;  // the file did, as its frame 0 says; the rows count from 1 all the same
  // Frames of results in which too few cameras had a picture. No one could be found there, and no one was
  // missed: they are left out on both sides.
  std::set<int64_t> unknown_frames;
  std::vector<int64_t> analysed_frames;  // of the results, from 0, ascending; empty: a file alone
  int64_t other_settings = 0;            // of these, analysed with others than the last run's
};

// A file in MOTChallenge's columns; or the tracks of a folder of results, with the repairs where there are
// some. A file with a frame 0 counts from 0, which is logged. Errors: those of reading, bad_data.
Result<JudgedTracks> read_judged_tracks(const std::filesystem::path& given);

}  // namespace vantage
