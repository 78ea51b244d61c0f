// Pictures of a scene with texture, seen by a camera that shakes.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <random>
#include <utility>
#include <vector>

#include "core/image/picture.h"

namespace vantage::test {

// Waves in random directions, 12 to 60 px long: a scene that is known at every place, also between pixels.
class TexturedScene {
 public:
  explicit TexturedScene(uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    for (Wave& wave : waves_) {
      const double length_px = 12 + 48 * unit(random), angle = 6.283 * unit(random);
      wave = {6.283 / length_px * std::cos(angle), 6.283 / length_px * std::sin(angle), 6.283 * unit(random)};
    }
  }

  double luma(double x, double y) const {
    double sum = 0;
    for (const Wave& wave : waves_) sum += std::sin(wave.x * x + wave.y * y + wave.phase);
    return 120 + 12 * sum;
  }

  // Moved by (dx, dy) px to the right and below, and in the light gain * luma + offset. Chroma has the
  // scene's texture, too.
  Picture seen(int width, int height, double dx, double dy, std::mt19937& random, double noise = 1,
               double gain = 1, double offset = 0, PictureLayout layout = PictureLayout::i420) const {
    std::normal_distribution<double> jitter(0, 1);
    Picture picture = Picture::make({layout, width, height}, HostPool::shared()).value();
    const auto level = [&](double value) {
      return static_cast<uint8_t>(std::lround(std::clamp(value + noise * jitter(random), 0.0, 255.0)));
    };
    const Lumas lumas(waves_, {-dx, -dy}, 1, width, height);
    const ImageView<uint8_t> bright = picture.writable_plane(0);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) bright.at(x, y) = level(gain * lumas.at(x, y) + offset);
    const bool pairs = layout == PictureLayout::nv12;
    for (int c = 0; c < 2; ++c) {
      const ImageView<uint8_t> plane = picture.writable_plane(pairs ? 1 : 1 + c);
      const Lumas quads(waves_, {0.5 - dx + 40 * c, 0.5 - dy}, 2, (width + 1) / 2, (height + 1) / 2);
      for (int y = 0; y < (height + 1) / 2; ++y)
        for (int x = 0; x < (width + 1) / 2; ++x)
          plane.at(pairs ? 2 * x + c : x, y) = level(128 + 0.2 * (quads.at(x, y) - 120));
    }
    return picture;
  }

 private:
  struct Wave {
    double x = 0, y = 0, phase = 0;
  };
  using Waves = std::array<Wave, 10>;

  // luma() at a grid's places. A wave there is the sine of a sum, of the column's angle and the row's.
  class Lumas {
   public:
    Lumas(const Waves& waves, std::pair<double, double> first, double step, int width, int height) {
      for (int x = 0; x < width; ++x)
        for (const Wave& wave : waves) columns_.push_back(std::polar(1.0, wave.x * (first.first + step * x)));
      for (int y = 0; y < height; ++y)
        for (const Wave& wave : waves)
          rows_.push_back(std::polar(1.0, wave.y * (first.second + step * y) + wave.phase));
    }
    double at(int x, int y) const {
      const std::complex<double>*const column = &columns_[std::tuple_size_v<Waves> * static_cast<size_t>(x)],
                                       *const row = &rows_[std::tuple_size_v<Waves> * static_cast<size_t>(y)];
      double sum = 0;
      for (size_t i = 0; i < std::tuple_size_v<Waves>; ++i)
        sum += column[i].imag() * row[i].real() + column[i].real() * row[i].imag();
      return 120 + 12 * sum;
    }

   private:
    std::vector<std::complex<double>> columns_, rows_;  // by place and wave
  };

  Waves waves_{};
};

inline void fill_luma(Picture& picture, int left, int top, int right, int bottom, uint8_t level) {
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) picture.writable_plane(0).at(x, y) = level;
}

}  // namespace vantage::test
