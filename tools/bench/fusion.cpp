#include "tools/bench/fusion.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "core/fusion/fusion.h"
#include "core/synth/camera_ring.h"

namespace vantage::cli {
namespace {

constexpr int kSets = 8;  // different ones, to average over
constexpr double kRadius_m = 0.24;
constexpr double kHidden = 0.6;   // boxes covered more by nearer people are not detected
constexpr double kMissed = 0.1;   // share of visible people
constexpr double kFalse = 0.2;    // boxes without a person, per camera and set
constexpr double kNoise = 0.02;   // noise of a box's edges, as a share of its height
constexpr double kApart_m = 0.6;  // minimum distance of people

struct Crowd {
  int people = 20, cameras = 4;
  double side_m = 10;
};

struct Standing {
  double x_m, y_m, height_m;
};

struct Box {
  double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9, distance_m = 0;
  double area() const { return std::max(0.0, right - left) * std::max(0.0, bottom - top); }
};

std::vector<Standing> standing(const Crowd& crowd, std::mt19937* random) {
  std::uniform_real_distribution<double> place_m(-crowd.side_m / 2 + 0.5, crowd.side_m / 2 - 0.5),
      height_m(1.5, 1.95);
  std::vector<Standing> people;
  while (static_cast<int>(people.size()) < crowd.people) {
    const Standing one{place_m(*random), place_m(*random), height_m(*random)};
    if (std::none_of(people.begin(), people.end(), [&](const Standing& other) {
          return std::hypot(one.x_m - other.x_m, one.y_m - other.y_m) < kApart_m;
        }))
      people.push_back(one);
  }
  return people;
}

// The visible part of a cylinder's outline.
Box box_of(const Camera& camera, const Standing& person) {
  Box box;
  for (const double z_m : {0.0, person.height_m})
    for (int i = 0; i < 12; ++i) {
      const double angle = 2 * std::numbers::pi * i / 12;
      const auto pixel = camera.project(
          {person.x_m + kRadius_m * std::cos(angle), person.y_m + kRadius_m * std::sin(angle), z_m});
      if (!pixel) return {};
      box.left = std::min(box.left, pixel->x()), box.right = std::max(box.right, pixel->x());
      box.top = std::min(box.top, pixel->y()), box.bottom = std::max(box.bottom, pixel->y());
    }
  box.left = std::max(box.left, 0.0), box.top = std::max(box.top, 0.0);
  box.right = std::min(box.right, camera.width_px() - 1.0);
  box.bottom = std::min(box.bottom, camera.height_px() - 1.0);
  box.distance_m = (camera.center_in_world_m() - Eigen::Vector3d(person.x_m, person.y_m, 1)).norm();
  return box;
}

// Share covered by the nearer box that covers most.
double covered(const Box& box, const std::vector<Box>& all) {
  double most = 0;
  for (const Box& other : all) {
    if (other.distance_m >= box.distance_m) continue;
    const Box common{std::max(box.left, other.left), std::max(box.top, other.top),
                     std::min(box.right, other.right), std::min(box.bottom, other.bottom)};
    most = std::max(most, common.area() / box.area());
  }
  return most;
}

CameraDetections detected(const Camera& camera, const std::vector<Standing>& people, std::mt19937* random) {
  std::vector<Box> boxes;
  for (const Standing& person : people)
    if (const Box box = box_of(camera, person); box.area() > 0) boxes.push_back(box);
  std::uniform_real_distribution<double> share(0, 1);
  std::normal_distribution<double> normal;
  CameraDetections found{true, {}};
  const auto add = [&](const Box& box) {
    const double noise_px = kNoise * (box.bottom - box.top);
    const auto edge = [&](double at) { return static_cast<float>(at + noise_px * normal(*random)); };
    const float left = edge(box.left), top = edge(box.top), right = edge(box.right),
                bottom = edge(box.bottom);
    found.people.push_back(
        {left, top, right - left, bottom - top, static_cast<float>(0.45 + 0.5 * share(*random)), {}});
  };
  for (const Box& box : boxes)
    if (share(*random) > kMissed && covered(box, boxes) < kHidden) add(box);
  if (share(*random) < kFalse && !boxes.empty()) {
    Box wrong = boxes.front();
    wrong.left += 150, wrong.right += 150;
    add(wrong);
  }
  return found;
}

std::vector<Camera> cameras_around(const Crowd& crowd) {
  SynthOptions options;
  options.cameras = crowd.cameras, options.area_m = crowd.side_m;
  return value_or_fail(synth::make_camera_ring(options));
}

BenchRow fusion_row(const Crowd& crowd) {
  const std::vector<Camera> cameras = cameras_around(crowd);
  std::mt19937 random(kBenchSeed);
  std::vector<std::vector<CameraDetections>> sets;
  for (int i = 0; i < kSets; ++i) {
    const std::vector<Standing> people = standing(crowd, &random);
    auto& set = sets.emplace_back();
    for (const Camera& camera : cameras) set.push_back(detected(camera, people, &random));
  }
  std::vector<PinholeCamera<double>> models;
  for (const Camera& camera : cameras) models.push_back(camera.model());
  const double half_m = crowd.side_m / 2;
  PeopleFusion fusion({-half_m, -half_m, half_m, half_m}, std::move(models));
  size_t found = 0, calls = 0;
  const auto all_sets = [&](bool) {
    found = 0, ++calls;
    for (const auto& set : sets) found += fusion.find({.cameras = set}).size();
  };
  all_sets(true);
  calls = 0;
  const std::clock_t start = std::clock();
  CallTimes times = time_calls(all_sets);
  // CPU time of all threads, which also holds while other programs use the processors.
  const double used_us = 1e6 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  for (double* us : {&times.median_us, &times.min_us, &times.max_us}) *us /= kSets;
  return {"fusion",
          fmt::format("{} people ({:.1f} found), {} cameras, {:g} x {:g} m", crowd.people,
                      static_cast<double>(found) / kSets, crowd.cameras, crowd.side_m, crowd.side_m),
          times,
          0,
          "",
          0,
          {{"processor time of all threads", used_us / static_cast<double>(calls) / kSets}}};
}

}  // namespace

void bench_fusion(BenchDevice&, BenchReport& report) {
  for (const int people : {5, 10, 20, 40}) report.add(fusion_row({people, 4, 10}));
  for (const int cameras : {2, 8, 16}) report.add(fusion_row({20, cameras, 10}));
  for (const double side_m : {20.0, 40.0}) report.add(fusion_row({20, 4, side_m}));
}

}  // namespace vantage::cli
