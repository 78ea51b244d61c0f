#include "ui/main_window/boards/boards_control.h"

#include <QFileDialog>
#include <QScrollArea>

#include "ui/main_window/boards/board_page.h"
#include "ui/main_window/calibrate/calibrate_control.h"

namespace vantage::ui {

BoardsControl::BoardsControl(const WindowParts& parts)
    : Control(parts),
      solve_(
          add_action({"solve_board", "Solve From &Board", "Alt+Shift+B",
                      "Solve lenses and poses of all cameras by a chessboard or ChArUco board that is shown "
                      "to them; Esc stops"},
                     {Menu::analysis, "solve_people"})),
      video_(add_action({"board_video", "&Video of the Board\u2026", "Ctrl+Alt+V",
                         "Say in which video the chosen camera sees the board", false, "Video\u2026"},
                        {Menu::analysis, "solve_board"})),
      folder_(add_action(
          {"board_folder", "&Folder of Board Pictures\u2026", "Ctrl+Alt+P",
           "Say in which folder the chosen camera's pictures of the board are", false, "Folder\u2026"},
          {Menu::analysis, "board_video"})),
      own_(add_action({"board_own_video", "Board in &Own Video", "Ctrl+Alt+O",
                       "Look for the board in the chosen cameras' own videos", false, "Own"},
                      {Menu::analysis, "board_folder"})),
      calibrate_(parts.window->findChild<CalibrateControl*>()),
      page_(new BoardPage({solve_, video_, folder_, own_})) {
  auto* scrolled = new QScrollArea;
  scrolled->setWidgetResizable(true);
  scrolled->setFrameShape(QFrame::NoFrame);
  scrolled->setFocusPolicy(Qt::NoFocus);
  scrolled->setWidget(page_);
  calibrate_->panel()->add_page(scrolled_ = scrolled, tr("Board"));
  connect(solve_, &QAction::triggered, this, &BoardsControl::solve);
  connect(video_, &QAction::triggered, this, [this] { choose_pictures(false); });
  connect(folder_, &QAction::triggered, this, [this] { choose_pictures(true); });
  connect(own_, &QAction::triggered, this, [this] {
    for (const int camera : page_->chosen_cameras()) page_->set_pictures(camera, {});
    update_availability();
  });
  connect(page_, &BoardPage::cameras_chosen, this, &BoardsControl::update_availability);
  connect(calibrate_, &CalibrateControl::running_changed, this, &BoardsControl::update_availability);
}

void BoardsControl::refresh(Changes what) {
  if (what.testFlag(Change::project) && state().open()) page_->show_cameras(project().cameras);
}

void BoardsControl::update_availability() {
  const bool idle = !calibrate_->solving() && !state().busy();
  const QString busy = state().busy() ? state().why_busy() : tr("A calibration is being solved.");
  const std::vector<std::string> pictures = page_->boards().pictures;
  bool live_alone = false;
  for (size_t c = 0; c < project().cameras.size() && c < pictures.size(); ++c)
    live_alone = live_alone || (pictures[c].empty() && state().live());
  enable(solve_, idle && !live_alone,
         live_alone ? tr("Live cameras have no frames to look for the board in: give videos of it.") : busy);
  const size_t chosen = page_->chosen_cameras().size();
  for (QAction* action : {video_, folder_})
    enable(action, chosen == 1, tr("Choose one camera in the list of the board's pictures first."));
  enable(own_, chosen > 0, tr("Choose cameras in the list of the board's pictures first."));
}

void BoardsControl::restore(const QSettings& settings) {
  page_->restore(settings);
}

void BoardsControl::save(QSettings& settings) const {
  page_->save(settings);
}

void BoardsControl::choose_pictures(bool folder) {
  const std::vector<int> chosen = page_->chosen_cameras();
  if (chosen.size() != 1) return;
  const QString start = QString::fromStdString(project().path.parent_path().string());
  const QString path =
      folder
          ? QFileDialog::getExistingDirectory(page_, tr("Folder of Board Pictures"), start)
          : QFileDialog::getOpenFileName(page_, tr("Video of the Board"), start,
                                         tr("Videos (*.mp4 *.mkv *.avi *.mov *.webm *.m4v);;All files (*)"));
  if (!path.isEmpty()) page_->set_pictures(chosen[0], path);
  update_availability();
}

void BoardsControl::show_page() {
  calibrate_->panel()->show_page(scrolled_);
}

void BoardsControl::solve() {
  show_page();
  calibrate_->propose_at_length(
      {tr("Solving by a board"), tr("Cameras are being solved by a board.")},
      [boards = page_->boards()](const Project& project, const CalibrateControl::FramesDone& progress,
                                 const StopSource& stop) -> Result<CalibrationProposal> {
        VANTAGE_ASSIGN(const SolvedProjectBoards solved,
                       solve_project_boards(project, boards, progress, stop));
        return propose_by_board(project, solved);
      });
}

}  // namespace vantage::ui
