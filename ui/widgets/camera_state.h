// How a live camera stands, as views and panels show it: a colour with a shape, and words.
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>
#include <cstdint>

namespace vantage::ui {

enum class CameraStanding : uint8_t { good, doubtful, away };

struct CameraState {
  CameraStanding standing = CameraStanding::good;
  QString words;     // "good", "frozen", "not here"
  QString sentence;  // what is wrong and what to do; empty where nothing is
  bool operator==(const CameraState&) const = default;
};

// The name of an icon, and its colour.
const char* icon_of(CameraStanding standing);
QColor color_of(CameraStanding standing, const QPalette& palette);

}  // namespace vantage::ui
