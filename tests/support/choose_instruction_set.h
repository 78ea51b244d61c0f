// What every test and bench does first.
#pragma once

#include <fmt/core.h>
#include <cstdio>
#include <cstdlib>

#include "core/base/instruction_sets.h"

namespace vantage::test {

// VANTAGE_SIMD as the programs take it; ends the program with 2 where it cannot be had.
inline void choose_instruction_set() {
  const Status chosen = use_instruction_set_of_environment();
  if (chosen) return;
  fmt::print(stderr, "{}\n", chosen.error().message());
  std::exit(2);
}

}  // namespace vantage::test
