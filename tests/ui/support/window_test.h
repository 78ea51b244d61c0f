// The base of the window's tests: each test function begins with a window's first settings. A window keeps
// what it looks like every few seconds, so on a slow machine one test would else find what another one
// switched off.
#pragma once

#include <QObject>
#include <QSettings>

namespace vantage::ui {

class WindowTest : public QObject {
  Q_OBJECT
 private slots:
  void init() { QSettings().clear(); }
};

}  // namespace vantage::ui
