#include "core/pipeline/stages/stage_types.h"

#include "core/base/hash.h"
#include "core/carving/block_table.h"
#include "core/pipeline/artifacts.h"
#include "core/pipeline/memory_needed.h"
#include "core/pipeline/stage.h"

namespace vantage {
namespace {

constexpr double kShellShare = 0.05;  // share of a volume's voxels, as IDs: people fill less

uint64_t setup_hash(const Carver::Arguments& arguments, Device device, bool keep_confidence) {
  Hasher hasher;
  hasher.add(device).add(keep_confidence).add(arguments.cameras.size());
  for (const PinholeCamera<double>& c : arguments.cameras) {
    hasher.add(c.width_px).add(c.height_px).add(c.fx_px).add(c.fy_px).add(c.cx_px).add(c.cy_px);
    hasher.add(c.lens).add(c.k1).add(c.k2).add(c.p1).add(c.p2).add(c.k3).add(c.max_radius2);
    for (const double value : {c.k4, c.k5, c.k6, c.s1, c.s2, c.s3, c.s4, c.tau_x, c.tau_y}) hasher.add(value);
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

  static Result<std::unique_ptr<Stage>> make(ChainContext& context) {
    Carver::Arguments arguments;
    arguments.cameras = context.models();
    arguments.grid = *context.grid;
    arguments.keep_occupancy = true;
    VANTAGE_ASSIGN(auto carver, context.backends.create<Carver>(arguments));
    const uint64_t setup = setup_hash(arguments, context.backends.device, context.keep_confidence);
    return std::make_unique<CarvingStage>(std::move(carver), setup, context.keep_confidence);
  }

  static void estimate_memory(const AnalysedScene& scene, MemoryEstimate* estimate) {
    const auto table =
        static_cast<double>(block_table_bytes(*scene.grid, scene.pictures.size()) * scene.calibration_spans);
    const double pixels = scene.pixels(), voxels = scene.voxels();
    if (scene.on_device())  // it reads four pixels at once: 4 B a pixel
      estimate->add({"carving", table, table + pixels / 6 + 4 * pixels, kLargerVoxels});
    else
      estimate->add("carving", table + 2 * (voxels / 8) + pixels / 8, kLargerVoxels);
    estimate->add_artifact(scene.on_device() ? voxels / 4 : 4 * kShellShare * voxels);
    if (scene.keep_confidence) estimate->add_artifact(4 * voxels);
  }

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

const StageType kCarvingStageType = {.name = kCarvingStage,
                                     .needs_calibration = true,
                                     .by_calibration = true,
                                     .tables = tables_of<CarvingParameters>,
                                     .make = CarvingStage::make,
                                     .estimate_memory = CarvingStage::estimate_memory};

size_t VolumeArtifact::size_bytes() const {
  return sizeof *this + volume.shell_size_bytes + volume.confidence.size_bytes() +
         volume.occupancy.size_bytes();
}

Status VolumeArtifact::finish() const {
  if (const Result<VolumeCounts>& counts = volume.counts.get(); !counts) return fail(counts.error());
  return {};
}

}  // namespace vantage
