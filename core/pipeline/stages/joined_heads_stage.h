// Heads of the height map joined with the people and with the detected heads (core/pipeline/joined_heads.h);
// empty where there is no height map. A stage of its own, so that other people make no height map anew.
#pragma once

#include <memory>

#include "core/pipeline/stage.h"

namespace vantage {

std::unique_ptr<Stage> make_joined_heads_stage();

}  // namespace vantage
