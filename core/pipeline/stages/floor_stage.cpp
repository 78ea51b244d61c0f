#include "core/pipeline/stages/floor_stage.h"

#include "core/pipeline/artifacts.h"

namespace vantage {
namespace {

class FloorStage final : public StageOf<&FrameArtifacts::floor> {
 public:
  FloorStage(std::unique_ptr<FloorMapper> mapper, std::unique_ptr<MemoryTransfer> transfer)
      : mapper_(std::move(mapper)), transfer_(std::move(transfer)) {}

  std::string_view name() const override { return kFloorStage; }
  std::vector<std::string_view> inputs() const override { return {kCarvingStage}; }
  Status configure(const ParameterStore& parameters) override {
    mapper_->set_parameters(parameters.get<FloorMapParameters>());
    parameter_hash_ = parameters.hash(parameter_table<FloorMapParameters>().stage);
    return {};
  }
  // Grid and device are the carver's.
  uint64_t own_hash() const override { return parameter_hash_; }

  Result<Made> process(int64_t frame, const FrameArtifacts& inputs) override {
    const CarvedVolume& volume = inputs.carving->volume;
    auto artifact = std::make_shared<FloorMapArtifact>();
    VANTAGE_ASSIGN(artifact->map, mapper_->map(volume.occupancy, frame));
    VANTAGE_ASSIGN(artifact->map.columns, transfer_->download(artifact->map.columns, frame, -1));
    VANTAGE_ASSIGN(artifact->map.tops, transfer_->download(artifact->map.tops, frame, -1));
    return artifact;
  }

 private:
  const std::unique_ptr<FloorMapper> mapper_;
  const std::unique_ptr<MemoryTransfer> transfer_;
  uint64_t parameter_hash_ = 0;
};

}  // namespace

std::unique_ptr<Stage> make_floor_stage(std::unique_ptr<FloorMapper> mapper,
                                        std::unique_ptr<MemoryTransfer> transfer) {
  return std::make_unique<FloorStage>(std::move(mapper), std::move(transfer));
}

}  // namespace vantage
