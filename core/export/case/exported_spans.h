// The spans of a recording that were handed over as cases: kept next to its results, for those who work on
// with it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace vantage {

struct ExportedSpan {
  int64_t first_frame = 0, last_frame = 0;  // both are in it
  std::string id, folder;                   // of the case
  bool operator==(const ExportedSpan&) const = default;
};

// exported.json in the project's results folder; without the file there are none. Errors: io; bad_data.
Result<std::vector<ExportedSpan>> read_exported_spans(const std::filesystem::path& results_folder);
Status add_exported_span(const std::filesystem::path& results_folder, const ExportedSpan& span);

}  // namespace vantage
