// Steering after C. W. Reynolds, "Steering behaviors for autonomous characters" (1999): seek with avoidance;
// distances are then enforced on the positions.
#include "core/synth/detail/walk.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/synth/random.h"

namespace vantage::synth {
namespace {

using Eigen::Vector2d;

constexpr double step_s = 0.02;
constexpr double kept_distance_m = 0.85;  // in the simulation; smoothing takes a little of it
constexpr int smoothing_steps = 8;        // half width of the window: 160 ms

struct Walker {
  Vector2d position = Vector2d::Zero(), velocity = Vector2d::Zero(), goal = Vector2d::Zero();
  double pace = 1;  // metres per second
  double goal_age_s = 0;
};

Vector2d random_point(Random& random, double half) {
  const double x = random.uniform(-half, half);
  return {x, random.uniform(-half, half)};
}

// Starting points well apart: the best of several tries each.
std::vector<Walker> place_walkers(int people, double half, Random& random) {
  std::vector<Walker> walkers;
  for (int i = 0; i < people; ++i) {
    Walker best;
    double best_distance = -1;
    for (int attempt = 0; attempt < 50; ++attempt) {
      const Vector2d point = random_point(random, half);
      double distance = 1e9;
      for (const Walker& other : walkers) distance = std::min(distance, (other.position - point).norm());
      if (distance > best_distance) best_distance = distance, best.position = point;
    }
    best.goal = random_point(random, half);
    best.pace = random.uniform(0.8, 1.3);
    best.velocity = (best.goal - best.position).normalized() * best.pace;
    walkers.push_back(best);
  }
  return walkers;
}

// Slows down and steps to the right of anyone who is ahead, more so the nearer.
Vector2d avoidance(const std::vector<Walker>& walkers, size_t self) {
  Vector2d sum = Vector2d::Zero();
  for (size_t i = 0; i < walkers.size(); ++i) {
    if (i == self) continue;
    // Their positions 0.6 s ahead count, not only the present ones.
    const Vector2d now = walkers[self].position - walkers[i].position;
    const Vector2d soon = now + 0.6 * (walkers[self].velocity - walkers[i].velocity);
    const Vector2d away = soon.norm() < now.norm() ? Vector2d(0.5 * (now + soon)) : now;
    const double distance = std::max(away.norm(), 1e-6);
    if (distance > 2.5) continue;
    const Vector2d outward = away / distance, sideways(-outward.y(), outward.x());
    sum += (outward + 0.6 * sideways) * 2.6 * std::exp((kept_distance_m - distance) / 0.35);
  }
  const double size = sum.norm();
  return size > 6 ? Vector2d(sum * (6 / size)) : sum;
}

void enforce_distances(std::vector<Walker>& walkers, double half) {
  for (int round = 0; round < 20; ++round) {
    bool moved = false;
    for (size_t i = 0; i < walkers.size(); ++i)
      for (size_t k = i + 1; k < walkers.size(); ++k) {
        Vector2d between = walkers[k].position - walkers[i].position;
        const double distance = between.norm();
        if (distance >= kept_distance_m) continue;
        between = distance > 1e-9 ? Vector2d(between / distance) : Vector2d(1, 0);
        const double push = 0.5 * (kept_distance_m - distance) + 1e-6;
        walkers[i].position -= push * between;
        walkers[k].position += push * between;
        moved = true;
      }
    for (Walker& w : walkers) w.position = w.position.cwiseMax(-half).cwiseMin(half);
    if (!moved) return;
  }
}

void advance(std::vector<Walker>& walkers, double half, Random& random) {
  std::vector<Vector2d> forces(walkers.size());
  for (size_t i = 0; i < walkers.size(); ++i) {
    Walker& w = walkers[i];
    w.goal_age_s += step_s;
    if ((w.goal - w.position).norm() < 0.5 || w.goal_age_s > 8) {
      w.goal = random_point(random, half);
      w.goal_age_s = 0;
    }
    const Vector2d wanted = (w.goal - w.position).normalized() * w.pace;
    forces[i] = (wanted - w.velocity) / 0.7 + avoidance(walkers, i);
  }
  for (size_t i = 0; i < walkers.size(); ++i) {
    Walker& w = walkers[i];
    w.velocity += forces[i] * step_s;
    const double speed = w.velocity.norm(), limit = 1.2 * w.pace;
    if (speed > limit) w.velocity *= limit / speed;
    w.position += w.velocity * step_s;
  }
  enforce_distances(walkers, half);
}

double wrap_angle(double angle) {
  return std::remainder(angle, 2 * std::numbers::pi);
}

}  // namespace

WalkPlan WalkPlan::make(int people, double area_m, double seconds, uint64_t seed) {
  WalkPlan plan;
  plan.people_ = people;
  plan.simulate_positions(area_m, static_cast<size_t>(std::ceil(seconds / step_s)) + 2, seed);
  plan.smooth_positions();
  plan.derive_headings();
  return plan;
}

void WalkPlan::simulate_positions(double area_m, size_t count, uint64_t seed) {
  Random random(seed, 0x77616c6b);
  const double half = area_m / 2 - area_margin_m;
  std::vector<Walker> walkers = place_walkers(people_, half, random);
  constexpr int warm_up_steps = 150;  // lets chance starting points become a walk
  for (int i = 0; i < warm_up_steps; ++i) advance(walkers, half, random);
  steps_.resize(count * people_);
  for (size_t i = 0; i < count; ++i) {
    for (int p = 0; p < people_; ++p)
      steps_[i * people_ + p] = {walkers[p].position.x(), walkers[p].position.y(), 0, 0};
    advance(walkers, half, random);
  }
}

void WalkPlan::smooth_positions() {
  const std::vector<WalkState> raw = steps_;
  const auto count = static_cast<int>(steps_.size() / std::max(people_, 1));
  for (int i = 0; i < count; ++i)
    for (int p = 0; p < people_; ++p) {
      const int reach = std::min({smoothing_steps, i, count - 1 - i});
      double x = 0, y = 0, sum = 0;
      for (int k = -reach; k <= reach; ++k) {
        const WalkState& state = raw[static_cast<size_t>(i + k) * people_ + p];
        const double weight = reach + 1 - std::abs(k);
        x += weight * state.x_m, y += weight * state.y_m, sum += weight;
      }
      WalkState& state = steps_[static_cast<size_t>(i) * people_ + p];
      state.x_m = x / sum, state.y_m = y / sum;
    }
}

// The body turns to where it walks, at most 3 radians a second; standing still it keeps its heading.
void WalkPlan::derive_headings() {
  const size_t count = steps_.size() / std::max(people_, 1);
  for (int p = 0; p < people_; ++p) {
    const WalkState &first = step(p, 0), &later = step(p, std::min<size_t>(count - 1, 10));
    double heading = std::atan2(later.y_m - first.y_m, later.x_m - first.x_m), distance = 0;
    for (size_t i = 0; i < count; ++i) {
      WalkState& state = steps_[i * people_ + p];
      if (i > 0) {
        const WalkState& before = step(p, i - 1);
        const double dx = state.x_m - before.x_m, dy = state.y_m - before.y_m, length = std::hypot(dx, dy);
        distance += length;
        const double eagerness = std::min(1.0, length / step_s / 0.4);
        const double turn = wrap_angle(std::atan2(dy, dx) - heading) * 0.12 * eagerness;
        heading = wrap_angle(heading + std::clamp(turn, -3 * step_s, 3 * step_s));
      }
      state.heading_rad = heading;
      state.distance_m = distance;
    }
  }
}

WalkState WalkPlan::at(int person, double time_s) const {
  const size_t last = steps_.size() / people_ - 1;
  const double position = std::clamp(time_s / step_s, 0.0, static_cast<double>(last));
  const size_t index = std::min(static_cast<size_t>(position), last > 0 ? last - 1 : 0);
  const double t = position - static_cast<double>(index);
  const WalkState &a = step(person, index), &b = step(person, std::min(index + 1, last));
  return {a.x_m + t * (b.x_m - a.x_m), a.y_m + t * (b.y_m - a.y_m),
          a.heading_rad + t * wrap_angle(b.heading_rad - a.heading_rad),
          a.distance_m + t * (b.distance_m - a.distance_m)};
}

}  // namespace vantage::synth
