// The CUDA implementation of core/height_map/cost.h: one warp a pixel, its lanes the
// heights. The costs are the CPU's, bit for bit.
#include <memory>

#include "core/height_map/cost.h"
#include "core/height_map/cost_pixel.h"
#include "gpu/algorithms.h"
#include "gpu/runtime/upload.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu {
namespace {

constexpr int kWarps = 4;  // pixels of a block
constexpr int kLanes = 32;
constexpr int kRounds = (kMaxHeights + kMaxBelow + kLanes - 1) / kLanes;

struct CostArguments {
  CostPlan plan;
  PinholeCamera<float> reference;
  ImageView<const uint8_t> histograms;  // of the reference
  const CostView* views;
  int view_count;
  ImageView<const float> slopes;
  ImageView<const uint8_t> mask;  // no data: everywhere
  ImageView<float> costs;
  int width, height;
};

__device__ unsigned squared_distance(uint2 a, uint2 b) {
  const unsigned low = __vabsdiffu4(a.x, b.x), high = __vabsdiffu4(a.y, b.y);
  return __dp4a(low, low, __dp4a(high, high, 0u));
}

__global__ void __launch_bounds__(kWarps* kLanes) measure_costs(const CostArguments a) {
  __shared__ uint2 descriptors[kWarps][kMaxHistograms];
  __shared__ float2 rings[kWarps][kMaxHistograms];
  const int warp = static_cast<int>(threadIdx.x) / kLanes, lane = static_cast<int>(threadIdx.x) % kLanes;
  const int x = static_cast<int>(blockIdx.x) * kWarps + warp, y = static_cast<int>(blockIdx.y);
  if (x >= a.width) return;  // all of a warp
  const CostPlan& plan = a.plan;
  const float slope_x = a.slopes.at(2 * x, y), slope_y = a.slopes.at(2 * x + 1, y);
  if (isnan(slope_x) || (a.mask.data && a.mask.at(x, y) == 0)) {
    for (int k = lane; k <= plan.heights; k += kLanes)
      a.costs.at(x, k * a.height + y) = k < plan.heights ? kMaskedCost : 0.0f;
    return;
  }
  float point[3];
  CombinedCost costs[kRounds];
  for (int v = 0; v < a.view_count; ++v) {
    const CostView& view = a.views[v];
    point_at(plan, slope_x, slope_y, cost_height(plan, plan.heights / 2), point);
    const EpipolarTurn turn = epipolar_turn(a.reference, view, point);
    const bool usable = turn.valid && view.histograms.data;
    __syncwarp();
    for (int i = lane; usable && i < plan.histograms; i += kLanes) {
      float dx, dy;
      turned(turn.cos_here, turn.sin_here, plan.ring_x[i], plan.ring_y[i], &dx, &dy);
      turn_histogram(histogram_at(a.histograms, a.height, plan.level[i], static_cast<float>(x) + dx,
                                  static_cast<float>(y) + dy),
                     turn, reinterpret_cast<uint8_t*>(&descriptors[warp][i]));
      turned(turn.cos_there, turn.sin_there, plan.ring_x[i], plan.ring_y[i], &rings[warp][i].x,
             &rings[warp][i].y);
    }
    __syncwarp();
#pragma unroll
    for (int round = 0; round < kRounds; ++round) {
      const int k = lane + round * kLanes;
      if (k >= plan.heights + plan.below) continue;
      point_at(plan, slope_x, slope_y, cost_height(plan, k), point);
      const Pixel<float> there = project(view.camera, point[0], point[1], point[2]);
      const bool seen = usable && inside_picture(view.camera, there);
      float sum = 0;
      for (int i = 0; seen && i < plan.histograms; ++i) {
        const float2 ring = rings[warp][i];
        const uint8_t* const at = histogram_at(view.histograms, view.camera.height_px, plan.level[i],
                                               there.x + ring.x, there.y + ring.y);
        sum = sum + sqrtf(static_cast<float>(
                        squared_distance(descriptors[warp][i], *reinterpret_cast<const uint2*>(at))));
      }
      combine_cost(plan, seen, sum / (255.0f * static_cast<float>(plan.histograms)), costs[round]);
    }
  }
  float none = plan.no_head_cost;
#pragma unroll
  for (int round = 0; round < kRounds; ++round) {
    const int k = lane + round * kLanes;
    if (k >= plan.heights + plan.below) continue;
    const float cost = combined_cost(plan, costs[round]);
    if (k < plan.heights)
      a.costs.at(x, k * a.height + y) = cost;
    else
      none = fminf(none, cost);
  }
  for (int offset = kLanes / 2; offset > 0; offset /= 2)
    none = fminf(none, __shfl_xor_sync(0xffffffffu, none, offset));
  if (lane == 0) a.costs.at(x, plan.heights * a.height + y) = none;
}

class HeightCostCuda final : public HeightCost {
 public:
  HeightCostCuda(const Arguments& arguments, std::shared_ptr<Context> context, std::unique_ptr<Stream> stream)
      : arguments_(arguments),
        views_(make_cost_views(arguments)),
        context_(std::move(context)),
        stream_(std::move(stream)) {
    set_parameters({}, {});
  }

