#include "core/pipeline/stages/joined_heads_stage.h"

#include "core/pipeline/frame_result.h"
#include "core/pipeline/joined_heads.h"

namespace vantage {
namespace {

class JoinedHeadsStage final : public Stage {
 public:
  std::string_view name() const override { return kJoinedHeadsStage; }
  std::vector<std::string_view> inputs() const override {
    return {kHeightMapStage, kPeopleStage, kHeadsStage};
  }
  Status configure(const ParameterStore&) override { return {}; }
  uint64_t own_hash() const override { return 0; }

  Result<ArtifactRef> process(int64_t, const StageInputs& inputs) override {
    auto artifact = std::make_shared<JoinedHeadsArtifact>();
    artifact->joined = join_heads(inputs.get<HeightMapArtifact>(kHeightMapStage).estimate.heads,
                                  inputs.get<PeopleArtifact>(kPeopleStage).found.people,
                                  inputs.get<HeadsArtifact>(kHeadsStage).heads);
    return artifact;
  }
};

}  // namespace

std::unique_ptr<Stage> make_joined_heads_stage() {
  return std::make_unique<JoinedHeadsStage>();
}

}  // namespace vantage
