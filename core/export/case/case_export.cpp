#include "core/export/case/case_export.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/output_folder.h"
#include "core/export/case/case_verify.h"
#include "core/export/case/detail/case_origin.h"
#include "core/export/case/detail/case_report.h"
#include "core/export/case/detail/case_scene.h"
#include "core/export/case/detail/span_videos.h"
#include "core/export/case/handover.h"
#include "core/run/analysis.h"
#include "core/seal/custody.h"
#include "core/seal/signing_key.h"
#include "core/video/sha256.h"
#include "core/video/stream_packet.h"
#include "core/video/video_source.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;
using namespace case_detail;

Status check_options(const CaseOptions& options, const Project& project) {
  const auto wrong = [](std::string what, std::string remedy) {
    return fail(ErrorKind::invalid_argument, std::move(what), {}, std::move(remedy));
  };
  if (options.who.empty() || options.why.empty())
    return wrong("the person who exports the case and the reason are missing",
                 "Name both: they are in the manifest.");
  if (options.cameras.empty()) return wrong("no camera was chosen", "Choose at least one.");
  for (const size_t camera : options.cameras)
    if (camera >= project.cameras.size())
      return wrong("there is no such camera", "Choose one of the project's.");
  if (project.live())
    return wrong("live cameras have no span to export", "Record them, and export from the recording.");
  if (!project.has_pictures()) return wrong("the project has no videos", "Export its results instead.");
  return {};
}

class CaseExport {
 public:
  explicit CaseExport(const CaseOptions& options) : options_(options) {}

  Result<ExportedCase> run() {
    VANTAGE_TRY(prepare());
    VANTAGE_TRY(write_videos());
    if (options_.originals) VANTAGE_TRY(copy_originals());
    VANTAGE_TRY(prove_origins());
    VANTAGE_ASSIGN(const CaseTables tables, collect_tables(scene_));
    VANTAGE_TRY(make_folder(folder_->staging() / "data"));
    VANTAGE_TRY(copy_custody());
    if (scene_.people) VANTAGE_TRY(write_tables(scene_, tables, folder_->staging() / "data"));
    VANTAGE_TRY(write_bookmarks(scene_, tables, folder_->staging() / "data"));
    VANTAGE_TRY(write_file_atomically(folder_->staging() / "data" / "project.vantage", handed_project()));
    VANTAGE_TRY(write_report(tables));
    VANTAGE_TRY(seal_case());
    mark_events(tables);
    return report_;
  }

 private:
  Status prepare();
  Status write_videos();
  Status copy_originals();
  Status prove_origins();
  Status copy_custody();
  std::string handed_project() const;
  Status write_report(const CaseTables& tables);
  Status seal_case();
  void mark_events(const CaseTables& tables);
  nlohmann::ordered_json manifest() const;
  void report(const char* doing, int64_t done, int64_t total) const {
    if (options_.progress) options_.progress({doing, done, total});
  }
  Status stopped() const {
    return options_.stop.stop_requested()
               ? Status(fail(ErrorKind::cancelled, "the export was stopped; nothing was kept"))
               : Status();
  }

  const CaseOptions& options_;
  CaseScene scene_;
  std::string project_text_;  // the file's
  std::unique_ptr<SigningKey> key_;
  std::optional<OutputFolder> folder_;
  std::unique_ptr<Analysis> analysis_;
  std::vector<double> first_s_;                  // when each camera's first picture is shown in its file; -1
  std::vector<std::string> copies_;              // of originals in the case, by camera; empty: left out
  std::vector<nlohmann::ordered_json> origins_;  // by camera
  nlohmann::ordered_json custody_;               // of the manifest; null: there was no log
  std::map<std::string, std::string> pictures_;  // of the report, by camera
  std::string exported_utc_;
  ExportedCase report_;
};

