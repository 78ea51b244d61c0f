#include "ui/main_window/boards/boards_control.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QScrollArea>
#include <filesystem>
#include <utility>

#include "core/base/file.h"
#include "core/board_calibration/board_sheet.h"
#include "ui/main_window/boards/board_page.h"
#include "ui/main_window/calibrate/calibrate_control.h"
#include "ui/views/camera_grid.h"

namespace vantage::ui {
namespace {

// What tells that a project's cameras are still those that a board was picked up from.
std::vector<std::string> cameras_of(const Project& project) {
  std::vector<std::string> cameras;
  for (const ProjectCamera& camera : project.cameras) cameras.push_back(camera.video);
  return cameras;
}

std::vector<BoardClip> clips_of(const Project& project, const ProjectBoards& boards) {
  std::vector<BoardClip> clips;
  for (size_t c = 0; c < project.cameras.size(); ++c)
    clips.push_back(
        {project.cameras[c].name, c < boards.pictures.size() ? boards.pictures[c] : std::string()});
  return clips;
}

}  // namespace

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
      page_(new BoardPage({solve_, video_, folder_, own_}, {pick_up_, forget_pictures_, action("residuals")},
                          print_)) {
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
  connect(pick_up_, &QAction::toggled, this, &BoardsControl::pick_up);
  connect(forget_pictures_, &QAction::triggered, this, &BoardsControl::forget_pictures);
  connect(page_, &BoardPage::cameras_chosen, this, &BoardsControl::update_availability);
  connect(calibrate_, &CalibrateControl::running_changed, this, &BoardsControl::update_availability);
}

void BoardsControl::refresh(Changes what) {
  if (what.testFlag(Change::frame) && picking_up()) offer_shown();
  if (!what.testFlag(Change::project) || !state().open()) return;
  page_->show_cameras(project().cameras);
  if (collection_ != 0 && cameras_of(project()) != picked_from_) forget_pictures();
  show_picked_up();
}

void BoardsControl::update_availability() {
  const bool idle = !calibrate_->solving() && !state().busy();
  const QString busy = state().busy() ? state().why_busy() : tr("A calibration is being solved.");
  const std::vector<std::string> pictures = page_->boards().pictures;
  bool live_alone = false;
  for (size_t c = 0; c < project().cameras.size() && c < pictures.size(); ++c)
    live_alone = live_alone || (pictures[c].empty() && state().live());
  const bool picked = picked_up_ && picked_up_->sets > 0;
  enable(solve_, idle && (picked || !live_alone),
         idle ? tr("Live cameras have no frames to look for the board in: pick up boards (Ctrl+Alt+U), or "
                   "give videos.")
              : busy);
  enable(pick_up_, state().live() || picking_up(),
         tr("The cameras are not live: the board is looked for in their videos."));
  enable(forget_pictures_, picked, tr("No picture of a board was picked up."));
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
  // Asks about the file that is written, also where the name has no ending.
  QFileDialog dialog(page_, tr("Print the Board on %1").arg(on), tr("board-%1.pdf").arg(on),
                     tr("PDF pages (*.pdf)"));
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setDefaultSuffix(QStringLiteral("pdf"));
  dialog.selectFile(tr("board-%1.pdf").arg(on));
  if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) return;
  print_to(dialog.selectedFiles().front(), on);
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

bool BoardsControl::picking_up() const {
  return pick_up_->isChecked();
}

void BoardsControl::stop() {
  pick_up_->setChecked(false);
}

void BoardsControl::forget() {
  pick_up_->setChecked(false);
  forget_pictures();
}

// Off: what was picked up is kept, and more is added when it is switched on again.
void BoardsControl::pick_up(bool on) {
  if (on) {
    emit calibrate_->dock_wanted();
    show_page();
    const ProjectBoards boards = page_->boards();
    if (const Status good = check_board(boards.board); !good) {
      emit failed(good.error());
      return pick_up_->setChecked(false);
    }
    if (!pickup_)
      pickup_ = std::make_unique<BoardPickup>(
          parts().services.transfer, [this](int collection, Result<CollectedBoardsRef> picked_up) {
            QMetaObject::invokeMethod(this, [this, collection, picked_up = std::move(picked_up)] {
              take_picked_up(collection, picked_up);
            });
          });
    // With nothing picked up the board may have been corrected since.
    if (collection_ == 0 || !picked_up_ || picked_up_->sets == 0) {
      picked_up_.reset(), offered_.reset();
      std::vector<CollectingCamera> cameras;
      for (const ProjectCamera& camera : project().cameras)
        cameras.push_back({camera.name, boards.solve_lens || !camera.calibration});
      picked_from_ = cameras_of(project());
      collection_ = pickup_->restart(boards.board, cameras);
    }
    offer_shown();
  }
  show_picked_up();
  emit availability_changed();
}

void BoardsControl::forget_pictures() {
  picked_up_.reset(), offered_.reset();
  picked_from_.clear();
  collection_ = 0;
  if (picking_up()) return pick_up(true);  // again from the start
  show_picked_up();
  emit availability_changed();
}

// What the cameras see now; of what is shown of their past no more is learnt.
void BoardsControl::offer_shown() {
  const ShownFrameRef& shown = state().shown();
  if (!state().live() || !state().status().live->following || !shown || !shown->result->frames()) return;
  if (std::exchange(offered_, shown->result) != shown->result) pickup_->offer(*shown->result->frames());
}

// After an error no more is picked up, until that is wanted again; what was is kept.
void BoardsControl::take_picked_up(int collection, const Result<CollectedBoardsRef>& picked_up) {
  if (collection != collection_) return;
  if (!picked_up) {
    if (!picking_up()) return;  // said already
    pick_up_->setChecked(false);
    emit failed(picked_up.error());
    return;
  }
  const bool first = !picked_up_ || picked_up_->sets == 0;
  picked_up_ = *picked_up;
  show_picked_up();
  if (first && picked_up_->sets > 0) emit availability_changed();
}

void BoardsControl::show_picked_up() {
  MarkedBoards marks;
  std::vector<BoardPage::PickedUpRow> rows;
  QString next;
  if (picked_up_ && (picking_up() || picked_up_->sets > 0)) {
    next = QString::fromStdString(picked_up_->next);
    for (const CollectedCamera& camera : picked_up_->cameras) {
      const QString count =
          tr("%1 picked up, %2 % covered").arg(camera.kept.views.size()).arg(camera.covered_percent);
      const QString wanted = QString::fromStdString(camera.next);
      rows.push_back(
          {count, wanted.isEmpty() ? tr("This camera has seen enough.") : tr("Next: %1").arg(wanted)});
      if (!picking_up()) continue;
      MarkedBoard& mark = marks.emplace_back();
      mark.picture = QSizeF(camera.kept.width_px, camera.kept.height_px);
      for (const BoardCorner& corner : camera.corners) mark.corners << QPointF(corner.x_px, corner.y_px);
      mark.resting = camera.motion == BoardMotion::resting;
      mark.kept = picked_up_->newest_kept && !camera.corners.empty();
      mark.coverage = camera.coverage;
      mark.words = camera.motion == BoardMotion::moving
                       ? tr("%1 \u2013 hold it still").arg(camera.kept.views.size())
                   : wanted.isEmpty() ? tr("%1 \u2013 enough").arg(camera.kept.views.size())
                                      : tr("%1 \u2013 %2").arg(camera.kept.views.size()).arg(wanted);
    }
  } else if (picking_up()) {
    next = tr("Show the board to the cameras and hold it still.");
  }
  page_->show_picked_up(rows, next);
  parts().cameras->set_boards(std::move(marks));
}

// By what was picked up, where something was; picking up ends then, so that nothing moves under the proposal.
void BoardsControl::solve() {
  std::vector<FoundBoards> found;
  if (picked_up_ && picked_up_->sets > 0)
    for (const CollectedCamera& camera : picked_up_->cameras) found.push_back(camera.kept);
  pick_up_->setChecked(false);
  show_page();
  ProjectBoards boards = page_->boards();
  if (!found.empty()) boards.out_of_step = false;  // sets of live pictures, of a board at rest
  calibrate_->propose_at_length({tr("Solving by a board"), tr("Cameras are being solved by a board.")},
                                [boards = std::move(boards), found = std::move(found)](
                                    const Project& project, const CalibrateControl::FramesDone& progress,
                                    const StopSource& stop) -> Result<CalibrationProposal> {
                                  VANTAGE_ASSIGN(const SolvedProjectBoards solved,
                                                 found.empty()
                                                     ? solve_project_boards(project, boards, progress, stop)
                                                     : solve_found_boards(project, boards, found));
                                  return propose_by_board(project, solved, clips_of(project, boards));
                                });
}

}  // namespace vantage::ui
