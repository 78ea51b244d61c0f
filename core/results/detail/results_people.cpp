#include "core/results/detail/results_people.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/fusion/body_box.h"
#include "core/pipeline/frame_people.h"
#include "core/pipeline/stages/fused_people.h"
#include "core/project/json_parts.h"
#include "core/results/detail/line_schema.h"

namespace vantage::project_detail {
namespace {

using nlohmann::ordered_json;

// A tenth is two voxels.
double rounded_litres(double litres) {
  return std::round(litres * 10) / 10;
}

// Standard deviation of the position in the direction in which it is least sure.
double deviation_m(const FusedPerson& person) {
  const double mean = (person.variance_x_m2 + person.variance_y_m2) / 2;
  const double half = (person.variance_x_m2 - person.variance_y_m2) / 2;
  return std::sqrt(std::max(0.0, mean + std::hypot(half, person.covariance_xy_m2)));
}

// Indices in `again` of the people of `before`, one each at most; -1: gone.
std::vector<int> same_people(const ordered_json& before, const std::vector<FusedPerson>& again) {
  struct Pair {
    double away_m;
    size_t before, again;
  };
  std::vector<Pair> pairs;
  for (size_t i = 0; i < before.size(); ++i)
    for (size_t k = 0; k < again.size(); ++k) {
      const double away_m = std::hypot(before[i].at("x_m").get<double>() - again[k].x_m,
                                       before[i].at("y_m").get<double>() - again[k].y_m);
      if (away_m < kSamePerson_m) pairs.push_back({away_m, i, k});
    }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.away_m < b.away_m; });
  std::vector<int> same(before.size(), -1);
  std::vector<char> taken(again.size());
  for (const Pair& pair : pairs) {
    if (same[pair.before] >= 0 || taken[pair.again]) continue;
    same[pair.before] = static_cast<int>(pair.again);
    taken[pair.again] = 1;
  }
  return same;
}

// Entries that name people by their index in the list.
void move_heads(const std::vector<int>& same, ordered_json* line) {
  for (const char* part : {"heads", "height_map"}) {
    if (!line->contains(part) || !(*line)[part].is_object()) continue;
    for (ordered_json& head : (*line)[part]["heads"]) {
      if (!head.contains("person") || head["person"].is_null()) continue;
      const int person = same.at(head["person"].get<size_t>());
      head["person"] = person < 0 ? ordered_json() : ordered_json(person);
    }
  }
}

// Positions of the people before paths were known, and shares of masks there: SecondPassPeople finds the same
// people again by them. Null where masks showed no one: detections alone do then.
ordered_json first_found(const ordered_json& people) {
  ordered_json first = ordered_json::array();
  bool in_masks = false;
  for (const ordered_json& person : people) {
    ordered_json one;
    for (const auto& key : kPersonKeys<FloorPerson>) one[key.name] = person.at(key.name);
    ordered_json cameras = ordered_json::array();
    if (const auto evidence = person.find("evidence"); evidence != person.end())
      for (const ordered_json& camera : evidence->at("cameras"))
        if (camera.value("in_mask", 0.0) > 0)
          cameras.push_back({{"camera", camera.at("camera")}, {"in_mask", camera.at("in_mask")}});
    in_masks |= !cameras.empty();
    if (!cameras.empty()) one["evidence"] = {{"cameras", cameras}};
    first.push_back(std::move(one));
  }
  return in_masks ? first : ordered_json();
}

void put_again(const std::vector<FusedPerson>& again, const std::vector<PersonSkeleton>& skeletons,
               ordered_json* line) {
  ordered_json& people = (*line)["people"];
  const ordered_json before = people["people"];
  const std::vector<int> same = same_people(before, again);
  const auto has = [&](const char* part) {
    return std::any_of(before.begin(), before.end(),
                       [&](const ordered_json& person) { return person.contains(part); });
  };
  const bool motion = has("motion"), colors = has("colors");
  ordered_json list = ordered_json::array();
  for (size_t k = 0; k < again.size(); ++k) {
    const auto found = std::find(same.begin(), same.end(), static_cast<int>(k));
    const ordered_json* old = found == same.end() ? nullptr : &before[found - same.begin()];
    ordered_json person = {{"id", nullptr}, {"provisional_id", nullptr}};
    if (old)
      person["provisional_id"] = old->contains("provisional_id") ? (*old)["provisional_id"] : (*old)["id"];
    person.update(person_json(person_of(again[k]), nullptr, false));
    if (old) person["volume_litres"] = (*old)["volume_litres"];
    put_fused(again[k], &person);
    if (motion) person["motion"] = old && old->contains("motion") ? (*old)["motion"] : ordered_json();
    if (colors) person["colors"] = old && old->contains("colors") ? (*old)["colors"] : ordered_json::array();
    if (k < skeletons.size() && skeletons[k].layout) person["skeleton"] = skeleton_json(skeletons[k]);
    list.push_back(std::move(person));
  }
  people["count"] = again.size();
  people["peaks"] = again.size() + people["rejected"].size();
  people["people"] = std::move(list);
  if (!again.empty()) people["stopped_at"] = nullptr;
  if (again.empty() && !before.empty())
    people["stopped_at"] = "no path expects anybody whom detections tell of";
  if (!people.value("found_again", false))
    if (ordered_json first = first_found(before); !first.is_null()) people["first_found"] = std::move(first);
  people["found_again"] = true;
  move_heads(same, line);
}

