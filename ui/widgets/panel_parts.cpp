#include "ui/widgets/panel_parts.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include "ui/widgets/theme.h"

namespace vantage::ui {

QLabel* text_label(const QString& text) {
  auto* label = new QLabel(text);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setFocusPolicy(Qt::NoFocus);
  return label;
}

QLabel* quiet_label(const QString& text) {
  QLabel* label = text_label(text);
  label->setForegroundRole(QPalette::PlaceholderText);
  return label;
}

QToolButton* text_button(QAction* action) {
  auto* button = new QToolButton;
  button->setDefaultAction(action);
  button->setToolButtonStyle(Qt::ToolButtonTextOnly);
  button->setAccessibleName(action->text().remove('&'));
  return button;
}

QHBoxLayout* button_row(const std::vector<QAction*>& actions, const std::vector<QWidget*>& fields) {
  auto* row = new QHBoxLayout;
  row->setSpacing(kTight);
  for (QAction* action : actions) row->addWidget(text_button(action));
  for (QWidget* field : fields) row->addWidget(field, 1);
  if (fields.empty()) row->addStretch(1);
  return row;
}

QTableWidget* row_table(const QString& name, const QStringList& columns, int stretched) {
  auto* table = new QTableWidget(0, static_cast<int>(columns.size()));
  table->setAccessibleName(name);
  table->setHorizontalHeaderLabels(columns);
  table->verticalHeader()->hide();
  table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 6);
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table->horizontalHeader()->setSectionResizeMode(stretched, QHeaderView::Stretch);
  table->horizontalHeader()->setHighlightSections(false);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setTabKeyNavigation(false);
  table->setWordWrap(false);
  return table;
}

void describe(QWidget* field, const QString& name, const QString& tip) {
  field->setAccessibleName(QString(name).remove('&'));
  field->setAccessibleDescription(tip);
  field->setToolTip(tip);
}

void fill_row(QTableWidget* table, int row, const QStringList& texts, const QString& tip) {
  for (int column = 0; column < texts.size(); ++column) put_cell(table, row, column, texts[column], tip);
}

QTableWidgetItem* put_cell(QTableWidget* table, int row, int column, const QString& text,
                           const QString& tip) {
  QTableWidgetItem* item = table->item(row, column);
  if (!item) table->setItem(row, column, item = new QTableWidgetItem);
  item->setText(text);
  item->setToolTip(tip);
  return item;
}

void add_field(QFormLayout* form, const QString& name, const QString& tip, QWidget* field) {
  auto* label = new QLabel(name);
  label->setBuddy(field);
  for (QWidget* widget : {static_cast<QWidget*>(label), field}) widget->setToolTip(tip);
  field->setAccessibleName(QString(name).remove('&'));
  field->setAccessibleDescription(tip);
  form->addRow(label, field);
}

ScrollList::ScrollList(int spacing_px, QWidget* parent) : QScrollArea(parent), rows_(new QVBoxLayout) {
  rows_->setContentsMargins(kTight, kTight, kApart, kTight);
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
