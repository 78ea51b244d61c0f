#include "core/case/case_export.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/backend/memory_transfer.h"
#include "core/base/file.h"
#include "core/base/formatted.h"
#include "core/base/json.h"
#include "core/base/output_folder.h"
#include "core/base/utc_clock.h"
#include "core/case/detail/camera_video.h"
#include "core/case/detail/case_report.h"
#include "core/case/detail/case_seal.h"
#include "core/case/detail/case_tables.h"
#include "core/case/detail/grid_video.h"
#include "core/case/exported_spans.h"
#include "core/case/known_keys.h"
#include "core/case/signing_key.h"
#include "core/run/analysis.h"
#include "core/video/packet_copy.h"
#include "core/video/sha256.h"
#include "core/video/working_colors.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;
using namespace case_detail;

// The foreground's models see so much before the span, to be used to its light.
constexpr double kWarmUp_s = 10;

// Cases are never written over.
Result<OutputFolder> new_folder(const fs::path& wanted) {
  std::error_code code;
  if (fs::exists(wanted, code) && !(fs::is_directory(wanted, code) && fs::is_empty(wanted, code)))
    return fail(ErrorKind::invalid_argument, "is there already", wanted.string(),
                "Give a folder that is not there yet: cases are never written over.");
  return OutputFolder::make(wanted);
}

Status check_options(const CaseOptions& options, const Project& project) {
  const auto wrong = [](std::string what, std::string remedy) {
    return fail(ErrorKind::invalid_argument, std::move(what), {}, std::move(remedy));
  };
  if (options.who.empty() || options.why.empty())
    return wrong("it is not said who exports the case, and why", "Name both: they are in the manifest.");
  if (options.cameras.empty()) return wrong("no camera was chosen", "Choose at least one.");
  for (const size_t camera : options.cameras)
    if (camera >= project.cameras.size())
      return wrong("there is no such camera", "Choose one of the project's.");
  if (project.live())
    return wrong("live cameras have no span to export", "Record them, and export from the recording.");
  if (!project.has_pictures()) return wrong("the project has no videos", "Export its results instead.");
  if (options.blur.on && !project.calibrated())
    return wrong("nobody can be made unrecognisable without a calibration: where people are is not known",
                 "Calibrate the cameras, or export without the blur.");
  return {};
}

class CaseExport {
 public:
  explicit CaseExport(const CaseOptions& options) : options_(options) {}

  Result<ExportedCase> run() {
    VANTAGE_TRY(prepare());
    VANTAGE_TRY(write_videos());
    if (options_.originals) VANTAGE_TRY(copy_originals());
    VANTAGE_ASSIGN(const CaseTables tables, collect_tables(scene_));
    VANTAGE_TRY(make_folder(folder_->staging() / "data"));
    if (scene_.people) VANTAGE_TRY(write_tables(scene_, tables, folder_->staging() / "data"));
    VANTAGE_TRY(write_bookmarks(scene_, tables, folder_->staging() / "data"));
    VANTAGE_TRY(write_file_atomically(folder_->staging() / "data" / "project.vantage", handed_project()));
    VANTAGE_TRY(write_report(tables));
    VANTAGE_TRY(seal_case());
    return told_;
  }

 private:
  Status prepare();
  Status open_videos(const FrameResult& first);
  Status write_videos();
  Status add_frame(const FrameResult& result);
  Status copy_originals();
  std::string handed_project() const;
  Status write_report(const CaseTables& tables);
  Status seal_case();
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
  std::unique_ptr<MemoryTransfer> transfer_;
  std::vector<std::unique_ptr<CameraVideo>> videos_;
  std::unique_ptr<GridVideo> grid_;
  std::vector<std::string> files_;               // of the videos, in the case
  std::vector<double> first_s_;                  // when each camera's first picture is shown in its file; -1
  std::map<std::string, std::string> pictures_;  // of the report, by camera
  std::string exported_utc_;
  ExportedCase told_;
};

