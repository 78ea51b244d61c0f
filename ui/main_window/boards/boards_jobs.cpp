// What the control of boards does at length: printing, solving, picking up from live cameras.
#include <QFileDialog>
#include <QLocale>
#include <filesystem>
#include <utility>

#include "core/base/file.h"
#include "core/setup/boards/board_sheet.h"
#include "ui/main_window/boards/board_page.h"
#include "ui/main_window/boards/board_results.h"
#include "ui/main_window/boards/boards_control.h"
#include "ui/main_window/calibrate/calibrate_control.h"
#include "ui/main_window/of_cameras.h"
#include "ui/views/camera_grid.h"

namespace vantage::ui {
namespace {

QString board_file_name(size_t board, const QString& paper) {
  return BoardsControl::tr("board-%1-%2.pdf").arg(board + 1).arg(paper);
}

std::vector<BoardClip> clips_of(const Project& project) {
  std::vector<BoardClip> clips;
  for (const ProjectCamera& camera : project.cameras) clips.push_back({camera.name, camera.board_pictures});
  return clips;
}

}  // namespace

Board BoardsControl::chosen_board() const {
  return page_->boards().boards[page_->list()->chosen()];
}

void BoardsControl::print() {
  const Board board = chosen_board();
  const bool inches = QLocale().measurementSystem() == QLocale::ImperialUSSystem;
  const Result<std::string> paper = fitting_paper(
      board, usual_style(board), {inches ? "letter" : "A4", inches ? "tabloid" : "A3", "A2", "A1", "A0"});
  if (!paper) {
    emit failed(paper.error());
    return;
  }
  const QString on = QString::fromStdString(*paper);
  // Asks about the file that is written, also where the name has no ending.
  QFileDialog dialog(page_, tr("Print the Board on %1").arg(on), board_file_name(page_->list()->chosen(), on),
                     tr("PDF pages (*.pdf)"));
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setDefaultSuffix(QStringLiteral("pdf"));
  dialog.selectFile(board_file_name(page_->list()->chosen(), on));
  if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) return;
  print_to(dialog.selectedFiles().front(), on);
}

void BoardsControl::print_to(const QString& file, const QString& paper) {
  emit work_requested(
      [board = chosen_board(), paper = paper.toStdString(),
       to = std::filesystem::path(file.toStdString())]() -> Status {
        VANTAGE_ASSIGN(const Paper sheet, paper_named(paper));
        VANTAGE_ASSIGN(const std::string pdf, board_sheet_pdf(board, usual_style(board), sheet));
        return write_file_atomically(to, pdf);
      },
      tr("The board is in %1: print it on %2 at 100 %, and measure the ruler.").arg(file, paper));
}

bool BoardsControl::picking_up() const {
  return pick_up_->isChecked();
}

// Off: what was picked up is kept, and more is added when it is switched on again.
void BoardsControl::pick_up(bool on) {
  if (on) {
    emit calibrate_->dock_wanted();
    show_page();
    const ProjectBoards boards = page_->boards();
    if (const Status good = check_boards(boards.boards); !good) {
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
      picked_from_ = of_cameras(project(), &ProjectCamera::video);
      collection_ = pickup_->restart(boards.boards[0], cameras);
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

// Boards that were picked up are used, if any; picking up ends then, so that nothing moves under the
// proposal.
void BoardsControl::solve() {
  std::vector<FoundBoards> picked;
  if (picked_up_ && picked_up_->sets > 0)
    for (const CollectedCamera& camera : picked_up_->cameras) picked.push_back(camera.kept);
  pick_up_->setChecked(false);
  show_page();
  ProjectBoards boards = page_->boards();
  // Sets of live pictures, of a board at rest.
  if (!picked.empty()) boards.out_of_step = false, boards.hand_held.clear();
  found_ = std::make_shared<Found>();
  found_->boards = boards;
  show_found();
  calibrate_->propose_at_length(
      {tr("Solving by a board"), tr("Cameras are being solved by a board.")},
      [boards = std::move(boards), pictures = page_->pictures(), picked = std::move(picked), found = found_](
          const Project& stated, const CalibrateControl::FramesDone& progress,
          const StopSource& stop) -> Result<CalibrationProposal> {
        Project project = stated;
        for (size_t c = 0; c < std::min(pictures.size(), project.cameras.size()); ++c)
          project.cameras[c].board_pictures = pictures[c];
        std::vector<FoundBoards> views = picked;
        if (views.empty()) {
          VANTAGE_ASSIGN(views, find_project_boards(project, boards, progress, stop));
        }
        {
          const std::lock_guard lock(found->mutex);
          found->seen = sightings_of(project, boards, views);
        }
        VANTAGE_ASSIGN(
            const SolvedProjectBoards solved,
            solve_found_boards(project, boards, std::move(views), {.progress = progress, .stop = stop}));
        {
          const std::lock_guard lock(found->mutex);
          found->solution = solved.solution;
        }
        return propose_by_board(project, solved, clips_of(project));
      });
}

// Results are of the boards that were solved by: others have nothing found yet.
void BoardsControl::show_found() {
  if (!found_ || page_->boards().boards != found_->boards.boards) return page_->show_results({});
  const std::lock_guard lock(found_->mutex);
  page_->show_results(board_results(found_->seen, found_->solution ? &*found_->solution : nullptr));
}

}  // namespace vantage::ui
