#include "core/results/skeleton_files.h"

#include <fmt/core.h>
#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/project/json_parts.h"

namespace vantage {
namespace {

using nlohmann::ordered_json;
using project_detail::rounded;

double time_s(const RecordedSkeletons& recording, int64_t frame) {
  return static_cast<double>(frame) / recording.frame_rate;
}

ordered_json frame_json(const SkeletonFrame& frame) {
  ordered_json joints = ordered_json::array();
  for (const auto& joint : frame.skeleton.joints) {
    if (!joint) {
      joints.push_back(nullptr);
      continue;
    }
    joints.push_back({{"x_m", rounded(joint->point_in_world_m.x())},
                      {"y_m", rounded(joint->point_in_world_m.y())},
                      {"z_m", rounded(joint->point_in_world_m.z())},
                      {"deviation_m", rounded(joint->deviation_m())},
                      {"confidence", rounded(joint->confidence)},
                      {"cameras", joint->cameras}});
  }
  return {{"frame", frame.frame}, {"joints", joints}};
}

}  // namespace

std::string marker_name(std::string_view joint) {
  if (joint == "hip") return "CHip";
  std::string name;
  for (const std::string_view side : {"left_", "right_"}) {
    if (!joint.starts_with(side)) continue;
    name = static_cast<char>(std::toupper(side.front()));
    joint.remove_prefix(side.size());
  }
  bool starts = true;
  for (const char c : joint) {
    if (c != '_') name += starts ? static_cast<char>(std::toupper(c)) : c;
    starts = c == '_';
  }
  return name;
}

std::string trc_text(const RecordedSkeletons& recording, const SkeletonTrack& person,
                     const std::string& name) {
  const auto& names = person.layout->joints;
  const int64_t frames = recording.end_frame - recording.first_frame;
  std::string text =
      "PathFileType\t4\t(X/Y/Z)\t" + name +
      "\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\t"
      "OrigNumFrames\n";
  text += fmt::format("{:g}\t{:g}\t{}\t{}\tm\t{:g}\t{}\t{}\n", recording.frame_rate, recording.frame_rate,
                      frames, names.size(), recording.frame_rate, recording.first_frame, frames);
  text += "Frame#\tTime";
  for (const std::string_view joint : names) text += '\t' + marker_name(joint) + "\t\t";
  text += "\n\t";
  for (size_t i = 1; i <= names.size(); ++i) text += fmt::format("\tX{}\tY{}\tZ{}", i, i, i);
  text += "\n\n";
  auto next = person.frames.begin();
  for (int64_t frame = recording.first_frame; frame < recording.end_frame; ++frame) {
    text += fmt::format("{}\t{:.6f}", frame, time_s(recording, frame));
    const bool here = next != person.frames.end() && next->frame == frame;
    for (size_t i = 0; i < names.size(); ++i) {
      const auto* joint = here && next->skeleton.joints[i] ? &*next->skeleton.joints[i] : nullptr;
      if (!joint) {
        text += "\t\t\t";
        continue;
      }
      const Eigen::Vector3d& at = joint->point_in_world_m;
      text += fmt::format("\t{:.5f}\t{:.5f}\t{:.5f}", at.y(), at.z(), at.x());
    }
    text += '\n';
    if (here) ++next;
  }
  return text;
}

std::string skeletons_csv(const RecordedSkeletons& recording) {
  std::string text = "frame,time_s,id,joint,x_m,y_m,z_m,deviation_m,confidence,cameras\n";
  for (const SkeletonTrack& person : recording.people)
    for (const auto& [frame, skeleton] : person.frames)
      for (size_t i = 0; i < skeleton.joints.size(); ++i) {
        if (!skeleton.joints[i]) continue;
        const SceneJoint& joint = *skeleton.joints[i];
        const Eigen::Vector3d& at = joint.point_in_world_m;
        text += fmt::format("{},{:.6f},{},{},{:.5f},{:.5f},{:.5f},{:.5f},{:.3f},{}\n", frame,
                            time_s(recording, frame), person.id, skeleton.layout->joints[i], at.x(), at.y(),
                            at.z(), joint.deviation_m(), joint.confidence, joint.cameras.size());
      }
  return text;
}

std::string skeletons_json(const RecordedSkeletons& recording) {
  ordered_json people = ordered_json::array();
  for (const SkeletonTrack& person : recording.people) {
    ordered_json lengths = ordered_json::object(), frames = ordered_json::array();
    for (const auto& [limb, length_m] : person.limb_lengths_m) lengths[std::string(limb)] = rounded(length_m);
    for (const SkeletonFrame& frame : person.frames) frames.push_back(frame_json(frame));
    people.push_back({{"id", person.id},
                      {"layout", person.layout->name},
                      {"joints", person.layout->joints},
                      {"limb_lengths_m", lengths},
                      {"frames", frames}});
  }
  const ordered_json json = {{"schema", "vantage-skeletons-1"},      {"frame_rate", recording.frame_rate},
                             {"first_frame", recording.first_frame}, {"end_frame", recording.end_frame},
                             {"cameras", recording.cameras},         {"people", people}};
  return json_text(json) + "\n";
}

// A C3D file: blocks of 512 bytes, the first the header, then the parameters by group, then the points, four
// floats each. All numbers are little-endian (processor 84).

namespace {

constexpr size_t kBlock = 512;
constexpr char kKey = 0x50, kIntel = 84;
constexpr int64_t kMaxShort = 65535;  // frames that a 16-bit field can state
constexpr float kFloatingPoint = -1;  // the scale: negative for floats; a residual's unit is 1 mm
constexpr double kMm = 1000;
constexpr int32_t kMaskedCameras = 7;

void put16(std::string* bytes, int64_t value) {
  for (int shift = 0; shift < 16; shift += 8) *bytes += static_cast<char>(value >> shift);
}
void put_float(std::string* bytes, float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  for (int shift = 0; shift < 32; shift += 8) *bytes += static_cast<char>(bits >> shift);
}
void fill_block(std::string* bytes) {
  bytes->resize((bytes->size() + kBlock - 1) / kBlock * kBlock);
}

// Writes the records of the parameter section. Each states the position of the next one; the last states 0.
class Parameters {
 public:
  void group(std::string_view name) {
    ++groups_;
    begin(name, static_cast<char>(-groups_));
    bytes_ += '\0';  // no description
  }
  void text(std::string_view name, const std::vector<std::string>& lines) {
    size_t width = 0;
    for (const std::string& line : lines) width = std::max(width, line.size());
    begin(name, static_cast<char>(groups_));
    bytes_ += {static_cast<char>(-1), 2, static_cast<char>(width), static_cast<char>(lines.size())};
    for (const std::string& line : lines) bytes_ += line + std::string(width - line.size(), ' ');
    bytes_ += '\0';
  }
  void integers(std::string_view name, const std::vector<int64_t>& values) {
    begin(name, static_cast<char>(groups_));
    bytes_ += char{2};
    if (values.size() == 1)
      bytes_ += '\0';
    else
      bytes_ += {1, static_cast<char>(values.size())};
    for (const int64_t value : values) put16(&bytes_, value);
    bytes_ += '\0';
  }
  void real(std::string_view name, double value) {
    begin(name, static_cast<char>(groups_));
    bytes_ += {4, 0};
    put_float(&bytes_, static_cast<float>(value));
    bytes_ += '\0';
  }