Status CaseExport::prepare() {
  VANTAGE_ASSIGN(project_text_, read_file(options_.project));
  VANTAGE_ASSIGN(scene_.project, load_project(options_.project));
  VANTAGE_TRY(check_options(options_, scene_.project));
  scene_.overlays = options_.overlays;
  scene_.blur = options_.blur;
  Result<CasePeople> people = CasePeople::read(scene_.project);
  if (people)
    scene_.people.emplace(std::move(*people));
  else if (people.error().kind != ErrorKind::not_found || options_.blur.on)
    return fail(people.error().kind == ErrorKind::not_found
                    ? Error{ErrorKind::not_found,
                            "nobody can be made unrecognisable without results: who is where is not known",
                            scene_.project.results_folder().string(), "Analyse the project first."}
                    : people.error());
  for (const int64_t id : options_.blur.kept)
    if (!scene_.people || !scene_.people->has_person(id))
      return fail(ErrorKind::invalid_argument,
                  "there is no person " + std::to_string(id) + " to keep recognisable", {},
                  "Give the ID as the window and tracks.csv show it.");
  if (options_.blur.on && scene_.people) scene_.people->keep_names_of(options_.blur.kept);
  VANTAGE_ASSIGN(key_, SigningKey::of_user());
  scene_.clock = options_.clock ? options_.clock : find_clock(scene_.project);
  AnalysisOptions analysis;
  analysis.backends = options_.backends;
  analysis.hardware = options_.hardware;
  analysis.pipeline.cache_bytes = 0;
  analysis.pipeline.checkpoint_bytes = 0;
  analysis.pipeline.unseen = UnseenFrames::go_on;
  analysis.stop = options_.stop;
  VANTAGE_ASSIGN(analysis_, Analysis::open(scene_.project, analysis));
  VANTAGE_ASSIGN(transfer_, options_.backends.create<MemoryTransfer>({}));
  VANTAGE_ASSIGN(const int64_t count, analysis_->source().wait_for_frame_count(options_.stop));
  scene_.span = {options_.span.begin, std::min(options_.span.end, count)};
  if (scene_.span.begin < 0 || scene_.span.begin >= scene_.span.end)
    return fail(ErrorKind::invalid_argument, "the span holds no frame",
                std::to_string(options_.span.begin) + " to " + std::to_string(options_.span.end),
                "The recording has " + std::to_string(count) + " frames.");
  if (options_.blur.on &&
      !scene_.people->found_by(scene_.span, analysis_->pipeline().version(kTrackingStage)))
    return fail(
        ErrorKind::invalid_argument,
        "nobody can be made unrecognisable by these results: they were made with another calibration, "
        "other videos or parameters, or on another device",
        scene_.project.results_folder().string(), "Analyse the project again.");
  scene_.frame_rate = analysis_->source().frame_rate();
  scene_.keep_trails();
  VANTAGE_ASSIGN(OutputFolder folder, new_folder(options_.out));
  folder_.emplace(std::move(folder));
  told_.id = random_id(16);
  told_.fingerprint = key_->fingerprint();
  told_.frames = scene_.span.end - scene_.span.begin;
  told_.frame_rate = scene_.frame_rate;
  told_.clock = scene_.clock;
  if (!scene_.clock)
    told_.notes.push_back("The time of day is not known: times count from the start of the recording.");
  return {};
}

