// Boosting of table classifiers with a sequential test, on samples that are codes.
//
// Real AdaBoost (R. Schapire, Y. Singer, 1999): of all codes the one whose table h = ln(W+ / W-) / 2, W+ and
// W- being the weights of heads and others with that value, leaves the smallest Z = 2 sum sqrt(W+ W-).
// Weights are exp(-+ score), each class summing to a half; h is rounded to the model's unit before the next
// round sees it.
//
// WaldBoost's test with beta = 0: windows leave where p(score | other) / p(score | head) >= 1 / alpha. The
// densities are compared as shares below the threshold, heads counted on a part kept from the boosting;
// since the ratio is estimated again on the windows that are left after each bootstrap, it alone would not
// bound what is lost in all: after step t of T at most alpha * min(1, 2 (t + 1) / T) of the kept heads have
// been rejected.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/heads/head_model.h"
#include "core/heads/head_planes.h"

namespace vantage::head_training {

struct Feature {
  uint8_t block, x, y;
};
const std::vector<Feature>& all_features();  // every code that fits the window

// The codes of one window in the order of all_features().
using Sample = std::vector<uint8_t>;
Sample sample_at(const HeadPlanes& planes, const HeadLevel& level, int x, int y);

// Samples of one kind with what the classifiers so far say about each.
class SampleSet {
 public:
  void add(const Sample& sample, int32_t score);  // before the first codes()
  size_t size() const { return scores_.size(); }
  std::span<const int32_t> scores() const { return scores_; }
  std::span<const float> weights() const { return weights_; }
  const uint8_t* codes(size_t feature);  // one per sample
  void add_scores(size_t feature, const WeakHeadClassifier& weak);
  void update_weights(double sign, double unit);  // sum to a half
  void remove_below(int32_t score);

 private:
  void arrange();
  std::vector<uint8_t> samples_, by_feature_;  // sample by sample, until asked for feature by feature
  std::vector<int32_t> scores_;
  std::vector<float> weights_;
  bool arranged_ = false;
};

class Booster {
 public:
  Booster(int rounds, double alpha, uint64_t seed);
  SampleSet& heads() { return heads_; }
  SampleSet& kept_heads() { return kept_; }
  SampleSet& others() { return others_; }

  // Adds a weak classifier to the model, with its threshold, and removes what it rejects.
  void step(HeadModel* model);

 private:
  size_t choose(const HeadModel& model, WeakHeadClassifier* weak);
  int16_t threshold(const HeadModel& model) const;

  int rounds_;
  double alpha_;
  uint64_t seed_;
  SampleSet heads_, kept_, others_;
  size_t kept_at_first_ = 0;
};

}  // namespace vantage::head_training
