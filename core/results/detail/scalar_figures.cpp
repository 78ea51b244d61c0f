#include "core/results/detail/scalar_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/text.h"

namespace vantage {
namespace {

using Of = ScalarOf;
using Measure = ScalarMeasure;

constexpr std::array<ScalarKind, 25> kScalarKinds = {{
    {"people", "", "people in the frame", "people/count"},
    {"rejected", "", "candidates that were not taken for people", "people/rejected", Measure::count},
    {"confidence", "", "mean confidence of the frame's people, 0 to 1", "people/people",
     Measure::mean_confidence},
    {"peaks", "", "candidates for people", "people/peaks"},
    {"covered_share", "", "share of the floor that enough cameras see, 0 to 1", "people/covered_share"},
    {"litres", "l", "carved volume", "volume/litres"},
    {"shell_voxels", "", "voxels of the volume's shell", "volume/shell_voxels"},
    {"heads", "", "heads of several views joined", "heads/heads", Measure::count},
    {"height_map_energy", "", "final energy of the height map", "height_map/energy"},
    {"height_map_iterations", "", "iterations of the height map", "height_map/iterations"},
    {"foreground", "", "share of the camera's pixels that are foreground, 0 to 1",
     "cameras/#/foreground_share", Measure::number, Of::camera},
    {"detections", "", "people that the detector sees in the camera's picture", "cameras/#/detections",
     Measure::count, Of::camera},
    {"head_boxes", "", "heads found in the camera's picture", "heads/cameras/#/boxes", Measure::count,
     Of::camera},
    {"x_m", "m", "position on the floor along x", "x_m", Measure::number, Of::person},
    {"y_m", "m", "position on the floor along y", "y_m", Measure::number, Of::person},
    {"height_m", "m", "height above the floor", "height_m", Measure::number, Of::person},
    {"person_confidence", "", "confidence in the person, 0 to 1", "confidence", Measure::number, Of::person},
    {"speed_m_per_s", "m/s", "speed over the floor, over 0.4 s", "", Measure::speed, Of::person},
    {"motion_m_per_s", "m/s", "speed by the cameras' optical flow", "motion/m_per_s", Measure::length,
     Of::person},
    {"seated", "", "probability that the person sits, 0 to 1", "seated", Measure::number, Of::person},
    {"deviation_m", "m", "standard deviation of the position in its least certain direction",
     "evidence/deviation_m", Measure::number, Of::person},
    {"gain_nats", "nats", "gain in explaining all cameras by the person", "evidence/gain_nats",
     Measure::number, Of::person},
    {"joints", "", "joints of the person's skeleton", "skeleton/joints", Measure::count, Of::person},
    {"ms", "ms", "time of the stage in the frame, of all its cameras together", "", Measure::number,
     Of::stage},
    {"kernel_ms", "ms", "time of the GPU's kernel in the frame, of all its launches together", "",
     Measure::number, Of::kernel},
}};

constexpr double kUnknownScalar = std::numeric_limits<double>::quiet_NaN();
// Speeds are measured over so long that the noise of a position does not make one, and over no longer gap.
constexpr double kSpeedOver_s = 0.4, kSpeedGap_s = 1;

tl::unexpected<Error> no_scalar(const std::string& what, const std::string& name) {
  std::string known;
  for (const ScalarKind& kind : kScalarKinds) append_item(&known, scalar_name(kind));
  return fail(ErrorKind::invalid_argument, what, name, "There are " + known + ".");
}

}  // namespace

std::span<const ScalarKind> scalar_kinds() {
  return kScalarKinds;
}

std::string scalar_name(const ScalarKind& kind) {
  constexpr std::array<const char*, 5> kWhose = {"", ":CAMERA", ":ID", ":STAGE", ":KERNEL"};
  return std::string(kind.name) + kWhose[static_cast<size_t>(kind.of)];
}

Result<const ScalarKind*> scalar_kind(const std::string& name) {
  const size_t colon = name.find(':');
  const ScalarKind* found = nullptr;
  for (const ScalarKind& kind : kScalarKinds)
    if (kind.name == name.substr(0, colon)) found = &kind;
  if (!found) return no_scalar("there is no such figure of results", name);
  const bool whose = colon != std::string::npos && colon + 1 < name.size();
  if (whose == (found->of == ScalarOf::frame))
    return no_scalar(whose ? "this figure belongs to the frame alone"
                           : "this figure needs an owner, as " + scalar_name(*found),
                     name);
  return found;
}

std::vector<std::string> scalar_names(const ScalarOwners& owners) {
  std::vector<std::string> names;
  for (const ScalarKind& kind : kScalarKinds) {
    const std::string before = std::string(kind.name) + ":";
    const auto add = [&](const std::vector<std::string>& all) {
      for (const std::string& one : all) names.push_back(before + one);
    };
    switch (kind.of) {
      case ScalarOf::frame:
        names.emplace_back(kind.name);
        break;
      case ScalarOf::camera:
        add(owners.cameras);
        break;
      case ScalarOf::person:
        for (const int64_t id : owners.people) names.push_back(before + std::to_string(id));
        break;
      case ScalarOf::stage:
        add(owners.stages);
        break;
      case ScalarOf::kernel:
        add(owners.kernels);
        break;
    }
  }
  return names;
}

namespace results_detail {

using nlohmann::json;

const json* member_of(const json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

double number_at(const json& object, const char* key) {
  const json* found = member_of(object, key);
  return found && found->is_number() ? found->get<double>() : kUnknownScalar;
}

std::string text_at(const json& object, const char* key) {
  const json* found = member_of(object, key);
  return found && found->is_string() ? found->get<std::string>() : std::string();
}

namespace {

// The value at keys between slashes, # being that entry of a list; null where there is none.
const json* value_at(const json& object, std::string_view path, size_t entry = 0) {
  const json* at = &object;
  while (at && !path.empty()) {
    const std::string key(path.substr(0, path.find('/')));
    path.remove_prefix(std::min(path.size(), key.size() + 1));
    if (key != "#")
      at = member_of(*at, key.c_str());
    else
      at = at->is_array() && entry < at->size() ? &(*at)[entry] : nullptr;
  }
  return at;
}

double mean_confidence(const json& people) {
  double sum = 0;
  size_t count = 0;
  for (const json& person : people)
    if (const double one = number_at(person, "confidence"); std::isfinite(one)) sum += one, ++count;
  return count > 0 ? sum / static_cast<double>(count) : kUnknownScalar;
}

double length_of(const json& vector) {
  double square = 0;
  for (const json& one : vector) {
    if (!one.is_number()) return kUnknownScalar;
    square += one.get<double>() * one.get<double>();
  }
  return vector.empty() ? kUnknownScalar : std::sqrt(square);
}

double measured(const json* value, ScalarMeasure measure) {
  if (!value || (measure == ScalarMeasure::number ? !value->is_number() : !value->is_structured()))
    return kUnknownScalar;
  if (measure == ScalarMeasure::number) return value->get<double>();
  if (measure == ScalarMeasure::count) return static_cast<double>(value->size());
  return measure == ScalarMeasure::length ? length_of(*value) : mean_confidence(*value);
}

}  // namespace

Result<WantedScalar> WantedScalar::of(const std::string& name) {
  WantedScalar wanted;
  VANTAGE_ASSIGN(wanted.kind_, scalar_kind(name));
  if (wanted.kind_->of == ScalarOf::frame) {
    wanted.found_ = true;
    return wanted;
  }
  wanted.whose_ = name.substr(name.find(':') + 1);
  if (wanted.kind_->of == ScalarOf::person) {
    const bool digits =
        wanted.whose_.size() < 18 && wanted.whose_.find_first_not_of("0123456789") == std::string::npos;
    if (!digits) return no_scalar("a person's ID is a number", name);
    wanted.person_ = std::stoll(wanted.whose_);
  }
  return wanted;
}

void WantedScalar::take_header(const json& header) {
  const json* cameras = member_of(header, "cameras");
  if (kind_->of != ScalarOf::camera || !cameras || !cameras->is_array()) return;
  for (size_t i = 0; i < cameras->size(); ++i)
    if (text_at((*cameras)[i], "name") == whose_) camera_ = i, found_ = true;
}

double WantedScalar::take_line(const json& line, double frame_rate) {
  switch (kind_->of) {
    case ScalarOf::frame:
    case ScalarOf::camera:
      return found_ ? measured(value_at(line, kind_->path, camera_), kind_->measure) : kUnknownScalar;
    case ScalarOf::person:
      return person_figure(line, frame_rate);
    case ScalarOf::stage:
    case ScalarOf::kernel:
      break;
  }
  return kUnknownScalar;
}

double WantedScalar::person_figure(const json& line, double frame_rate) {
  found_ = false;
  const json* list = value_at(line, "people/people");
  if (!list) return kUnknownScalar;
  for (const json& person : *list) {
    if (number_at(person, "id") != static_cast<double>(person_)) continue;
    found_ = true;
    if (kind_->measure != ScalarMeasure::speed)
      return measured(value_at(person, kind_->path), kind_->measure);
    return speed(line.at("frame").get<int64_t>(), {number_at(person, "x_m"), number_at(person, "y_m")},
                 frame_rate);
  }
  return kUnknownScalar;
}

double WantedScalar::speed(int64_t frame, const std::array<double, 2>& at_m, double frame_rate) {
  const auto seconds = [&](int64_t then) { return static_cast<double>(frame - then) / frame_rate; };
  if (!path_.empty() && seconds(path_.back().first) > kSpeedGap_s) path_.clear();
  while (path_.size() > 1 && seconds(path_[1].first) >= kSpeedOver_s) path_.pop_front();
  double speed = kUnknownScalar;
  if (!path_.empty() && seconds(path_.front().first) >= kSpeedOver_s)
    speed = std::hypot(at_m[0] - path_.front().second[0], at_m[1] - path_.front().second[1]) /
            seconds(path_.front().first);
  path_.emplace_back(frame, at_m);
  return speed;
}

}  // namespace results_detail
}  // namespace vantage
