#include "core/carving/cut.h"

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <string>

#include "core/carving/voxel_votes.h"

namespace vantage {
namespace {

constexpr char kAxisName[] = {'x', 'y', 'z'};

struct CutAxes {
  int u, v;
};
constexpr CutAxes kAxes[3] = {{1, 2}, {0, 2}, {0, 1}};

std::string metres(double value) {
  return fmt::format("{:g} m", value);
}

// Index of the voxels that the plane goes through; the far face belongs to the last of them.
Result<int> layer_of(const VoxelGrid& grid, const CutPlane& plane) {
  const int counts[3] = {grid.nx, grid.ny, grid.nz};
  if (plane.axis < 0 || plane.axis > 2)
    return fail(ErrorKind::invalid_argument, "a slice's axis is x, y or z", "cut");
  const double from = grid.origin_in_world_m[plane.axis];
  const int count = counts[plane.axis];
  const double at = (plane.at_m - from) / grid.voxel_size_m;
  if (!(at >= 0 && at <= count))
    return fail(
        ErrorKind::invalid_argument,
        std::string("the plane ") + kAxisName[plane.axis] + " = " + metres(plane.at_m) +
            " lies outside the grid",
        "cut",
        "Choose a value from " + metres(from) + " to " + metres(from + count * grid.voxel_size_m) + ".");
  return std::min(static_cast<int>(at), count - 1);
}

}  // namespace

Result<VolumeCut> cut_volume(const Carver::Arguments& scene, const CarvingParameters& parameters,
                             std::span<const Image> indicators, const CutPlane& plane) {
  VANTAGE_ASSIGN(const VoxelVoter voter, VoxelVoter::make(scene, parameters, indicators));
  const VoxelGrid& grid = scene.grid;
  VolumeCut cut;
  cut.plane = plane;
  VANTAGE_ASSIGN(cut.layer, layer_of(grid, plane));
  const auto [u_axis, v_axis] = kAxes[plane.axis];
  const int counts[3] = {grid.nx, grid.ny, grid.nz};
  VANTAGE_ASSIGN(cut.confidence,
                 Image::make(ImageType::f32, counts[u_axis], counts[v_axis], HostPool::shared()));
  VANTAGE_ASSIGN(cut.seeing, Image::make(ImageType::u8, counts[u_axis], counts[v_axis], HostPool::shared()));
  cut.origin_in_world_m[plane.axis] = grid.center(plane.axis, cut.layer);
  cut.origin_in_world_m[u_axis] = grid.center(u_axis, 0);
  cut.origin_in_world_m[v_axis] = grid.center(v_axis, 0);
  cut.u_step_m[u_axis] = cut.v_step_m[v_axis] = grid.voxel_size_m;

  const ImageView<float> confidence = cut.confidence.writable_view<float>();
  const ImageView<uint8_t> seeing = cut.seeing.writable_view<uint8_t>();
  const auto blocks_along = [&](int axis) { return (counts[axis] + kBlockSide - 1) / kBlockSide; };
  tbb::parallel_for(0, blocks_along(u_axis) * blocks_along(v_axis), [&](int block) {
    const int u0 = block % blocks_along(u_axis) * kBlockSide, v0 = block / blocks_along(u_axis) * kBlockSide;
    int at[3];  // of the block's first voxel, then of each
    at[plane.axis] = cut.layer, at[u_axis] = u0, at[v_axis] = v0;
    const VoxelVoter::Block votes_of(voter, at[0], at[1], at[2]);
    for (int v = v0; v < std::min(counts[v_axis], v0 + kBlockSide); ++v)
      for (int u = u0; u < std::min(counts[u_axis], u0 + kBlockSide); ++u) {
        at[u_axis] = u, at[v_axis] = v;
        const VoxelVotes votes = votes_of.votes(at[0], at[1], at[2]);
        confidence.at(u, v) = votes.confidence;
        seeing.at(u, v) = static_cast<uint8_t>(std::min(votes.seeing, 255));
      }
  });
  return cut;
}

}  // namespace vantage

namespace vantage::carving {

OccupancyBits::OccupancyBits(const VoxelGrid& grid)
    : ny_(grid.ny),
      nz_(grid.nz),
      words_per_row_((grid.nx + 63) / 64),
      tail_mask_(~uint64_t{0} >> (words_per_row_ * 64 - grid.nx)),
      words_(static_cast<size_t>(words_per_row_) * static_cast<size_t>(grid.ny) *
             static_cast<size_t>(grid.nz)),
      empty_row_(static_cast<size_t>(words_per_row_)) {}

const uint64_t* OccupancyBits::row_or_empty(int y, int z) const {
  if (y < 0 || y >= ny_ || z < 0 || z >= nz_) return empty_row_.data();
  return row(y + static_cast<int64_t>(ny_) * z);
}

int64_t shell_row(const OccupancyBits& occupied, int y, int z, uint64_t* shell) {
  const uint64_t* here = occupied.row_or_empty(y, z);
  const uint64_t* neighbours[4] = {occupied.row_or_empty(y - 1, z), occupied.row_or_empty(y + 1, z),
                                   occupied.row_or_empty(y, z - 1), occupied.row_or_empty(y, z + 1)};
  const int words = occupied.words_per_row();
  int64_t count = 0;
  for (int w = 0; w < words; ++w) {
    const uint64_t before = here[w] << 1 | (w > 0 ? here[w - 1] >> 63 : 0);
    const uint64_t after = here[w] >> 1 | (w + 1 < words ? here[w + 1] << 63 : 0);
    const uint64_t surrounded =
        before & after & neighbours[0][w] & neighbours[1][w] & neighbours[2][w] & neighbours[3][w];
    shell[w] = here[w] & ~surrounded;
    count += std::popcount(shell[w]);
  }
  return count;
}

uint32_t* write_ids(const uint64_t* words, int count, uint32_t first_id, uint32_t* ids) {
  for (int w = 0; w < count; ++w)
    for (uint64_t rest = words[w]; rest != 0; rest &= rest - 1)
      *ids++ = first_id + static_cast<uint32_t>(w * 64 + std::countr_zero(rest));
  return ids;
}

}  // namespace vantage::carving
