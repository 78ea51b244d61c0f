// A C3D file: blocks of 512 bytes, the first the header, then the parameters by groups, then the points,
// four floats each. Numbers are of Intel's order throughout (processor 84).
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/results/skeleton_files.h"

namespace vantage {
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

// The parameter section's records. Each states where the next one begins; the last states 0.
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

  // With the four bytes before the records, in whole blocks.
  std::string section() const {
    std::string all = {1, kKey, 0, kIntel};
    all += bytes_;
    all.resize(all.size() + 2);  // a name of no letters ends the records, too
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
  size_t offset_at_ = 0;  // of the record in progress; 0: none yet
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

// Cameras of the joint, a bit each, above the residual.
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
  // Where the data begins does not change how long the parameters are.
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
