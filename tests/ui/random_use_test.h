#pragma once

#include <QUrl>

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// The whole program under a user who does anything.
class RandomUseTest final : public WindowTest {
  Q_OBJECT
 public:
  Q_INVOKABLE void opened(const QUrl&) {}  // in place of a browser or a viewer

 private slots:
  void anything_may_be_done();
};

}  // namespace vantage::ui
