// The figures of a live camera in words that a camera installer understands.
#pragma once

#include <QStringList>

#include "core/live/health.h"
#include "core/push/push_state.h"
#include "ui/widgets/camera_state.h"

namespace vantage::ui {

// Faults of a camera in the last seconds.
struct RecentFaults {
  int64_t decode_errors = 0, late = 0, reconnections = 0;
};

// The worst that is the matter. `bound_ms`: how long a set waits for its last picture.
CameraState camera_state(const CameraHealth& health, const RecentFaults& recent, double bound_ms);

// Two lines of figures; the last one says which view a turned camera is told by.
QStringList health_figures(const CameraHealth& health);
// A target of messages: "12 delivered, 3 wait", and what is wrong.
CameraState push_state_text(const PushState& push);
// All cameras together: sets a second, latency, what was dropped.
QString live_summary(const LiveHealth& health);

}  // namespace vantage::ui
