#include <QAction>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>

#include "tests/ui/support/session_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/collect/collect_control.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {

// The open project with all its files in one folder, through the dialog.
class CollectTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void what_is_saved_is_collected_and_opens();
  void stop_leaves_nothing();
};

namespace {

class CollectWindow : public SessionWindow {
 public:
  CollectWindow() : SessionWindow(2, 30) {
    show({1280, 720});
    open();
  }

  // The dialog, asked for by its key, with a folder of its own.
  CollectDialog* ask() const {
    if (!QTest::qWaitFor([this] { return window->action("collect_project")->isEnabled(); }, kWait_ms))
      return nullptr;
    QTest::keySequence(window.get(), window->action("collect_project")->shortcut());
    CollectDialog* dialog = window->part<CollectControl>()->dialog();
    if (dialog) dialog->findChild<QLineEdit*>()->setText(folder() + "/collected");
    return dialog;
  }
  static QPushButton* button(CollectDialog* dialog, QDialogButtonBox::StandardButton which) {
    return dialog->findChild<QDialogButtonBox*>()->button(which);
  }
};

}  // namespace

void CollectTest::what_is_saved_is_collected_and_opens() {
  CollectWindow w;
  CollectDialog* dialog = w.ask();
  QVERIFY(dialog && dialog->isVisible());
  QVERIFY2(dialog->problem().isEmpty(), qPrintable(dialog->problem()));
  dialog->findChild<QLineEdit*>()->setText(w.folder());
  QVERIFY(dialog->problem().contains("is there already"));
  QVERIFY(!w.button(dialog, QDialogButtonBox::Ok)->isEnabled());
  dialog->findChild<QLineEdit*>()->setText(w.folder() + "/collected");
  w.session->post(command::SetParameter{"foreground", "distance_low", 3.5});
  QTRY_VERIFY(w.window->isWindowModified());
  QTRY_COMPARE(w.button(dialog, QDialogButtonBox::Ok)->text().remove('&'), QString("Save and Collect"));
  w.button(dialog, QDialogButtonBox::Ok)->click();
  QTRY_VERIFY(w.window->messages()->text().startsWith("Project collected: "));
  QVERIFY(!w.window->isWindowModified());
  const QString file = w.folder() + "/collected/" +
                       QString::fromStdString(w.window->state().project().path.filename().string());
  const Result<Project> collected = load_project(file.toStdString());
  QVERIFY(collected);
  QCOMPARE(collected->parameters.get("foreground", "distance_low").value(), 3.5);
  for (const ProjectCamera& camera : collected->cameras) {
    QVERIFY(QString::fromStdString(camera.video).startsWith(w.folder() + "/collected/"));
    QVERIFY(QFile::exists(QString::fromStdString(camera.video)));
  }
}

void CollectTest::stop_leaves_nothing() {
  CollectWindow w;
  QFile large(w.folder() + "/carried.mp4");  // sparse: it takes its time all the same
  QVERIFY(large.open(QIODevice::WriteOnly) && large.resize(qint64{4} << 30));
  w.session->post(command::Edit{"boards", [path = large.fileName().toStdString()](Project& project) {
                                  project.boards.hand_held = {path};
                                }});
  QTRY_VERIFY(w.window->isWindowModified());
  CollectDialog* dialog = w.ask();
  QVERIFY(dialog);
  w.button(dialog, QDialogButtonBox::Ok)->click();
  QTRY_VERIFY(!w.window->isWindowModified());
  const auto hidden = [&] {
    return QDir(w.folder())
        .entryList({".collected*", "collected*"}, QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
  };
  QTRY_VERIFY(!hidden().isEmpty());
  w.button(dialog, QDialogButtonBox::Cancel)->click();
  QVERIFY(w.button(dialog, QDialogButtonBox::Ok)->isEnabled());
  QTRY_VERIFY2(hidden().isEmpty(), qPrintable(hidden().join(' ')));
}

const TestPart<CollectTest> kCollectPart("collect");

}  // namespace vantage::ui

#include "collect_test.moc"
