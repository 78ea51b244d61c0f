#include "core/check/detail/scene_places.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <optional>
#include <utility>

#include "core/base/quantile.h"

namespace vantage {
namespace {

using Complex = std::complex<double>;

constexpr int kColumns = 14, kRows = 10, kHalf = 7;  // tiles; a patch is 15 x 15
// Minimum of the smaller eigenvalue of the structure tensor per pixel, in squared 8-bit steps: above noise
// and codec.
constexpr double kMinCorner = 4;
constexpr int kCoarse = 4, kCoarseHalf = 5,
              kWideReach = 24;                      // of the wide search; the latter two in coarse pixels
constexpr double kFound = 0.8, kFoundCoarse = 0.7;  // correlations
constexpr double kMaxScale = 0.15;                  // maximum deviation of the similarity's scale from 1
constexpr double kTold = 0.5;  // minimum share of the corners that must be found together

struct Corner {
  int x = 0, y = 0;
  bool found = false;
  Eigen::Vector2d at;  // place where it was found
};

double corner_strength(const SceneLuma& luma, int cx, int cy) {
  double xx = 0, xy = 0, yy = 0;
  for (int y = cy - kHalf; y <= cy + kHalf; ++y)
    for (int x = cx - kHalf; x <= cx + kHalf; ++x) {
      const double gx = 0.5 * (luma.at(x + 1, y) - luma.at(x - 1, y)),
                   gy = 0.5 * (luma.at(x, y + 1) - luma.at(x, y - 1));
      xx += gx * gx, xy += gx * gy, yy += gy * gy;
    }
  const int n = (2 * kHalf + 1) * (2 * kHalf + 1);
  return ((xx + yy) / 2 - std::hypot((xx - yy) / 2, xy)) / n;
}

std::vector<Corner> corners_of(const SceneLuma& luma) {
  std::vector<Corner> corners;
  const int margin = kHalf + 3;
  for (int row = 0; row < kRows; ++row)
    for (int column = 0; column < kColumns; ++column) {
      Corner best;
      double strength = kMinCorner;
      const int right = luma.width - margin, bottom = luma.height - margin;
      for (int y = std::max(margin, row * luma.height / kRows);
           y < std::min(bottom, (row + 1) * luma.height / kRows); y += 3)
        for (int x = std::max(margin, column * luma.width / kColumns);
             x < std::min(right, (column + 1) * luma.width / kColumns); x += 3)
          if (const double here = corner_strength(luma, x, y); here > strength)
            strength = here, best.x = x, best.y = y;
      if (best.x > 0) corners.push_back(best);
    }
  return corners;
}

bool spread_out(const SceneLuma& luma, const std::vector<Corner>& corners) {
  std::array<int, 4> quarters{};
  for (const Corner& corner : corners)
    ++quarters[(2 * corner.x >= luma.width) + 2 * (2 * corner.y >= luma.height)];
  return std::ssize(corners) >= kMinPlaces &&
         std::count_if(quarters.begin(), quarters.end(), [](int n) { return n > 0; }) >= 3;
}

// Returns -1 where one of them does not lie in its picture or has no contrast.
double correlation_at(const SceneLuma& a, int ax, int ay, const SceneLuma& b, int bx, int by, int half) {
  if (bx < half || by < half || bx + half >= b.width || by + half >= b.height) return -1;
  if (ax < half || ay < half || ax + half >= a.width || ay + half >= a.height) return -1;
  double sa = 0, sb = 0, aa = 0, bb = 0, ab = 0;
  for (int y = -half; y <= half; ++y)
    for (int x = -half; x <= half; ++x) {
      const double u = a.at(ax + x, ay + y), v = b.at(bx + x, by + y);
      sa += u, sb += v, aa += u * u, bb += v * v, ab += u * v;
    }
  const double n = (2 * half + 1) * (2 * half + 1);
  const double va = aa - sa * sa / n, vb = bb - sb * sb / n;
  return va > 1 && vb > 1 ? (ab - sa * sb / n) / std::sqrt(va * vb) : -1;
}

double peak(double left, double middle, double right) {
  const double bend = left - 2 * middle + right;
  return bend < 0 ? std::clamp(0.5 * (left - right) / bend, -0.5, 0.5) : 0;
}

// Finds the corner's best position within `reach` of (x, y), to a fraction of a pixel.
void search_near(const SceneLuma& before, const SceneLuma& after, int x, int y, int reach, Corner* corner) {
  double best = -1;
  int best_x = x, best_y = y;
  for (int dy = -reach; dy <= reach; ++dy)
    for (int dx = -reach; dx <= reach; ++dx) {
      const double here = correlation_at(before, corner->x, corner->y, after, x + dx, y + dy, kHalf);
      if (here > best) best = here, best_x = x + dx, best_y = y + dy;
    }
  const bool at_edge = std::max(std::abs(best_x - x), std::abs(best_y - y)) == reach;
  corner->found = best >= kFound && !at_edge;
  if (!corner->found) return;
  const auto at = [&](int dx, int dy) {
    return correlation_at(before, corner->x, corner->y, after, best_x + dx, best_y + dy, kHalf);
  };
  corner->at = {best_x + peak(at(-1, 0), best, at(1, 0)), best_y + peak(at(0, -1), best, at(0, 1))};
}

struct Similarity {
  Complex turn = 1, shift = 0;
  Complex of(Complex p) const { return turn * p + shift; }
};

struct Pair {
  Complex from, to;
};

double tolerance_px(const Similarity& similarity, const Pair& pair, double min_px) {
  return min_px + 0.08 * std::abs(similarity.of(pair.from) - pair.from);
}

int supporters(const Similarity& similarity, const std::vector<Pair>& pairs, double min_px) {
  int count = 0;
  for (const Pair& pair : pairs)
    count += std::abs(similarity.of(pair.from) - pair.to) <= tolerance_px(similarity, pair, min_px);
  return count;
}

// The similarity through two of the pairs that explains most pairs; ties: the first.
Similarity best_similarity(const std::vector<Pair>& pairs, double apart_px, double min_px) {
  Similarity best;
  int most = supporters(best, pairs, min_px);
  for (size_t i = 0; i < pairs.size(); ++i)
    for (size_t j = i + 1; j < pairs.size(); ++j) {
      const Complex between = pairs[j].from - pairs[i].from;
      if (std::abs(between) < apart_px) continue;
      const Complex turn = (pairs[j].to - pairs[i].to) / between;
      if (std::abs(std::abs(turn) - 1) > kMaxScale) continue;
      const Similarity one{turn, pairs[i].to - turn * pairs[i].from};
      if (const int count = supporters(one, pairs, min_px); count > most) most = count, best = one;
    }
  return best;
}

SceneLuma coarse(const SceneLuma& fine) {
  SceneLuma out{fine.width / kCoarse, fine.height / kCoarse, {}};
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x) {
      float sum = 0;
      for (int v = 0; v < kCoarse; ++v)
        for (int u = 0; u < kCoarse; ++u) sum += fine.at(kCoarse * x + u, kCoarse * y + v);
      out.values.push_back(sum / (kCoarse * kCoarse));
    }
  return out;
}

// The similarity of most corners in the coarse pictures, in pixels of the fine ones.
std::optional<Similarity> search_wide(const SceneLuma& before, const SceneLuma& after,
                                      const std::vector<Corner>& corners) {
  const SceneLuma a = coarse(before), b = coarse(after);
  std::vector<Pair> pairs;
  for (const Corner& corner : corners) {
    const int x = corner.x / kCoarse, y = corner.y / kCoarse;
    double best = kFoundCoarse;
    std::optional<Complex> at;
    for (int dy = -kWideReach; dy <= kWideReach; ++dy)
      for (int dx = -kWideReach; dx <= kWideReach; ++dx)
        if (const double here = correlation_at(a, x, y, b, x + dx, y + dy, kCoarseHalf); here > best)
          best = here, at = Complex(x + dx, y + dy);
    if (at) pairs.push_back({Complex(x, y), *at});
  }
  if (std::ssize(pairs) < kMinPlaces) return std::nullopt;
  Similarity found = best_similarity(pairs, a.width / 6.0, 1.5);
  if (supporters(found, pairs, 1.5) < kMinPlaces) return std::nullopt;
  found.shift *= kCoarse;
  return found;
}

// The corners that agree; nothing: too few of those that could be found again.
std::optional<std::vector<ScenePlace>> agreeing(const SceneLuma& after, const std::vector<Corner>& corners,
                                                const Similarity& expected) {
  std::vector<Pair> pairs;
  int visible = 0;
  for (const Corner& corner : corners) {
    const Complex from(corner.x, corner.y), to = expected.of(from);
    visible += to.real() >= kHalf + 2 && to.imag() >= kHalf + 2 && to.real() < after.width - kHalf - 2 &&
               to.imag() < after.height - kHalf - 2;
    if (corner.found) pairs.push_back({from, Complex(corner.at.x(), corner.at.y())});
  }
  if (std::ssize(pairs) < kMinPlaces) return std::nullopt;
  const Similarity common = best_similarity(pairs, after.width / 6.0, 1.0);
  std::vector<ScenePlace> places;
  for (const Pair& pair : pairs)
    if (std::abs(common.of(pair.from) - pair.to) <= tolerance_px(common, pair, 1.0))
      places.push_back({{pair.from.real(), pair.from.imag()}, {pair.to.real(), pair.to.imag()}});
  if (std::ssize(places) < kMinPlaces || static_cast<double>(places.size()) < kTold * visible)
    return std::nullopt;
  return places;
}

}  // namespace

