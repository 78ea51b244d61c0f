// Offsets, drift and lost frames found again in silhouettes of walking people. VANTAGE_SYNC_SEEDS: how many
// scenes each test looks at (2 if absent).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <random>

#include "core/sync/detail/reconcile.h"
#include "core/sync/epipolar.h"
#include "core/sync/sync.h"
#include "tests/support/loop_size.h"
#include "tests/support/moving_people.h"

namespace vantage {
namespace {

constexpr double kRate = 25;

int seeds() {
  return test::loop_size("VANTAGE_SYNC_SEEDS", 2);
}

SyncEstimate estimate(const std::vector<PairSignals>& signals, int cameras, SyncParameters parameters = {}) {
  EstimateOptions options;
  options.cameras = cameras;
  options.frame_rate = kRate;
  return estimate_alignment(signals, parameters, options);
}

// Everything there is to know, for the log of a failed test.
std::string describe(const SyncEstimate& found) {
  std::string text;
  char line[300];
  for (size_t c = 0; c < found.cameras.size(); ++c) {
    const CameraAlignment& camera = found.cameras[c];
    std::snprintf(line, sizeof line, "cam%zu %.3f +- %.3f, %.1f ppm, confidence %.4f %s\n", c + 1,
                  camera.offset_frames.value_or(NAN), camera.sigma_frames, camera.drift_ppm,
                  camera.confidence, camera.reason.c_str());
    text += line;
    if (camera.vouched) {
      std::snprintf(line, sizeof line, "    vouched for from %lld to %lld\n",
                    static_cast<long long>(camera.vouched->begin),
                    static_cast<long long>(camera.vouched->end));
      text += line;
    }
    for (const OffsetChange& change : camera.changes) {
      std::snprintf(line, sizeof line, "    from %lld on %.1f\n", static_cast<long long>(change.base_frame),
                    change.frames);
      text += line;
    }
  }
  for (const PairEstimate& pair : found.pairs) {
    std::snprintf(
        line, sizeof line,
        "%d-%d %.3f +- %.3f, confidence %.4f, %.2f against %.2f, width %.0f, %.0f samples, %d lines, "
        "residual %.2f%s %s\n",
        pair.first + 1, pair.second + 1, pair.offset_frames.value_or(NAN), pair.sigma_frames, pair.confidence,
        pair.peak, pair.second_peak, pair.width_frames, pair.effective_samples, pair.active_lines,
        pair.residual_frames, pair.used ? "" : " NOT USED", pair.reason.c_str());
    text += line;
  }
  return text;
}

// The furthest that the alignment is from the truth over base frames [begin, end), in frames; moments less
// than `guard` after a loss, or before it, are left out.
double worst_error(const CameraAlignment& camera, const test::CameraClock& clock, double begin, double end,
                   double guard) {
  const std::vector<double> moments = clock.moments(end);
  double worst = 0;
  for (size_t k = 0; k < moments.size(); ++k) {
    if (moments[k] < begin) continue;
    bool near = false;
    for (const test::CameraClock::Loss& loss : clock.losses)
      near = near || std::abs(moments[k] - loss.base_frame) < guard;
    if (!near) worst = std::max(worst, std::abs(aligned_frame(camera, moments[k]) - static_cast<double>(k)));
  }
  return worst;
}

class Offsets : public ::testing::TestWithParam<int> {};

TEST_P(Offsets, WholeFramesAreExact) {
  const int cameras = GetParam();
  for (int seed = 1; seed <= seeds(); ++seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    std::vector<test::CameraClock> clocks(static_cast<size_t>(cameras));
    for (int c = 1; c < cameras; ++c)
      clocks[c].offset_frames = std::uniform_int_distribution(-40, 40)(random);
    const auto people = test::MovingPeople::make(cameras, 4, 12, static_cast<uint64_t>(seed));
    const SyncEstimate found = estimate(people.signals(clocks, 300, 96, 100), cameras);
    for (size_t c = 0; c < clocks.size(); ++c) {
      ASSERT_TRUE(found.cameras[c].offset_frames) << "seed " << seed << "\n" << describe(found);
      EXPECT_EQ(std::lround(*found.cameras[c].offset_frames), clocks[c].offset_frames)
          << "seed " << seed << "\n"
          << describe(found);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Cameras, Offsets, ::testing::Values(4, 6));

TEST(Alignment, FractionsToATenth) {
  double squares = 0;
  int count = 0;
  for (int seed = 11; seed <= 10 + seeds(); ++seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    std::vector<test::CameraClock> clocks(4);
    for (size_t c = 1; c < clocks.size(); ++c)
      clocks[c].offset_frames = std::uniform_real_distribution(-40.0, 40.0)(random);
    const auto people = test::MovingPeople::make(4, 4, 12, static_cast<uint64_t>(seed));
    const SyncEstimate found = estimate(people.signals(clocks, 300, 96, 100), 4);
    for (size_t c = 1; c < clocks.size(); ++c, ++count) {
      ASSERT_TRUE(found.cameras[c].offset_frames) << "seed " << seed << "\n" << describe(found);
      squares += std::pow(*found.cameras[c].offset_frames - clocks[c].offset_frames, 2);
    }
  }
  std::cout << "RMS " << std::sqrt(squares / count) << " frames\n";
  EXPECT_LE(std::sqrt(squares / count), 0.1);
}

TEST(Alignment, DriftOverAMinute) {
  for (int seed = 21; seed < 21 + (seeds() + 1) / 2; ++seed) {
    std::vector<test::CameraClock> clocks(4);
    clocks[1].offset_frames = 7, clocks[1].drift_ppm = 2000;
    clocks[2].offset_frames = -12, clocks[2].drift_ppm = -2000;
    clocks[3].offset_frames = 30.4, clocks[3].drift_ppm = 500;
    const auto people = test::MovingPeople::make(4, 4, 60, static_cast<uint64_t>(seed));
    const SyncEstimate found = estimate(people.signals(clocks, 1500, 48, 100), 4);
    for (size_t c = 1; c < clocks.size(); ++c) {
      ASSERT_TRUE(found.cameras[c].offset_frames) << "seed " << seed << "\n" << describe(found);
      const double worst = worst_error(found.cameras[c], clocks[c], 0, 1500, 0);
      EXPECT_LE(worst, 0.5) << "seed " << seed << ", cam" << c + 1 << "\n" << describe(found);
      std::cout << "worst " << worst << " frames, drift " << found.cameras[c].drift_ppm << " ppm\n";
    }
  }
}

TEST(Alignment, BurstsOfLostFrames) {
  for (int seed = 31; seed < 31 + (seeds() + 1) / 2; ++seed) {
    std::vector<test::CameraClock> clocks(4);
    clocks[1].offset_frames = 5, clocks[1].losses = {{300, 6}, {640, 12}};
    clocks[2].offset_frames = -20;
    clocks[3].losses = {{430, 3}, {600, 8}, {760, 4}};
    const auto people = test::MovingPeople::make(4, 4, 40, static_cast<uint64_t>(seed));
    const SyncEstimate found = estimate(people.signals(clocks, 1000, 48, 100), 4);
    for (size_t c = 1; c < clocks.size(); ++c) {
      ASSERT_TRUE(found.cameras[c].offset_frames) << "seed " << seed << "\n" << describe(found);
      EXPECT_EQ(found.cameras[c].changes.size(), clocks[c].losses.size())
          << "seed " << seed << ", cam" << c + 1 << "\n"
          << describe(found);
      EXPECT_LE(worst_error(found.cameras[c], clocks[c], 0, 1000, 50), 0.5)
          << "seed " << seed << ", cam" << c + 1 << "\n"
          << describe(found);
    }
  }
}

// The smallest bursts, 5 s and more apart: two frames of one camera change little.
TEST(Alignment, MostBurstsOfTwoFrames) {
  int bursts = 0, found_bursts = 0;
  for (int seed = 35; seed < 35 + (seeds() + 1) / 2; ++seed) {
    std::vector<test::CameraClock> clocks(4);
    clocks[1].offset_frames = 5, clocks[1].losses = {{300, 2}, {640, 2}};
    clocks[2].offset_frames = -20, clocks[2].losses = {{480, 2}};
    clocks[3].losses = {{430, 3}, {570, 2}, {760, 2}};
    const auto people = test::MovingPeople::make(4, 4, 40, static_cast<uint64_t>(seed));
    const SyncEstimate found = estimate(people.signals(clocks, 1000, 48, 100), 4);
    for (size_t c = 1; c < clocks.size(); ++c) {
      ASSERT_TRUE(found.cameras[c].offset_frames) << "seed " << seed << "\n" << describe(found);
      for (const test::CameraClock::Loss& loss : clocks[c].losses) {
        ++bursts;
        for (const OffsetChange& change : found.cameras[c].changes)
          found_bursts += std::abs(static_cast<double>(change.base_frame) - loss.base_frame) < 50 &&
                          change.frames == -loss.frames;
      }
      std::cout << "seed " << seed << ", cam" << c + 1 << ": worst "
                << worst_error(found.cameras[c], clocks[c], 0, 1000, 50) << " frames\n";
    }
  }
  std::cout << found_bursts << " of " << bursts << " bursts found\n";
  EXPECT_GE(10 * found_bursts, 9 * bursts);
}

// A loss with enough footage behind it is found; where too little is left to tell, the alignment is not
// vouched for there. It is right wherever it is.
TEST(Alignment, LargeLossesAreFoundOrNotVouchedFor) {
  struct Loss {
    int frames;
    double left_s;  // of the camera's recording behind it
    bool found;
  };
  constexpr double kSeconds = 30, kEnd = kSeconds * kRate;
  for (const Loss& loss : {Loss{20, 12, true}, Loss{40, 3, false}, Loss{55, 1.4, false}})
    for (int seed = 91; seed < 91 + (seeds() + 1) / 2; ++seed) {
      SCOPED_TRACE(::testing::Message()
                   << loss.frames << " frames, " << loss.left_s << " s left, seed " << seed);
      std::vector<test::CameraClock> clocks(4);
      clocks[1].offset_frames = 8, clocks[3].offset_frames = -13.4;
      clocks[2].losses = {{kEnd - loss.left_s * kRate - loss.frames, loss.frames}};
      const auto people = test::MovingPeople::make(4, 4, kSeconds, static_cast<uint64_t>(seed));
      const SyncEstimate found = estimate(people.signals(clocks, kEnd, 48, 100), 4);
      const double until = loss.found ? kEnd : clocks[2].losses[0].base_frame;
      for (size_t c = 1; c < clocks.size(); ++c) {
        const CameraAlignment& camera = found.cameras[c];
        ASSERT_TRUE(camera.offset_frames && camera.vouched) << describe(found);
        EXPECT_LE(worst_error(camera, clocks[c], static_cast<double>(camera.vouched->begin),
                              static_cast<double>(camera.vouched->end), 50),
                  0.5)
            << "cam" << c + 1 << "\n"
            << describe(found);
        EXPECT_LE(camera.vouched->begin, 4 * kRate) << "cam" << c + 1 << "\n" << describe(found);
        EXPECT_GE(static_cast<double>(camera.vouched->end), until - 4 * kRate) << "cam" << c + 1 << "\n"
                                                                               << describe(found);
      }
      EXPECT_TRUE(!loss.found || found.cameras[2].changes.size() == 1) << describe(found);
    }
}

TEST(Alignment, TheBaseLosesFrames) {
  std::vector<test::CameraClock> clocks(4);
  clocks[0].losses = {{400, 9}};
  clocks[2].offset_frames = 11;
  const auto people = test::MovingPeople::make(4, 4, 30, 41);
  const SyncEstimate found = estimate(people.signals(clocks, 750, 48, 100), 4);
  for (size_t c = 1; c < clocks.size(); ++c) {
    ASSERT_EQ(found.cameras[c].changes.size(), 1u) << describe(found);
    EXPECT_EQ(found.cameras[c].changes[0].frames, 9);
    EXPECT_NEAR(static_cast<double>(found.cameras[c].changes[0].base_frame), 400, 50);
  }
}

// An hour of signals without pictures: lines on which somebody is or is not, seen by two cameras with noise
// of their own.
TEST(Alignment, AnHourWithDrift) {
  constexpr int64_t kFrames = 90000;
  constexpr int kLines = 12;
  constexpr double kOffset = 17.3, kDrift_ppm = 50;
  std::mt19937 random(51);
  std::normal_distribution<double> noise;
  // Presence on a line changes about once a second; known on tenths of frames.
  std::vector<std::vector<float>> scene(kLines);
  for (std::vector<float>& line : scene) {
    float now = 0;
    for (int64_t i = 0; i < (kFrames + 100) * 10; ++i) {
      if (random() % 250 == 0) now = now > 0 ? 0.0f : 20.0f;
      line.push_back(now);
    }
  }
  const auto make = [&](double offset, double drift_ppm) {
    LineSignals signals;
    signals.lines = kLines;
    for (int64_t k = 0; k < kFrames; ++k) {
      const double moment = (static_cast<double>(k) - offset) / (1 + 1e-6 * drift_ppm) + 50;
      for (const std::vector<float>& line : scene) {
        const auto at = static_cast<size_t>(std::clamp<double>(moment * 10, 0, (kFrames + 99) * 10.0));
        signals.values.push_back(static_cast<float>(std::max(0.0, line[at] + 6 * noise(random))));
      }
      signals.valid.push_back(1);
    }
    return signals;
  };
  PairSignals pair{0, 1, make(0, 0), make(kOffset, kDrift_ppm), {}, -60, 60};
  const SyncEstimate found = estimate({pair}, 2);
  ASSERT_TRUE(found.cameras[1].offset_frames) << describe(found);
  EXPECT_NEAR(*found.cameras[1].offset_frames, kOffset, 0.1) << describe(found);
  EXPECT_NEAR(found.cameras[1].drift_ppm, kDrift_ppm, 1) << describe(found);
  EXPECT_TRUE(found.cameras[1].changes.empty()) << describe(found);
  std::cout << describe(found);
}

TEST(Alignment, AMotionlessSceneAbstains) {
  std::vector<test::CameraClock> clocks(3);
  const auto people = test::MovingPeople::make(3, 4, 4, 61);
  std::vector<PairSignals> signals = people.signals(clocks, 10, 48, 100);
  for (PairSignals& pair : signals)
    for (LineSignals* side : {&pair.a, &pair.b}) {
      const std::vector<float> frame(side->values.begin(), side->values.begin() + side->lines);
      side->values.clear();
      for (int t = 0; t < 300; ++t) side->values.insert(side->values.end(), frame.begin(), frame.end());
      side->valid.assign(300, 1);
    }
  const SyncEstimate found = estimate(signals, 3);
  for (size_t c = 1; c < 3; ++c) {
    EXPECT_FALSE(found.cameras[c].offset_frames) << describe(found);
    EXPECT_NE(found.cameras[c].reason.find("too quiet"), std::string::npos) << describe(found);
  }
}

// Two cameras that look at different scenes: whatever they see, nothing goes together.
TEST(Alignment, DifferentScenesAbstain) {
  for (int seed = 71; seed < 71 + 2 * seeds(); ++seed) {
    const auto one = test::MovingPeople::make(2, 4, 12, static_cast<uint64_t>(seed));
    const auto other = test::MovingPeople::make(2, 4, 12, static_cast<uint64_t>(seed) + 1000);
    const std::vector<test::CameraClock> clocks(2);
    std::vector<PairSignals> signals = one.signals(clocks, 300, 48, 100);
    signals[0].b = other.signals(clocks, 300, 48, 100)[0].b;
    const SyncEstimate found = estimate(signals, 2);
    EXPECT_FALSE(found.cameras[1].offset_frames) << "seed " << seed << "\n" << describe(found);
    EXPECT_NE(found.cameras[1].reason.find("no clear peak"), std::string::npos) << describe(found);
  }
}

TEST(Alignment, TheWrongPairIsNamed) {
  std::vector<test::CameraClock> clocks(4);
  clocks[1].offset_frames = 9, clocks[3].offset_frames = -14;
  const auto people = test::MovingPeople::make(4, 4, 12, 81);
  std::vector<PairSignals> signals = people.signals(clocks, 300, 48, 100);
  // Somebody else's recording of the second camera, for this pair only: ten frames late.
  PairSignals& wrong = signals[3];
  ASSERT_EQ(wrong.first, 1);
  ASSERT_EQ(wrong.second, 2);
  wrong.b.values.erase(wrong.b.values.begin(), wrong.b.values.begin() + 10 * wrong.b.lines);
  wrong.b.valid.resize(wrong.b.valid.size() - 10);
  const SyncEstimate found = estimate(signals, 4);
  for (const PairEstimate& pair : found.pairs)
    EXPECT_EQ(pair.used, !(pair.first == 1 && pair.second == 2)) << describe(found);
  EXPECT_NEAR(found.pairs[3].residual_frames, -10, 0.5) << describe(found);
  EXPECT_EQ(std::lround(*found.cameras[1].offset_frames), 9);
  EXPECT_EQ(std::lround(*found.cameras[2].offset_frames), 0);
  EXPECT_EQ(std::lround(*found.cameras[3].offset_frames), -14);
}

TEST(Alignment, ThePublishedLikelihood) {
  std::vector<test::CameraClock> clocks(4);
  clocks[2].offset_frames = 23;
  const auto people = test::MovingPeople::make(4, 4, 20, 91);
  const std::vector<PairSignals> signals = people.signals(clocks, 500, 48, 80);
  for (const bool adaptive : {false, true}) {
    SyncParameters parameters;
    parameters.method = SyncMethod::published;
    parameters.adaptive_prior = adaptive;
    parameters.window_frames = adaptive ? 100 : 250;
    const SyncEstimate found = estimate(signals, 4, parameters);
    // Cameras that face each other see people at much the same size; the others it gets wrong.
    EXPECT_EQ(found.pairs[1].offset_frames.value_or(NAN), 23) << describe(found);
  }
}

TEST(Reconcile, OneWrongEdgeAmongSix) {
  const double truth[] = {0, 12, -7.25, 30};
  std::vector<OffsetEdge> edges;
  for (int i = 0; i < 4; ++i)
    for (int j = i + 1; j < 4; ++j) edges.push_back({i, j, truth[j] - truth[i], 0.1});
  edges[4].difference += 25;
  const auto offsets = reconcile_offsets(4, 0, &edges);
  for (size_t c = 0; c < 4; ++c) EXPECT_NEAR(offsets[c].value().value, truth[c], 1e-6);
  for (size_t e = 0; e < edges.size(); ++e) EXPECT_EQ(edges[e].used, e != 4);
  EXPECT_NEAR(edges[4].residual, 25, 1e-6);
}

TEST(Reconcile, CamerasApartHaveNoOffset) {
  std::vector<OffsetEdge> edges = {{0, 1, 3, 0.1}, {2, 3, 5, 0.1}};
  const auto offsets = reconcile_offsets(4, 1, &edges);
  EXPECT_NEAR(offsets[0].value().value, -3, 1e-9);
  EXPECT_NEAR(offsets[1].value().value, 0, 1e-9);
  EXPECT_FALSE(offsets[2]);
  EXPECT_FALSE(offsets[3]);
}

TEST(EpipolarLines, ASharedPointLiesOnBothLines) {
  const auto people = test::MovingPeople::make(4, 1, 1, 5);
  const VoxelGrid volume = people.volume();
  for (size_t other = 1; other < 4; ++other) {
    const Camera &a = people.scene().cameras[0], &b = people.scene().cameras[other];
    const EpipolarLines twins = choose_epipolar_lines(a, b, volume, 24);
    EXPECT_GT(twins.overlap, 0.2);
    ASSERT_EQ(twins.first.size(), 24u);
    const Eigen::Vector3d along = (b.center_in_world_m() - a.center_in_world_m()).normalized();
    for (size_t r = 0; r < 24; ++r) {
      // Both lines lie in one plane through both centres.
      const auto normal = [&](const LineSegment& line) {
        const Eigen::Vector3d end(line.a_in_world_m);
        return along.cross(end - a.center_in_world_m()).normalized().eval();
      };
      const auto other_end = [&](const LineSegment& line) {
        const Eigen::Vector3d end(line.b_in_world_m);
        return along.cross(end - a.center_in_world_m()).normalized().eval();
      };
      const Eigen::Vector3d plane = normal(twins.first[r]);
      for (const Eigen::Vector3d& also :
           {other_end(twins.first[r]), normal(twins.second[r]), other_end(twins.second[r])})
        EXPECT_NEAR(std::abs(plane.dot(also)), 1, 1e-9) << "cam" << other + 1 << ", line " << r;
    }
  }
}

TEST(EpipolarLines, CamerasBackToBackHaveNone) {
  const auto people = test::MovingPeople::make(4, 1, 1, 5);
  const Camera& camera = people.scene().cameras[0];
  VoxelGrid behind = people.volume();
  behind.origin_in_world_m[0] += 100;
  const EpipolarLines twins = choose_epipolar_lines(camera, people.scene().cameras[1], behind, 24);
  EXPECT_EQ(twins.overlap, 0);
  EXPECT_TRUE(twins.first.empty());
}

}  // namespace
}  // namespace vantage
