// A frame's pictures and shell as the bytes of their files: for results on disk and for the server. The prose
// is resources/docs/formats.md, "Results".
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/geometry/voxel_grid.h"
#include "core/image/backend/memory_transfer.h"
#include "core/people/occupancy/coverage.h"
#include "core/pipeline/frame_result.h"

namespace vantage {

// In host memory; `transfer` fetches what lies on a device.
Result<Image> on_host(const Image& image, MemoryTransfer& transfer, int64_t frame);

// The volume's shell as PLY (ply.h). Waits for a device's work on it.
Result<std::string> encode_shell(const CarvedVolume& volume, MemoryTransfer& transfer);
// 16-bit PNG, a cell a pixel, millimetres of occupied voxels over it.
Result<std::string> encode_floor_map(const FloorMap& map);
// 8-bit PNG, 255: foreground; not_found where the camera has no picture of the frame.
Result<std::string> encode_mask(const ForegroundArtifact& foreground, size_t camera);
// A .flo file (core/optical_flow/flow_file.h); not_found where the camera has no two pictures in a row.
Result<std::string> encode_camera_flow(const FlowArtifact& flow, size_t camera);
// 8-bit PNG: that of each vector (FlowRequest::confidence), 255: sure; not_found also where
// flow.confidence is off.
Result<std::string> encode_flow_confidence(const FlowArtifact& flow, size_t camera);
// 16-bit PNG, a pixel of the reference camera a pixel, millimetres above the floor, 0: no head.
Result<std::string> encode_heights(const HeightEstimate& estimate);
// 8-bit PNG, a cell a pixel: how many cameras see it, in equal steps of grey up to white for all.
Result<std::string> encode_coverage(const VoxelGrid& grid, const FloorCoverage& coverage);

// The position and scale of a picture of the floor, as JSON text: metres_per_pixel, x_m and y_m of the centre
// of the lower left pixel, and `value`, what a grey level means. x grows to the right, y upwards.
std::string floor_scale(const VoxelGrid& grid, const std::string& value);
// The same of floor maps.
std::string floor_map_scale(const VoxelGrid& grid);

}  // namespace vantage
