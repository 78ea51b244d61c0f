#include "core/synth/detail/scenery.h"

#include <cmath>
#include <numbers>

#include "core/synth/random.h"

namespace vantage::synth {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kTurn = 2 * std::numbers::pi;
constexpr int kLeaves = 220;
constexpr double kBushHeight_m = 1.5, kBushRadius_m = 0.55;

Matrix3d turned(double angle) {
  return Eigen::AngleAxisd(angle, Vector3d::UnitZ()).toRotationMatrix();
}

Matrix3d tumbled(Random& random) {
  return (Eigen::AngleAxisd(random.uniform(0, kTurn), Vector3d::UnitZ()) *
          Eigen::AngleAxisd(random.uniform(-0.9, 0.9), Vector3d::UnitX()))
      .toRotationMatrix();
}

// Around the area, between the cameras' diagonals, so that a thing stands before a wall and not before a
// lens.
Vector3d beside_area(double area_m, int place, double away_m) {
  const double half = area_m / 2 + away_m;
  const double along = 0.35 * area_m * (place / 4 % 2 == 0 ? 1 : -1) * (place % 2 == 0 ? 0.5 : -0.5);
  switch (place % 4) {
    case 0:
      return {half, along, 0};
    case 1:
      return {along, half, 0};
    case 2:
      return {-half, along, 0};
    default:
      return {along, -half, 0};
  }
}

Material plain_material(const Color& color) {
  return {color, color, Pattern::plain};
}

}  // namespace

Scenery Scenery::make(const SynthOptions& options, double length_s) {
  Scenery scenery;
  Random random(options.seed, 0x7363656e);
  scenery.leaf_materials_ = {plain_material({0.05f, 0.14f, 0.03f}), plain_material({0.10f, 0.24f, 0.06f}),
                             plain_material({0.20f, 0.33f, 0.10f})};
  scenery.screen_materials_ = {plain_material({0.70f, 0.74f, 0.80f}), plain_material({0.06f, 0.10f, 0.30f}),
                               plain_material({0.45f, 0.10f, 0.08f}), plain_material({0.03f, 0.03f, 0.04f})};
  for (int i = 0; i < options.bushes; ++i) {
    const Vector3d foot_m = beside_area(options.area_m, i, 0.9);
    std::vector<Leaf>& leaves = scenery.bushes_.emplace_back();
    for (int k = 0; k < kLeaves; ++k) {
      Leaf leaf;
      const double angle = random.uniform(0, kTurn), out_m = kBushRadius_m * std::sqrt(random.uniform());
      const double height_m = random.uniform(0.1, kBushHeight_m);
      leaf.center_in_world_m = foot_m + Vector3d(out_m * std::cos(angle), out_m * std::sin(angle), height_m);
      leaf.axes = tumbled(random);
      leaf.radii_m = {random.uniform(0.03, 0.06), 0.012, random.uniform(0.06, 0.11)};
      // Wind moves what is high.
      const double reach_m = 0.09 * height_m / kBushHeight_m;
      leaf.sway_m = {reach_m * random.uniform(0.5, 1), reach_m * random.uniform(-0.6, 0.6),
                     reach_m * random.uniform(-0.3, 0.3)};
      leaf.turns_per_s = random.uniform(0.4, 1.4), leaf.phase = random.uniform(0, kTurn);
      leaf.material = random.below(3);
      leaves.push_back(leaf);
    }
  }
  for (int i = 0; i < options.screens; ++i) {
    Screen& screen = scenery.screens_.emplace_back();
    const Vector3d at_m = beside_area(options.area_m, i + 1, 1.6);
    const bool along_x = std::abs(at_m.y()) > std::abs(at_m.x());
    screen.part = {at_m + Vector3d(0, 0, 1.5), turned(along_x ? 0 : kTurn / 4), {0.6, 0.03, 0.4}, nullptr};
    screen.pictures_per_s = random.uniform(0.5, 2);
    screen.salt = random.bits();
  }
  for (int i = 0; i < options.moved_chairs; ++i) {
    Chair& chair = scenery.chairs_.emplace_back();
    chair.before_m = beside_area(options.area_m, i, -0.5);
    chair.after_m = beside_area(options.area_m, i + 2, -0.4);
    chair.turn_before = random.uniform(0, kTurn), chair.turn_after = random.uniform(0, kTurn);
    chair.moved_s = length_s * random.uniform(0.35, 0.65);
    chair.material = plain_material({0.30f, 0.17f, 0.08f});
  }
  return scenery;
}

std::vector<Body> Scenery::pose(double time_s) const {
  std::vector<Body> bodies;
  for (const std::vector<Leaf>& leaves : bushes_) bodies.push_back(pose_bush(leaves, time_s));
  for (const Screen& screen : screens_) bodies.push_back(pose_screen(screen, time_s));
  for (const Chair& chair : chairs_) bodies.push_back(pose_chair(chair, time_s));
  return bodies;
}

Body Scenery::pose_bush(const std::vector<Leaf>& leaves, double time_s) const {
  Body body;
  for (const Leaf& leaf : leaves) {
    const double swing = std::sin(kTurn * leaf.turns_per_s * time_s + leaf.phase);
    body.parts.push_back({leaf.center_in_world_m + swing * leaf.sway_m, leaf.axes, leaf.radii_m,
                          &leaf_materials_[leaf.material]});
  }
  body.head_center_in_world_m = body.parts.front().center_in_world_m;
  return body;
}

Body Scenery::pose_screen(const Screen& screen, double time_s) const {
  Body body;
  body.parts.push_back(screen.part);
  const auto shown = static_cast<int64_t>(std::floor(time_s * screen.pictures_per_s));
  const uint64_t choice = mix(screen.salt ^ mix(static_cast<uint64_t>(shown))) % screen_materials_.size();
  body.parts.back().material = &screen_materials_[choice];
  body.head_center_in_world_m = screen.part.center_in_world_m;
  return body;
}

Body Scenery::pose_chair(const Chair& chair, double time_s) {
  const bool moved = time_s >= chair.moved_s;
  const Vector3d foot_m = moved ? chair.after_m : chair.before_m;
  const Matrix3d axes = turned(moved ? chair.turn_after : chair.turn_before);
  Body body;
  const auto add = [&](const Vector3d& at_m, const Vector3d& radii_m) {
    body.parts.push_back({foot_m + axes * at_m, axes, radii_m, &chair.material});
  };
  add({0, 0, 0.45}, {0.24, 0.24, 0.04});
  add({0, 0.22, 0.70}, {0.22, 0.03, 0.25});
  for (const double x : {-0.18, 0.18})
    for (const double y : {-0.18, 0.18}) add({x, y, 0.22}, {0.03, 0.03, 0.23});
  body.head_center_in_world_m = body.parts.front().center_in_world_m;
  return body;
}

}  // namespace vantage::synth
