// Failures of an RTSP camera, as FFmpeg's error codes: live_error() has the sentences.
#pragma once

#include <string>

struct _GstMessage;

namespace vantage {

// The error code of one of GStreamer's error messages. AVERROR(ENOTCONN): there is no connection, but it does
// not say why.
int rtsp_failure(_GstMessage* message);

// Why the host of that address takes no connection; asks it once more.
int connection_failure(const std::string& address);

}  // namespace vantage
