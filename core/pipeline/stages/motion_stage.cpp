#include "core/pipeline/stages/motion_stage.h"

#include "core/base/hash.h"
#include "core/pipeline/artifacts.h"
#include "core/pipeline/person_motion.h"

namespace vantage {
namespace {

class MotionStage final : public StageOf<&FrameArtifacts::motion> {
 public:
  explicit MotionStage(MotionStageOptions options) : options_(std::move(options)) {
    Hasher hasher;
    for (const double rate : options_.frame_rates) hasher.add(rate);
    hash_ = hasher.value();
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
    const std::vector<Person>& people = inputs.people->found.people;
    if (flows.empty() || people.empty()) return artifact;
    const Result<std::vector<Image>>& masks = inputs.foreground->host_masks.get();
    if (!masks) return fail(masks.error());
    std::vector<MotionView> views;
    for (size_t c = 0; c < flows.size(); ++c) {
      MotionView& view = views.emplace_back();
      view.camera = options_.cameras[c];
      view.frame_rate = options_.frame_rates[c];
      const Image& mask = masks->at(c);
      if (!flows[c].field || !mask) continue;
      view.flow = &flows[c];
      view.mask = mask.view<uint8_t>();
    }
    artifact->people = measure_motion(views, people);
    return artifact;
  }

 private:
  const MotionStageOptions options_;
  uint64_t hash_ = 0;
};

}  // namespace

std::unique_ptr<Stage> make_motion_stage(MotionStageOptions options) {
  return std::make_unique<MotionStage>(std::move(options));
}

}  // namespace vantage
