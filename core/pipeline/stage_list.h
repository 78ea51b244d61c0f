// The stages of a chain, in its order, and which of them are on: asked by session, window and server.
#pragma once

#include <array>
#include <functional>
#include <string_view>
#include <vector>

#include "core/base/parameters.h"
#include "core/pipeline/artifacts.h"

namespace vantage {

struct ListedStage {
  std::string_view name;
  bool calibrated = false;            // is there only with a calibration
  std::string_view switched_by = {};  // the stage whose parameter `enabled` switches it; empty: none does
  bool has_results = true;            // false: it only helps another stage or the window
};
inline constexpr std::array kStageList = {
    ListedStage{.name = kVideoStage},
    ListedStage{.name = kDetectionsStage, .has_results = false},
    ListedStage{.name = kForegroundStage},
    ListedStage{.name = kCarvingStage, .calibrated = true},
    ListedStage{.name = kFloorStage, .calibrated = true},
    ListedStage{.name = kPeopleStage, .calibrated = true},
    ListedStage{.name = kTrackingStage, .calibrated = true},
    ListedStage{.name = kHeightMapStage, .calibrated = true, .switched_by = kHeightMapStage},
    ListedStage{.name = kHeadsStage, .switched_by = kHeadsStage},
    ListedStage{
        .name = kJoinedHeadsStage, .calibrated = true, .switched_by = kHeightMapStage, .has_results = false},
    ListedStage{.name = kFlowStage, .switched_by = kFlowStage},
    ListedStage{.name = kMotionStage, .calibrated = true, .switched_by = kFlowStage},
    ListedStage{.name = kAppearanceStage, .calibrated = true, .switched_by = kAppearanceStage},
    ListedStage{.name = kDisplayStage, .has_results = false}};

// Those whose results people get. `enabled`: whether the parameter `enabled` of a stage is set.
std::vector<std::string_view> stages_with_results(bool calibrated,
                                                  const std::function<bool(std::string_view stage)>& enabled);
std::vector<std::string_view> stages_with_results(bool calibrated, const ParameterStore& parameters);

}  // namespace vantage
