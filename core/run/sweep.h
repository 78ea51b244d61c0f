// Measures parameters over a span of frames: each point of `vantage-cli sweep`.
//
// A point is the project with other parameters. Its results are those of a run over the same frames, in a
// folder of their own; stages before the first changed parameter do not run again if their artifacts are kept
// (core/pipeline/kept_frames.h). Figures are also given per block of the span, so that a difference between
// two points can be compared with the variation over time.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/metrics/track_figures.h"
#include "core/metrics/worst_moments.h"
#include "core/people/floor_person.h"
#include "core/results/drawn_masks.h"
#include "core/results/truth_files.h"
#include "core/run/run.h"

namespace vantage {

enum class NeededTruth : uint8_t { none, people, masks };

struct SweepMetric {
  std::string_view name;  // "idf1"
  std::string_view unit;  // "m", empty: none
  std::string_view meaning;
  Better better = Better::higher;
  NeededTruth truth = NeededTruth::people;
};
// moda, modp, mota, motp, recall, precision, idf1, hota, floor_error_m, ospa_m, gospa_m, switches, iou;
// count, tracks, litres, ms.
std::span<const SweepMetric> sweep_metrics();
const SweepMetric* find_sweep_metric(std::string_view name);  // null: there is none
// Kinds of instants that a metric counts as wrong; empty where it counts none.
std::set<MomentKind> moment_kinds(const SweepMetric& metric);

// NaN: unknown, without ground truth or frames with known people.
struct SpanFigures {
  std::vector<double> whole;                // one per metric
  std::vector<std::vector<double>> blocks;  // one per block of equal length, then by metric
  std::vector<WorstMoment> moments;         // for the first metric, worst first; frames from 0
};

// People found at a point, in compact form: a sweep has many points.
struct SweptPeople {
  struct Person {
    int32_t frame = 0, id = 0;
    float x_m = 0, y_m = 0, height_m = 0;
  };
  std::vector<int32_t> frames;  // with known people, ascending
  std::vector<Person> people;   // sorted by frame
  // Nothing: unknown.
  std::optional<std::vector<FloorPerson>> at(int64_t frame) const;
};

// Spans without common frames: a value is chosen on one and tested on the other.
struct SweepSpans {
  FrameRange tune;
  std::optional<FrameRange> test;
};
struct SweepPoint {
  SpanFigures tune, test;  // test: empty without a test span
  SweptPeople people;      // people of both spans; empty unless kept
};

struct SweepMeasurement {
  std::vector<const SweepMetric*> metrics;
  int blocks = 8;
  GroundTruth truth;
  DrawnMasks masks = {};     // for `iou`
  size_t max_moments = 20;   // number for each span
  bool keep_people = false;  // in SweepPoint
  std::function<void(int64_t frames)> analysed =
      {};  // called with the number of analysed frames of a span; may be empty
  // Stages counted by `ms`: those that the sweep's parameters invalidate.
  std::set<std::string, std::less<>> timed_stages;
};

// The opened project with other parameters. Not thread-safe.
class SweepRun {
 public:
  // All arguments must outlive this. `backends`: with a trace, for `ms`.
  SweepRun(Analysis& analysis, const DeviceBackends& backends, std::string device_description)
      : analysis_(analysis), backends_(backends), device_description_(std::move(device_description)) {}

  // The stages whose versions differ between these points. Errors: those of Pipeline::configure().
  Result<std::set<std::string, std::less<>>> varying_stages(std::span<const Project> points);
  // Runs the frames of each span into `folder`, which then has the results of the last, and measures them.
  // Errors: those of Run::analyse(), also ErrorKind::cancelled, and of evaluate_tracks().
  Result<SweepPoint> measure(const Project& point, const SweepSpans& spans, const SweepMeasurement& how,
                             const std::filesystem::path& folder, const StopSource& stop);

 private:
  Result<SpanFigures> measure(const Project& point, FrameRange frames, const SweepMeasurement& how,
                              const std::filesystem::path& folder, const StopSource& stop,
                              SweptPeople* people);

  Analysis& analysis_;
  const DeviceBackends backends_;
  const std::string device_description_;
};

}  // namespace vantage