// In place of those that the chain carried, each with the number that the nearest of them had.
void put_between(const std::vector<PathPeople::Between>& between, ordered_json* line) {
  ordered_json& people = (*line)["people"];
  const ordered_json before = std::exchange(people["people"], ordered_json::array());
  for (const PathPeople::Between& one : between) {
    FoundPerson found;
    found.x_m = one.point.x_m, found.y_m = one.point.y_m;
    found.height_m = one.point.height_m, found.confidence = one.point.confidence;
    ordered_json person = {{"id", one.id}, {"provisional_id", nullptr}};
    double nearest_m = kSamePerson_m;
    for (const ordered_json& other : before) {
      const double away_m =
          std::hypot(other.at("x_m").get<double>() - found.x_m, other.at("y_m").get<double>() - found.y_m);
      if (away_m >= nearest_m) continue;
      nearest_m = away_m;
      person["provisional_id"] = other.contains("provisional_id") ? other["provisional_id"] : other["id"];
    }
    person.update(person_json(found, nullptr, false));
    people["people"].push_back(std::move(person));
  }
  people["count"] = between.size();
  people["stopped_at"] = nullptr;
}

// A person whom the search rejected, between two frames in which it found them, where their path passes: it
// is they. Not where the number of people is unknown, and not of detections, which are asked again
// (put_again()). reject_kept() undoes it.
void keep(const std::vector<PathPeople::Between>& on_paths, ordered_json* line) {
  ordered_json& people = (*line)["people"];
  ordered_json& rejected = people["rejected"];
  const ordered_json& cameras = (*line)["cameras"];
  if (people["count"].is_null() ||
      std::any_of(cameras.begin(), cameras.end(),
                  [](const ordered_json& camera) { return camera.contains("detections"); }))
    return;
  for (const PathPeople::Between& one : on_paths) {
    // Paths by motion and on the grid pass near their peaks.
    const auto away_m = [&](const ordered_json& entry) {
      return std::hypot(entry.at("x_m").get<double>() - one.point.x_m,
                        entry.at("y_m").get<double>() - one.point.y_m);
    };
    const auto peak =
        std::min_element(rejected.begin(), rejected.end(),
                         [&](const ordered_json& a, const ordered_json& b) { return away_m(a) < away_m(b); });
    if (peak == rejected.end() || away_m(*peak) >= kSamePerson_m) continue;
    ordered_json person = {{"id", one.id}, {"provisional_id", nullptr}};
    for (const auto& [key, value] : peak->items())
      person[key == "reason" ? std::string(kKeptByPath) : key] = value;
    people["people"].push_back(std::move(person));
    rejected.erase(peak);
  }
  if (people["people"].empty()) return;
  people["count"] = people["people"].size();
  people["stopped_at"] = nullptr;
}

void reject_kept(ordered_json* line) {
  ordered_json& people = (*line)["people"];
  ordered_json& list = people["people"];
  size_t kept = 0;
  for (const ordered_json& person : list) kept += person.contains(kKeptByPath) ? 1 : 0;
  for (auto one = list.end() - static_cast<std::ptrdiff_t>(kept); one != list.end(); ++one) {
    ordered_json peak;
    for (const auto& [key, value] : one->items())
      if (key != "id" && key != "provisional_id") peak[key == kKeptByPath ? "reason" : key] = value;
    people["rejected"].push_back(std::move(peak));
  }
  list.erase(list.end() - static_cast<std::ptrdiff_t>(kept), list.end());
  if (kept == 0 || people["count"].is_null()) return;
  people["count"] = list.size();
  if (list.empty()) people["stopped_at"] = "no path passes the peaks that are no person by themselves";
}

void number(const PathPeople& paths, ordered_json* line) {
  const auto frame = (*line)["frame"].get<int64_t>();
  int32_t place = 0;
  for (ordered_json& person : (*line)["people"]["people"]) {
    const auto found = paths.numbers.find({frame, place++});
    if (!person.contains("provisional_id") && person.contains("id")) person["provisional_id"] = person["id"];
    person["id"] = found == paths.numbers.end() ? ordered_json() : ordered_json(found->second);
    person.erase("deviation");
    if (found == paths.numbers.end()) continue;
    if (const auto known = paths.deviations.find({frame, found->second}); known != paths.deviations.end()) {
      const PersonDeviation& its = known->second.in_frame;
      person["deviation"] = {{"x_m", rounded(its.x_m)},
                             {"y_m", rounded(its.y_m)},
                             {"correlation", rounded(its.correlation)},
                             {"height_m", rounded(its.height_m)}};
    }
  }
}

}  // namespace

