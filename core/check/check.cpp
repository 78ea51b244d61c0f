#include "core/check/check.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/parallel_each.h"
#include "core/base/threads.h"
#include "core/base/trace.h"
#include "core/check/camera_view.h"
#include "core/check/detail/project_checks.h"
#include "core/check/detail/sample.h"
#include "core/check/footage_agreement.h"
#include "core/detections/detection_parameters.h"
#include "core/detections/detection_store.h"
#include "core/fusion/body_box.h"
#include "core/fusion/detector_watch.h"
#include "core/fusion/fusion.h"
#include "core/geometry/camera.h"
#include "core/pipeline/detector_models.h"
#include "core/project/project.h"
#include "core/project/scene_plan.h"
#include "core/project/span_footage.h"
#include "core/project/world_doubt.h"
#include "core/results/results_paths.h"
#include "core/tracking/tracker.h"
#include "core/video/video_source.h"

namespace vantage {
namespace {

// Checks that the cameras' detectors agree about people, by the rule of a run (core/fusion/detector_watch.h),
// from the project's files of boxes and from detections of its model in earlier runs.

struct DetectorCheck {
  const Project& project;
  const std::vector<Camera>& cameras;  // with the poses of the checked span, one for each of the project's
  FloorRectangle floor;
  const std::vector<VideoInfo>& videos;  // one for each camera
  int64_t frame_count = 0;               // the base camera's
  double base_rate = 0;                  // frames/s
  int spans = 0;                         // number of spans of the recording that are examined, kLooks in each
  StopSource stop;
  StandingSpan span = {};  // the cameras have these poses in it
};

constexpr int kLooks = 12;        // per span: enough to tell how people move
constexpr int64_t kReach = 2000;  // frames of a span that are searched for them
constexpr size_t kMinDetectingCameras = 3;
// Upper quartile of the heights of people who stand or walk: outside this range, scale or floor are
// suspected.
constexpr double kMinUpperQuartile_m = 1.55, kMaxUpperQuartile_m = 1.96;
constexpr size_t kMinHeights = 20;
constexpr double kSureOfHeight = 0.9;  // confidence of people whose height counts

// The boxes of one camera.
struct Boxes {
  std::optional<FileFrames> file;
  std::unique_ptr<DetectionStore> stored;
  double rate_ratio = 1;  // the camera's frames for each of the base's

  bool any() const { return file || stored; }
  CameraDetections at(int64_t camera_frame) const {
    if (file) return file->at(camera_frame);
    return stored ? stored->find(camera_frame).value_or(CameraDetections()) : CameraDetections();
  }
};

std::optional<FileFrames> frames_of(const ProjectCamera& camera, const VideoInfo& video) {
  const double rate = effective_frame_rate(camera.frame_rate, video.frame_rate);
  const DetectionFileOptions options =
      reading_options(camera.detections, video.width_px, video.height_px, rate, video.frame_count);
  auto frames = read_file_frames(camera.detections, options, rate, video.picture_of_frame);
  if (!frames) return std::nullopt;  // its own check says so
  return std::move(*frames);
}

// Detections of the model from an earlier run; null where there was none.
std::vector<std::unique_ptr<DetectionStore>> stores_of(const DetectorCheck& check) {
  std::vector<std::unique_ptr<DetectionStore>> stores(check.project.cameras.size());
  const auto folder = std::filesystem::path(check.project.path).replace_extension(".detections");
  std::error_code none;
  if (check.project.detection_model.empty() || !std::filesystem::is_directory(folder, none)) return stores;
  const auto models = read_models(check.project.detection_model, check.project.joints_model);
  if (!models) return stores;
  const auto parameters = check.project.parameters.get<DetectionParameters>();
  EngineOptions engine;
  engine.choice = parameters.engine;
  const auto detector = PersonDetector::open(*models, parameters, engine);
  if (!detector) return stores;
  for (size_t c = 0; c < stores.size(); ++c) {
    DetectorProvenance provenance = (*detector)->provenance();
    provenance.video = hex64(check.videos[c].content_hash);
    if (auto store = DetectionStore::open(folder, check.project.cameras[c].name, provenance))
      stores[c] = std::move(*store);
  }
  return stores;
}

std::vector<Boxes> boxes_of(const DetectorCheck& check) {
  std::vector<Boxes> all(check.project.cameras.size());
  std::vector<std::unique_ptr<DetectionStore>> stores = stores_of(check);
  for (size_t c = 0; c < all.size(); ++c) {
    const ProjectCamera& camera = check.project.cameras[c];
    if (check.base_rate > 0)
      all[c].rate_ratio =
          effective_frame_rate(camera.frame_rate, check.videos[c].frame_rate) / check.base_rate;
    if (camera.detections.file.empty())
      all[c].stored = std::move(stores[c]);
    else
      all[c].file = frames_of(camera, check.videos[c]);
  }
  return all;
}

class Examination {
 public:
  Examination(const DetectorCheck& check, std::vector<Boxes> boxes)
      : check_(check),
        boxes_(std::move(boxes)),
        min_score_(check.project.parameters.get<DetectionParameters>().min_score) {
    std::vector<PinholeCamera<double>> models;
    for (const Camera& camera : check.cameras) models.push_back(camera.model());
    ignored_ = check.project.ignored_pixels(check.cameras);
    fusion_ = std::make_unique<PeopleFusion>(check.floor, models, ignored_);
    fusion_->set_parameters(check.project.parameters.get<FusionParameters>());
    watch_.emplace(std::move(models), check.base_rate);
  }

