#include "core/people/mask_samples.h"

#include <tbb/parallel_for.h>

#include <algorithm>

#include "core/algorithms.h"
#include "core/people/detail/mask_kernel.h"

namespace vantage {
namespace {

class MaskSamplerCpu final : public MaskSampler {
 public:
  Result<Deferred<std::vector<MaskSamples>>> sample(std::span<const Image> indicators, int64_t) override {
    std::vector<MaskSamples> samples(indicators.size());
    tbb::parallel_for(size_t{0}, indicators.size(), [&](size_t c) {
      if (indicators[c]) samples[c] = sample_mask(indicators[c].view<uint8_t>());
    });
    return Deferred(std::move(samples));
  }
};

}  // namespace

SampleGrid SampleGrid::of(int mask_width, int mask_height) {
  SampleGrid grid;
  if (mask_width <= 0 || mask_height <= 0) return grid;
  grid.step_x = std::max(1, mask_width / kWidth_px);
  grid.step_y = std::min(2 * grid.step_x, mask_height);
  grid.width = mask_width / grid.step_x, grid.height = mask_height / grid.step_y;
  grid.words = (grid.width + 63) / 64;
  return grid;
}

MaskSamples sample_mask(const ImageView<const uint8_t>& indicator) {
  MaskSamples samples;
  if (!indicator.data) return samples;
  samples.grid = SampleGrid::of(indicator.width, indicator.height);
  const SampleGrid& grid = samples.grid;
  samples.bits.resize(grid.word_count());
  samples.undecided.resize(grid.word_count());
  for (int y = 0; y < grid.height; ++y) {
    const size_t at = static_cast<size_t>(grid.words) * static_cast<size_t>(y);
    people_detail::kernel::pack_row(indicator.row(grid.step_y * y + grid.step_y / 2), grid.step_x, grid.width,
                                    samples.bits.data() + at, samples.undecided.data() + at);
  }
  return samples;
}

void register_mask_sampler_cpu(BackendRegistry& registry) {
  registry.add<MaskSampler>(
      Device::cpu,
      [](const BackendContext&, const MaskSampler::Arguments&) -> Result<std::unique_ptr<MaskSampler>> {
        return std::make_unique<MaskSamplerCpu>();
      });
}

}  // namespace vantage
