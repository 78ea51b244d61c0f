#include "ui/main_window/boards/boards_control.h"

#include <QFileDialog>
#include <QScrollArea>
#include <algorithm>
#include <utility>

#include "ui/main_window/boards/board_page.h"
#include "ui/main_window/calibrate/calibrate_control.h"
#include "ui/main_window/of_cameras.h"

namespace vantage::ui {

BoardsControl::BoardsControl(const WindowParts& parts)
    : Control(parts),
      solve_(add_action({"solve_board", "Solve From &Board", "Alt+Shift+B",
                         "Solve lenses and poses of all cameras by a board, or several, that are shown to "
                         "them; Esc stops"},
                        {Menu::analysis, "solve_people"})),
      video_(add_action({"board_video", "&Video of the Board\u2026", "Ctrl+Alt+V",
                         "Say in which video the chosen camera sees the board", false, "Video\u2026"},
                        {Menu::analysis, "solve_board"})),
      folder_(add_action(
          {"board_folder", "&Folder of Board Pictures\u2026", "Ctrl+Alt+P",
           "Say in which folder the chosen camera's pictures of the board are", false, "Folder\u2026"},
          {Menu::analysis, "board_video"})),
      own_(
          add_action({"board_own_video", "Board in &Own Video", "Ctrl+Alt+O",
                      "Search for the board in the chosen cameras' own videos; a hand-held camera is removed",
                      false, "Own"},
                     {Menu::analysis, "board_folder"})),
      hand_held_(add_action({"board_hand_held", "Add &Hand-Held Camera\u2026", "Ctrl+Alt+Shift+H",
                             "Say which video was filmed by walking from board to board, two of them in the "
                             "picture again and again: it links cameras that share no view, and does not "
                             "become one of the project's"},
                            {Menu::analysis, "board_own_video"})),
      add_(add_action({"add_board", "Add B&oard", "Ctrl+Alt+Shift+B",
                       "Add a board like the chosen one, whose IDs continue after those of the others; "
                       "several boards place cameras that never see the same one"},
                      {Menu::analysis, "board_hand_held"})),
      remove_(add_action({"remove_board", "&Remove Board", "Ctrl+Alt+Shift+D",
                          "Remove the chosen board from the list", false, "Remove"},
                         {Menu::analysis, "add_board"})),
      print_(add_action({"board_print", "Print the &Board\u2026", "Ctrl+Alt+Shift+P",
                         "Save the chosen board as a PDF page at true size, on the smallest paper that it "
                         "fits on",
                         false, "Print\u2026"},
                        {Menu::analysis, "remove_board"})),
      pick_up_(add_action({"pick_up_boards", "Pick &Up Boards", "Ctrl+Alt+U",
                           "Take a picture whenever a board that is shown to the live cameras is held still "
                           "and shows them something new; Esc ends",
                           true},
                          {Menu::analysis, "board_print"})),
      forget_pictures_(add_action(
          {"forget_boards", "Forget &Pictures of the Board", "Ctrl+Alt+W",
           "Drop the pictures of the board that were picked up from live cameras", false, "Forget Pictures"},
          {Menu::analysis, "pick_up_boards"})),
      calibrate_(parts.window->findChild<CalibrateControl*>()),
      page_(new BoardPage({.boards = {add_, remove_, print_},
                           .pictures = {solve_, video_, folder_, own_},
                           .hand_held = {hand_held_},
                           .live = {pick_up_, forget_pictures_, action("residuals")}})) {
  auto* scrolled = new QScrollArea;
  scrolled->setWidgetResizable(true);
  scrolled->setFrameShape(QFrame::NoFrame);
  scrolled->setFocusPolicy(Qt::NoFocus);
  scrolled->setWidget(page_);
  calibrate_->panel()->add_page(scrolled_ = scrolled, tr("Board"));
  connect_actions();
}

void BoardsControl::connect_actions() {
  connect(solve_, &QAction::triggered, this, &BoardsControl::solve);
  connect(video_, &QAction::triggered, this, [this] { choose_pictures(false); });
  connect(folder_, &QAction::triggered, this, [this] { choose_pictures(true); });
  connect(own_, &QAction::triggered, this, &BoardsControl::take_back_pictures);
  connect(hand_held_, &QAction::triggered, this, &BoardsControl::add_hand_held);
  connect(add_, &QAction::triggered, page_, &BoardPage::add_board);
  connect(remove_, &QAction::triggered, page_, &BoardPage::remove_board);
  connect(print_, &QAction::triggered, this, &BoardsControl::print);
  connect(pick_up_, &QAction::toggled, this, &BoardsControl::pick_up);
  connect(forget_pictures_, &QAction::triggered, this, &BoardsControl::forget_pictures);
  connect(page_, &BoardPage::edited, this, &BoardsControl::post_edit);
  connect(page_, &BoardPage::rows_chosen, this, &BoardsControl::update_availability);
  connect(calibrate_, &CalibrateControl::running_changed, this, [this] {
    if (!calibrate_->solving()) show_found();
    update_availability();
  });
}

// The page's fields become the project's.
void BoardsControl::post_edit(const QString& what) {
  update_availability();
  show_found();
  if (!state().open()) return;
  ++edits_posted_;
  post(command::Edit{what.toStdString(), [run = edits_run_, boards = page_->boards(),
                                          pictures = page_->pictures()](Project& changed) {
                       ++*run;
                       changed.boards = boards;
                       for (size_t c = 0; c < std::min(pictures.size(), changed.cameras.size()); ++c)
                         changed.cameras[c].board_pictures = pictures[c];
                     }});
}

void BoardsControl::refresh(Changes what) {
  if (what.testFlag(Change::frame) && picking_up()) offer_shown();
  if (!what.testFlag(Change::project) || !state().open()) return;
  show_project();
  if (collection_ != 0 && of_cameras(project(), &ProjectCamera::video) != picked_from_) forget_pictures();
  show_picked_up();
}

// What the user does meanwhile is not undone by what the project was before. An edit that is undone at once
// may not show as a change.
void BoardsControl::show_project() {
  const bool shown = !state().project_change().recording && page_->shows(project().boards, project().cameras);
  if (project_shown_ && (*edits_run_ < edits_posted_ || shown)) return;
  project_shown_ = true;
  page_->show_project(project().boards, project().cameras);
  show_found();
  update_availability();
}

void BoardsControl::update_availability() {
  const bool idle = !calibrate_->solving() && !state().busy();
  const QString busy = state().busy() ? state().why_busy() : tr("A calibration is being solved.");
  const std::vector<std::string> pictures = page_->pictures();
  const size_t boards = page_->boards().boards.size();
  const bool live_alone = state().live() && std::count(pictures.begin(), pictures.end(), std::string()) > 0;
  const bool picked = picked_up_ && picked_up_->sets > 0;
  enable(solve_, idle && (picked || !live_alone),
         idle ? tr("Live cameras have no frames to search for the board: pick up boards (Ctrl+Alt+U), or "
                   "give videos.")
              : busy);
  enable(pick_up_, (state().live() && boards == 1) || picking_up(),
         state().live() ? tr("Live cameras are shown one board alone: record several, and solve from the "
                             "recordings.")
                        : tr("The cameras are not live: the board is searched for in their videos."));
  enable(forget_pictures_, picked, tr("No picture of a board was picked up."));
  const std::vector<int> chosen = page_->chosen_rows();
  for (QAction* action : {video_, folder_})
    enable(action, chosen.size() == 1, tr("Choose one camera in the list of the board's pictures first."));
  enable(own_, !chosen.empty(), tr("Choose cameras in the list of the board's pictures first."));
  const QString locked = tr("Pictures of this board were picked up: forget them first (Ctrl+Alt+W).");
  const bool marked = page_->boards().boards[page_->list()->chosen()].names_corners();
  enable(hand_held_, boards > 1 && !page_->picking_up(),
         tr("A hand-held camera links boards: add a second one first (Ctrl+Alt+Shift+B)."));
  enable(add_, marked && !page_->picking_up(),
         marked ? locked
                : tr("Plain chessboards cannot be distinguished: choose a ChArUco board or a grid of "
                     "tags first."));
  enable(remove_, boards > 1 && !page_->picking_up(), boards > 1 ? locked : tr("There is one board alone."));
  enable(print_);
}

void BoardsControl::restore(const QSettings& settings) {
  page_->restore(settings);
}

void BoardsControl::save(QSettings& settings) const {
  page_->save(settings);
}

namespace {

constexpr const char* kBoardVideos =
    QT_TRANSLATE_NOOP("BoardsControl", "Videos (*.mp4 *.mkv *.avi *.mov *.webm *.m4v);;All files (*)");

}  // namespace

void BoardsControl::choose_pictures(bool folder) {
  const std::vector<int> chosen = page_->chosen_rows();
  if (chosen.size() != 1) return;
  const QString start = QString::fromStdString(project().path.parent_path().string());
  const QString path =
      folder ? QFileDialog::getExistingDirectory(page_, tr("Folder of Board Pictures"), start)
             : QFileDialog::getOpenFileName(page_, tr("Video of the Board"), start, tr(kBoardVideos));
  if (!path.isEmpty()) page_->set_pictures(chosen[0], path);
}

void BoardsControl::add_hand_held() {
  const QString start = QString::fromStdString(project().path.parent_path().string());
  const QString path =
      QFileDialog::getOpenFileName(page_, tr("Video of the Hand-Held Camera"), start, tr(kBoardVideos));
  if (!path.isEmpty()) page_->add_hand_held(path);
}

// Rows are processed from the last up, since those of hand-held cameras are removed.
void BoardsControl::take_back_pictures() {
  const std::vector<int> chosen = page_->chosen_rows();
  std::for_each(chosen.rbegin(), chosen.rend(), [this](int row) { page_->set_pictures(row, {}); });
}

void BoardsControl::show_page() {
  calibrate_->panel()->show_page(scrolled_);
}

void BoardsControl::stop() {
  pick_up_->setChecked(false);
}

void BoardsControl::forget() {
  pick_up_->setChecked(false);
  forget_pictures();
  found_.reset();
  page_->remember();
  project_shown_ = false;
  edits_run_ = std::make_shared<std::atomic<int>>(0), edits_posted_ = 0;
}

}  // namespace vantage::ui
