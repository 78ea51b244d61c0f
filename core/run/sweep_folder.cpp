#include "core/run/sweep_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/project/json_parts.h"

namespace vantage {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

ordered_json numbers_json(const std::vector<double>& values) {
  ordered_json json = ordered_json::array();
  for (const double value : values)
    json.push_back(std::isfinite(value) ? ordered_json(value) : ordered_json());
  return json;
}

ordered_json moment_json(const WorstMoment& moment) {
  return {{"kind", moment_kind_name(moment.kind)},
          {"frames", {moment.frame, moment.first_frame, moment.last_frame}},
          {"ids", {moment.true_id, moment.id, moment.id_before}},
          {"place_m", {moment.x_m, moment.y_m}},
          {"camera", moment.camera},
          {"amount", moment.amount}};
}

WorstMoment read_moment(const ordered_json& json) {
  const auto &frames = json.at("frames"), &ids = json.at("ids"), &place = json.at("place_m");
  WorstMoment moment;
  for (const MomentKind kind : kMomentKinds)
    if (moment_kind_name(kind) == json.at("kind").get<std::string>()) moment.kind = kind;
  moment.frame = frames.at(0), moment.first_frame = frames.at(1), moment.last_frame = frames.at(2);
  moment.true_id = ids.at(0), moment.id = ids.at(1), moment.id_before = ids.at(2);
  moment.x_m = place.at(0), moment.y_m = place.at(1);
  moment.camera = json.at("camera"), moment.amount = json.at("amount");
  return moment;
}

ordered_json figures_json(const SpanFigures& figures) {
  ordered_json blocks = ordered_json::array();
  for (const std::vector<double>& block : figures.blocks) blocks.push_back(numbers_json(block));
  ordered_json moments = ordered_json::array();
  for (const WorstMoment& moment : figures.moments) moments.push_back(moment_json(moment));
  return {{"whole", numbers_json(figures.whole)}, {"blocks", blocks}, {"moments", moments}};
}

std::vector<double> read_numbers(const ordered_json& json) {
  std::vector<double> values;
  for (const ordered_json& one : json)
    values.push_back(one.is_null() ? std::numeric_limits<double>::quiet_NaN() : one.get<double>());
  return values;
}

SpanFigures read_figures(const ordered_json& json) {
  SpanFigures figures{read_numbers(json.at("whole")), {}, {}};
  for (const ordered_json& block : json.at("blocks")) figures.blocks.push_back(read_numbers(block));
  for (const ordered_json& moment : json.at("moments")) figures.moments.push_back(read_moment(moment));
  return figures;
}

// Positions in millimetres; empty where they are not kept.
ordered_json people_json(const SweptPeople& people) {
  if (people.frames.empty()) return {};
  ordered_json each = ordered_json::array();
  for (const SweptPeople::Person& one : people.people)
    each.push_back({one.frame, one.id, std::lround(1000 * one.x_m), std::lround(1000 * one.y_m),
                    std::lround(1000 * one.height_m)});
  return {{"frames", people.frames}, {"people", each}};
}

SweptPeople read_people(const ordered_json& json) {
  SweptPeople people;
  json.at("frames").get_to(people.frames);
  const auto metres = [](const ordered_json& mm) { return mm.get<float>() / 1000; };
  for (const ordered_json& one : json.at("people"))
    people.people.push_back({one.at(0).get<int32_t>(), one.at(1).get<int32_t>(), metres(one.at(2)),
                             metres(one.at(3)), metres(one.at(4))});
  return people;
}

Error io_error(const fs::path& path) {
  return {ErrorKind::io, std::string("writing failed (") + std::strerror(errno) + ")", path.string(),
          "Choose a folder you can write to."};
}

}  // namespace

Result<StoredPoints> read_sweep_points(const fs::path& folder) {
  VANTAGE_ASSIGN(const std::string text, read_file(folder / "points.jsonl"));
  StoredPoints stored;
  stored.size = text.size();
  for (size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', stored.complete)) {
    try {
      const ordered_json line = parse_ordered_json(text.substr(stored.complete, end - stored.complete));
      const auto& test = line.at("test");
      stored.points[line.at("point").get<size_t>()] = {
          read_figures(line.at("tune")), test.is_null() ? SpanFigures() : read_figures(test),
          line.contains("people") ? read_people(line.at("people")) : SweptPeople()};
    } catch (const nlohmann::json::exception&) {
      break;
    }
    stored.complete = end + 1;
  }
  return stored;
}

Result<std::unique_ptr<SweepFolder>> SweepFolder::open(const fs::path& folder, const ordered_json& plan,
                                                       bool replace) {
  VANTAGE_TRY(make_folder(folder));
  std::unique_ptr<SweepFolder> sweep(new SweepFolder(folder));
  const fs::path points = folder / "points.jsonl", plan_file = folder / "plan.json";
  sweep->file_ = std::fopen(points.c_str(), "ab");
  if (!sweep->file_) return fail(io_error(points));
  if (::flock(::fileno(sweep->file_), LOCK_EX | LOCK_NB) != 0)
    return fail(ErrorKind::io, "another program writes this sweep", folder.string(),
                "Wait for it, or choose another folder.");
  const std::string text = json_text(plan, 2) + "\n";
  std::error_code none;
  const bool there = fs::exists(plan_file, none);
  if (there && !replace && read_file(plan_file).value_or("") != text)
    return fail(ErrorKind::invalid_argument,
                "the folder holds a sweep of other points, frames, metrics or parameters", folder.string(),
                "Choose another folder, or start again with --replace.");
  if (!there || replace) {
    if (::ftruncate(::fileno(sweep->file_), 0) != 0) return fail(io_error(points));
    VANTAGE_TRY(write_file_atomically(plan_file, text));
  }
  VANTAGE_TRY(sweep->read_points());
  return sweep;
}

SweepFolder::~SweepFolder() {
  if (file_) std::fclose(file_);
}

// Drops an incomplete last line.
Status SweepFolder::read_points() {
  VANTAGE_ASSIGN(StoredPoints stored, read_sweep_points(folder_));
  points_ = std::move(stored.points);
  if (stored.complete < stored.size && ::ftruncate(::fileno(file_), static_cast<off_t>(stored.complete)) != 0)
    return fail(io_error(folder_ / "points.jsonl"));
  return {};
}

Status SweepFolder::add(size_t point, SweepPoint measured) {
  ordered_json line = {{"point", point},
                       {"tune", figures_json(measured.tune)},
                       {"test", measured.test.whole.empty() ? ordered_json() : figures_json(measured.test)}};
  if (ordered_json people = people_json(measured.people); !people.is_null())
    line["people"] = std::move(people);
  const std::string text = json_text(line) + "\n";
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size() || std::fflush(file_) != 0 ||
      ::fsync(::fileno(file_)) != 0)
    return fail(io_error(folder_ / "points.jsonl"));
  points_[point] = std::move(measured);
  return {};
}

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

// Folders of sweeps, newest first.
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

// Null: there is no parameter of that key.
const ParameterDescription* find_parameter(const ParameterStore& store, const std::string& stage,
                                           const std::string& name) {
  for (const ParameterTable* table : store.tables())
    if (table->stage == stage)
      if (const ParameterDescription* found = table->find(name)) return found;
  return nullptr;
}

// Nothing where a parameter or metric no longer exists. Throws nlohmann::json::exception.
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

// The changed parameters without the swept ones, which differ between points.
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
