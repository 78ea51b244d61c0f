#include "ui/widgets/panel_parts.h"

#include <QAction>
#include <QHeaderView>

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

void add_field(QFormLayout* form, const QString& name, const QString& tip, QWidget* field) {
  auto* label = new QLabel(name);
  label->setBuddy(field);
  for (QWidget* widget : {static_cast<QWidget*>(label), field}) widget->setToolTip(tip);
  field->setAccessibleName(QString(name).remove('&'));
  field->setAccessibleDescription(tip);
  form->addRow(label, field);
}

}  // namespace vantage::ui
