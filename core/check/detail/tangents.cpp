#include "core/check/detail/tangents.h"

#include <array>
#include <utility>

#include "core/check/detail/silhouette_cells.h"

namespace vantage {
namespace {

using Eigen::Vector3d;

constexpr int kBorder_px = 4;
constexpr size_t kMinPoints = 60;     // of an outline; smaller ones say nothing
constexpr size_t kOutermost = 5;      // the n-th outermost point counts, for the ragged rims of masks
constexpr double kMinAngle = 0.09;    // radians off the other camera's direction: nearer, planes are unsteady
constexpr double kWidestFan = 2.5;    // radians; wider, and the silhouette lies around the other camera
constexpr double kAccusing = 0.7;     // of the limit: every pair with a wrong camera errs so much
constexpr double kMinBlob_m2 = 0.05;  // seen at right angles; a person has 0.4 and more

// A set pixel with one beside it that is not.
struct OutlinePoint {
  Vector3d direction_in_world;  // unit length
  bool at_border;
};

std::vector<OutlinePoint> outline_of(const Camera& camera, const Image& mask) {
  std::vector<OutlinePoint> points;
  const ImageView<const uint8_t> view = mask.view<uint8_t>();
  const auto set = [&](int x, int y) {
    return x >= 0 && y >= 0 && x < view.width && y < view.height && view.at(x, y) >= 128;
  };
  for (int y = 0; y < view.height; ++y)
    for (int x = 0; x < view.width; ++x) {
      if (!set(x, y) || (set(x - 1, y) && set(x + 1, y) && set(x, y - 1) && set(x, y + 1))) continue;
      const auto ray = camera.ray({static_cast<double>(x), static_cast<double>(y)});
      if (!ray) continue;
      const bool at_border = std::min({x, y, view.width - 1 - x, view.height - 1 - y}) < kBorder_px;
      points.push_back({ray->direction_in_world.normalized(), at_border});
    }
  return points;
}

// Planes through both centres, by their angle around the base line.
struct Pencil {
  Vector3d base, zero, quarter;  // unit vectors
  double angle(const Vector3d& direction) const {
    return std::atan2(direction.dot(quarter), direction.dot(zero));
  }
};

Pencil pencil_of(const Camera& a, const Camera& b) {
  Pencil pencil;
  pencil.base = (b.center_in_world_m() - a.center_in_world_m()).normalized();
  const Vector3d between =
      (a.rotation_cam_from_world().row(2) + b.rotation_cam_from_world().row(2)).transpose();
  pencil.zero = (between - between.dot(pencil.base) * pencil.base).normalized();
  pencil.quarter = pencil.base.cross(pencil.zero);
  return pencil;
}

struct Tangent {
  double angle = 0;
  double per_radian = 0;  // how fast the direction turns with the plane
  bool usable = false;
};

// The lowest and the highest plane that touch the outline.
std::array<Tangent, 2> tangents_of(const std::vector<OutlinePoint>& outline, const Pencil& pencil) {
  std::array<Tangent, 2> result;
  if (outline.size() < kMinPoints) return result;
  std::vector<std::pair<double, size_t>> angles;
  for (size_t i = 0; i < outline.size(); ++i)
    angles.emplace_back(pencil.angle(outline[i].direction_in_world), i);
  std::sort(angles.begin(), angles.end());
  if (angles.back().first - angles.front().first > kWidestFan) return result;
  for (const int side : {0, 1}) {
    bool at_border = false;
    for (size_t i = 0; i < kOutermost; ++i)
      at_border = at_border || outline[angles[side == 0 ? i : angles.size() - 1 - i].second].at_border;
    const auto& [angle, index] = angles[side == 0 ? kOutermost - 1 : angles.size() - kOutermost];
    const double along = outline[index].direction_in_world.dot(pencil.base);
    const double across = std::sqrt(std::max(0.0, 1 - along * along));
    result[static_cast<size_t>(side)] = {angle, across, !at_border && across > kMinAngle};
  }
  return result;
}

// A moment with a hole in a mask errs, one without does not: the calibration shows in the better ones.
double lower_quartile(std::vector<double> values) {
  const auto place = values.begin() + static_cast<ptrdiff_t>(values.size() / 4);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

void dilate(int radius, Cells* cells) {
  const Cells from = *cells;
  for (int y = 0; y < from.height; ++y)
    for (int x = 0; x < from.width; ++x) {
      if (!from.at(x, y)) continue;
      for (int v = std::max(0, y - radius); v <= std::min(from.height - 1, y + radius); ++v)
        for (int u = std::max(0, x - radius); u <= std::min(from.width - 1, x + radius); ++u)
          cells->at(u, v) = 1;
    }
}

// The cells of a blob around a cell, eight neighbours connected; takes them out of `counts`.
std::vector<size_t> take_blob(size_t start, int width, int height, std::vector<int>* counts,
                              int64_t* pixels) {
  std::vector<size_t> blob = {start};
  *pixels = std::exchange((*counts)[start], 0);
  for (size_t next = 0; next < blob.size(); ++next) {
    const int x = static_cast<int>(blob[next] % width), y = static_cast<int>(blob[next] / width);
    for (int v = std::max(0, y - 1); v <= std::min(height - 1, y + 1); ++v)
      for (int u = std::max(0, x - 1); u <= std::min(width - 1, x + 1); ++u) {
        const size_t cell = static_cast<size_t>(v) * width + u;
        if ((*counts)[cell] == 0) continue;
        *pixels += std::exchange((*counts)[cell], 0);
        blob.push_back(cell);
      }
  }
  return blob;
}

// Leaves in `cells` those of blobs as large as a good part of a body: an outline is spoilt by the smallest
// speck outside it. depths_m: of the farthest voxel of the loose hull behind each cell.
void drop_small_blobs(const Image& mask, const std::vector<float>& depths_m, double focal_length_px,
                      Cells* cells) {
  const ImageView<const uint8_t> view = mask.view<uint8_t>();
  std::vector<int> counts(cells->set.size());
  for (int y = 0; y < view.height; ++y)
    for (int x = 0; x < view.width; ++x) {
      const size_t cell = static_cast<size_t>(y / kCell_px) * cells->width + x / kCell_px;
      counts[cell] += cells->set[cell] && view.at(x, y) >= 128;
    }
  std::fill(cells->set.begin(), cells->set.end(), uint8_t{0});
  for (size_t cell = 0; cell < counts.size(); ++cell) {
    if (counts[cell] == 0) continue;
    int64_t pixels = 0;
    const std::vector<size_t> blob = take_blob(cell, cells->width, cells->height, &counts, &pixels);
    double depth_m = 0;
    for (const size_t at : blob) depth_m = std::max<double>(depth_m, depths_m[at]);
    const double pixel_m = depth_m / focal_length_px;
    if (static_cast<double>(pixels) * pixel_m * pixel_m < kMinBlob_m2) continue;
    for (const size_t at : blob) cells->set[at] = 1;
  }
}

Image within(const Image& mask, const Cells& cells) {
  Result<Image> copy = Image::make(ImageType::u8, mask.width(), mask.height(), HostPool::shared());
  if (!copy) return {};
  const ImageView<const uint8_t> from = mask.view<uint8_t>();
  const ImageView<uint8_t> to = copy->writable_view<uint8_t>();
  for (int y = 0; y < from.height; ++y)
    for (int x = 0; x < from.width; ++x)
      to.at(x, y) = cells.at(x / kCell_px, y / kCell_px) ? from.at(x, y) : 0;
  return *copy;
}

void note_depth(const Footprint& f, int width, double depth_m, std::vector<float>* depths_m) {
  for (int y = f.y0; y <= f.y1; ++y)
    for (int x = f.x0; x <= f.x1; ++x) {
      float& depth = (*depths_m)[static_cast<size_t>(y) * width + x];
      depth = std::max(depth, static_cast<float>(depth_m));
    }
}

}  // namespace

std::vector<Image> common_silhouettes(const std::vector<Camera>& cameras, const VoxelGrid& grid,
                                      std::span<const Image> masks, double tolerance_px) {
  const size_t count = cameras.size();
  std::vector<Cells> loose(count), common(count);
  std::vector<std::vector<float>> depths_m(count);
  for (size_t c = 0; c < count; ++c) {
    if (!masks[c]) continue;
    loose[c] = shrink(masks[c]);
    common[c] = Cells(loose[c].width, loose[c].height);
    depths_m[c].resize(common[c].set.size());
    dilate(static_cast<int>(std::ceil(tolerance_px / kCell_px)), &loose[c]);
  }
  // Two cameras nearly always find each other a place where both see something; a third rarely does.
  const int least = static_cast<int>(std::min<ptrdiff_t>(
      3, std::count_if(masks.begin(), masks.end(), [](const Image& mask) { return bool(mask); })));
  std::vector<Footprint> seen(count);
  for (int z = 0; z < grid.nz; ++z)
    for (int y = 0; y < grid.ny; ++y)
      for (int x = 0; x < grid.nx; ++x) {
        const Vector3d point(grid.center(0, x), grid.center(1, y), grid.center(2, z));
        int seeing = 0;
        bool met = true;
        for (size_t c = 0; met && c < count; ++c) {
          seen[c] = masks[c] ? footprint(cameras[c], point, grid.voxel_size_m, loose[c]) : Footprint{};
          if (!seen[c].seen()) continue;
          ++seeing;
          met = meets(seen[c], loose[c]);
        }
        for (size_t c = 0; met && seeing >= least && c < count; ++c)
          if (seen[c].seen()) {
            fill(seen[c], &common[c]);
            note_depth(seen[c], common[c].width, (cameras[c].cam_from_world() * point).z(), &depths_m[c]);
          }
      }
  std::vector<Image> result(count);
  for (size_t c = 0; c < count; ++c) {
    if (!masks[c]) continue;
    drop_small_blobs(masks[c], depths_m[c], cameras[c].model().fx_px, &common[c]);
    result[c] = within(masks[c], common[c]);
  }
  return result;
}

TangentErrors::TangentErrors(const std::vector<Camera>& cameras, double largest_px)
    : cameras_(cameras), largest_px_(largest_px) {
  double sum = 0;
  for (const Camera& camera : cameras) sum += camera.model().fx_px;
  focal_length_px_ = cameras.empty() ? 0 : sum / static_cast<double>(cameras.size());
  for (size_t a = 0; a < cameras.size(); ++a)
    for (size_t b = a + 1; b < cameras.size(); ++b) pairs_.push_back({a, b, {}});
}

void TangentErrors::add(std::span<const Image> masks) {
  std::vector<std::vector<OutlinePoint>> outlines(cameras_.size());
  for (size_t c = 0; c < cameras_.size(); ++c)
    if (masks[c]) outlines[c] = outline_of(cameras_[c], masks[c]);
  for (Pair& pair : pairs_) {
    const Pencil pencil = pencil_of(cameras_[pair.a], cameras_[pair.b]);
    const auto of_a = tangents_of(outlines[pair.a], pencil), of_b = tangents_of(outlines[pair.b], pencil);
    for (size_t side = 0; side < 2; ++side) {
      if (!of_a[side].usable || !of_b[side].usable) continue;
      const double apart = std::abs(of_a[side].angle - of_b[side].angle);
      pair.errors_px[side].push_back(apart * 0.5 * (of_a[side].per_radian + of_b[side].per_radian) *
                                     focal_length_px_);
    }
  }
}

std::optional<double> TangentErrors::pair_px(size_t a, size_t b) const {
  for (const Pair& pair : pairs_) {
    if (pair.a != std::min(a, b) || pair.b != std::max(a, b)) continue;
    double sum = 0;
    int sides = 0;
    for (const std::vector<double>& errors : pair.errors_px) {
      if (errors.empty()) continue;
      const double error = lower_quartile(errors);
      sum += error * error, ++sides;
    }
    if (sides > 0) return std::sqrt(sum / sides);
  }
  return std::nullopt;
}
TangentErrors::Split TangentErrors::split(size_t camera) const {
  double sums[2] = {0, 0};
  Split result;
  for (const Pair& pair : pairs_) {
    const auto error = pair_px(pair.a, pair.b);
    if (!error) continue;
    const bool with = pair.a == camera || pair.b == camera;
    sums[with] += *error * *error;
    ++(with ? result.pairs_with : result.pairs_without);
  }
  if (result.pairs_with > 0) result.with_px = std::sqrt(sums[1] / result.pairs_with);
  if (result.pairs_without > 0) result.without_px = std::sqrt(sums[0] / result.pairs_without);
  return result;
}

std::optional<size_t> TangentErrors::wrong_camera() const {
  std::optional<size_t> wrong;
  for (size_t c = 0; c < cameras_.size(); ++c) {
    const Split s = split(c);
    // Two pairs accuse it, and the pairs of three others are its witnesses.
    if (s.pairs_with < 2 || s.pairs_without < 3) continue;
    bool accused = s.with_px > limit_px() && s.with_px <= largest_px_;
    for (const Pair& pair : pairs_) {
      const double error = pair_px(pair.a, pair.b).value_or(-1);
      const bool with = pair.a == c || pair.b == c;
      if (error >= 0) accused = accused && (with ? error > kAccusing * limit_px() : error < limit_px());
    }
    if (accused) wrong = c;  // at most one can be
  }
  return wrong;
}

}  // namespace vantage
