// One step of the CPU's integral image: some rows of a strip of columns, added below what is known of the
// rows above. Four rows at a time share one load of what is above them and hide each other's latency.
#pragma once

#include <cstdint>

#include "core/image/image_view.h"

namespace vantage::integral {

inline constexpr int kRowsAtOnce = 4;
// Strips begin at multiples of this, so that the groups along a row, and with them the order of the
// additions, do not depend on the strips.
inline constexpr int kStripAlignment = 64;

// Acc is what sums are kept in. `above`, a value a column, is zero over the first row: what is known of the
// rows above, brought up to the last row. `carry`, a value a row, is zero left of the first column: what is
// known of the columns to the left, brought up to the last column. What they hold depends on the overload.
template <typename In, typename Out, typename Acc>
struct RowStep {
  ImageView<const In> in;
  ImageView<Out> out;  // as large as `in`
  Acc* above;
  Acc* carry;
  bool below_2_31;  // u8 -> f32: no sum of these rows reaches 2^31
};

// Vectorised, for the widest instruction set of this machine.
// For bytes, `carry` is J, and `above` the sum over the columns of a group from its first one on: a group
// needs one addition a row for all rows above and one for all columns to the left.
void add_rows(const RowStep<uint8_t, uint32_t, uint32_t>& step);
void add_rows(const RowStep<uint8_t, float, uint32_t>& step);  // while all sums are below 2^32
// For reals, `above` is J and `carry` the sum of the row. Order of the additions of f32 (f64): the elements
// of a row in groups of 4 (2); inside a group ((a + b) and (b + c) + a style: prefix by doubling), plus the
// sum of all groups to the left; then plus the value above. A last, incomplete group is added element by
// element.
void add_rows(const RowStep<float, float, float>& step);
void add_rows(const RowStep<double, double, double>& step);

// Element by element; `above` and `carry` as of reals.
template <int kRows, typename In, typename Out, typename Acc>
void add_elements(const RowStep<In, Out, Acc>& step, int row, int begin) {
  const In* in[kRows];
  Out* out[kRows];
  Acc carry[kRows];
  for (int r = 0; r < kRows; ++r) {
    in[r] = step.in.row(row + r);
    out[r] = step.out.row(row + r);
    carry[r] = step.carry[row + r];
  }
  for (int x = begin; x < step.in.width; ++x) {
    Acc sum = step.above[x];
    for (int r = 0; r < kRows; ++r) out[r][x] = static_cast<Out>(sum += carry[r] += in[r][x]);
    step.above[x] = sum;
  }
  for (int r = 0; r < kRows; ++r) step.carry[row + r] = carry[r];
}

template <typename In, typename Out, typename Acc>
void add_rows(const RowStep<In, Out, Acc>& step) {
  int y = 0;
  for (; y + kRowsAtOnce <= step.in.height; y += kRowsAtOnce) add_elements<kRowsAtOnce>(step, y, 0);
  for (; y < step.in.height; ++y) add_elements<1>(step, y, 0);
}

}  // namespace vantage::integral
