// The versions that a results file states for its frames, given anew. A run that brings cameras back into
// step ends with a recording that a project with these changes would have: its results are that project's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

#include "core/base/result.h"

namespace vantage {

// What a stage's version becomes, of the frames before `first_changed`. Lines that are not understood stay as
// they are.
Status restate_versions(const std::filesystem::path& results,
                        const std::function<uint64_t(std::string_view stage, uint64_t version)>& version_of,
                        int64_t first_changed = INT64_MAX);

}  // namespace vantage
