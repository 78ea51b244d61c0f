// Compares two trackers on the people of one run, and with ground truth where there is some.
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

// recorded: the IDs in the results; greedy: frame by frame; graph, grid, motion: the paths of least total
// cost.
enum class ComparedMethod : uint8_t { recorded, greedy, graph, grid, motion };
inline constexpr std::array<ComparedMethod, 5> kComparedMethods = {
    ComparedMethod::recorded, ComparedMethod::greedy, ComparedMethod::graph, ComparedMethod::grid,
    ComparedMethod::motion};
std::string_view compared_name(ComparedMethod method);  // "greedy"

// Tracks with the project's parameters of that tracker, and its entrances. Errors: those of follow_paths().
Result<std::vector<PersonPath>> follow_again(const StoredResults& results, ComparedMethod method,
                                             const Project& project);

// The annotated frames that are compared. Frames of the results whose people are unknown are not. Frames
// without results count as frames in which no one was found, or are left out.
struct ComparedFrames {
  std::span<const int64_t> analysed,
      known;  // frames of the results, from 0; known: those whose people are known
  bool analysed_only = true;

  bool are(int64_t frame) const;  // the frame, from 0, is compared
};
// "449 of 500 annotated frames have no results: their people count as missed"; empty: all have some.
// `analysed`: from 0.
std::string without_results_text(const GroundTruth& truth, std::span<const int64_t> analysed,
                                 bool analysed_only);

// Evaluates tracks on the floor, in all annotated frames or some. Errors: those of evaluate_tracks().
inline constexpr double kComparedWithin_m = 0.5;
Result<TrackingMetrics> measure_paths(const std::vector<PersonPath>& paths, const ComparedFrames& frames,
                                      const GroundTruth& truth);
// The same matches, for evaluation by parts, with intervals, and for comparison with others.
Result<MatchedTracks> match_paths(const std::vector<PersonPath>& paths, const ComparedFrames& frames,
                                  const GroundTruth& truth);
// The instants with most missed, false and exchanged people; frames from 0.
Result<std::vector<WorstMoment>> worst_of_paths(const std::vector<PersonPath>& paths,
                                                const ComparedFrames& frames, const GroundTruth& truth);

// Differences between two trackers of the same people. Their IDs are paired by the assignment with most
// common person-frames.
struct TwiceFollowed {
  double x_m = 0, y_m = 0, height_m = 0;
  int64_t first = 0, second = 0;  // IDs; 0: not tracked by that tracker
  bool differs = false;           // the IDs are not paired, or only one tracker has the person
};
// A change of one tracker's ID along a path of the other. Without ground truth the faulty tracker is not
// known: the switch is assigned to the tracker whose ID jumps or is new.
struct TrackerSwitch {
  int64_t frame = 0;     // the first frame with `after`
  int tracker = 0;       // whose ID changes: 0 the first, 1 the second
  int64_t followed = 0;  // the other's ID, which does not change
  int64_t before = 0, after = 0;
  double x_m = 0, y_m = 0;
};
struct TrackerDifferences {
  std::map<int64_t, std::vector<TwiceFollowed>> frames;
  std::vector<TrackerSwitch> switches;  // sorted by frame
  int64_t followed = 0, differing = 0;  // person-frames
};
TrackerDifferences compare_paths(const std::vector<PersonPath>& first, const std::vector<PersonPath>& second);

// Tracks to compare with ground truth, from a file or a folder of results.

struct JudgedTracks {
  std::vector<TrackRow> rows;      // frames count from 1
  bool counted_from_zero = false;  // the file has a frame 0; the rows count from 1 all the same
  // Frames of results in which too few cameras had a picture. They are left out on both sides, for no one
  // could be found or missed there.
  std::set<int64_t> unknown_frames;
  std::vector<int64_t> analysed_frames;  // frames of the results, from 0, ascending; empty: a file alone
  int64_t other_settings = 0;  // number of these that were analysed with other settings than the last run's
};

// Reads a file in MOTChallenge's columns, people's tracks of CVAT's XML (boxes alone), or the tracks of a
// folder of results, with the repairs where there are some. A file with a frame 0 counts from 0, which is
// logged. Errors: those of reading; bad_data, also for boxes of CVAT without tracks and tracks of no person.
Result<JudgedTracks> read_judged_tracks(const std::filesystem::path& given);

}  // namespace vantage
