#include "ui/main_window/truth/mask_merge_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include "ui/widgets/panel_parts.h"

namespace vantage::ui {
namespace {

enum MaskMergeColumn { kMergeFrame, kMergeCamera, kMergeIoU, kMergeOurs, kMergeTheirs };

}  // namespace

MaskMergePanel::MaskMergePanel(const std::vector<QAction*>& actions, QWidget* parent)
    : QWidget(parent),
      table_(row_table(tr("Where masks disagree, the worst first"),
                       {tr("Frame"), tr("Camera"), tr("IoU"), tr("Only ours"), tr("Only theirs")},
                       kMergeTheirs)) {
  setAccessibleName(tr("Disagreements"));
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->horizontalHeaderItem(kMergeIoU)->setToolTip(tr(
      "Intersection over union of the two masks; a double click goes to the frame, where striped pixels are "
      "only theirs and orange ones only ours"));
  for (const int column : {kMergeOurs, kMergeTheirs})
    table_->horizontalHeaderItem(column)->setToolTip(tr("Pixels that only one of the masks has"));
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(0, 0, 0, 0);
  page->addWidget(table_, 1);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(4);
  for (QAction* action : actions) buttons->addWidget(text_button(action));
  buttons->addStretch(1);
  page->addLayout(buttons);
  connect(table_, &QTableWidget::cellDoubleClicked, this,
          [this](int row) { emit seek_requested(table_->item(row, kMergeFrame)->text().toLongLong()); });
  hide();
}

void MaskMergePanel::show_disagreements(std::span<const MaskDisagreement> disagreements) {
  table_->clearSelection();
  table_->setRowCount(static_cast<int>(disagreements.size()));
  for (int row = 0; row < table_->rowCount(); ++row) {
    const MaskDisagreement& one = disagreements[static_cast<size_t>(row)];
    const auto set = [&](int column, const QString& text) {
      table_->setItem(row, column, new QTableWidgetItem(text));
    };
    set(kMergeFrame, QString::number(one.theirs.frame));
    set(kMergeCamera, QString::fromStdString(one.theirs.camera));
    set(kMergeIoU, QString::number(one.difference.overlap.iou(), 'f', 3));
    set(kMergeOurs, tr("%1 px").arg(one.difference.only_ours));
    set(kMergeTheirs, tr("%1 px").arg(one.difference.only_theirs));
  }
  setVisible(!disagreements.empty());
}

std::vector<size_t> MaskMergePanel::chosen() const {
  std::vector<size_t> rows;
  for (int row = 0; row < table_->rowCount(); ++row)
    if (!table_->selectionModel()->hasSelection() || table_->selectionModel()->isRowSelected(row, {}))
      rows.push_back(static_cast<size_t>(row));
  return rows;
}

}  // namespace vantage::ui
