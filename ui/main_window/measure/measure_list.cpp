#include "ui/main_window/measure/measure_list.h"

#include <QHBoxLayout>
#include <QTableWidget>
#include <QVBoxLayout>

#include "ui/widgets/panel_parts.h"

namespace vantage::ui {

MeasureList::MeasureList(const std::vector<QAction*>& tools, const std::vector<QAction*>& edits,
                         QWidget* parent)
    : QWidget(parent),
      table_(row_table(tr("Measures"), {tr("Measure"), tr("Value"), tr("\u00b1"), tr("In")}, 3)) {
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->horizontalHeaderItem(2)->setToolTip(
      tr("Standard deviation: of clicks by one pixel, and of cameras that were solved in this session"));
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(0, 4, 0, 0);
  page->setSpacing(4);
  for (const std::vector<QAction*>& actions : {tools, edits}) {
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(4);
    for (QAction* action : actions) buttons->addWidget(text_button(action));
    buttons->addStretch(1);
    page->addLayout(buttons);
  }
  page->addWidget(quiet_label(
      tr("Click or drag on the floor in a camera's picture or in the scene; a height in a picture: from "
         "the floor straight up. Esc ends.")));
  page->addWidget(table_, 1);
  connect(table_, &QTableWidget::itemSelectionChanged, this, &MeasureList::chosen_by_hand);
}

void MeasureList::show_rows(const std::vector<MeasureRow>& rows) {
  if (rows == rows_) return;  // as while the pointer moves
  rows_ = rows;
  table_->setRowCount(static_cast<int>(rows.size()));
  for (int row = 0; row < table_->rowCount(); ++row) {
    const MeasureRow& one = rows[static_cast<size_t>(row)];
    int column = 0;
    for (const QString& text : {one.what, one.value, one.std, one.where}) {
      auto* item = new QTableWidgetItem(text);
      item->setToolTip(text);
      table_->setItem(row, column++, item);
    }
  }
}

std::vector<int> MeasureList::chosen() const {
  std::vector<int> rows;
  for (int row = 0; row < table_->rowCount(); ++row)
    if (table_->selectionModel()->isRowSelected(row, {})) rows.push_back(row);
  return rows;
}

QString MeasureList::text() const {
  std::vector<int> rows = chosen();
  if (rows.empty())
    for (int row = 0; row < table_->rowCount(); ++row) rows.push_back(row);
  QStringList lines;
  for (const int row : rows) {
    QStringList cells;
    for (int column = 0; column < table_->columnCount(); ++column) cells << table_->item(row, column)->text();
    lines << cells.join('\t');
  }
  return lines.join('\n');
}

}  // namespace vantage::ui
