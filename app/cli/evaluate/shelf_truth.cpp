#include "app/cli/evaluate/shelf_truth.h"

#include <cmath>
#include <limits>
#include <optional>
#include <sstream>

#include "core/base/file.h"

namespace vantage::cli {
namespace {

using Joint = std::optional<Eigen::Vector3d>;
using Joints = std::array<Joint, kShelfJoints>;

constexpr double kAlpha = 0.5;
constexpr std::array<std::string_view, 12> kNames = {
    "right_ankle", "right_knee",  "right_hip",      "left_hip",      "left_knee",  "left_ankle",
    "right_wrist", "right_elbow", "right_shoulder", "left_shoulder", "left_elbow", "left_wrist"};
constexpr std::array<std::array<size_t, 2>, 9> kParts = {
    {{0, 1}, {1, 2}, {3, 4}, {4, 5}, {6, 7}, {7, 8}, {9, 10}, {10, 11}, {12, 13}}};

Joint middle(const Joint& a, const Joint& b) {
  if (!a || !b) return a ? a : b;
  return (*a + *b) / 2;
}

Joints joints_of(const PersonSkeleton& skeleton) {
  const auto joint = [&](std::string_view name) -> Joint {
    const int index = skeleton.layout->joint(name);
    const auto& known = index < 0 ? std::nullopt : skeleton.joints[static_cast<size_t>(index)];
    return known ? Joint(known->point_in_world_m) : std::nullopt;
  };
  Joints joints;
  for (size_t i = 0; i < kNames.size(); ++i) joints[i] = joint(kNames[i]);
  const Joint neck = joint("neck");
  Joint ears = middle(joint("left_ear"), joint("right_ear"));
  if (!ears) ears = joint("nose");
  if (neck && ears) joints[12] = (*neck + *ears) / 2, joints[13] = *neck + 1.5 * (*ears - *neck);
  return joints;
}

double mean_error_m(const ShelfPerson& truth, const Joints& found) {
  double sum = 0;
  int known = 0;
  for (size_t i = 0; i < kShelfJoints; ++i)
    if (found[i]) sum += (*found[i] - truth.joints_m[i]).norm(), ++known;
  return known > 0 ? sum / known : std::numeric_limits<double>::infinity();
}

bool found_part(const std::array<Eigen::Vector3d, 2>& truth, const Joint& from, const Joint& to) {
  if (!from || !to) return false;
  const double off_m = ((*from - truth[0]).norm() + (*to - truth[1]).norm()) / 2;
  return off_m <= kAlpha * (truth[0] - truth[1]).norm();
}

int parts_found(const ShelfPerson& truth, const Joints& found) {
  const auto& t = truth.joints_m;
  int count = 0;
  for (const auto& [from, to] : kParts) count += found_part({t[from], t[to]}, found[from], found[to]);
  const Joint hips = found[2] && found[3] ? middle(found[2], found[3]) : std::nullopt;
  return count + found_part({(t[2] + t[3]) / 2, t[12]}, hips, found[12]);
}

}  // namespace

// Per frame the number of people, then of each its id and 4 rows of 15 joints: x, y, z, valid.
Result<std::vector<ShelfPerson>> read_shelf_truth(const std::filesystem::path& path) {
  VANTAGE_ASSIGN(const std::string text, read_file(path));
  std::istringstream numbers(text);
  constexpr size_t kStored = 15;
  size_t joints = 0;
  int64_t frames = 0;
  numbers >> joints >> frames;
  std::vector<ShelfPerson> truth;
  for (int64_t frame = 0; numbers && frame < frames; ++frame) {
    int people = 0;
    numbers >> people;
    for (int i = 0; numbers && i < people; ++i) {
      ShelfPerson person;
      person.frame = frame;
      numbers >> person.id;
      double values[4][kStored] = {};
      for (auto& line : values)
        for (double& value : line) numbers >> value;
      bool complete = true;
      for (size_t k = 0; k < kShelfJoints; ++k) {
        person.joints_m[k] = {values[0][k], values[1][k], values[2][k]};
        complete = complete && values[3][k] > 0;
      }
      if (complete) truth.push_back(person);
    }
  }
  if (joints != kStored || !numbers)
    return fail(ErrorKind::bad_data, "no ground truth of 15 joints for each frame", path.string());
  return truth;
}

std::map<int64_t, double> shelf_parts_found(const std::vector<ShelfPerson>& truth,
                                            const RecordedSkeletons& found) {
  std::map<int64_t, std::vector<Joints>> by_frame;
  for (const SkeletonTrack& person : found.people)
    for (const SkeletonFrame& frame : person.frames)
      by_frame[frame.frame].push_back(joints_of(frame.skeleton));
  std::map<int64_t, double> parts, people;
  for (const ShelfPerson& person : truth) {
    const Joints* nearest = nullptr;
    double nearest_m = std::numeric_limits<double>::infinity();
    for (const Joints& joints : by_frame[person.frame])
      if (const double off_m = mean_error_m(person, joints); off_m < nearest_m)
        nearest = &joints, nearest_m = off_m;
    parts[person.id] += nearest ? parts_found(person, *nearest) : 0;
    ++people[person.id];
  }
  for (auto& [id, share] : parts) share /= people[id] * (kParts.size() + 1);
  return parts;
}

}  // namespace vantage::cli
