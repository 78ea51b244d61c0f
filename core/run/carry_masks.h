// Masks drawn by hand, carried to another frame by the optical flow of the pictures between.
#pragma once

#include <map>
#include <string>

#include "core/base/stop_token.h"
#include "core/image/backend/registry.h"
#include "core/image/picture.h"
#include "core/project/project.h"

namespace vantage {

// Step by step from frame to frame, by the CPU, with the project's parameters of the flow. `to` may lie
// before `from`. A camera that has no picture in one of the frames is left out. Errors: those of opening and
// reading the recording, end_of_stream behind its end; invalid_argument where a mask has another size than
// the picture; cancelled.
Result<std::map<std::string, Image>> carry_masks(const Project& project, const BackendRegistry& registry,
                                                 const std::map<std::string, Image>& masks, int64_t from,
                                                 int64_t to, const StopSource& stop);

}  // namespace vantage
