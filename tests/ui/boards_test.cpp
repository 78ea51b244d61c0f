#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QPointer>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QToolButton>
#include <algorithm>

#include "tests/support/board_wall.h"
#include "tests/support/drawn_board.h"
#include "tests/ui/support/open_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/boards/board_fields.h"
#include "ui/main_window/boards/board_page.h"
#include "ui/main_window/boards/boards_control.h"
#include "ui/main_window/calibrate/calibrate_panel.h"
#include "ui/main_window/calibrate/proposal.h"
#include "ui/main_window/residuals/residuals_control.h"
#include "ui/main_window/residuals/residuals_dialog.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {

// Several boards, and a hand-held camera, on the page Board.
class BoardsTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void boards_are_listed_edited_undone_and_kept();
  void a_hand_held_camera_links_cameras_that_share_no_board();
  void why_a_board_is_not_joined_is_said();
  void wrong_clicks_change_nothing();
  void a_board_of_another_program_is_read();
  void the_form_stays_where_it_is_and_progress_only_grows();
};

namespace {

const Board kCharuco{5, 4, 0.05, BoardMarkers{"DICT_4X4_100", 0.037}};  // 15 markers

class BoardsWindow : public OpenWindow {
 public:
  BoardsWindow() : OpenWindow({.width_px = 640, .height_px = 480}) {
    window->action("calibrate")->trigger();
    boards()->show_page();
    QCoreApplication::processEvents();
  }
  BoardsControl* boards() const { return window->part<BoardsControl>(); }
  BoardPage* page() const { return boards()->page(); }
  QTableWidget* list() const { return page()->list()->table(); }
  CalibratePanel* panel() const { return window->part<CalibratePanel>(); }
  const std::optional<CalibrationProposal>& proposal() const { return window->part<Proposal>()->proposed(); }
  const ProjectBoards& stated() { return session().project().boards; }
  void give(const char* action) {
    window->action(action)->trigger();
    QCoreApplication::processEvents();
  }
  QString cell(int board, int column) const { return list()->item(board, column)->text(); }
  // The project's first two cameras become those before the wall; the others go.
  void stand_before(const test::BoardWall& wall, const QTemporaryDir& folder) {
    session().post(command::Edit{"cameras", [folder = folder.path()](Project& project) {
                                   project.cameras.resize(2);
                                   for (ProjectCamera& camera : project.cameras) {
                                     camera.name = &camera == &project.cameras[0] ? "a" : "b";
                                     camera.calibration = test::wall_camera(camera.name);
                                     camera.board_pictures = folder.toStdString() + "/" + camera.name;
                                   }
                                 }});
    ProjectBoards boards{.boards = wall.boards, .solve_lens = false};
    boards.hand_held = {folder.filePath("phone").toStdString()}, boards.still = true;
    session().post(command::Edit{"boards", [boards](Project& project) { project.boards = boards; }});
    QCoreApplication::processEvents();
  }
  void solve() {
    QTRY_VERIFY(window->action("solve_board")->isEnabled());
    window->action("solve_board")->trigger();
    QTRY_VERIFY2(proposal() || !panel()->text().isEmpty(), "nothing comes");
  }
};

}  // namespace

