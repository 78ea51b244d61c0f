#include "ui/widgets/panel_parts.h"

#include <QAction>

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

void add_field(QFormLayout* form, const QString& name, const QString& tip, QWidget* field) {
  auto* label = new QLabel(name);
  label->setBuddy(field);
  for (QWidget* widget : {static_cast<QWidget*>(label), field}) widget->setToolTip(tip);
  field->setAccessibleName(QString(name).remove('&'));
  field->setAccessibleDescription(tip);
  form->addRow(label, field);
}

}  // namespace vantage::ui