ordered_json person_json(const FoundPerson& person, const TrackedPerson* tracked, bool measured) {
  ordered_json json;
  if (tracked) json["id"] = tracked->id > 0 ? ordered_json(tracked->id) : ordered_json();
  for (const auto& key : kPersonKeys<FoundPerson>) {
    if (key.member == &FoundPerson::confidence)
      json["volume_litres"] = measured ? ordered_json(rounded_litres(person.volume_l)) : ordered_json();
    put(key, person, &json);
  }
  json["cameras"] = person.cameras;
  return json;
}

// Entries by camera index; the numbers of detection and head are their positions among the camera's of the
// same line.
void put_fused(const FusedPerson& fused, ordered_json* person) {
  ordered_json cameras = ordered_json::array();
  for (const CameraEvidence& one : fused.evidence)
    cameras.push_back({{"camera", one.camera},
                       {"detection", one.detection < 0 ? ordered_json() : ordered_json(one.detection)},
                       {"head", one.head < 0 ? ordered_json() : ordered_json(one.head)},
                       {"nats", rounded(one.nats)},
                       {"visible", rounded(one.visible)},
                       {"in_mask", rounded(one.in_mask)}});
  (*person)["seated"] = rounded(seated_probability(fused.height_m, fused.height_deviation_m));
  (*person)["evidence"] = {{"deviation_m", rounded(deviation_m(fused))},
                           {"height_deviation_m", rounded(fused.height_deviation_m)},
                           {"gain_nats", rounded(fused.gain_nats)},
                           {"cameras", cameras}};
}

// Joints that are not known are not there. The covariance's upper triangle, row by row.
ordered_json skeleton_json(const PersonSkeleton& skeleton) {
  ordered_json joints = ordered_json::object();
  for (size_t i = 0; i < skeleton.joints.size(); ++i) {
    if (!skeleton.joints[i]) continue;
    const SceneJoint& joint = *skeleton.joints[i];
    const Eigen::Matrix3d& c = joint.covariance_m2;
    ordered_json covariance = ordered_json::array();
    for (const double value : {c(0, 0), c(0, 1), c(0, 2), c(1, 1), c(1, 2), c(2, 2)})
      covariance.push_back(rounded(1e4 * value));
    joints[std::string(skeleton.layout->joints[i])] = {
        {"x_m", rounded(joint.point_in_world_m.x())}, {"y_m", rounded(joint.point_in_world_m.y())},
        {"z_m", rounded(joint.point_in_world_m.z())}, {"covariance_cm2", covariance},
        {"confidence", rounded(joint.confidence)},    {"cameras", joint.cameras}};
  }
  return {{"layout", skeleton.layout->name}, {"joints", joints}};
}

std::string finished_line(const std::string& text, const SecondPassPeople* again, const PathPeople& paths) {
  ordered_json line = parse_ordered_json(text);
  if (!line.is_object() || !line.contains("people") || !line["people"].is_object()) return text;
  try {
    const auto frame = line["frame"].get<int64_t>();
    if (again)
      if (const auto found = again->people_at(frame)) put_again(*found, again->skeletons_at(frame), &line);
    reject_kept(&line);
    number(paths, &line);
    if (const auto kept = paths.kept.find(frame); kept != paths.kept.end()) keep(kept->second, &line);
    if (const auto between = paths.between.find(frame);
        between != paths.between.end() && line["people"].contains("carried"))
      put_between(between->second, &line);
  } catch (const nlohmann::json::exception&) {
    return text;
  }
  return json_text(line);
}

}  // namespace vantage::project_detail

namespace vantage {
namespace {

using nlohmann::json;

void append_rows(const json& line, std::string* rows) {
  for (const json& camera : line["heads"]["cameras"])
    for (const json& box : camera["boxes"]) {
      *rows += camera["name"].get<std::string>() + fmt::format(",{}", line["frame"].get<long long>());
      for (const auto& key : project_detail::kHeadBoxKeys)
        *rows += fmt::format(",{:.{}f}", box[key.name].get<double>(), key.steps == 100 ? 2 : 4);
      *rows += box.value("guided", false) ? ",1\n" : ",0\n";
    }
}

}  // namespace

Status write_head_rows(const std::filesystem::path& folder) {
  std::ifstream stream(folder / "results.jsonl", std::ios::binary);
  std::string rows = "camera,frame,x,y,w,h,score,guided\n";
  bool searched = false;
  for (std::string text; std::getline(stream, text);) {
    if (text.find("\"heads\":{\"cameras\":") == std::string::npos) continue;
    const json line = parse_json(text);
    if (line.is_discarded()) continue;  // damaged: counted where results are read
    searched = true;
    append_rows(line, &rows);
  }
  if (searched) return write_file_atomically(folder / "heads.csv", rows);
  std::error_code ignored;
  std::filesystem::remove(folder / "heads.csv", ignored);
  return {};
}

}  // namespace vantage
