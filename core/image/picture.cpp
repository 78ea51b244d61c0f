#include "core/image/picture.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace vantage {

size_t padded_stride_bytes(size_t row_bytes, MemoryKind kind) {
  const size_t alignment = kind == MemoryKind::host ? 64 : 256;
  return (row_bytes + alignment - 1) / alignment * alignment;
}

Result<Picture> Picture::make(const PictureFormat& format, BufferPool& pool) {
  if (format.width <= 0 || format.height <= 0)
    return fail(ErrorKind::invalid_argument, "a picture needs a positive width and height");
  const int chroma_width = (format.width + 1) / 2, chroma_height = (format.height + 1) / 2;
  const bool planar = format.layout == PictureLayout::i420;
  const int chroma_row = planar ? chroma_width : 2 * chroma_width;
  const MemoryKind kind = pool.place().kind;
  const size_t luma_stride = padded_stride_bytes(static_cast<size_t>(format.width), kind);
  const size_t chroma_stride = padded_stride_bytes(static_cast<size_t>(chroma_row), kind);
  const size_t luma_bytes = luma_stride * static_cast<size_t>(format.height);
  const size_t chroma_bytes = chroma_stride * static_cast<size_t>(chroma_height);
  Picture picture;
  VANTAGE_ASSIGN(picture.buffer_, pool.take(luma_bytes + chroma_bytes * (planar ? 2 : 1)));
  picture.format_ = format;
  auto* base = reinterpret_cast<uint8_t*>(picture.buffer_->data());
  picture.planes_[0] = {base, format.width, format.height, luma_stride};
  picture.planes_[1] = {base + luma_bytes, chroma_row, chroma_height, chroma_stride};
  if (planar)
    picture.planes_[2] = {base + luma_bytes + chroma_bytes, chroma_row, chroma_height, chroma_stride};
  return picture;
}

size_t element_size_bytes(ImageType type) {
  switch (type) {
    case ImageType::u8:
      return 1;
    case ImageType::u16:
      return 2;
    case ImageType::u32:
    case ImageType::s32:
    case ImageType::f32:
      return 4;
  }
  return 1;
}

Result<Image> Image::make(ImageType type, int width, int height, BufferPool& pool) {
  if (width <= 0 || height <= 0)
    return fail(ErrorKind::invalid_argument, "an image needs a positive width and height");
  Image image;
  image.type_ = type;
  image.width_ = width;
  image.height_ = height;
  image.stride_bytes_ =
      padded_stride_bytes(static_cast<size_t>(width) * element_size_bytes(type), pool.place().kind);
  VANTAGE_ASSIGN(image.buffer_, pool.take(image.stride_bytes_ * static_cast<size_t>(height)));
  return image;
}

