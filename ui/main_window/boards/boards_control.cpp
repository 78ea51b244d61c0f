#include "ui/main_window/boards/boards_control.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QLocale>
#include <QScrollArea>
#include <QStringList>
#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/base/file.h"
#include "core/setup/boards/board_sheet.h"
#include "core/setup/boards/project_boards.h"
#include "ui/main_window/boards/board_fields.h"
#include "ui/main_window/boards/board_page.h"
#include "ui/main_window/calibrate/calibrate_panel.h"
#include "ui/main_window/calibrate/proposal.h"
#include "ui/main_window/of_cameras.h"
#include "ui/views/camera_grid.h"

namespace vantage::ui {

BoardsControl::BoardsControl(const WindowParts& parts) : Control(parts) {
  const auto below = [](const char* after) { return MenuPosition{Menu::analysis, after}; };
  const auto one_row = [this] {
    return unmet({{page_->chosen_rows().size() == 1,
                   tr("Choose one camera in the list of the board's pictures first.")}});
  };
  const auto not_picking = [this] {
    return Need{!page_->picking_up(),
                tr("Pictures of this board were picked up: forget them first (Ctrl+Alt+W).")};
  };
  const auto several = [this](const QString& otherwise) {
    return Need{page_->boards().boards.size() > 1, otherwise};
  };
  QAction* solve = add_action(
      {"solve_board", "Solve From &Board", "Alt+Shift+B",
       "Solve lenses and poses of all cameras by a board, or several, that are shown "
       "to them; Esc stops"},
      below("solve_people"), [this] { this->solve(); }, [this] { return why_not_solve(); });
  QAction* video = add_action(
      {"board_video", "&Video of the Board\u2026", "Ctrl+Alt+V",
       "Say in which video the chosen camera sees the board", false, "Video\u2026"},
      below("solve_board"), [this] { choose_pictures(false); }, one_row);
  QAction* folder = add_action(
      {"board_folder", "&Folder of Board Pictures\u2026", "Ctrl+Alt+P",
       "Say in which folder the chosen camera's pictures of the board are", false, "Folder\u2026"},
      below("board_video"), [this] { choose_pictures(true); }, one_row);
  QAction* own = add_action(
      {"board_own_video", "Board in &Own Video", "Ctrl+Alt+O",
       "Search for the board in the chosen cameras' own videos; a hand-held camera is removed", false, "Own"},
      below("board_folder"), [this] { take_back_pictures(); },
      [this] {
        return unmet({{!page_->chosen_rows().empty(),
                       tr("Choose cameras in the list of the board's pictures first.")}});
      });
  QAction* hand_held = add_action(
      {"board_hand_held", "Add &Hand-Held Camera\u2026", "",
       "Say which video was filmed by walking from board to board, two of them in the picture again "
       "and again: it links cameras that share no view, and does not become one of the project's"},
      below("board_own_video"), [this] { add_hand_held(); },
      [this, several] {
        const QString alone = tr("A hand-held camera links boards: add a second one first.");
        return unmet({several(alone), {!page_->picking_up(), alone}});
      });
  QAction* add = add_action(
      {"add_board", "Add B&oard", "",
       "Add a board like the chosen one, whose IDs continue after those of the others; several "
       "boards place cameras that never see the same one"},
      below("board_hand_held"), [this] { page_->add_board(); },
      [this, not_picking] {
        return unmet({{page_->boards().boards[page_->list()->chosen()].names_corners(),
                       tr("Plain chessboards cannot be distinguished: choose a ChArUco board or a "
                          "grid of tags first.")},
                      not_picking()});
      });
  QAction* remove = add_action(
      {"remove_board", "&Remove Board", "", "Remove the chosen board from the list", false, "Remove"},
      below("add_board"), [this] { page_->remove_board(); },
      [not_picking, several] { return unmet({several(tr("There is one board alone.")), not_picking()}); });
  QAction* read = add_action(
      {"board_read", "R&ead a Board\u2026", "",
       "Take the chosen board's size and kind from a caliscope session's charuco.toml or a Kalibr "
       "target.yaml",
       false, "Read\u2026"},
      below("remove_board"), [this] { this->read(); }, [not_picking] { return unmet({not_picking()}); });
  QAction* print = add_action(
      {"board_print", "Print the &Board\u2026", "",
       "Save the chosen board as a PDF page at true size, on the smallest paper that it fits on", false,
       "Print\u2026"},
      below("board_read"), [this] { this->print(); }, needs_project);
  pick_up_ = add_switch(
      {"pick_up_boards", "Pick &Up Boards", "Ctrl+Alt+U",
       "Take a picture whenever a board that is shown to the live cameras is held still and shows them "
       "something new; Esc ends"},
      below("board_print"), [this](bool on) { pick_up(on); },
      [this] {
        if (picking_up()) return QString();
        return unmet(
            {{state().live(), tr("The cameras are not live: the board is searched for in their videos.")},
             {page_->boards().boards.size() == 1,
              tr("Live cameras are shown one board alone: record several, and solve from the recordings.")}});
      });
  QAction* forget_pictures = add_action(
      {"forget_boards", "Forget &Pictures of the Board", "Ctrl+Alt+W",
       "Drop the pictures of the board that were picked up from live cameras", false, "Forget Pictures"},
      below("pick_up_boards"), [this] { this->forget_pictures(); },
      [this] { return unmet({{has_picked_up(), tr("No picture of a board was picked up.")}}); });
  page_ = new BoardPage({.boards = {add, remove, read, print},
                         .pictures = {solve, video, folder, own},
                         .hand_held = {hand_held},
                         .live = {pick_up_, forget_pictures, action("residuals")}});
  auto* scrolled = new QScrollArea;
  scrolled->setWidgetResizable(true);
  scrolled->setFrameShape(QFrame::NoFrame);
  scrolled->setFocusPolicy(Qt::NoFocus);
  scrolled->setWidget(page_);
  parts.calibrate->add_page(scrolled_ = scrolled, tr("Board"));
  connect(parts.proposal, &Proposal::pictures_left_out, this, &BoardsControl::solve_without);
  connect(page_, &BoardPage::edited, this, &BoardsControl::post_edit);
  connect(page_, &BoardPage::rows_chosen, this, &BoardsControl::update_availability);
  connect(parts.proposal, &Proposal::solving_changed, this, [this] {
    if (!this->parts().proposal->solving()) show_found();
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

QString BoardsControl::why_not_solve() const {
  const std::vector<std::string> pictures = page_->pictures();
  const bool live_alone = state().live() && std::count(pictures.begin(), pictures.end(), std::string()) > 0;
  return unmet(
      {idle(),
       {!parts().proposal->solving(), Proposal::why_busy()},
       {has_picked_up() || !live_alone,
        tr("Live cameras have no frames to search for the board: pick up boards (Ctrl+Alt+U), or give "
           "videos.")}});
}

bool BoardsControl::has_picked_up() const {
  return picked_up_ && picked_up_->sets > 0;
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
  parts().calibrate->show_page(scrolled_);
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

// Printing, solving, and picking up from live cameras.

namespace {

// Findings of a search and a solution for each board, in words.

QString results_tr(const char* text) {
  return QCoreApplication::translate("BoardResults", text);
}

QString seen_text(size_t board, const BoardSightings& seen) {
  if (seen.cameras.empty()) return results_tr("No camera saw board %1.").arg(board + 1);
  QStringList names;
  for (const std::string& name : seen.cameras) names << QString::fromStdString(name);
  return results_tr("Board %1 was seen by %2, in %3 views.")
      .arg(board + 1)
      .arg(names.join(QStringLiteral(", ")))
      .arg(seen.views);
}

QString place_text(const BoardPlace& place, size_t world) {
  const Eigen::Vector3d at_mm = 1000 * place.world_board_from_board.translation();
  return results_tr(
             "From board %1 it stands at %2, %3, %4 mm \u00b1 %5 mm, turned by %6\u00b0 \u00b1 %7\u00b0.")
      .arg(world + 1)
      .arg(at_mm.x(), 0, 'f', 1)
      .arg(at_mm.y(), 0, 'f', 1)
      .arg(at_mm.z(), 0, 'f', 1)
      .arg(1000 * place.shift_std_m.norm(), 0, 'f', 1)
      .arg(Eigen::AngleAxisd(place.world_board_from_board.linear()).angle() * 180 / M_PI, 0, 'f', 2)
      .arg(place.rotation_std_rad.norm() * 180 / M_PI, 0, 'f', 2);
}

void add_place(size_t board, bool seen, const BoardsSolution& solution, BoardResult* result) {
  if (board == solution.world_board || solution.boards.empty()) {
    result->joined = results_tr("world");
    result->text += results_tr(" It is the world at frame %1.").arg(solution.world_instant);
    return;
  }
  const BoardPlace& place = solution.boards[board];
  result->joined = place.placed ? results_tr("joined") : results_tr("not joined");
  if (place.placed)
    result->text += QStringLiteral(" ") + place_text(place, solution.world_board);
  else if (seen)
    result->text += results_tr(
        " It is not joined: no camera saw it together with another board, so that it is used for lenses "
        "only. "
        "Show both to one camera at once, or film them with a hand-held camera.");
}

// One result a board. `solution`: null where it was not, or could not be, solved.
std::vector<BoardResult> board_results(const std::vector<BoardSightings>& seen,
                                       const BoardsSolution* solution) {
  std::vector<BoardResult> results;
  for (size_t b = 0; b < seen.size(); ++b) {
    BoardResult result{QString::number(seen[b].cameras.size()), {}, seen_text(b, seen[b])};
    if (solution && solution->posed) add_place(b, !seen[b].cameras.empty(), *solution, &result);
    results.push_back(std::move(result));
  }
  return results;
}

QString board_file_name(size_t board, const QString& paper) {
  return BoardsControl::tr("board-%1-%2.pdf").arg(board + 1).arg(paper);
}

// The progress of one part of the work: from one share of it to another.
Proposal::FramesDone part_of(const Proposal::FramesDone& all, double from, double to) {
  return [all, from, to](int64_t done, int64_t total) {
    constexpr double kSteps = 1000;
    const double share = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 0;
    all(static_cast<int64_t>(kSteps * (from + share * (to - from))), static_cast<int64_t>(kSteps));
  };
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

void BoardsControl::read() {
  const QString file = QFileDialog::getOpenFileName(
      page_, tr("Read a Board"), QString::fromStdString(project().path.parent_path().string()),
      tr("Boards of caliscope and Kalibr (*.toml *.yaml *.yml)"));
  if (!file.isEmpty()) read_from(file);
}

void BoardsControl::read_from(const QString& file) {
  const Result<Board> board = read_board(file.toStdString());
  if (board)
    page_->set_board(*board, tr("read board %1"));
  else
    emit failed(board.error());
}

void BoardsControl::print() {
  const Board board = chosen_board();
  const bool inches = QLocale::system().measurementSystem() == QLocale::ImperialUSSystem;
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
  auto found = std::make_shared<Found>();
  found->boards = page_->boards(), found->pictures = page_->pictures();
  if (has_picked_up())
    for (const CollectedCamera& camera : picked_up_->cameras) found->views.push_back(camera.kept);
  pick_up_->setChecked(false);
  // Sets of live pictures, of a board at rest.
  if (!found->views.empty()) found->boards.out_of_step = false, found->boards.hand_held.clear();
  found_ = std::move(found);
  show_page();
  show_found();
  solve_by(found_, {});
}

// What was found in the pictures is not searched for again.
void BoardsControl::solve_without(const LeftOut& pictures) {
  if (found_) solve_by(found_, pictures);
}

void BoardsControl::solve_by(std::shared_ptr<Found> found, const LeftOut& left_out) {
  parts().proposal->solve(
      [found = std::move(found), left_out](const Project& stated, const Proposal::FramesDone& progress,
                                           const StopSource& stop) -> Result<CalibrationProposal> {
        Project project = stated;
        for (size_t c = 0; c < std::min(found->pictures.size(), project.cameras.size()); ++c)
          project.cameras[c].board_pictures = found->pictures[c];
        const ProjectBoards& boards = found->boards;
        std::vector<FoundBoards> views;
        {
          const std::lock_guard lock(found->mutex);
          views = found->views;
        }
        // Out of step solving is about as long as searching.
        const double searched = views.empty() ? (boards.out_of_step ? 0.5 : 1.0) : 0.0;
        if (views.empty()) {
          VANTAGE_ASSIGN(views, find_project_boards(project, boards, part_of(progress, 0, searched), stop));
        }
        {
          const std::lock_guard lock(found->mutex);
          found->views = views;
          found->seen = sightings_of(project, boards, views);
        }
        for (const auto& [camera, frame] : left_out)
          if (camera < views.size())
            std::erase_if(views[camera].views,
                          [at = frame](const BoardView& view) { return view.instant == at; });
        VANTAGE_ASSIGN(const SolvedProjectBoards solved,
                       solve_found_boards(project, boards, std::move(views),
                                          {.progress = part_of(progress, searched, 1), .stop = stop}));
        {
          const std::lock_guard lock(found->mutex);
          found->solution = solved.solution;
        }
        return propose_by_board(project, solved, clips_of(project), left_out);
      },
      RunningWork{tr("Solving by a board"), tr("Cameras are being solved by a board.")});
}

// Results are of the boards that were solved by: others have nothing found yet.
void BoardsControl::show_found() {
  if (!found_ || page_->boards().boards != found_->boards.boards) return page_->show_results({});
  const std::lock_guard lock(found_->mutex);
  page_->show_results(board_results(found_->seen, found_->solution ? &*found_->solution : nullptr));
}

}  // namespace vantage::ui
