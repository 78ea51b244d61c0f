// Versions of a results file that change where a run brings a camera back into step: frames before the change
// hold under the new versions too (core/pipeline/pipeline.h, keep_before()), so their lines get them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "core/base/result.h"
#include "core/results/results_reader.h"

namespace vantage {

// The stages have other versions from `first_frame` on.
struct VersionChange {
  int64_t first_frame = 0;
  StageVersions before, now;
};

// Lines of frames before a change get its new versions in place of the ones before, change after change.
// Lines that are not understood stay as they are.
Status restate_versions(const std::filesystem::path& results, std::span<const VersionChange> changes);

}  // namespace vantage
