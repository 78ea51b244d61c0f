#include "tests/unit/base/which_target.h"

#include "core/base/vector_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/unit/base/which_target.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vantage::test::HWY_NAMESPACE {

int64_t target_of_this_code() {
  return HWY_TARGET;
}

}  // namespace vantage::test::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vantage::test {

HWY_EXPORT(target_of_this_code);

int64_t target_that_runs() {
  return HWY_DYNAMIC_DISPATCH(target_of_this_code)();
}

}  // namespace vantage::test
#endif
