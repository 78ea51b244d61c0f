#include "core/run/kept_sweeps.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/project/parameters_json.h"
#include "core/run/sweep_folder.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

// Folders that a sweep was written into, the newest first.
std::vector<fs::path> kept_by_age(const Project& project) {
  std::vector<std::pair<fs::file_time_type, fs::path>> dated;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(kept_sweeps_folder(project), none)) {
    const auto written = fs::last_write_time(entry.path() / "points.jsonl", none);
    if (fs::exists(entry.path() / "plan.json", none)) dated.emplace_back(written, entry.path());
  }
  std::ranges::sort(dated, std::ranges::greater());
  std::vector<fs::path> folders;
  for (auto& [written, folder] : dated) folders.push_back(std::move(folder));
  return folders;
}

FrameRange range_of(const ordered_json& json) {
  return {json.at("begin").get<int64_t>(), json.at("end").get<int64_t>()};
}

// Null: there is none of that key.
const ParameterDescription* find_parameter(const ParameterStore& store, const std::string& stage,
                                           const std::string& name) {
  for (const ParameterTable* table : store.tables())
    if (table->stage == stage)
      if (const ParameterDescription* found = table->find(name)) return found;
  return nullptr;
}

// Nothing where it names what there is none of any more. Throws nlohmann::json::exception.
std::optional<SweepRequest> request_of(const ordered_json& plan, const ParameterStore& store) {
  SweepRequest request;
  const ordered_json &parameters = plan.at("parameters"), &values = plan.at("values");
  for (size_t i = 0; i < parameters.size(); ++i) {
    const auto key = parameters[i].at("key").get<std::string>();
    const size_t dot = key.find('.');
    if (dot == std::string::npos) return std::nullopt;
    const ParameterDescription* found = find_parameter(store, key.substr(0, dot), key.substr(dot + 1));
    if (!found) return std::nullopt;
    request.points.parameters.push_back({key.substr(0, dot), found, values.at(i).get<std::vector<double>>()});
  }
  plan.at("points").get_to(request.points.points);
  for (const std::vector<double>& point : request.points.points)
    if (point.size() != parameters.size()) return std::nullopt;
  request.points.random = !plan.at("random_seed").is_null();
  if (request.points.random) plan.at("random_seed").get_to(request.points.seed);
  for (const ordered_json& metric : plan.at("metrics")) {
    request.how.metrics.push_back(find_sweep_metric(metric.at("name").get<std::string>()));
    if (!request.how.metrics.back()) return std::nullopt;
  }
  if (request.how.metrics.empty() || request.points.parameters.empty()) return std::nullopt;
  request.spans.tune = range_of(plan.at("tune"));
  if (!plan.at("test").is_null()) request.spans.test = range_of(plan.at("test"));
  request.how.blocks = plan.at("blocks").get<int>();
  return request;
}

// Without the swept ones, whose value is each point's.
ordered_json others_changed(ordered_json changed, const SweepPoints& points) {
  for (const SweptParameter& parameter : points.parameters)
    if (const auto stage = changed.find(parameter.stage); stage != changed.end()) {
      stage->erase(parameter.description->name);
      if (stage->empty()) changed.erase(stage);
    }
  return changed;
}

}  // namespace

fs::path kept_sweeps_folder(const Project& project) {
  return project.results_folder().replace_extension(".sweep");
}

fs::path kept_sweep_folder(const Project& project, const ordered_json& plan) {
  Hasher hasher;
  hasher.add(json_text(plan));
  return kept_sweeps_folder(project) / hex64(hasher.value());
}

void drop_old_sweeps(const Project& project) {
  const std::vector<fs::path> folders = kept_by_age(project);
  std::error_code ignored;
  for (size_t i = kMaxKeptSweeps; i < folders.size(); ++i) fs::remove_all(folders[i], ignored);
}

std::optional<KeptSweep> last_kept_sweep(const Project& project, const GroundTruth& truth,
                                         const DrawnMasks& masks) {
  if (project.path.empty()) return std::nullopt;
  const std::vector<fs::path> folders = kept_by_age(project);
  if (folders.empty()) return std::nullopt;
  const Result<std::string> text = read_file(folders.front() / "plan.json");
  Result<StoredPoints> stored = read_sweep_points(folders.front());
  if (!text || !stored || stored->points.empty()) return std::nullopt;
  try {
    const ordered_json plan = parse_ordered_json(*text);
    std::optional<SweepRequest> request = request_of(plan, project.parameters);
    if (!request) return std::nullopt;
    std::erase_if(stored->points, [&](const auto& point) {
      return point.first >= request->points.points.size() ||
             point.second.tune.whole.size() != request->how.metrics.size();
    });
    KeptSweep kept{std::move(*request), std::move(stored->points), false};
    SweepMeasurement now;
    now.truth = truth, now.masks = masks;
    kept.outdated = others_changed(plan.at("changed_parameters"), kept.request.points) !=
                        others_changed(parameters_json(project.parameters, true), kept.request.points) ||
                    plan.at("truth_hash").get<std::string>() != sweep_truth_hash(now).value_or("");
    return kept;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace vantage
