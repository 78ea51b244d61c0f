#include "core/pipeline/stages/carving_stage.h"

#include "core/base/hash.h"
#include "core/pipeline/artifacts.h"

namespace vantage {
namespace {

uint64_t setup_hash(const Carver::Arguments& arguments, Device device, bool keep_confidence) {
  Hasher hasher;
  hasher.add(device).add(keep_confidence).add(arguments.cameras.size());
  for (const PinholeCamera<double>& c : arguments.cameras) {
    hasher.add(c.width_px).add(c.height_px).add(c.fx_px).add(c.fy_px).add(c.cx_px).add(c.cy_px);
    hasher.add(c.k1).add(c.k2).add(c.p1).add(c.p2).add(c.k3).add(c.max_radius2);
    for (const double value : c.rotation_cam_from_world) hasher.add(value);
    for (const double value : c.translation_cam_from_world_m) hasher.add(value);
  }
  const VoxelGrid& grid = arguments.grid;
  for (const double value : grid.origin_in_world_m) hasher.add(value);
  return hasher.add(grid.voxel_size_m).add(grid.nx).add(grid.ny).add(grid.nz).value();
}

class CarvingStage final : public StageOf<&FrameArtifacts::carving> {
 public:
  CarvingStage(std::unique_ptr<Carver> carver, uint64_t setup, bool keep_confidence)
      : carver_(std::move(carver)), setup_hash_(setup), keep_confidence_(keep_confidence) {}

  std::string_view name() const override { return kCarvingStage; }
  std::vector<std::string_view> inputs() const override { return {kForegroundStage}; }
  Status configure(const ParameterStore& parameters) override {
    carver_->set_parameters(parameters.get<CarvingParameters>());
    parameter_hash_ = parameters.hash(parameter_table<CarvingParameters>().stage);
    return {};
  }
  uint64_t own_hash() const override { return Hasher().add(setup_hash_).add(parameter_hash_).value(); }

  Result<Made> process(int64_t frame, const FrameArtifacts& inputs) override {
    std::vector<Image> indicators;
    for (const ForegroundImages& images : inputs.foreground->cameras) indicators.push_back(images.indicator);
    auto artifact = std::make_shared<VolumeArtifact>();
    VANTAGE_ASSIGN(artifact->volume, carver_->carve(indicators, keep_confidence_, frame));
    return artifact;
  }

 private:
  const std::unique_ptr<Carver> carver_;
  const uint64_t setup_hash_;
  const bool keep_confidence_;
  uint64_t parameter_hash_ = 0;
};

}  // namespace

std::unique_ptr<Stage> make_carving_stage(std::unique_ptr<Carver> carver, const Carver::Arguments& arguments,
                                          Device device, bool keep_confidence) {
  return std::make_unique<CarvingStage>(std::move(carver), setup_hash(arguments, device, keep_confidence),
                                        keep_confidence);
}

}  // namespace vantage
