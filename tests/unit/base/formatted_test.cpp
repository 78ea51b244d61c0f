#include "core/base/text.h"

#include <gtest/gtest.h>

namespace vantage {
namespace {

TEST(Formatted, PrintsAsPrintf) {
  EXPECT_EQ(formatted("%d of %lld, %.2f %%", 3, 5'000'000'000LL, 0.125), "3 of 5000000000, 0.12 %");
  EXPECT_EQ(formatted("%s", ""), "");
  EXPECT_EQ(size_text(640, 480), "640x480");
}

// Also where it is exactly as long as what is tried first, one shorter and one longer.
TEST(Formatted, CutsNothing) {
  for (const size_t length : {254, 255, 256, 257, 10'000}) {
    const std::string text(length, 'x');
    EXPECT_EQ(formatted("%s", text.c_str()), text) << length;
    EXPECT_EQ(formatted("%d%s", 7, text.c_str()), "7" + text) << length;
  }
}

}  // namespace
}  // namespace vantage
