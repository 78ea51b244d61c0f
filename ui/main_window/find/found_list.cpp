#include "ui/main_window/find/found_list.h"

#include <QHeaderView>
#include <QIcon>
#include <QPixmap>
#include <QResizeEvent>
#include <algorithm>
#include <array>
#include <utility>

namespace vantage::ui {
namespace {

constexpr QSize kPicture(56, 42);

}  // namespace

FoundModel::FoundModel(QObject* parent)
    : QAbstractTableModel(parent),
      columns_{{{tr("Time"), tr("When it begins")},
                {tr("Who"), tr("Person, by name or ID")},
                {tr("Length"), tr("How long it lasts, in seconds")},
                {tr("Where"), tr("On the floor when it begins, in metres")}}} {}

void FoundModel::set_rows(std::vector<FoundRow> rows) {
  beginResetModel();
  rows_ = std::move(rows);
  endResetModel();
}

void FoundModel::set_picture(int row, const QImage& picture) {
  if (row < 0 || row >= rowCount()) return;
  rows_[static_cast<size_t>(row)].picture =
      picture.scaled(2 * kPicture, Qt::KeepAspectRatio, Qt::SmoothTransformation);
  emit dataChanged(index(row, kTime), index(row, kTime), {Qt::DecorationRole});
}

int FoundModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int FoundModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant FoundModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const FoundRow& row = rows_[static_cast<size_t>(index.row())];
  const std::array<const QString*, kColumns> texts = {&row.time, &row.who, &row.length, &row.where};
  switch (role) {
    case Qt::DisplayRole:
      return *texts[static_cast<size_t>(index.column())];
    case Qt::ToolTipRole:
      return row.tip;
    case Qt::AccessibleTextRole:
      return QStringLiteral("%1, %2, %3, %4").arg(row.time, row.who, row.length, row.where);
    case Qt::DecorationRole:
      return index.column() == kTime && !row.picture.isNull()
                 ? QVariant(QIcon(QPixmap::fromImage(row.picture)))
                 : QVariant();
    case Qt::TextAlignmentRole:
      return index.column() == kLength ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    default:
      return {};
  }
}

QVariant FoundModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  const FoundColumn& column = columns_[static_cast<size_t>(section)];
  if (role == Qt::DisplayRole) return column.name;
  if (role == Qt::ToolTipRole) return column.tip;
  return {};
}

FoundList::FoundList(QWidget* parent) : QTableView(parent), model_(new FoundModel(this)) {
  setModel(model_);
  setAccessibleName(tr("Found"));
  setToolTip(tr("Return or a double-click goes there"));
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  setEditTriggers(NoEditTriggers);
  setTabKeyNavigation(false);
  setWordWrap(false);
  setShowGrid(false);
  setIconSize(kPicture);
  setAlternatingRowColors(true);
  setHorizontalScrollMode(ScrollPerPixel);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
  horizontalHeader()->setStretchLastSection(true);
  connect(this, &QTableView::activated, this, [this](const QModelIndex& at) { emit wanted(at.row()); });
}

// The first rows say how wide columns have to be: all of a day's would take long to measure.
void FoundList::set_rows(std::vector<FoundRow> rows, bool pictured) {
  model_->set_rows(std::move(rows));
  verticalHeader()->setDefaultSectionSize(pictured ? kPicture.height() + 4 : fontMetrics().height() + 8);
  horizontalHeader()->setResizeContentsPrecision(50);
  for (int column = 0; column < FoundModel::kColumns; ++column)
    needed_px_[static_cast<size_t>(column)] =
        std::max(sizeHintForColumn(column), horizontalHeader()->sectionSizeHint(column));
  if (pictured) needed_px_[FoundModel::kTime] += kPicture.width() + 6;
  fit_columns();
}

// Where they do not all fit, the widest give way, to one width, and end in dots.
void FoundList::fit_columns() {
  if (needed_px_[FoundModel::kTime] == 0) return;  // no rows yet
  std::array<int, FoundModel::kColumns> widths = needed_px_;
  std::sort(widths.begin(), widths.end());
  int left = viewport()->width(), widest = widths.back();
  for (size_t i = 0; i < widths.size(); ++i) {
    const int share = left / static_cast<int>(widths.size() - i);
    if (widths[i] > share) {
      widest = share;
      break;
    }
    left -= widths[i];
  }
  for (int column = 0; column < FoundModel::kColumns; ++column)
    setColumnWidth(column, std::min(needed_px_[static_cast<size_t>(column)], widest));
}

void FoundList::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  if (event->oldSize().width() != event->size().width()) fit_columns();
}

int FoundList::chosen() const {
  const QModelIndexList rows = selectionModel()->selectedRows();
  return rows.isEmpty() ? -1 : rows.front().row();
}

bool FoundList::go_on(int by) {
  const int before = chosen();
  const int row = before < 0 ? (by > 0 ? 0 : count() - 1) : before + by;
  if (row < 0 || row >= count()) return false;
  selectRow(row);
  scrollTo(model_->index(row, 0));
  emit wanted(row);
  return true;
}

}  // namespace vantage::ui
