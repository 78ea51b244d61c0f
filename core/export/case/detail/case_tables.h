// The tables of a case: what the results tell of its span.
#pragma once

#include <filesystem>
#include <vector>

#include "core/export/case/detail/case_scene.h"
#include "core/results/event_marks.h"
#include "core/results/floor_counts.h"
#include "core/tracks/counting/rules.h"

namespace vantage::case_detail {

struct CaseTables {
  RecordedPeople people;  // of the span
  std::vector<FloorEvent> events;
  EventMarks marks;  // of those events
  FloorCounts counts;
  std::vector<Bookmark> bookmarks;
};

// What the results tell; nothing where there are none.
Result<CaseTables> collect_tables(const CaseScene& scene);

// tracks.csv, people.csv, crossings.csv, visits.csv, zones.csv, events.jsonl, event_marks.json and
// results.jsonl, of the span, into the folder.
Status write_tables(const CaseScene& scene, const CaseTables& tables, const std::filesystem::path& folder);
// bookmarks.csv of the span, into the folder, where there are some.
Status write_bookmarks(const CaseScene& scene, const CaseTables& tables, const std::filesystem::path& folder);

}  // namespace vantage::case_detail
