#include "core/synth/detail/image_degradation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/synth/random.h"

namespace vantage::synth {
namespace {

uint8_t to_byte(double value) {
  return static_cast<uint8_t>(std::clamp(std::lround(value), 0L, 255L));
}

// Filters `count` samples `distance` apart by symmetric weights; the border is repeated.
void filter(uint8_t* line, int count, size_t distance, const std::vector<double>& weights,
            std::vector<uint8_t>* scratch) {
  scratch->resize(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i)
    (*scratch)[static_cast<size_t>(i)] = line[static_cast<size_t>(i) * distance];
  const int radius = static_cast<int>(weights.size()) / 2;
  for (int i = 0; i < count; ++i) {
    double sum = 0;
    for (int k = -radius; k <= radius; ++k)
      sum += weights[static_cast<size_t>(k + radius)] *
             (*scratch)[static_cast<size_t>(std::clamp(i + k, 0, count - 1))];
    line[static_cast<size_t>(i) * distance] = to_byte(sum);
  }
}

void filter_picture(ImageView<uint8_t> picture, const std::vector<double>& weights, bool rows, bool columns) {
  std::vector<uint8_t> scratch;
  for (int y = 0; rows && y < picture.height; ++y)
    filter(picture.row(y), picture.width, 1, weights, &scratch);
  for (int x = 0; columns && x < picture.width; ++x)
    filter(picture.data + x, picture.height, picture.stride_bytes, weights, &scratch);
}

std::vector<double> gaussian(double sigma) {
  const int radius = static_cast<int>(std::ceil(2.5 * sigma));
  std::vector<double> weights;
  double sum = 0;
  for (int k = -radius; k <= radius; ++k) {
    weights.push_back(std::exp(-0.5 * k * k / (sigma * sigma)));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

constexpr int kBlock = 8;
using Block = std::array<float, kBlock * kBlock>;

const Block& cosines() {
  static const Block table = [] {
    Block t{};
    for (int k = 0; k < kBlock; ++k)
      for (int i = 0; i < kBlock; ++i)
        t[static_cast<size_t>(k * kBlock + i)] =
            static_cast<float>(std::sqrt((k == 0 ? 1.0 : 2.0) / kBlock) *
                               std::cos((2 * i + 1) * k * std::numbers::pi / (2 * kBlock)));
    return t;
  }();
  return table;
}

// out = C in C^T, or C^T in C.
Block transform(const Block& in, bool forward) {
  const Block& c = cosines();
  const auto entry = [&](int k, int i) {
    return c[static_cast<size_t>(forward ? k * kBlock + i : i * kBlock + k)];
  };
  Block half{}, out{};
  for (int k = 0; k < kBlock; ++k)
    for (int x = 0; x < kBlock; ++x)
      for (int i = 0; i < kBlock; ++i)
        half[static_cast<size_t>(k * kBlock + x)] += entry(k, i) * in[static_cast<size_t>(i * kBlock + x)];
  for (int y = 0; y < kBlock; ++y)
    for (int k = 0; k < kBlock; ++k)
      for (int i = 0; i < kBlock; ++i)
        out[static_cast<size_t>(y * kBlock + k)] += entry(k, i) * half[static_cast<size_t>(y * kBlock + i)];
  return out;
}

// Coarser for higher frequencies, as codecs' tables are.
void round_blocks(double rounding, ImageView<uint8_t> picture) {
  for (int by = 0; by + kBlock <= picture.height; by += kBlock)
    for (int bx = 0; bx + kBlock <= picture.width; bx += kBlock) {
      Block block;
      for (int i = 0; i < kBlock * kBlock; ++i)
        block[static_cast<size_t>(i)] = picture.at(bx + i % kBlock, by + i / kBlock);
      Block coded = transform(block, true);
      for (int i = 0; i < kBlock * kBlock; ++i) {
        const auto step = static_cast<float>(rounding * (0.5 + 0.15 * (i % kBlock + i / kBlock)));
        float& value = coded[static_cast<size_t>(i)];
        value = std::round(value / step) * step;
      }
      block = transform(coded, false);
      for (int i = 0; i < kBlock * kBlock; ++i)
        picture.at(bx + i % kBlock, by + i / kBlock) = to_byte(block[static_cast<size_t>(i)]);
    }
}

}  // namespace

ImageDegradation random_degradation(uint64_t seed) {
  Random random(seed, 0x77656172);
  ImageDegradation degradation;
  if (random.uniform() < 0.6) degradation.blur_px = random.uniform(0.3, 1.3);
  if (random.uniform() < 0.1) degradation.motion_px = 3 + 2 * random.below(3);
  degradation.contrast = random.uniform() < 0.5 ? 1 : random.uniform(0.55, 1.4);
  degradation.brightness = random.uniform(-25, 25);
  degradation.noise = random.uniform() < 0.7 ? random.uniform(0.5, 2) : random.uniform(2, 4);
  if (random.uniform() < 0.6) degradation.rounding = random.uniform(4, 24);
  return degradation;
}

void degrade(const ImageDegradation& degradation, uint64_t seed, ImageView<uint8_t> picture) {
  if (degradation.blur_px > 0) filter_picture(picture, gaussian(degradation.blur_px), true, true);
  if (degradation.motion_px > 1)
    filter_picture(
        picture, std::vector<double>(static_cast<size_t>(degradation.motion_px), 1.0 / degradation.motion_px),
        true, false);
  Random random(seed, 0x6e6f6973);
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x) {
      const double noise =
          (random.uniform() + random.uniform() + random.uniform() - 1.5) * 2 * degradation.noise;
      picture.at(x, y) =
          to_byte(128 + degradation.brightness + degradation.contrast * (picture.at(x, y) - 128.0) + noise);
    }
  if (degradation.rounding > 0) round_blocks(degradation.rounding, picture);
}

}  // namespace vantage::synth
