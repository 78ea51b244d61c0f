// Runs a piece of code once per instruction set that this machine and build offer, and puts the best one
// back.
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <functional>

namespace vantage::test {

inline void for_each_instruction_set(const std::function<void()>& run) {
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    run();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace vantage::test
