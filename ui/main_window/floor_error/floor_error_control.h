// The expected error of positions on the floor as a layer of the views, computed off the GUI thread whenever
// cameras, what is known of them, or the region change.
#pragma once

#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

class CalibrateControl;

class FloorErrorControl final : public Control {
  Q_OBJECT
 public:
  explicit FloorErrorControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  void update_availability() override;
  void restore(const QSettings& settings) override;  // whether it is shown
  void save(QSettings& settings) const override;

 private:
  void show();
  int64_t span_begin() const;

  QAction* shown_;
  CalibrateControl* calibrate_;
  int64_t span_begin_ = 0;  // of the cameras that are shown
  BackgroundJob job_;
};

}  // namespace vantage::ui
