#include "ui/widgets/scroll_list.h"

#include <QVBoxLayout>

namespace vantage::ui {

ScrollList::ScrollList(int spacing_px, QWidget* parent) : QScrollArea(parent), rows_(new QVBoxLayout) {
  rows_->setContentsMargins(2, 4, 6, 4);
  rows_->setSpacing(spacing_px);
  rows_->addStretch(1);
  auto* list = new QWidget;
  list->setLayout(rows_);
  setWidget(list);
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void ScrollList::append(QWidget* row) {
  rows_->insertWidget(rows_->count() - 1, row);
}

void ScrollList::settle() {
  for (int i = 0; i < rows_->count(); ++i)
    if (const QWidget* row = rows_->itemAt(i)->widget(); row && row->layout()) row->layout()->activate();
  rows_->activate();
}

void ScrollList::clear() {
  delete_widgets(rows_);
}

void delete_widgets(QBoxLayout* layout) {
  for (int i = layout->count() - 1; i >= 0; --i) {
    QWidget* widget = layout->itemAt(i)->widget();
    if (!widget) continue;
    delete layout->takeAt(i);
    delete widget;
  }
}

}  // namespace vantage::ui