void Image::wrong_type() {
  std::fputs("Image: viewed as another type than its own\n", stderr);
  std::abort();
}

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
    for (int x = 0; x < count; ++x) around[x] += marked.row(y)[begin + x];
  };
  const auto leave = [&](int y) {
    if (y < 0) return;
    for (int x = 0; x < count; ++x) around[x] -= marked.row(y)[begin + x];
  };
  for (int y = 0; y < margin; ++y) enter(y);
  for (int y = 0; y < marked.height; ++y) {
    enter(y + margin);
    leave(y - margin - 1);
    for (int x = 0; x < count; ++x) to.row(y)[begin + x] = around[x] ? 255 : 0;
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

namespace {

template <typename F>
Result<Image> reduced(const ImageView<const uint8_t>& from, int factor, BufferPool& pool, const F& combine) {
  const auto size = [factor](int pixels) { return (pixels + factor - 1) / factor; };
  VANTAGE_ASSIGN(Image image, Image::make(ImageType::u8, size(from.width), size(from.height), pool));
  const ImageView<uint8_t> out = image.writable_view<uint8_t>();
  tbb::parallel_for(0, out.height, [&](int y) {
    const int below = std::min(from.height, (y + 1) * factor);
    for (int x = 0; x < out.width; ++x) {
      const int right = std::min(from.width, (x + 1) * factor);
      int sum = 0;
      for (int py = y * factor; py < below; ++py)
        for (int px = x * factor; px < right; ++px) sum += from.at(px, py);
      out.at(x, y) = combine(sum, (right - x * factor) * (below - y * factor));
    }
  });
  return image;
}

}  // namespace

Result<Image> reduced_mean(const ImageView<const uint8_t>& from, int factor, BufferPool& pool) {
  return reduced(from, factor, pool,
                 [](int sum, int count) { return static_cast<uint8_t>((sum + count / 2) / count); });
}

Result<Image> reduced_any(const ImageView<const uint8_t>& from, int factor, BufferPool& pool) {
  return reduced(from, factor, pool, [](int sum, int) { return static_cast<uint8_t>(sum > 0 ? 255 : 0); });
}

namespace {

static_assert(ShiftWeights::kOneSquared == 1 << 14);

// A row of samples `step` bytes apart in sums of the horizontal weights.
void weigh_row(const uint8_t* from, int samples, int step, const ShiftWeights& x, int* to) {
  const auto at = [&](int i) { return int{from[std::clamp(i, 0, samples - 1) * step]}; };
  const auto weighed = [&](int i) {
    int sum = 0;
    for (int k = 0; k < 4; ++k) sum += x.weight[k] * at(i + x.first + k);
    return sum;
  };
  const int begin = std::clamp(-x.first, 0, samples), end = std::clamp(samples - x.first - 3, begin, samples);
  for (int i = 0; i < begin; ++i) to[i] = weighed(i);
  for (int i = begin; i < end; ++i) {
    const uint8_t* first = from + static_cast<ptrdiff_t>(i + x.first) * step;
    to[i] = x.weight[0] * first[0] + x.weight[1] * first[step] + x.weight[2] * first[2 * step] +
            x.weight[3] * first[3 * step];
  }
  for (int i = end; i < samples; ++i) to[i] = weighed(i);
}

// One channel of a plane, whose samples are `step` bytes apart.
void shift_channel(const ImageView<const uint8_t>& from, const ImageView<uint8_t>& to, int channel, int step,
                   const PlaneShift& by) {
  const int samples = from.width / step, rows = from.height;
  std::array<std::vector<int>, 4> kept;
  std::array<int, 4> row_of;
  row_of.fill(-1);
  for (std::vector<int>& one : kept) one.resize(samples);
  for (int y = 0; y < rows; ++y) {
    std::array<const int*, 4> weighed;
    for (int k = 0; k < 4; ++k) {
      const int row = std::clamp(y + by.y.first + k, 0, rows - 1);
      const auto slot = static_cast<size_t>(row % 4);
      if (row_of[slot] != row) {
        weigh_row(from.row(row) + channel, samples, step, by.x, kept[slot].data());
        row_of[slot] = row;
      }
      weighed[k] = kept[slot].data();
    }
    uint8_t* out = to.row(y) + channel;
    for (int i = 0; i < samples; ++i)
      out[static_cast<ptrdiff_t>(i) * step] =
          shifted_level(by.y.weight[0] * weighed[0][i] + by.y.weight[1] * weighed[1][i] +
                        by.y.weight[2] * weighed[2][i] + by.y.weight[3] * weighed[3][i]);
  }
}

}  // namespace

ShiftWeights shift_weights(int thirty_seconds) {
  const int whole = thirty_seconds >= 0 ? thirty_seconds / 32 : -((31 - thirty_seconds) / 32);
  const double f = (thirty_seconds - 32 * whole) / 32.0;
  ShiftWeights weights{whole - 1, {}};
  const auto level = [](double weight) { return static_cast<int>(std::lround(ShiftWeights::kOne * weight)); };
  weights.weight[0] = level(f * (-0.5 + f * (1 - 0.5 * f)));
  weights.weight[2] = level(f * (0.5 + f * (2 - 1.5 * f)));
  weights.weight[3] = level(f * f * (-0.5 + 0.5 * f));
  weights.weight[1] = ShiftWeights::kOne - weights.weight[0] - weights.weight[2] - weights.weight[3];
  return weights;
}

PlaneShift plane_shift(const PictureShift& shift, bool chroma) {
  const int scale = chroma ? 1 : 2;
  return {shift_weights(scale * shift.dx_16), shift_weights(scale * shift.dy_16)};
}

Result<Picture> shifted(const Picture& picture, const PictureShift& shift, BufferPool& pool) {
  VANTAGE_ASSIGN(Picture out, Picture::make(picture.format(), pool));
  for (int plane = 0; plane < picture.plane_count(); ++plane) {
    const int step = picture.format().layout == PictureLayout::nv12 && plane == 1 ? 2 : 1;
    for (int channel = 0; channel < step; ++channel)
      shift_channel(picture.plane(plane), out.writable_plane(plane), channel, step,
                    plane_shift(shift, plane > 0));
  }
  return out;
}

}  // namespace vantage
