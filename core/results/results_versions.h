// Versions of a results file that change where a run brings a camera back into step: frames before the change
// hold under the new versions too (core/pipeline/pipeline.h, keep_before()), so their lines get them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "core/base/json.h"
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

namespace vantage::project_detail {

// Versions of the chain's stages in a results file: its header states those of the run, and a frame's line
// only others. Results of before say nothing in the header, and each line has its own.

using StageVersionsRef = std::shared_ptr<const StageVersions>;  // null: a header that states none

nlohmann::ordered_json versions_json(const StageVersions& versions);
// Throws json::exception where it is not such an object.
StageVersions versions_from(const nlohmann::json& json);

// What the header line states.
StageVersionsRef versions_of_header(const std::string& header);

// Makes a line, parsed, whose file's header states `header`, state `versions`.
void set_versions(const StageVersions& versions, const StageVersionsRef& header,
                  nlohmann::ordered_json* line);

// A line of a file whose header states `from`, for one whose header states `to`. One that is not understood
// stays as it is.
std::string line_under_header(const std::string& line, const StageVersionsRef& from,
                              const StageVersionsRef& to);

}  // namespace vantage::project_detail
