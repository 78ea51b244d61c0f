// Pictures and images with random content, padding included: nothing may depend on what lies between the
// rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>

#include "core/image/picture.h"

namespace vantage::test {

inline void fill_random(const BufferRef& buffer, std::mt19937& random) {
  for (const std::span<std::byte> bytes(buffer->data(), buffer->size_bytes()); std::byte & byte : bytes)
    byte = static_cast<std::byte>(random());
}

inline Picture random_picture(PictureLayout layout, int width, int height, std::mt19937& random) {
  Picture picture = Picture::make({layout, width, height}, HostPool::shared()).value();
  fill_random(picture.buffer(), random);
  return picture;
}

inline Image random_image(int width, int height, std::mt19937& random) {
  Image image = Image::make(ImageType::u8, width, height, HostPool::shared()).value();
  fill_random(image.buffer(), random);
  return image;
}

inline Image constant_image(int width, int height, uint8_t value) {
  Image image = Image::make(ImageType::u8, width, height, HostPool::shared()).value();
  std::memset(image.buffer()->data(), value, image.size_bytes());
  return image;
}

template <typename T>
bool same_pixels(const Image& a, const Image& b) {
  const ImageView<const T> va = a.view<T>(), vb = b.view<T>();
  if (va.width != vb.width || va.height != vb.height) return false;
  for (int y = 0; y < va.height; ++y)
    if (!std::equal(va.row(y), va.row(y) + va.width, vb.row(y))) return false;
  return true;
}

}  // namespace vantage::test
