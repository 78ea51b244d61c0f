// Updates the versions in a results file when a run brings a camera back into step: frames before the change
// stay valid under the new versions (core/pipeline/pipeline.h, keep_before()), so their lines get them.
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

// The stages have new versions from `first_frame` on.
struct VersionChange {
  int64_t first_frame = 0;
  StageVersions before, now;
};

// Replaces the versions in lines of frames before a change by the new ones, change after change. Lines that
// cannot be parsed are unchanged.
Status restate_versions(const std::filesystem::path& results, std::span<const VersionChange> changes);

}  // namespace vantage

namespace vantage::project_detail {

// Versions of the chain's stages in a results file: the header has those of the run, and a frame's line only
// differing ones. Older results have none in the header, and each line has its own.

using StageVersionsRef = std::shared_ptr<const StageVersions>;  // null: a header without versions

nlohmann::ordered_json versions_json(const StageVersions& versions);
// Throws json::exception for other values.
StageVersions versions_from(const nlohmann::json& json);

// The versions in the header line.
StageVersionsRef versions_of_header(const std::string& header);

// Sets the versions of a parsed line in a file whose header has `header`.
void set_versions(const StageVersions& versions, const StageVersionsRef& header,
                  nlohmann::ordered_json* line);

// Adapts a line of a file whose header has `from` to one whose header has `to`. Lines that cannot be parsed
// are unchanged.
std::string line_under_header(const std::string& line, const StageVersionsRef& from,
                              const StageVersionsRef& to);

}  // namespace vantage::project_detail
