#include "core/image/grown.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <vector>

namespace vantage {
namespace {

// 1 where a pixel of the row is within the margin of one that is not 0.
void mark_in_row(const uint8_t* from, int width, int margin, uint8_t* marked) {
  int last = -margin - 1;
  for (int x = 0; x < width; ++x) {
    if (from[x]) last = x;
    marked[x] = x - last <= margin;
  }
  last = width + margin;
  for (int x = width - 1; x >= 0; --x) {
    if (from[x]) last = x;
    if (last - x <= margin) marked[x] = 1;
  }
}

// Columns from `begin` on: how many marked rows are around each pixel.
void mark_in_columns(const ImageView<const uint8_t>& marked, int begin, int end, int margin,
                     const ImageView<uint8_t>& to) {
  const int count = end - begin;
  std::vector<uint32_t> around(static_cast<size_t>(count));
  const auto enter = [&](int y) {
    if (y >= marked.height) return;
    for (int x = 0; x < count; ++x) around[static_cast<size_t>(x)] += marked.row(y)[begin + x];
  };
  const auto leave = [&](int y) {
    if (y < 0) return;
    for (int x = 0; x < count; ++x) around[static_cast<size_t>(x)] -= marked.row(y)[begin + x];
  };
  for (int y = 0; y < margin; ++y) enter(y);
  for (int y = 0; y < marked.height; ++y) {
    enter(y + margin);
    leave(y - margin - 1);
    for (int x = 0; x < count; ++x) to.row(y)[begin + x] = around[static_cast<size_t>(x)] ? 255 : 0;
  }
}

}  // namespace

Result<Image> grown(const ImageView<const uint8_t>& mask, int margin_px, BufferPool& pool) {
  VANTAGE_ASSIGN(Image rows, Image::make(ImageType::u8, mask.width, mask.height, pool));
  VANTAGE_ASSIGN(Image image, Image::make(ImageType::u8, mask.width, mask.height, pool));
  const ImageView<uint8_t> marked = rows.writable_view<uint8_t>(), to = image.writable_view<uint8_t>();
  tbb::parallel_for(0, mask.height,
                    [&](int y) { mark_in_row(mask.row(y), mask.width, margin_px, marked.row(y)); });
  constexpr int kColumns = 128;
  tbb::parallel_for(tbb::blocked_range<int>(0, mask.width, kColumns),
                    [&](const tbb::blocked_range<int>& part) {
                      mark_in_columns(marked, part.begin(), part.end(), margin_px, to);
                    });
  return image;
}

}  // namespace vantage
