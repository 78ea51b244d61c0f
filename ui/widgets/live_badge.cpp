#include "ui/widgets/live_badge.h"

#include <QPainter>
#include <algorithm>

#include "ui/widgets/theme.h"
#include "ui/widgets/time_axis.h"

namespace vantage::ui {
namespace {

constexpr int kMark = 10, kMargin = 8;

constexpr double kAgeInMinutes_s = 60;

}  // namespace

QString ago_text(double seconds) {
  const int whole = std::max(0, static_cast<int>(seconds));
  return seconds < kAgeInMinutes_s ? QObject::tr("%1 s ago").arg(whole)
                                   : QObject::tr("%1 min ago").arg(short_time_text(whole));
}

bool is_gone(const CameraHealth& camera) {
  return !camera.here || camera.age_s > kGone_s;
}

LiveBadge::LiveBadge(QWidget* parent) : QAbstractButton(parent) {
  setFocusPolicy(Qt::TabFocus);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void LiveBadge::show_status(const LiveStatus& status) {
  live_ = status.following;
  const LiveHealth& health = status.health;
  QStringList gone;
  for (const CameraHealth& camera : health.cameras)
    if (is_gone(camera)) gone << QString::fromStdString(camera.name);
  const auto cameras = static_cast<qsizetype>(health.cameras.size());
  complete_ = gone.isEmpty();
  setText(!live_                ? ago_text(status.behind_s)
          : !complete_          ? tr("LIVE, %1 of %2 cameras").arg(cameras - gone.size()).arg(cameras)
          : health.analysed > 0 ? tr("LIVE  %1 ms").arg(qRound(health.latency_ms))
                                : tr("LIVE"));
  setAccessibleName(text());
  setToolTip(!live_      ? tr("This is the past of the cameras, which continue: End shows what they see now")
             : complete_ ? tr("LIVE: what the cameras see now, with the delay since their last picture (End)")
                         : tr("No pictures come from %1: Health (F10) has the reason").arg(gone.join(", ")));
  updateGeometry();
  update();
}

QSize LiveBadge::sizeHint() const {
  // The badge is as wide as its usual texts, so that nothing next to it moves.
  const int width = std::max(fontMetrics().horizontalAdvance(text()),
                             fontMetrics().horizontalAdvance(QStringLiteral("LIVE  0000 ms")));
  return {width + kMark + 3 * kMargin, fontMetrics().height() + 8};
}

void LiveBadge::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF box = QRectF(rect()).adjusted(1, 1, -1, -1);
  painter.setPen(hasFocus() ? QPen(palette().color(QPalette::Highlight), 2) : QPen(Qt::NoPen));
  const bool red = live_ && complete_;
  painter.setBrush(red ? QColor(kOnAir) : QColor(kDoubtful));
  painter.drawRoundedRect(box, 4, 4);
  const QColor ink = red ? Qt::white : Qt::black;
  painter.setPen(Qt::NoPen);
  painter.setBrush(ink);
  const QRectF mark(box.left() + kMargin, box.center().y() - kMark / 2.0, kMark, kMark);
  if (live_) {
    painter.drawEllipse(mark);
  } else {
    painter.drawRect(QRectF(mark.left(), mark.top(), 3, kMark));
    painter.drawRect(QRectF(mark.right() - 4, mark.top(), 3, kMark));
  }
  painter.setPen(ink);
  painter.drawText(box.adjusted(kMark + 2 * kMargin, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, text());
}

const char* icon_of(CameraStanding standing) {
  return standing == CameraStanding::away       ? "failed"
         : standing == CameraStanding::doubtful ? "doubtful"
                                                : "passed";
}

QColor color_of(CameraStanding standing, const QPalette& palette) {
  return standing == CameraStanding::away       ? QColor(kFailed)
         : standing == CameraStanding::doubtful ? QColor(kDoubtful)
                                                : palette.color(QPalette::PlaceholderText);
}

}  // namespace vantage::ui
