// A whole recording analysed, for subcommands that judge what comes out.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "core/pipeline/frame_result.h"
#include "core/project/project.h"

namespace vantage::cli {

// As `run` does it; the folder of the results. The project has a path. `each` gets every frame once it is
// written, in order; an error of its ends the command.
std::filesystem::path analysed_or_fail(Project project, const std::string& backend,
                                       const std::function<Status(const FrameResult& result)>& each = {});

}  // namespace vantage::cli
