#include "ui/main_window/boards/board_fields.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QSettings>
#include <QVBoxLayout>
#include <algorithm>
#include <initializer_list>
#include <utility>

#include "ui/widgets/form.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

enum BoardKind { kChessboard, kCharuco, kTags };

// Typed numbers count when they are complete.
template <typename Field>
Field* completed(Field* field) {
  field->setKeyboardTracking(false);
  return field;
}

}  // namespace

QDoubleSpinBox* millimetres_field(double low, double high, double value) {
  return completed(number_field(low, high, value, 2, BoardFields::tr(" mm"), 0.1));
}

QString board_words(const Board& board) {
  const int last = board.first_id() + board.marker_count() - 1;
  if (board.tags)
    return BoardFields::tr("%1 \u00d7 %2 tags, IDs %3 to %4, %5")
        .arg(board.columns / 2)
        .arg(board.rows / 2)
        .arg(board.first_id())
        .arg(last)
        .arg(QString::fromStdString(board.tags->dictionary));
  if (board.markers)
    return BoardFields::tr("ChArUco %1 \u00d7 %2, IDs %3 to %4, %5")
        .arg(board.columns)
        .arg(board.rows)
        .arg(board.first_id())
        .arg(last)
        .arg(QString::fromStdString(board.markers->dictionary));
  return BoardFields::tr("chessboard %1 \u00d7 %2, %3 mm")
      .arg(board.columns)
      .arg(board.rows)
      .arg(1000 * board.square_m, 0, 'g', 5);
}

BoardFields::BoardFields(Form* form, QObject* parent)
    : QObject(parent),
      columns_(completed(number_field(2, 100, 9))),
      rows_(completed(number_field(2, 100, 6))),
      first_id_(completed(number_field(0, 9999, 0))),
      gap_(described(millimetres_field(0.1, kMaxSide_mm, 6.6), tr("Gap between tags"),
                     tr("White from a tag to the next, millimetres"))),
      counted_(new QLabel) {
  kind_ = form->add_choice(
      tr("&Kind"),
      tr("A chessboard, plain or with markers in its light squares, or AprilTags or ArUco markers with gaps "
         "between them (Kalibr's aprilgrid, OpenCV's GridBoard)"),
      {tr("chessboard"), tr("ChArUco: markers in light squares"), tr("grid of tags")});
  kind_->setMinimumContentsLength(14);
  kind_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  kind_->setAccessibleName(tr("Kind of board"));
  add_size(form);
  square_ =
      form->add(tr("S&quare"), tr("Side of a square, millimetres"), millimetres_field(0.1, kMaxSide_mm, 30));
  markers_ =
      form->add_choice(tr("Ma&rkers"), tr("The dictionary of the ChArUco board's markers or of the tags"));
  for (const std::string_view name : marker_dictionaries()) {
    const QString text = qt_text(name);
    markers_->addItem(text, text);
  }
  marker_ = form->add(tr("Marker si&de"), tr("Side of a marker or tag with its black border, millimetres"),
                      millimetres_field(0.1, kMaxSide_mm, 22));
  add_gap(form);
  connect(kind_, &QComboBox::currentIndexChanged, this, &BoardFields::show_kind);
  const auto by_hand = [this] {
    if (!filling_) emit edited();
  };
  for (QComboBox* field : {kind_, markers_}) connect(field, &QComboBox::currentIndexChanged, this, by_hand);
  for (QSpinBox* field : {columns_, rows_, first_id_}) connect(field, &QSpinBox::valueChanged, this, by_hand);
  for (QDoubleSpinBox* field : {square_, marker_, gap_})
    connect(field, &QDoubleSpinBox::valueChanged, this, by_hand);
  show_kind();
}

void BoardFields::add_size(Form* form) {
  const QString counted =
      tr("Corners between squares, counted along one side, not squares; of a grid of tags the tags");
  auto* size = new QHBoxLayout;
  size->setSpacing(kTight);
  for (const auto& [field, name] : {std::pair{columns_, tr("Columns")}, std::pair{rows_, tr("Rows")}}) {
    describe(field, name, QStringLiteral("%1. %2").arg(name, counted));
    size->addWidget(field);
    size->addWidget(field == columns_ ? new QLabel(tr("\u00d7")) : counted_);
  }
  size->addStretch(1);
  counted_->setMinimumWidth(counted_->fontMetrics().horizontalAdvance(tr("inner corners")));
  auto* board = new QLabel(tr("B&oard"));
  board->setBuddy(columns_);
  form->addRow(board, size);
}

