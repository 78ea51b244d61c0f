#include "core/pipeline/stages/display_stage.h"

#include "core/pipeline/artifacts.h"
#include "core/pipeline/chain_context.h"

namespace vantage {
namespace {

class DisplayStage final : public StageOf<&FrameArtifacts::display> {
 public:
  DisplayStage(std::unique_ptr<MemoryTransfer> transfer, bool with_volume)
      : transfer_(std::move(transfer)), with_volume_(with_volume) {}

  static Result<std::unique_ptr<Stage>> make(ChainContext& context) {
    if (!context.host_display || !context.backends.on_gpu()) return nullptr;
    VANTAGE_ASSIGN(auto transfer, context.make_transfer());
    return std::make_unique<DisplayStage>(std::move(transfer), context.grid.has_value());
  }

  std::string_view name() const override { return kDisplayStage; }
  std::vector<std::string_view> inputs() const override {
    if (with_volume_) return {kVideoStage, kForegroundStage, kCarvingStage};
    return {kVideoStage, kForegroundStage};
  }
  Status configure(const ParameterStore&) override { return {}; }
  uint64_t own_hash() const override { return with_volume_; }

  Result<Made> process(int64_t frame, const FrameArtifacts& inputs) override {
    auto artifact = std::make_shared<DisplayArtifact>();
    const FrameSet& frames = inputs.video->frames;
    const auto& foreground = inputs.foreground->cameras;
    artifact->pictures.resize(frames.cameras.size());
    artifact->indicators.resize(foreground.size());
    for (size_t i = 0; i < frames.cameras.size(); ++i) {
      const int camera = static_cast<int>(i);
      if (const Picture& picture = frames.cameras[i].picture) {
        VANTAGE_ASSIGN(artifact->pictures[i], transfer_->download(picture, frame, camera));
      }
      if (const Image& indicator = foreground[i].indicator) {
        VANTAGE_ASSIGN(artifact->indicators[i], transfer_->download(indicator, frame, camera));
      }
    }
    if (with_volume_) VANTAGE_TRY(copy_shell(inputs.carving->volume, artifact.get()));
    return artifact;
  }

 private:
  Status copy_shell(const CarvedVolume& volume, DisplayArtifact* artifact) {
    const Result<VolumeCounts>& counts = volume.counts.get();
    if (!counts) return fail(counts.error());
    artifact->shell_count = counts->shell;
    if (counts->shell == 0) return {};
    const Result<Image>& ids = volume.shell_ids.get();
    if (!ids) return fail(ids.error());
    VANTAGE_ASSIGN(artifact->shell_ids, transfer_->download(*ids, volume.frame, -1));
    return {};
  }

  const std::unique_ptr<MemoryTransfer> transfer_;
  const bool with_volume_;
};

}  // namespace

const StageType kDisplayStageType = {.name = kDisplayStage, .has_results = false, .make = DisplayStage::make};

size_t DisplayArtifact::size_bytes() const {
  size_t total = sizeof *this + shell_ids.size_bytes();
  for (const Picture& picture : pictures) total += picture.size_bytes();
  for (const Image& indicator : indicators) total += indicator.size_bytes();
  return total;
}

}  // namespace vantage
