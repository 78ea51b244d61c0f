// Pictures for tests and benchmarks of optical flow: of a texture that is moved by any field.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>

#include "core/image/picture.h"
#include "core/synth/wave_texture.h"

namespace vantage::test {

// The texture with position(x, y) -> the point of the texture seen at pixel (x, y).
template <typename Position>
Image texture_image(const WaveTexture& texture, int width, int height, const Position& position) {
  Image image = Image::make(ImageType::u8, width, height, HostPool::shared()).value();
  const ImageView<uint8_t> out = image.writable_view<uint8_t>();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto [tx, ty] = position(x, y);
      out.at(x, y) = static_cast<uint8_t>(std::clamp(texture(tx, ty), 0.0, 255.0) + 0.5);
    }
  return image;
}

inline Image moved_texture(const WaveTexture& texture, int width, int height, double dx, double dy) {
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