void BoardFields::add_gap(Form* form) {
  describe(first_id_, tr("First ID"), tr("The lowest ID of the board's markers or of the grid's tags"));
  auto* first = new QLabel(tr("first &ID"));
  first->setBuddy(first_id_);
  auto* gap = new QHBoxLayout;
  gap->setSpacing(kTight);
  for (QWidget* widget : std::initializer_list<QWidget*>{gap_, first, first_id_}) gap->addWidget(widget);
  gap->addStretch(1);
  auto* gap_name = new QLabel(tr("&Gap"));
  gap_name->setBuddy(gap_);
  form->addRow(gap_name, gap);
}

void BoardFields::show_kind() {
  const int kind = kind_->currentIndex();
  counted_->setText(kind == kTags ? tr("tags") : tr("inner corners"));
  for (QWidget* field : std::initializer_list<QWidget*>{kind_, columns_, rows_}) field->setEnabled(!locked_);
  square_->setEnabled(kind != kTags);
  for (QWidget* field : std::initializer_list<QWidget*>{markers_, marker_, first_id_})
    field->setEnabled(!locked_ && kind != kChessboard);
  gap_->setEnabled(!locked_ && kind == kTags);
}

void BoardFields::set_locked(bool locked) {
  locked_ = locked;
  show_kind();
}

Board BoardFields::board() const {
  const std::string dictionary = markers_->currentData().toString().toStdString();
  const double marker_m = marker_->value() / 1000;
  if (kind_->currentIndex() == kTags)
    return grid_of_tags(columns_->value(), rows_->value(),
                        {dictionary, marker_m, gap_->value() / 1000, first_id_->value()});
  Board board{columns_->value(), rows_->value(), square_->value() / 1000};
  if (kind_->currentIndex() == kCharuco) board.markers = {dictionary, marker_m, first_id_->value()};
  return board;
}

void BoardFields::show_board(const Board& board) {
  filling_ = true;
  const int per_count = board.tags ? 2 : 1;
  kind_->setCurrentIndex(board.tags ? kTags : board.markers ? kCharuco : kChessboard);
  columns_->setValue(board.columns / per_count);
  rows_->setValue(board.rows / per_count);
  if (board.square_m > 0) square_->setValue(1000 * board.square_m);
  const auto show_markers = [this](const std::string& dictionary, double side_m, int first_id) {
    markers_->setCurrentIndex(std::max(0, markers_->findData(QString::fromStdString(dictionary))));
    marker_->setValue(1000 * side_m);
    first_id_->setValue(first_id);
  };
  if (board.markers) show_markers(board.markers->dictionary, board.markers->side_m, board.markers->first_id);
  if (board.tags) {
    show_markers(board.tags->dictionary, board.tags->side_m, board.tags->first_id);
    gap_->setValue(1000 * board.tags->gap_m);
  }
  filling_ = false;
}

namespace {

enum BoardListColumn { kWhichBoard, kSeenBy, kJoined };

constexpr int kMaxShown = 5;  // boards without scrolling
constexpr int kMinText_px = 200;

}  // namespace

BoardList::BoardList(const std::vector<QAction*>& actions, QWidget* parent)
    : QWidget(parent),
      table_(row_table(tr("Boards"), {tr("Board"), tr("Cameras"), tr("Stands")}, kWhichBoard)),
      text_(text_label()) {
  table_->horizontalHeaderItem(kWhichBoard)->setToolTip(tr("Choose one: the fields below are its"));
  table_->horizontalHeaderItem(kSeenBy)->setToolTip(tr("How many cameras saw it, hand-held ones too"));
  table_->horizontalHeaderItem(kJoined)->setToolTip(
      tr("Whether it is known how it stands to the other boards"));
  table_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  text_->setAccessibleName(tr("What was found of the chosen board"));
  text_->hide();
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(0, 0, 0, 0);
  page->setSpacing(kTight);
  page->addWidget(table_);
  page->addLayout(button_row(actions));
  connect(table_, &QTableWidget::itemSelectionChanged, this, [this] {
    const int row = table_->currentRow();
    if (filling_ || row < 0) return;
    chosen_ = static_cast<size_t>(row);
    show_text();
    emit chosen_by_hand(row);
  });
}

