// A camera nudged by hand: while values change, every view shows the footage through the nudged camera, with
// boxes, people, floor and clicked points, and the project stays as it is. Applied, it is an edit with undo.
#pragma once

#include <optional>

#include "core/geometry/camera.h"
#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

class CalibrateControl;
class NudgePage;

class NudgeControl final : public Control {
  Q_OBJECT
 public:
  explicit NudgeControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  void update_availability() override;
  NudgePage* page() const { return page_; }

 private:
  bool eventFilter(QObject* watched, QEvent* event) override;
  int64_t shown_at() const;
  std::optional<Camera> nudged() const;
  void show_nudge();
  void show_as_calibrated();
  void apply();

  QAction *nudge_, *apply_, *reset_;
  CalibrateControl* calibrate_;
  NudgePage* page_;
  BackgroundJob job_;     // says what the nudge does
  bool showing_ = false;  // the views show the nudged camera
  int64_t shown_at_ = 0;  // among the cameras of that frame set
};

}  // namespace vantage::ui
