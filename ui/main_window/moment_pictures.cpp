#include "ui/main_window/moment_pictures.h"

#include <algorithm>
#include <limits>

#include "ui/platform/video_probe.h"

namespace vantage::ui {
namespace {

constexpr int kPictureWidth_px = 224;  // of a list's pictures, on a screen of two pixels a point
constexpr double kChest_m = 1;         // what a picture shows the middle of
constexpr double kPart = 0.35;         // of the camera picture's width

}  // namespace

std::optional<SightOfPlace> nearest_sight(const Project& project, const FrameSet& frames, double x_m,
                                          double y_m) {
  const Eigen::Vector3d place(x_m, y_m, kChest_m);
  std::optional<SightOfPlace> best;
  double nearest = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < project.cameras.size() && i < frames.cameras.size(); ++i) {
    const Camera* calibration = project.cameras[i].calibration_at(frames.frame);
    const Picture& picture = frames.cameras[i].picture;
    if (!calibration || !picture || !calibration->sees(place)) continue;
    const double distance = (calibration->center_in_world_m() - place).norm();
    const auto pixel = calibration->project(place);
    if (!pixel || distance >= nearest) continue;
    nearest = distance;
    const int width = static_cast<int>(kPart * picture.width()), height = width * 3 / 4;
    best = {i, QRect(std::clamp(static_cast<int>(pixel->x()) - width / 2, 0, picture.width() - width),
                     std::clamp(static_cast<int>(pixel->y()) - height / 2, 0,
                                std::max(0, picture.height() - height)),
                     width, height)};
  }
  return best;
}

QImage reduced(const QImage& picture) {
  return picture.width() > kPictureWidth_px
             ? picture.scaledToWidth(kPictureWidth_px, Qt::SmoothTransformation)
             : picture;
}

QImage picture_of_place(const Project& project, const FrameSet& frames, double x_m, double y_m) {
  const auto sight = nearest_sight(project, frames, x_m, y_m);
  return sight ? reduced(to_image(frames.cameras[sight->camera].picture).copy(sight->part)) : QImage();
}

void read_pictures(const Project& project, const std::vector<Moment>& moments, const StopSource& stop,
                   const std::function<void(size_t, QImage)>& take) {
  FrameSourceOptions options;
  for (const ProjectCamera& camera : project.cameras)
    options.cameras.push_back(
        {camera.name, camera.video, camera.offset_frames, camera.frame_rate, camera.offset_changes});
  const auto recording = FrameSource::open(std::move(options));
  if (!recording) return;
  for (size_t i = 0; i < moments.size() && !stop.stop_requested(); ++i)
    if (const auto frames = (*recording)->read(moments[i].frame); frames)
      if (QImage picture = picture_of_place(project, *frames, moments[i].x_m, moments[i].y_m);
          !picture.isNull())
        take(i, std::move(picture));
}

}  // namespace vantage::ui
