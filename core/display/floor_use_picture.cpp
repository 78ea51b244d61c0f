#include "core/display/floor_use_picture.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/formatted.h"
#include "core/base/quantile.h"
#include "core/image/color_map.h"

namespace vantage {
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

const char* unit_of(FloorUseKind kind) {
  constexpr std::array<const char*, 4> kUnits = {"people who passed, 0 to %.0f",
                                                 "total time of all people, 0 to %.1f s",
                                                 "mean stay, 0 to %.2f s", "mean speed, 0 to %.2f m/s"};
  return kUnits[static_cast<size_t>(kind)];
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
  map.words = formatted(unit_of(kind), map.full);
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
    for (int c = 0; c < 3; ++c) to.at(3 * x + c, y) = rgb[static_cast<size_t>(c)];
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
