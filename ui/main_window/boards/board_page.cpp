#include "ui/main_window/boards/board_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSettings>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <initializer_list>
#include <map>
#include <utility>

#include "core/geometry/lens_inverse.h"
#include "ui/widgets/panel_parts.h"

namespace vantage::ui {
namespace {

enum BoardKind { kChessboard, kCharuco, kTags };
enum BoardColumn { kBoardCamera, kBoardPictures };

constexpr double kMaxSide_mm = 2000;

QDoubleSpinBox* millimetres_field(double low, double high, double value) {
  auto* field = new QDoubleSpinBox;
  field->setRange(low, high);
  field->setDecimals(2);
  field->setSuffix(BoardPage::tr(" mm"));
  field->setValue(value);
  field->setKeyboardTracking(false);
  return field;
}

QSpinBox* corner_count_field(int value) {
  auto* field = new QSpinBox;
  field->setRange(2, 100);
  field->setValue(value);
  return field;
}

QString lens_text(LensModel model) {
  const std::string_view name = lens_model_name(model);
  return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

}  // namespace

BoardPage::BoardPage(const std::vector<QAction*>& actions, const std::vector<QAction*>& live_actions,
                     QAction* print, QWidget* parent)
    : QWidget(parent),
      kind_(new QComboBox),
      columns_(corner_count_field(9)),
      rows_(corner_count_field(6)),
      first_tag_(new QSpinBox),
      square_(millimetres_field(0.1, kMaxSide_mm, 30)),
      marker_(millimetres_field(0.1, kMaxSide_mm, 22)),
      gap_(millimetres_field(0.1, kMaxSide_mm, 6.6)),
      above_(millimetres_field(-kMaxSide_mm, kMaxSide_mm, 0)),
      markers_(new QComboBox),
      lens_(new QComboBox),
      counted_(new QLabel),
      still_(new QCheckBox(tr("Board and cameras rest"))),
      out_of_step_(new QCheckBox(tr("Clips are out of step"))),
      table_(row_table(tr("Pictures of the board"), {tr("Camera"), tr("Pictures of the board")},
                       kBoardPictures)),
      next_(text_label()) {
  kind_->addItems({tr("chessboard"), tr("ChArUco: markers in light squares"), tr("grid of tags")});
  for (const std::string_view name : marker_dictionaries()) {
    const QString text = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    markers_->addItem(text, text);
  }
  lens_->addItem(tr("solved, as it is now"));
  for (const LensModel model : {LensModel::polynomial, LensModel::rational, LensModel::fisheye})
    lens_->addItem(tr("solved, %1").arg(lens_text(model)), static_cast<int>(model));
  lens_->addItem(tr("held as it is"));
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(0, 4, 0, 0);
  page->setSpacing(4);
  auto* form = new QFormLayout;
  kind_->setAccessibleName(tr("Kind of board"));
  kind_->setToolTip(
      tr("A chessboard, plain or with markers in its light squares, or AprilTags or ArUco markers with gaps "
         "between them (Kalibr's aprilgrid, OpenCV's GridBoard)"));
  kind_->setMinimumContentsLength(14);
  kind_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  auto* kind = new QHBoxLayout;
  kind->setSpacing(4);
  kind->addWidget(kind_, 1);
  kind->addWidget(text_button(print));
  auto* kind_name = new QLabel(tr("&Kind"));
  kind_name->setBuddy(kind_);
  form->addRow(kind_name, kind);
  const QString counted =
      tr("Corners between squares, counted along one side, not squares; of a grid of tags the tags");
  auto* size = new QHBoxLayout;
  size->setSpacing(4);
  for (const auto& [field, name] : {std::pair{columns_, tr("Columns")}, std::pair{rows_, tr("Rows")}}) {
    field->setAccessibleName(name);
    field->setToolTip(QStringLiteral("%1. %2").arg(name, counted));
    size->addWidget(field);
    size->addWidget(field == columns_ ? new QLabel(tr("\u00d7")) : counted_);
  }
  size->addStretch(1);
  auto* board = new QLabel(tr("Boar&d"));
  board->setBuddy(columns_);
  form->addRow(board, size);
  add_field(form, tr("S&quare"), tr("Side of a square, millimetres"), square_);
  add_field(form, tr("&Markers"), tr("The dictionary of the ChArUco board's markers or of the tags"),
            markers_);
  add_field(form, tr("Marker si&de"), tr("Side of a marker or tag with its black border, millimetres"),
            marker_);
  auto* gap = new QHBoxLayout;
  gap->setSpacing(4);
  gap_->setAccessibleName(tr("Gap between tags"));
  gap_->setToolTip(tr("White from a tag to the next, millimetres"));
  first_tag_->setRange(0, 9999);
  first_tag_->setAccessibleName(tr("First ID"));
  first_tag_->setToolTip(tr("The lowest ID of the grid's tags"));
  auto* first = new QLabel(tr("first &ID"));
  first->setBuddy(first_tag_);
  gap->addWidget(gap_);
  gap->addWidget(first);
  gap->addWidget(first_tag_);
  gap->addStretch(1);
  auto* gap_name = new QLabel(tr("&Gap"));
  gap_name->setBuddy(gap_);
  form->addRow(gap_name, gap);
  add_field(
      form, tr("&Lenses"),
      tr("Polynomial: k1 k2 p1 p2; rational: up to k6; fisheye: k1 to k4. Cameras without a calibration "
         "are solved in any case"),
      lens_);
  add_field(form, tr("&Above the floor"),
            tr("How far the printed side lies above the floor in the frame that becomes the world, "
               "millimetres"),
            above_);
  still_->setToolTip(tr("The mean of all pictures is used, which noise falls out of"));
  form->addRow(QString(), still_);
  out_of_step_->setToolTip(tr(
      "By how many frames is solved with the board, which has to move, quickly and without rhythm, where two "
      "cameras see it at once; all pictures are examined. Rolling shutters are measured, too"));
  form->addRow(QString(), out_of_step_);
  // A board that rests tells nothing of time.
  connect(still_, &QCheckBox::toggled, this, [this](bool on) {
    if (on) out_of_step_->setChecked(false);
  });
  connect(out_of_step_, &QCheckBox::toggled, this, [this](bool on) {
    if (on) still_->setChecked(false);
  });
  page->addLayout(form);
  table_->setMinimumHeight(4 * table_->verticalHeader()->defaultSectionSize());
  page->addWidget(table_, 1);
  next_->setAccessibleName(tr("What to show next"));
  next_->hide();
  page->addWidget(next_);
  for (const auto* row : {&actions, &live_actions}) {
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(4);
    for (QAction* action : *row) buttons->addWidget(text_button(action));
    buttons->addStretch(1);
    page->addLayout(buttons);
  }
  show_kind();
  connect(kind_, &QComboBox::currentIndexChanged, this, &BoardPage::show_kind);
  connect(table_, &QTableWidget::itemSelectionChanged, this, &BoardPage::cameras_chosen);
}

void BoardPage::show_kind() {
  const int kind = kind_->currentIndex();
  counted_->setText(kind == kTags ? tr("tags") : tr("inner corners"));
  square_->setEnabled(kind != kTags);
  for (QWidget* field : std::initializer_list<QWidget*>{markers_, marker_})
    field->setEnabled(kind != kChessboard);
  for (QWidget* field : std::initializer_list<QWidget*>{gap_, first_tag_}) field->setEnabled(kind == kTags);
}

void BoardPage::show_cameras(const std::vector<ProjectCamera>& cameras) {
  std::map<QString, QString> before;
  for (int row = 0; row < table_->rowCount(); ++row)
    before[table_->item(row, kBoardCamera)->text()] =
        table_->item(row, kBoardPictures)->data(Qt::UserRole).toString();
  table_->setRowCount(static_cast<int>(cameras.size()));
  for (int row = 0; row < table_->rowCount(); ++row) {
    for (const int column : {kBoardCamera, kBoardPictures})
      if (!table_->item(row, column)) table_->setItem(row, column, new QTableWidgetItem);
    const QString name = QString::fromStdString(cameras[static_cast<size_t>(row)].name);
    table_->item(row, kBoardCamera)->setText(name);
    const auto kept = before.find(name);
    set_pictures(row, kept == before.end() ? QString() : kept->second);
  }
}

void BoardPage::set_pictures(int camera, const QString& path) {
  QTableWidgetItem* item = table_->item(camera, kBoardPictures);
  item->setData(Qt::UserRole, path);
  item->setText(path.isEmpty() ? tr("its own video") : QFileInfo(path).fileName());
  item->setToolTip(path.isEmpty() ? tr("The board is looked for in the camera's video, by its offset")
                                  : path);
}

void BoardPage::show_picked_up(const std::vector<PickedUpRow>& rows, const QString& next) {
  for (int row = 0; row < table_->rowCount(); ++row) {
    QTableWidgetItem* item = table_->item(row, kBoardPictures);
    if (static_cast<size_t>(row) < rows.size()) {
      item->setText(rows[static_cast<size_t>(row)].text);
      item->setToolTip(rows[static_cast<size_t>(row)].tip);
    } else {
      set_pictures(row, item->data(Qt::UserRole).toString());
    }
  }
  next_->setText(next);
  next_->setVisible(!next.isEmpty());
  const bool free = rows.empty() && next.isEmpty();
  for (QWidget* field : std::initializer_list<QWidget*>{kind_, columns_, rows_}) field->setEnabled(free);
  show_kind();
  if (!free)
    for (QWidget* field : std::initializer_list<QWidget*>{markers_, marker_, gap_, first_tag_})
      field->setEnabled(false);
}

QString BoardPage::next_text() const {
  return next_->text();
}

ProjectBoards BoardPage::boards() const {
  ProjectBoards boards;
  const std::string dictionary = markers_->currentData().toString().toStdString();
  const double marker_m = marker_->value() / 1000;
  boards.board = {columns_->value(), rows_->value(), square_->value() / 1000};
  if (kind_->currentIndex() == kCharuco) boards.board.markers = {dictionary, marker_m};
  if (kind_->currentIndex() == kTags)
    boards.board = grid_of_tags(columns_->value(), rows_->value(),
                                {dictionary, marker_m, gap_->value() / 1000, first_tag_->value()});
  for (int row = 0; row < table_->rowCount(); ++row)
    boards.pictures.push_back(table_->item(row, kBoardPictures)->data(Qt::UserRole).toString().toStdString());
  boards.solve_lens = lens_->currentIndex() + 1 < lens_->count();
  if (lens_->currentData().isValid()) boards.model = static_cast<LensModel>(lens_->currentData().toInt());
  boards.still = still_->isChecked();
  boards.out_of_step = out_of_step_->isChecked();
  boards.board_above_floor_m = above_->value() / 1000;
  return boards;
}

void BoardPage::set_board(const Board& board) {
  const int per_count = board.tags ? 2 : 1;
  kind_->setCurrentIndex(board.tags ? kTags : board.markers ? kCharuco : kChessboard);
  columns_->setValue(board.columns / per_count);
  rows_->setValue(board.rows / per_count);
  if (board.square_m > 0) square_->setValue(1000 * board.square_m);
  const auto show_markers = [this](const std::string& dictionary, double side_m) {
    markers_->setCurrentIndex(std::max(0, markers_->findData(QString::fromStdString(dictionary))));
    marker_->setValue(1000 * side_m);
  };
  if (board.markers) show_markers(board.markers->dictionary, board.markers->side_m);
  if (!board.tags) return;
  show_markers(board.tags->dictionary, board.tags->side_m);
  gap_->setValue(1000 * board.tags->gap_m);
  first_tag_->setValue(board.tags->first_id);
}

std::vector<int> BoardPage::chosen_cameras() const {
  std::vector<int> rows;
  for (int row = 0; row < table_->rowCount(); ++row)
    if (table_->selectionModel()->isRowSelected(row, {})) rows.push_back(row);
  return rows;
}

// A workshop has one board: it is remembered for all projects.
void BoardPage::restore(const QSettings& settings) {
  const auto number = [&](const char* key, double otherwise) {
    return settings.value(key, otherwise).toDouble();
  };
  Board board{settings.value("board/columns", columns_->value()).toInt(),
              settings.value("board/rows", rows_->value()).toInt(),
              number("board/square_mm", square_->value()) / 1000};
  const std::string dictionary = settings.value("board/markers").toString().toStdString();
  const double marker_m = number("board/marker_mm", marker_->value()) / 1000;
  if (number("board/tag_gap_mm", 0) > 0)
    board = grid_of_tags(board.columns, board.rows,
                         {dictionary, marker_m, number("board/tag_gap_mm", 0) / 1000,
                          settings.value("board/first_tag").toInt()});
  else if (!dictionary.empty())
    board.markers = {dictionary, marker_m};
  set_board(board);
}

void BoardPage::save(QSettings& settings) const {
  settings.setValue("board/columns", columns_->value());
  settings.setValue("board/rows", rows_->value());
  settings.setValue("board/square_mm", square_->value());
  settings.setValue("board/markers",
                    kind_->currentIndex() == kChessboard ? QString() : markers_->currentData().toString());
  settings.setValue("board/marker_mm", marker_->value());
  settings.setValue("board/tag_gap_mm", kind_->currentIndex() == kTags ? gap_->value() : 0);
  settings.setValue("board/first_tag", first_tag_->value());
}

}  // namespace vantage::ui
