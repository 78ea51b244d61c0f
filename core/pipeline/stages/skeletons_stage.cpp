#include "core/pipeline/stages/skeletons_stage.h"

#include "core/pipeline/artifacts.h"
#include "core/pipeline/chain_context.h"
#include "core/pipeline/person_skeletons.h"

namespace vantage {
namespace {

class SkeletonsStage final : public StageOf<&FrameArtifacts::skeletons> {
 public:
  explicit SkeletonsStage(std::vector<Camera> cameras) : cameras_(std::move(cameras)) {}

  static Result<std::unique_ptr<Stage>> make(ChainContext& context) {
    return std::make_unique<SkeletonsStage>(context.calibrations);
  }

  std::string_view name() const override { return kSkeletonsStage; }
  std::vector<std::string_view> inputs() const override { return {kDetectionsStage, kPeopleStage}; }
  Status configure(const ParameterStore& parameters) override {
    parameters_ = parameters.get<SkeletonParameters>();
    hash_ = parameters_.enabled ? parameters.hash(parameter_table<SkeletonParameters>().stage) : 0;
    return {};
  }
  uint64_t own_hash() const override { return hash_; }  // cameras are the people's

  Result<Made> process(int64_t, const FrameArtifacts& inputs) override {
    auto artifact = std::make_shared<SkeletonsArtifact>();
    if (parameters_.enabled && !inputs.people->fused.empty())
      artifact->people =
          find_skeletons(cameras_, inputs.detections->cameras, inputs.people->fused, parameters_);
    return artifact;
  }

 private:
  const std::vector<Camera> cameras_;
  SkeletonParameters parameters_;
  uint64_t hash_ = 0;
};

}  // namespace

const StageType kSkeletonsStageType = {.name = kSkeletonsStage,
                                       .needs_calibration = true,
                                       .by_calibration = true,
                                       .enabled_by = kSkeletonsStage,
                                       .tables = tables_of<SkeletonParameters>,
                                       .make = SkeletonsStage::make};

size_t SkeletonsArtifact::size_bytes() const {
  size_t total = sizeof *this;
  for (const PersonSkeleton& person : people)
    total += sizeof person + person.joints.size() * sizeof(person.joints[0]);
  return total;
}

}  // namespace vantage
