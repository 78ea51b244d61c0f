// The row kernels of the CPU implementation. Each call does one row of one level; the vector instruction set
// is chosen at run time. Pointers are to the row's first pixel.
//
// Memory: rows are padded on both sides (kRowPadding floats, zero at first and finite ever after), because
// vector code works on whole vectors past a row's end and reads the later expansion a little outside.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <vector>

#include "core/image/image_view.h"
#include "core/optical_flow/flow_plan.h"

namespace vantage::flow {

inline constexpr int kRowPadding = 32;
inline constexpr int kChannels = 5;
// Channels of an expansion, and of the equations made from two expansions.
enum ExpansionChannel {
  kBx,
  kBy,
  kAxx,
  kAyy,
  kAxy
};  // A_xy is the coefficient of xy: twice the matrix entry
enum EquationChannel { kGxx, kGxy, kGyy, kHx, kHy };  // G d = h

// Floats aligned to 64 bytes, zero at first.
class AlignedFloats {
 public:
  AlignedFloats() = default;
  explicit AlignedFloats(size_t count);
  float* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(float* p) const { std::free(p); }
  };
  std::unique_ptr<float[], Free> data_;
};

// Rows of `channels` padded lines each. One buffer holds a level image or an expansion.
class Rows {
 public:
  Rows() = default;
  Rows(int width, int height, int channels)
      : width_(width),
        height_(height),
        channels_(channels),
        pitch_(static_cast<size_t>((width + 15) / 16 * 16 + 2 * kRowPadding)),
        values_(pitch_ * static_cast<size_t>(height) * static_cast<size_t>(channels)) {}
  int width() const { return width_; }
  int height() const { return height_; }
  size_t pitch() const { return pitch_; }  // from one channel's line to the next, in floats
  float* row(int y, int channel = 0) { return values_.data() + offset(y, channel); }
  const float* row(int y, int channel = 0) const { return values_.data() + offset(y, channel); }

 private:
  size_t offset(int y, int channel) const {
    return (static_cast<size_t>(y) * static_cast<size_t>(channels_) + static_cast<size_t>(channel)) * pitch_ +
           kRowPadding;
  }
  int width_ = 0, height_ = 0, channels_ = 0;
  size_t pitch_ = 0;
  AlignedFloats values_;
};

// Row `row` of a level image from the full picture. scratch: picture width + 16 floats.
void resample_picture_row(ImageView<const uint8_t> picture, const ResampleAxis& x, const ResampleAxis& y,
                          int row, float* scratch, float* out);
// Row `row` of the expansion. scratch: 3 lines of level.pitch() floats.
void expand_row(const Rows& level, int row, const PolynomialWeights& weights, float* scratch, Rows& out);

// Columns [begin, end) of a level; begin is a multiple of 16. Lines "of a range" start at its begin.
struct Columns {
  int begin = 0, end = 0;
  int count() const { return end - begin; }
};
// The 5 channels of row `row`'s equations from the earlier expansion and the later one at the positions that
// the flow (lines of the range: dx, dy pairs) leads to, bilinear, clamped into the picture. out: lines of the
// range, `pitch` apart; border_x[x] and border_y: squared axis weights. Whole vectors are written, up to 16
// pixels past the end.
void equations_row(const Rows& earlier, const Rows& later, int row, Columns columns, const float* flow,
                   const float* border_x, float border_y, float* out, size_t pitch);
// Sums equations over the window along x. equations: lines of the range `in`, at least kRowPadding floats
// before and after; the ends are repeated outside. out: lines of the range `to`.
void window_row(float* equations, size_t pitch, Columns in, Columns to, const WindowWeights& window,
                float* out);
// Sums over the window along y and solves `rows` rows, 1 or 2, which lie below each other. lines[i], i in [0,
// 2 radius + rows): made by window_row(). flow[j]: count pairs and up to 16 more.
void solve_rows(const float* const* lines, size_t pitch, int count, const WindowWeights& window,
                float* const* flow, int rows);
// Row `row` of the finer level's first flow: the coarser flow, bilinear, times `gain`. scratch: 2 lines.
void resample_flow_row(const float* const* coarse_rows, int coarse_width, const ResampleAxis& x,
                       const ResampleAxis& y, int row, float gain, float* scratch, float* flow);

}  // namespace vantage::flow
