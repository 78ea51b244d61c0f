#include "ui/panels/instant_view.h"

#include <QPainter>

#include "ui/views/marks.h"
#include "ui/views/view_texts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr int kGap = 4;
constexpr size_t kShownLines = 4;
constexpr double kFlatness = 0.75;  // height to width without a picture

double flatness(const InstantPictures* pictures) {
  const QImage* known = !pictures ? nullptr : pictures->base.isNull() ? &pictures->now : &pictures->base;
  return known && !known->isNull() ? static_cast<double>(known->height()) / known->width() : kFlatness;
}

// Some of them, each with its colour in the other picture.
void draw_lines(QPainter& painter, const MarkView& view, const std::vector<LineSegment>& lines) {
  for (size_t k = 0; k < kShownLines && !lines.empty(); ++k) {
    const LineSegment& line = lines[(2 * k + 1) * lines.size() / (2 * kShownLines)];
    const Eigen::Vector3d ends[2] = {Eigen::Map<const Eigen::Vector3d>(line.a_in_world_m),
                                     Eigen::Map<const Eigen::Vector3d>(line.b_in_world_m)};
    const auto number = static_cast<int64_t>(k + 1);
    draw_world_line(painter, view, ends, false, {person_color(number), 1.5, person_line(number)});
  }
}

}  // namespace

InstantView::InstantView(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("The same instant now and as proposed"));
  setToolTip(
      tr("Above: as in the project; below: as proposed. What lies on a line in one picture must lie on the "
         "same line in the other"));
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void InstantView::set_pictures(std::shared_ptr<const InstantPictures> pictures) {
  pictures_ = std::move(pictures);
  setAccessibleDescription(pictures_ ? tr("%1 frame %2 next to frame %3 of %4; proposed: frame %5")
                                           .arg(pictures_->base_name)
                                           .arg(pictures_->base_frame)
                                           .arg(pictures_->frame_now)
                                           .arg(pictures_->name)
                                           .arg(pictures_->frame_proposed)
                                     : QString());
  updateGeometry();
  update();
}

int InstantView::heightForWidth(int width) const {
  return 2 * qRound((width - kGap) / 2 * flatness(pictures_.get())) + kGap;
}

QRect InstantView::cell(int column, int row) const {
  const int w = (width() - kGap) / 2, h = (height() - kGap) / 2;
  return {column * (w + kGap), row * (h + kGap), w, h};
}

void InstantView::draw(QPainter& painter, const QRect& cell, const QString& words, const QImage& picture,
                       const std::optional<Camera>& calibration,
                       const std::vector<LineSegment>& lines) const {
  painter.save();
  painter.setClipRect(cell);
  painter.fillRect(cell, QColor(kViewBackground));
  if (picture.isNull()) {
    draw_empty_state(painter, cell, tr("No frame"));
  } else {
    QSizeF size = picture.size();
    size.scale(cell.size(), Qt::KeepAspectRatio);
    QRectF area({}, size);
    area.moveCenter(QRectF(cell).center());
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.drawImage(area, picture);
    if (calibration) {
      const double scale = area.width() / picture.width();
      const QTransform there(scale, 0, 0, scale, area.left() + scale / 2, area.top() + scale / 2);
      draw_lines(painter, {camera_view(*calibration), there, area, calibration->center_in_world_m()}, lines);
    }
  }
  draw_label(painter, QPointF(cell.topLeft()) + QPointF(3, 3), words, {}, cell.width() - 6);
  painter.restore();
}

void InstantView::paintEvent(QPaintEvent*) {
  if (!pictures_) return;
  QPainter painter(this);
  const InstantPictures& p = *pictures_;
  for (const int row : {0, 1}) {
    const bool now = row == 0;
    draw(painter, cell(0, row), tr("%1, %2").arg(p.base_name).arg(p.base_frame), p.base, p.base_calibration,
         p.lines.first);
    draw(painter, cell(1, row),
         (now ? tr("%1 now, %2") : tr("%1 proposed, %2"))
             .arg(p.name)
             .arg(now ? p.frame_now : p.frame_proposed),
         now ? p.now : p.proposed, p.calibration, p.lines.second);
  }
}

}  // namespace vantage::ui
