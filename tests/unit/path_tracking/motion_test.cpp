// The method `motion`: crossing people, heights, and the cheapest of all sets of paths found by trying all.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "core/synth/detail/walk.h"
#include "core/tracking/paths/motion_state.h"
#include "core/tracking/paths/path_tracker.h"

namespace vantage {
namespace {

constexpr double kMotionRate = 4;

PathParameters by_motion() {
  PathParameters parameters;
  parameters.method = PathMethod::motion;
  return parameters;
}

FloorPerson person(double x_m, double y_m, double height_m = 1.7) {
  FloorPerson one;
  one.x_m = x_m, one.y_m = y_m, one.height_m = height_m, one.confidence = 0.95;
  return one;
}

std::vector<PersonPath> follow(const std::vector<SeenFrame>& frames, const PathParameters& parameters) {
  return follow_paths(frames, kMotionRate, parameters).value();
}

// Two who walk towards each other and pass 0.3 m apart, at four looks a second: after the look at which they
// are abreast each is nearer to where the other one was.
std::vector<SeenFrame> passing(uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> jitter(0, 0.06);
  std::vector<SeenFrame> frames;
  for (int64_t frame = 0; frame < 17; ++frame) {
    const double way = 0.3 * static_cast<double>(frame - 8);
    frames.push_back({frame,
                      {person(way + jitter(random), 0.15 + jitter(random)),
                       person(-way + jitter(random), -0.15 + jitter(random))},
                      {}});
  }
  return frames;
}

// Whether the two who began as people 0 and 1 end as them.
bool keeps(const std::vector<PersonPath>& paths, size_t frames) {
  if (paths.size() != 2) return false;
  return std::all_of(paths.begin(), paths.end(), [&](const PersonPath& path) {
    return path.points.size() == frames && path.points.front().person == path.points.back().person;
  });
}

TEST(PathsByMotion, PeopleWhoPassEachOtherKeepTheirWays) {
  int by_links = 0, by_ways = 0;
  for (uint32_t seed = 0; seed < 20; ++seed) {
    const std::vector<SeenFrame> frames = passing(seed);
    by_links += keeps(follow(frames, {}), frames.size());
    by_ways += keeps(follow(frames, by_motion()), frames.size());
  }
  EXPECT_GE(by_ways, 19);
  EXPECT_LT(by_links, by_ways);
}

// Both stand still, nobody finds them for a second, and they come back at places between.
TEST(PathsByMotion, HeightsTellWhoIsWho) {
  std::vector<SeenFrame> frames;
  for (int64_t frame = 0; frame < 16; ++frame) {
    SeenFrame one{frame, {}, {}};
    if (frame < 6) one.people = {person(0, 0, 1.6), person(0.5, 0, 1.85)};
    if (frame >= 10) one.people = {person(0.22, 0.3, 1.85), person(0.28, -0.3, 1.6)};
    frames.push_back(one);
  }
  const std::vector<PersonPath> paths = follow(frames, by_motion());
  ASSERT_EQ(paths.size(), 2U);
  for (const PersonPath& path : paths)
    EXPECT_NEAR(path.points.front().height_m, path.points.back().height_m, 0.01);
}

TEST(PathsByMotion, NobodyIsInTwoPaths) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(0, 3);
  std::vector<SeenFrame> frames;
  for (int64_t frame = 0; frame < 40; ++frame) {
    SeenFrame one{frame, {}, {}};
    for (int i = 0; i < 5; ++i) one.people.push_back(person(place(random), place(random)));
    frames.push_back(one);
  }
  std::set<std::pair<int64_t, int32_t>> taken;
  for (const PersonPath& path : follow(frames, by_motion()))
    for (const PathPoint& point : path.points)
      if (point.seen) {
        EXPECT_TRUE(taken.insert({point.frame, point.person}).second);
      }
  EXPECT_GT(taken.size(), 30U);
}

// Windows know the ways of the windows before.
TEST(PathsByMotion, WindowsKeepWays) {
  PathParameters parameters = by_motion();
  parameters.window_s = 2, parameters.overlap_s = 1;
  int kept = 0;
  for (uint32_t seed = 0; seed < 20; ++seed) {
    const std::vector<SeenFrame> frames = passing(seed);
    kept += keeps(follow(frames, parameters), frames.size());
  }
  EXPECT_GE(kept, 17);
}

// Someone walks, is lost for `lost_s`, and someone is found that far from where the walk would have led.
std::vector<SeenFrame> lost_for(double lost_s, double off_m, double frame_rate) {
  std::vector<SeenFrame> frames;
  for (int64_t frame = 0; frame < static_cast<int64_t>(10 * frame_rate); ++frame) {
    const double time_s = static_cast<double>(frame) / frame_rate;
    SeenFrame& one = frames.emplace_back(SeenFrame{frame, {}, {}});
    if (time_s < 4) one.people = {person(0.8 * time_s, 0)};
    if (time_s >= 4 + lost_s) one.people = {person(0.8 * time_s, off_m)};
  }
  return frames;
}

// People neither keep a velocity for seconds nor gain any they like.
TEST(PathsByMotion, WhereALostPersonCanBeIsKnown) {
  const PathParameters parameters = by_motion();
  for (const double rate : {4.0, 10.0, 25.0, 50.0}) {
    const auto paths = [&](double lost_s, double off_m) {
      return follow_paths(lost_for(lost_s, off_m, rate), rate, parameters).value().size();
    };
    EXPECT_EQ(paths(2.5, 0), 1U) << rate << " frames/s: who walks on is the same person";
    EXPECT_EQ(paths(2, 3.5), 2U) << rate << " frames/s: who is 3.5 m off is another one";
  }
}

// Walks of the assumed law, made in steps of a hundredth of a second and seen four times a second: whatever
// the gap is, positions deviate from the expected ones as far as stated.
TEST(PathsByMotion, StatedVariancesAreTrueOverGaps) {
  constexpr int kTicks_per_s = 100, kWalks = 4000, kSightings = 12;
  constexpr double kVelocityLasts_s = 2;
  const PathParameters p = by_motion();
  std::mt19937 random(17);
  std::normal_distribution<double> normal;
  const double kick = p.acceleration_m_per_s2 * std::sqrt(kIndependent_s / kTicks_per_s);
  for (const double gap_s : {0.2, 0.5, 1.0, 2.0, 5.0}) {
    double squares = 0;
    for (int walk = 0; walk < kWalks; ++walk) {
      double x = 0, y = 0, vx = normal(random), vy = normal(random);
      const auto walk_for = [&](double seconds) {
        for (int tick = 0; tick < std::lround(seconds * kTicks_per_s); ++tick) {
          x += vx / kTicks_per_s, y += vy / kTicks_per_s;
          vx += -vx / kVelocityLasts_s / kTicks_per_s + kick * normal(random);
          vy += -vy / kVelocityLasts_s / kTicks_per_s + kick * normal(random);
        }
      };
      const auto seen = [&] {
        return person(x + p.place_jitter_m * normal(random), y + p.place_jitter_m * normal(random));
      };
      path_detail::MotionState state = path_detail::motion_start(seen(), 0, p);
      for (int i = 1; i < kSightings; ++i) {
        walk_for(1 / kMotionRate);
        path_detail::motion_step(state, seen(), i, kMotionRate, p);
      }
      walk_for(gap_s);
      const path_detail::MotionState expected = expected_after(state, path_detail::lapse_of(gap_s, p));
      const FloorPerson found = seen();
      const double variance = expected.place_variance + p.place_jitter_m * p.place_jitter_m;
      squares += (std::pow(found.x_m - expected.x_m, 2) + std::pow(found.y_m - expected.y_m, 2)) / variance;
    }
    EXPECT_NEAR(squares / (2 * kWalks), 1, 0.06) << gap_s << " s";  // four deviations are 0.045
  }
}

// --- What paths cost, written down again from path_tracker.h.

// What the accelerations of t seconds add to the covariances of position (0) and velocity (1): each change of
// velocity fades with 2 s. Integrated over the times of the changes by Simpson's rule.
double changes(double t, int a, int b, const PathParameters& p) {
  const auto change = [&](double since) {
    const double kept = std::exp(-since / 2), by[2] = {2 * (1 - kept), kept};
    return by[a] * by[b];
  };
  const double sum = (change(0) + 4 * change(t / 2) + change(t)) / 6 * t;
  return p.acceleration_m_per_s2 * p.acceleration_m_per_s2 * kIndependent_s * sum;
}

struct Sighting {
  int64_t frame;
  FloorPerson person;
};

double cost_of(const std::vector<Sighting>& path, int64_t frames, const PathParameters& p) {
  // Anyone who is there in the first or the last of the frames pays nothing for that end.
  double cost =
      std::min(p.entry_cost, p.missed_cost_per_s / kMotionRate * static_cast<double>(path.front().frame)) +
      std::min(p.entry_cost,
               p.missed_cost_per_s / kMotionRate * static_cast<double>(frames - 1 - path.back().frame));
  // The filter with full 2x2 matrices, for each axis by itself.
  double place[2] = {path[0].person.x_m, path[0].person.y_m}, speed[2] = {0, 0};
  double c[2][2] = {{p.place_jitter_m * p.place_jitter_m, 0}, {0, 1}};
  for (size_t i = 0; i < path.size(); ++i) {
    const double sure = std::clamp(path[i].person.confidence, 0.01, 0.99);
    cost -= std::log(sure / (1 - sure));
    if (i == 0) continue;
    const double t = static_cast<double>(path[i].frame - path[i - 1].frame) / kMotionRate;
    const double kept = std::exp(-t / 2), f[2][2] = {{1, 2 * (1 - kept)}, {0, kept}};
    double n[2][2];
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b) {
        n[a][b] = changes(t, a, b, p);
        for (int k = 0; k < 2; ++k)
          for (int l = 0; l < 2; ++l) n[a][b] += f[a][k] * c[k][l] * f[b][l];
      }
    const double s = n[0][0] + p.place_jitter_m * p.place_jitter_m;
    const double seen[2] = {path[i].person.x_m, path[i].person.y_m};
    double squares = 0;
    for (int axis = 0; axis < 2; ++axis) {
      const double away = seen[axis] - place[axis] - f[0][1] * speed[axis];
      squares += away * away;
      place[axis] += f[0][1] * speed[axis] + n[0][0] / s * away;
      speed[axis] = kept * speed[axis] + n[1][0] / s * away;
    }
    cost += std::min(12.0, squares / (2 * s)) + std::log(s / (4 * p.place_jitter_m * p.place_jitter_m));
    cost += p.missed_cost_per_s / kMotionRate * static_cast<double>(path[i].frame - path[i - 1].frame - 1);
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b) c[a][b] = n[a][b] - n[a][0] * n[0][b] / s;
    if (std::hypot(seen[0] - path[i - 1].person.x_m, seen[1] - path[i - 1].person.y_m) >
        2 * p.place_jitter_m + p.max_speed_m_per_s * t)
      return 1e9;
  }
  double mean = 0, squares = 0;
  for (const Sighting& one : path) mean += one.person.height_m / static_cast<double>(path.size());
  for (const Sighting& one : path) squares += std::pow(one.person.height_m - mean, 2);
  return cost + squares / (2 * std::pow(p.person_height_jitter_m, 2)) +
         std::log(static_cast<double>(path.size())) / 2;
}

