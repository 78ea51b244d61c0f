#include <QAction>
#include <QSpinBox>
#include <QTableWidget>
#include <algorithm>

#include "tests/support/held_board_footage.h"
#include "tests/ui/support/live_window.h"
#include "tests/ui/support/open_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/boards/board_page.h"
#include "ui/main_window/boards/boards_control.h"
#include "ui/main_window/calibrate/calibrate_panel.h"
#include "ui/main_window/calibrate/proposal.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {

// A board that is shown to live cameras, picked up in the window.
class LiveBoardsTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void a_board_is_picked_up_solved_applied_and_taken_back();
  void wrong_clicks_do_no_harm();
};

namespace {

class LiveBoardsWindow : public LiveWindow {
 public:
  LiveBoardsWindow()
      : LiveWindow([](const std::filesystem::path& folder) {
          return test::make_held_board_footage(folder).value();
        }) {}
  BoardsControl* boards() const { return window->part<BoardsControl>(); }
  BoardPage* page() const { return boards()->page(); }
  QAction* action(const char* name) const { return window->action(name); }
  int64_t picked() const { return boards()->picked_up() ? boards()->picked_up()->sets : 0; }
  const MarkedBoards& marks() const { return window->workspace()->cameras()->boards(); }
  CalibratePanel* panel() const { return window->part<CalibratePanel>(); }
};

}  // namespace

void LiveBoardsTest::a_board_is_picked_up_solved_applied_and_taken_back() {
  LiveBoardsWindow w;
  QTRY_VERIFY(w.action("pick_up_boards")->isEnabled());
  w.page()->set_board(test::kHeldBoard);
  QVERIFY(!w.action("solve_board")->isEnabled());
  QVERIFY(w.action("solve_board")->toolTip().contains("Ctrl+Alt+U"));
  QVERIFY(!w.action("forget_boards")->isEnabled());
  QTest::keyClick(w.window.get(), Qt::Key_U, Qt::ControlModifier | Qt::AltModifier);
  QVERIFY(w.boards()->picking_up());
  QVERIFY2(!w.boards()->picked_up(), "the board is locked before the first picture is searched");
  QVERIFY(!w.page()->columns()->isEnabled());
  QTRY_VERIFY(w.page()->isVisible());
  QVERIFY(!w.page()->next_text().isEmpty());
  // Corners and coverage in both pictures, figures in the list.
  QTRY_VERIFY(w.marks().size() == 2 && w.marks()[0].corners.size() >= 27);
  QTRY_VERIFY(w.picked() >= 2);
  QTRY_VERIFY(std::any_of(w.marks().begin(), w.marks().end(), [](const MarkedBoard& mark) {
    return std::any_of(mark.coverage.begin(), mark.coverage.end(), [](int corners) { return corners > 0; });
  }));
  QVERIFY(w.page()->table()->item(0, 1)->text().contains("picked up"));
  QTRY_VERIFY(w.action("solve_board")->isEnabled());
  QTRY_VERIFY(w.picked() >= 4);
  QTRY_VERIFY(w.picked() >= 6);
  keep_picture(*w.window, "live_boards");
  // Ended by Esc, kept, and gone on with.
  w.action("stop")->trigger();
  QVERIFY(!w.boards()->picking_up());
  QVERIFY(w.marks().empty());
  const int64_t before = w.picked();
  w.action("pick_up_boards")->trigger();
  QTRY_VERIFY(!w.marks().empty());
  QVERIFY(w.picked() >= before);
  w.action("solve_board")->trigger();
  QVERIFY(!w.boards()->picking_up());
  const Proposal* proposal = w.window->part<Proposal>();
  QTRY_VERIFY2(proposal->proposed() || !w.panel()->text().isEmpty(), "nothing comes");
  QVERIFY2(proposal->proposed(), qPrintable(w.panel()->text()));
  QVERIFY2(w.panel()->proposal_text().contains("Solved by the board"),
           qPrintable(w.panel()->proposal_text()));
  keep_picture(*w.window, "live_boards_proposed");
  // The cameras are opened again with it, and go on.
  w.action("apply_calibration")->trigger();
  const Project applied = w.saved([](const Project& project) { return project.calibrated(); });
  QVERIFY(applied.calibrated());
  const double apart = (applied.cameras[0].calibration->center_in_world_m() -
                        applied.cameras[1].calibration->center_in_world_m())
                           .norm();
  QVERIFY2(std::abs(apart - test::kHeldApart_m) < 0.05, qPrintable(QString::number(apart)));
  QTRY_VERIFY(w.badge().contains("LIVE"));
  QVERIFY2(w.picked() >= before, "the pictures outlive what was made of them");
  QTRY_VERIFY(w.action("undo")->isEnabled());
  w.action("undo")->trigger();
  QVERIFY(!w.saved([](const Project& project) { return !project.calibrated(); }).calibrated());
  QTRY_VERIFY(w.action("forget_boards")->isEnabled());
  w.action("forget_boards")->trigger();
  QCOMPARE(w.picked(), 0);
  QVERIFY(!w.action("solve_board")->isEnabled());
  QVERIFY(!w.page()->table()->item(0, 1)->text().contains("picked up"));
}

void LiveBoardsTest::wrong_clicks_do_no_harm() {
  {
    OpenWindow recorded;
    QVERIFY(!recorded.window->action("pick_up_boards")->isEnabled());
    QVERIFY(recorded.window->action("pick_up_boards")->toolTip().contains("not live"));
    recorded.window->action("pick_up_boards")->trigger();
    QVERIFY(!recorded.window->part<BoardsControl>()->picking_up());
  }
  LiveBoardsWindow w;
  QTRY_VERIFY(w.action("pick_up_boards")->isEnabled());
  // A board that there is not: said, and not begun.
  w.page()->set_board({2, 2, 0.08});
  w.action("pick_up_boards")->trigger();
  QVERIFY(!w.boards()->picking_up());
  QTRY_VERIFY2(w.window->messages()->text().contains("inner corners"),
               qPrintable(w.window->messages()->text()));
  // Forgotten while pictures are searched; begun and ended in turn.
  w.page()->set_board(test::kHeldBoard);
  for (int i = 0; i < 5; ++i) {
    w.action("pick_up_boards")->trigger();
    QCoreApplication::processEvents();
    w.action("pick_up_boards")->trigger();
  }
  w.action("pick_up_boards")->trigger();
  QTRY_VERIFY(w.picked() >= 1);
  w.action("forget_boards")->trigger();
  QVERIFY(w.boards()->picking_up());
  QCOMPARE(w.picked(), 0);
  QTRY_VERIFY(w.picked() >= 1);
  QVERIFY(w.saved([](const Project& project) { return !project.boards.boards.empty(); }).boards.boards ==
          std::vector<Board>{test::kHeldBoard});
  w.action("close")->trigger();
  QTRY_VERIFY(!w.boards()->picking_up());
  QVERIFY(w.marks().empty());
  QVERIFY(!w.action("pick_up_boards")->isEnabled());
  QCOMPARE(w.picked(), 0);
  w.action("pick_up_boards")->trigger();
  QVERIFY(!w.boards()->picking_up());
}

const TestPart<LiveBoardsTest> kLiveBoardsPart("live_boards");

}  // namespace vantage::ui

#include "live_boards_test.moc"
