#include "core/check/view_jump.h"

#include <fmt/core.h>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/base/quantile.h"
#include "core/check/detail/scene_places.h"
#include "core/geometry/camera.h"
#include "core/geometry/dense.h"

namespace vantage {
namespace {

constexpr double kShakes = 3;  // a jump exceeds the scatter of a window's pictures by this factor
constexpr double kFitsBetter =
    0.1;  // difference of correlations: the picture is from the side that fits better
constexpr int kMaxReads = 24;

enum class Side : uint8_t { before, after, untold };

class JumpSearch {
 public:
  JumpSearch(const std::vector<TimedView>& views, int factor, const ReadView& read)
      : views_(views), factor_(factor), read_(read) {
    for (const TimedView& view : views) lumas_.push_back(scene_luma(view.luma.view<uint8_t>()));
  }

  ViewFinding run() {
    const int n = static_cast<int>(lumas_.size());
    if (n < kMinViews) {
      found_.untold = fmt::format("{} pictures are too few", n);
      return std::move(found_);
    }
    if (!has_texture(window(0, std::min(n, kWindow)))) {
      found_.untold = "the scene has too little texture";
      return std::move(found_);
    }
    int start = 0;
    while (start < n) start = search_from(start);
    return std::move(found_);
  }

 private:
  struct Step {
    SceneLuma before;
    std::vector<ScenePlace> places;
  };

  SceneLuma window(int from, int to) const {
    std::vector<const SceneLuma*> pictures;
    for (int i = from; i < to; ++i) pictures.push_back(&lumas_[i]);
    return median_luma(pictures);
  }
  int count() const { return static_cast<int>(lumas_.size()); }

  // The step between the pictures before `at`, from `start` on, and those from `at` on.
  std::optional<Step> step(int start, int at) const {
    Step made{window(std::max(start, at - kWindow), at), {}};
    auto places = find_places(made.before, window(at, std::min(count(), at + kWindow)));
    if (!places) return std::nullopt;
    made.places = std::move(*places);
    return made;
  }

  // Maximum distance of these pictures from their median, without the last quarter, in reduced pixels.
  double shake(int from, int to) const {
    const SceneLuma middle = window(from, to);
    std::vector<double> ways;
    for (int i = from; i < to; ++i)
      if (const auto places = find_places(middle, lumas_[i])) ways.push_back(median_way(*places));
    return quantile(std::move(ways), 0.75);
  }

  Side side_of(const Step& step, const SceneLuma& picture) const {
    const PlacesFit fit = fit_places(step.before, step.places, picture);
    if (std::abs(fit.before - fit.after) >= kFitsBetter)
      return fit.before > fit.after ? Side::before : Side::after;
    // Displacements of a few pixels hardly change the correlations, so the picture's own displacement
    // decides.
    const auto places = find_places(step.before, picture);
    if (!places) return Side::untold;
    return median_way(*places) < 0.5 * median_way(step.places) ? Side::before : Side::after;
  }

  // Searches for the first jump from picture `start` on; returns the picture from which to continue.
  int search_from(int start) {
    for (int at = start + kMinOfAWindow; at + kMinOfAWindow <= count(); ++at) {
      const std::optional<Step> made = step(start, at);
      if (!made) {
        if (found_.untold.empty()) say_untold(at);
        continue;
      }
      const double way = median_way(made->places);
      if (way * factor_ < smallest_jump_px(factor_)) {
        found_.largest_px = std::max(found_.largest_px, way * factor_);
        continue;
      }
      if (const int next = jump_near(start, at, *made); next > 0) return next;
      found_.largest_px = std::max(found_.largest_px, way * factor_);
    }
    return count();
  }

  void say_untold(int at) {
    found_.untold_frame = views_[at].frame;
    found_.untold = fmt::format("most of the scene before frame {} is not found in the frames from there on",
                                found_.untold_frame);
  }

  // Finds a jump among the pictures around `at`; returns the picture from which to continue, 0: none.
  int jump_near(int start, int at, const Step& seen) {
    const int from = std::max(start, at - kWindow), to = std::min(count(), at + 2 * kWindow);
    int first_after = at;
    // The windows show a jump as soon as most of the later window lies beyond it.
    while (first_after < to && side_of(seen, lumas_[first_after]) == Side::before) ++first_after;
    while (first_after > from + 1 && side_of(seen, lumas_[first_after - 1]) == Side::after) --first_after;
    if (first_after - start < kMinOfAWindow || count() - first_after < kMinOfAWindow) return 0;
    const std::optional<Step> exact = first_after == at ? seen : step(start, first_after);
    if (!exact || !stays(start, first_after, *exact)) return 0;
    const double way = median_way(exact->places);
    const double shaken = std::max(shake(std::max(start, first_after - kWindow), first_after),
                                   shake(first_after, std::min(count(), first_after + kWindow)));
    if (way * factor_ < smallest_jump_px(factor_) || way < kShakes * shaken) return 0;
    add(*exact, views_[first_after - 1].frame, views_[first_after].frame);
    return first_after;
  }

