// The pictures next to results.jsonl: shells, floor maps, foreground masks, flows, confidence volumes and the
// floor's coverage, each of every so many frames. The prose is resources/docs/formats.md, "Results".
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

// Every so many frames, counted from frame 0 of the recording; 0: never.
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
  // `transfer` fetches what lies on a device.
  ResultsPictures(std::filesystem::path folder, std::vector<std::string> cameras,
                  const ResultsPictureOptions& options, std::shared_ptr<MemoryTransfer> transfer);

  // The pictures due of this frame.
  Status write(const FrameResult& result);
  // coverage.png: how many cameras see each cell of the floor, in equal steps of grey up to white for all.
  Status write_coverage(const VoxelGrid& grid, const FloorCoverage& coverage);
  // Takes away the pictures of earlier runs that this run has not written again, but for those of frames
  // whose results stay.
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

// A frame's pictures and shell as the bytes of their files: for results on disk and for the server. The prose
// is resources/docs/formats.md, "Results".

// In host memory; `transfer` fetches what lies on a device.
Result<Image> on_host(const Image& image, MemoryTransfer& transfer, int64_t frame);

// The volume's shell as PLY (shell_files.h). Waits for a device's work on it.
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
