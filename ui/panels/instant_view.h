// The same instant twice, present and proposed: each time the base camera's picture next to the other's, with
// their epipolar lines, on which a point in one is seen in the other.
#pragma once

#include <QWidget>
#include <memory>

#include "ui/platform/instant_pictures.h"

namespace vantage::ui {

class InstantView final : public QWidget {
  Q_OBJECT
 public:
  explicit InstantView(QWidget* parent = nullptr);
  void set_pictures(std::shared_ptr<const InstantPictures> pictures);
  const InstantPictures* pictures() const { return pictures_.get(); }

  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override { return {340, heightForWidth(340)}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QRect cell(int column, int row) const;
  void draw(QPainter& painter, const QRect& cell, const QString& words, const QImage& picture,
            const std::optional<Camera>& calibration, const std::vector<LineSegment>& lines) const;

  std::shared_ptr<const InstantPictures> pictures_;
};

}  // namespace vantage::ui
