#include "core/pipeline/stages/stage_types.h"

#include <algorithm>

#include "core/base/hash.h"
#include "core/features/daisy.h"
#include "core/height_map/height_map.h"
#include "core/pipeline/artifacts.h"
#include "core/pipeline/height_mapper.h"
#include "core/pipeline/memory_needed.h"
#include "core/pipeline/stage.h"

namespace vantage {
namespace {

class HeightMapStage final : public StageOf<&FrameArtifacts::heightmap> {
 public:
  explicit HeightMapStage(HeightMapperOptions options)
      : device_(options.backends.device), mapper_(std::move(options)) {}

  static Result<std::unique_ptr<Stage>> make(ChainContext& context) {
    HeightMapperOptions options;
    options.backends = context.backends;
    options.cameras = context.calibrations;
    options.region = context.region;
    return std::make_unique<HeightMapStage>(std::move(options));
  }

  // As HeightMapper::memory_bytes(), for the largest picture where the reference is not chosen.
  static void estimate_memory(const AnalysedScene& scene, MemoryEstimate* estimate) {
    const auto map = scene.get<HeightMapParameters>();
    if (!map.enabled || scene.pictures.empty()) return;
    const auto chosen = static_cast<size_t>(std::max(0, map.reference - 1));
    const PictureSize picture =
        map.reference > 0 && chosen < scene.pictures.size()
            ? scene.pictures[chosen]
            : *std::max_element(
                  scene.pictures.begin(), scene.pictures.end(),
                  [](const auto& a, const auto& b) { return a.pixels() < b.pixels(); });
    const double descriptors = kDaisyBins * scene.get<DaisyParameters>().rings * scene.pixels();
    const auto solving =
        static_cast<double>(height_map::memory_bytes(picture.width_px, picture.height_px, map, scene.device));
    estimate->add("height map", (descriptors + solving) * static_cast<double>(scene.calibration_spans),
                  "Choose fewer heights or smaller pictures, or switch it off.");
  }

  std::string_view name() const override { return kHeightMapStage; }
  std::vector<std::string_view> inputs() const override { return {kVideoStage, kForegroundStage}; }
  Status configure(const ParameterStore& parameters) override {
    const auto own = parameters.get<HeightMapParameters>();
    enabled_ = own.enabled;
    Hasher hasher;
    hasher.add(enabled_);
    if (enabled_)
      hasher.add(device_)
          .add(parameters.hash(parameter_table<HeightMapParameters>().stage))
          .add(parameters.hash(parameter_table<DaisyParameters>().stage));
    hash_ = hasher.value();
    if (!enabled_) return {};
    return mapper_.configure(own, parameters.get<DaisyParameters>());
  }
  // Its other parameters invalidate nothing while it is switched off.
  uint64_t own_hash() const override { return hash_; }

  Result<Made> process(int64_t frame, const FrameArtifacts& inputs) override {
    auto artifact = std::make_shared<HeightMapArtifact>();
    if (!enabled_) return artifact;
    const std::vector<LumaPlane> pictures = luma_of(inputs.video->frames);
    // A frame without the reference's picture has no map; its other results are kept.
    if (!pictures.at(mapper_.reference())) return artifact;
    std::vector<Image> foreground;
    if (mapper_.parameters().use_foreground) {
      VANTAGE_ASSIGN(foreground, inputs.foreground->host_masks.get());
    }
    VANTAGE_ASSIGN(const CostVolume costs, mapper_.measure(pictures, foreground, {}, frame));
    VANTAGE_ASSIGN(artifact->estimate, mapper_.solve(costs, {}, frame));
    return artifact;
  }

 private:
  const Device device_;
  HeightMapper mapper_;
  bool enabled_ = false;
  uint64_t hash_ = 0;
};

}  // namespace

const StageType kHeightMapStageType = {.name = kHeightMapStage,
                                       .needs_calibration = true,
                                       .by_calibration = true,
                                       .enabled_by = kHeightMapStage,
                                       .tables = tables_of<HeightMapParameters, DaisyParameters>,
                                       .make = HeightMapStage::make,
                                       .estimate_memory = HeightMapStage::estimate_memory};

size_t HeightMapArtifact::size_bytes() const {
  const bool own_levels = estimate.levels.buffer() != estimate.map.labels.buffer();
  return sizeof *this + estimate.map.labels.size_bytes() + estimate.map.unsettled.size_bytes() +
         estimate.heights_m.size_bytes() + (own_levels ? estimate.levels.size_bytes() : 0) +
         estimate.device_levels.size_bytes() + estimate.device_unsettled.size_bytes() +
         estimate.heads.size() * sizeof(HeightMapHead);
}

}  // namespace vantage
