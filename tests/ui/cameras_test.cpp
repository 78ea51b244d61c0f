#include <QApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QTableWidget>

#include "tests/ui/support/open_window.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/cameras/cameras_control.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/timeline.h"

namespace vantage::ui {

// The table of cameras: what it states, and renaming there by key and by mouse.
class CamerasTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void state_picture_offset_view_and_height();
  void are_renamed_by_key_and_by_mouse();
  void a_name_that_is_taken_is_refused();
};

namespace {

QTableWidget* shown_table(OpenWindow& w) {
  w.window->action("cameras_dock")->trigger();
  auto* panel = w.window->part<CamerasPanel>();
  return QTest::qWaitFor([panel] { return panel->isVisible(); }, kWait_ms) ? panel->table() : nullptr;
}

// Types into the field that is open in the table, and ends with Enter.
void type(QTableWidget* table, const QString& name) {
  QLineEdit* field = nullptr;
  QTRY_VERIFY((field = qobject_cast<QLineEdit*>(QApplication::focusWidget())));
  QVERIFY(table->isAncestorOf(field));
  QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(field, name);
  QTest::keyClick(field, Qt::Key_Return);
}

}  // namespace

void CamerasTest::state_picture_offset_view_and_height() {
  OpenWindow w;
  const Project& project = w.session().project();
  const QTableWidget* table = shown_table(w);
  QVERIFY(table);
  QCOMPARE(table->rowCount(), static_cast<int>(project.cameras.size()));
  const Camera& first = project.cameras[0].calibration.value();
  QCOMPARE(table->item(0, 0)->text(), QString::fromStdString(project.cameras[0].name));
  QCOMPARE(table->item(0, 1)->text(), QString("%1 × %2").arg(first.width_px()).arg(first.height_px()));
  QCOMPARE(table->item(0, 2)->text(), QString("base"));
  // Without distortion: twice the arc tangent of half the width over the focal length.
  const double half = 0.5 * (first.width_px() - 1) / first.model().fx_px;
  QCOMPARE(table->item(0, 3)->text(), QString("%1°").arg(2 * std::atan(half) * 180 / M_PI, 0, 'f', 0));
  QCOMPARE(table->item(0, 4)->text(), QString("%1 m").arg(first.center_in_world_m().z(), 0, 'f', 2));
  for (int column = 0; column < table->columnCount(); ++column)
    QVERIFY(!table->horizontalHeaderItem(column)->toolTip().isEmpty());
  keep_picture(*w.window, "cameras");
}

void CamerasTest::are_renamed_by_key_and_by_mouse() {
  OpenWindow w;
  const std::vector<ProjectCamera>& cameras = w.session().project().cameras;
  const std::string before = cameras[0].name, second = cameras[1].name;
  w.window->action("rename_camera")->trigger();  // shows the dock, too
  auto* panel = w.window->part<CamerasPanel>();
  QTRY_VERIFY(panel->isVisible());
  QTableWidget* table = panel->table();
  type(table, "Main door");
  QTRY_COMPARE(cameras[0].name, std::string("Main door"));
  QTRY_COMPARE(table->item(0, 0)->text(), QString("Main door"));
  QTRY_COMPARE(QApplication::focusWidget(), table);
  const QRect cell = table->visualItemRect(table->item(1, 0));
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
  QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, cell.center());
  w.session().post(command::Seek{20});  // frames come while one types
  QTRY_COMPARE(w.window->workspace()->timeline()->frame(), int64_t{20});
  type(table, "  Side door ");
  QTRY_COMPARE(cameras[1].name, std::string("Side door"));
  QTRY_COMPARE(w.window->action("undo")->text(),
               QString("&Undo Rename %1").arg(QString::fromStdString(second)));
  w.window->action("undo")->trigger();
  QTRY_COMPARE(cameras[1].name, second);
  QTRY_COMPARE(table->item(1, 0)->text(), QString::fromStdString(second));
  w.window->action("undo")->trigger();
  QTRY_COMPARE(cameras[0].name, before);
  // Other columns are not typed into.
  const QRect picture = table->visualItemRect(table->item(1, 1));
  QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, picture.center());
  QVERIFY(!qobject_cast<QLineEdit*>(QApplication::focusWidget()));
}

void CamerasTest::a_name_that_is_taken_is_refused() {
  OpenWindow w;
  const std::vector<ProjectCamera>& cameras = w.session().project().cameras;
  const QString before = QString::fromStdString(cameras[0].name);
  w.window->action("rename_camera")->trigger();
  QTableWidget* table = w.window->part<CamerasPanel>()->table();
  type(table, QString::fromStdString(cameras[1].name));
  QTRY_VERIFY(w.window->messages()->text().contains("another camera has this name"));
  QCOMPARE(table->item(0, 0)->text(), before);
  QCOMPARE(QString::fromStdString(cameras[0].name), before);
  QVERIFY(!w.window->action("undo")->isEnabled());
}

const TestPart<CamerasTest> kCamerasPart("cameras");

}  // namespace vantage::ui

#include "cameras_test.moc"
