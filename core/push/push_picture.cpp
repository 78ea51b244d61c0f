#include "core/push/push_picture.h"

#include <limits>

#include "core/video/jpeg.h"

namespace vantage {
namespace {

constexpr double kChest_m = 1.2;
constexpr int kMaxWidth_px = 1280;

std::optional<size_t> nearest_camera(const std::vector<PushCamera>& cameras, const FrameSet& frames,
                                     const Eigen::Vector3d& place) {
  std::optional<size_t> best;
  double nearest_m = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < cameras.size() && i < frames.cameras.size(); ++i) {
    const auto& calibration = cameras[i].calibration;
    if (!calibration || !frames.cameras[i].picture || !calibration->sees(place)) continue;
    const double distance_m = (calibration->center_in_world_m() - place).norm();
    if (distance_m >= nearest_m) continue;
    nearest_m = distance_m;
    best = i;
  }
  return best;
}

}  // namespace

Result<std::optional<PushPicture>> picture_of_event(const std::vector<PushCamera>& cameras,
                                                    const FrameResult& result, double x_m, double y_m,
                                                    MemoryTransfer& transfer) {
  const Eigen::Vector3d place(x_m, y_m, kChest_m);
  const FrameSet* frames = result.frames();
  const std::optional<size_t> best = frames ? nearest_camera(cameras, *frames, place) : std::nullopt;
  if (!best) return std::optional<PushPicture>();
  Picture picture = frames->cameras[*best].picture;
  if (picture.place() != MemoryPlace{}) {
    VANTAGE_ASSIGN(picture, transfer.download(picture, result.frame, static_cast<int>(*best)));
  }
  const auto [width_px, height_px] = jpeg_size(picture, kMaxWidth_px);
  PushPicture out;
  VANTAGE_ASSIGN(out.jpeg, encode_jpeg(picture, kMaxWidth_px));
  out.place = {cameras[*best].name, result.frame, 0, 0, width_px, height_px};
  if (const auto pixel = cameras[*best].calibration->project(place)) {
    out.place.x_px = pixel->x() * width_px / picture.width();
    out.place.y_px = pixel->y() * height_px / picture.height();
  }
  return std::optional(std::move(out));
}

}  // namespace vantage
