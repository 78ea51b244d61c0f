#include "core/video/working_colors.h"

#include <fmt/core.h>
#include <array>
#include <cmath>
#include <vector>

#include "core/base/text.h"
#include "core/image/luma_weights.h"

namespace vantage {
namespace {

const char* name_of(ColorMatrix matrix) {
  switch (matrix) {
    case ColorMatrix::bt709:
      return "BT.709";
    case ColorMatrix::bt2020:
      return "BT.2020";
    case ColorMatrix::bt601:
      break;
  }
  return "BT.601";
}

// Rows of u for the chroma rows around a luma row.
class ChromaShares {
 public:
  ChromaShares(const ColorArithmetic& arithmetic, const ChromaPlanes& chroma, int width, int height)
      : arithmetic_(arithmetic), chroma_(chroma), width_(width), height_(height) {
    for (auto& row : rows_) row.resize(width);
    mixed_.resize(static_cast<size_t>(width) + 2);
  }

  // 3 u + u_above of luma row y, with one more at either end: [1 + i] is of chroma sample i.
  const std::vector<int32_t>& mixed(int y) {
    const std::vector<int32_t>&near = row(y / 2), &far = row(next_chroma(y, height_));
    for (int i = 0; i < width_; ++i) mixed_[static_cast<size_t>(i) + 1] = 3 * near[i] + far[i];
    mixed_.front() = mixed_[1];
    mixed_.back() = mixed_[width_];
    return mixed_;
  }

 private:
  const std::vector<int32_t>& row(int y) {
    std::vector<int32_t>& row = rows_[static_cast<size_t>(y) % rows_.size()];
    int& held = held_[static_cast<size_t>(y) % rows_.size()];
    if (held == y) return row;
    held = y;
    const uint8_t *cb = chroma_.cb + y * chroma_.stride_bytes, *cr = chroma_.cr + y * chroma_.stride_bytes;
    const ColorArithmetic arithmetic = arithmetic_;
    const int step = chroma_.step;
    int32_t* to = row.data();
    for (int i = 0; i < width_; ++i) to[i] = chroma_in_luma(arithmetic, cb[i * step], cr[i * step]);
    return row;
  }

