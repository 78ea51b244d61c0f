#include "core/run/sweep.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <utility>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/pipeline/memory_needed.h"
#include "core/project/json_parts.h"
#include "core/results/compare_trackers.h"
#include "core/results/results_reader.h"
#include "core/run/mask_scores.h"
#include "core/run/sweep_folder.h"

namespace vantage {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

constexpr std::array<SweepMetric, 17> kMetrics = {{
    {"moda", "", "detection accuracy (CLEAR)"},
    {"modp", "", "detection precision (CLEAR)"},
    {"mota", "", "tracking accuracy (CLEAR MOT)"},
    {"motp", "", "tracking precision (CLEAR MOT)"},
    {"recall", "", "share of the true people that are found"},
    {"precision", "", "share of the found people that are true"},
    {"idf1", "", "identity F1"},
    {"hota", "", "higher order tracking accuracy"},
    {"floor_error_m", "m", "mean distance of found from true positions", Better::lower},
    {"ospa_m", "m", "optimal sub-pattern assignment, mean over frames", Better::lower},
    {"gospa_m", "m", "generalised optimal sub-pattern assignment, mean over frames", Better::lower},
    {"switches", "", "changes of identity along true people", Better::lower},
    {"iou", "", "overlap with masks drawn by hand (IoU)", Better::higher, NeededTruth::masks},
    {"count", "", "people a frame", Better::neither, NeededTruth::none},
    {"tracks", "", "different IDs", Better::neither, NeededTruth::none},
    {"litres", "l", "carved volume a frame", Better::neither, NeededTruth::none},
    {"ms", "ms", "time a frame of the stages that run again", Better::lower, NeededTruth::none},
}};

// Figures of a frame that are averaged over frames.
struct FrameFigures {
  double count = kUnknown, litres = kUnknown, ms = kUnknown, iou = kUnknown;
};

// A span's rows, once its results are complete.
struct Measured {
  std::map<int64_t, FrameFigures> frames;
  std::vector<TrackRow> truth, given;  // frames count from 1
  std::vector<MaskScore> masks;
};

bool needs(const SweepMeasurement& how, NeededTruth truth) {
  return std::any_of(how.metrics.begin(), how.metrics.end(),
                     [&](const SweepMetric* metric) { return metric->truth == truth; });
}

double truth_figure(std::string_view name, const TrackingMetrics& m) {
  if (name == "moda") return m.clear.moda;
  if (name == "modp") return m.clear.modp;
  if (name == "mota") return m.clear.mota;
  if (name == "motp") return m.clear.motp;
  if (name == "recall") return m.clear.recall;
  if (name == "precision") return m.clear.precision;
  if (name == "idf1") return m.identity.idf1;
  if (name == "hota") return m.hota.hota;
  if (name == "ospa_m") return m.sets.ospa_m;
  if (name == "gospa_m") return m.sets.gospa_m;
  if (name == "switches") return static_cast<double>(m.clear.switches);
  return m.clear.true_positives > 0 ? m.places.floor_error_m : kUnknown;
}

std::vector<TrackRow> rows_within(const std::vector<TrackRow>& rows, FrameRange frames) {
  std::vector<TrackRow> within;
  for (const TrackRow& row : rows)
    if (row.frame > frames.begin && row.frame <= frames.end) within.push_back(row);
  return within;
}

double mean_of(const Measured& measured, FrameRange frames, double FrameFigures::* figure) {
  double sum = 0;
  int64_t known = 0;
  const auto end = measured.frames.lower_bound(frames.end);
  for (auto frame = measured.frames.lower_bound(frames.begin); frame != end; ++frame)
    if (const double value = frame->second.*figure; !std::isnan(value)) sum += value, ++known;
  return known > 0 ? sum / static_cast<double>(known) : kUnknown;
}

double figure_without_people(std::string_view name, const Measured& measured,
                             const std::vector<TrackRow>& given, FrameRange frames) {
  if (name == "iou") return mean_of(measured, frames, &FrameFigures::iou);
  if (name == "count") return mean_of(measured, frames, &FrameFigures::count);
  if (name == "litres") return mean_of(measured, frames, &FrameFigures::litres);
  if (name == "ms") return mean_of(measured, frames, &FrameFigures::ms);
  std::set<int64_t> ids;
  for (const TrackRow& row : given) ids.insert(row.id);
  return static_cast<double>(ids.size());
}

Result<std::vector<double>> figures_of(const Measured& measured, FrameRange frames,
                                       const SweepMeasurement& how) {
  const std::vector<TrackRow> truth = rows_within(measured.truth, frames);
  const std::vector<TrackRow> given = rows_within(measured.given, frames);
  std::optional<TrackingMetrics> compared;
  if (!truth.empty()) {
    std::vector<TrackRow> judged = given;
    keep_annotated(how.truth, &judged);
    VANTAGE_ASSIGN(compared, evaluate_tracks(truth, judged, {TrackSpace::world, kComparedWithin_m}));
  }
  std::vector<double> figures;
  for (const SweepMetric* metric : how.metrics)
    figures.push_back(metric->truth != NeededTruth::people
                          ? figure_without_people(metric->name, measured, given, frames)
                      : compared ? truth_figure(metric->name, *compared)
                                 : kUnknown);
  return figures;
}

// Rows in annotated frames: errors are unknown elsewhere.
std::vector<TrackRow> judged_rows(const Measured& measured, const GroundTruth& truth) {
  std::vector<TrackRow> judged = measured.given;
  keep_annotated(truth, &judged);
  return judged;
}

std::vector<WorstMoment> mask_moments(const std::vector<MaskScore>& scores) {
  std::vector<WorstMoment> moments;
  for (const MaskScore& score : scores) {
    WorstMoment moment;
    moment.kind = MomentKind::mask;
    moment.frame = moment.first_frame = moment.last_frame = score.frame;
    moment.camera = score.camera, moment.amount = score.overlap.iou();
    moments.push_back(std::move(moment));
  }
  std::ranges::stable_sort(moments, {}, &WorstMoment::amount);
  return moments;
}

std::vector<WorstMoment> slow_moments(const std::map<int64_t, FrameFigures>& frames) {
  std::vector<WorstMoment> moments;
  for (const auto& [frame, figures] : frames) {
    if (std::isnan(figures.ms)) continue;
    WorstMoment moment;
    moment.kind = MomentKind::slow;
    moment.frame = moment.first_frame = moment.last_frame = frame;
    moment.amount = figures.ms;
    moments.push_back(std::move(moment));
  }
  std::ranges::stable_sort(moments, std::greater<>(), &WorstMoment::amount);
  return moments;
}

Result<std::vector<WorstMoment>> moments_of(const Measured& measured, const SweepMeasurement& how) {
  const std::set<MomentKind> kinds = moment_kinds(*how.metrics[0]);
  std::vector<WorstMoment> moments;
  if (kinds.contains(MomentKind::mask)) {
    moments = mask_moments(measured.masks);
  } else if (kinds.contains(MomentKind::slow)) {
    moments = slow_moments(measured.frames);
  } else if (!kinds.empty() && !measured.truth.empty()) {
    VANTAGE_ASSIGN(moments, worst_moments(measured.truth, judged_rows(measured, how.truth),
                                          {TrackSpace::world, kComparedWithin_m}, kinds));
    for (WorstMoment& moment : moments)
      for (int64_t* frame : {&moment.frame, &moment.first_frame, &moment.last_frame}) --*frame;
  }
  if (moments.size() > how.max_moments) moments.resize(how.max_moments);
  return moments;
}

// Spans may follow one another in any order.
void keep_people(const Measured& measured, SweptPeople* people) {
  for (const auto& [frame, figures] : measured.frames)
    if (!std::isnan(figures.count)) people->frames.push_back(static_cast<int32_t>(frame));
  for (const TrackRow& row : measured.given)
    people->people.push_back({static_cast<int32_t>(row.frame - 1), static_cast<int32_t>(row.id),
                              static_cast<float>(row.x_m), static_cast<float>(row.y_m),
                              static_cast<float>(row.height_m)});
  std::ranges::sort(people->frames);
  std::ranges::stable_sort(people->people, {}, &SweptPeople::Person::frame);
}

// Frames whose people could not be seen are ignored.
Status add_tracks(const std::filesystem::path& folder, const GroundTruth& truth, Measured* measured) {
  VANTAGE_ASSIGN(const StoredResults results, read_results(folder));
  std::set<int64_t> known;
  for (const StoredFrame& frame : results.frames) {
    if (frame.people_count < 0) continue;
    known.insert(frame.frame + 1);
    measured->frames[frame.frame].count = frame.people_count;
  }
  VANTAGE_ASSIGN(const std::string text, read_file(folder / "tracks.csv"));
  VANTAGE_ASSIGN(measured->given, read_mot_csv(text, (folder / "tracks.csv").string()));
  measured->truth = truth.rows;
  for (std::vector<TrackRow>* rows : {&measured->given, &measured->truth})
    std::erase_if(*rows, [&](const TrackRow& row) { return !known.contains(row.frame); });
  return {};
}

// Adds the times of frames; frames kept from an earlier run have no valid time.
void add_times(const std::vector<TraceSpan>& spans, const std::set<std::string, std::less<>>& stages,
               Measured* measured) {
  std::map<int64_t, std::map<std::string, double>> times_ms;  // keyed by frame and stage
  for (const TraceSpan& span : spans)
    if (span.kind == SpanKind::stage && stages.contains(span.name))
      times_ms[span.frame][span.name] += static_cast<double>(span.duration_ns) * 1e-6;
  for (auto& [frame, figures] : measured->frames) {
    const auto& times = times_ms[frame];
    if (stages.empty() || times.size() < stages.size()) continue;
    figures.ms = 0;
    for (const auto& [stage, ms] : times) figures.ms += ms;
  }
}

// A sweep shows only its figures; errors end it.
class SweepListener final : public RunListener {
  void on_offset_proposal(const OffsetProposal&) override {}
  void on_offset_applied(const AppliedOffset&) override {}
  void on_delays(const std::vector<OffsetProposal>&) override {}
  void on_events(const std::vector<FloorEvent>&) override {}
  void on_writing_failed(const Error&) override {}
  void on_watching_failed(const Error&) override {}
};

}  // namespace

