// Weights of pairs that are sure of what is so, and of what is not.
#include "core/sync/detail/evidence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace vantage::sync_detail {
namespace {

constexpr int kLines = 32, kFrames = 500;
constexpr double kRate = 25, kStep_frames = 12;

// People on lines of their own: smooth noise, the same in both cameras up to `own` of either's.
PairSignals people(double own, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  PairSignals pair;
  pair.first = 0, pair.second = 1, pair.lowest_lag = -60, pair.highest_lag = 60;
  for (LineSignals* side : {&pair.a, &pair.b}) side->lines = kLines, side->valid.assign(kFrames, 1);
  std::vector<double> common(kLines), first(kLines), second(kLines);
  const auto next = [&](double& value) { return value = 0.7 * value + 0.7 * normal(random); };
  for (int t = 0; t < kFrames; ++t)
    for (size_t r = 0; r < kLines; ++r) {
      const double shared = next(common[r]);
      pair.a.values.push_back(static_cast<float>(shared + own * next(first[r])));
      pair.b.values.push_back(static_cast<float>(shared + own * next(second[r])));
    }
  return pair;
}

// Every eight seconds, for one, they walk in step, and the second camera sees the other leg.
void walk_in_step(PairSignals* pair) {
  for (int t = 0; t < kFrames; ++t) {
    if (t % 200 >= 25) continue;
    const double phase = 2 * M_PI * t / kStep_frames;
    for (int r = 0; r < kLines / 4; ++r) {
      const auto at = static_cast<size_t>(t * kLines + r);
      pair->a.values[at] += static_cast<float>(3 * std::sin(phase));
      pair->b.values[at] -= static_cast<float>(3 * std::sin(phase));
    }
  }
}

double weight_of(const PairSignals& signals) {
  PairOptions how;
  how.presence = 0;
  std::vector<PairAnalysis> pairs = {analyse_pair(signals, how)};
  EXPECT_TRUE(pairs[0].estimate.offset_frames) << pairs[0].estimate.reason;
  pairs[0].estimate.used = true;
  pairs[0].estimate.offset_frames = 0;
  EstimateOptions options;
  options.cameras = 2, options.frame_rate = kRate;
  std::vector<CameraAlignment> cameras(2);
  for (CameraAlignment& camera : cameras) camera.offset_frames = 0;
  const AlignedPairs aligned(pairs, options, cameras);
  Evidence evidence(aligned);
  evidence.set_span(aligned.span());
  return pair_weights(aligned, evidence, evidence.span().end - 3 * kRate)[0];
}

TEST(PairWeights, APairThatSaysTheSameAllAlongIsBelieved) {
  for (const uint64_t seed : {1, 2, 3}) EXPECT_EQ(weight_of(people(0.5, seed)), 1.0) << "seed " << seed;
}

TEST(PairWeights, APairThatIsSureOfWhatIsNotSoIsHardlyBelieved) {
  for (const uint64_t seed : {1, 2, 3}) {
    PairSignals pair = people(0.6, seed);
    walk_in_step(&pair);
    EXPECT_LT(weight_of(pair), 0.5) << "seed " << seed;
  }
}

TEST(PairWeights, WithoutFramesToLearnFromAPairIsTakenAsItIs) {
  const std::vector<PairAnalysis> pairs = {analyse_pair(people(0.5, 1), {})};
  EstimateOptions options;
  options.cameras = 2, options.frame_rate = kRate;
  std::vector<CameraAlignment> cameras(2);
  const AlignedPairs aligned(pairs, options, cameras);
  Evidence evidence(aligned);
  EXPECT_EQ(pair_weights(aligned, evidence, 0), std::vector<double>{1.0});
}

}  // namespace
}  // namespace vantage::sync_detail