// Sound is copied from where the first pictures lie in the files.
Status CaseExport::open_videos(const FrameResult& first) {
  const fs::path folder = folder_->staging() / "video";
  VANTAGE_TRY(make_folder(folder));
  std::vector<PictureFormat> formats;
  std::set<std::string> names;
  for (const size_t camera : options_.cameras) {
    const VideoInfo info = analysis_->source().info(static_cast<int>(camera));
    PictureFormat format = working_format({PictureLayout::i420, info.width_px, info.height_px});
    std::string name = file_part(scene_.project.cameras[camera].name);
    while (!names.insert(name).second) name += "_";
    files_.push_back("video/" + name + ".mp4");
    const CameraFrame& shown = first.frames()->cameras[camera];
    const bool has_time = shown.picture && shown.time_ns >= 0;
    first_s_.push_back(has_time ? static_cast<double>(shown.time_ns) * 1e-9 : -1);
    VANTAGE_ASSIGN(auto video, CameraVideo::open(scene_, camera, format, folder_->staging() / files_.back(),
                                                 options_.sound ? first_s_.back() : -1));
    videos_.push_back(std::move(video));
    formats.push_back(even_format(format));
  }
  if (options_.grid) {
    VANTAGE_ASSIGN(grid_, GridVideo::open(scene_, formats, folder / "all_cameras.mp4"));
  }
  return {};
}

Status CaseExport::write_videos() {
  const auto warm_up = options_.blur.on ? std::llround(kWarmUp_s * scene_.frame_rate) : 0;
  const int64_t begin = std::max<int64_t>(0, scene_.span.begin - warm_up);
  FrameEffort effort;
  effort.last_stage = options_.blur.on ? kForegroundStage : kVideoStage;
  for (int64_t frame = begin; frame < scene_.span.end; ++frame) {
    VANTAGE_TRY(stopped());
    VANTAGE_ASSIGN(const FrameResultRef result, analysis_->pipeline().frame(frame, effort, options_.stop));
    if (frame == scene_.span.begin) VANTAGE_TRY(open_videos(*result));
    if (frame >= scene_.span.begin) VANTAGE_TRY(add_frame(*result));
    report("videos", frame + 1 - begin, scene_.span.end - begin);
  }
  for (size_t i = 0; i < videos_.size(); ++i) {
    VANTAGE_ASSIGN(CaseCamera camera, videos_[i]->finish());
    camera.video = files_[i];
    told_.cameras.push_back(std::move(camera));
  }
  return grid_ ? grid_->finish() : Status();
}

Status CaseExport::add_frame(const FrameResult& result) {
  std::vector<Image> masks;
  if (options_.blur.on && result.foreground()) {
    const Result<std::vector<Image>>& found = result.foreground()->host_masks.get();
    if (!found) return fail(found.error());
    masks = *found;
  }
  std::vector<Status> statuses(videos_.size());
  std::vector<Picture> shown(videos_.size());
  std::vector<Picture> pictures;
  for (const size_t camera : options_.cameras) {
    const Picture& picture = result.frames()->cameras[camera].picture;
    Picture& host = pictures.emplace_back();
    if (!picture) continue;
    VANTAGE_ASSIGN(host, transfer_->download(picture, result.frame, static_cast<int>(camera)));
  }
  tbb::parallel_for(size_t{0}, videos_.size(), [&](size_t i) {
    const size_t camera = options_.cameras[i];
    Result<Picture> added =
        videos_[i]->add(result.frame, pictures[i], camera < masks.size() ? masks[camera] : Image());
    if (added)
      shown[i] = std::move(*added);
    else
      statuses[i] = fail(added.error());
  });
  for (Status& status : statuses) VANTAGE_TRY(status);
  if (result.frame == scene_.span.begin + told_.frames / 2)
    for (size_t i = 0; i < shown.size(); ++i) {
      VANTAGE_ASSIGN(pictures_[scene_.project.cameras[options_.cameras[i]].name], report_picture(shown[i]));
    }
  return grid_ ? grid_->add(result.frame, shown) : Status();
}

