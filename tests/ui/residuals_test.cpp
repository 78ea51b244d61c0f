#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QPointer>
#include <QTableWidget>
#include <QTemporaryDir>
#include <cmath>

#include "core/image/color_map.h"
#include "tests/support/drawn_board.h"
#include "tests/ui/support/open_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/boards/board_page.h"
#include "ui/main_window/boards/boards_control.h"
#include "ui/main_window/calibrate/calibrate_panel.h"
#include "ui/main_window/calibrate/proposal.h"
#include "ui/main_window/floor_error/floor_error_control.h"
#include "ui/main_window/overlay_control.h"
#include "ui/main_window/residuals/residuals_control.h"

namespace vantage::ui {

// How good a calibration is, to be looked at: what corners and clicks miss by, and the error to expect of
// positions on the floor.
class ResidualsTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void one_bad_picture_comes_first();
  void the_median_arrow_can_be_read();
  void residuals_of_a_board_are_looked_at();
  void pictures_are_left_out_solved_again_and_undone();
  void residuals_of_clicks_are_looked_at();
  void unseen_floor_is_grey();
  void the_expected_error_lies_on_the_floor();
  void the_expected_error_says_what_it_needs();
};

namespace {

const FakeScene kResidualsScene{.width_px = 640, .height_px = 480};

// One camera of 600 x 400 pixels: frame 3 is off by 2 px, lens picture 7 by 0.5 px, but for one corner.
BoardsSolution solution_with_a_bad_picture() {
  PinholeCamera<double> model;
  model.width_px = 600, model.height_px = 400, model.fx_px = model.fy_px = 500;
  model.rotation_cam_from_world[0] = model.rotation_cam_from_world[4] = model.rotation_cam_from_world[8] = 1;
  CameraSolution camera{Camera::make("solved", model).value()};
  camera.held = {"k2 at 0"}, camera.advice = {"bring it to the top left"};
  BoardsSolution solution;
  solution.cameras = {camera};
  for (int corner = 0; corner < 10; ++corner) {
    solution.residuals.push_back({0, 7, true, corner, 0.5, 0, 150, 50});
    solution.residuals.push_back({0, 3, false, corner, 0, -2, 550, 350});
  }
  solution.residuals.push_back({0, 7, true, 10, 3, 4, 150, 50});
  return solution;
}

Marks marks_of(const OpenWindow& w) {
  return w.window->part<OverlayControl>()->marks();
}

}  // namespace

void ResidualsTest::one_bad_picture_comes_first() {
  const Residuals residuals = residuals_of(solution_with_a_bad_picture(), {"hall"});
  // Out of step, by its own frames; pictures for the lens are its own in any case.
  const Residuals apart =
      residuals_of(solution_with_a_bad_picture(), {"hall"}, {ClipTiming{.offset_frames = 12.6}});
  QCOMPARE(apart.cameras[0].pictures[0].name, QString("frame 16"));
  QCOMPARE(apart.cameras[0].pictures[1].name, QString("picture 7"));
  QCOMPARE(residuals.cameras.size(), size_t{1});
  const CameraResiduals& camera = residuals.cameras[0];
  QCOMPARE(camera.name, QString("hall"));
  QCOMPARE(camera.seen, 21);
  QCOMPARE(camera.pictures.size(), size_t{2});
  QCOMPARE(camera.pictures[0].name, QString("frame 3"));
  QCOMPARE(camera.pictures[0].rms_px, 2.0);
  QCOMPARE(camera.pictures[1].name, QString("picture 7"));
  QCOMPARE(camera.pictures[1].rms_px, std::sqrt((10 * 0.25 + 25) / 11));
  QCOMPARE(camera.pictures[1].max_px, 5.0);
  QCOMPARE(camera.rms_px, std::sqrt((10 * 0.25 + 25 + 40) / 21));
  QCOMPARE(camera.median_px, 2.0);
  QCOMPARE(camera.max_px, 5.0);
  QCOMPARE(camera.coverage[1], 11);
  QCOMPARE(camera.coverage[kCoverageColumns * kCoverageRows - 1], 10);
  QCOMPARE(camera.held, QStringList{"k2 at 0"});
  QCOMPARE(camera.advice, QStringList{"bring it to the top left"});
}