std::span<const SweepMetric> sweep_metrics() {
  return kMetrics;
}

const SweepMetric* find_sweep_metric(std::string_view name) {
  const auto found = std::find_if(kMetrics.begin(), kMetrics.end(),
                                  [&](const SweepMetric& metric) { return metric.name == name; });
  return found == kMetrics.end() ? nullptr : &*found;
}

std::set<MomentKind> moment_kinds(const SweepMetric& metric) {
  using enum MomentKind;
  const std::string_view name = metric.name;
  if (name == "moda" || name == "ospa_m" || name == "gospa_m") return {missed, false_found};
  if (name == "mota" || name == "idf1" || name == "hota") return {missed, false_found, swapped};
  if (name == "recall") return {missed};
  if (name == "precision") return {false_found};
  if (name == "switches") return {swapped};
  if (name == "modp" || name == "motp" || name == "floor_error_m") return {apart};
  if (name == "iou") return {mask};
  if (name == "ms") return {slow};
  return {};
}

std::optional<std::vector<FloorPerson>> SweptPeople::at(int64_t frame) const {
  if (!std::ranges::binary_search(frames, frame)) return std::nullopt;
  std::vector<FloorPerson> there;
  for (const Person& one : std::ranges::equal_range(people, frame, {}, &Person::frame))
    there.push_back({.id = one.id,
                     .x_m = static_cast<double>(one.x_m),
                     .y_m = static_cast<double>(one.y_m),
                     .height_m = static_cast<double>(one.height_m)});
  return there;
}

