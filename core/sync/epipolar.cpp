#include "core/sync/epipolar.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

namespace vantage {
namespace {

using Eigen::Vector3d;
using Polygon = std::vector<Vector3d>;

constexpr int kVolumePoints = 8192;
constexpr double kMinBaseline_m = 0.02;
constexpr double kMinDepth = 0.02;  // cosine to the optical axis: beyond it a line has no end in the picture

struct HalfSpace {
  Vector3d normal;
  double offset;  // inside: normal . x >= offset
};

// Sutherland and Hodgman's clipping of a convex polygon.
Polygon clip(const Polygon& polygon, const HalfSpace& space) {
  Polygon out;
  for (size_t i = 0; i < polygon.size(); ++i) {
    const Vector3d &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    const double dp = space.normal.dot(p) - space.offset, dq = space.normal.dot(q) - space.offset;
    if (dp >= 0) out.push_back(p);
    if ((dp >= 0) != (dq >= 0)) out.push_back(p + (q - p) * (dp / (dp - dq)));
  }
  return out;
}

void add_box(const VoxelGrid& grid, std::vector<HalfSpace>* spaces) {
  const std::array<int, 3> size = {grid.nx, grid.ny, grid.nz};
  for (int axis = 0; axis < 3; ++axis) {
    const double low = grid.origin_in_world_m[axis];
    const double high = low + size[axis] * grid.voxel_size_m;
    spaces->push_back({Vector3d::Unit(axis), low});
    spaces->push_back({-Vector3d::Unit(axis), -high});
  }
}

// Through the centre and each side of the picture, at the side's middle.
void add_view(const Camera& camera, std::vector<HalfSpace>* spaces) {
  const Eigen::Matrix3d world_from_cam = camera.rotation_cam_from_world().transpose();
  const Vector3d center = camera.center_in_world_m();
  const double w = camera.width_px() - 0.5, h = camera.height_px() - 0.5;
  const double cx = (camera.width_px() - 1) / 2.0, cy = (camera.height_px() - 1) / 2.0;
  const auto add = [&](const std::optional<Eigen::Vector2d>& at, int axis, double sign) {
    if (!at) return;
    Vector3d normal = Vector3d::Zero();
    normal[axis] = sign;
    normal[2] = -sign * (*at)[axis];
    normal = world_from_cam * normal;
    spaces->push_back({normal, normal.dot(center)});
  };
  add(camera.undistort({-0.5, cy}), 0, 1);
  add(camera.undistort({w, cy}), 0, -1);
  add(camera.undistort({cx, -0.5}), 1, 1);
  add(camera.undistort({cx, h}), 1, -1);
  const Vector3d forward = world_from_cam.col(2);
  spaces->push_back({forward, forward.dot(center)});
}

// Evenly over the box: Halton's sequence to the bases 2, 3 and 5.
double halton(int index, int base) {
  double value = 0, digit = 1;
  for (; index > 0; index /= base) {
    digit /= base;
    value += digit * (index % base);
  }
  return value;
}

struct Baseline {
  Vector3d origin, along, up, side;  // a right-handed frame round the baseline
  double angle(const Vector3d& point) const {
    const Vector3d from = point - origin;
    return std::atan2(from.dot(side), from.dot(up));
  }
  Vector3d direction(double angle) const { return std::cos(angle) * up + std::sin(angle) * side; }
};

std::optional<Baseline> make_baseline(const Vector3d& from, const Vector3d& to, const Vector3d& middle) {
  const Vector3d along = to - from;
  if (along.norm() < kMinBaseline_m) return std::nullopt;
  Baseline base;
  base.origin = from;
  base.along = along.normalized();
  // Angles count from the volume's middle, so that the cut at +-180 degrees lies behind it.
  Vector3d up = (middle - from) - base.along * base.along.dot(middle - from);
  if (up.norm() < 1e-6) up = base.along.unitOrthogonal();
  base.up = up.normalized();
  base.side = base.along.cross(base.up);
  return base;
}

// The line on which the camera sees a polygon of its epipolar plane: from one outermost vertex to the other,
// drawn at depth 1, where points evenly along the line are even in the undistorted picture.
std::optional<LineSegment> line_in(const Camera& camera, const Polygon& polygon) {
  const Vector3d center = camera.center_in_world_m();
  const Vector3d forward = camera.rotation_cam_from_world().row(2).transpose();
  std::vector<Vector3d> ends;
  for (const Vector3d& vertex : polygon) {
    const Vector3d ray = (vertex - center).normalized();
    const double depth = ray.dot(forward);
    if (depth < kMinDepth) continue;
    ends.push_back(ray / depth);
  }
  double longest = 0;
  LineSegment segment;
  for (size_t i = 0; i < ends.size(); ++i)
    for (size_t j = i + 1; j < ends.size(); ++j) {
      const double length = (ends[i] - ends[j]).norm();
      if (length <= longest) continue;
      longest = length;
      for (int axis = 0; axis < 3; ++axis) {
        segment.a_in_world_m[axis] = center[axis] + ends[i][axis];
        segment.b_in_world_m[axis] = center[axis] + ends[j][axis];
      }
    }
  if (longest <= 0) return std::nullopt;
  return segment;
}

}  // namespace

EpipolarLines choose_epipolar_lines(const Camera& first, const Camera& second, const VoxelGrid& volume,
                                    int lines) {
  EpipolarLines line_pairs;
  const Vector3d low(volume.origin_in_world_m[0], volume.origin_in_world_m[1], volume.origin_in_world_m[2]);
  const Vector3d size = volume.voxel_size_m * Vector3d(volume.nx, volume.ny, volume.nz);
  const auto base = make_baseline(first.center_in_world_m(), second.center_in_world_m(), low + size / 2);
  if (!base || lines < 1) return line_pairs;
  std::vector<double> angles;
  for (int i = 1; i <= kVolumePoints; ++i) {
    const Vector3d point = low + size.cwiseProduct(Vector3d(halton(i, 2), halton(i, 3), halton(i, 5)));
    if (first.sees(point) && second.sees(point)) angles.push_back(base->angle(point));
  }
  line_pairs.overlap = static_cast<double>(angles.size()) / kVolumePoints;
  if (angles.empty()) return line_pairs;
  std::sort(angles.begin(), angles.end());
  std::vector<HalfSpace> spaces;
  add_box(volume, &spaces);
  add_view(first, &spaces);
  add_view(second, &spaces);
  const double reach = (low + size / 2 - base->origin).norm() + size.norm() +
                       (second.center_in_world_m() - base->origin).norm();
  for (int r = 0; r < lines; ++r) {
    const size_t at = static_cast<size_t>((r + 0.5) / lines * static_cast<double>(angles.size()));
    const Vector3d outwards = base->direction(angles[std::min(at, angles.size() - 1)]);
    const Vector3d start = base->origin - reach * base->along, end = base->origin + reach * base->along;
    Polygon polygon = {start, end, end + reach * outwards, start + reach * outwards};
    for (const HalfSpace& space : spaces) polygon = clip(polygon, space);
    line_pairs.first.push_back(line_in(first, polygon).value_or(LineSegment{}));
    line_pairs.second.push_back(line_in(second, polygon).value_or(LineSegment{}));
  }
  return line_pairs;
}

}  // namespace vantage
