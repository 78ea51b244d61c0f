#include "tools/recordings/real_recordings.h"

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <vector>

#include "core/base/file.h"
#include "core/results/results_skeletons.h"
#include "tools/recordings/evaluate_recordings.h"

namespace vantage::cli {
namespace {

// The ground truth of `shelf-detections`: 14 joints of people, and the share of parts found.

// Ankle, knee, hip of the right, hip, knee, ankle of the left side, wrist, elbow, shoulder of the right,
// shoulder, elbow, wrist of the left, lower and upper end of the head.
inline constexpr size_t kShelfJoints = 14, kShelfNeck = 12;

struct ShelfPerson {
  int64_t frame = 0, id = 0;  // both from 0
  std::array<Eigen::Vector3d, kShelfJoints> joints_m;
};

// Errors: not_found, io; bad_data where it is something else.
Result<std::vector<ShelfPerson>> read_shelf_truth(const std::filesystem::path& path);

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
    const auto& known = index < 0 ? std::nullopt : skeleton.joints[index];
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

// The percentage of correct parts by person, as usual for this footage (V. Belagiannis et al., "3D Pictorial
// Structures for Multiple Human Pose Estimation", CVPR 2014): a part is found if the mean error of its two
// ends is at most half its length. Ten parts: two each of arms and legs, trunk and head. A person is compared
// with the nearest person of that frame, joint by joint; unknown joints are not found.
// The head, whose ends detectors do not have, extends from halfway between neck and ears to the same distance
// above the ears (their middle; without them, the nose).
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

namespace fs = std::filesystem;

// ---- cmc-detections

bool in_cmc_region(const TrackRow& row) {
  return row.x_m >= 2.03 && row.x_m <= 6.3;
}

Result<Figures> judge_cmc(const fs::path& data, const fs::path& tracks, const std::string& name,
                          const std::array<double, 3>& asked) {
  VANTAGE_ASSIGN(const Rows truth, read_rows(data / (name + "_gt.txt")));
  VANTAGE_ASSIGN(const Rows rows, read_rows(tracks));
  VANTAGE_ASSIGN(const TrackingMetrics metrics, evaluated(truth, rows, in_cmc_region));
  return Figures{at_least("MODA", metrics.clear.moda, asked[0]),
                 at_least("IDF1", metrics.identity.idf1, asked[1]),
                 at_most("error on the floor", metrics.places.floor_error_m, asked[2], "m"),
                 {"switches", static_cast<double>(metrics.clear.switches), "count", std::nullopt, true}};
}

RealRecording cmc(const std::string& name, const std::string& people, const std::array<double, 3>& asked,
                  double window_s) {
  RealRecording recording;
  recording.folder = "cmc-detections", recording.name = people + ", boxes alone";
  recording.file = name;
  if (window_s > 0) {
    const int whole = static_cast<int>(window_s);
    recording.name += ", online in windows of " + std::to_string(whole) + " s";
    recording.file += "_windows";
    recording.settings = {"paths.window_s=" + std::to_string(whole),
                          "paths.overlap_s=" + std::to_string(whole / 2)};
  }
  recording.project = [name](const fs::path& data) {
    return from_detections(numbered(data, name + "_Cam_", 1, 4, "_det.txt"), 4, data / "calibration.json");
  };
  recording.judge = [name, asked](const fs::path& data, const fs::path& results) {
    return judge_cmc(data, results / "tracks.csv", name, asked);
  };
  return recording;
}

RealRecording cmc_subsets(const std::string& name, const std::string& people, size_t cameras) {
  RealRecording recording = cmc(name, people, {}, 0);
  recording.cameras = cameras;
  recording.judge = [name, cameras](const fs::path& data, const fs::path& results) -> Result<Figures> {
    VANTAGE_ASSIGN(const Rows truth, read_rows(data / (name + "_gt.txt")));
    VANTAGE_ASSIGN(const Rows rows, read_rows(results / "tracks.csv"));
    VANTAGE_ASSIGN(const TrackingMetrics metrics, evaluated(truth, rows, in_cmc_region));
    return subset_figures(cameras, metrics.clear.recall, metrics.places.floor_error_m);
  };
  return recording;
}

// ---- shelf-detections

Rows necks_of(const std::vector<ShelfPerson>& truth) {
  Rows rows;
  for (const ShelfPerson& person : truth) {
    TrackRow& row = rows.emplace_back();
    row.frame = person.frame + 1, row.id = person.id;
    row.x_m = person.joints_m[kShelfNeck].x(), row.y_m = person.joints_m[kShelfNeck].y();
  }
  return rows;
}

RealRecording shelf() {
  RealRecording recording;
  recording.folder = "shelf-detections", recording.name = "four people, joints alone";
  recording.file = "shelf";
  recording.project = [](const fs::path& data) {
    return from_detections(numbered(data / "detection", "", 0, 5, ".txt"), 25, data / "calibration.json");
  };
  recording.judge = [](const fs::path& data, const fs::path& results) -> Result<Figures> {
    VANTAGE_ASSIGN(const std::vector<ShelfPerson> truth, read_shelf_truth(data / "gt.txt"));
    VANTAGE_ASSIGN(const Rows rows, read_rows(results / "tracks.csv"));
    VANTAGE_ASSIGN(const TrackingMetrics metrics,
                   evaluated(necks_of(truth), rows, [](const TrackRow&) { return false; }));
    VANTAGE_ASSIGN(const RecordedSkeletons skeletons, read_skeletons(results, {}));
    Figures figures{at_least("recall of necks", metrics.clear.recall, 0.97),
                    at_least("identity recall", metrics.identity.recall, 0.97)};
    // The fourth is in few frames, and published figures exclude him.
    constexpr int64_t kActors = 3;
    std::map<int64_t, double> parts = shelf_parts_found(truth, skeletons);
    double sum = 0;
    for (int64_t id = 0; id < kActors; sum += parts[id++])
      figures.push_back({"PCP of actor " + std::to_string(id + 1), parts[id], {}, std::nullopt, false});
    figures.push_back({"mean PCP of the three", sum / kActors, {}, std::nullopt, false});
    return figures;
  };
  return recording;
}

}  // namespace

std::vector<RealRecording> real_recordings() {
  std::vector<RealRecording> all = {cmc("CMC1", "three people", {0.995, 0.995, 0.07}, 0),
                                    cmc("CMC2", "ten people", {0.98, 0.97, 0.12}, 0),
                                    cmc("CMC2", "ten people", {0.98, 0.85, 0.12}, 4),
                                    cmc_subsets("CMC1", "three people", 2),
                                    cmc_subsets("CMC2", "ten people", 2),
                                    cmc_subsets("CMC1", "three people", 1),
                                    cmc_subsets("CMC2", "ten people", 1),
                                    shelf()};
  for (const std::vector<RealRecording>& more : {recordings_with_detector(), recordings_by_masks()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace vantage::cli