  // Whether the boxes meet in this world.
  std::optional<WorldDoubt> world() const {
    std::vector<PinholeCamera<double>> models;
    for (const Camera& camera : check_.cameras) models.push_back(camera.model());
    return world_doubt(meeting_, models, check_.floor, check_.project.parameters.get<FusionParameters>(),
                       looks_);
  }

  // Heights of people whom two cameras or more see, ascending.
  std::vector<double> heights_m() {
    std::sort(heights_m_.begin(), heights_m_.end());
    return heights_m_;
  }

  std::vector<DetectorState> run() {
    const int64_t last = std::min(check_.frame_count, check_.span.end);
    const int64_t apart = std::max<int64_t>((last - check_.span.begin) / std::max(check_.spans, 1), 1);
    for (int64_t begin = check_.span.begin; begin < last; begin += apart)
      examine_span(begin, std::min({begin + apart, begin + kReach, last}));
    return watch_->states();
  }

 private:
  // Examines a span. People get their IDs within it.
  void examine_span(int64_t begin, int64_t end) {
    Tracker tracker(check_.base_rate);
    int looks = 0;
    for (int64_t frame = begin; frame < end && looks < kLooks && !check_.stop.stop_requested(); ++frame) {
      const std::vector<CameraDetections> detections = detections_at(frame);
      if (std::count_if(detections.begin(), detections.end(),
                        [](const CameraDetections& one) { return one.known; }) < 2)
        continue;
      ++looks;
      const std::vector<FusedPerson> people = fusion_->find({.cameras = detections});
      std::vector<FloorDetection> places;
      for (const FusedPerson& person : people) {
        places.push_back({person.x_m, person.y_m, person.height_m});
        if (person.confidence >= kSureOfHeight &&
            std::count_if(person.evidence.begin(), person.evidence.end(), speaks_for) >= 2)
          heights_m_.push_back(person.height_m);
      }
      const auto tracked = tracker.update(frame, places);
      std::vector<int64_t> ids;
      // IDs of different spans are different people.
      for (size_t i = 0; tracked && i < tracked->size(); ++i)
        ids.push_back((*tracked)[i].id > 0 ? begin * kIdsOfSpan + (*tracked)[i].id : 0);
      watch_->add(frame, detections, people, ids);
      meeting_.add(people, detections, check_.project.parameters.get<FusionParameters>().min_score);
      if (looks_.size() < kKeptLooks) looks_.push_back(detections);
    }
  }

