#include "core/export/case/detail/case_tables.h"

#include <algorithm>

#include "core/base/csv_fields.h"
#include "core/base/file.h"
#include "core/base/formatted.h"
#include "core/results/frame_lines.h"
#include "core/results/results_events.h"
#include "core/results/results_paths.h"

namespace vantage::case_detail {
namespace {

RecordedPeople within(const RecordedPeople& all, FrameRange span) {
  RecordedPeople people;
  people.frame_rate = all.frame_rate, people.names = all.names;
  const auto inside = [span](int64_t frame) { return frame >= span.begin && frame < span.end; };
  std::copy_if(all.frames.begin(), all.frames.end(), std::back_inserter(people.frames), inside);
  std::copy_if(all.known_frames.begin(), all.known_frames.end(), std::back_inserter(people.known_frames),
               inside);
  for (const PersonPath& path : all.paths) {
    PersonPath part = path;
    part.points.keep(path.points.first_from(span.begin), path.points.first_from(span.end));
    if (!part.points.empty()) people.paths.push_back(std::move(part));
  }
  return people;
}

Status write_lines(const CaseScene& scene, const std::filesystem::path& file) {
  VANTAGE_ASSIGN(const FrameLines lines, FrameLines::open(results_file(scene.project.results_folder())));
  std::string text = lines.header() + "\n";
  constexpr int64_t kLines = 10000;
  constexpr size_t kBytes = size_t{64} << 20;
  for (std::optional<int64_t> next = scene.span.begin; next;) {
    VANTAGE_ASSIGN(FrameLines::Range range, lines.range(*next, scene.span.end, kLines, kBytes));
    text += range.text;
    next = range.next;
  }
  return write_file_atomically(file, text);
}

}  // namespace

// Events are found in the whole recording: those that began before the span are in it as they were.
Result<CaseTables> collect_tables(const CaseScene& scene) {
  CaseTables tables;
  for (const Bookmark& bookmark : scene.project.bookmarks)
    if (bookmark.frame >= scene.span.begin && bookmark.frame < scene.span.end)
      tables.bookmarks.push_back(bookmark);
  if (!scene.people) return tables;
  const RecordedPeople& all = scene.people->recorded();
  tables.people = within(all, scene.span);
  tables.people.clock = scene.clock;
  VANTAGE_ASSIGN(const std::vector<FloorEvent> events,
                 find_events(all.range(), scene.project.rules, scene.project.zones, scene.project.lines));
  for (const FloorEvent& event : events)
    if (event.first_frame < scene.span.end && event.last_frame.value_or(INT64_MAX) >= scene.span.begin)
      tables.events.push_back(event);
  VANTAGE_ASSIGN(const EventMarks marks, read_event_marks(scene.project.results_folder()));
  for (const FloorEvent& event : tables.events)
    if (const auto mark = marks.find(key_of(event)); mark != marks.end()) tables.marks.insert(*mark);
  VANTAGE_ASSIGN(const CoveredShares covered, covered_shares(scene.project));
  tables.counts = count_floor(tables.people, scene.project, covered);
  return tables;
}

Status write_tables(const CaseScene& scene, const CaseTables& tables, const std::filesystem::path& folder) {
  VANTAGE_TRY(make_folder(folder));
  VANTAGE_TRY(write_counts(folder, tables.people, scene.project, tables.counts));
  VANTAGE_TRY(write_file_atomically(folder / "tracks.csv", path_rows(tables.people.paths)));
  std::string events;
  for (const FloorEvent& event : tables.events)
    events += event_line(event, scene.frame_rate, scene.clock ? scene.clock->start_utc_s : 0) + "\n";
  VANTAGE_TRY(write_file_atomically(folder / "events.jsonl", events));
  VANTAGE_TRY(write_event_marks(folder, tables.marks));
  return write_lines(scene, folder / "results.jsonl");
}

Status write_bookmarks(const CaseScene& scene, const CaseTables& tables,
                       const std::filesystem::path& folder) {
  if (tables.bookmarks.empty()) return {};
  std::string text = "frame,time,note,x_m,y_m\n";
  for (const Bookmark& one : tables.bookmarks)
    text += std::to_string(one.frame) + "," + csv_quoted(scene.moment_text(one.frame)) + "," +
            csv_quoted(one.note) +
            (one.place_m ? formatted(",%.3f,%.3f\n", one.place_m->x(), one.place_m->y()) : ",,\n");
  VANTAGE_TRY(make_folder(folder));
  return write_file_atomically(folder / "bookmarks.csv", text);
}

}  // namespace vantage::case_detail
