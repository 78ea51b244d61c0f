#include "core/pipeline/stages/video_stage.h"

#include "core/base/hash.h"
#include "core/pipeline/artifacts.h"

namespace vantage {
namespace {

class VideoStage final : public StageOf<&FrameArtifacts::video> {
 public:
  VideoStage(Recording& recording, Device device, std::unique_ptr<MemoryTransfer> transfer)
      : recording_(recording), device_(device), transfer_(std::move(transfer)) {}

  std::string_view name() const override { return kVideoStage; }
  std::vector<std::string_view> inputs() const override { return {}; }
  Status configure(const ParameterStore&) override { return {}; }
  uint64_t own_hash() const override {
    return Hasher().add(recording_.version()).add(device_ != Device::cpu).value();
  }

  Result<Made> process(int64_t frame, const FrameArtifacts&) override {
    auto artifact = std::make_shared<FrameSetArtifact>();
    VANTAGE_ASSIGN(artifact->frames, recording_.read(frame));
    for (size_t i = 0; i < artifact->frames.cameras.size(); ++i) {
      Picture& picture = artifact->frames.cameras[i].picture;
      if (!picture || picture.place().kind == MemoryKind::device) continue;
      VANTAGE_ASSIGN(picture, transfer_->upload(picture, frame, static_cast<int>(i)));
    }
    return artifact;
  }

 private:
  Recording& recording_;
  const Device device_;
  const std::unique_ptr<MemoryTransfer> transfer_;
};

}  // namespace

std::unique_ptr<Stage> make_video_stage(Recording& recording, Device device,
                                        std::unique_ptr<MemoryTransfer> transfer) {
  return std::make_unique<VideoStage>(recording, device, std::move(transfer));
}

}  // namespace vantage