  // Brings the slopes to the device.
  Status prepare() {
    VANTAGE_ASSIGN(slopes_, upload(*stream_, arguments_.slopes));
    VANTAGE_ASSIGN(view_memory_, DeviceBuffer<CostView>::take(*context_, views_.size()));
    return {};
  }

  void set_parameters(const HeightMapParameters& parameters, const DaisyParameters& descriptor) override {
    plan_ = CostPlan::make(parameters, descriptor, arguments_.center_in_world_m);
    labels_ = parameters.labels();
    levels_ = descriptor.rings;
  }

  Result<CostVolume> measure(const DaisyField& reference, std::span<const DaisyField> others,
                             const Image& mask, int64_t frame) override {
    MemoryPool& pool = context_->device_pool();
    VANTAGE_TRY(height_map::check(arguments_, reference, others, mask, levels_, pool.place()));
    if (reference.height > 65535)
      return fail(ErrorKind::unsupported, "the picture has more than 65535 rows", "height map");
    CostVolume volume{reference.width, reference.height, labels_, {}};
    VANTAGE_ASSIGN(volume.costs,
                   Image::make(ImageType::f32, volume.width, (labels_.count + 1) * volume.height, pool));
    VANTAGE_ASSIGN(const auto staging, PinnedBuffer<CostView>::take(*context_, views_.size()));
    for (size_t i = 0; i < views_.size(); ++i) {
      CostView& view = staging.data()[i] = views_[i];
      if (others[i]) view.histograms = others[i].histograms.view<uint8_t>();
    }
    VANTAGE_TRY(context_->run([&]() -> Status {
      Work work(*stream_, {.name = "height_cost", .frame = frame});
      VANTAGE_TRY(work.reads({staging, slopes_.buffer(), reference.histograms.buffer()}));
      for (const DaisyField& other : others)
        if (other) VANTAGE_TRY(work.reads(other.histograms.buffer()));
      if (mask) VANTAGE_TRY(work.reads(mask.buffer()));
      VANTAGE_TRY(work.writes({view_memory_, volume.costs.buffer()}));
      if (!views_.empty())
        VANTAGE_TRY(work.copy("copy host to device", view_memory_, staging, staging.count()));
      CostArguments a;
      a.plan = plan_;
      a.reference = cast_camera<float>(arguments_.reference);
      a.histograms = reference.histograms.view<uint8_t>();
      a.views = view_memory_.data();
      a.view_count = static_cast<int>(views_.size());
      a.slopes = slopes_.view<float>();
      if (mask) a.mask = mask.view<uint8_t>();
      a.costs = volume.costs.writable_view<float>();
      a.width = volume.width, a.height = volume.height;
      const dim3 blocks(static_cast<unsigned>((volume.width + kWarps - 1) / kWarps),
                        static_cast<unsigned>(volume.height));
      VANTAGE_TRY(launch(work, "measure_costs", {blocks, dim3(kWarps * kLanes)}, measure_costs, a));
      return work.finish();
    }));
    return volume;
  }

 private:
  const Arguments arguments_;
  const std::vector<CostView> views_;
  std::shared_ptr<Context> context_;
  std::unique_ptr<Stream> stream_;
  Image slopes_;
  DeviceBuffer<CostView> view_memory_;
  CostPlan plan_{};
  HeightLabels labels_;
  int levels_ = 0;
};

}  // namespace

void register_height_cost_cuda(BackendRegistry& registry) {
  registry.add<HeightCost>(
      Device::cuda,
      [](const BackendContext& backend,
         const HeightCost::Arguments& arguments) -> Result<std::unique_ptr<HeightCost>> {
        VANTAGE_TRY(height_map::check(arguments));
        VANTAGE_ASSIGN(std::shared_ptr<Context> context, Context::get(backend.device_index));
        VANTAGE_ASSIGN(std::unique_ptr<Stream> stream, Stream::make(context, "height cost", backend.trace));
        auto cost = std::make_unique<HeightCostCuda>(arguments, std::move(context), std::move(stream));
        VANTAGE_TRY(cost->prepare());
        return cost;
      });
}

}  // namespace vantage::gpu
