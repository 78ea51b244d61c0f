// The height map of one camera and the people in it, where heightmap.enabled is on; an empty artifact where
// it is off. It always starts without messages: a frame never has two results.
#pragma once

#include <memory>

#include "core/pipeline/height_mapper.h"
#include "core/pipeline/stage.h"

namespace vantage {

std::unique_ptr<Stage> make_height_map_stage(HeightMapperOptions options);

}  // namespace vantage
