// Real detections: five cameras, two to four people, OpenPose joints that nobody has sorted by person.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <fstream>
#include <map>

#include "core/calibration/formats/calibration.h"
#include "core/metrics/tracking_metrics.h"
#include "core/people/triangulation/triangulation.h"
#include "core/tracking/paths/path_tracker.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

constexpr int kFrames = 301, kJoints = 25, kLimbs = 26, kCameras = 5;
constexpr double kWidth = 1032 - 1, kHeight = 776 - 1;

struct Joint {
  double x_px, y_px, score;
};
using FrameJoints = std::vector<std::vector<Joint>>;  // by kind of joint

// The file of one camera: per frame the candidates of each joint, then limb matrices, which nobody needs
// here.
std::vector<FrameJoints> read_joints(const std::filesystem::path& path) {
  // Which joints a limb joins, in the file's order, tells how large its matrix is.
  constexpr int kLimbEnds[kLimbs][2] = {{1, 8},   {9, 10},  {10, 11}, {8, 9},   {8, 12},  {12, 13}, {13, 14},
                                        {1, 2},   {2, 3},   {3, 4},   {2, 17},  {1, 5},   {5, 6},   {6, 7},
                                        {5, 18},  {1, 0},   {0, 15},  {0, 16},  {15, 17}, {16, 18}, {14, 19},
                                        {19, 20}, {14, 21}, {11, 22}, {22, 23}, {11, 24}};
  std::ifstream file(path);
  int type = 0, frames = 0;
  file >> type >> frames;
  std::vector<FrameJoints> all(static_cast<size_t>(frames), FrameJoints(kJoints));
  for (FrameJoints& joints : all) {
    for (std::vector<Joint>& candidates : joints) {
      size_t count = 0;
      file >> count;
      candidates.resize(count);
      for (Joint& joint : candidates) file >> joint.x_px, joint.x_px *= kWidth;
      for (Joint& joint : candidates) file >> joint.y_px, joint.y_px *= kHeight;
      for (Joint& joint : candidates) file >> joint.score;
    }
    double ignored = 0;
    for (const auto& ends : kLimbEnds)
      for (size_t i = 0; i < joints[ends[0]].size() * joints[ends[1]].size(); ++i) file >> ignored;
  }
  EXPECT_TRUE(file) << path;
  return all;
}

// Nose, eyes and ears that lie within a head's size make one head: the mean of them.
void add_heads(const FrameJoints& joints, int camera, std::vector<PointInView>* heads) {
  struct Head {
    double x = 0, y = 0, weight = 0;
    int parts = 0;
  };
  std::vector<Head> found;
  for (const int part : {0, 15, 16, 17, 18})
    for (const Joint& joint : joints[part]) {
      Head* nearest = nullptr;
      double distance = 35;
      for (Head& head : found) {
        const double d = std::hypot(head.x / head.weight - joint.x_px, head.y / head.weight - joint.y_px);
        if (d < distance) distance = d, nearest = &head;
      }
      if (!nearest) nearest = &found.emplace_back();
      nearest->x += joint.score * joint.x_px, nearest->y += joint.score * joint.y_px;
      nearest->weight += joint.score, ++nearest->parts;
    }
  for (const Head& head : found)
    heads->push_back(
        {camera, head.x / head.weight, head.y / head.weight, std::min(1.0, head.weight / head.parts)});
}

struct TrueHead {
  int64_t id;
  Eigen::Vector3d center_m;
};

// The middle between head bottom and head top.
std::vector<std::vector<TrueHead>> read_truth(const std::filesystem::path& path) {
  std::ifstream file(path);
  int joints = 0, frames = 0;
  file >> joints >> frames;
  std::vector<std::vector<TrueHead>> all(static_cast<size_t>(frames));
  for (std::vector<TrueHead>& heads : all) {
    int people = 0;
    file >> people;
    for (int i = 0; i < people; ++i) {
      int64_t id = 0;
      Eigen::Matrix<double, 4, 15> values;
      file >> id;
      for (int row = 0; row < 4; ++row)
        for (int column = 0; column < 15; ++column) file >> values(row, column);
      if (values(3, 12) > 0 && values(3, 13) > 0)
        heads.push_back({id, (values.col(12) + values.col(13)).head<3>() / 2});
    }
  }
  EXPECT_TRUE(file) << path;
  return all;
}

