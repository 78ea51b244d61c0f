#include "core/people/occupancy/coverage.h"

#include <bit>

namespace vantage {
namespace {

bool sees(const PinholeCamera<double>& camera, double x_m, double y_m, double z_m) {
  const Pixel<double> p = project(camera, x_m, y_m, z_m);
  return p.in_front && support_inside(camera.width_px, camera.height_px, p.x, p.y);
}

}  // namespace

uint64_t cameras_that_see(std::span<const PinholeCamera<double>> cameras, double x_m, double y_m,
                          double z_m) {
  uint64_t bits = 0;
  for (size_t c = 0; c < cameras.size(); ++c)
    if (sees(cameras[c], x_m, y_m, z_m)) bits |= uint64_t{1} << c;
  return bits;
}

int FloorCoverage::seeing(int x, int y, uint64_t available) const {
  if (x < 0 || y < 0 || x >= nx || y >= ny) return 0;
  const size_t cell = static_cast<size_t>(x) + static_cast<size_t>(nx) * static_cast<size_t>(y);
  return std::popcount(floor[cell] & chest[cell] & available);
}

double FloorCoverage::covered_share(int needed, uint64_t available) const {
  int64_t covered = 0;
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) covered += seeing(x, y, available) >= needed;
  return static_cast<double>(covered) / (static_cast<double>(nx) * ny);
}

std::vector<int64_t> FloorCoverage::cells_by_cameras() const {
  std::vector<int64_t> cells(static_cast<size_t>(cameras) + 1);
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) ++cells[seeing(x, y)];
  return cells;
}

Result<FloorCoverage> make_floor_coverage(std::span<const PinholeCamera<double>> cameras,
                                          const VoxelGrid& grid) {
  if (cameras.empty() || cameras.size() > 64)
    return fail(ErrorKind::invalid_argument, "coverage is known for 1 to 64 cameras", "floor map");
  FloorCoverage coverage{grid.nx, grid.ny, static_cast<int>(cameras.size()), {}, {}};
  for (int y = 0; y < grid.ny; ++y)
    for (int x = 0; x < grid.nx; ++x) {
      const double x_m = grid.center(0, x), y_m = grid.center(1, y);
      coverage.floor.push_back(cameras_that_see(cameras, x_m, y_m, 0));
      coverage.chest.push_back(cameras_that_see(cameras, x_m, y_m, FloorCoverage::kChest_m));
    }
  return coverage;
}

}  // namespace vantage