  // At least four in five pictures around the jump fit their side; in the others people may cover the scene.
  bool stays(int start, int first_after, const Step& step) const {
    int wrong = 0;
    const int from = std::max(start, first_after - kWindow), to = std::min(count(), first_after + kWindow);
    for (int i = from; i < to; ++i)
      wrong += side_of(step, lumas_[i]) != (i < first_after ? Side::before : Side::after);
    return 5 * wrong <= to - from;
  }

  void add(const Step& step, int64_t last_before, int64_t first_after) {
    for (int reads = 0; read_ && reads < kMaxReads && first_after - last_before > 1; ++reads) {
      const int64_t middle = last_before + (first_after - last_before) / 2;
      const Result<Image> picture = read_(middle);
      const Side side =
          picture && *picture ? side_of(step, scene_luma(picture->view<uint8_t>())) : Side::untold;
      if (side == Side::untold) break;
      (side == Side::before ? last_before : first_after) = middle;
    }
    ViewJump& jump = found_.jumps.emplace_back();
    jump.last_before = last_before, jump.first_after = first_after;
    jump.moved_px = median_way(step.places) * factor_;
    const auto full = [this](const Eigen::Vector2d& at) {
      return Eigen::Vector2d((at.array() + 0.5) * factor_ - 0.5);
    };
    for (const ScenePlace& place : step.places)
      jump.places.push_back({full(place.before), full(place.after)});
  }

  const std::vector<TimedView>& views_;
  const int factor_;
  const ReadView& read_;
  std::vector<SceneLuma> lumas_;
  ViewFinding found_;
};

struct SeenRay {
  Eigen::Vector3d before, after;  // unit length, in the camera
  double weight = 1;
};

// The rotation from the rays before to those after (W. Kabsch, 1976).
Eigen::Matrix3d rotation_of(const std::vector<SeenRay>& rays) {
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  for (const SeenRay& ray : rays) sum += ray.weight * ray.after * ray.before.transpose();
  const SingularParts3 parts = singular_parts(sum);
  Eigen::Vector3d signs(1, 1, 1);
  signs[2] = (parts.u * parts.v.transpose()).determinant() < 0 ? -1 : 1;
  return parts.u * signs.asDiagonal() * parts.v.transpose();
}

std::vector<SeenRay> rays_of(const Camera& camera, const ViewJump& jump) {
  std::vector<SeenRay> rays;
  const Eigen::Matrix3d rotation = camera.rotation_cam_from_world();
  for (const MovedPlace& place : jump.places) {
    const auto before = camera.ray(place.before_px), after = camera.ray(place.after_px);
    if (before && after)
      rays.push_back({rotation * before->direction_in_world, rotation * after->direction_in_world});
  }
  return rays;
}

}  // namespace

int view_factor(int width_px) {
  return std::max(1, width_px / kViewWidth_px);
}

double smallest_jump_px(int factor) {
  return std::max(1.5, 0.5 * factor);
}

ViewFinding find_view_jumps(const std::vector<TimedView>& views, int factor, const ReadView& read) {
  return JumpSearch(views, factor, read).run();
}

std::optional<double> missed_px(const Camera& before, const Camera& after, const ViewJump& jump) {
  std::vector<double> misses;
  for (const MovedPlace& place : jump.places) {
    const auto ray = before.ray(place.before_px);
    const auto seen = ray ? after.project(ray->origin_in_world_m + ray->direction_in_world) : std::nullopt;
    if (seen) misses.push_back((*seen - place.after_px).norm());
  }
  return misses.empty() ? std::nullopt : std::optional(upper_median(std::move(misses)));
}

std::optional<JumpTurn> solve_turn(const Camera& before, const ViewJump& jump) {
  std::vector<SeenRay> rays = rays_of(before, jump);
  if (std::ssize(rays) < kMinPlaces) return std::nullopt;
  Eigen::Matrix3d rotation = rotation_of(rays);
  for (int round = 0; round < 10; ++round) {
    std::vector<double> misses;
    for (const SeenRay& ray : rays) misses.push_back((rotation * ray.before - ray.after).norm());
    const double usual = std::max(upper_median(misses), 1e-9);
    for (size_t i = 0; i < rays.size(); ++i) {
      const double more = misses[i] / usual / 2;
      rays[i].weight = 1 / (1 + more * more);
    }
    rotation = rotation_of(rays);
  }
  const Eigen::AngleAxisd turn(rotation);
  CameraChange change = CameraChange::Zero();
  change.head<3>() = turn.angle() * turn.axis();
  const std::optional<Camera> after = changed_camera(before, change);
  if (!after) return std::nullopt;
  JumpTurn solved{*after, turn.angle() * 180 / std::numbers::pi, jump.moved_px, 0};
  const std::optional<double> missed = missed_px(before, *after, jump);
  if (!missed) return std::nullopt;
  solved.after_px = *missed;
  return solved;
}

}  // namespace vantage
