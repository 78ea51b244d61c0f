// One step of the CPU's integral image: up to four rows of a strip of columns, added below what is known of
// the rows above. Four rows at a time share one load of the row above and hide each other's latency.
#pragma once

#include <cstdint>

namespace vantage::integral {

inline constexpr int kRowsPerStep = 4;
// Strips begin at multiples of this, so that the groups along a row, and with them the order of the
// additions, do not depend on the strips.
inline constexpr int kStripAlignment = 64;

// Acc is what sums are kept in. `above` holds J of the row over the first one and is replaced by J of the
// last row; carry[r] holds the sum of row r left of the strip and is replaced by the sum up to its end.
template <typename In, typename Out, typename Acc>
struct RowStep {
  const In* in[kRowsPerStep];
  Out* out[kRowsPerStep];
  Acc* above;
  Acc carry[kRowsPerStep];
  int width;
  int rows;         // 1 to kRowsPerStep
  bool below_2_31;  // no sum reaches 2^31
};

// Vectorised, for the widest instruction set of this machine.
// Order of the additions of f32 (f64): the elements of a row in groups of 4 (2); inside a group
// ((a + b) and (b + c) + a style: prefix by doubling), plus the sum of all groups to the left; then plus the
// value above. A last, incomplete group is added element by element.
void add_rows(RowStep<uint8_t, uint32_t, uint32_t>& step);
void add_rows(RowStep<uint8_t, float, uint32_t>& step);  // while all sums are below 2^32
void add_rows(RowStep<float, float, float>& step);
void add_rows(RowStep<double, double, double>& step);

// Element by element.
template <typename In, typename Out, typename Acc>
void add_rows(RowStep<In, Out, Acc>& step) {
  if (step.rows == kRowsPerStep) {
    Acc s0 = step.carry[0], s1 = step.carry[1], s2 = step.carry[2], s3 = step.carry[3];
    for (int x = 0; x < step.width; ++x) {
      Acc sum = step.above[x];
      step.out[0][x] = static_cast<Out>(sum += s0 += step.in[0][x]);
      step.out[1][x] = static_cast<Out>(sum += s1 += step.in[1][x]);
      step.out[2][x] = static_cast<Out>(sum += s2 += step.in[2][x]);
      step.out[3][x] = static_cast<Out>(sum += s3 += step.in[3][x]);
      step.above[x] = sum;
    }
    step.carry[0] = s0, step.carry[1] = s1, step.carry[2] = s2, step.carry[3] = s3;
    return;
  }
  for (int r = 0; r < step.rows; ++r) {
    Acc row = step.carry[r];
    for (int x = 0; x < step.width; ++x)
      step.out[r][x] = static_cast<Out>(step.above[x] += row += step.in[r][x]);
    step.carry[r] = row;
  }
}

}  // namespace vantage::integral
