#include "core/pipeline/stage_list.h"

namespace vantage {

std::vector<std::string_view> stages_with_results(
    bool calibrated, const std::function<bool(std::string_view stage)>& enabled) {
  std::vector<std::string_view> names;
  for (const ListedStage& stage : kStageList) {
    if (!stage.has_results || (stage.calibrated && !calibrated)) continue;
    if (stage.switched_by.empty() || enabled(stage.switched_by)) names.push_back(stage.name);
  }
  return names;
}

std::vector<std::string_view> stages_with_results(bool calibrated, const ParameterStore& parameters) {
  return stages_with_results(
      calibrated, [&](std::string_view stage) { return parameters.get(stage, "enabled").value_or(0) != 0; });
}

}  // namespace vantage