Status CaseExport::prepare() {
  VANTAGE_ASSIGN(project_text_, read_file(options_.project));
  VANTAGE_ASSIGN(scene_.project, load_project(options_.project));
  VANTAGE_TRY(check_options(options_, scene_.project));
  scene_.overlays = options_.overlays;
  scene_.blur = options_.blur;
  VANTAGE_ASSIGN(key_, SigningKey::of_user());
  scene_.clock = options_.clock ? options_.clock : find_clock(scene_.project);
  VANTAGE_ASSIGN(analysis_, open_span(&scene_, {options_.span, true, options_.backends, options_.hardware,
                                                options_.stop}));
  VANTAGE_ASSIGN(OutputFolder folder, OutputFolder::make_new(options_.out));
  folder_.emplace(std::move(folder));
  report_.id = random_id(16);
  report_.fingerprint = key_->fingerprint();
  report_.frames = scene_.span.end - scene_.span.begin;
  report_.frame_rate = scene_.frame_rate;
  report_.clock = scene_.clock;
  if (!scene_.clock)
    report_.notes.push_back("The time of day is not known: times count from the start of the recording.");
  return {};
}

Status CaseExport::write_videos() {
  SpanVideosOptions wanted;
  wanted.cameras = options_.cameras;
  wanted.folder = folder_->staging() / "video";
  wanted.grid = options_.grid, wanted.sound = options_.sound;
  wanted.backends = options_.backends;
  wanted.stop = options_.stop;
  wanted.progress = [this](int64_t done, int64_t total) { report("videos", done, total); };
  wanted.middle = [this](const std::vector<Picture>& shown) -> Status {
    for (size_t i = 0; i < shown.size(); ++i) {
      VANTAGE_ASSIGN(pictures_[scene_.project.cameras[options_.cameras[i]].name], report_picture(shown[i]));
    }
    return {};
  };
  VANTAGE_ASSIGN(const std::vector<SpanVideo> videos, write_span_videos(scene_, *analysis_, wanted));
  for (const SpanVideo& video : videos) {
    first_s_.push_back(video.first_s);
    report_.cameras.push_back(video.camera);
    report_.cameras.back().video = "video/" + video.camera.video;
  }
  return {};
}

Status CaseExport::copy_originals() {
  const fs::path folder = folder_->staging() / "originals";
  VANTAGE_TRY(make_folder(folder));
  copies_.resize(options_.cameras.size());
  for (size_t i = 0; i < options_.cameras.size(); ++i) {
    report("originals", static_cast<int64_t>(i), static_cast<int64_t>(options_.cameras.size()));
    const std::string& video = scene_.project.cameras[options_.cameras[i]].video;
    std::string& told = report_.cameras[i].original;
    if (first_s_[i] < 0 || !is_one_file(video)) {
      told = "left out: it is not one video file with times";
      continue;
    }
    const double to_s = first_s_[i] + scene_.seconds(report_.frames);
    const fs::path file = fs::path(report_.cameras[i].video).filename().replace_extension(".mkv");
    const Result<CopiedPackets> copied = copy_packets(video, first_s_[i], to_s, folder / file, options_.stop);
    if (!copied &&
        (copied.error().kind == ErrorKind::unsupported || copied.error().kind == ErrorKind::bad_data)) {
      told = "left out: " + copied.error().what;
      continue;
    }
    if (!copied) return fail(copied.error());
    copies_[i] = "originals/" + file.string();
    told = fmt::format(
        "originals/{}, {} pictures as they were recorded, from the key picture {:.3f} s before the span on",
        file.string(), copied->pictures, std::max(0.0, first_s_[i] - copied->first_s));
    if (!copied->whole_stretch) told += "; its beginning is missing, as the file has no earlier key picture";
  }
  return {};
}

Status CaseExport::prove_origins() {
  copies_.resize(options_.cameras.size());
  std::string unsealed;
  for (size_t i = 0; i < options_.cameras.size(); ++i) {
    OriginRequest request;
    request.video = scene_.project.cameras[options_.cameras[i]].video;
    request.from_s = first_s_[i];
    request.to_s = first_s_[i] < 0 ? -1 : first_s_[i] + scene_.seconds(report_.frames);
    request.folder = folder_->staging();
    request.name = fs::path(report_.cameras[i].video).stem().string();
    request.original = copies_[i];
    request.stop = options_.stop;
    std::string note;
    VANTAGE_ASSIGN(nlohmann::ordered_json origin, origin_of(request, &note));
    origins_.push_back(std::move(origin));
    if (!note.empty()) report_.notes.push_back(report_.cameras[i].name + ": " + note);
    if (origins_.back().empty()) unsealed += (unsealed.empty() ? "" : ", ") + report_.cameras[i].name;
  }
  if (!unsealed.empty())
    report_.notes.push_back("Not sealed, so nothing proves what was recorded: " + unsealed + ".");
  return {};
}

