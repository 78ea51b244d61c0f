// Says that what is shown is LIVE, with the time from the last camera's bytes to the result or, where cameras
// are gone, how many are left; or how far behind it is. Pressing it goes back to LIVE.
#pragma once

#include <QAbstractButton>
#include <QColor>
#include <QPalette>
#include <QString>
#include <cstdint>

#include "core/session/session.h"

namespace vantage::ui {

// "12 s ago", "1:15 min ago".
QString ago_text(double seconds);

// A camera that is not waited for any more, be it connected or not.
inline constexpr double kGone_s = 3;
bool is_gone(const CameraHealth& camera);

class LiveBadge final : public QAbstractButton {
  Q_OBJECT
 public:
  explicit LiveBadge(QWidget* parent = nullptr);
  void show_status(const LiveStatus& status);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  bool live_ = true, complete_ = true;  // complete: every camera sends
};

// How a live camera stands, as views and panels show it: a colour with a shape, and words.

enum class CameraStanding : uint8_t { good, doubtful, away };

struct CameraState {
  CameraStanding standing = CameraStanding::good;
  QString words;      // "good", "frozen", "not here"
  QString sentence;   // what is wrong and what to do; empty where nothing is
  double age_s = -1;  // of its last picture; -1: not known
  bool operator==(const CameraState&) const = default;
};

// The name of an icon, and its colour.
const char* icon_of(CameraStanding standing);
QColor color_of(CameraStanding standing, const QPalette& palette);

}  // namespace vantage::ui
