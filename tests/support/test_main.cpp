// GoogleTest's main, with the instruction set that VANTAGE_SIMD names.
#include <gtest/gtest.h>

#include "tests/support/choose_instruction_set.h"

int main(int argc, char** argv) {
  vantage::test::choose_instruction_set();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
