#include "ui/main_window/boards/board_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/geometry/lens_inverse.h"
#include "ui/main_window/boards/board_fields.h"
#include "ui/widgets/form.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

enum BoardColumn { kBoardCamera, kBoardPictures };

QString lens_text(LensModel model) {
  const std::string_view name = lens_model_name(model);
  return qt_text(name);
}

// Why it cannot be solved by these; or empty.
QString problem_of(const std::vector<Board>& boards) {
  const Status good = check_boards(boards);
  return good ? QString() : QString::fromStdString(good.error().message());
}

}  // namespace

BoardPage::BoardPage(const BoardPageActions& actions, QWidget* parent)
    : QWidget(parent),
      list_(new BoardList(actions.boards)),
      above_(millimetres_field(-kMaxSide_mm, kMaxSide_mm, 0)),
      lens_(new QComboBox),
      still_(new QCheckBox(tr("Board and cameras rest"))),
      out_of_step_(new QCheckBox(tr("Clips are out of step"))),
      table_(row_table(tr("Pictures of the board"), {tr("Camera"), tr("Pictures of the board")},
                       kBoardPictures)),
      next_(text_label()) {
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(0, kTight, 0, 0);
  page->setSpacing(kTight);
  page->addWidget(list_);
  auto* form = new Form(nullptr, kTight);
  fields_ = new BoardFields(form, this);
  add_lenses(form);
  still_->setToolTip(tr("The mean of all pictures is used, which averages out noise"));
  form->addRow(QString(), still_);
  out_of_step_->setToolTip(
      tr("The frame offsets are solved with the board, which has to move, quickly and without rhythm, where "
         "two cameras see it at once; all pictures are examined. Rolling shutters are measured, too"));
  form->addRow(QString(), out_of_step_);
  // A board that rests tells nothing of time.
  connect(still_, &QCheckBox::toggled, this, [this](bool on) {
    if (on) out_of_step_->setChecked(false);
  });
  connect(out_of_step_, &QCheckBox::toggled, this, [this](bool on) {
    if (on) still_->setChecked(false);
  });
  page->addLayout(form);
  for (const auto* row : {&actions.pictures, &actions.hand_held, &actions.live})
    page->addLayout(button_row(*row));
  // What comes and goes is last, so that nothing that is pressed moves.
  table_->setMinimumHeight(4 * table_->verticalHeader()->defaultSectionSize());
  page->addWidget(table_, 1);
  next_->setAccessibleName(tr("What to show next"));
  next_->hide();
  page->addWidget(next_);
  page->addWidget(list_->found());
  boards_ = remembered_ = {fields_->board()};
  connect_fields();
  show_boards();
}

void BoardPage::add_lenses(QFormLayout* form) {
  lens_->addItem(tr("solved, as it is now"));
  for (const LensModel model : {LensModel::polynomial, LensModel::rational, LensModel::fisheye})
    lens_->addItem(tr("solved, %1").arg(lens_text(model)), static_cast<int>(model));
  lens_->addItem(tr("fixed as it is"));
  add_field(
      form, tr("&Lenses"),
      tr("Polynomial: k1 k2 p1 p2; rational: up to k6; fisheye: k1 to k4. Cameras without a calibration "
         "are solved in any case"),
      lens_);
  add_field(form, tr("Above the floor"),
            tr("How far the printed side lies above the floor in the frame that becomes the world, "
               "millimetres"),
            above_);
}

void BoardPage::connect_fields() {
  connect(fields_, &BoardFields::edited, this, [this] {
    boards_[list_->chosen()] = fields_->board();
    show_boards();
    emit edited(tr("board %1").arg(list_->chosen() + 1));
  });
  connect(list_, &BoardList::chosen_by_hand, this,
          [this](int board) { fields_->show_board(boards_[board]); });
  const auto by_hand = [this](const QString& what) {
    return [this, what] {
      if (!filling_) emit edited(what);
    };
  };
  connect(lens_, &QComboBox::currentIndexChanged, this, by_hand(tr("lenses by boards")));
  connect(above_, &QDoubleSpinBox::valueChanged, this, by_hand(tr("board above the floor")));
  for (QCheckBox* box : {still_, out_of_step_})
    connect(box, &QCheckBox::toggled, this, by_hand(tr("pictures of boards")));
  connect(table_, &QTableWidget::itemSelectionChanged, this, &BoardPage::rows_chosen);
}

void BoardPage::show_boards() {
  std::vector<QString> texts;
  for (const Board& board : boards_) texts.push_back(board_words(board));
  list_->show_boards(texts, list_->chosen(), boards_.size() > 1 ? problem_of(boards_) : QString());
  list_->show_results({});
  // The list has its room now, not only when the event loop comes to it: its buttons would cover the last
  // row.
  list_->layout()->activate();
  layout()->activate();
  resize(size().expandedTo(minimumSizeHint()));
}

void BoardPage::show_project(const ProjectBoards& stated, const std::vector<ProjectCamera>& cameras) {
  filling_ = true;
  boards_ = stated.boards.empty() ? remembered_ : stated.boards;
  show_boards();
  fields_->show_board(boards_[list_->chosen()]);
  lens_->setCurrentIndex(!stated.solve_lens ? lens_->count() - 1
                         : stated.model     ? lens_->findData(static_cast<int>(*stated.model))
                                            : 0);
  still_->setChecked(stated.still);
  out_of_step_->setChecked(stated.out_of_step);
  above_->setValue(1000 * stated.board_above_floor_m);
  cameras_ = static_cast<int>(cameras.size());
  std::vector<QString> names, paths;
  for (const ProjectCamera& camera : cameras)
    names.push_back(QString::fromStdString(camera.name)),
        paths.push_back(QString::fromStdString(camera.board_pictures));
  for (const std::string& path : stated.hand_held)
    names.push_back(tr("hand-held")), paths.push_back(QString::fromStdString(path));
  show_rows(names, paths);
  filling_ = false;
}

