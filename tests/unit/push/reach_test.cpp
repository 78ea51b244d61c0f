#include "core/push/detail/reach.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "core/base/trace.h"
#include "tests/support/loopback_socket.h"

namespace vantage {
namespace {

int64_t in_a_minute() {
  return trace_now_ns() + 60'000'000'000;
}

// localhost may stand for ::1 and 127.0.0.1, of which one listens here.
TEST(Reach, SomebodyWhoListensAtOneOfTheAddresses) {
  std::optional<test::LoopbackSocket> listener(SOCK_STREAM);
  const int port = listener->port();
  for (const char* host : {"127.0.0.1", "localhost"})
    EXPECT_TRUE(reach(host, port, in_a_minute(), {})) << host;
  listener.reset();
  const Status nobody = reach("localhost", port, in_a_minute(), {});
  ASSERT_FALSE(nobody);
  EXPECT_EQ(nobody.error().kind, ErrorKind::io);
  EXPECT_NE(nobody.error().what.find("refused"), std::string::npos) << nobody.error().what;
}

TEST(Reach, NobodyWhoHasNoAddress) {
  const Status nobody = reach("nobody.invalid", 1883, in_a_minute(), {});
  ASSERT_FALSE(nobody);
  EXPECT_EQ(nobody.error().kind, ErrorKind::io);
  EXPECT_FALSE(nobody.error().what.empty());
}

}  // namespace
}  // namespace vantage
