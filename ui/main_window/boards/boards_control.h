// Cameras solved by a board that is shown to them, or by several: a page of the Calibrate dock, whose fields
// are the project's, and the proposal that comes of it. From live cameras the board is picked up while they
// are shown.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/setup/boards/board_pickup.h"
#include "core/setup/boards/project_boards.h"
#include "ui/main_window/control.h"
#include "ui/main_window/residuals/residuals.h"

namespace vantage::ui {

class BoardPage;

class BoardsControl final : public Control {
  Q_OBJECT
 public:
  explicit BoardsControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  void restore(const QSettings& settings) override;
  void save(QSettings& settings) const override;
  bool stoppable() const override { return picking_up(); }
  void stop() override;

  BoardPage* page() const { return page_; }
  void show_page();
  // The board as a page of PDF, on paper of that name (board_sheet.h), off the GUI thread.
  void print_to(const QString& file, const QString& paper);
  void read_from(const QString& file);  // the chosen board, by a file of another program
  bool picking_up() const;
  const CollectedBoardsRef& picked_up() const { return picked_up_; }  // null: nothing yet

 private:
  // What solving found of the boards, also where it fails; filled on its thread.
  struct Found {
    std::mutex mutex;
    ProjectBoards boards;
    std::vector<std::string> pictures;  // by camera
    std::vector<FoundBoards> views;     // empty: not searched for, or not to the end
    std::vector<BoardSightings> seen;
    std::optional<BoardsSolution> solution;
  };

  QString why_not_solve() const;
  bool has_picked_up() const;
  Board chosen_board() const;
  void post_edit(const QString& what);
  void show_project();
  void solve();
  // `found`: of these boards. `left_out`: pictures that are not used.
  void solve_by(std::shared_ptr<Found> found, const LeftOut& left_out);
  void solve_without(const LeftOut& pictures);
  void show_found();
  void choose_pictures(bool folder);
  void add_hand_held();
  void take_back_pictures();
  void read();
  void print();
  void pick_up(bool on);
  void forget_pictures();
  void offer_shown();
  void take_picked_up(int collection, const Result<CollectedBoardsRef>& picked_up);
  void show_picked_up();

  QAction* pick_up_;
  BoardPage* page_;
  QWidget* scrolled_;  // the page, which small windows scroll
  // Edits that the session has not run yet: until it has, what the project says is older than the page.
  std::shared_ptr<std::atomic<int>> edits_run_ = std::make_shared<std::atomic<int>>(0);
  int edits_posted_ = 0;
  bool project_shown_ = false;
  std::shared_ptr<Found> found_;  // null: nothing was solved yet
  CollectedBoardsRef picked_up_;
  std::vector<std::string> picked_from_;  // the cameras: name and address
  int collection_ = 0;                    // of the pickup; 0: none
  FrameResultRef offered_;
  std::unique_ptr<BoardPickup> pickup_;  // null: nothing was picked up yet
};

}  // namespace vantage::ui
