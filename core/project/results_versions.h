// The versions that a results file states for its frames, given anew. A run that brings cameras back into
// step ends with a recording that a project with these changes would have: its results are that project's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

#include "core/base/result.h"

namespace vantage {

// `version_of` a stage's name. Lines that are not understood stay as they are.
Status restate_versions(const std::filesystem::path& results,
                        const std::function<uint64_t(std::string_view)>& version_of);

}  // namespace vantage
