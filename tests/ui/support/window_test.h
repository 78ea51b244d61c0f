// The base of the window's tests: each test function begins with a window's first settings. A window keeps
// what it looks like every few seconds, so on a slow machine one test would else find what another one
// switched off.
#pragma once

#include <QObject>
#include <QSettings>
#include <map>
#include <memory>
#include <string>

namespace vantage::ui {

class WindowTest : public QObject {
  Q_OBJECT
 private slots:
  void init() { QSettings().clear(); }
};

// The parts of ui_test, by the names that its command line takes; each is defined by its source.
using MakeTest = std::unique_ptr<QObject> (*)();
inline std::map<std::string, MakeTest>& test_parts() {
  static std::map<std::string, MakeTest> parts;
  return parts;
}
template <typename Test>
struct TestPart {
  explicit TestPart(const char* name) {
    test_parts()[name] = []() -> std::unique_ptr<QObject> { return std::make_unique<Test>(); };
  }
};

}  // namespace vantage::ui
