#include "core/calibration/people/detail/first_rotations.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace vantage::people_calibration_detail {
namespace {

constexpr double kHeight_m = 1.7;
constexpr double kCutBoxBorder_px = 3;     // boxes that end nearer to the picture's border may be cut off
constexpr double kMaxRotationShift = 0.2;  // of the picture's width
constexpr double kMaxTaller = 0.4;         // logarithm of seen over expected height
constexpr double kCell = 0.012;            // of the picture's width
constexpr int kRangeSteps = 6;

// Head position by a camera's box and a height of kHeight_m.
std::optional<Eigen::Vector3d> head_of(const Camera& camera, const PersonDetection& box) {
  const BoxPlace seen = place_of(box);
  if (seen.top_px < kCutBoxBorder_px || seen.top_px + seen.height_px > camera.height_px() - kCutBoxBorder_px)
    return {};
  const auto ray = camera.ray({seen.middle_px, seen.top_px});
  if (!ray) return {};
  double range_m = kHeight_m * camera.model().fy_px / seen.height_px;
  for (int step = 0; step < kRangeSteps; ++step) {
    const Eigen::Vector3d head = ray->origin_in_world_m + range_m * ray->direction_in_world;
    const auto feet = camera.project(head - kHeight_m * Eigen::Vector3d::UnitZ());
    if (!feet) return {};
    range_m *= (*feet - Eigen::Vector2d(seen.middle_px, seen.top_px)).norm() / seen.height_px;
  }
  return ray->origin_in_world_m + range_m * ray->direction_in_world;
}

struct Displacement {
  Eigen::Vector2d px = Eigen::Vector2d::Zero();
  int votes = 0;
};

using Votes = std::map<std::pair<int, int>, int>;

class Rotations {
 public:
  Rotations(const std::vector<Camera>& cameras, const PeopleFootage& footage, const StopSource& stop)
      : footage_(footage), stop_(stop), present_(cameras), changes_(cameras.size()) {}

  std::vector<PoseChange> find() {
    const size_t count = present_.size();
    std::vector<bool> placed(count, false);
    placed[first()] = true;
    for (size_t step = 1; step < count; ++step) {
      Displacement best;
      size_t next = 0;
      for (size_t c = 0; c < count; ++c) {
        if (placed[c]) continue;
        const Displacement its = displacement(placed, c);
        if (its.votes >= best.votes) best = its, next = c;
      }
      placed[next] = true;
      const PinholeCamera<double>& model = present_[next].model();
      changes_[next][0] = std::atan(-best.px.y() / model.fy_px);
      changes_[next][1] = std::atan(best.px.x() / model.fx_px);
      CameraChange change = CameraChange::Zero();
      change[0] = changes_[next][0], change[1] = changes_[next][1];
      present_[next] = changed_camera(present_[next], change).value_or(present_[next]);
    }
    return changes_;
  }

 private:
  size_t first() const {
    size_t best = 0;
    int most = -1;
    for (size_t a = 0; a < present_.size(); ++a) {
      std::vector<bool> alone(present_.size(), false);
      alone[a] = true;
      int votes = 0;
      for (size_t b = 0; b < present_.size(); ++b)
        if (b != a) votes += displacement(alone, b).votes;
      if (votes > most) most = votes, best = a;
    }
    return best;
  }

  // The most frequent displacement of a camera's boxes from where the cameras `from` expect them.
  Displacement displacement(const std::vector<bool>& from, size_t camera) const {
    Votes votes;
    const double cell_px = kCell * present_[camera].width_px();
    for (size_t f = 0; f < footage_.frames().size() && !stop_.stop_requested(); ++f) {
      const PeopleFrame& frame = *footage_.frames()[f];
      for (size_t a = 0; a < present_.size(); ++a)
        for (const PersonOutline& outline : frame.cameras[a])
          if (const auto head = from[a] ? head_of(present_[a], outline.box) : std::nullopt)
            vote(*head, camera, frame.cameras[camera], cell_px, &votes);
    }
    Displacement best;
    for (const auto& [at, count] : votes)
      if (count > best.votes) best = {cell_px * Eigen::Vector2d(at.first, at.second), count};
    return best;
  }

  void vote(const Eigen::Vector3d& head, size_t camera, const std::vector<PersonOutline>& outlines,
            double cell_px, Votes* votes) const {
    const auto top = present_[camera].project(head),
               feet = present_[camera].project(head - kHeight_m * Eigen::Vector3d::UnitZ());
    if (!top || !feet) return;
    const double max_px = kMaxRotationShift * present_[camera].width_px();
    for (const PersonOutline& outline : outlines) {
      const BoxPlace seen = place_of(outline.box);
      const double x = seen.middle_px - top->x(), y = seen.top_px - top->y();
      if (std::abs(x) > max_px || std::abs(y) > max_px ||
          std::abs(std::log(seen.height_px / (*feet - *top).norm())) > kMaxTaller)
        continue;
      const auto column = static_cast<int>(std::lround(x / cell_px)),
                 row = static_cast<int>(std::lround(y / cell_px));
      for (int v = -1; v <= 1; ++v)
        for (int u = -1; u <= 1; ++u) (*votes)[{column + u, row + v}] += 4 >> (std::abs(u) + std::abs(v));
    }
  }

  const PeopleFootage& footage_;
  const StopSource& stop_;
  std::vector<Camera> present_;
  std::vector<PoseChange> changes_;
};

}  // namespace

std::vector<PoseChange> first_rotations(const std::vector<Camera>& cameras, const PeopleFootage& footage,
                                        const StopSource& stop) {
  return Rotations(cameras, footage, stop).find();
}

}  // namespace vantage::people_calibration_detail