Status CaseExport::copy_originals() {
  const fs::path folder = folder_->staging() / "originals";
  VANTAGE_TRY(make_folder(folder));
  for (size_t i = 0; i < options_.cameras.size(); ++i) {
    report("originals", static_cast<int64_t>(i), static_cast<int64_t>(options_.cameras.size()));
    const std::string& video = scene_.project.cameras[options_.cameras[i]].video;
    std::string& told = told_.cameras[i].original;
    std::error_code none;
    if (first_s_[i] < 0 || !fs::is_regular_file(video, none) || video.ends_with(".segments")) {
      told = "left out: it is not one video file with times";
      continue;
    }
    const double to_s = first_s_[i] + scene_.seconds(told_.frames);
    const fs::path file = fs::path(files_[i]).filename().replace_extension(".mkv");
    const Result<CopiedPackets> copied = copy_packets(video, first_s_[i], to_s, folder / file, options_.stop);
    if (!copied &&
        (copied.error().kind == ErrorKind::unsupported || copied.error().kind == ErrorKind::bad_data)) {
      told = "left out: " + copied.error().what;
      continue;
    }
    if (!copied) return fail(copied.error());
    told = formatted(
        "originals/%s, %lld pictures as they were recorded, from the key picture %.3f s before the span on",
        file.string().c_str(), static_cast<long long>(copied->pictures),
        std::max(0.0, first_s_[i] - copied->first_s));
    if (!copied->whole_stretch) told += "; its beginning is missing, as the file has no earlier key picture";
  }
  return {};
}

// Without where messages go, with the bookmarks of the span alone; with the blur, without what people are
// called.
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
  for (const CaseCamera& camera : told_.cameras)
    if (const auto png = pictures_.find(camera.name); png == pictures_.end())
      return fail(ErrorKind::bad_data, "the recording ended before the span did", camera.name);
  const auto now_s = static_cast<double>(utc_now_ns()) * 1e-9;
  exported_utc_ = RecordingClock{now_s, 0, {}}.text(0);
  ReportFacts facts;
  facts.id = told_.id, facts.who = options_.who, facts.why = options_.why;
  facts.exported = exported_utc_, facts.program = VANTAGE_VERSION;
  facts.project_name = options_.project.filename().string();
  facts.project_sha256 = sha256(project_text_);
  facts.fingerprint = told_.fingerprint;
  facts.told = &told_;
  facts.pictures = pictures_;
  return write_file_atomically(folder_->staging() / "report.html", report_html(scene_, tables, facts));
}

nlohmann::ordered_json CaseExport::manifest() const {
  nlohmann::ordered_json json = {{"schema", kCaseSchema}};
  json["case"] = {{"id", told_.id},
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
  json["cameras"] = nlohmann::ordered_json::array();
  for (size_t i = 0; i < told_.cameras.size(); ++i) {
    const CaseCamera& camera = told_.cameras[i];
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
            formatted("%016llx",
                      static_cast<unsigned long long>(
                          analysis_->source().info(static_cast<int>(options_.cameras[i])).content_hash))}}}});
  }
  return json;
}

Status CaseExport::seal_case() {
  VANTAGE_TRY(stopped());
  report("checksums", 0, 1);
  VANTAGE_TRY(seal(folder_->staging(), manifest(), *key_));
  VANTAGE_ASSIGN(KnownKeys known, KnownKeys::read());
  VANTAGE_TRY(folder_->publish());
  told_.folder = folder_->target();
  known.names[told_.fingerprint] = "this machine";
  known.cases[told_.id] = told_.fingerprint;
  if (const Status kept = known.write(); !kept)
    told_.notes.push_back("That this case was exported here is not kept: " + kept.error().message());
  if (const Status kept =
          add_exported_span(scene_.project.results_folder(),
                            {scene_.span.begin, scene_.span.end - 1, told_.id, told_.folder.string()});
      !kept)
    told_.notes.push_back("Which span this was is not kept beside the results: " + kept.error().message());
  report("checksums", 1, 1);
  return {};
}

}  // namespace

Result<ExportedCase> export_case(const CaseOptions& options) {
  return CaseExport(options).run();
}

}  // namespace vantage
