#include "ui/widgets/camera_state.h"

#include "ui/widgets/colors.h"

namespace vantage::ui {

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