double cost_of(const std::vector<PersonPath>& paths, const std::vector<SeenFrame>& frames,
               const PathParameters& p) {
  double sum = 0;
  for (const PersonPath& path : paths) {
    std::vector<Sighting> sightings;
    for (const PathPoint& point : path.points)
      if (point.seen) sightings.push_back({point.frame, frames[point.frame].people[point.person]});
    sum += cost_of(sightings, std::ssize(frames), p);
  }
  return sum;
}

// --- The cheapest of all sets of paths.

constexpr int64_t kFrames = 5;

void try_all(const std::vector<Sighting>& all, size_t next, std::vector<std::vector<Sighting>>& paths,
             const PathParameters& p, double* cheapest) {
  if (next == all.size()) {
    double sum = 0;
    for (const auto& path : paths) sum += cost_of(path, kFrames, p);
    *cheapest = std::min(*cheapest, sum);
    return;
  }
  try_all(all, next + 1, paths, p, cheapest);
  for (size_t i = 0; i < paths.size(); ++i) {
    if (paths[i].back().frame >= all[next].frame) continue;
    paths[i].push_back(all[next]);
    try_all(all, next + 1, paths, p, cheapest);
    paths[i].pop_back();
  }
  paths.push_back({all[next]});
  try_all(all, next + 1, paths, p, cheapest);
  paths.pop_back();
}

