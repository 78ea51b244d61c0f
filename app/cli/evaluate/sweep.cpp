// vantage-cli sweep: measures parameters over a tuning span, and over a separate test span.

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/pipeline/kept_frames.h"
#include "core/results/results_paths.h"
#include "core/run/sweep_folder.h"
#include "core/run/sweep_points.h"
#include "core/tracking/tracker.h"

namespace vantage::cli {
namespace {

// The points of a sweep from the command line. Invalid ones are wrong usage.

constexpr size_t kMaxSteps = 1000, kMaxPoints = 10'000;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts{""};
  for (const char c : text)
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

class RangeParser {
 public:
  RangeParser(const ParameterStore& parameters, const char* option)
      : parameters_(parameters), option_(option) {}

  SweptParameter parse(const std::string& text, bool random) const {
    const size_t equals = text.find('='), dot = text.find('.');
    if (equals == std::string::npos || dot == std::string::npos || dot > equals)
      wrong("'" + text + "' is not of the form STAGE.PARAMETER=MIN:MAX:STEPS or STAGE.PARAMETER=A,B,C");
    SweptParameter parameter = named(text.substr(0, dot), text.substr(dot + 1, equals - dot - 1), text);
    const std::string values = text.substr(equals + 1);
    const std::vector<std::string> ends = split(values, ':');
    if (ends.size() == 1)
      parameter.values = listed(parameter, values);
    else
      parameter.values = range(parameter, ends, text, random);
    if (random && (ends.size() != 2 || !has_range(*parameter.description)))
      wrong("with --random '" + text + "' is of the form STAGE.PARAMETER=MIN:MAX");
    return parameter;
  }

  [[noreturn]] void wrong(const std::string& what) const { throw CLI::ValidationError(option_, what); }

 private:
  // A former name is accepted, too; an unknown one is answered with the nearest.
  SweptParameter named(const std::string& stage, const std::string& name, const std::string& text) const {
    for (const ParameterTable* table : parameters_.tables())
      if (table->stage == stage)
        if (const ParameterDescription* found = table->find(name)) return {stage, found, {}};
    ParameterStore copy = parameters_;
    wrong(text + ": " + copy.set(stage, name, 0).error().message());
  }

  std::vector<double> listed(const SweptParameter& parameter, const std::string& values) const {
    const Result<std::vector<double>> read = listed_values(parameter, values, parameters_);
    if (!read) wrong(read.error().message());
    return *read;
  }

  double value(const SweptParameter& parameter, const std::string& text) const {
    ParameterStore copy = parameters_;
    if (const Status set = copy.set_from_text(parameter.key() + "=" + text); !set)
      wrong(set.error().message());
    return copy.get(parameter.stage, parameter.description->name).value_or(0);
  }

  std::vector<double> range(const SweptParameter& parameter, const std::vector<std::string>& ends,
                            const std::string& text, bool random) const {
    if (!has_range(*parameter.description)) wrong(parameter.key() + " has no range; list its values: A,B,C");
    const double from = value(parameter, ends[0]), to = value(parameter, ends[1]);
    if (from >= to) wrong("'" + text + "': the first value of a range is the smaller one");
    if (random) return {from, to};
    size_t steps = 0;
    const std::string& count = ends.size() == 3 ? ends[2] : std::string();
    const auto end = std::from_chars(count.data(), count.data() + count.size(), steps);
    if (count.empty() || end.ec != std::errc() || end.ptr != count.data() + count.size() || steps < 2 ||
        steps > kMaxSteps)
      wrong("'" + text + "' is not of the form STAGE.PARAMETER=MIN:MAX:STEPS, 2 to 1000 steps");
    return stepped_values(*parameter.description, from, to, steps);
  }

