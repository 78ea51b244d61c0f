#include "core/base/text.h"

#include <gtest/gtest.h>

namespace vantage {
namespace {

// RFC 4648, section 10.
TEST(Base64, IsThatOfTheStandard) {
  for (const auto& [bytes, text] :
       {std::pair("", ""), std::pair("f", "Zg=="), std::pair("fo", "Zm8="), std::pair("foo", "Zm9v"),
        std::pair("foob", "Zm9vYg=="), std::pair("fooba", "Zm9vYmE="), std::pair("foobar", "Zm9vYmFy")})
    EXPECT_EQ(base64(bytes), text);
  EXPECT_EQ(base64("\xfb\xff\xfe"), "+//+");
}

}  // namespace
}  // namespace vantage
