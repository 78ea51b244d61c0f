// Says that what is shown is LIVE, with the time from the last camera's bytes to the result, or how far
// behind it is. Pressing it goes back to LIVE.
#pragma once

#include <QAbstractButton>

#include "core/session/session.h"

namespace vantage::ui {

// "12 s ago", "1:15 min ago".
QString ago_text(double seconds);

class LiveBadge final : public QAbstractButton {
  Q_OBJECT
 public:
  explicit LiveBadge(QWidget* parent = nullptr);
  void show_status(const LiveStatus& status);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  bool live_ = true;
};

}  // namespace vantage::ui