  const ParameterStore& parameters_;
  const char* option_;
};

// `ranges`: KEY=MIN:MAX:STEPS, KEY=A,B,C, or with random > 0 KEY=MIN:MAX; for one or two parameters, random
// points for any number. `option`: for messages.
SweepPoints parse_sweep_points(const std::vector<std::string>& ranges, size_t random, uint32_t seed,
                               const ParameterStore& parameters, const char* option) {
  const RangeParser parser(parameters, option);
  SweepPoints points;
  points.random = random > 0;
  for (const std::string& range : ranges) points.parameters.push_back(parser.parse(range, points.random));
  if (points.parameters.empty() || (!points.random && points.parameters.size() > 2))
    parser.wrong("one or two parameters are swept; more at once with --random");
  sort_by_stage(parameters, &points.parameters);
  for (size_t i = 1; i < points.parameters.size(); ++i)
    if (points.parameters[i].key() == points.parameters[i - 1].key())
      parser.wrong(points.parameters[i].key() + " is named twice");
  if (points.random)
    points = random_points(std::move(points.parameters), random, seed, parameters);
  else
    points = all_points(std::move(points.parameters), parameters);
  if (points.points.size() > kMaxPoints) parser.wrong("these are more than 10000 points");
  return points;
}

using nlohmann::ordered_json;
namespace fs = std::filesystem;

struct SweepOptions {
  ChainOptions chain;
  std::vector<std::string> ranges, metrics;
  std::string tune, test, truth, masks, out;
  int truth_step = 1, blocks = 8;
  size_t random = 0;
  uint32_t seed = 1;
  bool replace = false, json = false;
};

// Frames on which a value was chosen cannot test it.
void refuse_common_frames(const SweepSpans& spans) {
  if (spans.test && spans.test->begin < spans.tune.end && spans.tune.begin < spans.test->end)
    throw CLI::ValidationError("--test", "the tuning and the test span have frames in common");
}

FrameRange parse_span(const std::string& text, const char* option) {
  try {
    return parse_frames(text);
  } catch (const CLI::ValidationError& wrong) {
    const std::string what = wrong.what();
    throw CLI::ValidationError(option, what.substr(what.find(": ") + 2));
  }
}

SweepSpans parse_spans(const SweepOptions& options) {
  SweepSpans spans{parse_span(options.tune, "--tune"), {}};
  if (!options.test.empty()) spans.test = parse_span(options.test, "--test");
  refuse_common_frames(spans);
  return spans;
}

std::vector<const SweepMetric*> parse_metrics(const SweepOptions& options) {
  std::vector<const SweepMetric*> metrics;
  for (const std::string& name : options.metrics) {
    const SweepMetric* metric = find_sweep_metric(name);
    std::string known;
    for (const SweepMetric& one : sweep_metrics()) append_item(&known, one.name);
    if (!metric)
      throw CLI::ValidationError("--metric", "there is no metric '" + name + "'; there are " + known);
    if (metric->truth == NeededTruth::people && options.truth.empty())
      throw CLI::ValidationError("--metric", name + " compares with ground truth: give --gt");
    metrics.push_back(metric);
  }
  return metrics;
}

GroundTruth read_truth_or_fail(const SweepOptions& options) {
  if (options.truth.empty()) return {};
  return value_or_fail(read_ground_truth(options.truth, {.step = options.truth_step}));
}

// Masks drawn for the project, unless others are stated.
DrawnMasks read_masks_or_fail(const SweepOptions& options, const SweepMeasurement& how) {
  const auto needed = [](const SweepMetric* metric) { return metric->truth == NeededTruth::masks; };
  if (std::none_of(how.metrics.begin(), how.metrics.end(), needed)) return {};
  const std::string& place = options.masks.empty() ? options.chain.project : options.masks;
  DrawnMasks masks = value_or_fail(find_masks(place));
  if (masks.empty())
    fail_command({ErrorKind::not_found, "has no masks drawn by hand, with which iou compares", place,
                  "Paint them in the window, import them with `vantage-cli truth --import-masks`, or give "
                  "--gt-masks."});
  return masks;
}

// A sweep over these would be flat for a reason that its table does not show.
void say_what_changes_no_id(const SweepPoints& points, const std::vector<Project>& projects) {
  for (const Project& project : projects)
    if (!path_numbering(project, false)) return;
  for (const SweptParameter& parameter : points.parameters)
    if (parameter.stage == parameter_table<TrackingParameters>().stage)
      fmt::print(stderr,
                 "{} changes no ID here: paths over all frames give the IDs of a recording. "
                 "Sweep paths.*, or set tracking.method=greedy.\n",
                 parameter.key());
}

Status measure_points(const SweepPoints& points, const SweepSpans& spans, SweepMeasurement how,
                      OpenedChain& chain, SweepFolder* folder) {
  const DeviceBackends backends = chain.backends.on_device(chain.trace.get());
  SweepRun run(*chain.analysis, backends, chain.backends.description);
  std::vector<Project> projects;
  for (size_t i = 0; i < points.points.size(); ++i) projects.push_back(project_at(chain.project, points, i));
  say_what_changes_no_id(points, projects);
  VANTAGE_ASSIGN(how.timed_stages, run.varying_stages(projects));
  Progress progress("sweep");
  const int64_t frames =
      spans.tune.end - spans.tune.begin + (spans.test ? spans.test->end - spans.test->begin : 0);
  for (size_t i = 0; i < projects.size(); ++i) {
    progress.update(static_cast<int64_t>(i) * frames, static_cast<int64_t>(projects.size()) * frames);
    if (folder->points().contains(i)) continue;
    VANTAGE_ASSIGN(SweepPoint measured, run.measure(projects[i], spans, how, folder->part(), interrupted()));
    VANTAGE_TRY(folder->add(i, std::move(measured)));
  }
  return {};
}

void print_table(const SweepTable& table, const fs::path& folder) {
  fmt::print("{}", sweep_csv(table));
  if (const std::optional<BestPoint> best = best_point(table)) {
    const SweepPoint& point = table.measured.at(best->point);
    const std::string metric(table.metrics[0]->name);
    fmt::print("best {}: {} ({:.4f} on the tuning span", metric, point_text(table.points, best->point),
               point.tune.whole[0]);
    if (table.tested) fmt::print(", {:.4f} on the test span", point.test.whole[0]);
    fmt::print("); as good, by blocks of time: {} other{}\n", best->as_good.size(),
               best->as_good.size() == 1 ? "" : "s");
  }
  fmt::print("{}\n", folder.string());
}

void sweep(SweepOptions options) {
  SweepSpans spans = parse_spans(options);
  if (options.metrics.empty())
    options.metrics = options.truth.empty() ? std::vector<std::string>{"count", "tracks"}
                                            : std::vector<std::string>{"moda", "idf1", "hota", "count"};
  SweepMeasurement how;
  how.metrics = parse_metrics(options);
  how.blocks = options.blocks;
  Project project = load_project_or_fail(options.chain);
  const SweepPoints points =
      parse_sweep_points(options.ranges, options.random, options.seed, project.parameters, "--set-range");
  how.truth = read_truth_or_fail(options);
  how.masks = read_masks_or_fail(options, how);
  if (project.live())
    fail_command({ErrorKind::unsupported, "live cameras have no frames to choose from", options.chain.project,
                  "Record them, and sweep the recording."});
  OpenedChain chain = open_chain_or_fail(options.chain, std::move(project));
  spans.tune = cut_to_recording_or_fail(spans.tune, chain.analysis->source());
  if (spans.test) spans.test = cut_to_recording_or_fail(*spans.test, chain.analysis->source());
  const ordered_json head =
      sweep_head(chain.project, chain.backends.description, points, spans, how, options.truth);
  const auto folder = value_or_fail(
      SweepFolder::open(options.out, value_or_fail(sweep_plan(head, points, how, chain.analysis->pipeline())),
                        options.replace));
  const Status measured = measure_points(points, spans, how, chain, folder.get());
  std::error_code ignored;
  fs::remove_all(folder->part(), ignored);
  const SweepTable table{points, how.metrics, folder->points(), spans.test.has_value(), head};
  if (!table.measured.empty()) check_or_fail(write_sweep_table(table, folder->path()));
  if (!measured) {
    Error error = measured.error();
    if (error.kind == ErrorKind::cancelled)
      error = {ErrorKind::cancelled,
               "stopped; " + std::to_string(table.measured.size()) + " of " +
                   std::to_string(points.points.size()) + " points are kept",
               folder->path().string(), "The same command continues with the others."};
    fail_command(error);
  }
  if (options.json)
    print_json(sweep_json(table));
  else
    print_table(table, folder->path());
}

void add_truth_options(CLI::App& command, SweepOptions& options) {
  std::string names;
  for (const SweepMetric& metric : sweep_metrics()) append_item(&names, metric.name);
  command
      .add_option("--gt", options.truth,
                  "ground truth on the floor: MOTChallenge CSV, a WILDTRACK folder, or a project in which it "
                  "was drawn")
      ->check(CLI::ExistingPath);
  command
      .add_option(
          "--gt-masks", options.masks,
          "masks drawn by hand, for iou: a folder, or a project; those of the project itself if absent")
      ->check(CLI::ExistingPath);
  command.add_option("--gt-step", options.truth_step, "step of WILDTRACK's file numbers per frame")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      .add_option("--metric", options.metrics,
                  "what is measured, the first decides what is best: " + names +
                      "; moda,idf1,hota,count if absent, count,tracks without --gt")
      ->delimiter(',')
      ->type_name("NAME,…");
  command
      .add_option("--blocks", options.blocks,
                  "number of time blocks of each span, over which the spread is computed; with 6 or more, "
                  "points as good as the best are named")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
}

}  // namespace

void add_sweep(CLI::App& app) {
  auto options = std::make_shared<SweepOptions>();
  CLI::App* command = app.add_subcommand(
      "sweep", "Try values of one or two parameters, or random ones, and measure each on separate frames.");
  command->footer(
      "Writes sweep.csv, sweep.json, moments.csv (the worst instants behind each point's first metric: who "
      "is\n"
      "missed, false, swapped or far off, masks that fit badly, slow frames) and, of one or two parameters,\n"
      "sweep.svg. Every point is measured as a run over the same frames would be. Stages before the first "
      "changed parameter run once: what they make is kept in NAME.kept next to the project (on the CPU). "
      "Stopped by Ctrl-C, the same command continues. The best value is chosen on the tuning span alone.\n"
      "Example: vantage-cli sweep hall.vantage --set-range people.min_own=0.1:0.5:9 --tune 0:500 --test "
      "600:1000 --gt truth/tracks.csv --metric moda,idf1 --out sweep");
  add_chain_options(*command, options->chain);
  command
      ->add_option("--set-range", options->ranges,
                   "STAGE.PARAMETER=MIN:MAX:STEPS, or its values A,B,C; given twice: all pairs")
      ->required()
      ->type_name("RANGE");
  CLI::Option* random =
      command
          ->add_option("--random", options->random,
                       "that many random points instead, within STAGE.PARAMETER=MIN:MAX of any number of "
                       "parameters")
          ->check(CLI::Range(1, 10'000))
          ->type_name("N");
  command->add_option("--seed", options->seed, "of the random points")->needs(random)->capture_default_str();
  command->add_option("--tune", options->tune, "frames that the values are compared on, B excluded")
      ->required()
      ->type_name("A:B");
  command->add_option("--test", options->test, "other frames, which show how good the best value is")
      ->type_name("C:D");
  add_truth_options(*command, *options);
  command->add_option("--out", options->out, "folder for the table and the measurements")
      ->required()
      ->type_name("DIR");
  command->add_flag("--replace", options->replace, "start again in a folder that holds another sweep");
  options->chain.kept_mib = KeptFrames::kDefaultMaxBytes >> 20;
  command->add_option("--kept-limit", options->chain.kept_mib, "as in run; 0: every point runs all stages")
      ->type_name("MIB")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  add_json_flag(*command, &options->json);
  command->callback([options] { sweep(*options); });
}

}  // namespace vantage::cli
