#include "ui/widgets/action_button.h"

#include <QStyleOptionToolButton>
#include <QStylePainter>
#include <algorithm>

namespace vantage::ui {
namespace {

constexpr int kBarHeight = 2, kBarMargin = 3, kBelowBar = 1;  // below the letters' descenders

}  // namespace

ActionButton::ActionButton(QWidget* parent) : QToolButton(parent) {
  setToolButtonStyle(Qt::ToolButtonTextOnly);
  setFocusPolicy(Qt::TabFocus);
  setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
}

void ActionButton::set_words(const QString& words) {
  setAccessibleName(words.isEmpty() ? text() : words);
  if (words == words_) return;
  words_ = words;
  updateGeometry();
  update();
}

void ActionButton::set_share(double share) {
  if (share == share_) return;
  share_ = share;
  update();
}

QSize ActionButton::size_for(const QString& text) const {
  QStyleOptionToolButton option;
  initStyleOption(&option);
  const QSize inside(fontMetrics().horizontalAdvance(text) + 2 * fontMetrics().averageCharWidth(),
                     fontMetrics().height());
  return style()->sizeFromContents(QStyle::CT_ToolButton, &option, inside, this);
}

QSize ActionButton::sizeHint() const {
  return size_for(words_.isEmpty() ? text() : words_);
}

QSize ActionButton::minimumSizeHint() const {
  return {std::min(size_for(text()).width(), sizeHint().width()), sizeHint().height()};
}

QString ActionButton::shown() const {
  return words_.isEmpty() || width() < sizeHint().width() ? text() : words_;
}

void ActionButton::paintEvent(QPaintEvent*) {
  QStylePainter painter(this);
  QStyleOptionToolButton option;
  initStyleOption(&option);
  option.text = shown();
  if (share_ < 0 && isEnabled()) {
    const QColor accent = palette().color(QPalette::Highlight),
                 ink = palette().color(QPalette::HighlightedText);
    painter.setBrush(isDown() ? accent.darker(115) : underMouse() ? accent.lighter(110) : accent);
    painter.setPen(hasFocus() ? ink : QColor(Qt::transparent));
    painter.drawRoundedRect(rect().adjusted(1, 1, -2, -2), 3, 3);
    option.palette.setColor(QPalette::ButtonText, ink);
    return painter.drawControl(QStyle::CE_ToolButtonLabel, option);
  }
  painter.drawComplexControl(QStyle::CC_ToolButton, option);
  if (share_ < 0) return;
  const QRectF bar(kBarMargin, height() - kBarHeight - kBelowBar, width() - 2 * kBarMargin, kBarHeight);
  painter.setPen(Qt::NoPen);
  painter.setBrush(palette().color(QPalette::Mid));
  painter.drawRect(bar);
  painter.setBrush(palette().color(QPalette::Highlight));
  painter.drawRect(QRectF(bar.left(), bar.top(), bar.width() * std::min(share_, 1.0), bar.height()));
}

}  // namespace vantage::ui