Result<std::set<std::string, std::less<>>> SweepRun::varying_stages(std::span<const Project> points) {
  std::set<std::string, std::less<>> varying;
  std::optional<std::map<std::string, uint64_t, std::less<>>> first;
  for (const Project& point : points) {
    VANTAGE_TRY(analysis_.pipeline().configure(point.parameters));
    const auto versions = analysis_.pipeline().versions();
    if (!first) first = versions;
    for (const auto& [stage, version] : versions)
      if (first->at(stage) != version) varying.insert(stage);
  }
  return varying;
}

Result<SpanFigures> SweepRun::measure(const Project& point, FrameRange frames, const SweepMeasurement& how,
                                      const std::filesystem::path& folder, const StopSource& stop,
                                      SweptPeople* people) {
  VANTAGE_TRY(analysis_.pipeline().configure(point.parameters));
  TraceRecorder* const trace = backends_.context.trace;
  if (trace) trace->clear();
  SweepListener listener;
  vantage::Run run(point, {backends_, device_description_, nullptr}, listener);
  run.attach(analysis_);
  VANTAGE_ASSIGN(RunDescription description, run.describe());
  description.pictures = {.shells = 0, .floor_maps = 0};
  VANTAGE_TRY(run.begin_results(
      std::move(description),
      {folder, OlderFrames::replace, frames.end - frames.begin, !needs(how, NeededTruth::masks)}));
  Measured measured;
  Status compared;
  const Status analysed =
      run.analyse(frames, ExecutionMode::threaded, stop, [&](const FrameResultRef& result) {
        FrameFigures& figures = measured.frames[result->frame];
        if (how.analysed) how.analysed(static_cast<int64_t>(measured.frames.size()));
        if (const auto scores = score_frame(*result, point.cameras, how.masks); !scores)
          compared = fail(scores.error());
        else if (const auto iou = mean_iou(*scores)) {
          figures.iou = *iou;
          measured.masks.insert(measured.masks.end(), scores->begin(), scores->end());
        }
        if (!compared) return false;
        const CarvedVolume* volume = known_volume(*result);
        if (!volume) return true;
        if (const Result<VolumeCounts>& counts = volume->counts.get())
          figures.litres = volume->grid.liters(counts->occupied);
        return true;
      });
  const Status written = run.end_results().status;
  VANTAGE_TRY(compared);
  VANTAGE_TRY(analysed);
  VANTAGE_TRY(written);
  if (trace) add_times(trace->snapshot(), how.timed_stages, &measured);
  VANTAGE_TRY(add_tracks(folder, how.truth, &measured));
  if (people) keep_people(measured, people);
  SpanFigures figures;
  VANTAGE_ASSIGN(figures.moments, moments_of(measured, how));
  VANTAGE_ASSIGN(figures.whole, figures_of(measured, frames, how));
  for (int64_t block = 0; block < how.blocks; ++block) {
    const int64_t length = frames.end - frames.begin;
    const FrameRange part{frames.begin + length * block / how.blocks,
                          frames.begin + length * (block + 1) / how.blocks};
    VANTAGE_ASSIGN(std::vector<double> values, figures_of(measured, part, how));
    figures.blocks.push_back(std::move(values));
  }
  return figures;
}

