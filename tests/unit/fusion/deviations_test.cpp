// Stated deviations of positions and heights compared with the ground truth: shares of it within them.
#include "core/fusion/deviations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>

#include "core/tracking/paths/path_tracker.h"
#include "core/tracking/paths/smoothing.h"
#include "tests/support/cmc.h"
#include "tests/support/data.h"
#include "tests/support/walked_footage.h"

namespace vantage {
namespace {

struct Seen {
  std::vector<PinholeCamera<double>> cameras;
  std::vector<std::vector<CameraDetections>> frames;
  std::vector<std::vector<test::WalkedPerson>> truth;  // by frame
  double frame_rate = 0;
  FloorRectangle floor;
};

// Sightings within 68 and 95 % of what is stated.
struct Shares {
  int count = 0, in_68 = 0, in_95 = 0;
  void add(double squares, double limit_68, double limit_95) {
    ++count, in_68 += squares < limit_68, in_95 += squares < limit_95;
  }
  double of_68() const { return in_68 / static_cast<double>(count); }
  double of_95() const { return in_95 / static_cast<double>(count); }
  Shares& operator+=(const Shares& other) {
    count += other.count, in_68 += other.in_68, in_95 += other.in_95;
    return *this;
  }
};
struct Judged {
  Shares on_path, in_frame, heights;
};
std::ostream& operator<<(std::ostream& to, const Judged& judged) {
  for (const auto& [name, shares] :
       {std::pair("on paths", judged.on_path), {"in frames", judged.in_frame}, {"heights", judged.heights}})
    if (shares.count > 0) to << "  " << name << ' ' << shares.of_68() << ' ' << shares.of_95();
  return to << "  of " << judged.on_path.count;
}

// (error / deviation)^2 of a position whose ground truth is itself known to within `annotated_m`.
double squares_of(const PersonDeviation& stated, double dx_m, double dy_m, double annotated_m) {
  const double own = annotated_m * annotated_m;
  const double xx = stated.x_m * stated.x_m + own, yy = stated.y_m * stated.y_m + own,
               xy = stated.correlation * stated.x_m * stated.y_m;
  return (yy * dx_m * dx_m - 2 * xy * dx_m * dy_m + xx * dy_m * dy_m) / (xx * yy - xy * xy);
}

std::vector<SightingDeviation> learnt_of(const Seen& seen, std::vector<std::vector<FusedPerson>>* fused,
                                         std::vector<PersonPath>* paths) {
  PeopleFusion fusion(seen.floor, seen.cameras);
  std::vector<SeenFrame> frames;
  for (const auto& detections : seen.frames) {
    fused->push_back(fusion.find({.cameras = detections}));
    SeenFrame& frame = frames.emplace_back();
    frame.frame = std::ssize(frames) - 1;
    for (const FusedPerson& one : fused->back())
      frame.people.push_back({0, one.x_m, one.y_m, one.height_m, one.confidence});
  }
  PathParameters parameters;
  parameters.method = PathMethod::motion;
  *paths = follow_paths(frames, seen.frame_rate, parameters).value();
  DeviationLearner learner;
  for (const PersonPath& path : *paths)
    for (const PathPoint& point : path.points)
      if (point.person >= 0)
        learner.add(path.id, point.frame, (*fused)[point.frame][point.person], {point.x_m, point.y_m},
                    seen.frames[point.frame], seen.cameras);
  const int64_t step = error_step(learner.usual_gap(), seen.frame_rate);
  if (step == 0) return {};
  const PathSmoothing smoothing = path_smoothing(static_cast<double>(step) / seen.frame_rate, parameters);
  return learner.learn({step, smoothing.weights, smoothing.removed_m2});
}

Judged judged(const Seen& seen, double annotated_m) {
  std::vector<std::vector<FusedPerson>> fused;
  std::vector<PersonPath> paths;
  Judged judged;
  for (const SightingDeviation& one : learnt_of(seen, &fused, &paths)) {
    const PathPoint point = *paths[one.path - 1].points.find(one.frame);
    const FusedPerson& person = fused[one.frame][point.person];
    const auto& truth = seen.truth[one.frame];
    const auto nearest = std::ranges::min_element(truth, {}, [&](const test::WalkedPerson& its) {
      return std::hypot(its.x_m - person.x_m, its.y_m - person.y_m);
    });
    if (nearest == truth.end() || std::hypot(nearest->x_m - person.x_m, nearest->y_m - person.y_m) > 0.5)
      continue;
    constexpr double k68 = 2.279, k95 = 5.991;  // of chi-squared with two degrees of freedom
    judged.on_path.add(
        squares_of(one.on_path, point.x_m - nearest->x_m, point.y_m - nearest->y_m, annotated_m), k68, k95);
    judged.in_frame.add(
        squares_of(one.in_frame, person.x_m - nearest->x_m, person.y_m - nearest->y_m, annotated_m), k68,
        k95);
    if (nearest->height_m > 0)
      judged.heights.add(std::pow((person.height_m - nearest->height_m) / one.on_path.height_m, 2), 0.989,
                         3.841);
  }
  return judged;
}

// `turned_deg`: standard deviation of a wrong turn of each camera about each axis.
Seen room(uint32_t seed, int every, double seconds, double turned_deg = 0) {
  const test::WalkedFootage footage =
      test::walked_footage({.seed = seed, .seconds = seconds, .together = true});
  Seen seen{.frame_rate = 12.5 / every, .floor = {-6, -6, 6, 6}};
  std::mt19937 random(seed);
  std::normal_distribution<double> turn(0, turned_deg > 0 ? turned_deg * M_PI / 180 : 1);
  for (const Camera& camera : footage.truth) {
    PinholeCamera<double>& model = seen.cameras.emplace_back(camera.model());
    if (turned_deg <= 0) continue;
    Eigen::Matrix3d rotation = camera.rotation_cam_from_world();
    for (int axis = 0; axis < 3; ++axis)
      rotation = Eigen::AngleAxisd(turn(random), Eigen::Vector3d::Unit(axis)) * rotation;
    const Eigen::Vector3d translation = -rotation * camera.center_in_world_m();
    for (int i = 0; i < 9; ++i) model.rotation_cam_from_world[i] = rotation(i / 3, i % 3);
    for (int i = 0; i < 3; ++i) model.translation_cam_from_world_m[i] = translation[i];
  }
  for (size_t f = 0; f < footage.walks.size(); f += every) {
    auto& frame = seen.frames.emplace_back();
    for (const FootageCamera& camera : footage.input.cameras) frame.push_back(camera.frames[f]);
    seen.truth.push_back(footage.walks[f]);
  }
  return seen;
}

Judged operator+(Judged a, const Judged& b) {
  a.on_path += b.on_path, a.in_frame += b.in_frame, a.heights += b.heights;
  return a;
}

void expect_true(const Shares& shares, double off_68, double off_95) {
  EXPECT_NEAR(shares.of_68(), 0.68, off_68);
  EXPECT_NEAR(shares.of_95(), 0.95, off_95);
}

TEST(Deviations, HoldAsManyPositionsAndHeightsAsTheyState) {
  Judged all;
  for (const uint32_t seed : {4, 9, 14, 19}) {
    const Judged one = judged(room(seed, 3, 20), 0);
    std::cout << "room " << seed << one << '\n';
    all = all + one;
  }
  ASSERT_GT(all.on_path.count, 1000);
  expect_true(all.on_path, 0.06, 0.03);
  expect_true(all.in_frame, 0.06, 0.03);
  expect_true(all.heights, 0.12, 0.04);
}

// Nothing shows how far one camera errs.
TEST(Deviations, AreNotStatedOfOneCamera) {
  Seen seen = room(5, 3, 20);
  seen.cameras.resize(1);
  for (auto& frame : seen.frames) frame.resize(1);
  std::vector<std::vector<FusedPerson>> fused;
  std::vector<PersonPath> paths;
  EXPECT_TRUE(learnt_of(seen, &fused, &paths).empty());
  EXPECT_FALSE(paths.empty());
}

// The figures of resources/docs/performance/fusion.md: VANTAGE_DEVIATION_ROOMS=2001:2031, seeds;
// VANTAGE_DEVIATION_EVERY-th frames alone (3), cameras turned by VANTAGE_DEVIATION_TURN degrees (0).
TEST(Deviations, ManyRooms) {
  const char* const seeds = std::getenv("VANTAGE_DEVIATION_ROOMS");
  unsigned begin = 0, end = 0;
  if (!seeds || std::sscanf(seeds, "%u:%u", &begin, &end) != 2)
    GTEST_SKIP() << "set VANTAGE_DEVIATION_ROOMS=A:B";
  const char *const every = std::getenv("VANTAGE_DEVIATION_EVERY"), *const turned =
                                                                        std::getenv("VANTAGE_DEVIATION_TURN");
  Judged all;
  for (uint32_t seed = begin; seed < end; ++seed) {
    const Judged one =
        judged(room(seed, every ? std::max(1, std::atoi(every)) : 3, 30, turned ? std::atof(turned) : 0), 0);
    std::cout << "room " << seed << one << std::endl;
    all = all + one;
  }
  std::cout << "all " << all << std::endl;
  EXPECT_GT(all.on_path.count, 0);
}

// Annotations jitter, along and across the walk alike, by what the people's own jitter does not explain.
TEST(Deviations, OfRealPeople) {
  VANTAGE_NEED_DATA(folder, "cmc-detections");
  for (const auto& [name, annotated_m] : {std::pair("CMC1", 0.030), {"CMC2", 0.035}}) {
    const test::CmcRecording recording = test::read_cmc(folder, name);
    Seen seen{.cameras = recording.cameras, .frame_rate = test::kCmcFrameRate, .floor = {0, 0, 7.67, 3.41}};
    for (const auto& [number, detections] : recording.frames) {
      seen.frames.push_back(detections);
      auto& people = seen.truth.emplace_back();
      for (const TrackRow& row : recording.truth)
        if (row.frame == number && row.x_m >= test::kCmcBegin_m && row.x_m <= test::kCmcEnd_m)
          people.push_back({row.x_m, row.y_m, 0});
    }
    const Judged exact = judged(seen, 0), by_annotation = judged(seen, annotated_m);
    std::cout << name << exact << "; with the annotations' jitter" << by_annotation << '\n';
    EXPECT_GT(by_annotation.on_path.count, 600);
    EXPECT_GT(by_annotation.on_path.of_68(), 0.5);
    EXPECT_GT(by_annotation.on_path.of_95(), 0.85);
  }
}

}  // namespace
}  // namespace vantage
