// The expected error of positions on the floor as a layer of the views, computed off the GUI thread whenever
// cameras, what is known of them, or the region change.
#pragma once

#include <QString>
#include <span>
#include <vector>

#include "core/calibration/solve/camera_values.h"
#include "core/calibration/solve/measure.h"
#include "core/display/floor_picture.h"
#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

class FloorErrorControl final : public Control {
  Q_OBJECT
 public:
  explicit FloorErrorControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;

 private:
  void show();
  int64_t span_begin() const;

  QAction* shown_;
  int64_t span_begin_ = 0;  // of the cameras that are shown
  BackgroundJob job_;
};

// The expected error of positions on the floor (measure.h) as a picture that lies on it.

inline constexpr double kFloorErrorNoise_px = 1;  // of one coordinate of what is seen, as Measure has it

struct FloorErrorCameras {
  std::vector<UncertainCamera> cameras;
  int exact = 0;  // count as exact: they were not solved since, or held
};
// `solved`: the newest first, as Proposal has them.
FloorErrorCameras floor_error_cameras(const std::vector<Camera>& cameras,
                                      std::span<const SolvedTogether> solved);

// Cividis from 0 on; grey chequers where fewer than two cameras see the floor.
FloorPicture floor_error_picture(const FloorErrorMap& map);

// "2 of 4 poses as exact"; empty: of none.
QString exact_text(const FloorErrorCameras& cameras);
// "expected error 0 to 3.4 cm or more", and how poses count.
QString floor_error_legend(const FloorErrorMap& map, const FloorErrorCameras& cameras);
// The cell that the place lies in: "expected error 0.80 cm", and how poses count; empty: outside the map.
QString floor_error_text(const FloorErrorMap& map, const FloorErrorCameras& cameras,
                         const Eigen::Vector2d& place_m);

}  // namespace vantage::ui
