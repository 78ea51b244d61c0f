#include "core/pipeline/stages.h"

#include <utility>

#include "core/pipeline/chain_context.h"
#include "core/pipeline/stages/appearance_stage.h"
#include "core/pipeline/stages/carving_stage.h"
#include "core/pipeline/stages/detections_stage.h"
#include "core/pipeline/stages/display_stage.h"
#include "core/pipeline/stages/floor_stage.h"
#include "core/pipeline/stages/flow_stage.h"
#include "core/pipeline/stages/foreground_stage.h"
#include "core/pipeline/stages/heads_stage.h"
#include "core/pipeline/stages/height_map_stage.h"
#include "core/pipeline/stages/joined_heads_stage.h"
#include "core/pipeline/stages/motion_stage.h"
#include "core/pipeline/stages/people_stage.h"
#include "core/pipeline/stages/skeletons_stage.h"
#include "core/pipeline/stages/tracking_stage.h"
#include "core/pipeline/stages/video_stage.h"

namespace vantage {
namespace {

// A stage's inputs stand before it.
constexpr const StageType* kStages[] = {
    &kVideoStageType,     &kDetectionsStageType,  &kForegroundStageType, &kFlowStageType,
    &kCarvingStageType,   &kFloorStageType,       &kHeadsStageType,      &kPeopleStageType,
    &kTrackingStageType,  &kMotionStageType,      &kAppearanceStageType, &kSkeletonsStageType,
    &kHeightMapStageType, &kJoinedHeadsStageType, &kDisplayStageType,
};

}  // namespace

std::span<const StageType* const> stage_types() {
  return kStages;
}

Result<std::vector<std::unique_ptr<Stage>>> make_stages(ChainContext& context) {
  std::vector<std::unique_ptr<Stage>> stages;
  for (const StageType* type : stage_types()) {
    if (type->needs_calibration && !context.grid) continue;
    VANTAGE_ASSIGN(std::unique_ptr<Stage> stage, type->make(context));
    if (stage) stages.push_back(std::move(stage));
  }
  return stages;
}

std::vector<std::string_view> stages_with_results(
    bool calibrated, const std::function<bool(std::string_view stage)>& enabled) {
  std::vector<std::string_view> names;
  for (const StageType* stage : stage_types()) {
    if (!stage->has_results || (stage->needs_calibration && !calibrated)) continue;
    if (stage->enabled_by.empty() || enabled(stage->enabled_by)) names.push_back(stage->name);
  }
  return names;
}

std::vector<std::string_view> stages_with_results(bool calibrated, const ParameterStore& parameters) {
  return stages_with_results(
      calibrated, [&](std::string_view stage) { return parameters.get(stage, "enabled").value_or(0) != 0; });
}

}  // namespace vantage