SceneLuma scene_luma(const ImageView<const uint8_t>& luma) {
  SceneLuma out{luma.width, luma.height, {}};
  for (int y = 0; y < luma.height; ++y)
    out.values.insert(out.values.end(), luma.row(y), luma.row(y) + luma.width);
  return out;
}

SceneLuma median_luma(std::span<const SceneLuma* const> pictures) {
  SceneLuma out{pictures[0]->width, pictures[0]->height, {}};
  std::vector<float> values(pictures.size());
  const size_t half = pictures.size() / 2;
  for (size_t i = 0; i < pictures[0]->values.size(); ++i) {
    for (size_t p = 0; p < pictures.size(); ++p) values[p] = pictures[p]->values[i];
    std::sort(values.begin(), values.end());
    out.values.push_back(pictures.size() % 2 != 0 ? values[half] : 0.5f * (values[half - 1] + values[half]));
  }
  return out;
}

bool has_texture(const SceneLuma& luma) {
  return spread_out(luma, corners_of(luma));
}

std::optional<std::vector<ScenePlace>> find_places(const SceneLuma& before, const SceneLuma& after) {
  if (before.width != after.width || before.height != after.height) return std::nullopt;
  std::vector<Corner> corners = corners_of(before);
  if (!spread_out(before, corners)) return std::nullopt;
  for (Corner& corner : corners) search_near(before, after, corner.x, corner.y, 3, &corner);
  if (auto still = agreeing(after, corners, {})) return still;
  const auto expected = search_wide(before, after, corners);
  if (!expected) return std::nullopt;
  for (Corner& corner : corners) {
    const Complex at = expected->of(Complex(corner.x, corner.y));
    search_near(before, after, static_cast<int>(std::lround(at.real())),
                static_cast<int>(std::lround(at.imag())), 2 * kCoarse, &corner);
  }
  return agreeing(after, corners, *expected);
}

