#include "tools/head_training/detail/boosting.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/heads/head_window.h"
#include "core/synth/random.h"

namespace vantage::head_training {
namespace {

constexpr float kSmoothing = 1e-3f;     // of the weights in a table's entry: a dozen samples
constexpr int kAllFeaturesRounds = 10;  // later rounds look at every third code, by lot

using Histogram = std::array<float, 256>;

Histogram weigh(const uint8_t* codes, std::span<const float> weights) {
  Histogram sum{};
  for (size_t i = 0; i < weights.size(); ++i) sum[codes[i]] += weights[i];
  return sum;
}

}  // namespace

const std::vector<Feature>& all_features() {
  static const std::vector<Feature> features = [] {
    std::vector<Feature> all;
    for (int i = 0; i < kHeadBlockCount; ++i) {
      const int places = kHeadWindow - 3 * kHeadBlocks[i] + 1;
      for (int y = 0; y < places; ++y)
        for (int x = 0; x < places; ++x)
          all.push_back({static_cast<uint8_t>(i), static_cast<uint8_t>(x), static_cast<uint8_t>(y)});
    }
    return all;
  }();
  return features;
}

Sample sample_at(const HeadPlanes& planes, const HeadLevel& level, int x, int y) {
  Sample sample;
  sample.reserve(all_features().size());
  const uint8_t* window = planes.codes(level, 0) + static_cast<size_t>(y) * level.stride + x;
  for (const Feature& feature : all_features())
    sample.push_back(window[feature.block * planes.plane_bytes() + feature.y * level.stride + feature.x]);
  return sample;
}

void SampleSet::add(const Sample& sample, int32_t score) {
  samples_.insert(samples_.end(), sample.begin(), sample.end());
  scores_.push_back(score);
  weights_.push_back(0);
}

void SampleSet::arrange() {
  const size_t features = all_features().size(), count = size();
  by_feature_.resize(features * count);
  constexpr size_t kTile = 64;
  tbb::parallel_for(size_t{0}, (features + kTile - 1) / kTile, [&](size_t tile) {
    const size_t end = std::min(features, (tile + 1) * kTile);
    for (size_t i = 0; i < count; ++i)
      for (size_t f = tile * kTile; f < end; ++f) by_feature_[f * count + i] = samples_[i * features + f];
  });
  samples_ = {};
  arranged_ = true;
}

const uint8_t* SampleSet::codes(size_t feature) {
  if (!arranged_) arrange();
  return by_feature_.data() + feature * size();
}

void SampleSet::add_scores(size_t feature, const WeakHeadClassifier& weak) {
  const uint8_t* values = codes(feature);
  for (size_t i = 0; i < size(); ++i) scores_[i] += weak.table[values[i]];
}

void SampleSet::update_weights(double sign, double unit) {
  double sum = 0;
  for (size_t i = 0; i < size(); ++i) sum += std::exp(-sign * unit * scores_[i]);
  for (size_t i = 0; i < size(); ++i)
    weights_[i] = static_cast<float>(0.5 * std::exp(-sign * unit * scores_[i]) / sum);
}

void SampleSet::remove_below(int32_t score) {
  std::vector<size_t> kept;
  for (size_t i = 0; i < size(); ++i)
    if (scores_[i] >= score) kept.push_back(i);
  const size_t before = size();
  if (kept.size() == before) return;
  std::vector<uint8_t> codes(all_features().size() * kept.size());
  tbb::parallel_for(size_t{0}, all_features().size(), [&](size_t f) {
    const uint8_t* from = by_feature_.data() + f * before;
    uint8_t* to = codes.data() + f * kept.size();
    for (const size_t i : kept) *to++ = from[i];
  });
  by_feature_ = std::move(codes);
  for (size_t k = 0; k < kept.size(); ++k) scores_[k] = scores_[kept[k]];
  scores_.resize(kept.size());
  weights_.resize(kept.size());
}

Booster::Booster(int rounds, double alpha, uint64_t seed) : rounds_(rounds), alpha_(alpha), seed_(seed) {}

size_t Booster::choose(const HeadModel& model, WeakHeadClassifier* weak) {
  const size_t features = all_features().size();
  synth::Random random(seed_, model.weak.size());
  const bool every = static_cast<int>(model.weak.size()) < kAllFeaturesRounds;
  std::vector<size_t> asked;
  for (size_t f = 0; f < features; ++f)
    if (every || random.below(3) == 0) asked.push_back(f);
  heads_.codes(0), others_.codes(0);  // arranged before the threads ask
  std::vector<double> left(asked.size());
  tbb::parallel_for(size_t{0}, asked.size(), [&](size_t i) {
    const Histogram yes = weigh(heads_.codes(asked[i]), heads_.weights());
    const Histogram no = weigh(others_.codes(asked[i]), others_.weights());
    for (size_t v = 0; v < yes.size(); ++v)
      left[i] += std::sqrt(double{yes[v] + kSmoothing} * (no[v] + kSmoothing));
  });
  const size_t best = asked[std::min_element(left.begin(), left.end()) - left.begin()];
  const Feature& feature = all_features()[best];
  weak->block = feature.block, weak->x = feature.x, weak->y = feature.y;
  const Histogram yes = weigh(heads_.codes(best), heads_.weights());
  const Histogram no = weigh(others_.codes(best), others_.weights());
  for (size_t v = 0; v < yes.size(); ++v) {
    const double h = 0.5 * std::log((yes[v] + kSmoothing) / (no[v] + kSmoothing));
    weak->table[v] = static_cast<int8_t>(std::clamp(std::lround(h / model.score_unit), -127L, 127L));
  }
  return best;
}

int16_t Booster::threshold(const HeadModel& model) const {
  std::vector<int32_t> heads(kept_.scores().begin(), kept_.scores().end());
  std::vector<int32_t> others(others_.scores().begin(), others_.scores().end());
  std::sort(heads.begin(), heads.end());
  std::sort(others.begin(), others.end());
  const double first = static_cast<double>(kept_at_first_), t = static_cast<double>(model.weak.size());
  const double lost = first - static_cast<double>(heads.size());
  const double may_lose = alpha_ * first * std::min(1.0, 2 * (t + 1) / rounds_) - lost;
  int32_t chosen = INT16_MIN;
  for (size_t k = 0; k < heads.size() && static_cast<double>(k) <= std::max(0.0, may_lose); ++k) {
    const double share_of_heads = (static_cast<double>(k) + 0.5) / static_cast<double>(heads.size());
    const auto below = std::lower_bound(others.begin(), others.end(), heads[k]) - others.begin();
    const double share_of_others =
        static_cast<double>(below) / std::max<double>(1, static_cast<double>(others.size()));
    if (share_of_others >= share_of_heads / alpha_) chosen = heads[k];
  }
  return static_cast<int16_t>(std::clamp<int32_t>(chosen, INT16_MIN, INT16_MAX));
}

void Booster::step(HeadModel* model) {
  if (model->weak.empty()) kept_at_first_ = kept_.size();
  heads_.update_weights(+1, model->score_unit);
  others_.update_weights(-1, model->score_unit);
  WeakHeadClassifier weak;
  const size_t feature = choose(*model, &weak);
  for (SampleSet* set : {&heads_, &kept_, &others_}) set->add_scores(feature, weak);
  weak.reject_below = threshold(*model);
  for (SampleSet* set : {&heads_, &kept_, &others_}) set->remove_below(weak.reject_below);
  model->weak.push_back(weak);
}

}  // namespace vantage::head_training
