#include <QAction>
#include <QPushButton>
#include <QTableWidget>

#include "core/base/file.h"
#include "tests/ui/support/session_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/seals/seals_control.h"

namespace vantage::ui {

// The recordings of the open project, sealed and compared through the dialog.
class SealsTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void a_changed_recording_is_told_and_all_is_in_the_log();
};

namespace {

class SealsWindow : public SessionWindow {
 public:
  SealsWindow() : SessionWindow(2, 60) {
    show({1280, 720});
    open();
  }
  std::filesystem::path video(size_t camera) const { return project_.cameras[camera].video; }

  // The dialog, asked for by its key, once it has read what is there.
  SealsDialog* ask() const {
    if (!QTest::qWaitFor([this] { return window->action("seals")->isEnabled(); }, kWait_ms)) return nullptr;
    window->activateWindow();
    if (!QTest::qWaitForWindowActive(window.get(), kWait_ms)) return nullptr;
    QTest::keySequence(window.get(), window->action("seals")->shortcut());
    SealsDialog* dialog = window->part<SealsControl>()->dialog();
    return dialog && QTest::qWaitFor([&] { return !dialog->camera_text(1).isEmpty(); }, kWait_ms) ? dialog
                                                                                                  : nullptr;
  }
  static QPushButton* button(SealsDialog* dialog, const QString& text) {
    for (QPushButton* one : dialog->findChildren<QPushButton*>())
      if (one->text().remove('&') == text) return one;
    return nullptr;
  }
};

}  // namespace

void SealsTest::a_changed_recording_is_told_and_all_is_in_the_log() {
  SealsWindow w;
  SealsDialog* dialog = w.ask();
  QVERIFY(dialog);
  QVERIFY2(dialog->camera_text(0).contains("not sealed"), qPrintable(dialog->camera_text(0)));
  QVERIFY2(dialog->log_summary().startsWith("There is no custody log yet"),
           qPrintable(dialog->log_summary()));
  QPushButton *seal = w.button(dialog, "Seal"), *verify = w.button(dialog, "Verify");
  QVERIFY(seal->isEnabled() && !verify->isEnabled());

  seal->click();
  QTRY_VERIFY2(dialog->camera_text(1).contains("sealed, not compared yet"),
               qPrintable(dialog->camera_text(1)));
  QTRY_VERIFY(verify->isEnabled() && !seal->isEnabled());
  QCOMPARE(dialog->log()->rowCount(), 2);
  verify->click();
  QTRY_VERIFY2(dialog->camera_text(1).contains("untouched"), qPrintable(dialog->camera_text(1)));
  QVERIFY(dialog->camera_text(0).contains("untouched") && dialog->camera_text(0).endsWith("this user"));

  std::string bytes = read_file(w.video(1)).value();
  bytes[bytes.size() / 2] ^= 1;
  QVERIFY(write_file_atomically(w.video(1), bytes));
  QTRY_VERIFY(verify->isEnabled());
  verify->click();
  QTRY_VERIFY2(dialog->camera_text(1).contains("touched: "), qPrintable(dialog->camera_text(1)));
  QTRY_COMPARE(dialog->log()->rowCount(), 4);
  QCOMPARE(dialog->log()->item(0, 2)->text(), QString("verified"));
  QCOMPARE(dialog->log()->item(0, 3)->text(), QString("result: touched"));
  QCOMPARE(dialog->log()->item(1, 3)->text(), QString("result: untouched"));
  QVERIFY2(dialog->log_summary().endsWith("untouched"), qPrintable(dialog->log_summary()));

  // An edit of the log itself is told, too.
  const std::filesystem::path log = custody_path(w.window->state().project().path);
  std::string text = read_file(log).value();
  const size_t place = text.find("\"sealed\"");
  QVERIFY(place != std::string::npos);
  text.replace(place, 8, "\"seales\"");
  QVERIFY(write_file_atomically(log, text));
  dialog->close();
  QTRY_VERIFY(!w.window->part<SealsControl>()->dialog());
  dialog = w.ask();
  QVERIFY(dialog);
  QTRY_VERIFY2(dialog->log_summary().contains("touched: "), qPrintable(dialog->log_summary()));
}

const TestPart<SealsTest> kSealsPart("seals");

}  // namespace vantage::ui

#include "seals_test.moc"
