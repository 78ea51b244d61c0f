#include "core/pipeline/detail/body_points.h"

#include <cmath>

namespace vantage {
namespace {

constexpr double kHalfWidth_m = 0.2;
constexpr double kCoverRadius_m = 0.25;  // a nearer person hides what is behind so wide a body

// Whether a person nearer to the camera stands before the point.
bool hidden(const Eigen::Vector3d& eye, const Eigen::Vector3d& x, size_t self,
            std::span<const FoundPerson> people) {
  const Eigen::Vector2d way = (x - eye).head<2>();
  const double length = way.norm();
  for (size_t k = 0; k < people.size(); ++k) {
    if (k == self) continue;
    const Eigen::Vector2d to(people[k].x_m - eye.x(), people[k].y_m - eye.y());
    const double along = to.dot(way) / length;
    if (along <= 0 || along >= length - kCoverRadius_m) continue;
    const double beside = std::abs(to.x() * way.y() - to.y() * way.x()) / length;
    const double height_m = eye.z() + (x.z() - eye.z()) * along / length;
    if (beside < kCoverRadius_m && height_m < people[k].height_m) return true;
  }
  return false;
}

bool in_mask(const ImageView<const uint8_t>& mask, const Eigen::Vector2d& pixel) {
  if (!mask.data) return true;
  const int x = static_cast<int>(std::lround(pixel.x())), y = static_cast<int>(std::lround(pixel.y()));
  return x >= 0 && y >= 0 && x < mask.width && y < mask.height && mask.at(x, y) != 0;
}

}  // namespace

std::vector<BodyPoint> visible_points(const Camera& camera, const ImageView<const uint8_t>& mask,
                                      std::span<const FoundPerson> people, size_t person) {
  const FoundPerson& body = people[person];
  const Eigen::Vector3d eye = camera.center_in_world_m();
  const Eigen::Vector2d towards(eye.x() - body.x_m, eye.y() - body.y_m);
  std::vector<BodyPoint> points;
  if (towards.norm() < 1e-3) return points;
  const Eigen::Vector2d side(-towards.y() / towards.norm(), towards.x() / towards.norm());
  for (int row = 0; row < kBodyRows; ++row)
    for (int column = 0; column < kBodyColumns; ++column) {
      const double across = kHalfWidth_m * (2.0 * column / (kBodyColumns - 1) - 1);
      const double share = (row + 1.0) / (kBodyRows + 1.0);
      const Eigen::Vector3d x(body.x_m + across * side.x(), body.y_m + across * side.y(),
                              body.height_m * share);
      const auto pixel = camera.project(x);
      if (pixel && camera.sees(x) && in_mask(mask, *pixel) && !hidden(eye, x, person, people))
        points.push_back({x, *pixel, share});
    }
  return points;
}

}  // namespace vantage
