#include "core/results/detail/scalar_figures.h"

#include <cmath>
#include <limits>

namespace vantage {
namespace {

constexpr std::array<ScalarKind, 25> kScalarKinds = {{
    {"people", "", "people in the frame"},
    {"rejected", "", "candidates that were not taken for people"},
    {"confidence", "", "mean confidence of the frame's people, 0 to 1"},
    {"peaks", "", "candidates for people"},
    {"covered_share", "", "share of the floor that enough cameras see, 0 to 1"},
    {"litres", "l", "carved volume"},
    {"shell_voxels", "", "voxels of the volume's shell"},
    {"heads", "", "heads of several views joined"},
    {"height_map_energy", "", "final energy of the height map"},
    {"height_map_iterations", "", "iterations of the height map"},
    {"foreground", "", "share of the camera's pixels that are foreground, 0 to 1", ScalarOf::camera},
    {"detections", "", "people that the detector sees in the camera's picture", ScalarOf::camera},
    {"head_boxes", "", "heads found in the camera's picture", ScalarOf::camera},
    {"x_m", "m", "position on the floor along x", ScalarOf::person},
    {"y_m", "m", "position on the floor along y", ScalarOf::person},
    {"height_m", "m", "height above the floor", ScalarOf::person},
    {"person_confidence", "", "confidence in the person, 0 to 1", ScalarOf::person},
    {"speed_m_per_s", "m/s", "speed over the floor, over 0.4 s", ScalarOf::person},
    {"motion_m_per_s", "m/s", "speed by the cameras' optical flow", ScalarOf::person},
    {"seated", "", "probability that the person sits, 0 to 1", ScalarOf::person},
    {"deviation_m", "m", "standard deviation of the position in its least certain direction",
     ScalarOf::person},
    {"gain_nats", "nats", "gain in explaining all cameras by the person", ScalarOf::person},
    {"joints", "", "joints of the person's skeleton", ScalarOf::person},
    {"ms", "ms", "time of the stage in the frame, of all its cameras together", ScalarOf::stage},
    {"kernel_ms", "ms", "time of the GPU's kernel in the frame, of all its launches together",
     ScalarOf::kernel},
}};

constexpr double kUnknownScalar = std::numeric_limits<double>::quiet_NaN();
// Speeds are measured over so long, that the noise of a position does not make one, and over no longer gap.
constexpr double kSpeedOver_s = 0.4, kSpeedGap_s = 1;

tl::unexpected<Error> no_scalar(const std::string& what, const std::string& name) {
  std::string known;
  for (const ScalarKind& kind : kScalarKinds) known += (known.empty() ? "" : ", ") + scalar_name(kind);
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

double number_in(const json& object, const char* part, const char* key) {
  const json* found = member_of(object, part);
  return found ? number_at(*found, key) : kUnknownScalar;
}

double count_in(const json* list) {
  return list && list->is_array() ? static_cast<double>(list->size()) : kUnknownScalar;
}

double mean_confidence(const json& people) {
  double sum = 0;
  size_t count = 0;
  for (const json& person : people)
    if (const double one = number_at(person, "confidence"); std::isfinite(one)) sum += one, ++count;
  return count > 0 ? sum / static_cast<double>(count) : kUnknownScalar;
}

double frame_figure(std::string_view name, const json& line) {
  if (name == "litres" || name == "shell_voxels")
    return number_in(line, "volume", name == "litres" ? "litres" : "shell_voxels");
  if (name == "height_map_energy") return number_in(line, "height_map", "energy");
  if (name == "height_map_iterations") return number_in(line, "height_map", "iterations");
  if (name == "heads") {
    const json* heads = member_of(line, "heads");
    return heads ? count_in(member_of(*heads, "heads")) : kUnknownScalar;
  }
  if (name == "people") return number_in(line, "people", "count");
  if (name == "peaks") return number_in(line, "people", "peaks");
  if (name == "covered_share") return number_in(line, "people", "covered_share");
  const json* people = member_of(line, "people");
  if (!people) return kUnknownScalar;
  if (name == "rejected") return count_in(member_of(*people, "rejected"));
  const json* list = member_of(*people, "people");
  return list ? mean_confidence(*list) : kUnknownScalar;
}

double camera_figure(std::string_view name, size_t camera, const json& line) {
  const auto entry = [camera](const json* cameras) {
    return cameras && cameras->is_array() && camera < cameras->size() ? &(*cameras)[camera] : nullptr;
  };
  if (name == "head_boxes") {
    const json* heads = member_of(line, "heads");
    const json* own = heads ? entry(member_of(*heads, "cameras")) : nullptr;
    return own ? count_in(member_of(*own, "boxes")) : kUnknownScalar;
  }
  const json* own = entry(member_of(line, "cameras"));
  if (!own) return kUnknownScalar;
  return name == "detections" ? count_in(member_of(*own, "detections")) : number_at(*own, "foreground_share");
}

double motion_of(const json& person) {
  const json* motion = member_of(person, "motion");
  const json* velocity = motion ? member_of(*motion, "m_per_s") : nullptr;
  if (!velocity || !velocity->is_array() || velocity->empty()) return kUnknownScalar;
  double square = 0;
  for (const json& one : *velocity) {
    if (!one.is_number()) return kUnknownScalar;
    square += one.get<double>() * one.get<double>();
  }
  return std::sqrt(square);
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
      return frame_figure(kind_->name, line);
    case ScalarOf::camera:
      return found_ ? camera_figure(kind_->name, camera_, line) : kUnknownScalar;
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
  const json* people = member_of(line, "people");
  const json* list = people ? member_of(*people, "people") : nullptr;
  if (!list) return kUnknownScalar;
  for (const json& person : *list) {
    if (number_at(person, "id") != static_cast<double>(person_)) continue;
    found_ = true;
    const std::string_view name = kind_->name;
    if (name == "person_confidence") return number_at(person, "confidence");
    if (name == "motion_m_per_s") return motion_of(person);
    if (name == "deviation_m" || name == "gain_nats")
      return number_in(person, "evidence", std::string(name).c_str());
    if (name == "joints") {
      const json* skeleton = member_of(person, "skeleton");
      const json* joints = skeleton ? member_of(*skeleton, "joints") : nullptr;
      return joints ? static_cast<double>(joints->size()) : kUnknownScalar;
    }
    if (name != "speed_m_per_s") return number_at(person, std::string(name).c_str());
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