void ResidualsTest::the_median_arrow_can_be_read() {
  QCOMPARE(residual_scale(0.1, 20), 200);
  QCOMPARE(residual_scale(0.3, 20), 50);
  QCOMPARE(residual_scale(50, 20), 1);
  QCOMPARE(residual_scale(0, 20), 10000);  // clicks that fit exactly
}

void ResidualsTest::residuals_of_a_board_are_looked_at() {
  const Board board{7, 5, 0.08};
  const QTemporaryDir folder;
  OpenWindow w(kResidualsScene);
  QAction* action = w.window->action("residuals");
  QVERIFY(!action->isEnabled());
  QVERIFY2(action->toolTip().contains("Solve cameras from a board"), qPrintable(action->toolTip()));
  w.window->action("calibrate")->trigger();
  auto* boards = w.window->part<BoardsControl>();
  boards->show_page();
  for (int c = 0; c < 4; ++c) {
    const QString pictures = folder.filePath(QStringLiteral("cam%1").arg(c));
    QVERIFY(test::write_boards(pictures.toStdString(), *w.session().project().cameras[c].calibration, board));
    boards->page()->set_pictures(c, pictures);
  }
  boards->page()->set_board(board);
  w.window->action("solve_board")->trigger();
  QTRY_VERIFY(w.window->part<Proposal>()->proposed());
  QVERIFY(action->isEnabled());
  w.key(Qt::Key_R, Qt::AltModifier | Qt::ShiftModifier);
  auto* control = w.window->part<ResidualsControl>();
  QPointer<ResidualsDialog> dialog = control->dialog();
  QVERIFY(dialog && dialog->isVisible());
  QCOMPARE(dialog->camera()->count(), 4);
  const QTableWidget* pictures = dialog->pictures();
  for (int camera = 0; camera < 4; ++camera) {
    dialog->camera()->setCurrentIndex(camera);
    QCOMPARE(pictures->rowCount(), 4);
    QCOMPARE(pictures->item(0, 1)->text(), QString("35"));
    for (int row = 1; row < 4; ++row)
      QVERIFY(pictures->item(row - 1, 2)->text().toDouble() >= pictures->item(row, 2)->text().toDouble());
    QVERIFY2(dialog->summary().contains("140 corners in 4 pictures"), qPrintable(dialog->summary()));
    QVERIFY2(dialog->summary().contains(QStringLiteral("\u00d7%1,").arg(dialog->view()->scale())),
             qPrintable(dialog->summary()));
  }
  QVERIFY2(dialog->notes().contains("Record next: "), qPrintable(dialog->notes()));
  // A picture of the list, then an arrow by the mouse.
  const auto choose = QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows;
  dialog->pictures()->setCurrentCell(2, 0, choose);
  QCOMPARE(dialog->view()->highlighted(), std::optional<size_t>(2));
  QVERIFY2(dialog->chosen_text().startsWith(pictures->item(2, 0)->text() + ": RMS"),
           qPrintable(dialog->chosen_text()));
  ResidualsView* view = dialog->view();
  view->setFocus();
  QTest::keyClick(view, Qt::Key_Down);
  QCOMPARE(view->chosen(), std::optional(ResidualChoice{3, 0}));
  QVERIFY(dialog->pictures()->item(3, 0)->isSelected());
  QTest::keyClick(view, Qt::Key_Right);
  QCOMPARE(view->chosen(), std::optional(ResidualChoice{3, 1}));
  QCOMPARE(dialog->chosen_text(), view->words({3, 1}));
  QVERIFY2(dialog->chosen_text().contains("corner 1: x "), qPrintable(dialog->chosen_text()));
  QTest::mouseClick(view, Qt::LeftButton, {}, view->rect().topLeft() + QPoint(1, 1));  // beside all arrows
  QVERIFY(!view->chosen() && !view->highlighted());
  QVERIFY(dialog->pictures()->selectedItems().isEmpty());
  const QString folder_of_shots = qEnvironmentVariable("VANTAGE_SCREENSHOTS");
  if (!folder_of_shots.isEmpty()) dialog->grab().save(folder_of_shots + "/residuals.png");
  // Still there when the proposal is applied, and gone with the project.
  dialog->close();
  QTRY_VERIFY(!dialog);
  w.window->action("apply_calibration")->trigger();
  QTRY_VERIFY(!w.window->part<Proposal>()->proposed());
  QVERIFY(action->isEnabled());
  action->trigger();
  dialog = control->dialog();
  QVERIFY(dialog && dialog->isVisible());
  w.session().post(command::Save{"/somewhere/hall.vantage"});
  QCoreApplication::processEvents();
  w.window->action("close")->trigger();
  QTRY_VERIFY(!dialog);
  QVERIFY(!action->isEnabled());
}

