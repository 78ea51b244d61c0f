#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// A researcher's day on rendered footage, from a threshold that is wrong to one that was tested.
class ResearchTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void a_researchers_day();
};

}  // namespace vantage::ui
