#include "core/foreground/detail/gaussian_passes.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "core/foreground/light_gains.h"

namespace vantage::foreground_detail {
namespace {

using foreground::BlockRow;
using foreground::ChromaSamples;
using foreground::Neighbours;
using foreground::SceneRow;

constexpr int kRowPairsPerTask = 16, kGaussianRowsPerTask = 32;

// The rows around row y of `height`; row_of(y) gives a row.
template <typename RowOf>
Neighbours neighbours(int y, int height, const RowOf& row_of) {
  return {row_of(std::max(0, y - 1)), row_of(y), row_of(std::min(height - 1, y + 1))};
}

}  // namespace

ChromaSamples chroma_samples(const Picture& picture, int y) {
  if (picture.format().layout == PictureLayout::i420)
    return {picture.plane(1).row(y), picture.plane(2).row(y), 1};
  return {picture.plane(1).row(y), picture.plane(1).row(y) + 1, 2};
}

void GaussianPasses::start(int width, int height) {
  model_.start(width, height);
  evidence_.start(width, height);
}

void GaussianPasses::take(GaussianModel model) {
  model_ = std::move(model);
  evidence_.start(model_.width, model_.height);
}

void GaussianPasses::find_votes(const Picture& picture, const FrameLight& light,
                                const ImageView<uint8_t>& votes) {
  for_row_pairs([&](int pair, Scratch& scratch) { return block_row(picture, pair, light, scratch); });
  for_row_pairs([&](int pair, Scratch&) { return shade_pair(pair, light); });
  for_row_pairs([&](int pair, Scratch& scratch) { return distance_rows(picture, pair, light, scratch); });
  vote_rows(light, votes);
}

int64_t GaussianPasses::update(const Picture& picture, const FrameLight& light, ForegroundImages& images) {
  return for_row_pairs([&](int pair, Scratch&) { return update_row_pair(picture, pair, light, images); });
}

// Calls work(pair, scratch) for each chroma row and the one or two luma rows it covers.
// Returns the sum of what it returns: whole numbers, so the order does not matter.
int64_t GaussianPasses::for_row_pairs(const std::function<int64_t(int pair, Scratch& scratch)>& work) {
  return tbb::parallel_reduce(
      tbb::blocked_range<int>(0, model_.chroma_height(), kRowPairsPerTask), int64_t{0},
      [&](const tbb::blocked_range<int>& range, int64_t sum) {
        Scratch scratch;
        for (auto* rows : {scratch.low, scratch.high})
          for (int c = 0; c < 2; ++c) rows[c].resize(model_.width);
        for (int pair = range.begin(); pair < range.end(); ++pair) sum += work(pair, scratch);
        return sum;
      },
      std::plus<>());
}

void GaussianPasses::learn(const Picture& picture) {
  const float share = 1.0f / static_cast<float>(++model_.learnt_frames);
  for_row_pairs([&](int pair, Scratch&) {
    for (int y = 2 * pair; y < std::min(2 * pair + 2, model_.height); ++y)
      foreground::learn_row(picture.plane(0).row(y), 1, model_.width, share,
                            model_.row(GaussianModel::luma, y));
    const ChromaSamples samples = chroma_samples(picture, pair);
    const int count = model_.chroma_width();
    foreground::learn_row(samples.cb, samples.step, count, share, model_.row(GaussianModel::cb, pair));
    foreground::learn_row(samples.cr, samples.step, count, share, model_.row(GaussianModel::cr, pair));
    return int64_t{0};
  });
}

foreground::LumaRows GaussianPasses::luma_rows(const Picture& picture, int pair) {
  const int upper = 2 * pair, lower = upper + 1;
  const bool both = lower < model_.height;
  const ImageView<const uint8_t> luma = picture.plane(0);
  return {luma.row(upper), both ? luma.row(lower) : nullptr, model_.row(GaussianModel::luma, upper).mean,
          both ? model_.row(GaussianModel::luma, lower).mean : nullptr};
}

LightGains GaussianPasses::gains_of(const Picture& picture) {
  if (!(settings_.largest_change > 1.0f)) return {};
  std::array<uint32_t, size_t{kLightChannels} * kLightBins> histograms{};
  for (int pair = 0; pair < model_.height / 2; pair += kLightSpacing)
    foreground::count_light(luma_rows(picture, pair), chroma_samples(picture, pair),
                            model_.row(GaussianModel::cb, pair).mean,
                            model_.row(GaussianModel::cr, pair).mean, model_.width,
                            black_level(picture.format()), histograms.data());
  return light_gains(histograms, settings_.largest_change);
}

FrameLight GaussianPasses::light_of(const Picture& picture) {
  return frame_light(black_level(picture.format()), gains_of(picture), settings_.darkest_shadow);
}

// The scene's interval around row y of a plane.
SceneRow GaussianPasses::scene_row(GaussianModel::Plane plane, int y, float displacement,
                                   std::vector<float>& low, std::vector<float>& high) {
  const bool luma = plane == GaussianModel::luma;
  const int height = luma ? model_.height : model_.chroma_height();
  foreground::interval_row(neighbours(y, height, [&](int v) { return model_.row(plane, v).mean; }),
                           luma ? model_.width : model_.chroma_width(), displacement, low.data(),
                           high.data());
  return {low.data(), high.data(), model_.row(plane, y).variance};
}

int64_t GaussianPasses::block_row(const Picture& picture, int pair, const FrameLight& frame,
                                  Scratch& scratch) {
  const BlockRow row = evidence_.row(pair);
  foreground::light_row(luma_rows(picture, pair), model_.width, frame, row.luma, row.light, row.difference);
  const float displacement = kChromaDisplacement * settings_.displacement;
  foreground::chroma_row(chroma_samples(picture, pair), model_.chroma_width(), frame, settings_,
                         scene_row(GaussianModel::cb, pair, displacement, scratch.low[0], scratch.high[0]),
                         scene_row(GaussianModel::cr, pair, displacement, scratch.low[1], scratch.high[1]),
                         row);
  for (float* plane : {row.difference, row.cb, row.cr}) evidence_.repeat_border(plane);
  return 0;
}

int64_t GaussianPasses::shade_pair(int pair, const FrameLight& frame) {
  const BlockRow row = evidence_.row(pair);
  if (settings_.shaded_weight > 0.0f)
    foreground::shade_row(evidence_.row(std::max(0, pair - 1)), row,
                          evidence_.row(std::min(model_.chroma_height() - 1, pair + 1)),
                          model_.chroma_width(), frame, settings_);
  evidence_.repeat_border(row.chroma);
  return 0;
}

int64_t GaussianPasses::distance_rows(const Picture& picture, int pair, const FrameLight& frame,
                                      Scratch& scratch) {
  const int last = model_.chroma_height() - 1;
  const BlockRow own = evidence_.row(pair);
  for (int y = 2 * pair; y < std::min(2 * pair + 2, model_.height); ++y) {
    const BlockRow next = evidence_.row(std::clamp(y % 2 ? pair + 1 : pair - 1, 0, last));
    foreground::distance_row(
        picture.plane(0).row(y), model_.width, model_.row(GaussianModel::luma, y).mean,
        scene_row(GaussianModel::luma, y, settings_.displacement, scratch.low[0], scratch.high[0]), own.light,
        {own.chroma, own.difference, next.chroma, next.difference}, frame, settings_, evidence_.distance(y));
  }
  return 0;
}

void GaussianPasses::vote_rows(const FrameLight& frame, const ImageView<uint8_t>& votes) {
  tbb::parallel_for(tbb::blocked_range<int>(0, votes.height, kGaussianRowsPerTask), [&](const auto& range) {
    for (int y = range.begin(); y < range.end(); ++y) {
      const BlockRow blocks = evidence_.row(y / 2);
      foreground::vote_row(neighbours(y, votes.height, [&](int v) { return evidence_.distance(v); }),
                           votes.width, {blocks.luma, blocks.light}, frame, settings_, votes.row(y));
    }
  });
}

int64_t GaussianPasses::update_row_pair(const Picture& picture, int pair, const FrameLight& frame,
                                        ForegroundImages& images) {
  const int upper = 2 * pair, lower = std::min(upper + 1, model_.height - 1);
  const ImageView<const uint8_t> indicator = images.indicator.view<uint8_t>();
  const ImageView<uint8_t> mask = images.mask.writable_view<uint8_t>();
  int64_t count = 0;
  for (int y = upper; y <= lower; ++y) {
    count += foreground::mask_row(indicator.row(y), model_.width, mask.row(y));
    foreground::update_luma_row(picture.plane(0).row(y), model_.width, mask.row(y), frame, settings_,
                                model_.row(GaussianModel::luma, y));
  }
  const ChromaSamples samples = chroma_samples(picture, pair);
  const float* block_luma = evidence_.row(pair).luma;
  foreground::update_chroma_row(samples.cb, samples.step, model_.width, block_luma, frame.balance[0],
                                mask.row(upper), mask.row(lower), frame, settings_,
                                model_.row(GaussianModel::cb, pair));
  foreground::update_chroma_row(samples.cr, samples.step, model_.width, block_luma, frame.balance[1],
                                mask.row(upper), mask.row(lower), frame, settings_,
                                model_.row(GaussianModel::cr, pair));
  return count;
}

}  // namespace vantage::foreground_detail
