#include "core/pipeline/stages/floor_stage.h"

#include "core/pipeline/artifacts.h"
#include "core/pipeline/chain_context.h"
#include "core/pipeline/memory_needed.h"

namespace vantage {
namespace {

constexpr double kFloorColumn = 3 * 4;  // occupied voxels and top of a column, and a copy

class FloorStage final : public StageOf<&FrameArtifacts::floor> {
 public:
  FloorStage(std::unique_ptr<FloorMapper> mapper, std::unique_ptr<MemoryTransfer> transfer)
      : mapper_(std::move(mapper)), transfer_(std::move(transfer)) {}

  static Result<std::unique_ptr<Stage>> make(ChainContext& context) {
    VANTAGE_ASSIGN(auto mapper, context.backends.create<FloorMapper>({*context.grid}));
    VANTAGE_ASSIGN(auto transfer, context.make_transfer());
    return std::make_unique<FloorStage>(std::move(mapper), std::move(transfer));
  }

  static void estimate_memory(const AnalysedScene& scene, MemoryEstimate* estimate) {
    estimate->add("people", kFloorColumn * scene.grid->nx * scene.grid->ny, kLargerVoxels);
  }

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

const StageType kFloorStageType = {.name = kFloorStage,
                                   .needs_calibration = true,
                                   .tables = tables_of<FloorMapParameters>,
                                   .make = FloorStage::make,
                                   .estimate_memory = FloorStage::estimate_memory};

size_t FloorMapArtifact::size_bytes() const {
  return sizeof *this + map.columns.size_bytes() + map.tops.size_bytes();
}

}  // namespace vantage
