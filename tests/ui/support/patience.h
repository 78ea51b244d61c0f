// How long a test of the window waits for what is to come: so long that only what never comes fails it,
// however busy the machine is. Qt's own QTRY_ macros give up after five seconds; here they are as patient.
#pragma once

#include <QTest>

namespace vantage::ui {

inline constexpr int kWait_ms = 60'000;

}  // namespace vantage::ui

#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, vantage::ui::kWait_ms)
#define QTRY_VERIFY2(condition, words) QTRY_VERIFY2_WITH_TIMEOUT(condition, words, vantage::ui::kWait_ms)
#define QTRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT(actual, expected, vantage::ui::kWait_ms)
