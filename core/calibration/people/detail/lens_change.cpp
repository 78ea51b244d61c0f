#include "core/calibration/people/detail/lens_change.h"

#include <utility>

namespace vantage::people_calibration_detail {
namespace {

constexpr double kLensStep = 1e-4;

}  // namespace

Result<Camera> with_lens(const Camera& camera, const LensChange& change) {
  PinholeCamera<double> model = camera.model();
  model.fx_px *= 1 + change[0], model.fy_px *= 1 + change[0];
  model.k1 += change[1];
  return Camera::make(camera.name(), model);
}

LensSlopes::LensSlopes(const Camera& camera) : camera_(camera) {
  for (const LensChange& change : {LensChange{kLensStep, 0}, LensChange{0, kLensStep}})
    if (auto changed = with_lens(camera, change)) changed_.push_back(std::move(*changed));
}

std::optional<SeenPoint> LensSlopes::at(const Eigen::Vector2d& pixel_px) const {
  const auto at = camera_.undistort(pixel_px);
  if (!at || changed_.size() != 2) return {};
  SeenPoint seen{*at};
  for (size_t i = 0; i < changed_.size(); ++i) {
    const auto there = changed_[i].undistort(pixel_px);
    if (!there) return {};
    seen.slopes.col(static_cast<Eigen::Index>(i)) = (*there - *at) / kLensStep;
  }
  return seen;
}

}  // namespace vantage::people_calibration_detail