// The log up to the export, which itself is in the manifest, and in the project's log.
Status CaseExport::copy_custody() {
  const fs::path log = custody_path(options_.project);
  std::error_code none;
  if (!fs::exists(log, none)) return {};
  VANTAGE_ASSIGN(const std::string text, read_file(log));
  const fs::path copy = fs::path("data") / "custody.jsonl";
  VANTAGE_TRY(write_file_atomically(folder_->staging() / copy, text));
  const auto read = read_custody(folder_->staging() / copy);
  if (!read || !read->faults.empty())
    report_.notes.push_back(read ? read->faults.front() : read.error().message());
  if (read)
    custody_ = {{"file", copy.generic_string()},
                {"entries", read->entries.size()},
                {"last_sha256", read->last_sha256}};
  return {};
}

// The project as handed over: without message targets, with the bookmarks of the span alone; with the blur,
// without people's names.
std::string CaseExport::handed_project() const {
  nlohmann::ordered_json project = parse_ordered_json(project_text_);
  const bool names_go = options_.blur.on && project.contains("repairs");
  if (!names_go && !project.contains("push") && !project.contains("bookmarks")) return project_text_;
  project.erase("push");
  if (project.contains("bookmarks")) {
    auto& bookmarks = project["bookmarks"];
    const auto outside = [this](const nlohmann::ordered_json& bookmark) {
      const auto frame = bookmark["frame"].get<int64_t>();
      return frame < scene_.span.begin || frame >= scene_.span.end;
    };
    bookmarks.erase(std::remove_if(bookmarks.begin(), bookmarks.end(), outside), bookmarks.end());
  }
  if (!names_go) return project.dump(2) + "\n";
  auto& repairs = project["repairs"];
  const auto names = [](const nlohmann::ordered_json& repair) {
    return repair["kind"] == repair_name(RepairKind::name);
  };
  repairs.erase(std::remove_if(repairs.begin(), repairs.end(), names), repairs.end());
  return project.dump(2) + "\n";
}

Status CaseExport::write_report(const CaseTables& tables) {
  for (const CaseCamera& camera : report_.cameras)
    if (const auto png = pictures_.find(camera.name); png == pictures_.end())
      return fail(ErrorKind::bad_data, "the recording ended before the span did", camera.name);
  const auto now_s = static_cast<double>(utc_now_ns()) * 1e-9;
  exported_utc_ = RecordingClock{now_s, 0, {}}.text(0);
  ReportFacts facts;
  facts.id = report_.id, facts.who = options_.who, facts.why = options_.why;
  facts.exported = exported_utc_, facts.program = VANTAGE_VERSION;
  facts.project_name = options_.project.filename().string();
  facts.project_sha256 = sha256(project_text_);
  facts.fingerprint = report_.fingerprint;
  facts.told = &report_;
  facts.pictures = pictures_;
  const Document report = report_document(scene_, tables, facts);
  VANTAGE_TRY(write_file_atomically(folder_->staging() / "report.html", document_html(report)));
  const std::string created = fmt::format("{:.10}T{:.8}Z", exported_utc_, exported_utc_.c_str() + 11);
  VANTAGE_ASSIGN(const std::string pdf, document_pdf(report, created));
  return write_file_atomically(folder_->staging() / "report.pdf", pdf);
}

