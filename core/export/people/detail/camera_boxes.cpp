#include "core/export/people/detail/camera_boxes.h"

#include <algorithm>
#include <cmath>

#include "core/display/world_lines.h"
#include "core/export/people/detail/scene_parts.h"

namespace vantage::people_export_detail {
namespace {

std::optional<Eigen::Vector4d> box_in_picture(const Camera& camera, const PathPoint& point) {
  const double height_m = point.height_m > 0 ? point.height_m : kStandingFigure_m;
  const auto box = person_rectangle_px(camera_view(camera), {point.x_m, point.y_m, 0}, height_m);
  if (!box) return std::nullopt;
  const Eigen::AlignedBox2d picture(Eigen::Vector2d(0, 0),
                                    Eigen::Vector2d(camera.width_px(), camera.height_px()));
  const Eigen::AlignedBox2d seen = box->intersection(picture);
  if (seen.isEmpty() || seen.sizes().minCoeff() < 1) return std::nullopt;
  return Eigen::Vector4d(seen.min().x(), seen.min().y(), seen.max().x(), seen.max().y());
}

class TrackBoxes {
 public:
  TrackBoxes(const ExportCamera& camera, const RecordedPeople& people, const PersonPath& path)
      : camera_(camera), last_known_(own_frame(people.frames.empty() ? 0 : people.frames.back())) {
    for (const auto& [first, end] : runs_of(path, people.frame_rate)) add_run(path, first, end);
  }
  std::vector<CameraBox> boxes;

 private:
  int64_t own_frame(int64_t base) const {
    return std::llround(camera_frame_at(*camera_.camera, static_cast<double>(base), camera_.rate_ratio));
  }
  bool exists(int64_t frame) const {
    return frame >= 0 && (camera_.frames ? frame < *camera_.frames : frame <= last_known_);
  }
  bool shown() const { return !boxes.empty() && !boxes.back().outside; }

  // Several frames of the base may be one of the camera's.
  void add(int64_t frame, const std::optional<Eigen::Vector4d>& corners, bool seen) {
    if (!exists(frame) || (!boxes.empty() && frame <= boxes.back().frame)) return;
    if (corners) {
      boxes.push_back({frame, *corners, seen});
    } else if (shown()) {
      CameraBox gone = boxes.back();
      gone.frame = frame, gone.outside = true;
      boxes.push_back(gone);
    }
  }
  void add_run(const PersonPath& path, size_t first, size_t end) {
    for (size_t i = first; i < end; ++i) {
      const PathPoint point = path.points[i];
      const Camera* camera = camera_.camera->calibration_at(point.frame);
      add(own_frame(point.frame), box_in_picture(*camera, point), point.seen);
    }
    if (shown()) add(std::max(boxes.back().frame + 1, own_frame(path.points.frame(end - 1) + 1)), {}, false);
  }

  const ExportCamera& camera_;
  const int64_t last_known_;
};

}  // namespace

std::vector<CameraBox> boxes_of(const ExportCamera& camera, const RecordedPeople& people,
                                const PersonPath& path) {
  return TrackBoxes(camera, people, path).boxes;
}

}  // namespace vantage::people_export_detail
