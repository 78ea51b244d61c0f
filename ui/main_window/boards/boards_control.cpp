#include "ui/main_window/boards/boards_control.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QScrollArea>
#include <filesystem>

#include "core/base/file.h"
#include "core/board_calibration/board_sheet.h"
#include "ui/main_window/boards/board_page.h"
#include "ui/main_window/calibrate/calibrate_control.h"

namespace vantage::ui {

BoardsControl::BoardsControl(const WindowParts& parts)
    : Control(parts),
      solve_(add_action({"solve_board", "Solve From &Board", "Alt+Shift+B",
                         "Solve lenses and poses of all cameras by a board that is shown to them; Esc stops"},
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
      print_(add_action({"board_print", "Print the &Board\u2026", "Ctrl+Alt+Shift+P",
                         "Save the board as a PDF page at true size, on the smallest paper that it fits on",
                         false, "Print\u2026"},
                        {Menu::analysis, "board_own_video"})),
      calibrate_(parts.window->findChild<CalibrateControl*>()),
      page_(new BoardPage({solve_, video_, folder_, own_}, print_)) {
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
  connect(print_, &QAction::triggered, this, &BoardsControl::print);
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
  enable(print_);
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

void BoardsControl::print() {
  const Board board = page_->boards().board;
  const bool inches = QLocale().measurementSystem() == QLocale::ImperialUSSystem;
  const Result<std::string> paper = fitting_paper(
      board, usual_style(board), {inches ? "letter" : "A4", inches ? "tabloid" : "A3", "A2", "A1", "A0"});
  if (!paper) {
    emit failed(paper.error());
    return;
  }
  const QString on = QString::fromStdString(*paper);
  QString file = QFileDialog::getSaveFileName(page_, tr("Print the Board on %1").arg(on),
                                              tr("board-%1.pdf").arg(on), tr("PDF pages (*.pdf)"));
  if (file.isEmpty()) return;
  if (QFileInfo(file).suffix().isEmpty()) file += QStringLiteral(".pdf");
  print_to(file, on);
}

void BoardsControl::print_to(const QString& file, const QString& paper) {
  emit work_requested(
      [board = page_->boards().board, paper = paper.toStdString(),
       to = std::filesystem::path(file.toStdString())]() -> Status {
        VANTAGE_ASSIGN(const Paper sheet, paper_named(paper));
        VANTAGE_ASSIGN(const std::string pdf, board_sheet_pdf(board, usual_style(board), sheet));
        return write_file_atomically(to, pdf);
      },
      tr("The board is in %1: print it on %2 at 100 %, and measure the ruler.").arg(file, paper));
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
