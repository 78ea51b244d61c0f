#include "ui/main_window/boxes/box_list.h"

#include <QHBoxLayout>
#include <QTableWidget>
#include <QVBoxLayout>

#include "ui/main_window/result_text.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

enum BoxColumn { kBoxName, kBoxSize, kBoxBase, kBoxTurn, kBoxColumns };

}  // namespace

BoxList::BoxList(const std::vector<QAction*>& actions, QWidget* parent)
    : QWidget(parent),
      table_(row_table(tr("Boxes"), {tr("Box"), tr("Size (m)"), tr("At (m)"), tr("Turn")}, kBoxBase)) {
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(0, kTight, 0, 0);
  page->setSpacing(kTight);
  page->addLayout(button_row(actions));
  page->addWidget(quiet_label(
      tr("Lay a box over a thing of known size: drag its handles in any picture. Where it fits in all, "
         "its size is the thing's; where it does not, that camera's calibration is wrong.")));
  page->addWidget(table_, 1);
  connect(table_, &QTableWidget::itemSelectionChanged, this, [this] {
    const int row = table_->currentRow();
    if (!filling_ && row >= 0) emit chosen_by_hand(QString::fromStdString(names_[row]));
  });
  connect(table_, &QTableWidget::cellChanged, this, [this](int row, int column) {
    if (filling_ || column != kBoxName) return;
    emit renamed(QString::fromStdString(names_[row]), table_->item(row, kBoxName)->text().trimmed());
  });
}

void BoxList::show_boxes(const std::vector<NamedBox>& boxes, const std::string& chosen) {
  filling_ = true;
  names_.clear();
  table_->setRowCount(static_cast<int>(boxes.size()));
  for (const NamedBox& box : boxes) {
    const int row = static_cast<int>(names_.size());
    names_.push_back(box.name);
    const QString texts[kBoxColumns] = {
        QString::fromStdString(box.name), coordinates_text(box.box.size_m, QStringLiteral(" \u00d7 ")),
        coordinates_text(box.box.base_in_world_m), tr("%1\u00b0").arg(box.box.turn_degrees, 0, 'f', 1)};
    const QString tips[kBoxColumns] = {
        tr("Double-click or F2 renames it"), tr("Length, width and height, metres"),
        tr("The middle of its lower face, metres"), tr("Counter-clockwise as seen from above")};
    for (int column = 0; column < kBoxColumns; ++column) {
      QTableWidgetItem* item = put_cell(table_, row, column, texts[column], tips[column]);
      if (column != kBoxName) item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    }
    if (box.name == chosen) table_->selectRow(row);
  }
  filling_ = false;
}

}  // namespace vantage::ui
