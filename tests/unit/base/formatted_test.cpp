#include "core/base/text.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace vantage {
namespace {

TEST(Formatted, PrintsAsPrintf) {
  EXPECT_EQ(fmt::format("{} of {}, {:.2f} %", 3, 5'000'000'000LL, 0.125), "3 of 5000000000, 0.12 %");
  EXPECT_EQ(fmt::format("{}", ""), "");
  EXPECT_EQ(size_text(640, 480), "640x480");
}

// Also where it is exactly as long as what is tried first, one shorter and one longer.
TEST(Formatted, CutsNothing) {
  for (const size_t length : {254, 255, 256, 257, 10'000}) {
    const std::string text(length, 'x');
    EXPECT_EQ(fmt::format("{}", text), text) << length;
    EXPECT_EQ(fmt::format("{}{}", 7, text), "7" + text) << length;
  }
}

}  // namespace
}  // namespace vantage
