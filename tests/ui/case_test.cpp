#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QLineEdit>
#include <QPushButton>

#include "core/export/case/case_verify.h"
#include "tests/ui/support/session_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/case/case_control.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {

// A span of the open project exported as a case, through the dialog.
class CaseTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void the_marked_range_is_exported_and_verifies();
  void the_marked_range_has_its_last_frame();
  void the_dialog_says_what_is_missing();
  void stop_leaves_nothing();
  void only_what_is_saved_is_exported();
};

namespace {

constexpr int64_t kCaseFrames = 60;

class CaseWindow : public SessionWindow {
 public:
  explicit CaseWindow(int64_t frames = kCaseFrames) : SessionWindow(2, frames) {
    show({1280, 720}, {}, [this](WindowServices& services) {
      services.export_case = [this](CaseOptions options) {
        options.backends = {&registry_, Device::cpu, {}};
        return export_case(options);
      };
    });
    open();
  }
  // The dialog, asked for by its key.
  CaseDialog* ask() const {
    window->action("export_case")->trigger();
    return window->part<CaseControl>()->dialog();
  }
  static QLineEdit* line(CaseDialog* dialog, const char* name) {
    for (auto* field : dialog->findChildren<QLineEdit*>())
      if (field->accessibleName() == name) return field;
    return nullptr;
  }
  static QPushButton* button(CaseDialog* dialog, QDialogButtonBox::StandardButton which) {
    return dialog->findChild<QDialogButtonBox*>()->button(which);
  }
  void fill(CaseDialog* dialog, const QString& from, const QString& to) const {
    line(dialog, "From")->setText(from);
    line(dialog, "To")->setText(to);
    line(dialog, "Exported by")->setText("A. Jones");
    line(dialog, "Reason")->setText("file 7");
    line(dialog, "Folder")->setText(folder() + "/case7");
    dialog->findChild<QComboBox*>()->setCurrentIndex(0);  // nobody is blurred
  }
};

}  // namespace

void CaseTest::the_marked_range_is_exported_and_verifies() {
  CaseWindow w;
  QTRY_VERIFY(w.window->action("export_case")->isEnabled());
  CaseDialog* dialog = w.ask();
  QVERIFY(dialog && dialog->isVisible());
  w.fill(dialog, "10", "1s");
  QVERIFY2(dialog->problem().isEmpty(), qPrintable(dialog->problem()));
  w.button(dialog, QDialogButtonBox::Ok)->click();
  QVERIFY(!w.button(dialog, QDialogButtonBox::Ok)->isEnabled());
  QTRY_VERIFY(w.window->messages()->text().startsWith("Case exported to "));
  const auto verdict = verify_case((w.folder() + "/case7").toStdString(), {});
  QVERIFY(verdict && verdict->untouched());
  QCOMPARE(verdict->who, std::string("A. Jones"));
  QCOMPARE(QDir(w.folder() + "/case7/video").entryList(QDir::Files).size(), 2);
}

// Out and To are the same frame, and it is in the case.
void CaseTest::the_marked_range_has_its_last_frame() {
  CaseWindow w;
  QTRY_VERIFY(w.window->action("export_case")->isEnabled());
  w.session->post(command::Seek{10});
  QTRY_VERIFY(w.window->state().shown() && w.window->state().shown()->result->frame == 10);
  w.window->action("mark_in")->trigger();
  w.session->post(command::Seek{19});
  QTRY_VERIFY(w.window->state().shown()->result->frame == 19);
  w.window->action("mark_out")->trigger();
  CaseDialog* dialog = w.ask();
  QCOMPARE(w.line(dialog, "From")->text(), QString("10"));
  QCOMPARE(w.line(dialog, "To")->text(), QString("19"));
  std::optional<CaseOptions> chosen;
  QObject::connect(dialog, &CaseDialog::chosen, [&](const CaseOptions& options) { chosen = options; });
  w.fill(dialog, "0:00.4", "19");
  w.button(dialog, QDialogButtonBox::Ok)->click();
  QVERIFY(chosen);
  QCOMPARE(chosen->span.begin, int64_t{10});
  QCOMPARE(chosen->span.end, int64_t{20});
  QTRY_VERIFY(w.window->messages()->text().startsWith("Case exported to "));
}

void CaseTest::the_dialog_says_what_is_missing() {
  CaseWindow w;
  QTRY_VERIFY(w.window->action("export_case")->isEnabled());
  CaseDialog* dialog = w.ask();
  const auto says = [&](const char* words) {
    return dialog->problem().contains(words) && !w.button(dialog, QDialogButtonBox::Ok)->isEnabled();
  };
  w.fill(dialog, "10", "20");
  QVERIFY(dialog->problem().isEmpty());
  w.line(dialog, "Reason")->setText(" ");
  QVERIFY(says("what the case is for"));
  w.fill(dialog, "20", "19");
  QVERIFY(says("no picture"));
  w.fill(dialog, "soon", "20");
  QVERIFY(says("'soon' is not a time"));
  w.fill(dialog, "10", "20");
  w.line(dialog, "Clock")->setText("noon");
  QVERIFY(says("not a date"));
  w.line(dialog, "Clock")->setText("2026-05-01T14:00:00");
  w.fill(dialog, "14:00:00", "14:00:01");
  QVERIFY2(dialog->problem().isEmpty(), qPrintable(dialog->problem()));
  dialog->findChild<QComboBox*>()->setCurrentIndex(2);
  w.line(dialog, "IDs kept")->setText("three");
  QVERIFY(says("not an ID"));
}

void CaseTest::stop_leaves_nothing() {
  CaseWindow w(2000);
  QTRY_VERIFY(w.window->action("export_case")->isEnabled());
  CaseDialog* dialog = w.ask();
  w.fill(dialog, "0", "1999");
  w.button(dialog, QDialogButtonBox::Ok)->click();
  w.button(dialog, QDialogButtonBox::Cancel)->click();
  QVERIFY(w.button(dialog, QDialogButtonBox::Ok)->isEnabled());
  w.window.reset();  // waits for what still runs
  for (const QString& name :
       QDir(w.folder()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot))
    QVERIFY2(!name.contains("case7"), qPrintable(name));
}

// The button says that the project is saved first, and the case is of it as it is now.
void CaseTest::only_what_is_saved_is_exported() {
  CaseWindow w;
  QTRY_VERIFY(w.window->action("export_case")->isEnabled());
  w.session->post(command::SetParameter{"foreground", "distance_low", 3.5});
  QTRY_VERIFY(w.window->isWindowModified());
  CaseDialog* dialog = w.ask();
  w.fill(dialog, "10", "20");
  QCOMPARE(w.button(dialog, QDialogButtonBox::Ok)->text().remove('&'), QString("Save and Export"));
  QTest::mouseClick(w.button(dialog, QDialogButtonBox::Ok), Qt::LeftButton);
  QTRY_VERIFY(w.window->messages()->text().startsWith("Case exported to "));
  QVERIFY(!w.window->isWindowModified());
  const Result<Project> saved = load_project(w.window->state().project().path);
  QCOMPARE(saved->parameters.get("foreground", "distance_low").value(), 3.5);
}

const TestPart<CaseTest> kCasePart("case");

}  // namespace vantage::ui

#include "case_test.moc"
