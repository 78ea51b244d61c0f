#include "core/export/case/detail/case_report.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/display/color_conversion.h"
#include "core/display/marked_view.h"
#include "core/image/image_files.h"
#include "core/image/picture.h"
#include "core/results/frame_lines.h"
#include "core/results/results_events.h"
#include "core/results/results_paths.h"

namespace vantage::case_detail {
namespace {

constexpr int kReportPicture_px = 640;
std::string number(int64_t value) {
  return std::to_string(value);
}

DocumentTable facts_table(const CaseScene& scene, const ReportFacts& facts) {
  const ExportedCase& told = *facts.told;
  const int64_t last = scene.span.end - 1;
  return {{},
          {{"Exported by", facts.who},
           {"Reason", facts.why},
           {"Exported", facts.exported},
           {"Case", facts.id},
           {"First picture", scene.moment_text(scene.span.begin)},
           {"Last picture", scene.moment_text(last)},
           {"Clock",
            scene.clock ? scene.clock->source : "not known: times count from the start of the recording"},
           {"Frames", fmt::format("{} to {} of the base camera, {:g} frames/s", scene.span.begin, last,
                                  told.frame_rate)},
           {"Project", facts.project_name + ", SHA-256 " + facts.project_sha256},
           {"Program",
            "Vantage " + facts.program + (scene.people ? "; results made on " + scene.people->device() : "")},
           {"Signed by the key", facts.fingerprint}}};
}

// Findings of `blur_bench` in scenes that the blur was not chosen on (resources/docs/performance.md). A
// picture counts once for all choices of one kept; the bound is the upper end of Clopper and Pearson's
// one-sided interval.
std::string blur_text(const CaseScene& scene) {
  if (!scene.blur.on) return "No one was made unrecognisable.";
  std::string who = "Every person";
  if (!scene.blur.kept.empty()) {
    std::string ids;
    for (const int64_t id : scene.blur.kept) append_item(&ids, scene.label(id));
    who += " except " + ids;
  }
  return who +
         " was made unrecognisable. Where this is uncertain, the whole picture is blurred. In rendered "
         "scenes "
         "none of 840 pictures showed a part of a hidden person: at most 0.4 %, with 95 % confidence. Real "
         "footage was not measured.";
}

DocumentTable camera_table(const CaseScene& scene, const ExportedCase& told) {
  DocumentTable table{{"Camera", "Video", "Frames", "Without picture", "Wholly blurred", "Sound", "Original"},
                      {}};
  for (const CaseCamera& camera : told.cameras) {
    std::string blurred = fmt::format("{} ({:.1f} %)", camera.fully_blurred,
                                      100.0 * static_cast<double>(camera.fully_blurred) /
                                          static_cast<double>(std::max<int64_t>(1, camera.frames)));
    for (const auto& [doubt, frames] : camera.doubts)
      blurred += "; " + number(frames) + ": " + std::string(blur_doubt_text(doubt));
    table.rows.push_back({camera.name, camera.video, number(camera.frames), number(camera.without_picture),
                          scene.blur.on ? blurred : "-", camera.sound,
                          camera.original.empty() ? "-" : camera.original});
  }
  return table;
}

DocumentTable settings_table(const CaseScene& scene) {
  const auto yes = [](bool value) { return std::string(value ? "drawn" : "not drawn"); };
  DocumentTable table{{},
                      {{"Rectangles and IDs of people", yes(scene.overlays.people)},
                       {"Trails", yes(scene.overlays.trails)},
                       {"Zones and lines", yes(scene.overlays.floor)}}};
  for (const IdentityRepair& repair : scene.project.repairs)
    table.rows.push_back({"Identity repaired by hand",
                          std::string(repair_name(repair.kind)) + " in frame " + number(repair.at.frame)});
  return table;
}

}  // namespace

DocumentMap report_map(const CaseScene& scene, const CaseTables& tables) {
  Eigen::AlignedBox2d box;
  if (const Result<VoxelGrid> grid = scene.project.effective_grid()) {
    box.extend(Eigen::Vector2d(grid->origin_in_world_m[0], grid->origin_in_world_m[1]));
    box.extend(Eigen::Vector2d(grid->origin_in_world_m[0] + grid->voxel_size_m * grid->nx,
                               grid->origin_in_world_m[1] + grid->voxel_size_m * grid->ny));
  }
  const std::vector<CameraPose> stands = scene.camera_poses();
  for (const CameraPose& stand : stands) box.extend(stand.at_m);
  const Eigen::Vector2d low = box.min() - Eigen::Vector2d(0.5, 0.5),
                        size = box.sizes() + Eigen::Vector2d(1, 1);
  DocumentMap map{"Map of the floor", low.x(), -low.y() - size.y(), size.x(), size.y(), {}, {}, {}};
  const auto points = [](const auto& corners) {
    std::vector<std::pair<double, double>> list;
    for (const Eigen::Vector2d& point : corners) list.emplace_back(point.x(), -point.y());
    return list;
  };
  constexpr DocumentColor kZone = {119, 119, 119}, kLine = {51, 51, 51};
  for (const FloorZone& zone : scene.project.zones)
    map.lines.push_back({points(zone.corners_m), 0.03, kZone, true, zone.name});
  for (const FloorLine& line : scene.project.lines)
    map.lines.push_back({points(std::array{line.from_m, line.to_m}), 0.04, kLine, false, line.name});
  for (const CameraPose& stand : stands) {
    const std::string since =
        stand.from_frame > scene.span.begin ? ", from frame " + number(stand.from_frame) : "";
    map.dots.push_back({stand.at_m.x(), -stand.at_m.y(), 0.08});
    map.words.push_back({stand.at_m.x() + 0.12, -stand.at_m.y() + 0.08, 0.25, stand.name + since});
  }
  for (const PersonPath& path : tables.people.paths) {
    std::vector<Eigen::Vector2d> line;
    for (const PathPoint& point : path.points) line.emplace_back(point.x_m, point.y_m);
    const DocumentColor color = person_rgb(path.id);
    map.lines.push_back({points(line), 0.05, color, false, scene.label(path.id)});
    map.words.push_back({line.back().x(), -line.back().y(), 0.3, scene.label(path.id), color});
  }
  return map;
}

DocumentTable people_table(const CaseScene& scene, const CaseTables& tables) {
  DocumentTable table{{"Person", "First seen", "Last seen", "Walked"}, {}};
  for (const PersonPath& path : tables.people.paths) {
    double walked_m = 0;
    for (size_t i = 1; i < path.points.size(); ++i)
      walked_m += std::hypot(path.points[i].x_m - path.points[i - 1].x_m,
                             path.points[i].y_m - path.points[i - 1].y_m);
    table.rows.push_back({scene.label(path.id), scene.short_moment_text(path.points.front().frame),
                          scene.short_moment_text(path.points.back().frame),
                          fmt::format("{:.1f} m", walked_m)});
  }
  return table;
}

DocumentTable events_table(const CaseScene& scene, const CaseTables& tables) {
  DocumentTable table{{"Rule", "Person", "Raised", "Judged", "Note"}, {}};
  for (const FloorEvent& event : tables.events) {
    const auto mark = tables.marks.find(key_of(event));
    const EventMark judged = mark == tables.marks.end() ? EventMark() : mark->second;
    table.rows.push_back({event.rule, event.id > 0 ? scene.label(event.id) : "zone",
                          scene.short_moment_text(event.raised_frame),
                          std::string(standing_text(judged.standing)), judged.note});
  }
  return table;
}

DocumentTable bookmarks_table(const CaseScene& scene, const CaseTables& tables) {
  DocumentTable table{{"Time", "Note", "Place"}, {}};
  for (const Bookmark& one : tables.bookmarks)
    table.rows.push_back({scene.short_moment_text(one.frame), one.note,
                          one.place_m
                              ? fmt::format("x {:.2f} m, y {:.2f} m", one.place_m->x(), one.place_m->y())
                              : std::string()});
  return table;
}

DocumentTable counts_table(const CaseScene& scene, const CaseTables& tables) {
  DocumentTable table{{"Where", "Counted"}, {}};
  for (size_t i = 0; i < tables.counts.lines.size(); ++i)
    table.rows.push_back({"line " + scene.project.lines[i].name,
                          number(tables.counts.lines[i].to_left) + " to the left, " +
                              number(tables.counts.lines[i].to_right) + " to the right"});
  for (size_t i = 0; i < tables.counts.zones.size(); ++i) {
    const ZoneCount& zone = tables.counts.zones[i];
    table.rows.push_back(
        {"zone " + scene.project.zones[i].name,
         number(static_cast<int64_t>(zone.visits.size())) + " visits" +
             (zone.max_people ? ", " + number(*zone.max_people) + " people at most" : ", people not known")});
  }
  return table;
}

Document report_document(const CaseScene& scene, const CaseTables& tables, const ReportFacts& facts) {
  Document report{"Case: " + facts.why, {}};
  const auto add = [&](DocumentPart part) { report.parts.push_back(std::move(part)); };
  const auto add_table = [&](const char* heading, DocumentTable table) {
    if (table.rows.empty()) return;
    add(DocumentHeading{heading});
    add(std::move(table));
  };
  add(facts_table(scene, facts));
  add(DocumentHeading{"Videos"});
  add(DocumentText{blur_text(scene)});
  add(camera_table(scene, *facts.told));
  for (const std::string& note : facts.told->notes) add(DocumentText{note});
  add(DocumentHeading{"Pictures"});
  DocumentPictures pictures;
  for (const auto& [camera, png] : facts.pictures) pictures.pictures.push_back({camera, png});
  add(std::move(pictures));
  if (scene.project.calibrated()) {
    add(DocumentHeading{"Map"});
    add(report_map(scene, tables));
  }
  add(DocumentHeading{"People"});
  if (scene.people)
    add(people_table(scene, tables));
  else
    add(DocumentText{"The project has no results."});
  add_table("Events", events_table(scene, tables));
  add_table("Bookmarks", bookmarks_table(scene, tables));
  add_table("Counts", counts_table(scene, tables));
  add(DocumentHeading{"Settings"});
  add(DocumentText{"All parameters are in `data/project.vantage`."});
  add(settings_table(scene));
  add(DocumentHeading{"Verify"});
  add(DocumentText{
      "With Vantage: `vantage-cli case verify FOLDER`. Without it, in the folder: `sha256sum -c SHA256SUMS` "
      "and `openssl pkeyutl -verify -rawin -pubin -inkey public_key.pem -in SHA256SUMS -sigfile "
      "SHA256SUMS.sig`; compare the fingerprint of the key with the one that the exporter names: `openssl "
      "pkey -pubin -in public_key.pem -outform DER | sha256sum`."});
  return report;
}

Result<std::string> report_picture(const Picture& picture) {
  BufferPool& pool = HostPool::shared();
  const int factor = std::max(1, (picture.width() + kReportPicture_px - 1) / kReportPicture_px);
  Image planes[3];
  for (int p = 0; p < 3; ++p) {
    VANTAGE_ASSIGN(planes[p], reduced_mean(picture.plane(p), factor, pool));
  }
  const int width = planes[0].width(), height = planes[0].height();
  VANTAGE_ASSIGN(Image rgb, Image::make(ImageType::u8, 3 * width, height, pool));
  const RgbFromYcbcr conversion = rgb_from_ycbcr(picture.format().range, picture.format().matrix);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto chroma = [&](int p) {
        const ImageView<const uint8_t> plane = planes[p].view<uint8_t>();
        return plane.at(std::min(x / 2, plane.width - 1), std::min(y / 2, plane.height - 1));
      };
      for (int c = 0; c < 3; ++c)
        rgb.writable_view<uint8_t>().at(3 * x + c, y) =
            rgb_component(conversion, c, planes[0].view<uint8_t>().at(x, y), chroma(1), chroma(2));
    }
  return encode_png_rgb(rgb);
}

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
            (one.place_m ? fmt::format(",{:.3f},{:.3f}\n", one.place_m->x(), one.place_m->y()) : ",,\n");
  VANTAGE_TRY(make_folder(folder));
  return write_file_atomically(folder / "bookmarks.csv", text);
}

}  // namespace vantage::case_detail
