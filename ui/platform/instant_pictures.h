// One instant of the base camera and of another one, with the offset that the project has and with another
// that is proposed, read from the files.
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
  // With a calibration, and where the two see enough in common.
  std::optional<Camera> base_calibration, calibration;
  EpipolarLinePairs lines;
};

// `proposed` is the project's camera number `camera` as it would be.
Result<InstantPictures> read_instant(const Project& project, int camera, const ProjectCamera& proposed,
                                     int64_t base_frame, const StopSource& stop);

}  // namespace vantage::ui
