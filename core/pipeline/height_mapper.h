// The height map of the pictures of one instant and its people: descriptors, data cost, belief propagation
// and heads combined, for the stage and the subcommand.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/geometry/height_field.h"
#include "core/height_map/cost.h"
#include "core/height_map/head_shape.h"
#include "core/image/backend/memory_transfer.h"
#include "core/video/frame_source.h"

namespace vantage {

// The grey values of one camera's picture; empty: it has none.
struct LumaPlane {
  BufferRef buffer;
  ImageView<const uint8_t> view;
  Picture picture = {};  // the plane's picture, if any
  explicit operator bool() const { return buffer != nullptr; }
};
std::vector<LumaPlane> luma_of(const FrameSet& frames);

struct HeightMapperOptions {
  DeviceBackends backends;
  std::vector<Camera> cameras;      // all calibrated
  std::optional<VoxelGrid> region;  // only heads above its floor; nothing: everywhere
  // Maximum extent of a head beyond its detected foreground.
  int foreground_margin_px = 8;
};

struct HeightMapRequest {
  bool warm_start = false;  // as of HeightSolveRequest
  // Called at every check but the last with the present map and its heads; false ends the computation.
  std::function<bool(const HeightEstimate&)> on_check = {};
};

class HeightMapper {
 public:
  explicit HeightMapper(HeightMapperOptions options) : options_(std::move(options)) {}

  // Chooses the reference camera. Errors: no such camera, or fewer than two (invalid_argument).
  Status configure(const HeightMapParameters& parameters, const DaisyParameters& descriptor);
  size_t reference() const { return reference_; }
  const HeightMapParameters& parameters() const { return parameters_; }

  // Measures the costs, in the device's memory. `pictures`: one per camera, in the device's memory; empty
  // where a camera has none, except the reference. `foreground`: each camera's mask on the host, for
  // use_foreground; none, or empty where unknown; `mask`: u8, host, 0 = excluded, may be empty. `progress`:
  // as of HeightCost.
  Result<CostVolume> measure(const std::vector<LumaPlane>& pictures, const std::vector<Image>& foreground,
                             const Image& mask, int64_t frame,
                             const std::function<bool(double)>& progress = {});
  // Solves the map; its heads are measured by the outlines in the pictures measured last. Costs from
  // elsewhere have no outlines.
  Result<HeightEstimate> solve(const CostVolume& costs, const HeightMapRequest& request, int64_t frame);

  Result<PixelBelief> belief_of(int x, int y);

  Result<CostVolume> to_device(CostVolume costs);
  Result<CostVolume> to_host(CostVolume costs);
  // Working memory, descriptors and costs of measure() and solve().
  size_t memory_bytes() const;

 private:
  Status prepare();
  // Copies the pictures to the host and reads them in separate threads while the map is solved.
  Status begin_outlines(const std::vector<LumaPlane>& pictures, const std::vector<Image>& foreground,
                        int64_t frame);
  Result<Image> combined_mask(const Image& foreground, const Image& mask) const;
  // The estimate, with the map's heads.
  Result<HeightEstimate> estimate_of(HeightMap map);
  Status measure_heads(HeightEstimate& estimate);
  Result<Image> upload(const Image& image, int64_t frame);
  Result<Image> download(const Image& image, int64_t frame);

  HeightMapperOptions options_;
  HeightMapParameters parameters_;
  DaisyParameters descriptor_;
  size_t reference_ = 0;
  std::optional<size_t> max_floor_;
  // Rays of the reference camera for the present labels and surface.
  HeightRays rays_;
  Image region_;  // u8, host: 0 outside the region; empty: everywhere
  std::unique_ptr<HeightCost> cost_;
  std::unique_ptr<HeightSolver> solver_;
  std::vector<std::unique_ptr<Daisy>> daisies_;
  std::shared_future<Result<HeadOutlines>> outlines_;  // the last measured pictures'; invalid: none
  std::unique_ptr<MemoryTransfer> transfer_;
};

}  // namespace vantage
