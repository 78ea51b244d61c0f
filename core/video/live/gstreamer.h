// Starts GStreamer, once for the whole program; for the RTSP receiver and the test cameras.
#pragma once

#include "core/base/result.h"

namespace vantage {

// Errors: unsupported (it does not start).
Status start_gstreamer();

}  // namespace vantage
