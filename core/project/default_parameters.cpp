#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "core/live/recording_parameters.h"
#include "core/pipeline/stages.h"
#include "core/project/project.h"
#include "core/sync/sync.h"

namespace vantage {
namespace {

// Panels, project files and results list parameters in this order since version 0.1, whatever the chain's
// order. Tables that it does not name come last, in the chain's order.
constexpr std::array<std::string_view, 17> kOrder = {
    "foreground", "carving",    "floor",      "people",    "occupancy", "fusion",
    "tracking",   "paths",      "heightmap",  "daisy",     "flow",      "sync",
    "heads",      "detections", "appearance", "skeletons", "recording"};

auto position(const ParameterTable* table) {
  return std::find(kOrder.begin(), kOrder.end(), table->stage);
}

}  // namespace

ParameterStore default_parameters() {
  std::vector<const ParameterTable*> tables;
  for (const StageType* stage : stage_types())
    if (stage->tables) std::ranges::copy(stage->tables(), std::back_inserter(tables));
  tables.push_back(&parameter_table<SyncParameters>());
  tables.push_back(&parameter_table<RecordingParameters>());
  std::stable_sort(tables.begin(), tables.end(),
                   [](const auto* a, const auto* b) { return position(a) < position(b); });
  return ParameterStore(std::move(tables));
}

}  // namespace vantage