Result<SweepPoint> SweepRun::measure(const Project& point, const SweepSpans& spans,
                                     const SweepMeasurement& how, const std::filesystem::path& folder,
                                     const StopSource& stop) {
  SweepPoint measured;
  SweptPeople* const people = how.keep_people ? &measured.people : nullptr;
  VANTAGE_ASSIGN(measured.tune, measure(point, spans.tune, how, folder, stop, people));
  if (spans.test) {
    VANTAGE_ASSIGN(measured.test, measure(point, *spans.test, how, folder, stop, people));
  }
  return measured;
}

namespace {

using nlohmann::ordered_json;

ordered_json range_json(const FrameRange& span) {
  return {{"begin", span.begin}, {"end", span.end}};
}

}  // namespace

ordered_json sweep_head(const Project& project, const std::string& device, const SweepPoints& points,
                        const SweepSpans& spans, const SweepMeasurement& how,
                        const std::string& ground_truth) {
  constexpr const char* kBetter[] = {"lower", "neither", "higher"};
  ordered_json json = {{"schema", "vantage-sweep-1"},
                       {"version", VANTAGE_VERSION},
                       {"project", project.path.string()},
                       {"device", device}};
  json["parameters"] = ordered_json::array();
  for (const SweptParameter& parameter : points.parameters)
    json["parameters"].push_back({{"key", parameter.key()}, {"unit", parameter.description->unit}});
  json["random_seed"] = points.random ? ordered_json(points.seed) : ordered_json();
  json["metrics"] = ordered_json::array();
  for (const SweepMetric* metric : how.metrics)
    json["metrics"].push_back({{"name", metric->name},
                               {"unit", metric->unit},
                               {"meaning", metric->meaning},
                               {"better", kBetter[static_cast<int>(metric->better) + 1]}});
  json["tune"] = range_json(spans.tune);
  json["test"] = spans.test ? range_json(*spans.test) : ordered_json();
  json["blocks"] = how.blocks;
  json["ground_truth"] = ground_truth.empty() ? ordered_json() : ordered_json(ground_truth);
  json["changed_parameters"] = parameters_json(project.parameters, true);
  return json;
}

Result<std::string> sweep_truth_hash(const SweepMeasurement& how) {
  Hasher hasher;
  for (const TrackRow& row : how.truth.rows) hasher.add(row.frame).add(row.id).add(row.x_m).add(row.y_m);
  for (const auto& [frame, cameras] : how.masks)
    for (const auto& [camera, file] : cameras) {
      VANTAGE_ASSIGN(const std::string mask, read_file(file));
      hasher.add(frame).add(camera).add(mask);
    }
  return hex64(hasher.value());
}

Result<ordered_json> sweep_plan(ordered_json head, const SweepPoints& points, const SweepMeasurement& how,
                                const Pipeline& pipeline) {
  ordered_json values = ordered_json::array();
  for (const SweptParameter& parameter : points.parameters) values.push_back(parameter.values);
  head["values"] = std::move(values);
  head["points"] = points.points;
  VANTAGE_ASSIGN(head["truth_hash"], sweep_truth_hash(how));
  for (const auto& [stage, version] : pipeline.versions()) head["versions"][stage] = hex64(version);
  return head;
}

}  // namespace vantage