  // The complete blocks, with the four bytes before the records.
  std::string section() const {
    std::string all = {1, kKey, 0, kIntel};
    all += bytes_;
    all.resize(all.size() + 2);  // a name without letters also ends the records
    fill_block(&all);
    all[2] = static_cast<char>(all.size() / kBlock);
    return all;
  }

 private:
  void begin(std::string_view name, char id) {
    close();
    bytes_ += static_cast<char>(name.size());
    bytes_ += id;
    bytes_ += name;
    offset_at_ = bytes_.size();
    bytes_ += {0, 0};
  }
  char* offset() { return bytes_.data() + offset_at_; }
  void close() {
    if (offset_at_ == 0) return;
    const size_t to_next = bytes_.size() - offset_at_;
    offset()[0] = static_cast<char>(to_next), offset()[1] = static_cast<char>(to_next >> 8);
  }

  std::string bytes_;
  size_t offset_at_ = 0;  // offset in the file of the record in progress; 0: none yet
  int groups_ = 0;
};

Parameters parameters_of(const RecordedSkeletons& recording, const SkeletonTrack& person, size_t data_block) {
  std::vector<std::string> labels;
  for (const std::string_view joint : person.layout->joints) labels.push_back(marker_name(joint));
  const int64_t frames = recording.end_frame - recording.first_frame;
  const auto halves = [](int64_t value) { return std::vector<int64_t>{value & kMaxShort, value >> 16}; };
  Parameters parameters;
  parameters.group("POINT");
  parameters.integers("USED", {static_cast<int64_t>(labels.size())});
  parameters.integers("FRAMES", {std::min(frames, kMaxShort)});
  parameters.integers("DATA_START", {static_cast<int64_t>(data_block)});
  parameters.real("SCALE", kFloatingPoint);
  parameters.real("RATE", recording.frame_rate);
  parameters.text("UNITS", {"mm"});
  parameters.text("LABELS", labels);
  parameters.text("X_SCREEN", {"+X"});
  parameters.text("Y_SCREEN", {"+Z"});
  parameters.group("ANALOG");
  parameters.integers("USED", {0});
  parameters.group("TRIAL");
  parameters.integers("ACTUAL_START_FIELD", halves(recording.first_frame + 1));
  parameters.integers("ACTUAL_END_FIELD", halves(recording.end_frame));
  return parameters;
}

std::string header_of(const RecordedSkeletons& recording, const SkeletonTrack& person, size_t data_block) {
  std::string header = {2, kKey};
  put16(&header, static_cast<int64_t>(person.layout->joints.size()));
  put16(&header, 0);  // analogue samples
  put16(&header, std::min(recording.first_frame + 1, kMaxShort));
  put16(&header, std::min(recording.end_frame, kMaxShort));
  put16(&header, 0);  // nothing is interpolated
  put_float(&header, kFloatingPoint);
  put16(&header, static_cast<int64_t>(data_block));
  put16(&header, 0);
  put_float(&header, static_cast<float>(recording.frame_rate));
  fill_block(&header);
  return header;
}

// The joint's cameras, one bit each, above the residual.
float fourth_word(const SceneJoint& joint) {
  int mask = 0;
  for (const int32_t camera : joint.cameras)
    if (camera < kMaskedCameras) mask |= 1 << camera;
  const double residual_mm = std::clamp(std::round(joint.deviation_m() * kMm), 0.0, 255.0);
  return static_cast<float>(256 * mask + static_cast<int>(residual_mm));
}

void put_frame(const PersonSkeleton* skeleton, size_t joints, std::string* bytes) {
  for (size_t i = 0; i < joints; ++i) {
    if (!skeleton || !skeleton->joints[i]) {
      for (const float value : {0.0f, 0.0f, 0.0f, -1.0f}) put_float(bytes, value);
      continue;
    }
    const SceneJoint& joint = *skeleton->joints[i];
    for (int axis = 0; axis < 3; ++axis)
      put_float(bytes, static_cast<float>(joint.point_in_world_m[axis] * kMm));
    put_float(bytes, fourth_word(joint));
  }
}

}  // namespace

Result<std::string> c3d_bytes(const RecordedSkeletons& recording, const SkeletonTrack& person) {
  if (recording.end_frame > INT32_MAX)
    return fail(ErrorKind::invalid_argument, "C3D cannot count so many frames",
                std::to_string(recording.end_frame), "Analyse a part of the recording, or write CSV.");
  // The length of the parameters does not depend on where the data begins.
  const size_t data_block = 2 + parameters_of(recording, person, 0).section().size() / kBlock;
  std::string bytes =
      header_of(recording, person, data_block) + parameters_of(recording, person, data_block).section();
  auto next = person.frames.begin();
  for (int64_t frame = recording.first_frame; frame < recording.end_frame; ++frame) {
    const bool here = next != person.frames.end() && next->frame == frame;
    put_frame(here ? &next->skeleton : nullptr, person.layout->joints.size(), &bytes);
    if (here) ++next;
  }
  fill_block(&bytes);
  return bytes;
}

}  // namespace vantage
