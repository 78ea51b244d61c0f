#include <fmt/core.h>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/common/command.h"
#include "app/cli/evaluate/evaluate_figures.h"
#include "app/cli/results/truth_masks.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/metrics/wildtrack.h"
#include "core/project/project_store.h"
#include "core/results/compare_trackers.h"
#include "core/results/truth_files.h"

namespace vantage::cli {
namespace {

// Comparison by `evaluate`: tracks of files or results with ground truth, in frames known to both, and the
// requested details beyond the figures of all frames.

struct EvaluateOptions {
  std::string truth, result, against, space = "image";
  double threshold = 0.5, cutoff_m = 0, order = EvaluationOptions().order;
  WildtrackOptions wildtrack;
  IntervalOptions intervals;
  std::string by, project, table;
  int time_parts = MeasureOptions().time_parts;
  size_t moments = 0;
  int truth_from = -1, result_from = -1;  // number of the first frame in the files, 0 or 1; -1: not stated
  bool analysed = false, json = false;

  EvaluationOptions how() const {
    return {space == "world" ? TrackSpace::world : TrackSpace::image, threshold, cutoff_m, order};
  }
};

bool holds_annotations(const std::string& path);  // in WILDTRACK's form

struct ComparedTracks {
  std::vector<TrackRow> truth, given, against;  // against: of a second result
  int64_t unknown_frames = 0;                   // left out
  std::vector<std::string> notes;               // numbering of the files' frames, a sentence each
};

struct MoreFigures {
  std::optional<MeasuredParts> whole, parts;  // with intervals; by time, person, zone or cameras
  std::vector<ComparedFigure> compared;
  std::optional<std::vector<WorstMoment>> moments;  // frames from 0
};

JudgedTracks read_result(const std::string& path, const EvaluateOptions& options) {
  if (!holds_annotations(path)) return value_or_fail(read_judged_tracks(path));
  JudgedTracks judged;
  judged.rows = value_or_fail(read_wildtrack(path, options.wildtrack)).rows;
  return judged;
}

// Shifts rows by one frame if the file counts from another number than assumed.
void count_as_said(int from, bool counted_from_zero, std::vector<TrackRow>* rows) {
  if (from < 0 || (from == 0) == counted_from_zero) return;
  for (TrackRow& row : *rows) row.frame += from == 0 ? 1 : -1;
}

// A sentence if a shift of the result by one frame agrees far better with the ground truth: files without a
// frame 0 do not state their first number.
std::string doubt_of_count(const ComparedTracks& rows, const EvaluateOptions& options) {
  if (rows.truth.empty()) return {};
  constexpr int64_t kExamined = 500;  // frames: the check must not cost more than the comparison
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

// The project of --project, or the one with the ground truth: provides zones and cameras.
std::optional<Project> project_of(const EvaluateOptions& options) {
  const std::string& path = options.project.empty() ? options.truth : options.project;
  if (std::filesystem::path(path).extension() != ".vantage") return std::nullopt;
  return value_or_fail(load_project(path));
}

bool holds_annotations(const std::string& path) {
  return is_wildtrack(path) && !std::filesystem::exists(std::filesystem::path(path) / "tracks.csv");
}

// Only annotated frames whose people the results know: both, of two results.
ComparedTracks read_compared(const EvaluateOptions& options) {
  ComparedTracks rows;
  JudgedTracks judged = read_result(options.result, options);
  std::set<int64_t> unknown = std::move(judged.unknown_frames);
  if (judged.other_settings > 0)
    rows.notes.push_back(std::to_string(judged.other_settings) + " of " +
                         std::to_string(judged.analysed_frames.size()) +
                         " frames were analysed with other settings than the last run's");
  count_as_said(options.result_from, judged.counted_from_zero, &judged.rows);
  rows.given = std::move(judged.rows);
  if (!options.against.empty()) {
    JudgedTracks other = read_result(options.against, options);
    unknown.merge(other.unknown_frames);
    std::erase_if(judged.analysed_frames,
                  [&](int64_t frame) { return !std::ranges::binary_search(other.analysed_frames, frame); });
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
  if (options.analysed && judged.analysed_frames.empty())
    throw CLI::ValidationError("--analysed", "only folders of results state which frames were analysed");
  if (!judged.analysed_frames.empty())
    if (const std::string without = without_results_text(truth, judged.analysed_frames, options.analysed);
        !without.empty())
      rows.notes.push_back(without + (options.analysed ? "" : " (--analysed leaves them out)"));
  const bool own = std::filesystem::is_directory(options.result);
  rows.truth = std::move(truth.rows);
  rows.unknown_frames = static_cast<int64_t>(unknown.size());
  for (std::vector<TrackRow>* compared : {&rows.truth, &rows.given, &rows.against})
    std::erase_if(*compared, [&](const TrackRow& row) {
      return unknown.contains(row.frame) ||
             (options.analysed && !std::ranges::binary_search(judged.analysed_frames, row.frame - 1));
    });
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

Report clear_report(const ClearMetrics& c) {
  const Unit share{"", 3};
  Report report;
  report.add_number("mota", "MOTA", c.mota, share), report.add_number("motp", "MOTP", c.motp, share);
  report.add_number("moda", "MODA", c.moda, share), report.add_number("modp", "MODP", c.modp, share);
  report.add_number("recall", "recall", c.recall, share);
  report.add_number("precision", "precision", c.precision, share);
  report.add_count("true_positives", "TP", c.true_positives);
  report.add_count("false_positives", "FP", c.false_positives);
  report.add_count("false_negatives", "FN", c.false_negatives);
  report.add_count("switches", "switches", c.switches);
  report.add_count("fragments", "fragments", c.fragments);
  report.add_count("mostly_tracked", "mostly tracked", c.mostly_tracked);
  report.add_count("partly_tracked", "partly", c.partly_tracked);
  report.add_count("mostly_lost", "mostly lost", c.mostly_lost);
  return report;
}

Report places_report(const PlaceMetrics& p, bool matched_on_floor) {
  const bool heights = p.heights > 0;
  const auto known = [](bool is, double value) { return is ? ReportValue(value) : ReportValue(); };
  Report report;
  report.add("floor_error_m", "floor error", known(matched_on_floor, p.floor_error_m),
             matched_on_floor ? unit_text(p.floor_error_m, {"m on average", 3}) : "");
  report.add_data("heights", p.heights);
  report.add(
      "height_error_m", "height error", known(heights, p.height_error_m),
      heights ? unit_text(p.height_error_m, {"m on average", 3}) + fmt::format(" over {} matches", p.heights)
              : "");
  report.add("height_bias_m", "bias", known(heights, p.height_bias_m),
             heights ? unit_text(p.height_bias_m, {"m", 3, 1, true}) : "");
  return report;
}

Report hota_report(const HotaMetrics& hota) {
  const Unit share{"", 3};
  Report report;
  report.add_number("hota", "HOTA", hota.hota, share), report.add_number("det_a", "DetA", hota.det_a, share);
  report.add_number("ass_a", "AssA", hota.ass_a, share);
  report.add_number("loc_a", "LocA", hota.loc_a, share);
  std::vector<Report> at_alpha;
  for (const HotaMetrics::AtAlpha& at : hota.at_alpha) {
    Report& row = at_alpha.emplace_back();
    row.add_data("alpha", at.alpha), row.add_data("hota", at.hota), row.add_data("det_a", at.det_a);
    row.add_data("ass_a", at.ass_a), row.add_data("loc_a", at.loc_a);
  }
  report.add_rows("at_alpha", std::move(at_alpha));
  return report;
}

Report metrics_report(const TrackingMetrics& m, const EvaluateOptions& options) {
  const Unit share{"", 3}, metres{"m", 3};
  const bool floor = options.space == "world";
  Report report, identity, sets;
  report.add_data("space", options.space), report.add_data("threshold", options.threshold);
  report.add_data("frames", m.frames);
  report.add_data("true_rows", m.true_rows), report.add_data("given_rows", m.given_rows);
  report.add_data("true_identities", m.true_identities);
  report.add_data("given_identities", m.given_identities);
  report.say(
      "frames {frames}, true rows {true_rows} ({true_identities} identities), given rows {given_rows} "
      "({given_identities} identities)");
  report.add_section("clear", clear_report(m.clear));
  report.add_section("places", places_report(m.places, floor && m.clear.true_positives > 0));
  identity.add_number("idf1", "IDF1", m.identity.idf1, share);
  identity.add_number("idp", "IDP", m.identity.precision, share);
  identity.add_number("idr", "IDR", m.identity.recall, share);
  report.add_section("identity", std::move(identity));
  report.add_section("hota", hota_report(m.hota));
  if (!floor) report.add_data("sets", {});
  if (!floor) return report;
  sets.add("cutoff_m", "c", m.sets.cutoff_m, fmt::format("{:.3g} m", m.sets.cutoff_m));
  sets.add("order", "p", m.sets.order, fmt::format("{:.3g}", m.sets.order));
  sets.add_number("ospa_m", "OSPA", m.sets.ospa_m, metres);
  sets.add_number("gospa_m", "GOSPA", m.sets.gospa_m, metres);
  sets.add_number("gospa_localisation", "localisation", m.sets.localisation, share);
  sets.add_number("gospa_missed", "missed", m.sets.missed, share);
  sets.add_number("gospa_false", "false", m.sets.false_found, share);
  report.add_section("sets", std::move(sets));
  return report;
}

void evaluate_masks(const EvaluateOptions& options) {
  const std::vector<MaskScore> scores = value_or_fail(score_mask_files(options.truth, options.result));
  Report report = iou_report(scores);
  if (options.intervals.wanted) {
    const FigureInterval interval = iou_interval(scores, options.intervals.bootstrap());
    report.add_section("interval", interval_report(interval));
    report.add_sentence(interval_line("IoU", interval));
  }
  print_report(report, options.json);
}

void add_more(const MoreFigures& more, const EvaluateOptions& options, Report* report) {
  if (more.whole && !more.whole->parts.empty()) {
    const MeasuredPart& whole = more.whole->parts[0];
    report->add_data("intervals", ReportValue::ready(json_of(part_report(*more.whole, whole))));
    report->add_sentence(intervals_text(options.intervals));
    for (size_t i = 0; i < more.whole->figures.size(); ++i)
      report->add_sentence(
          "  " + interval_line(std::string(more.whole->figures[i]->title).c_str(), whole.intervals[i]));
  }
  if (more.parts) {
    std::vector<Report> rows;
    for (const MeasuredPart& part : more.parts->parts) rows.push_back(part_report(*more.parts, part));
    report->add_rows("parts", std::move(rows));
  }
  if (!more.compared.empty()) add_compared("against", more.compared, "A", "B", report);
  if (more.moments) add_moments(*more.moments, report);
}

void evaluate(const EvaluateOptions& options) {
  if (options.truth.empty()) throw CLI::RequiredError("--gt");
  if (options.result.empty()) throw CLI::RequiredError("--result");
  if (options.space == "masks") return evaluate_masks(options);
  if (options.space == "image" && holds_annotations(options.truth) && options.wildtrack.view < 0)
    throw CLI::ValidationError("--view", "state the camera whose boxes are compared");
  if (options.space == "image" && std::filesystem::path(options.truth).extension() == ".vantage")
    throw CLI::ValidationError("--space", "ground truth drawn in a project is on the floor: world");
  const ComparedTracks rows = read_compared(options);
  const TrackingMetrics metrics = value_or_fail(evaluate_tracks(rows.truth, rows.given, options.how()));
  const MoreFigures more = more_figures(rows, options);
  Report report = metrics_report(metrics, options);
  report.add_data("unknown_frames", rows.unknown_frames);
  if (rows.unknown_frames > 0) report.say("{unknown_frames} frames left out: too few pictures to see anyone");
  report.add_data("notes", rows.notes);
  for (const std::string& note : rows.notes) report.add_sentence("note: " + note);
  add_more(more, options, &report);
  print_report(report, options.json);
}

void add_more_options(CLI::App& command, EvaluateOptions& options) {
  command.add_flag("--analysed", options.analysed,
                   "leave out annotated frames without results; otherwise their people count as missed");
  command.add_flag(
      "--intervals", options.intervals.wanted,
      "95 % intervals of all figures by the block bootstrap; a span too short for them is reported");
  options.intervals.add_to(command);
  command
      .add_option(
          "--against", options.against,
          "a second result, B, over the same frames: its difference from --result with a 95 % interval by "
          "paired blocks, and whether it is better, worse or not told apart")
      ->check(CLI::ExistingPath);
  CLI::Option* by =
      command
          .add_option("--by", options.by,
                      "also the figures of parts: of time, of each true person, of each zone, by how many "
                      "cameras see the position")
          ->check(CLI::IsMember({"time", "person", "zone", "cameras"}));
  command
      .add_option("--parts", options.time_parts, "with --by time: how many, of equally many compared frames")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  command
      .add_option("--project", options.project,
                  "project with the zones or cameras; that of --gt if the ground truth was drawn in one")
      ->check(CLI::ExistingFile)
      ->type_name("P.vantage");
  command.add_option("--table", options.table, "with --by: write the parts as CSV, too")
      ->type_name("FILE.csv")
      ->needs(by);
  command
      .add_option("--moments", options.moments,
                  "number of the worst instants to list: missed, false, exchanged people")
      ->type_name("N");
}

}  // namespace

void add_evaluate(CLI::App& app) {
  auto options = std::make_shared<EvaluateOptions>();
  CLI::App* command = app.add_subcommand(
      "evaluate", "Compare tracks with ground truth: CLEAR MOT, identity metrics, HOTA, OSPA, GOSPA.");
  command->footer(
      "Example: vantage-cli evaluate --gt truth/tracks.csv --result tracks.csv --space world --threshold "
      "0.5\n"
      "Annotations of WILDTRACK (its folder annotations_positions) may stand for either; only annotated "
      "frames "
      "count:\n  vantage-cli evaluate --gt annotations_positions --gt-step 5 --result tracks.csv --space "
      "world\n"
      "Masks drawn by hand are compared with those of `segment` or `run --masks`:\n  vantage-cli "
      "evaluate "
      "--gt hall.vantage --result hall.results --space masks\n"
      "Confidence of the figures, and whether B is better than A by more than chance:\n  vantage-cli "
      "evaluate --gt hall.vantage --result A.results --against B.results --space world --intervals\n"
      "Parts of the recording, as a table: --by time, person, zone or cameras.\n"
      "Heights are compared where both files have them: an eleventh column, metres from the floor to the top "
      "of the head.");
  command->add_option("--gt", options->truth,
                      "ground truth: MOTChallenge CSV, a WILDTRACK folder, or a project in which it was "
                      "drawn (with --space world); a folder of masks, or a project with some (with --space "
                      "masks)");
  command->add_option(
      "--result", options->result,
      "tracks to evaluate, likewise, or the folder of a run's results: its repaired.csv, or tracks.csv; with "
      "--space masks its masks");
  command
      ->add_option("--space", options->space, "compare boxes in the image, positions on the floor, or masks")
      ->check(CLI::IsMember({"image", "world", "masks"}))
      ->capture_default_str();
  command
      ->add_option("--threshold", options->threshold,
                   "minimum overlap (image) or maximum distance in metres (world)")
      ->capture_default_str();
  command
      ->add_option("--cutoff", options->cutoff_m,
                   "of OSPA and GOSPA, in metres: two farther apart are no pair; 0: the threshold")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command
      ->add_option("--order", options->order,
                   "p of OSPA and GOSPA, 1 to 10: the larger, the more the largest error counts")
      ->check(CLI::Range(1.0, 10.0))
      ->capture_default_str();
  add_more_options(*command, *options);
  command
      ->add_option("--gt-step", options->wildtrack.step,
                   "step of WILDTRACK's file numbers per frame of the recording")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      ->add_option("--view", options->wildtrack.view, "WILDTRACK's camera whose boxes are compared, from 0")
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--gt-from", options->truth_from,
                   "number of the ground truth's first frame, 0 or 1; 1 if absent, unless it has a frame 0")
      ->check(CLI::Range(0, 1));
  command->add_option("--result-from", options->result_from, "likewise of the result, and of --against")
      ->check(CLI::Range(0, 1));
  add_json_flag(*command, &options->json);
  command->callback([options] { evaluate(*options); });
}

}  // namespace vantage::cli
