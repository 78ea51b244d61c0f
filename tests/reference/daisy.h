// DAISY and the dissimilarity of two descriptors, slow and obvious, in double precision, written from the
// source and core/features/daisy.h, core/height_map/cost.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "core/geometry/camera.h"
#include "core/image/image_view.h"

namespace vantage::reference {

struct Plane {
  int width, height;
  std::vector<double> values;
  Plane(int w, int h) : width(w), height(h), values(static_cast<size_t>(w * h)) {}
  double at(int x, int y) const {
    return values[std::clamp(y, 0, height - 1) * width + std::clamp(x, 0, width - 1)];
  }
  double& at(int x, int y) { return values[y * width + x]; }
};

inline Plane gaussian_blur(const Plane& from, double sigma) {
  const int radius = std::max(1, static_cast<int>(std::ceil(3 * sigma)));
  std::vector<double> weights;
  double sum = 0;
  for (int i = -radius; i <= radius; ++i)
    sum += weights.emplace_back(std::exp(-0.5 * i * i / (sigma * sigma)));
  Plane columns(from.width, from.height), to(from.width, from.height);
  for (int y = 0; y < from.height; ++y)
    for (int x = 0; x < from.width; ++x)
      for (int i = -radius; i <= radius; ++i)
        columns.at(x, y) += weights[i + radius] / sum * std::as_const(from).at(x, y + i);
  for (int y = 0; y < from.height; ++y)
    for (int x = 0; x < from.width; ++x)
      for (int i = -radius; i <= radius; ++i)
        to.at(x, y) += weights[i + radius] / sum * std::as_const(columns).at(x + i, y);
  return to;
}

struct DaisySettings {
  double radius_px = 15;
  int rings = 3, points = 8;
  double flat = 0.5;
};

// Histograms [level][bin], 0 to 1.
inline std::vector<std::vector<Plane>> daisy(const ImageView<const uint8_t>& picture,
                                             const DaisySettings& settings) {
  const int w = picture.width, h = picture.height;
  Plane grey(w, h);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) grey.at(x, y) = picture.at(x, y);
  const Plane smooth = gaussian_blur(grey, 0.5);
  std::vector<Plane> bins(8, Plane(w, h));
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x)
      for (int k = 0; k < 8; ++k) {
        const double angle = k * std::numbers::pi / 4;
        const double gx = (smooth.at(x + 1, y) - smooth.at(x - 1, y)) / 2;
        const double gy = (smooth.at(x, y + 1) - smooth.at(x, y - 1)) / 2;
        bins[k].at(x, y) = std::max(0.0, gx * std::cos(angle) + gy * std::sin(angle));
      }
  std::vector<std::vector<Plane>> levels;
  double before = 0;
  for (int q = 0; q < settings.rings; ++q) {
    const double sigma = settings.radius_px * (q + 1) / (2.0 * settings.rings);
    for (Plane& plane : bins) plane = gaussian_blur(plane, std::sqrt(sigma * sigma - before * before));
    before = sigma;
    std::vector<Plane> level = bins;
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) {
        double squares = 0;
        for (const Plane& plane : bins) squares += plane.at(x, y) * plane.at(x, y);
        for (Plane& plane : level) plane.at(x, y) /= std::max(std::sqrt(squares), settings.flat);
      }
    levels.push_back(std::move(level));
  }
  return levels;
}

// Turns a histogram by an angle: linearly between bins.
inline std::vector<double> turned_histogram(const std::vector<double>& from, double angle) {
  const double bins = angle / (std::numbers::pi / 4);
  const int whole = static_cast<int>(std::floor(bins));
  std::vector<double> to(8);
  for (int k = 0; k < 8; ++k) {
    const auto bin = [&](int i) { return from[((i % 8) + 8) % 8]; };
    to[k] = (1 - (bins - whole)) * bin(k - whole) + (bins - whole) * bin(k - whole - 1);
  }
  return to;
}

// How unlike `pixel` of one camera and its correspondence in the other are, were it at that height; nothing
// where the other does not see it.
inline std::optional<double> dissimilarity(const Camera& here,
                                           const std::vector<std::vector<Plane>>& here_levels,
                                           const Camera& there,
                                           const std::vector<std::vector<Plane>>& there_levels,
                                           const Eigen::Vector2d& pixel, double height_m, double middle_m,
                                           const DaisySettings& settings) {
  const auto ray = here.ray(pixel);
  if (!ray) return std::nullopt;
  const auto point = intersect_horizontal_plane(*ray, height_m),
             middle = intersect_horizontal_plane(*ray, middle_m);
  if (!point || !middle || !there.sees(*point)) return std::nullopt;
  const Eigen::Vector2d at = *there.project(*point);
  const Eigen::Vector3d along = 0.1 * (there.center_in_world_m() - here.center_in_world_m()).normalized();
  const auto direction = [&](const Camera& camera) {
    const Eigen::Vector2d d = *camera.project(*middle + along) - *camera.project(*middle - along);
    return std::atan2(d.y(), d.x());
  };
  const double angle_here = direction(here), angle_there = direction(there);
  const auto histogram = [](const std::vector<Plane>& level, const Eigen::Vector2d& where) {
    std::vector<double> bins;
    for (const Plane& plane : level)
      bins.push_back(plane.at(static_cast<int>(std::floor(where.x() + 0.5)),
                              static_cast<int>(std::floor(where.y() + 0.5))));
    return bins;
  };
  double sum = 0;
  int count = 0;
  for (int q = -1; q < settings.rings; ++q)
    for (int t = 0; t < (q < 0 ? 1 : settings.points); ++t, ++count) {
      const double radius = settings.radius_px * (q + 1) / settings.rings;
      const double angle = 2 * std::numbers::pi * t / settings.points;
      const auto ring = [&](double turn) {
        return Eigen::Vector2d(radius * std::cos(angle + turn), radius * std::sin(angle + turn));
      };
      const size_t level = static_cast<size_t>(std::max(q, 0));
      const auto a =
          turned_histogram(histogram(here_levels[level], pixel + ring(angle_here)), angle_there - angle_here);
      const auto b = histogram(there_levels[level], at + ring(angle_there));
      double squares = 0;
      for (size_t k = 0; k < 8; ++k) squares += (a[k] - b[k]) * (a[k] - b[k]);
      sum += std::sqrt(squares);
    }
  return sum / count;
}

}  // namespace vantage::reference
