#include "ui/panels/checks_button.h"

#include <QAction>
#include <QEvent>
#include <QPainter>

#include "ui/panels/checks_panel.h"
#include "ui/widgets/icons.h"

namespace vantage::ui {
namespace {

constexpr int kButtonMark = 14, kHeight = 18, kButtonGap = 3;

}  // namespace

ChecksButton::ChecksButton(QAction* checks) {
  setDefaultAction(checks);
  setAccessibleName(tr("Checks"));
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setLayoutDirection(Qt::RightToLeft);  // the mark stands behind the word
}

void ChecksButton::show_counts(int failed, int doubtful) {
  failed_ = failed, doubtful_ = doubtful;
  setAccessibleDescription(tr("%1 failed, %2 doubtful").arg(failed).arg(doubtful));
  draw();
}

void ChecksButton::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && defaultAction()) draw();
  QToolButton::changeEvent(event);
}

void ChecksButton::draw() {
  const int shown = failed_ > 0 ? failed_ : doubtful_;
  if (shown == 0) return defaultAction()->setIcon({});
  const VerdictStyle look = look_of(failed_ > 0 ? Verdict::failed : Verdict::doubtful, palette());
  const qreal ratio = devicePixelRatioF();
  const QString number = QString::number(shown);
  const QSize size(kButtonMark + kButtonGap + fontMetrics().horizontalAdvance(number), kHeight);
  const auto with_text = [&](QPalette::ColorRole text) {
    QPixmap mark(size * ratio);
    mark.setDevicePixelRatio(ratio);
    mark.fill(Qt::transparent);
    QPainter painter(&mark);
    painter.drawPixmap(0, 2, colored_pixmap(look.icon, look.color, kButtonMark, ratio));
    painter.setFont(font());
    painter.setPen(palette().color(text));
    painter.drawText(
        QRect(kButtonMark + kButtonGap, 0, size.width() - kButtonMark - kButtonGap, size.height()),
        Qt::AlignVCenter, number);
    return mark;
  };
  QIcon icon(with_text(QPalette::ButtonText));
  icon.addPixmap(with_text(QPalette::HighlightedText), QIcon::Normal, QIcon::On);
  setIconSize(size);
  defaultAction()->setIcon(icon);
}

}  // namespace vantage::ui
