#include "core/pipeline/stages/joined_heads_stage.h"

#include "core/pipeline/artifacts.h"
#include "core/pipeline/detail/joined_heads.h"

namespace vantage {
namespace {

class JoinedHeadsStage final : public StageOf<&FrameArtifacts::joined_heads> {
 public:
  static Result<std::unique_ptr<Stage>> make(ChainContext&) { return std::make_unique<JoinedHeadsStage>(); }

  std::string_view name() const override { return kJoinedHeadsStage; }
  std::vector<std::string_view> inputs() const override {
    return {kHeightMapStage, kPeopleStage, kHeadsStage};
  }
  Status configure(const ParameterStore&) override { return {}; }
  uint64_t own_hash() const override { return 0; }

  Result<Made> process(int64_t, const FrameArtifacts& inputs) override {
    auto artifact = std::make_shared<JoinedHeadsArtifact>();
    artifact->joined =
        join_heads(inputs.heightmap->estimate.heads, inputs.people->found.people, inputs.heads->heads);
    return artifact;
  }
};

}  // namespace

const StageType kJoinedHeadsStageType = {.name = kJoinedHeadsStage,
                                         .needs_calibration = true,
                                         .enabled_by = kHeightMapStage,
                                         .has_results = false,
                                         .make = JoinedHeadsStage::make};

size_t JoinedHeadsArtifact::size_bytes() const {
  return sizeof *this + joined.size() * sizeof(JoinedHead);
}

}  // namespace vantage
