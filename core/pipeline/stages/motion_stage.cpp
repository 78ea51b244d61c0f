#include "core/pipeline/stages/motion_stage.h"

#include "core/base/hash.h"
#include "core/pipeline/artifacts.h"
#include "core/pipeline/chain_context.h"
#include "core/pipeline/detail/person_motion.h"

namespace vantage {
namespace {

class MotionStage final : public StageOf<&FrameArtifacts::motion> {
 public:
  explicit MotionStage(const ChainContext& context) : cameras_(context.calibrations) {
    Hasher hasher;
    for (const ChainCamera& camera : context.cameras) {
      frame_rates_.push_back(camera.frame_rate);
      hasher.add(camera.frame_rate);
    }
    hash_ = hasher.value();
  }

  static Result<std::unique_ptr<Stage>> make(ChainContext& context) {
    return std::make_unique<MotionStage>(context);
  }

  std::string_view name() const override { return kMotionStage; }
  std::vector<std::string_view> inputs() const override {
    return {kForegroundStage, kPeopleStage, kFlowStage};
  }
  Status configure(const ParameterStore&) override { return {}; }
  uint64_t own_hash() const override { return hash_; }  // cameras are the people's

  Result<Made> process(int64_t, const FrameArtifacts& inputs) override {
    auto artifact = std::make_shared<MotionArtifact>();
    const auto& flows = inputs.flow->cameras;
    const std::vector<FoundPerson>& people = inputs.people->found.people;
    if (flows.empty() || people.empty()) return artifact;
    const Result<std::vector<Image>>& masks = inputs.foreground->host_masks.get();
    if (!masks) return fail(masks.error());
    std::vector<MotionView> views;
    for (size_t c = 0; c < flows.size(); ++c) {
      MotionView& view = views.emplace_back();
      view.camera = cameras_[c];
      view.frame_rate = frame_rates_[c];
      const Image& mask = masks->at(c);
      if (!flows[c].field || !mask) continue;
      view.flow = &flows[c];
      view.mask = mask.view<uint8_t>();
    }
    artifact->people = measure_motion(views, people);
    return artifact;
  }

 private:
  const std::vector<Camera> cameras_;
  std::vector<double> frame_rates_;  // by camera
  uint64_t hash_ = 0;
};

}  // namespace

const StageType kMotionStageType = {.name = kMotionStage,
                                    .needs_calibration = true,
                                    .by_calibration = true,
                                    .enabled_by = kFlowStage,
                                    .make = MotionStage::make};

size_t MotionArtifact::size_bytes() const {
  return sizeof *this + people.size() * sizeof(people[0]);
}

}  // namespace vantage
