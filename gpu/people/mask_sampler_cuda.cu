// The CUDA implementation of core/people/mask_samples.h: a warp votes on 32 samples, one
// launch for up to 16 cameras, and one copy of some 10 KB a camera to the host.
#include <algorithm>
#include <cstring>
#include <memory>

#include "core/people/mask_samples.h"
#include "gpu/algorithms.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu {
namespace {

constexpr int kWarp = 32, kWarps = 8;
constexpr unsigned kAllLanes = 0xffffffffu;
constexpr size_t kCamerasAtOnce = 16;  // their positions are the launch's parameters

struct SampledMask {
  ImageView<const uint8_t> indicator;
  SampleGrid grid;
  uint32_t *bits, *undecided;  // halves of their words, the lower one first
};
struct SampledMasks {
  SampledMask cameras[kCamerasAtOnce];
};

// A warp half a word; blockIdx.y: the camera.
__global__ void sample_masks(const __grid_constant__ SampledMasks masks) {
  const SampledMask& one = masks.cameras[blockIdx.y];
  const SampleGrid& grid = one.grid;
  const int half = static_cast<int>(blockIdx.x) * kWarps + static_cast<int>(threadIdx.x) / kWarp;
  const int lane = static_cast<int>(threadIdx.x) % kWarp, halves = 2 * grid.words;
  if (half >= halves * grid.height) return;
  const int y = half / halves, x = half % halves * kWarp + lane;
  const uint8_t level =
      x < grid.width
          ? one.indicator.row(grid.step_y * y +
                              grid.step_y / 2)[static_cast<ptrdiff_t>(grid.step_x) * x + grid.step_x / 2]
          : uint8_t{0};
  const uint32_t bits = __ballot_sync(kAllLanes, in_mask(level));
  const uint32_t undecided = __ballot_sync(kAllLanes, is_undecided(level));
  if (lane == 0) one.bits[half] = bits, one.undecided[half] = undecided;
}

class MaskSamplerCuda final : public MaskSampler {
 public:
  MaskSamplerCuda(std::shared_ptr<Context> context, std::unique_ptr<Stream> stream)
      : context_(std::move(context)), stream_(std::move(stream)) {}

  Result<Deferred<std::vector<MaskSamples>>> sample(std::span<const Image> indicators,
                                                    int64_t frame) override {
    std::vector<SampleGrid> grids;
    size_t words = 0;
    for (const Image& indicator : indicators) {
      grids.push_back(indicator ? SampleGrid::of(indicator.width(), indicator.height()) : SampleGrid());
      words += 2 * grids.back().word_count();
    }
    if (words == 0) return Deferred(std::vector<MaskSamples>(indicators.size()));
    VANTAGE_ASSIGN(const auto bits, DeviceBuffer<uint64_t>::take(*context_, words));
    VANTAGE_ASSIGN(const auto host, PinnedBuffer<uint64_t>::take(*context_, words));
    VANTAGE_ASSIGN(const EventRef done,
                   context_->run([&] { return enqueue(indicators, grids, bits, host, frame); }));
    return Deferred<std::vector<MaskSamples>>(
        [context = context_, done, host, grids = std::move(grids)]() -> Result<std::vector<MaskSamples>> {
          VANTAGE_TRY(context->wait(done));
          return from_host(grids, host.data());
        });
  }

 private:
  static std::vector<MaskSamples> from_host(const std::vector<SampleGrid>& grids, const uint64_t* words) {
    std::vector<MaskSamples> samples;
    for (const SampleGrid& grid : grids) {
      const uint64_t* undecided = words + grid.word_count();
      const uint64_t* end = undecided + grid.word_count();
      samples.push_back(
          {grid, std::vector<uint64_t>(words, undecided), std::vector<uint64_t>(undecided, end)});
      words = end;
    }
    return samples;
  }

  Result<EventRef> enqueue(std::span<const Image> indicators, const std::vector<SampleGrid>& grids,
                           const DeviceBuffer<uint64_t>& bits, const PinnedBuffer<uint64_t>& host,
                           int64_t frame) {
    Work work(*stream_, {.name = "mask samples", .frame = frame});
    VANTAGE_TRY(work.writes({bits, host}));
    std::vector<SampledMask> sampled;
    uint64_t* to = bits.data();
    for (size_t c = 0; c < indicators.size(); ++c) {
      const size_t count = grids[c].word_count();
      if (count == 0) continue;
      VANTAGE_TRY(work.reads(indicators[c].buffer()));
      sampled.push_back({indicators[c].view<uint8_t>(), grids[c], reinterpret_cast<uint32_t*>(to),
                         reinterpret_cast<uint32_t*>(to + count)});
      to += 2 * count;
    }
    for (size_t first = 0; first < sampled.size(); first += kCamerasAtOnce)
      VANTAGE_TRY(launch_some(work, std::span(sampled).subspan(first)));
    VANTAGE_TRY(work.copy("copy mask samples to host", host, bits, bits.count()));
    VANTAGE_TRY(work.finish());
    return work.done();
  }

  // The first kCamerasAtOnce of them.
  static Status launch_some(Work& work, std::span<const SampledMask> masks) {
    SampledMasks some{};
    const size_t cameras = std::min(masks.size(), kCamerasAtOnce);
    size_t max_words = 0;
    for (size_t c = 0; c < cameras; ++c) {
      some.cameras[c] = masks[c];
      max_words = std::max(max_words, masks[c].grid.word_count());
    }
    const auto blocks = static_cast<unsigned>((2 * max_words + kWarps - 1) / kWarps);
    return launch(work, "sample_masks", {dim3(blocks, static_cast<unsigned>(cameras)), dim3(kWarps * kWarp)},
                  sample_masks, some);
  }

  std::shared_ptr<Context> context_;
  std::unique_ptr<Stream> stream_;
};

}  // namespace

void register_mask_sampler_cuda(BackendRegistry& registry) {
  registry.add<MaskSampler>(
      Device::cuda,
      [](const BackendContext& backend,
         const MaskSampler::Arguments&) -> Result<std::unique_ptr<MaskSampler>> {
        VANTAGE_ASSIGN(std::shared_ptr<Context> context, Context::get(backend.device_index));
        VANTAGE_ASSIGN(std::unique_ptr<Stream> stream, Stream::make(context, "people", backend.trace));
        return std::make_unique<MaskSamplerCuda>(std::move(context), std::move(stream));
      });
}

}  // namespace vantage::gpu
