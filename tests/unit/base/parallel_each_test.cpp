#include "core/base/parallel_each.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>

namespace vantage {
namespace {

// Whoever goes on behind a loop of its own finds it done, whatever happens beside it.
TEST(ParallelEach, WhereOneThrowsTheOthersGoOnToTheirEnd) {
  for (int turn = 0; turn < 50; ++turn) {
    std::atomic<int> done = 0, whole = 0;
    std::string said;
    try {
      parallel_each(8, [&](size_t i) {
        if (i % 3 == 1) throw std::runtime_error(std::to_string(i));
        std::atomic<int> inside = 0;
        tbb::parallel_for(0, 200, [&](int) { ++inside; });
        whole += inside == 200;
        ++done;
      });
    } catch (const std::runtime_error& error) {
      said = error.what();
    }
    EXPECT_EQ(done, 5);
    EXPECT_EQ(whole, 5);
    EXPECT_EQ(said, "1");
  }
}

TEST(ParallelEach, NothingThrownNothingSaid) {
  std::vector<int> squares(100);
  parallel_each(squares.size(), [&](size_t i) { squares[i] = static_cast<int>(i * i); });
  for (size_t i = 0; i < squares.size(); ++i) EXPECT_EQ(squares[i], static_cast<int>(i * i));
  parallel_each(0, [](size_t) { FAIL(); });
}

}  // namespace
}  // namespace vantage
