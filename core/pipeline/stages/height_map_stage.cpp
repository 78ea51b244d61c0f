#include "core/pipeline/stages/height_map_stage.h"

#include "core/base/hash.h"
#include "core/pipeline/artifacts.h"

namespace vantage {
namespace {

class HeightMapStage final : public StageOf<&FrameArtifacts::heightmap> {
 public:
  explicit HeightMapStage(HeightMapperOptions options)
      : device_(options.backends.device), mapper_(std::move(options)) {}

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
  // Switched off, its other parameters make nothing out of date.
  uint64_t own_hash() const override { return hash_; }

  Result<Made> process(int64_t frame, const FrameArtifacts& inputs) override {
    auto artifact = std::make_shared<HeightMapArtifact>();
    if (!enabled_) return artifact;
    const std::vector<LumaPlane> pictures = luma_of(inputs.video->frames);
    // Without a picture there is no map; the frame's other results stand.
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

std::unique_ptr<Stage> make_height_map_stage(HeightMapperOptions options) {
  return std::make_unique<HeightMapStage>(std::move(options));
}

}  // namespace vantage
