#include "core/synth/detail/shadow_map.h"

#include <algorithm>
#include <cmath>

namespace vantage::synth {
namespace {

constexpr double cell_m = 0.02;
constexpr double reach_m = 2.4;         // of shadows beyond the area
constexpr double lamp_softness = 0.07;  // penumbra per metre of height: the lamp's angular size

ShadowMap::Rectangle joined(const ShadowMap::Rectangle& a, const ShadowMap::Rectangle& b) {
  return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}

}  // namespace

ShadowMap::ShadowMap(double area_m, const Light& light)
    : origin_m_(-area_m / 2 - reach_m), towards_light_(light.towards.cast<double>()) {
  side_ = static_cast<int>(std::ceil(-2 * origin_m_ / cell_m));
  cells_.resize(static_cast<size_t>(side_) * side_);
}

ShadowMap::Cells ShadowMap::cells_of(const Rectangle& r) const {
  const auto index = [this](double v) {
    return static_cast<int>(std::clamp((v - origin_m_) / cell_m, 0.0, static_cast<double>(side_)));
  };
  return {index(r.x0), index(r.y0), index(r.x1 + cell_m), index(r.y1 + cell_m)};
}

std::vector<ShadowMap::Rectangle> ShadowMap::cast(const std::vector<Body>& bodies) {
  for (const Cells& c : used_)
    for (int y = c.y0; y < c.y1; ++y)
      std::fill(cells_.begin() + static_cast<ptrdiff_t>(y) * side_ + c.x0,
                cells_.begin() + static_cast<ptrdiff_t>(y) * side_ + c.x1, Shade{});
  used_.clear();
  std::vector<Rectangle> rectangles;
  for (const Body& body : bodies) {
    Eigen::Vector3d middle = body.head_center_in_world_m;
    middle.z() = 0;
    Rectangle rectangle = darken_below(middle, 0.45, 0.30);
    for (const Ellipsoid& part : body.parts) {
      rectangle = joined(rectangle, cast_part(part));
      if (part.center_in_world_m.z() < 0.12)
        rectangle = joined(rectangle, darken_below(part.center_in_world_m, 0.16, 0.55));
    }
    rectangles.push_back(rectangle);
    used_.push_back(cells_of(rectangle));
  }
  return rectangles;
}

// A ray from floor point p to the lamp passes the ellipsoid at a distance rho of its axes-scaled radius; the
// shadow fades around rho = 1 over the penumbra's width.
ShadowMap::Rectangle ShadowMap::cast_part(const Ellipsoid& part) {
  const Eigen::Vector3d& light = towards_light_;
  const Eigen::Matrix3d shape =
      part.axes * part.radii_m.cwiseAbs2().cwiseInverse().asDiagonal() * part.axes.transpose();
  const double height = part.center_in_world_m.z();
  const double softness = std::clamp((0.02 + lamp_softness * height) / part.radii_m.minCoeff(), 0.08, 1.6);
  const double outer = 1 + 0.5 * softness, inner = std::max(0.0, 1 - 0.5 * softness);
  // A shadow narrower than its penumbra is never full.
  const double strength = std::min(1.0, 1.25 / (1 + 0.5 * softness));
  const Eigen::Vector3d middle = part.center_in_world_m - light * (height / light.z());
  const double reach = outer * part.radii_m.maxCoeff() / light.z();
  const Rectangle rectangle = {middle.x() - reach, middle.y() - reach, middle.x() + reach,
                               middle.y() + reach};
  const Cells c = cells_of(rectangle);
  const Eigen::Vector3d shaped_light = shape * light;
  const double along = light.dot(shaped_light);
  for (int y = c.y0; y < c.y1; ++y)
    for (int x = c.x0; x < c.x1; ++x) {
      const Eigen::Vector3d from(origin_m_ + (x + 0.5) * cell_m - middle.x(),
                                 origin_m_ + (y + 0.5) * cell_m - middle.y(), 0);
      const double b = from.dot(shaped_light);
      const double rho2 = from.dot(shape * from) - b * b / along;
      if (rho2 >= outer * outer) continue;
      const float shade = static_cast<float>(strength) *
                          (1.f - smoothstep(static_cast<float>(inner), static_cast<float>(outer),
                                            static_cast<float>(std::sqrt(std::max(rho2, 0.0)))));
      float& key = cells_[static_cast<size_t>(y) * side_ + x].key;
      key += (1.f - key) * shade;
    }
  return rectangle;
}

ShadowMap::Rectangle ShadowMap::darken_below(const Eigen::Vector3d& point, double radius_m, double strength) {
  const double reach = 2 * radius_m, faded = strength * std::exp(-point.z() / 0.08);
  const Rectangle rectangle = {point.x() - reach, point.y() - reach, point.x() + reach, point.y() + reach};
  const Cells c = cells_of(rectangle);
  for (int y = c.y0; y < c.y1; ++y)
    for (int x = c.x0; x < c.x1; ++x) {
      const double dx = origin_m_ + (x + 0.5) * cell_m - point.x(),
                   dy = origin_m_ + (y + 0.5) * cell_m - point.y();
      const double r2 = (dx * dx + dy * dy) / (reach * reach);
      if (r2 >= 1) continue;
      float& ambient = cells_[static_cast<size_t>(y) * side_ + x].ambient;
      ambient += (1.f - ambient) * static_cast<float>(faded * (1 - r2) * (1 - r2) * (1 - r2));
    }
  return rectangle;
}

ShadowMap::Shade ShadowMap::at(float x_m, float y_m) const {
  const float fx = (x_m - static_cast<float>(origin_m_)) / static_cast<float>(cell_m) - 0.5f;
  const float fy = (y_m - static_cast<float>(origin_m_)) / static_cast<float>(cell_m) - 0.5f;
  if (!(fx >= 0) || !(fy >= 0) || fx >= static_cast<float>(side_ - 1) || fy >= static_cast<float>(side_ - 1))
    return {};
  const int x = static_cast<int>(fx), y = static_cast<int>(fy);
  const float u = fx - static_cast<float>(x), v = fy - static_cast<float>(y);
  const Shade* above = &cells_[static_cast<size_t>(y) * side_ + x];
  const Shade* below = above + side_;
  const auto mix4 = [&](float Shade::* m) {
    return (1 - v) * ((1 - u) * above[0].*m + u * above[1].*m) +
           v * ((1 - u) * below[0].*m + u * below[1].*m);
  };
  return {mix4(&Shade::key), mix4(&Shade::ambient)};
}

}  // namespace vantage::synth
