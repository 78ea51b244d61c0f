// The parts of a frame's line of results.jsonl, one for each stage of the chain. The writers stand here,
// next to the reader of the same format, by the stage's name: core/pipeline computes and knows no JSON.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/pipeline/frame_people.h"

namespace vantage::project_detail {

struct LineInput {
  const FrameResult& result;
  std::span<const FramePerson> people;      // the result's, with the IDs that the line states
  const std::vector<std::string>& cameras;  // their names
};

struct StageWriter {
  std::string_view stage;
  // Adds nothing where the stage has made nothing. Errors: of what was still on its way from a device.
  Status (*write)(const LineInput& frame, nlohmann::ordered_json* line);
};

// The writers of the stages that write something. Tracks, motion, colours and skeletons are written with the
// people.
std::span<const StageWriter> stage_writers();

// All that the stages add to a line, in the chain's order. `line` has "cameras", "volume" and "people", whose
// positions in the line do not depend on the chain.
Status write_stages(const LineInput& frame, nlohmann::ordered_json* line);

}  // namespace vantage::project_detail