// The search promises no optimum; on small problems it has it mostly, never misses it by more than two nats,
// and is never below it. Where all frames are near a cut, and to end costs little, more ways are as good.
TEST(PathsByMotion, SmallProblemsAreSolvedToTheOptimum) {
  std::mt19937 random(11);
  std::normal_distribution<double> jitter(0, 0.12);
  std::uniform_real_distribution<double> unit(0, 1);
  PathParameters parameters = by_motion();
  parameters.entry_cost = 2;
  int optimal = 0;
  constexpr int kProblems = 40;
  for (int problem = 0; problem < kProblems; ++problem) {
    std::vector<SeenFrame> frames;
    std::vector<Sighting> all;
    for (int64_t frame = 0; frame < kFrames; ++frame) {
      SeenFrame one{frame, {}, {}};
      const double way = 0.3 * static_cast<double>(frame - 2);
      for (const double side : {-1.0, 1.0})
        if (unit(random) < 0.85)
          one.people.push_back(
              person(side * way + jitter(random), 0.1 * side + jitter(random), 1.7 + 0.5 * jitter(random)));
      for (const FloorPerson& found : one.people) all.push_back({frame, found});
      frames.push_back(one);
    }
    double cheapest = 0;
    std::vector<std::vector<Sighting>> none;
    try_all(all, 0, none, parameters, &cheapest);
    const double found = cost_of(follow(frames, parameters), frames, parameters);
    EXPECT_GE(found, cheapest - 1e-6);
    EXPECT_LE(found, cheapest + 2);
    optimal += found < cheapest + 0.01;  // costs of the start are rounded to thousandths
  }
  EXPECT_GE(optimal, kProblems - 6);
}

