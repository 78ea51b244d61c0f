// The hand-over page of a shift: what happened in a span, how it was judged and noted, what was handed over
// as a case, and what is still to be examined. For the person who comes next; printed, or kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/display/document.h"
#include "core/pipeline/pipeline.h"
#include "core/project/project.h"

namespace vantage {

struct HandoverOptions {
  Project project;
  FrameRange span;                // frames of the base camera; cut to what the results know
  std::string who;                // typed; not empty
  std::filesystem::path results;  // empty: the project's
};

// Made from the results, repairs, marks, bookmarks and exported cases as they are now. Errors:
// invalid_argument (no one named, no calibration, the span holds no analysed frame), not_found (no results),
// those of reading.
Result<Document> handover_page(const HandoverOptions& options);

// Format by the file's ending: .html or .pdf. Errors: invalid_argument for another ending; those of
// document_pdf(); io.
Status write_handover(const Document& page, const std::filesystem::path& file);

// The spans of a recording that were handed over as cases: kept next to its results, for those who work on
// with it.

struct ExportedSpan {
  int64_t first_frame = 0, last_frame = 0;  // both are in it
  std::string id, folder;                   // of the case
  bool operator==(const ExportedSpan&) const = default;
};

// exported.json in the project's results folder; without the file there are none. Errors: io; bad_data.
Result<std::vector<ExportedSpan>> read_exported_spans(const std::filesystem::path& results_folder);
Status add_exported_span(const std::filesystem::path& results_folder, const ExportedSpan& span);

}  // namespace vantage
