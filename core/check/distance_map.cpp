#include "core/check/distance_map.h"

#include <algorithm>
#include <cmath>

namespace vantage {
namespace {

constexpr float kDiagonal = 1.41421356F;
constexpr double kRim = 0.5;  // share of a cell: distance of its centre from the silhouette's border

// Two passes over all cells, each with the four of its eight neighbours that are already computed.
void chamfer(int width, int height, std::vector<float>* distances) {
  const auto relax = [&](int x, int y, int dx, int dy, float step) {
    const int u = x + dx, v = y + dy;
    if (u < 0 || v < 0 || u >= width || v >= height) return;
    float& own = (*distances)[static_cast<size_t>(y) * width + x];
    own = std::min(own, (*distances)[static_cast<size_t>(v) * width + u] + step);
  };
  const auto pass = [&](int x, int y, int ahead) {
    relax(x, y, -ahead, 0, 1);
    relax(x, y, -1, -ahead, kDiagonal);
    relax(x, y, 0, -ahead, 1);
    relax(x, y, 1, -ahead, kDiagonal);
  };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) pass(x, y, 1);
  for (int y = height - 1; y >= 0; --y)
    for (int x = width - 1; x >= 0; --x) pass(x, y, -1);
}

}  // namespace

DistanceMap::DistanceMap(const Image& mask, double largest_px) {
  const ImageView<const uint8_t> view = mask.view<uint8_t>();
  picture_width_ = view.width, picture_height_ = view.height;
  factor_ = std::max(1, static_cast<int>(std::ceil(std::sqrt(1.0 * view.width * view.height / kMapPixels))));
  width_ = (view.width + factor_ - 1) / factor_, height_ = (view.height + factor_ - 1) / factor_;
  std::vector<int> counts(static_cast<size_t>(width_) * static_cast<size_t>(height_));
  for (int y = 0; y < view.height; ++y) {
    const uint8_t* row = view.row(y);
    int* out = counts.data() + static_cast<size_t>(y / factor_) * static_cast<size_t>(width_);
    for (int cell = 0; cell < width_; ++cell)
      for (int x = cell * factor_; x < std::min((cell + 1) * factor_, view.width); ++x)
        out[cell] += row[x] >> 7;
  }
  bool any = false;
  const auto largest = static_cast<float>(largest_px / factor_ + kRim);
  distances_.assign(counts.size(), largest);
  for (size_t i = 0; i < counts.size(); ++i)
    if (2 * counts[i] >= factor_ * factor_) distances_[i] = 0, any = true;
  if (any)
    chamfer(width_, height_, &distances_);
  else
    distances_.clear();
}

bool DistanceMap::covers(const Eigen::Vector2d& pixel) const {
  return pixel.x() >= 0 && pixel.y() >= 0 && pixel.x() <= picture_width_ - 1 &&
         pixel.y() <= picture_height_ - 1;
}

double DistanceMap::at(const Eigen::Vector2d& pixel) const {
  const auto cell = [this](double px, int count) {
    return std::clamp((px + 0.5) / factor_ - 0.5, 0.0, static_cast<double>(count - 1));
  };
  const double x = cell(pixel.x(), width_), y = cell(pixel.y(), height_);
  const int x0 = static_cast<int>(x), y0 = static_cast<int>(y);
  const int x1 = std::min(x0 + 1, width_ - 1), y1 = std::min(y0 + 1, height_ - 1);
  const double u = x - x0, v = y - y0;
  const float* upper = distances_.data() + static_cast<size_t>(y0) * static_cast<size_t>(width_);
  const float* lower = distances_.data() + static_cast<size_t>(y1) * static_cast<size_t>(width_);
  const double cells =
      (1 - v) * ((1 - u) * upper[x0] + u * upper[x1]) + v * ((1 - u) * lower[x0] + u * lower[x1]);
  return factor_ * std::max(0.0, cells - kRim);
}

}  // namespace vantage
