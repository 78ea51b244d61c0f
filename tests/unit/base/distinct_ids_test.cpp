#include "core/base/distinct_ids.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "tests/support/seed.h"

namespace vantage {
namespace {

TEST(DistinctIds, CountsEachOnceInAnyOrder) {
  DistinctIds numbers;
  EXPECT_EQ(numbers.count(), 0u);
  for (const int64_t number : {5, 5, 7, -1, 6, 6, 5, 7}) numbers.add(number);
  EXPECT_EQ(numbers.count(), 4u);
  EXPECT_EQ(numbers.runs(), 2u) << "5 to 7 have grown together";
}

TEST(DistinctIds, AgreesWithASet) {
  std::mt19937 random(test::test_seed());
  for (const int largest : {3, 40, 1000}) {
    DistinctIds numbers;
    std::set<int64_t> all;
    std::uniform_int_distribution<int64_t> any(-largest, largest);
    for (int i = 0; i < 1000; ++i) {
      const int64_t number = any(random);
      numbers.add(number);
      all.insert(number);
      ASSERT_EQ(numbers.count(), all.size());
    }
    size_t runs = 0;
    for (const int64_t number : all) runs += !all.contains(number - 1);
    EXPECT_EQ(numbers.runs(), runs);
  }
}

TEST(DistinctIds, NumbersThatRiseStayOneRun) {
  DistinctIds numbers;
  for (int64_t number = 1; number <= 100'000; ++number)
    numbers.add(number), numbers.add(std::max<int64_t>(1, number - 20));
  EXPECT_EQ(numbers.count(), 100'000u);
  EXPECT_EQ(numbers.runs(), 1u);
}

}  // namespace
}  // namespace vantage