PlacesFit fit_places(const SceneLuma& before, const std::vector<ScenePlace>& places,
                     const SceneLuma& picture) {
  std::vector<double> at_before, at_after;
  const auto fit = [&](const ScenePlace& place, const Eigen::Vector2d& at) {
    return correlation_at(before, static_cast<int>(std::lround(place.before.x())),
                          static_cast<int>(std::lround(place.before.y())), picture,
                          static_cast<int>(std::lround(at.x())), static_cast<int>(std::lround(at.y())),
                          kHalf);
  };
  for (const ScenePlace& place : places) {
    at_before.push_back(fit(place, place.before));
    at_after.push_back(fit(place, place.after));
  }
  return {upper_median(std::move(at_before)), upper_median(std::move(at_after))};
}

double median_way(const std::vector<ScenePlace>& places) {
  std::vector<double> ways;
  for (const ScenePlace& place : places) ways.push_back((place.after - place.before).norm());
  return upper_median(std::move(ways));
}

namespace {

// A camera prepared for projecting many voxels.
struct Projector {
  const Camera& camera;
  Eigen::Isometry3d cam_from_world;
  int width, height;  // cells

  std::optional<GridViews::View> view(uint32_t number, const Eigen::Vector3d& point, double voxel_m) const {
    const auto pixel = camera.project(point);
    if (!pixel || pixel->x() < -0.5 || pixel->y() < -0.5 || pixel->x() >= camera.width_px() - 0.5 ||
        pixel->y() >= camera.height_px() - 0.5)
      return std::nullopt;
    const double depth_m = (cam_from_world * point).z();
    const double radius_px = 0.5 * voxel_m * camera.model().fx_px / depth_m;
    const auto cell = [](double px, int count) {
      return static_cast<int16_t>(
          std::clamp(static_cast<int>(std::floor((px + 0.5) / kCell_px)), 0, count - 1));
    };
    const Footprint cells{cell(pixel->x() - radius_px, width), cell(pixel->y() - radius_px, height),
                          cell(pixel->x() + radius_px, width), cell(pixel->y() + radius_px, height)};
    return GridViews::View{number, cells, static_cast<float>(depth_m)};
  }
};

struct Layer {
  std::vector<size_t> counts;  // one per voxel
  std::vector<GridViews::View> views;
};

Layer layer_of(const std::vector<Projector>& projectors, const VoxelGrid& grid, int z) {
  Layer layer;
  for (int y = 0; y < grid.ny; ++y)
    for (int x = 0; x < grid.nx; ++x) {
      const Eigen::Vector3d point(grid.center(0, x), grid.center(1, y), grid.center(2, z));
      const size_t before = layer.views.size();
      for (size_t c = 0; c < projectors.size(); ++c)
        if (const auto view = projectors[c].view(static_cast<uint32_t>(c), point, grid.voxel_size_m))
          layer.views.push_back(*view);
      layer.counts.push_back(layer.views.size() - before);
    }
  return layer;
}

}  // namespace

GridViews::GridViews(const std::vector<Camera>& cameras, const VoxelGrid& grid) : cameras_(cameras) {
  std::vector<Projector> projectors;
  for (const Camera& camera : cameras_)
    projectors.push_back(
        {camera, camera.cam_from_world(), cells_of(camera.width_px()), cells_of(camera.height_px())});
  std::vector<Layer> layers(static_cast<size_t>(std::max(0, grid.nz)));
  tbb::parallel_for(size_t{0}, layers.size(),
                    [&](size_t z) { layers[z] = layer_of(projectors, grid, static_cast<int>(z)); });
  for (Layer& layer : layers) {
    for (const size_t count : layer.counts) begin_.push_back(begin_.back() + count);
    views_.insert(views_.end(), layer.views.begin(), layer.views.end());
    layer = {};
  }
}

}  // namespace vantage