  std::vector<CameraDetections> detections_at(int64_t frame) const {
    std::vector<CameraDetections> all;
    for (size_t c = 0; c < boxes_.size(); ++c) {
      const double at =
          camera_frame_at(check_.project.cameras[c], static_cast<double>(frame), boxes_[c].rate_ratio);
      CameraDetections& one = all.emplace_back(boxes_[c].at(std::llround(at)));
      std::erase_if(one.people, [&](const PersonDetection& person) { return person.score < min_score_; });
      drop_ignored(ignored_[c], &one.people);
    }
    return all;
  }

  static constexpr int64_t kIdsOfSpan = 10'000;
  static constexpr size_t kKeptLooks = 60;
  const DetectorCheck& check_;
  const std::vector<Boxes> boxes_;
  const double min_score_;
  std::vector<IgnoredPixels> ignored_;  // by camera
  std::unique_ptr<PeopleFusion> fusion_;
  std::optional<DetectorWatch> watch_;
  std::vector<double> heights_m_;
  MeetingBoxes meeting_;
  std::vector<std::vector<CameraDetections>> looks_;  // the first ones
};

// People must have people's heights: with a wrong unit or floor the cameras still agree with each other.
CheckItem heights_item(const std::vector<double>& heights_m) {
  CheckItem item;
  item.check = "heights";
  item.limit =
      fmt::format("a quarter of the people are at least {:.2f} m tall, few over 2 m", kMinUpperQuartile_m);
  if (heights_m.size() < kMinHeights) {
    item.verdict = Verdict::cannot_tell;
    item.figure = fmt::format("{} people were seen by two cameras", heights_m.size());
    item.remedy = fmt::format("{} have to be measured.", kMinHeights);
    return item;
  }
  const double middle_m = heights_m[heights_m.size() / 2], upper_m = heights_m[heights_m.size() * 3 / 4];
  item.figure =
      fmt::format("people are {:.2f} m tall (median), the tallest quarter over {:.2f} m", middle_m, upper_m);
  if (upper_m >= kMinUpperQuartile_m && upper_m <= kMaxUpperQuartile_m) return item;
  item.verdict = Verdict::doubtful;
  item.remedy =
      upper_m < kMinUpperQuartile_m
          ? "Unless these are children or people who sit: examine the calibration's unit and where its "
            "floor (z = 0) is; positions are wrong likewise."
          : "Examine the calibration's unit and where its floor (z = 0) is; positions are wrong likewise.";
  item.command = "vantage-cli new --unit-scale";
  return item;
}

CheckItem item_of(const DetectorState& state, const std::string& camera) {
  CheckItem item;
  item.check = "detector", item.camera = camera;
  item.limit = "sees and places the people whom the other cameras see";
  if (state.fault != DetectorFault::none) {
    item.verdict = Verdict::doubtful;
    item.figure = describe(state, camera);
    item.remedy = "People stay; examine its boxes in the view (Shift+D).";
    return item;
  }
  item.figure = fmt::format("sees {} of {} people whom the other cameras see in its picture", state.seen,
                            state.expected);
  if (state.compared >= DetectorWatch::kMinCompared)
    item.figure += fmt::format(", boxes off by {:.0f} px", std::hypot(state.shift_x_px, state.shift_y_px));
  if (state.expected >= DetectorWatch::kMinCompared) return item;
  item.verdict = Verdict::cannot_tell;
  item.remedy = fmt::format("{} have to be compared.", DetectorWatch::kMinCompared);
  return item;
}

// An item for each camera with boxes, where three or more have them: of two it is not known which one is
// right. One item of people's heights where two or more have boxes.
std::vector<CheckItem> examine_detectors(const DetectorCheck& check) {
  std::vector<Boxes> boxes = boxes_of(check);
  std::vector<bool> any;
  for (const Boxes& one : boxes) any.push_back(one.any());
  const auto detecting = static_cast<size_t>(std::count(any.begin(), any.end(), true));
  if (detecting < 2 || check.base_rate <= 0) return {};
  Examination examination(check, std::move(boxes));
  const std::vector<DetectorState> states = examination.run();
  std::vector<CheckItem> items;
  if (const auto doubt = examination.world())
    items.push_back({"detections", "", doubt->mirrored ? Verdict::failed : Verdict::doubtful,
                     doubt_text(*doubt), "boxes of several cameras meet", remedy_text(*doubt)});
  for (size_t c = 0; c < states.size() && detecting >= kMinDetectingCameras; ++c)
    if (any[c]) items.push_back(item_of(states[c], check.project.cameras[c].name));
  items.push_back(heights_item(examination.heights_m()));
  return items;
}

constexpr int64_t kHullVoxels = 100'000;

ReadProject read_project(const Project& project, const CheckOptions& options, CheckParts* parts) {
  ReadProject read{project, options, *parts, missing_files(project), {}, {}};
  read.samples.resize(project.cameras.size());
  if (read.samples.empty()) return read;
  double rate = project.cameras[0].frame_rate;
  read.moments = {0};
  if (const auto base = open_video(project.cameras[0].video, {})) {
    const VideoInfo info = (*base)->info();
    if (rate <= 0) rate = info.frame_rate;
    read.frame_count = (*base)->wait_for_frame_count(options.stop).value_or(info.frame_count);
    read.moments = sample_moments(**base, read.frame_count, options.moments);
    if (rate > 0) read.base_rate = rate;
  }
  // Learning counts as a step, as each instant does.
  const CheckParts::Running part(parts, "videos", read.samples.size() * (1 + read.moments.size()));
  parallel_each(read.samples.size(), [&](size_t c) {
    read.samples[c] = sample_camera(project, c, rate, read.moments, *options.backends,
                                    {options.stop, [parts] { parts->step(); }, options.brief});
  });
  return read;
}

// Reads a sample of the footage and checks the cameras against it and each other.
class Checker : ProjectChecks {
 public:
  Checker(const ReadProject& read, std::vector<CheckItem>* items) : ProjectChecks(read, items) {}