void ResidualsTest::pictures_are_left_out_solved_again_and_undone() {
  const Board board{7, 5, 0.08};
  const QTemporaryDir folder;
  OpenWindow w(kResidualsScene);
  w.window->action("calibrate")->trigger();
  auto* boards = w.window->part<BoardsControl>();
  auto* proposal = w.window->part<Proposal>();
  boards->show_page();
  for (int c = 0; c < 4; ++c) {
    const QString pictures = folder.filePath(QStringLiteral("cam%1").arg(c));
    QVERIFY(test::write_boards(pictures.toStdString(), *w.session().project().cameras[c].calibration, board));
    boards->page()->set_pictures(c, pictures);
  }
  boards->page()->set_board(board);
  w.window->action("solve_board")->trigger();
  QTRY_VERIFY(proposal->proposed());
  // Deviations of cameras from each other first, then in the world; one RMS of all; short lines.
  QTableWidget* proposed = w.window->part<CalibratePanel>()->proposal();
  QCOMPARE(proposed->rowCount(), 5);
  QVERIFY(proposed->horizontalHeaderItem(1)->text().startsWith("To "));
  QCOMPARE(proposed->horizontalHeaderItem(2)->text(), QString("In the world"));
  QCOMPARE(proposed->item(0, 1)->text(), QString("\u2013"));
  for (const int column : {1, 2})
    QVERIFY2(proposed->item(1, column)->text().contains(" mm"),
             qPrintable(proposed->item(1, column)->text()));
  QCOMPARE(proposed->item(4, 0)->text(), QString("all"));
  QCOMPARE(proposed->item(4, 4)->text(), QString("16 of 16"));
  w.key(Qt::Key_R, Qt::AltModifier | Qt::ShiftModifier);
  ResidualsDialog* dialog = w.window->part<ResidualsControl>()->dialog();
  QVERIFY(dialog && dialog->isVisible());
  QApplication::setActiveWindow(dialog);
  QVERIFY(!dialog->undo()->isEnabled());
  dialog->camera()->setCurrentIndex(2);
  const QTableWidget* pictures = dialog->pictures();
  const auto used = [&] {
    QStringList names;
    for (int row = 0; row < pictures->rowCount(); ++row)
      if (pictures->item(row, 0)->checkState() == Qt::Checked) names << pictures->item(row, 0)->text();
    names.sort();
    return names;
  };
  const QStringList all = used();
  QCOMPARE(all.size(), 4);
  // By the key, of the chosen one.
  dialog->pictures()->setCurrentCell(0, 0, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  const QString worst = pictures->item(0, 0)->text();
  QTest::keyClick(dialog->pictures(), Qt::Key_Delete);
  QTRY_VERIFY2(dialog->summary().contains("105 corners in 3 pictures"), qPrintable(dialog->summary()));
  QCOMPARE(dialog->camera()->currentIndex(), 2);
  QCOMPARE(pictures->item(3, 0)->text(), worst);
  QCOMPARE(pictures->item(3, 1)->text(), QString("left out"));
  QCOMPARE(pictures->item(3, 0)->checkState(), Qt::Unchecked);
  QCOMPARE(proposed->item(4, 4)->text(), QString("15 of 16"));
  QTest::keyClick(dialog->pictures(), Qt::Key_Z, Qt::ControlModifier);
  QTRY_VERIFY2(dialog->summary().contains("140 corners in 4 pictures"), qPrintable(dialog->summary()));
  QCOMPARE(used(), all);
  QVERIFY(!dialog->undo()->isEnabled());
  // By the tick, and back by the tick.
  pictures->item(1, 0)->setCheckState(Qt::Unchecked);
  QTRY_VERIFY2(dialog->summary().contains("105 corners in 3 pictures"), qPrintable(dialog->summary()));
  pictures->item(3, 0)->setCheckState(Qt::Checked);
  QTRY_VERIFY2(dialog->summary().contains("140 corners in 4 pictures"), qPrintable(dialog->summary()));
  // Several at once; where nothing can be solved without them, they stay in use.
  dialog->pictures()->selectAll();
  QTest::keyClick(dialog->pictures(), Qt::Key_Delete);
  QTRY_VERIFY(!proposal->solving() && !proposal->proposed());
  QVERIFY(!w.window->part<CalibratePanel>()->text().isEmpty());
  QCOMPARE(used(), all);
  dialog->close();
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void ResidualsTest::residuals_of_clicks_are_looked_at() {
  OpenWindow w(kResidualsScene);
  w.session().post(command::Edit{
      "points", [](Project& project) {
        int number = 0;
        for (const Eigen::Vector3d& place : {Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(0.5, 0, 0),
                                             Eigen::Vector3d(0, 0.5, 0), Eigen::Vector3d(-0.5, 0.3, 0.4),
                                             Eigen::Vector3d(0.3, -0.5, 1), Eigen::Vector3d(0.4, 0.4, 1.2)}) {
          ClickedPoint point;
          point.name = "P" + std::to_string(++number);
          for (const ProjectCamera& camera : project.cameras)
            point.clicks.push_back({camera.name, *camera.calibration->project(place)});
          if (number == 2) point.clicks[1].at_px.x() += 3;
          project.points.push_back(point);
        }
      }});
  QCoreApplication::processEvents();
  auto* proposal = w.window->part<Proposal>();
  w.window->part<CalibratePanel>()->choose_cameras({w.session().project().cameras[1].name});
  QTRY_VERIFY(w.window->action("solve_points")->isEnabled());
  w.window->action("solve_points")->trigger();
  QTRY_VERIFY(proposal->proposed());
  w.window->action("residuals")->trigger();
  ResidualsDialog* dialog = w.window->part<ResidualsControl>()->dialog();
  dialog->camera()->setCurrentIndex(1);
  QCOMPARE(dialog->pictures()->rowCount(), 6);
  QCOMPARE(dialog->pictures()->item(0, 0)->text(), QString("P2"));  // the click that was moved
  QVERIFY2(dialog->summary().startsWith("6 clicks in 6 points"), qPrintable(dialog->summary()));
  const QString described = dialog->view()->accessibleDescription();
  QVERIFY2(described.contains("6 clicks, root mean square"), qPrintable(described));
  QVERIFY2(!described.contains("corner"), qPrintable(described));
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void ResidualsTest::unseen_floor_is_grey() {
  FloorErrorMap map;
  map.columns = 3, map.rows = 1, map.error_m = {0.01, std::nullopt, 0.2};
  map.median_m = 0.01, map.max_m = 0.2;
  QCOMPARE(map.full_m(), 0.04);
  const FloorPicture picture = floor_error_picture(map);
  const auto color = [&](int x, int y) {
    const auto* at = &picture.rgba[4 * (y * picture.nx + x)];
    return std::array<uint8_t, 3>{at[0], at[1], at[2]};
  };
  const int cell = picture.nx / 3;
  QCOMPARE(picture.size_m(), Eigen::Vector2d(3 * kFloorStep_m, kFloorStep_m));
  QVERIFY(color(0, 0) == mapped_color(kCividis, 0.25));
  QVERIFY(color(2 * cell, 0) == mapped_color(kCividis, 1));
  QVERIFY(color(cell, 0)[0] == color(cell, 0)[2] && color(cell, 0) != color(cell + 1, 0));
  FloorErrorCameras cameras;
  cameras.cameras.resize(3, {*kResidualsScene.project().cameras[0].calibration});
  QVERIFY(floor_error_legend(map, cameras).contains("0 to 4.00 cm or more"));
  QVERIFY(exact_text(cameras).isEmpty());
  cameras.exact = 2;
  QCOMPARE(exact_text(cameras), QString("2 of 3 poses as exact"));
  QCOMPARE(floor_error_text(map, cameras, {0.1, 0.1}),
           QString("expected error 1.00 cm (2 of 3 poses as exact)"));
  QVERIFY(floor_error_text(map, cameras, {0.3, 0.1}).contains("fewer than two cameras"));
  QVERIFY(floor_error_text(map, cameras, {-0.1, 0.1}).isEmpty());
}

void ResidualsTest::the_expected_error_lies_on_the_floor() {
  OpenWindow w(kResidualsScene);
  const OverlayControl& overlays = *w.window->part<OverlayControl>();
  w.key(Qt::Key_E, Qt::ShiftModifier);
  QVERIFY(w.window->action("expected_error")->isChecked());
  QTRY_VERIFY(overlays.marks().floor_map);
  QVERIFY2(marks_of(w).floor_text.contains("all poses as exact"), qPrintable(marks_of(w).floor_text));
  QVERIFY(marks_of(w).floor_text.startsWith("expected error 0 to "));
  const Eigen::Vector3d middle(0, 0, 0);
  const auto cameras = floor_error_cameras(w.session().project().named_calibrations(), {});
  const FloorErrorMap map =
      floor_error(cameras.cameras, w.session().project().effective_grid().value(), 0).value();
  QVERIFY2(overlays.layer_text(middle) == floor_error_text(map, cameras, middle.head<2>()) &&
               overlays.layer_text(middle).contains(" cm (all poses as exact)"),
           qPrintable(overlays.layer_text(middle)));
  QVERIFY(overlays.layer_text({500, 500, 0}).isEmpty());
  keep_picture(*w.window, "expected_error");
  // A camera that moves is counted anew, and one that was solved is no longer exact.
  const FloorPictureRef before = marks_of(w).floor_map;
  auto* proposal = w.window->part<Proposal>();
  const ChangeCovariance covariance = ChangeCovariance::Identity() * 1e-6;
  const Camera solved = w.session().project().named_calibrations()[1];
  QVERIFY(!proposal->proposed());
  proposal->solve([=](const Project&, const auto&, const StopSource&) -> Result<CalibrationProposal> {
    CalibrationProposal known;
    known.what = "calibration";
    known.solved = {solved_alone(solved, covariance)};
    known.change = [](Project& changed) {
      changed.cameras[0].calibration =
          changed_camera(*changed.cameras[0].calibration, CameraChange::Constant(1e-3));
    };
    return known;
  });
  QTRY_VERIFY(proposal->proposed());
  w.window->action("apply_calibration")->trigger();
  QTRY_VERIFY(marks_of(w).floor_map && marks_of(w).floor_map != before);
  QVERIFY2(marks_of(w).floor_text.contains("3 of 4 poses as exact"), qPrintable(marks_of(w).floor_text));
  w.window->action("expected_error")->trigger();
  QVERIFY(!marks_of(w).floor_map);
  QVERIFY(overlays.layer_text(middle).isEmpty());
  // Kept in the settings.
  QSettings settings;
  auto* control = w.window->part<FloorErrorControl>();
  w.window->action("expected_error")->trigger();
  control->save(settings);
  w.window->action("expected_error")->setChecked(false);
  control->restore(settings);
  QVERIFY(w.window->action("expected_error")->isChecked());
  w.session().post(command::Save{"/somewhere/hall.vantage"});
  QCoreApplication::processEvents();
  w.window->action("close")->trigger();
  QTRY_VERIFY(!w.window->action("expected_error")->isEnabled());
  QVERIFY(!marks_of(w).floor_map);
}

void ResidualsTest::the_expected_error_says_what_it_needs() {
  FakeScene uncalibrated;
  uncalibrated.calibrated = false;
  OpenWindow w(uncalibrated);
  const QAction* action = w.window->action("expected_error");
  QVERIFY(!action->isEnabled());
  QVERIFY2(action->toolTip().contains("needs a calibration"), qPrintable(action->toolTip()));
}

const TestPart<ResidualsTest> kResidualsPart("residuals");

}  // namespace vantage::ui

#include "residuals_test.moc"