TrackRow row_of(int64_t frame, int64_t id, double x_m, double y_m) {
  TrackRow row;
  row.frame = frame, row.id = id, row.x_m = x_m, row.y_m = y_m;
  return row;
}

// The annotation leaves people out: a place where nobody is annotated cannot be judged.
bool is_judged(const PathPoint& point, const std::vector<TrueHead>& truth) {
  return std::any_of(truth.begin(), truth.end(), [&](const TrueHead& head) {
    return std::hypot(head.center_m.x() - point.x_m, head.center_m.y() - point.y_m) <= 0.5;
  });
}

TEST(Shelf, HeadsAreTriangulatedAndKeepTheirIdentities) {
  VANTAGE_NEED_DATA(folder, "shelf-detections");
  const auto calibration = read_calibration(folder / "calibration.json", {});
  ASSERT_TRUE(calibration) << calibration.error().message();
  ASSERT_EQ(calibration->cameras.size(), size_t{kCameras});
  std::vector<std::vector<FrameJoints>> joints;
  for (const Camera& camera : calibration->cameras)
    joints.push_back(read_joints(folder / "detection" / (camera.name() + ".txt")));
  const auto truth = read_truth(folder / "gt.txt");
  TriangulationParameters parameters;
  std::vector<SeenFrame> seen;
  int annotated = 0, found = 0;
  std::vector<TrackRow> true_rows;
  for (int frame = 0; frame < kFrames; ++frame) {
    std::vector<PointInView> points;
    for (int camera = 0; camera < kCameras; ++camera) add_heads(joints[camera][frame], camera, &points);
    const auto heads = triangulate(calibration->cameras, points, parameters);
    seen.push_back({frame, {}, {}});
    for (const TriangulatedPoint& head : heads)
      seen.back().people.push_back({0, head.point_in_world_m.x(), head.point_in_world_m.y(),
                                    head.point_in_world_m.z(), std::min(0.95, head.value / 3)});
    for (const TrueHead& head : truth[frame]) {
      ++annotated;
      found += std::any_of(heads.begin(), heads.end(), [&](const TriangulatedPoint& h) {
        return (h.point_in_world_m - head.center_m).norm() <= 0.15;
      });
      true_rows.push_back(row_of(frame + 1, head.id, head.center_m.x(), head.center_m.y()));
    }
  }
  const auto paths = follow_paths(seen, 25, {});
  ASSERT_TRUE(paths) << paths.error().message();
  std::vector<TrackRow> rows;
  for (const PersonPath& path : *paths)
    for (const PathPoint& point : path.points)
      if (is_judged(point, truth[point.frame]))
        rows.push_back(row_of(point.frame + 1, path.id, point.x_m, point.y_m));
  const auto metrics = evaluate_tracks(true_rows, rows, {TrackSpace::world, 0.3});
  ASSERT_TRUE(metrics) << metrics.error().message();
  const double recall = static_cast<double>(found) / annotated;
  RecordProperty("heads_within_15_cm", std::to_string(recall));
  fmt::print(
      "{} of {} annotated heads within 15 cm ({:.3f}); {} paths; IDF1 {:.3f} IDR {:.3f} IDP {:.3f}, "
      "switches {}\n",
      found, annotated, recall, paths->size(), metrics->identity.idf1, metrics->identity.recall,
      metrics->identity.precision, metrics->clear.switches);
  EXPECT_GE(recall, 0.9);
  EXPECT_GE(metrics->identity.idf1, 0.9);
}

}  // namespace
}  // namespace vantage
