// Pictures for tests and benchmarks of optical flow: a smooth random texture that can be sampled anywhere, so
// that a second picture can be the first one moved by any field.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "core/image/picture.h"

namespace vantage::test {

class Texture {
 public:
  explicit Texture(uint64_t seed, double shortest_wave_px = 6, double longest_wave_px = 60) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    for (int i = 0; i < 40; ++i) {
      const double length = shortest_wave_px * std::pow(longest_wave_px / shortest_wave_px, unit(random));
      const double angle = 6.2831853 * unit(random), wave = 6.2831853 / length;
      waves_.push_back({wave * std::cos(angle), wave * std::sin(angle), 6.2831853 * unit(random)});
    }
  }
  double operator()(double x, double y) const {
    double sum = 0;
    for (const Wave& wave : waves_) sum += std::sin(wave.x * x + wave.y * y + wave.phase);
    return 128 + 100 * sum / std::sqrt(static_cast<double>(waves_.size()) * 4);
  }

 private:
  struct Wave {
    double x, y, phase;
  };
  std::vector<Wave> waves_;
};

// The texture with position(x, y) -> the point of the texture seen at pixel (x, y).
template <typename Position>
Image texture_image(const Texture& texture, int width, int height, const Position& position) {
  Image image = Image::make(ImageType::u8, width, height, HostPool::shared()).value();
  const ImageView<uint8_t> out = image.writable_view<uint8_t>();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto [tx, ty] = position(x, y);
      out.at(x, y) = static_cast<uint8_t>(std::clamp(texture(tx, ty), 0.0, 255.0) + 0.5);
    }
  return image;
}

inline Image moved_texture(const Texture& texture, int width, int height, double dx, double dy) {
  return texture_image(texture, width, height, [&](int x, int y) { return std::pair(x - dx, y - dy); });
}

inline Image noise_image(uint64_t seed, int width, int height) {
  std::mt19937_64 random(seed);
  Image image = Image::make(ImageType::u8, width, height, HostPool::shared()).value();
  const ImageView<uint8_t> out = image.writable_view<uint8_t>();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) out.at(x, y) = static_cast<uint8_t>(random() >> 56);
  return image;
}

}  // namespace vantage::test