  // Nothing more is concluded after a stop.
  void check() {
    find_standing();
    check_rate();
    for (size_t c = 0; c < samples_.size(); ++c) {
      check_footage(read_, c, items_);
      check_placing(c);
    }
    check_common_view();
    if (!stopped()) check_views();
    if (!stopped()) check_agreement();
    if (!stopped()) check_detectors();
    if (!stopped()) check_run(read_, blamed_, items_);
  }

 private:
  // Speeds, gaps and IDs depend on it. Videos state theirs.
  void check_rate() {
    const VideoInfo& base = samples_[0].info;
    if (!usable(0) || project_.cameras[0].frame_rate > 0 || (base.frame_rate > 0 && base.order.empty()))
      return;
    const bool named = base.frame_rate > 0;
    add("frame rate", "", named ? Verdict::passed : Verdict::doubtful,
        fmt::format("{:.4g} frames/s, {}", read_.base_rate,
                    named ? "by the times in the pictures' names" : "assumed: pictures state none"),
        "a rate that is stated",
        "Make the project again with the pictures' rate, or give its cameras' frame_rate in the project "
        "file.",
        -1, "vantage-cli new --rate");
  }

  void check_placing(size_t c) {
    const auto& camera = project_.cameras[c].calibration;
    const std::string limit = "above the floor, for the video's picture size";
    if (!camera)
      return add(
          "calibration", name(c), Verdict::cannot_tell, "not calibrated", limit,
          "Give a calibration for volumes and positions, or solve one from people who walk in the footage.",
          -1, "vantage-cli calibrate footage");
    const VideoInfo& info = samples_[c].info;
    if (usable(c) && (info.width_px != camera->width_px() || info.height_px != camera->height_px()))
      return add("calibration", name(c), Verdict::failed,
                 fmt::format("for {}x{} px, the video has {}x{} px", camera->width_px(), camera->height_px(),
                             info.width_px, info.height_px),
                 limit,
                 "Make the project again, and state whether the calibrated picture was scaled or cropped.",
                 -1, "vantage-cli new --scaled, --cropped");
    const double height_m = camera->center_in_world_m().z();
    const Verdict verdict = height_m > 0   ? Verdict::passed
                            : upside_down_ ? Verdict::cannot_tell  // reported once, for all cameras
                                           : Verdict::failed;
    add("calibration", name(c), verdict, fmt::format("is at {:.2f} m", height_m), limit,
        "The camera lies below the floor: make the project again with the calibration's up-axis (z points "
        "down in this file: -z), or calibrate again.",
        -1, "vantage-cli new --up-axis");
  }

