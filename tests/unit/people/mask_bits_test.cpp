// The reduced masks and their counts against the obvious loops, on every instruction set.
#include "core/people/detail/mask_bits.h"

#include <gtest/gtest.h>

#include <iostream>
#include <random>

#include "tests/support/instruction_sets.h"

namespace vantage::people_detail {
namespace {

struct Plain {
  int width, height, step_x, step_y;
  std::vector<uint8_t> mask;
  std::vector<int> bodies;
  uint8_t level(int x, int y, int mask_width) const {
    return mask[(step_y * y + step_y / 2) * mask_width + step_x * x + step_x / 2];
  }
};

// A pixel is free below so many bodies.
void check_counts(const CoverCounts& counts, const Plain& plain, int mask_width, const Outline& outline,
                  const std::vector<Run>& runs, int covering) {
  CoverCounts expected;
  for (int r = 0; r < outline.rows; ++r)
    for (int x = runs[r].begin; x < runs[r].end; ++x) {
      const int y = outline.first_row + r;
      const uint8_t level = plain.level(x, y, mask_width);
      const bool set = level >= 128, undecided = level >= 64 && !set;
      const bool free = plain.bodies[x + plain.width * y] < covering;
      expected.foreground += set;
      expected.own += set && free;
      expected.bare += !set && !undecided && free;
      expected.undecided += undecided;
    }
  ASSERT_EQ(counts.foreground, expected.foreground);
  ASSERT_EQ(counts.own, expected.own);
  ASSERT_EQ(counts.bare, expected.bare);
  ASSERT_EQ(counts.undecided, expected.undecided);
}

void check_size(int width, int height, std::mt19937& random) {
  SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height));
  const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
  Plain plain;
  for (int i = 0; i < width * height; ++i)
    plain.mask.push_back(static_cast<uint8_t>(below(3) == 0 ? 1 + below(255) : 0));
  MaskBits bits;
  bits.take(sample_mask({plain.mask.data(), width, height, static_cast<size_t>(width)}));
  ASSERT_TRUE(bits.has_picture());
  plain.width = bits.width(), plain.height = bits.height();
  plain.step_x = bits.step_x(), plain.step_y = std::min(2 * bits.step_x(), height);
  ASSERT_EQ(plain.width, width / plain.step_x);
  ASSERT_EQ(plain.height, height / plain.step_y);
  plain.bodies.resize(plain.width * plain.height);
  std::vector<std::pair<Outline, std::vector<Run>>> added;
  for (int step = 0; step < 12; ++step) {
    Outline outline;
    outline.first_row = below(plain.height);
    outline.rows = 1 + below(plain.height - outline.first_row);
    std::vector<Run> runs;
    for (int r = 0; r < outline.rows; ++r) {
      const int begin = below(plain.width + 1), end = begin + below(plain.width - begin + 1);
      runs.push_back({static_cast<int16_t>(begin), static_cast<int16_t>(end)});
    }
    check_counts(bits.count(outline, runs.data()), plain, width, outline, runs, 1);
    check_counts(bits.count_alone(outline, runs.data()), plain, width, outline, runs, 2);
    const bool remove = step % 3 == 2;
    if (!remove) added.push_back({outline, runs});
    const auto& [shape, shape_runs] = added.back();
    for (int r = 0; r < shape.rows; ++r)
      for (int x = shape_runs[r].begin; x < shape_runs[r].end; ++x)
        plain.bodies[x + plain.width * (shape.first_row + r)] += remove ? -1 : 1;
    if (remove) {
      bits.remove(shape, shape_runs.data());
      added.pop_back();
    } else {
      bits.add(shape, shape_runs.data());
    }
  }
}

TEST(MaskBits, CountsWhatTheObviousLoopsCount) {
  const unsigned seed = std::random_device{}();
  std::cout << "seed " << seed << "\n";
  test::for_each_instruction_set([&] {
    std::mt19937 random(seed);
    for (const auto& [width, height] : {std::pair{1, 1},
                                        {63, 5},
                                        {64, 4},
                                        {161, 121},
                                        {322, 40},
                                        {644, 31},
                                        {961, 13},
                                        {1283, 17},
                                        {1600, 21}})
      check_size(width, height, random);
  });
}

TEST(MaskBits, NoPictureIsNoPicture) {
  MaskBits bits;
  EXPECT_FALSE(bits.has_picture());
  const std::vector<uint8_t> mask(12);
  bits.take(sample_mask({mask.data(), 4, 3, 4}));
  EXPECT_TRUE(bits.has_picture());
  bits.take(sample_mask({}));
  EXPECT_FALSE(bits.has_picture());
}

}  // namespace
}  // namespace vantage::people_detail
