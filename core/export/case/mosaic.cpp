#include "core/export/case/mosaic.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace vantage {
namespace {

constexpr int kColorStep = 8;           // of 256: what is left of a mean
constexpr double kHeadShare = 1.0 / 7;  // of a body's height

uint8_t coarse(int64_t sum, int64_t count) {
  const auto mean = static_cast<int>((sum + count / 2) / count);
  return static_cast<uint8_t>(std::min(255, mean / kColorStep * kColorStep + kColorStep / 2));
}

// One square of a plane: `size` samples, quads of `quad` samples.
void fill_square(const ImageView<const uint8_t>& from, const ImageView<const uint8_t>& levels, int level,
                 int left, int top, int size, int quad, const ImageView<uint8_t>& to) {
  const int right = std::min(left + size, from.width), bottom = std::min(top + size, from.height);
  bool wanted = false;
  for (int y = top / quad; y <= (bottom - 1) / quad && !wanted; ++y)
    for (int x = left / quad; x <= (right - 1) / quad && !wanted; ++x) wanted = levels.at(x, y) == level;
  if (!wanted) return;
  int64_t sum = 0;
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) sum += from.at(x, y);
  const uint8_t color = coarse(sum, int64_t{right - left} * (bottom - top));
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x)
      if (levels.at(x / quad, y / quad) == level) to.at(x, y) = color;
}

void fill_plane(const ImageView<const uint8_t>& from, const ImageView<const uint8_t>& levels, int level,
                int quad, const ImageView<uint8_t>& to) {
  const int size = (1 << level) / 2 * quad;
  const int rows = (from.height + size - 1) / size, columns = (from.width + size - 1) / size;
  tbb::parallel_for(0, rows, [&](int row) {
    for (int column = 0; column < columns; ++column)
      fill_square(from, levels, level, column * size, row * size, size, quad, to);
  });
}

}  // namespace

int mosaic_level(double height_px) {
  const double size_px = std::max(1.0, kHeadShare * height_px);
  return std::clamp(static_cast<int>(std::ceil(std::log2(size_px))), kMinMosaicLevel, kMaxMosaicLevel);
}

Result<Picture> pixelated(const Picture& picture, const Image& levels, BufferPool& pool) {
  if (picture.format().layout != PictureLayout::i420 || picture.place().kind != MemoryKind::host ||
      levels.width() != quads(picture.width()) || levels.height() != quads(picture.height()))
    return fail(ErrorKind::invalid_argument, "the picture and what is to be hidden of it do not fit");
  VANTAGE_ASSIGN(Picture hidden, Picture::make(picture.format(), pool));
  for (int p = 0; p < picture.plane_count(); ++p) {
    const ImageView<const uint8_t> from = picture.plane(p);
    for (int y = 0; y < from.height; ++y)
      std::memcpy(hidden.writable_plane(p).row(y), from.row(y), static_cast<size_t>(from.width));
  }
  const ImageView<const uint8_t> of_quads = levels.view<uint8_t>();
  bool present[kMaxMosaicLevel + 1] = {};
  for (int y = 0; y < of_quads.height; ++y)
    for (int x = 0; x < of_quads.width; ++x)
      present[std::min<int>(of_quads.at(x, y), kMaxMosaicLevel)] = true;
  for (int level = kMinMosaicLevel; level <= kMaxMosaicLevel; ++level) {
    if (!present[level]) continue;
    for (int p = 0; p < picture.plane_count(); ++p)
      fill_plane(picture.plane(p), of_quads, level, p == 0 ? 2 : 1, hidden.writable_plane(p));
  }
  return hidden;
}

}  // namespace vantage