bool BoardPage::shows(const ProjectBoards& stated, const std::vector<ProjectCamera>& cameras) const {
  ProjectBoards shown = boards();
  if (stated.boards.empty() && boards_ == remembered_) shown.boards.clear();
  const std::vector<std::string> paths = pictures();
  return shown == stated && std::ranges::equal(paths, cameras, {}, {}, &ProjectCamera::board_pictures);
}

void BoardPage::show_rows(const std::vector<QString>& names, const std::vector<QString>& paths) {
  table_->setRowCount(static_cast<int>(names.size()));
  for (int row = 0; row < table_->rowCount(); ++row) {
    put_cell(table_, row, kBoardCamera, names[row],
             is_hand_held(row) ? tr("Carried from board to board: it links cameras that share no "
                                    "view, and is not one of the project's")
                               : QString());
    show_path(row, paths[row]);
  }
}

void BoardPage::show_path(int row, const QString& path) {
  put_cell(table_, row, kBoardPictures, path.isEmpty() ? tr("its own video") : QFileInfo(path).fileName(),
           path.isEmpty() ? tr("The board is searched for in the camera's video, by its offset") : path)
      ->setData(Qt::UserRole, path);
}

void BoardPage::set_pictures(int row, const QString& path) {
  if (row < 0 || row >= table_->rowCount()) return;
  if (path.isEmpty() && is_hand_held(row))
    table_->removeRow(row);
  else
    show_path(row, path);
  emit edited(tr("pictures of boards, row %1").arg(row + 1));
}

void BoardPage::add_hand_held(const QString& path) {
  const int row = table_->rowCount();
  std::vector<QString> names, paths;
  for (int i = 0; i < row; ++i)
    names.push_back(table_->item(i, kBoardCamera)->text()),
        paths.push_back(table_->item(i, kBoardPictures)->data(Qt::UserRole).toString());
  names.push_back(tr("hand-held")), paths.push_back(path);
  show_rows(names, paths);
  emit edited(tr("hand-held camera %1").arg(row - cameras_ + 1));
}

void BoardPage::set_board(const Board& board, const QString& step) {
  fields_->show_board(board);
  boards_[list_->chosen()] = board;
  show_boards();
  emit edited(step.arg(list_->chosen() + 1));
}

void BoardPage::add_board() {
  boards_.push_back(further_board(boards_[list_->chosen()], boards_));
  show_boards();
  list_->table()->selectRow(static_cast<int>(boards_.size()) - 1);
  emit edited(tr("add board %1").arg(boards_.size()));
}

void BoardPage::remove_board() {
  if (boards_.size() < 2) return;
  const size_t board = list_->chosen();
  boards_.erase(boards_.begin() + static_cast<std::ptrdiff_t>(board));
  show_boards();
  fields_->show_board(boards_[list_->chosen()]);
  emit edited(tr("remove board %1").arg(board + 1));
}

void BoardPage::show_picked_up(const std::vector<PickedUpRow>& rows, const QString& next) {
  for (int row = 0; row < table_->rowCount(); ++row) {
    QTableWidgetItem* item = table_->item(row, kBoardPictures);
    if (static_cast<size_t>(row) < rows.size()) {
      item->setText(rows[row].text);
      item->setToolTip(rows[row].tip);
    } else {
      show_path(row, item->data(Qt::UserRole).toString());
    }
  }
  next_->setText(next);
  next_->setVisible(!next.isEmpty());
  locked_ = !rows.empty() || !next.isEmpty();
  fields_->set_locked(locked_);
}

ProjectBoards BoardPage::boards() const {
  ProjectBoards boards{.boards = boards_};
  for (int row = cameras_; row < table_->rowCount(); ++row)
    boards.hand_held.push_back(
        table_->item(row, kBoardPictures)->data(Qt::UserRole).toString().toStdString());
  boards.solve_lens = lens_->currentIndex() + 1 < lens_->count();
  if (lens_->currentData().isValid()) boards.model = static_cast<LensModel>(lens_->currentData().toInt());
  boards.still = still_->isChecked();
  boards.out_of_step = out_of_step_->isChecked();
  boards.board_above_floor_m = above_->value() / 1000;
  return boards;
}

std::vector<std::string> BoardPage::pictures() const {
  std::vector<std::string> pictures;
  for (int row = 0; row < cameras_; ++row)
    pictures.push_back(table_->item(row, kBoardPictures)->data(Qt::UserRole).toString().toStdString());
  return pictures;
}

std::vector<int> BoardPage::chosen_rows() const {
  std::vector<int> rows;
  for (int row = 0; row < table_->rowCount(); ++row)
    if (table_->selectionModel()->isRowSelected(row, {})) rows.push_back(row);
  return rows;
}

QSpinBox* BoardPage::columns() const {
  return fields_->columns();
}

// Projects that state no board begin with it.
void BoardPage::restore(const QSettings& settings) {
  const bool unstated = boards_ == remembered_;
  remembered_ = {remembered_board(settings, remembered_[0])};
  if (!unstated) return;
  boards_ = remembered_;
  fields_->show_board(boards_[0]);
  show_boards();
}

void BoardPage::save(QSettings& settings) const {
  remember_board(boards_[0], settings);
}

}  // namespace vantage::ui
