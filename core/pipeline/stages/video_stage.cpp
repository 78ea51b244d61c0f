#include "core/pipeline/stages/stage_types.h"

#include "core/base/hash.h"
#include "core/pipeline/artifacts.h"
#include "core/pipeline/memory_needed.h"
#include "core/pipeline/stage.h"

namespace vantage {
namespace {

uint64_t video_hash(const FrameSource& source, bool device) {
  return Hasher().add(source.version()).add(device).value();
}

// A decoder keeps up to 16 pictures for prediction; software also decodes some in parallel. The hardware's
// value was measured: 90 MB a stream of 1280x960.
constexpr double kDecoderPictures = 20, kHardwareDecoderPictures = 48;

class VideoStage final : public StageOf<&FrameArtifacts::video> {
 public:
  VideoStage(const ChainContext& context, std::unique_ptr<MemoryTransfer> transfer)
      : source_(context.source), device_(context.backends.device), transfer_(std::move(transfer)) {}

  static Result<std::unique_ptr<Stage>> make(ChainContext& context) {
    VANTAGE_ASSIGN(auto transfer, context.make_transfer());
    return std::make_unique<VideoStage>(context, std::move(transfer));
  }

  static void estimate_memory(const AnalysedScene& scene, MemoryEstimate* estimate) {
    const auto add = [&](const char* of, double bytes, const char* remedy) {
      const bool there = scene.hardware_decoding;
      estimate->add({of, there ? 0 : bytes, there ? bytes : 0, remedy});
    };
    const double decoder = scene.hardware_decoding ? kHardwareDecoderPictures : kDecoderPictures;
    add("video", decoder * kPixelBytes * scene.pixels(), kSmallerPictures);
    double waiting = 0;
    for (size_t i = 0; i < scene.waiting.size(); ++i)
      waiting += scene.waiting[i] * kPixelBytes * scene.pictures[i].pixels();
    if (waiting > 0)
      add("pictures waiting", waiting, "Correct the cameras' delays by less, or use smaller pictures.");
    estimate->add_artifact(kPixelBytes * scene.pixels());
  }

  std::string_view name() const override { return kVideoStage; }
  std::vector<std::string_view> inputs() const override { return {}; }
  Status configure(const ParameterStore&) override { return {}; }
  uint64_t own_hash() const override { return video_hash(source_, device_ != Device::cpu); }

  Result<Made> process(int64_t frame, const FrameArtifacts&) override {
    auto artifact = std::make_shared<FrameSetArtifact>();
    VANTAGE_ASSIGN(artifact->frames, source_.read(frame));
    for (size_t i = 0; i < artifact->frames.cameras.size(); ++i) {
      Picture& picture = artifact->frames.cameras[i].picture;
      if (!picture || picture.place().kind == MemoryKind::device) continue;
      VANTAGE_ASSIGN(picture, transfer_->upload(picture, frame, static_cast<int>(i)));
    }
    return artifact;
  }

 private:
  FrameSource& source_;
  const Device device_;
  const std::unique_ptr<MemoryTransfer> transfer_;
};

}  // namespace

std::array<uint64_t, 2> picture_versions(const FrameSource& source) {
  std::array<uint64_t, 2> versions;
  for (const bool device : {false, true})
    versions[device] = Hasher().add(kVideoStage).add(video_hash(source, device)).value();
  return versions;
}

const StageType kVideoStageType = {
    .name = kVideoStage, .make = VideoStage::make, .estimate_memory = VideoStage::estimate_memory};

size_t FrameSetArtifact::size_bytes() const {
  size_t total = sizeof *this;
  for (const CameraFrame& camera : frames.cameras) total += sizeof camera + camera.picture.size_bytes();
  return total;
}

}  // namespace vantage
