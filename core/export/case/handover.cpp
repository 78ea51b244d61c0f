#include "core/export/case/handover.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/export/case/detail/case_report.h"
#include "core/export/case/detail/case_scene.h"
#include "core/results/results_events.h"
#include "core/tracks/doubts/doubts.h"
#include "core/tracks/find/track_index.h"

namespace vantage {
namespace {

using namespace case_detail;

std::string now_text() {
  return RecordingClock{static_cast<double>(utc_now_ns()) * 1e-9, {}, {}}.text(0);
}

Result<CaseScene> read_scene(const HandoverOptions& options) {
  if (options.who.empty())
    return fail(ErrorKind::invalid_argument, "the name of the person who hands over is missing", {},
                "Name yourself.");
  if (!options.project.calibrated())
    return fail(ErrorKind::invalid_argument,
                "without a calibration people are not tracked, and there are no events", {},
                "Calibrate the cameras, and analyse the project.");
  CaseScene scene;
  scene.project = options.project;
  const std::filesystem::path results =
      options.results.empty() ? scene.project.results_folder() : options.results;
  VANTAGE_ASSIGN(CasePeople people, CasePeople::read(scene.project, results));
  scene.clock = find_clock(scene.project);
  scene.frame_rate = people.recorded().frame_rate;
  const std::vector<int64_t>& frames = people.recorded().frames;
  const int64_t end = frames.empty() ? 0 : frames.back() + 1;
  scene.span = {std::max<int64_t>(0, options.span.begin), std::min(options.span.end, end)};
  if (scene.span.begin >= scene.span.end)
    return fail(ErrorKind::invalid_argument, "no frame of this span is analysed", results.string(),
                "The results reach up to frame " + std::to_string(end - 1) + ".");
  scene.people.emplace(std::move(people));
  return scene;
}

// "14 new, 3 seen, 1 false alarm, 2 exported"; zeros are left out.
std::string standings_text(const CaseTables& tables) {
  std::array<int64_t, kEventStandingNames.size()> counts{};
  for (const FloorEvent& event : tables.events) {
    const auto mark = tables.marks.find(key_of(event));
    const EventStanding standing = mark == tables.marks.end() ? EventStanding::fresh : mark->second.standing;
    ++counts[static_cast<size_t>(standing)];
  }
  std::string text;
  for (size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0)
      append_item(
          &text, std::to_string(counts[i]) + " " + std::string(standing_text(static_cast<EventStanding>(i))));
  return text.empty() ? "none" : text;
}

int64_t doubts_left(const CaseScene& scene) {
  const RecordedPeople& people = scene.people->recorded();
  const TrackIndex index(people.paths, people.frame_rate);
  const std::vector<Doubt> left = unanswered(
      doubtful_identities(index, people.frames.empty() ? 0 : people.frames.back(), kMinDoubt, people.returns),
      people.paths, scene.project.repairs);
  return std::ranges::count_if(left, [&](const Doubt& doubt) {
    return doubt.before.frame >= scene.span.begin && doubt.before.frame < scene.span.end;
  });
}

DocumentTable facts_of(const CaseScene& scene, const CaseTables& tables, const std::string& who) {
  const auto repairs = std::ranges::count_if(scene.project.repairs, [&](const IdentityRepair& repair) {
    return repair.at.frame >= scene.span.begin && repair.at.frame < scene.span.end;
  });
  return {{},
          {{"Handed over by", who},
           {"Written", now_text()},
           {"Project", scene.project.path.stem().string()},
           {"From", scene.moment_text(scene.span.begin)},
           {"To", scene.moment_text(scene.span.end - 1)},
           {"Cameras", std::to_string(scene.project.cameras.size())},
           {"People", std::to_string(tables.people.paths.size())},
           {"Events", standings_text(tables)},
           {"Doubtful identities left", std::to_string(doubts_left(scene))},
           {"Identities repaired by hand", std::to_string(repairs)}}};
}

Result<DocumentTable> cases_table(const CaseScene& scene) {
  DocumentTable table{{"First picture", "Last picture", "Folder", "Case"}, {}};
  VANTAGE_ASSIGN(const std::vector<ExportedSpan> spans, read_exported_spans(scene.project.results_folder()));
  for (const ExportedSpan& span : spans)
    if (span.first_frame < scene.span.end && span.last_frame >= scene.span.begin)
      table.rows.push_back({scene.short_moment_text(span.first_frame),
                            scene.short_moment_text(span.last_frame), span.folder, span.id});
  return table;
}

// The events that have not been examined (`fresh`), or the others.
CaseTables only(const CaseTables& all, bool fresh) {
  CaseTables part;
  part.marks = all.marks;
  for (const FloorEvent& event : all.events) {
    const auto mark = all.marks.find(key_of(event));
    const bool is_fresh = mark == all.marks.end() || mark->second.standing == EventStanding::fresh;
    if (is_fresh == fresh) part.events.push_back(event);
  }
  return part;
}

}  // namespace

Result<Document> handover_page(const HandoverOptions& options) {
  VANTAGE_ASSIGN(const CaseScene scene, read_scene(options));
  VANTAGE_ASSIGN(const CaseTables tables, collect_tables(scene));
  Document page{"Hand-over: " + scene.project.path.stem().string(), {}};
  const auto add = [&](const char* heading, DocumentTable table) {
    if (table.rows.empty()) return;
    page.parts.emplace_back(DocumentHeading{heading});
    page.parts.emplace_back(std::move(table));
  };
  page.parts.emplace_back(facts_of(scene, tables, options.who));
  if (!scene.clock)
    page.parts.emplace_back(
        DocumentText{"The time of day is not known: times count from the start of the recording."});
  add("Not yet examined", events_table(scene, only(tables, true)));
  add("Events that were judged", events_table(scene, only(tables, false)));
  add("Bookmarks", bookmarks_table(scene, tables));
  VANTAGE_ASSIGN(DocumentTable cases, cases_table(scene));
  add("Exported as cases", std::move(cases));
  add("Counts", counts_table(scene, tables));
  page.parts.emplace_back(DocumentHeading{"Map"});
  page.parts.emplace_back(report_map(scene, tables));
  add("People", people_table(scene, tables));
  return page;
}

Status write_handover(const Document& page, const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".html") return write_file_atomically(file, document_html(page));
  if (ending != ".pdf")
    return fail(ErrorKind::invalid_argument, "hand-over pages are not written in this format", file.string(),
                "Use a name that ends in .html or .pdf.");
  const std::string now = RecordingClock{static_cast<double>(utc_now_ns()) * 1e-9, 0, {}}.text(0);
  VANTAGE_ASSIGN(const std::string pdf,
                 document_pdf(page, fmt::format("{:.10}T{:.8}Z", now, now.c_str() + 11)));
  return write_file_atomically(file, pdf);
}