  // All cameras lie below the floor if the file's z axis points down. They are then compared with z up, so
  // that a camera that is wrong as well is named at once.
  void find_standing() {
    if (!project_.calibrated() || project_.cameras.empty()) return;
    cameras_ = project_.calibrations(checked_span(project_, read_.moments).begin);
    for (size_t c = 0; c < cameras_.size(); ++c) cameras_[c].set_name(name(c));
    upside_down_ = std::all_of(cameras_.begin(), cameras_.end(),
                               [](const Camera& camera) { return camera.center_in_world_m().z() < 0; });
    for (Camera& camera : cameras_)
      if (upside_down_) camera = turned_over(camera);
  }
  bool stopped() const { return options_.stop.stop_requested(); }
  static Camera turned_over(const Camera& camera) {
    PinholeCamera<double> model = camera.model();
    for (int row = 0; row < 3; ++row)  // about the x axis: y and z change sign
      for (int column = 1; column < 3; ++column) model.rotation_cam_from_world[3 * row + column] *= -1;
    const Result<Camera> turned = Camera::make(camera.name(), model);
    return turned ? *turned : camera;
  }

  void check_common_view() {
    if (cameras_.size() < 2) return;
    if (upside_down_)
      add("calibration", "", Verdict::failed, "all cameras are below the floor", "cameras above the floor",
          "z points down in this calibration: make the project again with the up-axis -z.", -1,
          "vantage-cli new --up-axis=-z");
    const auto grid = upside_down_
                          ? fit_grid_to_common_view(cameras_, kDefaultVoxelSize_m, kDefaultGridHeight_m)
                          : project_.effective_grid();
    if (!grid)
      return add("calibration", "", Verdict::failed, grid.error().message(),
                 "the cameras see a common volume", "Check units and up-axis of the calibration.");
    grid_ = coarse_grid(*grid, kHullVoxels);
    add("calibration", "", Verdict::passed,
        fmt::format("{:.1f} x {:.1f} x {:.1f} m", grid->nx * grid->voxel_size_m,
                    grid->ny * grid->voxel_size_m, grid->nz * grid->voxel_size_m),
        "the cameras see a common volume", "");
  }

  // Checks that each camera keeps the pose of its calibration.
  void check_views() {
    std::vector<std::optional<CheckItem>> items(samples_.size());
    const CheckParts::Running part(&read_.parts, "views", samples_.size());
    parallel_each(samples_.size(), [&](size_t c) {
      if (!stopped()) items[c] = view_item(c);
      read_.parts.step();
    });
    for (std::optional<CheckItem>& item : items)
      if (item) items_->push_back(std::move(*item));
  }
  std::optional<CheckItem> view_item(size_t c) const {
    if (!usable(c) || without_video(c)) return std::nullopt;  // reported earlier
    const ProjectCamera& camera = project_.cameras[c];
    double rate = camera.frame_rate > 0 ? camera.frame_rate : samples_[c].info.frame_rate;
    if (rate <= 0) rate = read_.base_rate;
    return examine_view(camera, samples_[c].views, samples_[c].info.width_px, grid_ ? &*grid_ : nullptr,
                        {rate, read_.base_rate}, options_.stop);
  }

