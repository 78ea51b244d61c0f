// The report of a case: pictures, map, figures and settings.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/display/document.h"
#include "core/export/case/detail/case_scene.h"
#include "core/results/floor_counts.h"
#include "core/results/results_events.h"
#include "core/tracks/counting/rules.h"

namespace vantage::case_detail {

// The tables of a case: the results of its span.

struct CaseTables {
  RecordedPeople people;  // of the span
  std::vector<FloorEvent> events;
  EventMarks marks;  // of those events
  FloorCounts counts;
  std::vector<Bookmark> bookmarks;
};

// The tables of the span's results; empty without results.
Result<CaseTables> collect_tables(const CaseScene& scene);

// tracks.csv, people.csv, crossings.csv, visits.csv, zones.csv, events.jsonl, event_marks.json and
// results.jsonl, of the span, into the folder.
Status write_tables(const CaseScene& scene, const CaseTables& tables, const std::filesystem::path& folder);
// bookmarks.csv of the span, into the folder, where there are some.
Status write_bookmarks(const CaseScene& scene, const CaseTables& tables, const std::filesystem::path& folder);

struct ReportFacts {
  std::string id, who, why, exported, program, project_name, project_sha256, fingerprint;
  const ExportedCase* told = nullptr;
  std::map<std::string, std::string> pictures;  // PNG files by camera
};

Document report_document(const CaseScene& scene, const CaseTables& tables, const ReportFacts& facts);

// Its parts, for other documents of a span.
DocumentTable people_table(const CaseScene& scene, const CaseTables& tables);
DocumentTable events_table(const CaseScene& scene, const CaseTables& tables);
DocumentTable bookmarks_table(const CaseScene& scene, const CaseTables& tables);
DocumentTable counts_table(const CaseScene& scene, const CaseTables& tables);
DocumentMap report_map(const CaseScene& scene, const CaseTables& tables);

// RGB PNG of a picture in host memory, made at most 640 pixels wide.
Result<std::string> report_picture(const Picture& picture);

}  // namespace vantage::case_detail
