// One instant of the base camera and of another one, with the project's offset and with a proposed one, read
// from the files.
#pragma once

#include <QImage>
#include <optional>

#include "core/base/threads.h"
#include "core/setup/alignment/collect.h"

namespace vantage::ui {

struct InstantPictures {
  int64_t base_frame = 0, frame_now = -1, frame_proposed = -1;  // the cameras' own
  QString base_name, name;
  QImage base, now, proposed;  // null: the camera has no frame there
  // With a calibration, if the two share enough of their views.
  std::optional<Camera> base_calibration, calibration;
  EpipolarLinePairs lines;
};

// `proposed`: the project's camera of index `camera` with the proposed offset.
Result<InstantPictures> read_instant(const Project& project, int camera, const ProjectCamera& proposed,
                                     int64_t base_frame, const StopSource& stop);

}  // namespace vantage::ui
