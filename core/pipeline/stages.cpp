#include "core/pipeline/stages.h"

#include <utility>

#include "core/pipeline/chain_context.h"
#include "core/pipeline/detail/stage_of_spans.h"
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

// One for all frames or, where cameras stand otherwise later, one for each span.
Result<std::unique_ptr<Stage>> make_stage(const StageType& type, ChainContext& context) {
  if (!type.by_calibration || context.later_spans.empty()) return type.make(context);
  std::vector<StageSpan> spans;
  VANTAGE_ASSIGN(std::unique_ptr<Stage> first, type.make(context));
  if (!first) return first;
  spans.push_back({0, std::move(first)});
  const size_t notes = context.notes.size();
  for (CalibrationSpan& span : context.later_spans) {
    const auto exchange = [&] {
      std::swap(context.calibrations, span.calibrations);
      std::swap(context.coverage, span.coverage);
    };
    exchange();
    Result<std::unique_ptr<Stage>> made = type.make(context);
    exchange();
    if (!made) return made;
    spans.push_back({span.begin, std::move(*made)});
  }
  context.notes.resize(notes);  // every span's are the first one's
  return make_stage_of_spans(std::move(spans));
}

}  // namespace

std::span<const StageType* const> stage_types() {
  return kStages;
}

Result<std::vector<std::unique_ptr<Stage>>> make_stages(ChainContext& context) {
  std::vector<std::unique_ptr<Stage>> stages;
  for (const StageType* type : stage_types()) {
    if (type->needs_calibration && !context.grid) continue;
    VANTAGE_ASSIGN(std::unique_ptr<Stage> stage, make_stage(*type, context));
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
