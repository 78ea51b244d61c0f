// Volume and shell carving: which voxels the cameras agree on, after ADABTS D6.1, section 3.3.3 ("Boxer").
//
//   confidence(voxel) = (1/n) sum over the cameras that see it of indicator_c(project_c(voxel centre))
//
// Projection includes lens distortion (block_positions.h, float); indicators are sampled bilinearly between
// pixel centres. A camera sees a voxel when its centre is projected from in front of the camera to a position
// whose 2x2 support lies in the picture (support_inside()); without an indicator in this frame it sees none.
// Voxels that fewer than min_cameras of the C cameras see (all C, where there are fewer) have confidence 0
// and are never occupied. Otherwise n is the number of cameras that see the voxel (VoteDivisor::seeing) or C
// (VoteDivisor::all, as the source: the border of the common view can then hardly be reached).
// A voxel is occupied when confidence >= threshold; the exact arithmetic and comparison are in sample.h,
// shared by all implementations. A shell voxel is an occupied one with at least one of its six neighbours not
// occupied; outside the grid counts as not occupied. Shell IDs are linear (VoxelGrid::linear_id), 32 bits,
// ascending and compacted. Grids have at most 2^31 - 1 voxels, scenes at most kMaxCarvingCameras cameras.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/parameters.h"
#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/geometry/projection.h"
#include "core/geometry/voxel_grid.h"
#include "core/image/backend/registry.h"
#include "core/image/picture.h"

namespace vantage {

enum class VoteDivisor : uint8_t { seeing, all };
inline constexpr int kMaxCarvingCameras = 64;

struct CarvingParameters {
  double threshold = 0.7;
  int min_cameras = 3;
  VoteDivisor divide_by = VoteDivisor::seeing;
};
template <>
const ParameterTable& parameter_table<CarvingParameters>();

struct VolumeCounts {
  int64_t shell = 0;
  int64_t occupied = 0;
};

struct CarvedVolume {
  VoxelGrid grid;
  int64_t frame = -1;
  // A device carver's counts may still be on their way, and its IDs are written when first asked for.
  Deferred<VolumeCounts> counts;
  // u32, height 1, width = capacity; the first counts.shell entries are valid. Host or device, as the carver.
  Deferred<Image> shell_ids;
  size_t shell_size_bytes = 0;  // of the IDs, or of what they are written from
  // f32 in [0,1], width nx, height ny * nz (row y + ny * z); present when asked for.
  Image confidence;
  // u32, width ceil(nx / 32), height ny * nz (row y + ny * z): bit i of word w is voxel 32 w + i, bits beyond
  // nx are 0; present when the carver was made with keep_occupancy.
  Image occupancy;
};

class Carver {
 public:
  static constexpr std::string_view kAlgorithm = "carving";
  struct Arguments {
    std::vector<PinholeCamera<double>> cameras;
    VoxelGrid grid;
    bool keep_occupancy = false;
    // Leaves out blocks of voxels that are known to be empty or full from the range of the indicators there
    // (voxel_votes.h). Changes no bit of the result; off for measuring and testing only.
    bool skip_decided = true;
  };
  virtual ~Carver() = default;
  virtual void set_parameters(const CarvingParameters& parameters) = 0;
  // One indicator (u8, 255 = 1) per camera, of the camera's picture size. A missing one (empty Image)
  // is a camera that sees nothing. Errors: wrong number, size or memory (invalid_argument), out_of_memory,
  // device_lost.
  virtual Result<CarvedVolume> carve(std::span<const Image> indicators, bool keep_confidence,
                                     int64_t frame) = 0;
};

// Preconditions of every carver, whatever its device.

// invalid_argument: no or too many cameras, a picture of more than 32767 pixels a side, an empty grid, more
// than 2^31 - 1 voxels.
Status check_arguments(const Carver::Arguments& arguments);

// invalid_argument: not one indicator per camera, another type or size than the camera's picture, or not in
// the carver's memory. Empty images pass.
Status check_indicators(std::span<const Image> indicators, std::span<const PinholeCamera<float>> cameras,
                        MemoryPlace place);

}  // namespace vantage
