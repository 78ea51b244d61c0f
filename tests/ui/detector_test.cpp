#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPushButton>

#include "core/base/file.h"
#include "core/people/skeletons/skeletons.h"
#include "tests/support/made_models.h"
#include "tests/ui/support/session_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/detector/detector_control.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {

// The models by which people are detected, chosen in the window.
class DetectorTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void models_are_tried_then_used_and_undone();
};

void DetectorTest::models_are_tried_then_used_and_undone() {
  class DetectorWindow : public SessionWindow {
   public:
    DetectorWindow() : SessionWindow(2, 12) {
      show({1366, 768});
      open();
    }
    const Project& shown() const { return window->state().project(); }
  } w;
  const auto write = [&](const char* name, const std::string& bytes) {
    const QString file = w.folder() + '/' + name;
    return write_file_atomically(file.toStdString(), bytes) ? file : QString();
  };
  const QString people = write("people.onnx", test::d_fine_model("scores")),
                joints = write("joints.onnx", test::joints_model("simcc_x")),
                other = write("other.onnx", test::d_fine_model("quality"));
  const auto can_be_asked = [&] { return w.window->action("detector")->isEnabled(); };
  QTRY_VERIFY(can_be_asked());
  QTest::keySequence(w.window.get(), QKeySequence("Alt+Shift+D"));
  DetectorDialog* dialog = w.window->part<DetectorControl>()->dialog();
  QVERIFY(dialog && dialog->isVisible());
  const QList<QLineEdit*> files = dialog->findChildren<QLineEdit*>();
  QCOMPARE(files.size(), 2);
  QPushButton* use = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);

  // What cannot be is said, and changes nothing.
  files[1]->setText(joints);
  QVERIFY2(dialog->problem().contains("people's boxes"), qPrintable(dialog->problem()));
  QVERIFY(!use->isEnabled());
  files[0]->setText(w.folder() + "/gone.onnx");
  QVERIFY2(dialog->problem().contains("gone.onnx is not a file"), qPrintable(dialog->problem()));
  files[0]->setText(other);
  use->click();
  QTRY_VERIFY2(dialog->problem().contains("quality 1x2"), qPrintable(dialog->problem()));
  QVERIFY(dialog->isVisible());
  QVERIFY(w.shown().detection_model.empty());

  files[0]->setText(people);
  QVERIFY(use->isEnabled());
  use->click();
  QTRY_COMPARE(QString::fromStdString(w.shown().detection_model), people);
  QCOMPARE(QString::fromStdString(w.shown().joints_model), joints);
  QVERIFY(w.shown().parameters.get<SkeletonParameters>().enabled);
  QTRY_VERIFY2(w.window->messages()->text().contains("people.onnx (D-FINE, 64 px"),
               qPrintable(w.window->messages()->text()));
  QTRY_VERIFY(!w.window->part<DetectorControl>()->dialog());

  // Undone as one step; the file keeps what is in use.
  QTRY_VERIFY(w.window->action("undo")->isEnabled());
  w.window->action("undo")->trigger();
  QTRY_VERIFY(w.shown().detection_model.empty());
  QVERIFY(w.shown().joints_model.empty());
  QVERIFY(!w.shown().parameters.get<SkeletonParameters>().enabled);
  w.window->action("redo")->trigger();
  QTRY_COMPARE(QString::fromStdString(w.shown().detection_model), people);
  const Project saved = w.saved([](const Project& project) { return !project.joints_model.empty(); });
  QCOMPARE(QString::fromStdString(saved.joints_model), joints);

  // Taken away: no file is named.
  QTRY_VERIFY(can_be_asked());
  w.window->action("detector")->trigger();
  dialog = w.window->part<DetectorControl>()->dialog();
  QVERIFY(dialog);
  for (QLineEdit* file : dialog->findChildren<QLineEdit*>()) file->clear();
  dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
  QTRY_VERIFY(w.shown().detection_model.empty());
}

const TestPart<DetectorTest> kDetectorPart("detector");

}  // namespace vantage::ui

#include "detector_test.moc"