nlohmann::ordered_json CaseExport::manifest() const {
  nlohmann::ordered_json json = {{"schema", kCaseSchema}};
  json["case"] = {{"id", report_.id},
                  {"exported_utc", exported_utc_},
                  {"who", options_.who},
                  {"why", options_.why},
                  {"program", VANTAGE_VERSION}};
  json["project"] = {{"name", options_.project.filename().string()}, {"sha256", sha256(project_text_)}};
  json["span"] = {
      {"first_frame", scene_.span.begin},
      {"last_frame", scene_.span.end - 1},
      {"frame_rate", scene_.frame_rate},
      {"begin", scene_.moment_text(scene_.span.begin)},
      {"clock", scene_.clock ? nlohmann::ordered_json(scene_.clock->source) : nlohmann::ordered_json()}};
  json["blur"] = {{"who", !options_.blur.on            ? "nobody"
                          : options_.blur.kept.empty() ? "everybody"
                                                       : "everybody_but"},
                  {"kept", options_.blur.kept}};
  json["overlays"] = {{"people", options_.overlays.people},
                      {"trails", options_.overlays.trails},
                      {"floor", options_.overlays.floor}};
  json["custody"] = custody_;
  json["cameras"] = nlohmann::ordered_json::array();
  for (size_t i = 0; i < report_.cameras.size(); ++i) {
    const CaseCamera& camera = report_.cameras[i];
    const ProjectCamera& source = scene_.project.cameras[options_.cameras[i]];
    nlohmann::ordered_json doubts = nlohmann::ordered_json::object();
    for (const auto& [doubt, frames] : camera.doubts)
      doubts[std::string(kBlurDoubtNames[static_cast<size_t>(doubt)])] = frames;
    json["cameras"].push_back(
        {{"name", camera.name},
         {"video", camera.video},
         {"frames", camera.frames},
         {"without_picture", camera.without_picture},
         {"fully_blurred", camera.fully_blurred},
         {"fully_blurred_why", doubts},
         {"encoder", camera.encoder},
         {"sound", camera.sound},
         {"original",
          camera.original.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(camera.original)},
         {"source",
          {{"file", fs::path(source.video).filename().string()},
           {"checksum",
            fmt::format("{:016x}",
                        analysis_->source().info(static_cast<int>(options_.cameras[i])).content_hash)}}},
         {"origin", origins_[i]}});
  }
  return json;
}

Status CaseExport::seal_case() {
  VANTAGE_TRY(stopped());
  report("checksums", 0, 1);
  VANTAGE_TRY(seal(folder_->staging(), manifest(), *key_));
  VANTAGE_ASSIGN(KnownKeys known, KnownKeys::read());
  VANTAGE_TRY(folder_->publish());
  report_.folder = folder_->target();
  known.names[report_.fingerprint] = KnownKeys::kOwn;
  known.cases[report_.id] = report_.fingerprint;
  if (const Status kept = known.write(); !kept)
    report_.notes.push_back("This case could not be recorded as exported here: " + kept.error().message());
  if (const Status kept =
          add_exported_span(scene_.project.results_folder(),
                            {scene_.span.begin, scene_.span.end - 1, report_.id, report_.folder.string()});
      !kept)
    report_.notes.push_back("The exported span could not be recorded next to the results: " +
                            kept.error().message());
  if (const Status noted = begin_or_note_custody(
          options_.project, "case exported",
          {{"case", report_.id},
           {"folder", report_.folder.filename().string()},
           {"who", options_.who},
           {"why", options_.why},
           {"manifest_sha256", sha256_of_file(report_.folder / kManifest).value_or("")}});
      !noted)
    report_.notes.push_back("The export is not in the custody log: " + noted.error().message());
  report("checksums", 1, 1);
  return {};
}

// A false alarm keeps its mark.
void CaseExport::mark_events(const CaseTables& tables) {
  EventMarks exported;
  for (const FloorEvent& event : tables.events) {
    if (event.raised_frame < scene_.span.begin || event.raised_frame >= scene_.span.end) continue;
    const auto known = tables.marks.find(key_of(event));
    EventMark mark = known == tables.marks.end() ? EventMark() : known->second;
    if (mark.standing == EventStanding::false_alarm) continue;
    mark.standing = EventStanding::exported;
    exported[key_of(event)] = std::move(mark);
  }
  if (exported.empty()) return;
  if (const auto kept = change_event_marks(scene_.project.results_folder(), exported); !kept)
    report_.notes.push_back("Its events could not be marked as exported next to the results: " +
                            kept.error().message());
}

}  // namespace

Result<ExportedCase> export_case(const CaseOptions& options) {
  return CaseExport(options).run();
}

}  // namespace vantage
