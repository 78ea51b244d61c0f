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

}  // namespace vantage::ui