void BoardList::show_boards(const std::vector<QString>& boards, size_t chosen, const QString& problem) {
  filling_ = true;
  problem_ = problem;
  chosen_ = std::min(chosen, boards.empty() ? 0 : boards.size() - 1);
  table_->setRowCount(static_cast<int>(boards.size()));
  for (int row = 0; row < table_->rowCount(); ++row) {
    const QString text = QStringLiteral("%1  %2").arg(row + 1).arg(boards[row]);
    put_cell(table_, row, kWhichBoard, text, text);
  }
  table_->setCurrentCell(static_cast<int>(chosen_), kWhichBoard);
  const int shown = std::clamp(table_->rowCount(), 1, kMaxShown);
  table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() +
                         shown * table_->verticalHeader()->defaultSectionSize() + 2 * table_->frameWidth());
  filling_ = false;
  show_text();
}

void BoardList::show_results(const std::vector<BoardResult>& results) {
  results_ = results;
  for (int row = 0; row < table_->rowCount(); ++row) {
    const auto at = static_cast<size_t>(row);
    const BoardResult result = at < results_.size() ? results_[at] : BoardResult{};
    const QString tip = result.text.isEmpty() ? tr("Not searched for yet") : result.text;
    put_cell(table_, row, kSeenBy, result.cameras.isEmpty() ? QStringLiteral("\u2013") : result.cameras, tip);
    put_cell(table_, row, kJoined, result.joined.isEmpty() ? QStringLiteral("\u2013") : result.joined, tip);
  }
  show_text();
}

void BoardList::show_text() {
  const QString found = chosen_ < results_.size() ? results_[chosen_].text : QString();
  text_->setText(problem_.isEmpty() ? found : QStringLiteral("\u25b2 ") + problem_);
  text_->setVisible(!text_->text().isEmpty());
  make_room();
}

// A scrolled page asks a wrapped text for its size before it knows how wide it is.
void BoardList::make_room() {
  text_->setMinimumHeight(text_->isHidden() ? 0 : text_->heightForWidth(std::max(width(), kMinText_px)));
}

void BoardList::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  make_room();
}

Board remembered_board(const QSettings& settings, const Board& otherwise) {
  const auto number = [&](const char* key, double value) { return settings.value(key, value).toDouble(); };
  Board board{settings.value("board/columns", otherwise.columns).toInt(),
              settings.value("board/rows", otherwise.rows).toInt(),
              number("board/square_mm", 1000 * otherwise.square_m) / 1000};
  const std::string dictionary = settings.value("board/markers").toString().toStdString();
  const double marker_m = number("board/marker_mm", 22) / 1000;
  const int first_id = settings.value("board/first_tag").toInt();
  if (number("board/tag_gap_mm", 0) > 0)
    return grid_of_tags(board.columns, board.rows,
                        {dictionary, marker_m, number("board/tag_gap_mm", 0) / 1000, first_id});
  if (!dictionary.empty()) board.markers = {dictionary, marker_m, first_id};
  return board;
}

void remember_board(const Board& board, QSettings& settings) {
  const int per_count = board.tags ? 2 : 1;
  settings.setValue("board/columns", board.columns / per_count);
  settings.setValue("board/rows", board.rows / per_count);
  if (!board.tags) settings.setValue("board/square_mm", 1000 * board.square_m);
  const std::string dictionary = board.tags      ? board.tags->dictionary
                                 : board.markers ? board.markers->dictionary
                                                 : std::string();
  settings.setValue("board/markers", QString::fromStdString(dictionary));
  if (board.names_corners())
    settings.setValue("board/marker_mm", 1000 * (board.tags ? board.tags->side_m : board.markers->side_m));
  settings.setValue("board/tag_gap_mm", board.tags ? 1000 * board.tags->gap_m : 0);
  settings.setValue("board/first_tag", board.first_id());
}

}  // namespace vantage::ui
