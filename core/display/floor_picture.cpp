#include "core/display/floor_picture.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/quantile.h"
#include "core/image/color_map.h"

namespace vantage {
namespace {

// Step of a plane's mesh.
constexpr double kStep_m = 0.15;
constexpr int kMaxSteps = 96;

}  // namespace

FloorPicture cividis_picture(const VoxelGrid& grid, double height_m, const std::vector<float>& values) {
  FloorPicture picture;
  picture.corner_in_world_m = {grid.origin_in_world_m[0], grid.origin_in_world_m[1], height_m};
  picture.cell_m = grid.voxel_size_m;
  picture.nx = grid.nx, picture.ny = grid.ny;
  picture.rgba.resize(values.size() * 4);
  for (size_t i = 0; i < values.size(); ++i) {
    if (!(values[i] >= static_cast<float>(kClearBelow))) continue;
    const auto rgb = mapped_color(kCividis, static_cast<double>(values[i]));
    std::copy(rgb.begin(), rgb.end(), picture.rgba.begin() + static_cast<std::ptrdiff_t>(4 * i));
    picture.rgba[4 * i + 3] = kFloorAlpha;
  }
  return picture;
}

FloorPicture floor_map_picture(const FloorMap& map) {
  const ImageView<const uint16_t> columns = map.columns.view<uint16_t>();
  std::vector<float> shares;
  shares.reserve(static_cast<size_t>(map.grid.nx) * static_cast<size_t>(map.grid.ny));
  for (int y = 0; y < columns.height; ++y)
    for (int x = 0; x < columns.width; ++x)
      shares.push_back(static_cast<float>(columns.at(x, y) * map.grid.voxel_size_m / kFullColumn_m));
  return cividis_picture(map.grid, 0, shares);
}

FloorPicture cut_picture(const VolumeCut& cut) {
  const ImageView<const float> confidence = cut.confidence.view<float>();
  const Eigen::Vector3d u_step = Eigen::Map<const Eigen::Vector3d>(cut.u_step_m),
                        v_step = Eigen::Map<const Eigen::Vector3d>(cut.v_step_m);
  VoxelGrid layer;
  layer.voxel_size_m = u_step.norm();
  layer.nx = confidence.width, layer.ny = confidence.height, layer.nz = 1;
  std::vector<float> values;
  for (int y = 0; y < confidence.height; ++y)
    values.insert(values.end(), confidence.row(y), confidence.row(y) + confidence.width);
  FloorPicture picture = cividis_picture(layer, 0, values);
  picture.corner_in_world_m =
      Eigen::Map<const Eigen::Vector3d>(cut.origin_in_world_m) - (u_step + v_step) / 2;
  picture.u_axis = u_step.normalized(), picture.v_axis = v_step.normalized();
  return picture;
}

PlaneMesh project_plane(const Camera& camera, const Eigen::Vector3d& corner_in_world_m,
                        const Eigen::Vector3d& u_edge_m, const Eigen::Vector3d& v_edge_m) {
  const auto steps = [](double length_m) {
    return std::clamp(static_cast<int>(std::ceil(length_m / kStep_m)), 1, kMaxSteps);
  };
  const int nx = steps(u_edge_m.norm()), ny = steps(v_edge_m.norm());
  const Eigen::Isometry3d cam_from_world = camera.cam_from_world();
  PlaneMesh mesh;
  std::vector<bool> usable;
  for (int y = 0; y <= ny; ++y)
    for (int x = 0; x <= nx; ++x) {
      const double u = static_cast<double>(x) / nx, v = static_cast<double>(y) / ny;
      const Eigen::Vector3d point = corner_in_world_m + u * u_edge_m + v * v_edge_m;
      const std::optional<Eigen::Vector2d> pixel = camera.project(point);
      const Eigen::Vector2d at = pixel.value_or(Eigen::Vector2d::Zero());
      const double depth = (cam_from_world * point).z();
      usable.push_back(pixel.has_value());
      mesh.vertices.push_back({static_cast<float>(at.x()), static_cast<float>(at.y()),
                               static_cast<float>(depth), static_cast<float>(u), static_cast<float>(v)});
    }
  const auto add = [&](size_t a, size_t b, size_t c) {
    if (usable[a] && usable[b] && usable[c])
      for (const size_t index : {a, b, c}) mesh.triangles.push_back(static_cast<uint32_t>(index));
  };
  const auto columns = static_cast<size_t>(nx) + 1;
  for (size_t row = 0; row < static_cast<size_t>(ny); ++row)
    for (size_t column = 0; column < static_cast<size_t>(nx); ++column) {
      const size_t first = row * columns + column;
      add(first, first + 1, first + columns);
      add(first + 1, first + columns + 1, first + columns);
    }
  return mesh;
}

namespace {

constexpr int kPlate_px = 640;  // the longer side, about
constexpr int kKey_px = 12, kKeyGap_px = 6;
constexpr std::array<uint8_t, 3> kPlateGround = {30, 30, 30}, kPlateLine = {54, 54, 54};

double value_of(const FloorUse& use, FloorUseKind kind, size_t i) {
  switch (kind) {
    case FloorUseKind::trails:
      return use.people[i];
    case FloorUseKind::density:
      return use.person_s[i];
    case FloorUseKind::dwell:
      return use.people[i] > 0 ? use.person_s[i] / use.people[i] : 0;
    case FloorUseKind::speed:
      return use.person_s[i] > 0 ? use.walked_m[i] / use.person_s[i] : 0;
  }
  return 0;
}

std::string words_of(FloorUseKind kind, double full) {
  constexpr std::array<const char*, 4> kWords = {"people who passed, 0 to {:.0f}",
                                                 "total time of all people, 0 to {:.1f} s",
                                                 "mean stay, 0 to {:.2f} s", "mean speed, 0 to {:.2f} m/s"};
  return fmt::format(fmt::runtime(kWords[static_cast<size_t>(kind)]), full);
}

// A few cells where a person stood all the time would leave the others black.
double full_of(std::vector<double> used) {
  return quantile(std::move(used), 0.99);
}

}  // namespace

std::string_view floor_use_name(FloorUseKind kind) {
  constexpr std::array<std::string_view, 4> kNames = {"trails", "density", "dwell", "speed"};
  return kNames[static_cast<size_t>(kind)];
}

FloorUseMap floor_use_map(const FloorUse& use, FloorUseKind kind) {
  FloorUseMap map{use.cells, std::vector<float>(use.people.size()), 0, {}};
  std::vector<double> used;
  for (size_t i = 0; i < map.shares.size(); ++i)
    if (use.people[i] > 0) used.push_back(value_of(use, kind, i));
  map.full = full_of(std::move(used));
  for (size_t i = 0; i < map.shares.size(); ++i)
    if (use.people[i] > 0 && map.full > 0)
      map.shares[i] = static_cast<float>(std::clamp(value_of(use, kind, i) / map.full, kClearBelow, 1.0));
  map.words = words_of(kind, map.full);
  return map;
}

FloorPicture floor_use_picture(const FloorUseMap& map) {
  const VoxelGrid grid{
      {map.cells.left_m, map.cells.low_m, 0}, map.cells.cell_m, map.cells.nx, map.cells.ny, 1};
  return cividis_picture(grid, 0, map.shares);
}

Result<Image> floor_use_plate(const FloorUseMap& map) {
  const int cell = std::max(1, kPlate_px / std::max({map.cells.nx, map.cells.ny, 1}));
  const int width = cell * map.cells.nx, height = cell * map.cells.ny;
  VANTAGE_ASSIGN(Image image,
                 Image::make(ImageType::u8, 3 * width, height + kKeyGap_px + kKey_px, HostPool::shared()));
  const ImageView<uint8_t> to = image.writable_view<uint8_t>();
  const auto set = [&](int x, int y, const std::array<uint8_t, 3>& rgb) {
    for (int c = 0; c < 3; ++c) to.at(3 * x + c, y) = rgb[c];
  };
  const double pixel_m = map.cells.cell_m / cell;
  const auto whole_metres = [&](double origin, int px) { return std::floor(origin + px * pixel_m + 1e-9); };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int up = height - 1 - y;
      const float share = map.shares[static_cast<size_t>(x / cell) +
                                     static_cast<size_t>(map.cells.nx) * static_cast<size_t>(up / cell)];
      const bool line = whole_metres(map.cells.left_m, x) != whole_metres(map.cells.left_m, x - 1) ||
                        whole_metres(map.cells.low_m, up) != whole_metres(map.cells.low_m, up - 1);
      set(x, y,
          share > 0 ? mapped_color(kCividis, static_cast<double>(share))
          : line    ? kPlateLine
                    : kPlateGround);
    }
  for (int y = height; y < height + kKeyGap_px + kKey_px; ++y)
    for (int x = 0; x < width; ++x)
      set(x, y,
          y < height + kKeyGap_px ? kPlateGround
                                  : mapped_color(kCividis, static_cast<double>(x) / std::max(1, width - 1)));
  return image;
}

}  // namespace vantage
