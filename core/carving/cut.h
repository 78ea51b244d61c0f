// A plane cut of the confidence volume, as an image with its position in the world.
//
// The cut shows the layer of voxels that the plane goes through: pixel (u, v) is one voxel of that layer and
// holds exactly the confidence that the volume of carving.h holds there. It is computed from the indicators
// directly, so no volume has to be carved or kept to look at a cut: some 0.1 million voxels instead of
// millions.
//
//   plane      u along  v along  width x height
//   z = at_m   x        y        nx x ny           like the floor map
//   x = at_m   y        z        ny x nz
//   y = at_m   x        z        nx x nz
//
// The centre of pixel (u, v) lies in the world at origin + u * u_step + v * v_step; its edges are half a step
// away. v grows with the world's y or z, so a picture for people is drawn with row 0 at the bottom.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/carving/carving.h"
#include "core/geometry/voxel_grid.h"

namespace vantage {

struct CutPlane {
  int axis = 2;       // 0: x, 1: y, 2: z
  double at_m = 1.0;  // the world coordinate along that axis
};

struct VolumeCut {
  CutPlane plane;
  int layer = 0;                            // index of the voxels along plane.axis
  Image confidence;                         // f32 in [0,1]; 0 also where too few cameras see the voxel
  Image seeing;                             // u8: how many cameras see the voxel
  double origin_in_world_m[3] = {0, 0, 0};  // centre of pixel (0, 0)
  double u_step_m[3] = {0, 0, 0}, v_step_m[3] = {0, 0, 0};
};

// `indicators` as for Carver::carve(), in host memory: those of FrameResult::foreground() on the CPU, or
// their host copies. Errors: those of the carver; a plane outside the grid (invalid_argument, names the
// range).
Result<VolumeCut> cut_volume(const Carver::Arguments& scene, const CarvingParameters& parameters,
                             std::span<const Image> indicators, const CutPlane& plane);

}  // namespace vantage

namespace vantage::carving {

// Occupancy as bits and the shell found in it by whole words.

// One bit per voxel; every row along x starts on a new word, bits beyond nx are 0. Row y + ny * z.
class OccupancyBits {
 public:
  explicit OccupancyBits(const VoxelGrid& grid);
  int words_per_row() const { return words_per_row_; }
  int64_t rows() const { return static_cast<int64_t>(ny_) * nz_; }
  uint64_t* row(int64_t index) { return words_.data() + index * words_per_row_; }
  const uint64_t* row(int64_t index) const { return words_.data() + index * words_per_row_; }
  // The row, or a row of zeros where y or z is outside the grid.
  const uint64_t* row_or_empty(int y, int z) const;
  // The bits of a row's last word that are voxels.
  uint64_t tail_mask() const { return tail_mask_; }

 private:
  int ny_, nz_, words_per_row_;
  uint64_t tail_mask_;
  std::vector<uint64_t> words_, empty_row_;
};

// Occupied voxels of row (y, z) that have at least one of six neighbours not occupied, into words_per_row()
// words. Returns their number.
int64_t shell_row(const OccupancyBits& occupied, int y, int z, uint64_t* shell);

// Writes first_id + i for each set bit i, ascending. Returns where the next one goes.
uint32_t* write_ids(const uint64_t* words, int count, uint32_t first_id, uint32_t* ids);

}  // namespace vantage::carving
