// Carving with the arithmetic that every carver shares, one voxel after the other and without a
// thought of skipping any: what a carver's hierarchy must reproduce bit by bit.
#pragma once

#include <cstdint>
#include <vector>

#include "core/carving/block_table.h"
#include "core/carving/carving.h"
#include "core/carving/sample.h"
#include "core/carving/voxel_votes.h"

namespace vantage::test {

struct DenseVolume {
  std::vector<float> confidence;  // by linear ID
  std::vector<uint32_t> shell_ids;
  VolumeCounts counts;
};

// Indicators in host memory.
inline DenseVolume carve_densely(const Carver::Arguments& scene, const CarvingParameters& parameters,
                                 const std::vector<Image>& indicators) {
  const VoxelGrid& grid = scene.grid;
  const BlockTable table = make_block_table(scene.cameras, grid, VoxelCenters(grid));
  const std::vector<VoteRule> rules = vote_rules(parameters, static_cast<int>(scene.cameras.size()));
  DenseVolume volume;
  std::vector<bool> occupied;
  for (int z = 0; z < grid.nz; ++z)
    for (int y = 0; y < grid.ny; ++y)
      for (int x = 0; x < grid.nx; ++x) {
        int32_t sum = 0;
        size_t seeing = 0;
        for (size_t c = 0; c < scene.cameras.size(); ++c) {
          if (!indicators[c]) continue;
          const int block = table.blocks.index(x / kBlockSide, y / kBlockSide, z / kBlockSide);
          const Vote vote = vote_at(
              indicators[c].view<uint8_t>(),
              voxel_place(cast_camera<float>(scene.cameras[c]), grid, table.positions(block, c), x, y, z));
          sum += vote.level;
          seeing += vote.seen;
        }
        volume.confidence.push_back(static_cast<float>(sum) / rules[seeing].full);
        occupied.push_back(sum >= rules[seeing].limit);
        volume.counts.occupied += occupied.back();
      }
  const auto is_occupied = [&](int x, int y, int z) {
    if (x < 0 || y < 0 || z < 0 || x >= grid.nx || y >= grid.ny || z >= grid.nz) return false;
    return static_cast<bool>(occupied[grid.linear_id(x, y, z)]);
  };
  for (int z = 0; z < grid.nz; ++z)
    for (int y = 0; y < grid.ny; ++y)
      for (int x = 0; x < grid.nx; ++x) {
        if (!is_occupied(x, y, z)) continue;
        if (is_occupied(x - 1, y, z) && is_occupied(x + 1, y, z) && is_occupied(x, y - 1, z) &&
            is_occupied(x, y + 1, z) && is_occupied(x, y, z - 1) && is_occupied(x, y, z + 1))
          continue;
        volume.shell_ids.push_back(static_cast<uint32_t>(grid.linear_id(x, y, z)));
      }
  volume.counts.shell = static_cast<int64_t>(volume.shell_ids.size());
  return volume;
}

}  // namespace vantage::test
