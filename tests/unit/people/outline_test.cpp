// Outlines against the same rows drawn one by one in plain arithmetic, on every instruction set.
#include "core/people/detail/outline_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <random>
#include <vector>

#include "tests/support/instruction_sets.h"

namespace vantage::people_detail {
namespace {

int plain_area(const std::vector<OutlineSegment>& segments, int row, std::vector<Run>* runs) {
  int area = 0;
  for (const OutlineSegment& s : segments)
    for (; row < s.end; ++row) {
      const double down = row - s.top_row;
      const int slice = std::clamp(static_cast<int>(s.slice + down * s.slice_step), 0, kSlices - 1);
      const double middle = s.column + down * s.column_step;
      const double half = kHalfWidth[slice] * (s.scale + down * s.scale_step);
      const int begin = static_cast<int>(std::floor(middle - half)) + 1;
      const int end = std::max(begin + 1, static_cast<int>(std::floor(middle + half)) + 1);
      area += end - begin;
      runs->push_back({static_cast<int16_t>(begin), static_cast<int16_t>(end)});
    }
  return area;
}

class Outlines {
 public:
  explicit Outlines(unsigned seed) : random_(seed) {}

  void check_one() {
    const int first = whole(-40, 200), width = whole(1, 640);
    const std::vector<OutlineSegment> segments = some_segments(first);
    const auto rows = static_cast<size_t>(segments.back().end - first);
    std::vector<Run> expected, drawn(rows + kDrawnAtOnce, Run{7, 7});
    const int area = plain_area(segments, first, &expected);
    ASSERT_EQ(kernel::draw_outline(segments.data(), static_cast<int>(segments.size()), first, drawn.data()),
              area);
    expect_same(expected, drawn);
    int inside = 0;
    for (Run& run : expected) {
      run.begin = static_cast<int16_t>(std::clamp<int>(run.begin, 0, width));
      run.end = static_cast<int16_t>(std::clamp<int>(run.end, 0, width));
      inside += run.end - run.begin;
    }
    ASSERT_EQ(kernel::cut_runs(drawn.data(), static_cast<int>(rows), width), inside);
    expect_same(expected, drawn);
  }

 private:
  static void expect_same(const std::vector<Run>& expected, const std::vector<Run>& drawn) {
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(drawn[i].begin, expected[i].begin) << i;
      ASSERT_EQ(drawn[i].end, expected[i].end) << i;
    }
  }
  double real(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }
  int whole(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }

  // Some without rows, slices counted up or down.
  std::vector<OutlineSegment> some_segments(int first) {
    std::vector<OutlineSegment> segments(4);
    int row = first;
    for (OutlineSegment& s : segments) {
      s.top_row = row - real(0, 1);
      s.end = row += whole(0, 3) == 0 ? 0 : whole(0, 40);
      s.column = real(-300, 900), s.column_step = real(-2, 2);
      s.scale = real(0, 200), s.scale_step = real(-1, 1);
      s.slice = whole(0, kSlices), s.slice_step = real(-1, 1);
    }
    return segments;
  }

  std::mt19937 random_;
};

TEST(Outline, IsDrawnRowByRow) {
  const unsigned seed = std::random_device{}();
  std::cout << "seed " << seed << "\n";
  test::for_each_instruction_set([&] {
    Outlines outlines(seed);
    for (int i = 0; i < 500; ++i) ASSERT_NO_FATAL_FAILURE(outlines.check_one());
  });
}

}  // namespace
}  // namespace vantage::people_detail
