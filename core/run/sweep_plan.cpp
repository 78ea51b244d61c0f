#include <utility>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/project/parameters_json.h"
#include "core/run/sweep_folder.h"

namespace vantage {
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
