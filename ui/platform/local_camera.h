// Cameras at this machine, through Qt Multimedia: a list of them, and one as a VideoSource. Their address is
// device://ID?WIDTHxHEIGHT@RATE, or device://ID for the camera's own choice of format.
#pragma once

#include <QString>
#include <QVideoFrame>
#include <vector>

#include "core/video/video_source.h"

namespace vantage::ui {

struct LocalCameraFormat {
  int width_px = 0, height_px = 0;
  double rate = 0;  // maximum, pictures/s
  QString pixels;   // "Jpeg", "YUYV"
  bool operator==(const LocalCameraFormat&) const = default;
};
struct LocalCamera {
  QString id, name;
  std::vector<LocalCameraFormat> formats;  // largest first
};
// On the GUI thread.
std::vector<LocalCamera> local_cameras();
QString local_camera_address(const LocalCamera& camera, const LocalCameraFormat* format);

// The source that open_video() opens for such addresses; call on any thread but the GUI's, whose event loop
// the camera needs. Errors: not_found (no such camera), io (it does not start, or sends nothing for 5 s).
Result<std::unique_ptr<VideoSource>> open_local_camera(const std::string& device,
                                                       const VideoOpenOptions& options);

// A frame as 4:2:0 in host memory: I420 and NV12 exactly, others through RGB (BT.601, limited range).
Result<Picture> picture_of(const QVideoFrame& frame, BufferPool& pool);

}  // namespace vantage::ui
