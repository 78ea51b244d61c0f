#include "ui/platform/instant_pictures.h"

#include <cmath>

#include "core/base/clock.h"
#include "core/project/camera_in_time.h"
#include "core/project/project.h"
#include "core/video/video_source.h"
#include "ui/platform/video_probe.h"

namespace vantage::ui {
namespace {

constexpr int kLines = 24;

double rate_of(const ProjectCamera& camera, const VideoSource& video) {
  return effective_frame_rate(camera.frame_rate, video.info().frame_rate);
}

// Null where the camera has no such frame.
QImage picture_of(VideoSource& video, int64_t frame) {
  if (frame < 0 || !video.seek(frame)) return {};
  const Result<DecodedFrame> decoded = video.read();
  return decoded && decoded->picture ? to_image(decoded->picture) : QImage();
}

}  // namespace

Result<InstantPictures> read_instant(const Project& project, int camera, const ProjectCamera& proposed,
                                     int64_t base_frame, const StopSource& stop) {
  const Project then = project_at(project, base_frame);
  const ProjectCamera& base = then.cameras.front();
  const ProjectCamera& now = then.cameras.at(camera);
  VideoOpenOptions how;
  how.stop = stop;
  VANTAGE_ASSIGN(const auto base_video, open_video(base.video, how));
  VANTAGE_ASSIGN(const auto video, open_video(now.video, how));
  const double base_rate = rate_of(base, *base_video);
  const auto own_frame = [&](const ProjectCamera& timed) {
    const double ratio = rate_of(timed, *video) / base_rate;
    return std::llround(camera_frame_at(timed, static_cast<double>(base_frame), ratio));
  };
  InstantPictures pictures;
  pictures.base_name = QString::fromStdString(base.name), pictures.name = QString::fromStdString(now.name);
  pictures.base_frame = base_frame;
  pictures.frame_now = own_frame(now), pictures.frame_proposed = own_frame(proposed);
  pictures.base = picture_of(*base_video, base_frame);
  pictures.now = picture_of(*video, pictures.frame_now);
  pictures.proposed = picture_of(*video, pictures.frame_proposed);
  if (!base.calibration || !now.calibration) return pictures;
  pictures.base_calibration = base.calibration, pictures.calibration = now.calibration;
  Project pair;
  pair.cameras = {base, now};
  pair.grid = project.grid;
  pictures.lines = choose_epipolar_pairs(pair, kLines, 0).lines.front();
  return pictures;
}

}  // namespace vantage::ui
