// ui_test PART [Qt Test options]: the tests of one part of the window. 77: there is no display to test on.
#include <fmt/core.h>
#include <QApplication>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <cstdio>
#include <memory>

#include "tests/support/choose_instruction_set.h"
#include "tests/support/own_home.h"
#include "tests/ui/support/window_test.h"
#include "ui/platform/gl_state.h"
#include "ui/platform/language.h"
#include "ui/platform/stall_watch.h"

int main(int argc, char** argv) {
  vantage::test::choose_instruction_set();
  using namespace vantage::ui;
  const auto part = test_parts().find(argc > 1 ? argv[1] : "");
  if (part == test_parts().end()) {
    std::fputs("usage: ui_test PART [Qt Test options]\nparts:", stderr);
    for (const auto& [name, make] : test_parts()) fmt::print(stderr, " {}", name);
    std::fputs("\n", stderr);
    return 2;
  }
  if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") &&
      qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
    std::puts("skipped: no display here; run under xvfb-run");
    return 77;
  }
  // A test waits as long as it must (patience.h); Qt's watchdog of five minutes a test would not.
  if (qEnvironmentVariableIsEmpty("QTEST_FUNCTION_TIMEOUT")) qputenv("QTEST_FUNCTION_TIMEOUT", "1000000");
  // Tests read English words, whatever the machine speaks.
  qputenv("LC_ALL", "C.UTF-8");
  qunsetenv("LANGUAGE");
  choose_gl_format();
  const QTemporaryDir home;
  const vantage::test::OwnHome own(home.path().toStdString());
  QApplication::setOrganizationName("vantage-test");
  QApplication::setApplicationName("ui_test");
  WatchedApplication app(argc, argv);
  use_language(Language::english);
  const std::unique_ptr<QObject> test = part->second();
  return QTest::qExec(test.get(), argc - 1, argv + 1);
}