  void check_agreement() {
    if (!grid_ || !project_.has_pictures()) return;
    FootageMasks footage{cameras_,      *grid_,          {},          proven_by_masks(),
                         options_.stop, !options_.brief, &read_.parts};
    const StandingSpan span = checked_span(project_, read_.moments);
    for (size_t m = 0; m < read_.moments.size(); ++m) {
      if (read_.moments[m] < span.begin || read_.moments[m] >= span.end) continue;
      MaskSet& masks = footage.instants.emplace_back();
      for (size_t c = 0; c < samples_.size(); ++c) masks.push_back(fitting_mask(c, m, cameras_[c]));
    }
    const FootageReport report = footage_report(footage);
    if (stopped()) return;
    if (report.wrong) {
      const PeopleFit& fit = report.people.cameras[*report.wrong];
      blamed_ =
          BlamedPose{*report.wrong, is_elsewhere(fit) ? std::optional(fit.floor.largest_m) : std::nullopt};
    }
    std::vector<CheckItem> items = examine_agreement(footage, report);
    if (stopped()) return;
    for (CheckItem& item : items) items_->push_back(std::move(item));
  }

  void check_detectors() {
    if (!grid_ || !project_.has_detections() || people_source(project_) != PeopleSource::fused) return;
    std::vector<VideoInfo> videos;
    for (const CameraSample& sample : samples_) videos.push_back(sample.info);
    const CheckParts::Running part(&read_.parts, "detectors", 1);
    for (CheckItem& item : examine_detectors({project_, cameras_, fusion_floor(project_, *grid_), videos,
                                              read_.frame_count, read_.base_rate, options_.moments,
                                              options_.stop, checked_span(project_, read_.moments)}))
      items_->push_back(std::move(item));
  }

  // Masks learnt from the recording show where a person was at its start: they raise a doubt but prove
  // nothing.
  bool proven_by_masks() const {
    return std::all_of(samples_.begin(), samples_.end(),
                       [](const CameraSample& sample) { return sample.clip; });
  }

  Image fitting_mask(size_t c, size_t moment, const Camera& camera) const {
    if (moment >= samples_[c].masks.size()) return {};
    const Image& mask = samples_[c].masks[moment];
    return mask && mask.width() == camera.width_px() && mask.height() == camera.height_px() ? mask : Image();
  }

  std::vector<Camera> cameras_;  // calibrated, with the poses of the checked span; empty: not all are
  bool upside_down_ = false;
  std::optional<VoxelGrid> grid_;
  std::optional<BlamedPose> blamed_;
};

std::vector<CheckItem> examined(const Project& project, const CheckOptions& options, CheckParts* parts) {
  std::vector<CheckItem> items;
  const ReadProject read = read_project(project, options, parts);
  Checker(read, &items).check();
  return items;
}

// True for failures that a brief check cannot be sure of: the full check learns more and places people.
bool is_accused(const std::vector<CheckItem>& items) {
  return std::any_of(items.begin(), items.end(), [](const CheckItem& item) {
    return item.verdict == Verdict::failed &&
           (item.check == "foreground" || item.check == "silhouettes" || item.check == "outlines");
  });
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return "passed";
    case Verdict::cannot_tell:
      return "cannot tell";
    case Verdict::doubtful:
      return "doubtful";
    case Verdict::failed:
      break;
  }
  return "failed";
}

std::string remedy_text(const CheckItem& item) {
  return item.command.empty() ? item.remedy : item.remedy + " (" + item.command + ")";
}

Verdict CheckReport::worst() const {
  Verdict worst = Verdict::passed;
  for (const CheckItem& item : items) worst = std::max(worst, item.verdict);
  return worst;
}

CheckOptions quick_check_options() {
  CheckOptions options;
  options.brief = true;
  options.moments = 6;
  options.offsets_seconds = 6;
  return options;
}

CheckReport check_project(const Project& project, const CheckOptions& options) {
  CheckReport report;
  const int64_t start_ns = trace_now_ns();
  CheckParts parts(options, &report.parts);
  report.items = examined(project, options, &parts);
  if (options.brief && !options.stop.stop_requested() && is_accused(report.items)) {
    CheckOptions closer = options;
    closer.brief = false;
    report.items = examined(project, closer, &parts);
  }
  report.seconds = static_cast<double>(trace_now_ns() - start_ns) * 1e-9;
  report.stopped = options.stop.stop_requested();
  return report;
}

}  // namespace vantage