// --- A crowd, for which no one can try all.

struct Crowd {
  std::vector<SeenFrame> frames;
  std::vector<std::vector<Sighting>> paths;  // of each person
};

// People who walk about, all of one height; after a while each is lost for up to two seconds, again and
// again.
Crowd crowd_of(int people, double area_m, int64_t frames, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> jitter(0, 0.1);
  const double seconds = static_cast<double>(frames) / kMotionRate;
  const auto plan = synth::WalkPlan::make(people, area_m, seconds + 1, seed);
  Crowd crowd{{}, std::vector<std::vector<Sighting>>(people)};
  std::vector<int> lost(people);
  for (int64_t frame = 0; frame < frames; ++frame) {
    SeenFrame& one = crowd.frames.emplace_back(SeenFrame{frame, {}, {}});
    for (int i = 0; i < people; ++i) {
      const synth::WalkState at = plan.at(i, static_cast<double>(frame) / kMotionRate);
      if (random() % 16 == 0) lost[i] = 2 + static_cast<int>(random() % 7);
      if (lost[i]-- > 0) continue;
      one.people.push_back(person(at.x_m + jitter(random), at.y_m + jitter(random)));
      crowd.paths[i].push_back({frame, one.people.back()});
    }
  }
  return crowd;
}

// From the links' paths alone, which know no velocities, the search ends up to 24 nats above the true paths.
TEST(PathsByMotion, ACrowdsPathsCostHardlyMoreThanTheTrueOnes) {
  const PathParameters parameters = by_motion();
  for (uint32_t seed = 1; seed <= 6; ++seed) {
    const Crowd crowd = crowd_of(16, 6, 120, seed);
    double truth = 0;
    for (const auto& path : crowd.paths) truth += cost_of(path, std::ssize(crowd.frames), parameters);
    EXPECT_LE(cost_of(follow(crowd.frames, parameters), crowd.frames, parameters), truth + 8)
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace vantage
