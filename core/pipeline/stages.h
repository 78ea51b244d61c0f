// All stages, in the order of the chain. Chains, memory estimates, default parameters, switches and lines of
// results are made from this one list.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/pipeline/stage.h"

namespace vantage {

std::span<const StageType* const> stage_types();

// The stages that this chain has.
Result<std::vector<std::unique_ptr<Stage>>> make_stages(ChainContext& context);

// The stages with results for users. `enabled`: the parameter `enabled` of a stage is set.
std::vector<std::string_view> stages_with_results(bool calibrated,
                                                  const std::function<bool(std::string_view stage)>& enabled);
std::vector<std::string_view> stages_with_results(bool calibrated, const ParameterStore& parameters);

}  // namespace vantage
