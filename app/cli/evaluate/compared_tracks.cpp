#include "app/cli/evaluate/compared_tracks.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "app/cli/common/value_or_fail.h"
#include "core/base/file.h"
#include "core/project/project_store.h"
#include "core/results/ground_truth.h"
#include "core/results/judged_tracks.h"

namespace vantage::cli {
namespace {

JudgedTracks read_result(const std::string& path, const EvaluateOptions& options) {
  if (!holds_annotations(path)) return value_or_fail(read_judged_tracks(path));
  JudgedTracks judged;
  judged.rows = value_or_fail(read_wildtrack(path, options.wildtrack)).rows;
  return judged;
}

// A file that counts from another number than it was taken to: one frame on or back.
void count_as_said(int from, bool counted_from_zero, std::vector<TrackRow>* rows) {
  if (from < 0 || (from == 0) == counted_from_zero) return;
  for (TrackRow& row : *rows) row.frame += from == 0 ? 1 : -1;
}

// Whether moving the result by one frame brings it far nearer to the truth: files without a frame 0 do not
// say what they count from.
std::string doubt_of_count(const ComparedTracks& rows, const EvaluateOptions& options) {
  if (rows.truth.empty()) return {};
  constexpr int64_t kExamined = 500;  // frames: the doubt must not cost more than the comparison
  const auto earlier = [](const TrackRow& a, const TrackRow& b) { return a.frame < b.frame; };
  const int64_t end = std::min_element(rows.truth.begin(), rows.truth.end(), earlier)->frame + kExamined;
  const auto examined = [&](std::vector<TrackRow> all, int64_t by) {
    for (TrackRow& row : all) row.frame += by;
    std::erase_if(all, [&](const TrackRow& row) { return row.frame >= end; });
    return all;
  };
  const std::vector<TrackRow> truth = examined(rows.truth, 0);
  const auto error_if_moved = [&](int64_t by) -> std::optional<double> {
    const auto metrics = evaluate_tracks(truth, examined(rows.given, by), options.how());
    return metrics && metrics->clear.true_positives > 0 ? std::optional(1 - metrics->hota.loc_a)
                                                        : std::nullopt;
  };
  constexpr double kFarNearer = 0.5;
  const std::optional<double> as_it_is = error_if_moved(0);
  for (const int64_t by : {int64_t{1}, int64_t{-1}}) {
    const std::optional<double> moved = error_if_moved(by);
    if (!as_it_is || !moved || !(*moved < kFarNearer * *as_it_is)) continue;
    return std::string("moved by one frame ") + (by > 0 ? "on" : "back") +
           " the result would be far closer to the ground truth: perhaps one of the files counts from 0 "
           "(--result-from 0, --gt-from 0)";
  }
  return {};
}

MeasuredBy measured_by(const EvaluateOptions& options) {
  const auto found = std::find(kMeasuredByNames.begin(), kMeasuredByNames.end(), options.by);
  return found == kMeasuredByNames.end() ? MeasuredBy::all
                                         : static_cast<MeasuredBy>(found - kMeasuredByNames.begin());
}

MeasuredParts measured_parts(const MatchedTracks& tracks, const EvaluateOptions& options,
                             const Project* project) {
  MeasureOptions how;
  how.time_parts = options.time_parts, how.project = project;
  if (options.intervals.wanted) how.intervals = options.intervals.bootstrap();
  return value_or_fail(measure_parts(tracks, measured_by(options), how));
}

// The project of --project, or that in which the ground truth was drawn: its zones and cameras.
std::optional<Project> project_of(const EvaluateOptions& options) {
  const std::string& path = options.project.empty() ? options.truth : options.project;
  if (std::filesystem::path(path).extension() != ".vantage") return std::nullopt;
  return value_or_fail(load_project(path));
}

}  // namespace

bool holds_annotations(const std::string& path) {
  return is_wildtrack(path) && !std::filesystem::exists(std::filesystem::path(path) / "tracks.csv");
}

ComparedTracks read_compared(const EvaluateOptions& options) {
  ComparedTracks rows;
  JudgedTracks judged = read_result(options.result, options);
  std::set<int64_t> unknown = std::move(judged.unknown_frames);
  count_as_said(options.result_from, judged.counted_from_zero, &judged.rows);
  rows.given = std::move(judged.rows);
  if (!options.against.empty()) {
    JudgedTracks other = read_result(options.against, options);
    unknown.merge(other.unknown_frames);
    count_as_said(options.result_from, other.counted_from_zero, &other.rows);
    rows.against = std::move(other.rows);
  }
  GroundTruth truth = value_or_fail(read_ground_truth(options.truth, options.wildtrack));
  count_as_said(options.truth_from, truth.counted_from_zero, &truth.rows);
  for (std::vector<TrackRow>* given : {&rows.given, &rows.against}) keep_annotated(truth, given);
  const auto from_zero = [&](bool file, int said, const char* which) {
    if (file && said < 0)
      rows.notes.push_back(std::string("the ") + which +
                           " has a frame 0: it counts from 0, and is compared so");
  };
  from_zero(truth.counted_from_zero, options.truth_from, "ground truth");
  from_zero(judged.counted_from_zero, options.result_from, "result");
  const bool own = std::filesystem::is_directory(options.result);
  rows.truth = std::move(truth.rows);
  rows.unknown_frames = static_cast<int64_t>(unknown.size());
  for (std::vector<TrackRow>* compared : {&rows.truth, &rows.given, &rows.against})
    std::erase_if(*compared, [&](const TrackRow& row) { return unknown.contains(row.frame); });
  const bool both_zero = judged.counted_from_zero && truth.counted_from_zero;
  if (!own && !both_zero && options.result_from < 0 && options.truth_from < 0)
    if (const std::string doubt = doubt_of_count(rows, options); !doubt.empty()) rows.notes.push_back(doubt);
  return rows;
}

MoreFigures more_figures(const ComparedTracks& rows, const EvaluateOptions& options) {
  MoreFigures more;
  if (options.moments > 0) {
    using enum MomentKind;
    more.moments =
        value_or_fail(worst_moments(rows.truth, rows.given, options.how(), {missed, false_found, swapped}));
    if (more.moments->size() > options.moments) more.moments->resize(options.moments);
    for (WorstMoment& moment : *more.moments)
      for (int64_t* frame : {&moment.frame, &moment.first_frame, &moment.last_frame}) --*frame;
  }
  if (!options.intervals.wanted && options.by.empty() && options.against.empty()) return more;
  const MatchedTracks tracks = value_or_fail(MatchedTracks::make(rows.truth, rows.given, options.how()));
  if (options.intervals.wanted) {
    EvaluateOptions all = options;
    all.by.clear();
    more.whole = measured_parts(tracks, all, nullptr);
  }
  if (!options.by.empty()) {
    const std::optional<Project> project = project_of(options);
    more.parts = measured_parts(tracks, options, project ? &*project : nullptr);
    if (!options.table.empty()) check_or_fail(write_file_atomically(options.table, parts_csv(*more.parts)));
  }
  if (!options.against.empty()) {
    const MatchedTracks other = value_or_fail(MatchedTracks::make(rows.truth, rows.against, options.how()));
    more.compared =
        compare_figures(tracks.counts(), other.counts(), options.how().space, options.intervals.bootstrap());
  }
  return more;
}

}  // namespace vantage::cli
