// Delays of live cameras found from what they show, with silhouettes in place of pictures.
#include "core/setup/alignment/offset_monitor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <iostream>

#include "core/algorithms.h"
#include "tests/support/loop_size.h"
#include "tests/support/moving_people.h"

namespace vantage {
namespace {

constexpr double kSceneRate = 25;  // of the scene's frames

// Sets of live cameras whose pictures are older than they are taken for.
class WatchedCameras {
 public:
  WatchedCameras(uint64_t seed, std::vector<double> delays_s, double seconds, double sets_per_s)
      : people_(test::MovingPeople::make(static_cast<int>(delays_s.size()), 4, seconds, seed)),
        left_s_(std::move(delays_s)),
        seconds_(seconds),
        rate_(sets_per_s) {
    register_cpu_backends(registry_);
    project_.parameters = default_parameters();
    for (const Camera& camera : people_.scene().cameras) {
      ProjectCamera& entry = project_.cameras.emplace_back();
      entry.name = camera.name();
      entry.calibration = camera;
    }
    project_.grid = people_.volume();
    SignalWindowOptions options;
    options.backends = &registry_;
    options.frame_rate = rate_;
    monitor_ = DelayMonitor::make(project_, options).value();
  }

  // Every n-th set; whatever is proposed is carried out.
  void run(int every = 1) {
    for (int64_t set = 0; set < static_cast<int64_t>(seconds_ * rate_); set += every) {
      const auto proposals = monitor_->add(*show(set), every);
      ASSERT_TRUE(proposals);
      for (const OffsetProposal& proposal : *proposals) {
        left_s_[proposal.camera] -= *proposal.delay_s;
        std::cout << "after " << static_cast<double>(set) / rate_ << " s: cam" << proposal.camera + 1
                  << " by " << *proposal.delay_s << " s\n";
        last_s_ = static_cast<double>(set) / rate_;
        ++count_;
      }
      if (!proposals->empty()) monitor_->restart(set + every);
    }
  }
  // Against the first camera.
  double left_s(size_t camera) const { return left_s_[camera] - left_s_[0]; }
  double last_s() const { return last_s_; }
  int count() const { return count_; }

 private:
  FrameResultRef show(int64_t set) const {
    auto frames = std::make_shared<FrameSetArtifact>();
    auto foreground = std::make_shared<ForegroundArtifact>();
    frames->frames.frame = set;
    for (size_t c = 0; c < left_s_.size(); ++c) {
      frames->frames.cameras.emplace_back();
      // A camera's pictures are taken 25 times a second: the nearest one.
      const double taken = std::round((static_cast<double>(set) / rate_ - left_s_[c]) * kSceneRate);
      foreground->cameras.emplace_back().indicator = people_.indicator(c, taken);
    }
    auto result = std::make_shared<FrameResult>();
    result->frame = set;
    result->artifacts.video = frames;
    result->artifacts.foreground = foreground;
    return result;
  }

  test::MovingPeople people_;
  std::vector<double> left_s_;
  double seconds_, rate_, last_s_ = 0;
  int count_ = 0;
  BackendRegistry registry_;
  Project project_;
  std::unique_ptr<DelayMonitor> monitor_;
};

// Within a camera's frame after 30 s, as the acceptance has it.
TEST(DelayMonitor, DelaysAreFoundAtAnyRateOfSets) {
  for (const double rate : {25.0, 10.0})
    for (int seed = 5; seed < 5 + test::loop_size("VANTAGE_SYNC_SEEDS", 2); ++seed) {
      WatchedCameras cameras(static_cast<uint64_t>(seed), {0, 2, -0.32, 0}, 30, rate);
      cameras.run();
      for (size_t c = 1; c < 4; ++c)
        EXPECT_LE(std::abs(cameras.left_s(c)), 1 / kSceneRate)
            << "seed " << seed << ", " << rate << " sets/s, " << c;
    }
}

TEST(DelayMonitor, WhereTheBaseIsLateAllOthersAreProposed) {
  WatchedCameras cameras(6, {1.2, 0, 0, 0}, 24, 12.5);
  cameras.run();
  for (size_t c = 1; c < 4; ++c) EXPECT_LE(std::abs(cameras.left_s(c)), 1 / kSceneRate);
}

TEST(DelayMonitor, CamerasInStepAreLeftAlone) {
  for (int seed = 5; seed < 5 + test::loop_size("VANTAGE_SYNC_SEEDS", 2); ++seed) {
    WatchedCameras cameras(static_cast<uint64_t>(seed), {0, 0.012, -0.012, 0}, 40, 10);
    cameras.run();
    EXPECT_EQ(cameras.count(), 0) << "seed " << seed;
  }
}

TEST(DelayMonitor, SetsThatAreLeftOutDoNotHide) {
  WatchedCameras cameras(5, {0, -0.8, 0, 0.5}, 30, 25);
  cameras.run(3);
  for (size_t c = 1; c < 4; ++c) EXPECT_LE(std::abs(cameras.left_s(c)), 1 / kSceneRate) << c;
}

TEST(DelayMonitor, NeedsACalibration) {
  BackendRegistry registry;
  register_cpu_backends(registry);
  SignalWindowOptions options;
  options.backends = &registry;
  Project project;
  project.cameras.resize(2);
  EXPECT_EQ(DelayMonitor::make(project, options).error().kind, ErrorKind::unsupported);
}

}  // namespace
}  // namespace vantage
