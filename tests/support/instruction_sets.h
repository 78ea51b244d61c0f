// Runs a piece of code with each instruction set that this machine and build have, and puts the one in use
// back.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "core/base/instruction_sets.h"

namespace vantage::test {

inline void for_each_instruction_set(const std::function<void()>& run) {
  const std::string before = instruction_set_in_use().name;
  for (const InstructionSet& set : instruction_sets()) {
    if (!set.usable()) continue;
    SCOPED_TRACE(set.name);
    ASSERT_TRUE(use_instruction_set(set.name));
    ASSERT_EQ(instruction_set_in_use().name, set.name);
    run();
  }
  ASSERT_TRUE(use_instruction_set(before));
}

}  // namespace vantage::test