void BoardsTest::boards_are_listed_edited_undone_and_kept() {
  BoardsWindow w;
  QTRY_VERIFY(w.page()->isVisible());
  QVERIFY(w.stated() == ProjectBoards());  // as it was made
  QCOMPARE(w.list()->rowCount(), 1);
  w.page()->set_board({9, 6, 0.03});
  QVERIFY(!w.window->action("add_board")->isEnabled());
  QVERIFY(w.window->action("add_board")->toolTip().contains("Plain chessboards"));
  w.page()->set_board(kCharuco);
  QCOMPARE(w.stated().boards, std::vector<Board>{kCharuco});
  // Two more; their IDs go on.
  w.give("add_board");
  w.give("add_board");
  QCOMPARE(w.stated().boards.size(), size_t{3});
  QCOMPARE(w.stated().boards[2].first_id(), 30);
  QVERIFY2(w.cell(2, 0).contains("IDs 30 to 44"), qPrintable(w.cell(2, 0)));
  QCOMPARE(w.page()->list()->chosen(), size_t{2});
  // A field of the chosen one, typed.
  w.list()->selectRow(1);
  QSpinBox* columns = w.page()->columns();
  QCOMPARE(columns->value(), 5);
  columns->setValue(6);
  QCOMPARE(w.stated().boards[1].columns, 6);
  QCOMPARE(w.stated().boards[0].columns, 5);
  // Its markers are now more than are left before the third's: said at once.
  QVERIFY2(w.page()->list()->text().contains("boards 2 and 3 have the same markers"),
           qPrintable(w.page()->list()->text()));
  w.give("undo");
  QCOMPARE(w.stated().boards[1].columns, 5);
  QTRY_COMPARE(columns->value(), 5);
  QVERIFY(w.page()->list()->text().isEmpty());
  // The last of them is taken away, and comes back.
  w.list()->selectRow(2);
  w.give("remove_board");
  QCOMPARE(w.list()->rowCount(), 2);
  w.give("undo");
  QTRY_COMPARE(w.list()->rowCount(), 3);
  // Its row is seen, above the buttons, once Qt has laid out.
  const QRect third = w.list()->visualRect(w.list()->model()->index(2, 0));
  QVERIFY(w.list()->viewport()->rect().contains(third));
  for (const auto* one : w.page()->list()->findChildren<QToolButton*>()) {
    QTRY_VERIFY2(
        one->mapTo(w.page(), QPoint()).y() >= w.list()->viewport()->mapTo(w.page(), third.bottomLeft()).y(),
        qPrintable(one->text()));
  }
  QCOMPARE(w.stated().boards[2].first_id(), 30);
  // A hand-held camera is a row behind the project's cameras.
  QVERIFY(w.window->action("board_hand_held")->isEnabled());
  const int cameras = w.page()->table()->rowCount();
  w.page()->add_hand_held("/there/walk.mp4");
  QCOMPARE(w.stated().hand_held, std::vector<std::string>{"/there/walk.mp4"});
  QCOMPARE(w.page()->table()->item(cameras, 1)->text(), QString("walk.mp4"));
  w.page()->set_pictures(1, "/there/cam2.mp4");
  QCOMPARE(w.session().project().cameras[1].board_pictures, std::string("/there/cam2.mp4"));
  keep_picture(*w.window, "boards");
  w.page()->table()->selectAll();
  w.give("board_own_video");
  QVERIFY(w.stated().hand_held.empty());
  QVERIFY(w.session().project().cameras[1].board_pictures.empty());
  QCOMPARE(w.page()->table()->rowCount(), cameras);
  // The third is printed by itself.
  const QTemporaryDir folder;
  w.list()->selectRow(2);
  w.boards()->print_to(folder.filePath("third.pdf"), "A2");
  QTRY_VERIFY(QFileInfo(folder.filePath("third.pdf")).size() > 2000);
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void BoardsTest::a_hand_held_camera_links_cameras_that_share_no_board() {
  const test::BoardWall wall;
  const QTemporaryDir folder;
  QVERIFY(wall.draw(folder.path().toStdString()));
  BoardsWindow w;
  w.stand_before(wall, folder);
  QTRY_COMPARE(w.list()->rowCount(), 3);
  QTRY_COMPARE(w.page()->table()->rowCount(), 3);
  QCOMPARE(w.cell(0, 1), QString::fromUtf8("\u2013"));
  w.solve();
  QVERIFY2(w.proposal(), qPrintable(w.panel()->text()));
  QVERIFY2(w.panel()->proposal_text().contains("Solved by 3 boards"), qPrintable(w.panel()->proposal_text()));
  QCOMPARE(w.panel()->proposal()->rowCount(), 4);  // and all of them
  QVERIFY(w.panel()->proposal()->item(2, 0)->text() == "phone");
  QVERIFY(w.panel()->proposal()->item(2, 0)->toolTip().contains("Hand-held"));
  // Who saw each board, and where it stands.
  QCOMPARE(w.cell(0, 1), QString("2"));
  QCOMPARE(w.cell(1, 1), QString("1"));
  QCOMPARE(w.cell(0, 2), QString("world"));
  QCOMPARE(w.cell(2, 2), QString("joined"));
  w.list()->selectRow(2);
  const QString found = w.page()->list()->text();
  QVERIFY2(found.contains("Board 3 was seen by b, phone") && found.contains("From board 1 it stands at 15"),
           qPrintable(found));
  keep_picture(*w.window, "boards_solved");
  // Residuals of one board alone, counted where it was seen.
  w.give("residuals");
  QPointer<ResidualsDialog> dialog = w.window->part<ResidualsControl>()->dialog();
  QVERIFY(dialog && dialog->board()->isVisible());
  QCOMPARE(dialog->board()->count(), 4);
  dialog->camera()->setCurrentIndex(2);
  const int all = dialog->pictures()->rowCount();
  int by_board = 0;
  for (int board = 0; board < 3; ++board) {
    dialog->board()->setCurrentIndex(board + 1);
    by_board += dialog->pictures()->rowCount();
    for (int row = 0; row < dialog->pictures()->rowCount(); ++row)
      QVERIFY2(dialog->pictures()->item(row, 0)->text().endsWith(QStringLiteral(", board %1").arg(board + 1)),
               qPrintable(dialog->pictures()->item(row, 0)->text()));
  }
  QCOMPARE(by_board, all);
  dialog->camera()->setCurrentIndex(0);  // which saw the first board alone
  QVERIFY2(dialog->summary().contains("nothing was used"), qPrintable(dialog->summary()));
  dialog->close();
  // Applied: two cameras, 1.7 m apart; undone.
  w.give("apply_calibration");
  const auto& cameras = w.session().project().cameras;
  QCOMPARE(cameras.size(), size_t{2});
  const double apart = (wall.b.inverse().translation() - wall.a.inverse().translation()).norm();
  QTRY_VERIFY(
      std::abs(
          (cameras[0].calibration->center_in_world_m() - cameras[1].calibration->center_in_world_m()).norm() -
          apart) < 0.02);
  // The results are those of the boards that were solved by.
  w.give("add_board");
  QCOMPARE(w.cell(0, 1), QString::fromUtf8("\u2013"));
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void BoardsTest::why_a_board_is_not_joined_is_said() {
  const test::BoardWall wall;
  const QTemporaryDir folder;
  QVERIFY(wall.draw(folder.path().toStdString(), 0, 7));  // the last board is not reached
  BoardsWindow w;
  w.stand_before(wall, folder);
  w.solve();
  QVERIFY(!w.proposal());
  QVERIFY2(w.panel()->text().contains("no picture links this camera's boards (board 3)"),
           qPrintable(w.panel()->text()));
  // What was found is shown all the same.
  QCOMPARE(w.cell(2, 1), QString("1"));
  w.list()->selectRow(2);
  QVERIFY2(w.page()->list()->text().startsWith("Board 3 was seen by b, in 1 views."),
           qPrintable(w.page()->list()->text()));
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void BoardsTest::wrong_clicks_change_nothing() {
  BoardsWindow w;
  w.page()->set_board(kCharuco);
  const ProjectBoards before = w.stated();
  for (const char* action : {"remove_board", "board_hand_held"}) {
    QVERIFY(!w.window->action(action)->isEnabled());
    w.give(action);
  }
  w.page()->remove_board();
  w.page()->set_pictures(99, "/nowhere");
  w.page()->table()->clearSelection();
  w.give("board_own_video");
  w.list()->clearSelection();
  QCOMPARE(w.page()->list()->chosen(), size_t{0});
  QVERIFY(w.stated() == before);
  w.session().post(command::Save{"/somewhere/hall.vantage"});
  QCoreApplication::processEvents();
  // Without a project the page shows the board that was used last, and keeps nothing.
  w.give("close");
  w.page()->set_board({9, 6, 0.03});
  QCOMPARE(w.list()->rowCount(), 1);
}

void BoardsTest::a_board_of_another_program_is_read() {
  const QTemporaryDir folder;
  const auto write = [&](const char* name, const char* text) {
    QFile file(folder.filePath(name));
    if (file.open(QIODevice::WriteOnly)) file.write(text);
    return folder.filePath(name);
  };
  BoardsWindow w;
  w.page()->set_board({9, 6, 0.03});
  w.boards()->read_from(write("charuco.toml",
                              "columns = 4\nrows = 5\ndictionary = \"DICT_4X4_1000\"\naruco_scale = 0.75\n"
                              "square_size_override_cm = 5.4\n"));
  const Board board = w.stated().boards.at(0);
  QVERIFY(board.columns == 3 && board.rows == 4 && board.markers &&
          board.markers->dictionary == "DICT_4X4_1000");
  QCOMPARE(board.square_m, 0.054);
  QCOMPARE(board.markers->side_m, 0.0405);
  QVERIFY2(w.cell(0, 0).contains("ChArUco 3"), qPrintable(w.cell(0, 0)));
  w.boards()->read_from(write("target.yaml",
                              "target_type: 'aprilgrid'\ntagCols: 6\ntagRows: 5\ntagSize: 0.088\n"
                              "tagSpacing: 0.3\n"));
  const std::vector<Board> tags = w.stated().boards;
  QVERIFY(tags.at(0).tags && tags[0].columns == 12 && tags[0].rows == 10);
  QCOMPARE(tags[0].tags->side_m, 0.088);
  QCOMPARE(tags[0].tags->gap_m, 0.0264);
  w.boards()->read_from(write("target.yaml", "target_type: 'circlegrid'\n"));
  QTRY_VERIFY2(w.window->messages()->text().contains("circlegrid"), qPrintable(w.window->messages()->text()));
  QVERIFY(w.stated().boards == tags);
  QTRY_VERIFY(w.window->action("undo")->isEnabled());
  w.give("undo");
  QVERIFY(w.stated().boards == std::vector<Board>{board});
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

// What is found of boards, and what is proposed, comes below what is pressed.
void BoardsTest::the_form_stays_where_it_is_and_progress_only_grows() {
  const QTemporaryDir folder;
  BoardsWindow w;
  const Board board{7, 5, 0.08};
  for (int c = 0; c < 4; ++c) {
    const QString pictures = folder.filePath(QStringLiteral("cam%1").arg(c));
    QVERIFY(test::write_boards(pictures.toStdString(), *w.session().project().cameras[c].calibration, board));
    w.page()->set_pictures(c, pictures);
  }
  w.page()->set_board(board);
  QCoreApplication::processEvents();
  const auto places = [&] {
    QList<QPoint> all{w.page()->columns()->mapTo(w.page(), QPoint())};
    for (auto* button : w.page()->findChildren<QToolButton*>()) all << button->mapTo(w.page(), QPoint());
    return all;
  };
  const QList<QPoint> before = places();
  QList<double> shown;
  const WindowState& state = w.window->state();
  connect(&state, &WindowState::changed, this, [&] {
    if (const auto& work = state.work(); work && work->share >= 0) shown << work->share;
  });
  w.solve();
  QTRY_VERIFY(!w.page()->list()->text().isEmpty());
  QCOMPARE(places(), before);
  QVERIFY(!shown.empty());
  QVERIFY(std::is_sorted(shown.begin(), shown.end()));
  w.page()->set_board({7, 5, 0.081});  // what was found is of another board now
  QTRY_VERIFY(w.page()->list()->text().isEmpty());
  QCOMPARE(places(), before);
  // Lengths are millimetres here, also in what is wrong with them.
  Board wrong = kCharuco;
  wrong.markers->side_m = wrong.square_m;
  const QString problem = QString::fromStdString(check_boards(std::vector{wrong}).error().message());
  QVERIFY2(!problem.contains(QRegularExpression("0\\.\\d|metres")), qPrintable(problem));
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

const TestPart<BoardsTest> kBoardsPart("boards");

}  // namespace vantage::ui

#include "boards_test.moc"
