// The description of a stage without a chain: its name, when it is there, its parameters, how one is made and
// what memory it takes. One object for each, in the stage's own file; core/pipeline/stages.cpp lists them.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/pipeline/stage.h"

namespace vantage {

struct AnalysedScene;
struct ChainContext;
class MemoryEstimate;

using ParameterTables = std::vector<const ParameterTable*>;
// The tables of parameter structs: tables_of<CarvingParameters>.
template <typename... P>
ParameterTables tables_of() {
  return {&parameter_table<P>()...};
}

struct StageType {
  std::string_view name;
  bool needs_calibration = false;
  // It is made from the calibrations and has no memory: where cameras stand otherwise later, there is one for
  // each span.
  bool by_calibration = false;
  // The stage whose parameter `enabled` switches it; empty: it is always on. A stage that is switched off
  // stays in the chain and makes empty artifacts, so that switching it needs no other chain.
  std::string_view enabled_by = {};
  bool has_results = true;                // false: it only helps another stage or the window
  ParameterTables (*tables)() = nullptr;  // null: it has no parameters of its own
  // Null where this chain has no such stage. Called only with a calibration where one is needed.
  Result<std::unique_ptr<Stage>> (*make)(ChainContext& context) = nullptr;
  // Adds what the stage holds while it runs, and what it makes of a frame; null: too little to count.
  void (*estimate_memory)(const AnalysedScene& scene, MemoryEstimate* estimate) = nullptr;
};

}  // namespace vantage
