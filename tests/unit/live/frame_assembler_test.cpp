// Frame sets of live cameras, on a simulated clock: nothing here waits.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "core/live/frame_assembler.h"

namespace vantage::test {
namespace {

constexpr int64_t kMs_ns = 1'000'000;

// Cameras that deliver along a simulated time, and somebody who takes the sets.
class Simulation {
 public:
  struct Camera {
    double rate = 25, phase_ms = 0, delay_ms = 30, jitter_ms = 0, drift = 0;
    std::vector<std::pair<double, double>> silent_s = {};  // from, to: pictures are lost
    bool says_so = false;                                  // and the connection with them
    double older_ms = 0;                                   // than their times say
    double next_s = 0;
    int64_t number = 0;
  };
  Simulation(std::vector<Camera> cameras, AssemblerOptions options)
      : cameras_(std::move(cameras)), assembler_((names(&options, cameras_.size()), options)) {}

  // Goes on until then. `busy_ms`: how long whoever takes a set is busy with it.
  std::vector<AssembledSet> run(double seconds, double busy_ms = 0) {
    std::vector<AssembledSet> sets;
    int64_t free_at = 0;
    for (; now_ < std::llround(seconds * 1e9); now_ += kMs_ns) {
      const int64_t now = now_;
      for (size_t c = 0; c < cameras_.size(); ++c) deliver(c, now);
      assembler_.update(now);
      while (now >= free_at && assembler_.ready()) {
        sets.push_back(*assembler_.take());
        free_at = now + std::llround(busy_ms * 1e6);
        if (busy_ms > 0) break;
      }
    }
    return sets;
  }
  FrameAssembler& assembler() { return assembler_; }

 private:
  static void names(AssemblerOptions* options, size_t count) {
    for (size_t i = 0; i < count; ++i) options->names.push_back("cam" + std::to_string(i + 1));
  }
  struct Flying {
    int64_t arrival, capture, number;
  };
  void deliver(size_t index, int64_t now) {
    Camera& camera = cameras_[index];
    flying_.resize(cameras_.size());
    for (;; ++camera.number) {
      const double taken_s =
          (static_cast<double>(camera.number) / camera.rate) * (1 + camera.drift) + camera.phase_ms * 1e-3;
      if (taken_s * 1e9 > static_cast<double>(now)) break;
      bool silent = false;
      for (const auto& [from, to] : camera.silent_s) silent = silent || (taken_s >= from && taken_s < to);
      if (silent) {
        if (camera.says_so) assembler_.set_away(index, "cam" + std::to_string(index + 1) + " was cut");
        continue;
      }
      const double jitter_ms =
          camera.jitter_ms > 0 ? std::exponential_distribution<double>(1 / camera.jitter_ms)(random_) : 0;
      int64_t arrival = std::llround(taken_s * 1e9 + (camera.older_ms + camera.delay_ms + jitter_ms) * 1e6);
      if (!flying_[index].empty()) arrival = std::max(arrival, flying_[index].back().arrival);
      flying_[index].push_back(
          {arrival, std::llround((taken_s + camera.older_ms * 1e-3) * 1e9), camera.number});
    }
    auto& flying = flying_[index];
    while (!flying.empty() && flying.front().arrival <= now) {
      CameraFrame frame;
      frame.camera_frame = flying.front().number;
      assembler_.add(index, frame, flying.front().capture, flying.front().arrival, camera.rate, now);
      flying.pop_front();
    }
  }