  const ColorArithmetic arithmetic_;
  const ChromaPlanes chroma_;
  const int width_, height_;
  std::array<std::vector<int32_t>, 3> rows_;
  std::array<int, 3> held_ = {-1, -1, -1};
  std::vector<int32_t> mixed_;
};

// The coefficients come by value: bytes that are written might be any others, and rows are then not taken
// several samples at a time.
void convert_luma(const ColorArithmetic arithmetic, const uint8_t* __restrict from, uint8_t* __restrict to,
                  int width) {
  for (int x = 0; x < width; ++x) to[x] = converted_luma(arithmetic, from[x], 0);
}

void convert_luma(const ColorArithmetic arithmetic, const uint8_t* __restrict from,
                  const int32_t* __restrict mixed, uint8_t* __restrict to, int width) {
  const int pairs = width / 2;
  for (int i = 0; i < pairs; ++i) {
    const int32_t here = 3 * mixed[i + 1];
    to[2 * i] = converted_luma(arithmetic, from[2 * i], here + mixed[i]);
    to[2 * i + 1] = converted_luma(arithmetic, from[2 * i + 1], here + mixed[i + 2]);
  }
  if (width % 2 != 0)
    to[width - 1] = converted_luma(arithmetic, from[width - 1], 3 * mixed[pairs + 1] + mixed[pairs]);
}

template <int kStep>
void convert_chroma(const ColorArithmetic arithmetic, const uint8_t* __restrict cb,
                    const uint8_t* __restrict cr, uint8_t* __restrict to_cb, uint8_t* __restrict to_cr,
                    int width) {
  for (int x = 0; x < width; ++x) {
    to_cb[x] = converted_chroma(arithmetic.cb_cb, arithmetic.cb_cr, cb[kStep * x], cr[kStep * x]);
    to_cr[x] = converted_chroma(arithmetic.cr_cb, arithmetic.cr_cr, cb[kStep * x], cr[kStep * x]);
  }
}

}  // namespace

ColorArithmetic color_arithmetic(const PictureFormat& from) {
  const LumaWeights source = luma_weights(from.matrix), target = luma_weights(working_matrix(from.height));
  const bool limited = from.range == ColorRange::limited;
  const double luma = 219.0 / (limited ? 219.0 : 255.0), chroma = 1.0 / (limited ? 224.0 : 255.0);
  // R = Y + red_cr Cr, B = Y + blue_cb Cb, G = Y - green_cb Cb - green_cr Cr; chroma in -0.5 .. 0.5.
  const double red_cr = 2 * (1 - source.red), blue_cb = 2 * (1 - source.blue);
  const double green_cr = red_cr * source.red / source.green();
  const double green_cb = blue_cb * source.blue / source.green();
  const double y_cb = target.blue * blue_cb - target.green() * green_cb;
  const double y_cr = target.red * red_cr - target.green() * green_cr;
  const double to_cb = 1 / (2 * (1 - target.blue)), to_cr = 1 / (2 * (1 - target.red));
  const auto fixed = [](double value) { return static_cast<int32_t>(std::lround(value * (1 << 14))); };
  ColorArithmetic out{};
  out.luma = fixed(luma);
  out.luma_offset = 16 * (1 << 14) - (limited ? 16 * out.luma : 0);
  out.luma_cb = fixed(219 * chroma * y_cb), out.luma_cr = fixed(219 * chroma * y_cr);
  out.cb_cb = fixed(224 * chroma * to_cb * (blue_cb - y_cb));
  out.cb_cr = fixed(224 * chroma * to_cb * -y_cr);
  out.cr_cb = fixed(224 * chroma * to_cr * -y_cb);
  out.cr_cr = fixed(224 * chroma * to_cr * (red_cr - y_cr));
  return out;
}

std::string color_conversion(const PictureFormat& from) {
  const PictureFormat to = working_format(from);
  std::string words = from.range == to.range ? "" : "full to limited range";
  if (from.matrix != to.matrix)
    append_item(&words, fmt::format("{} to {}", name_of(from.matrix), name_of(to.matrix)));
  return words;
}

void convert_to_working_colors(const PictureFormat& from, const uint8_t* luma, ptrdiff_t luma_stride_bytes,
                               const ChromaPlanes& chroma, Picture& to) {
  const ColorArithmetic arithmetic = color_arithmetic(from);
  const ImageView<uint8_t> y_to = to.writable_plane(0), cb_to = to.writable_plane(1),
                           cr_to = to.writable_plane(2);
  const bool mixes = arithmetic.luma_cb != 0 || arithmetic.luma_cr != 0;
  ChromaShares shares(arithmetic, chroma, cb_to.width, cb_to.height);
  for (int y = 0; y < y_to.height; ++y) {
    const uint8_t* row = luma + y * luma_stride_bytes;
    if (mixes)
      convert_luma(arithmetic, row, shares.mixed(y).data(), y_to.row(y), y_to.width);
    else
      convert_luma(arithmetic, row, y_to.row(y), y_to.width);
  }
  for (int y = 0; y < cb_to.height; ++y) {
    const uint8_t *cb = chroma.cb + y * chroma.stride_bytes, *cr = chroma.cr + y * chroma.stride_bytes;
    (chroma.step == 1 ? convert_chroma<1> : convert_chroma<2>)(arithmetic, cb, cr, cb_to.row(y), cr_to.row(y),
                                                               cb_to.width);
  }
}

Result<Picture> in_working_colors(const Picture& picture, BufferPool& pool) {
  const PictureFormat from = picture.format();
  PictureFormat format = working_format(from);
  if (format == from) return picture;
  format.layout = PictureLayout::i420;
  VANTAGE_ASSIGN(Picture converted, Picture::make(format, pool));
  const ImageView<const uint8_t> luma = picture.plane(0), first = picture.plane(1);
  const bool planar = from.layout == PictureLayout::i420;
  const ChromaPlanes chroma{first.data, planar ? picture.plane(2).data : first.data + 1,
                            static_cast<ptrdiff_t>(first.stride_bytes), planar ? 1 : 2};
  convert_to_working_colors(from, luma.data, static_cast<ptrdiff_t>(luma.stride_bytes), chroma, converted);
  return converted;
}

}  // namespace vantage
