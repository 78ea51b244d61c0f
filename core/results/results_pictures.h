// Writes pictures next to results.jsonl at stated intervals of frames: shells, floor maps, foreground masks,
// flows, confidence volumes and the coverage of the floor. Described in resources/docs/formats.md, "Results".
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/geometry/voxel_grid.h"
#include "core/image/backend/memory_transfer.h"
#include "core/people/occupancy/coverage.h"
#include "core/pipeline/frame_result.h"

namespace vantage {

// Intervals in frames, counted from frame 0 of the recording; 0: never.
struct ResultsPictureOptions {
  int64_t shells = 250;
  int64_t floor_maps = 250;
  int64_t masks = 0;
  int64_t flows = 0;    // needs flow.enabled
  int64_t volumes = 0;  // needs AnalysisOptions::keep_confidence
};

// "frame_000425.png" for 425 and "png".
std::string frame_file_name(int64_t frame, std::string_view extension);

class ResultsPictures {
 public:
  // `transfer` copies from a device.
  ResultsPictures(std::filesystem::path folder, std::vector<std::string> cameras,
                  const ResultsPictureOptions& options, std::shared_ptr<MemoryTransfer> transfer);

  // Writes the pictures due for this frame.
  Status write(const FrameResult& result);
  // coverage.png: the number of cameras that see each cell of the floor, in equal steps of grey up to white
  // for all.
  Status write_coverage(const VoxelGrid& grid, const FloorCoverage& coverage);
  // Removes pictures of earlier runs that this run has not written again, except those of frames whose
  // results stay.
  void remove_older(const std::set<int64_t>& staying);

 private:
  Status write_shell(const CarvedVolume& volume);
  Status write_volume(const CarvedVolume& volume);
  Status write_floor_map(const FloorMap& map);
  Status write_masks(const ForegroundArtifact& foreground, int64_t frame);
  Status write_flows(const FlowArtifact& flow, int64_t frame);
  Result<std::filesystem::path> file(const std::filesystem::path& place, int64_t frame,
                                     std::string_view extension);

  std::filesystem::path folder_;
  std::vector<std::string> cameras_;
  ResultsPictureOptions options_;
  std::shared_ptr<MemoryTransfer> transfer_;
  std::set<std::filesystem::path> written_;
};

// A frame's pictures and shell encoded as files, for results on disk and for the server. Described in
// resources/docs/formats.md, "Results".

// Copies the image to host memory; `transfer` copies from a device.
Result<Image> on_host(const Image& image, MemoryTransfer& transfer, int64_t frame);

// The volume's shell as PLY (shell_files.h). Waits for a device's work on it.
Result<std::string> encode_shell(const CarvedVolume& volume, MemoryTransfer& transfer);
// 16-bit PNG, one pixel a cell, in millimetres of occupied voxels above it.
Result<std::string> encode_floor_map(const FloorMap& map);
// 8-bit PNG, 255: foreground; not_found where the camera has no picture of the frame.
Result<std::string> encode_mask(const ForegroundArtifact& foreground, size_t camera);
// A .flo file (core/optical_flow/flow_file.h); not_found where the camera lacks two successive pictures.
Result<std::string> encode_camera_flow(const FlowArtifact& flow, size_t camera);
// 8-bit PNG of each vector's confidence (FlowRequest::confidence), 255: certain; also not_found where
// flow.confidence is off.
Result<std::string> encode_flow_confidence(const FlowArtifact& flow, size_t camera);
// 16-bit PNG, one pixel for each of the reference camera, in millimetres above the floor, 0: no head.
Result<std::string> encode_heights(const HeightEstimate& estimate);
// 8-bit PNG, one pixel a cell: the number of cameras that see it, in equal steps of grey up to white for all.
Result<std::string> encode_coverage(const VoxelGrid& grid, const FloorCoverage& coverage);

// The position and scale of a picture of the floor, as JSON text: metres_per_pixel, x_m and y_m of the centre
// of the lower left pixel, and `value`, the meaning of a grey level. x grows to the right, y upwards.
std::string floor_scale(const VoxelGrid& grid, const std::string& value);
// The same for floor maps.
std::string floor_map_scale(const VoxelGrid& grid);

}  // namespace vantage