namespace {

constexpr char kExportedSchema[] = "vantage-exported-1";
constexpr char kExportedFile[] = "exported.json";

}  // namespace

Result<std::vector<ExportedSpan>> read_exported_spans(const std::filesystem::path& results_folder) {
  const std::filesystem::path path = results_folder / kExportedFile;
  std::error_code none;
  std::vector<ExportedSpan> spans;
  if (!std::filesystem::exists(path, none)) return spans;
  VANTAGE_ASSIGN(const std::string text, read_file(path));
  const nlohmann::json document = parse_json(text);
  const auto damaged = [&] {
    return fail(ErrorKind::bad_data, "is not a list of exported spans", path.string(), "Remove it.");
  };
  if (!document.is_object() || document.value("schema", nlohmann::json()) != kExportedSchema ||
      !document.contains("exported") || !document["exported"].is_array())
    return damaged();
  for (const nlohmann::json& entry : document["exported"]) {
    const auto is = [&](const char* key, auto check) {
      return entry.is_object() && entry.contains(key) && (entry[key].*check)();
    };
    constexpr auto kNumber = &nlohmann::json::is_number_integer;
    constexpr auto kText = &nlohmann::json::is_string;
    if (!is("first_frame", kNumber) || !is("last_frame", kNumber) || !is("case", kText) ||
        !is("folder", kText))
      return damaged();
    spans.push_back({entry["first_frame"].get<int64_t>(), entry["last_frame"].get<int64_t>(),
                     entry["case"].get<std::string>(), entry["folder"].get<std::string>()});
    if (spans.back().first_frame < 0 || spans.back().first_frame > spans.back().last_frame) return damaged();
  }
  return spans;
}

Status add_exported_span(const std::filesystem::path& results_folder, const ExportedSpan& span) {
  VANTAGE_ASSIGN(std::vector<ExportedSpan> spans, read_exported_spans(results_folder));
  spans.push_back(span);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ExportedSpan& one : spans)
    list.push_back({{"first_frame", one.first_frame},
                    {"last_frame", one.last_frame},
                    {"case", one.id},
                    {"folder", one.folder}});
  const nlohmann::ordered_json document = {{"schema", kExportedSchema}, {"exported", list}};
  VANTAGE_TRY(make_folder(results_folder));
  return write_file_atomically(results_folder / kExportedFile, json_text(document, 1) + "\n");
}

}  // namespace vantage
