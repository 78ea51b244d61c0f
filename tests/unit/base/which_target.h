#pragma once

#include <cstdint>

namespace vantage::test {

// Highway's bit of the target whose code ran.
int64_t target_that_runs();

}  // namespace vantage::test
