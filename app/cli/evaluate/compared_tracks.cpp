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
  rows.given = std::move(judged.rows);
  if (!options.against.empty()) {
    JudgedTracks other = read_result(options.against, options);
    unknown.merge(other.unknown_frames);
    rows.against = std::move(other.rows);
  }
  GroundTruth truth = value_or_fail(read_ground_truth(options.truth, options.wildtrack));
  for (std::vector<TrackRow>* given : {&rows.given, &rows.against}) keep_annotated(truth, given);
  rows.truth = std::move(truth.rows);
  rows.unknown_frames = static_cast<int64_t>(unknown.size());
  for (std::vector<TrackRow>* compared : {&rows.truth, &rows.given, &rows.against})
    std::erase_if(*compared, [&](const TrackRow& row) { return unknown.contains(row.frame); });
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