  int64_t now_ = 0;
  std::mt19937_64 random_{3};
  std::vector<Camera> cameras_;
  std::vector<std::deque<Flying>> flying_;
  FrameAssembler assembler_;
};

bool whole(const AssembledSet& set) {
  for (const CameraFrame& camera : set.frames.cameras)
    if (!camera.problem.empty()) return false;
  return true;
}

TEST(FrameAssembler, CamerasInStepGiveOneSetEach) {
  Simulation simulation({{.delay_ms = 20}, {.delay_ms = 60}, {.phase_ms = 11, .delay_ms = 35}}, {});
  const auto sets = simulation.run(4);
  ASSERT_GT(sets.size(), 95u);
  for (size_t i = 0; i < sets.size(); ++i) {
    EXPECT_EQ(sets[i].frames.frame, static_cast<int64_t>(i));
    EXPECT_TRUE(whole(sets[i]));
    for (const CameraFrame& camera : sets[i].frames.cameras)
      EXPECT_EQ(camera.camera_frame, static_cast<int64_t>(i));
    EXPECT_LE(sets[i].complete_ns - sets[i].last_arrival_ns,
              2 * kMs_ns);  // as soon as the last has delivered
  }
}

// No picture of the first camera is lost or shown twice while its clock drifts by a whole period, and the
// others stay within half of their periods.
TEST(FrameAssembler, TheGridFollowsTheFirstCamera) {
  Simulation simulation({{.jitter_ms = 5, .drift = 2000e-6}, {.jitter_ms = 5}, {.rate = 50, .phase_ms = 7}},
                        {});
  const auto sets = simulation.run(60);
  ASSERT_GT(sets.size(), 1400u);
  int64_t before = sets.front().frames.cameras[0].camera_frame - 1;
  for (const AssembledSet& set : sets) {
    ASSERT_TRUE(whole(set));
    EXPECT_EQ(set.frames.cameras[0].camera_frame, before + 1);
    before = set.frames.cameras[0].camera_frame;
    for (const CameraFrame& camera : set.frames.cameras)
      EXPECT_LE(std::abs(camera.offset_remainder_frames), 0.55);
  }
}

TEST(FrameAssembler, ASetWaitsForTheBoundAndNamesTheMissing) {
  AssemblerOptions options;
  options.bound_ns = 120 * kMs_ns;
  Simulation simulation({{}, {}, {.silent_s = {{1, 2}}}}, options);
  const auto sets = simulation.run(4);
  int missing = 0;
  for (const AssembledSet& set : sets) {
    const CameraFrame& third = set.frames.cameras[2];
    missing += !third.problem.empty();
    if (!third.problem.empty()) {
      EXPECT_EQ(third.problem, "cam3 sent no picture of this instant in time");
      EXPECT_LE(set.complete_ns - set.last_arrival_ns, options.bound_ns + 2 * kMs_ns);
    }
    EXPECT_TRUE(set.frames.cameras[0].problem.empty());
  }
  EXPECT_NEAR(missing, 25, 2);
  EXPECT_EQ(simulation.assembler().counters().dropped, 0);
  EXPECT_EQ(simulation.assembler().counters().incomplete, missing);
}

// A camera that is connected and sends nothing holds up the others for twice the bound only.
TEST(FrameAssembler, NobodyWaitsLongForASilentCamera) {
  AssemblerOptions options;
  options.bound_ns = 120 * kMs_ns;
  Simulation simulation({{}, {.silent_s = {{1, 3}}}}, options);
  int waited = 0, at_once = 0;
  for (const AssembledSet& set : simulation.run(4)) {
    if (whole(set)) continue;
    const int64_t wait_ns = set.complete_ns - set.last_arrival_ns;
    (wait_ns > 21 * kMs_ns ? waited : at_once)++;
    EXPECT_TRUE(set.frames.time_ns <= 1'300 * kMs_ns || wait_ns <= 21 * kMs_ns) << set.frames.time_ns;
  }
  EXPECT_GT(waited, 0);
  EXPECT_NEAR(waited + at_once, 50, 2);
}

TEST(FrameAssembler, NobodyWaitsForACameraThatIsAway) {
  Simulation simulation({{}, {.silent_s = {{1, 2}}, .says_so = true}}, {});
  int missing = 0;
  for (const AssembledSet& set : simulation.run(3)) {
    if (whole(set)) continue;
    ++missing;
    EXPECT_EQ(set.frames.cameras[1].problem, "cam2 was cut");
    EXPECT_LE(set.complete_ns - set.last_arrival_ns, 21 * kMs_ns);  // until the cut is known
  }
  EXPECT_NEAR(missing, 25, 2);
}

TEST(FrameAssembler, WhereAllWereSilentNumbersAreLeftOut) {
  Simulation simulation({{.silent_s = {{1, 3}}}, {.silent_s = {{1, 3}}}}, {});
  const auto sets = simulation.run(5);
  int64_t largest = 0;
  for (size_t i = 1; i < sets.size(); ++i) {
    const int64_t step = sets[i].frames.frame - sets[i - 1].frames.frame;
    EXPECT_GE(step, 1);
    largest = std::max(largest, step);
    EXPECT_NEAR(static_cast<double>(sets[i].frames.time_ns), static_cast<double>(sets[i].frames.frame) * 40e6,
                1e6);
  }
  EXPECT_NEAR(static_cast<double>(largest), 51, 2);
}

// Somebody who needs 100 ms for what comes every 40 ms gets fresh sets, not a growing queue.
TEST(FrameAssembler, OverloadDropsTheOldestAndNeverGrowsTheDelay) {
  Simulation simulation({{}, {}}, {});
  const auto sets = simulation.run(20, 100);
  EXPECT_NEAR(static_cast<double>(sets.size()), 200, 5);
  EXPECT_NEAR(static_cast<double>(simulation.assembler().counters().dropped), 300, 10);
  EXPECT_EQ(simulation.assembler().counters().incomplete, 0);
}

TEST(FrameAssembler, ThinningIsNotDropping) {
  Simulation simulation({{}, {}}, {});
  simulation.assembler().set_thinning(4);
  const auto sets = simulation.run(4);
  for (const AssembledSet& set : sets) EXPECT_EQ(set.frames.frame % 4, 0);
  EXPECT_NEAR(static_cast<double>(sets.size()), 25, 1);
  EXPECT_EQ(simulation.assembler().counters().dropped, 0);
  EXPECT_NEAR(static_cast<double>(simulation.assembler().counters().thinned), 75, 2);
}

// How many of the third camera's pictures a set shows another moment than the first one's.
int64_t apart(const AssembledSet& set) {
  return set.frames.cameras[2].camera_frame - set.frames.cameras[0].camera_frame;
}

// The third camera's pictures are 2 s older than its clock says. All sets come, whole, and none later than
// that and the bound.
TEST(FrameAssembler, ADelayIsTakenUpWithoutLosingASet) {
  Simulation simulation({{.jitter_ms = 5}, {}, {.jitter_ms = 5, .older_ms = 2000}}, {});
  const auto before = simulation.run(6);
  EXPECT_EQ(apart(before.back()), -50);
  const int64_t late = simulation.assembler().late_pictures(2);
  const int64_t first = simulation.assembler().set_delays({0, 0, 2'000 * kMs_ns});
  EXPECT_EQ(first, before.back().frames.frame + 1);
  EXPECT_EQ(simulation.assembler().delay_span_ns(), 2'000 * kMs_ns);
  const auto after = simulation.run(20);
  ASSERT_GT(after.size(), 290U);
  for (size_t i = 0; i < after.size(); ++i) {
    EXPECT_EQ(after[i].frames.frame, first + static_cast<int64_t>(i));
    EXPECT_TRUE(whole(after[i])) << i;
    EXPECT_EQ(apart(after[i]), 0) << i;
    EXPECT_LE(after[i].complete_ns - after[i].capture_ns, 2'300 * kMs_ns);
  }
  EXPECT_EQ(simulation.assembler().counters().dropped, 0);
  EXPECT_EQ(simulation.assembler().late_pictures(2), late) << "a correction makes nobody late";
}

// The same where the others are the older ones: the one camera is missing until its clock is reached.
TEST(FrameAssembler, ACameraThatIsAheadIsMissingForAsLong) {
  Simulation simulation({{.older_ms = 600}, {.older_ms = 600}, {}, {.older_ms = 600}}, {});
  simulation.run(6);
  const int64_t first = simulation.assembler().set_delays({0, 0, -600 * kMs_ns, 0});
  int missing = 0;
  int64_t next = first;
  for (const AssembledSet& set : simulation.run(12)) {
    EXPECT_EQ(set.frames.frame, next++);
    EXPECT_TRUE(set.frames.cameras[0].problem.empty());
    if (!whole(set))
      ++missing;
    else
      EXPECT_EQ(apart(set), 0);
  }
  EXPECT_NEAR(missing, 15, 1);
  EXPECT_EQ(simulation.assembler().counters().dropped, 0);
}

TEST(FrameAssembler, TheQuickHalfKeepsItsTimes) {
  Simulation simulation({{}, {.older_ms = 1200}, {}, {.older_ms = 280}}, {});
  simulation.run(6);
  simulation.assembler().set_delays({0, 1'200 * kMs_ns, 0, 280 * kMs_ns});
  for (const AssembledSet& set : simulation.run(12)) {
    EXPECT_TRUE(whole(set));
    for (const CameraFrame& camera : set.frames.cameras)
      EXPECT_EQ(camera.camera_frame, set.frames.cameras[0].camera_frame);
  }
}

// Most cameras keep their times: where the first one is older than all others, they wait for it.
TEST(FrameAssembler, WhereTheFirstCameraIsLateTheOthersWait) {
  Simulation simulation({{.older_ms = 600}, {}, {}, {}}, {});
  simulation.run(6);
  simulation.assembler().set_delays({0, -600 * kMs_ns, -600 * kMs_ns, -600 * kMs_ns});
  for (const AssembledSet& set : simulation.run(12)) {
    EXPECT_TRUE(whole(set));
    EXPECT_EQ(apart(set), 0);
  }
}

// While the latest camera is away the others go on at the delay that they had, so that nothing is dropped
// when it goes and nobody has to catch up when it is back.
TEST(FrameAssembler, TheDelayStaysWhileItsCameraIsAway) {
  Simulation simulation({{}, {}, {.silent_s = {{5, 7}}, .says_so = true, .older_ms = 1000}}, {});
  simulation.assembler().set_delays({0, 0, 1'000 * kMs_ns});
  int64_t next = -1;
  int missing = 0;
  for (const AssembledSet& set : simulation.run(15)) {
    if (next >= 0) {
      EXPECT_EQ(set.frames.frame, next);
    }
    next = set.frames.frame + 1;
    missing += set.frames.time_ns > 2'000 * kMs_ns && !whole(set);
    if (set.frames.time_ns < 2'000 * kMs_ns) continue;  // the first pictures
    EXPECT_NEAR(static_cast<double>(set.complete_ns - set.capture_ns), 1030e6, 60e6);
  }
  EXPECT_NEAR(missing, 50, 3);
  EXPECT_EQ(simulation.assembler().counters().dropped, 0);
}

// Ten sets a second of cameras with other rates.
TEST(FrameAssembler, EachCameraGivesItsNearestPicture) {
  AssemblerOptions options;
  options.rate = 10;
  Simulation simulation({{.rate = 25}, {.rate = 30, .phase_ms = 5}, {.rate = 8}}, options);
  for (const AssembledSet& set : simulation.run(5)) {
    ASSERT_TRUE(whole(set));
    for (const CameraFrame& camera : set.frames.cameras)
      EXPECT_LE(std::abs(camera.offset_remainder_frames), 0.6);
  }
}

}  // namespace
}  // namespace vantage::test
