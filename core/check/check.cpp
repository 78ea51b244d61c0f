#include "core/check/check.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "core/alignment/align.h"
#include "core/base/formatted.h"
#include "core/base/frame_rate.h"
#include "core/base/trace.h"
#include "core/check/camera_view.h"
#include "core/check/detail/detections.h"
#include "core/check/detail/detector_agreement.h"
#include "core/check/detail/sample.h"
#include "core/check/footage_agreement.h"
#include "core/detections/detection_parameters.h"
#include "core/foreground/camera_shake.h"
#include "core/foreground/foreground.h"
#include "core/pipeline/memory_needed.h"
#include "core/project/fusion_floor.h"
#include "core/project/missing_files.h"
#include "core/results/results_paths.h"
#include "core/video/no_video.h"

namespace vantage {
namespace {

constexpr double kMinForeground = 0.0002;  // share of the picture: some 60 pixels of 640 x 480
// More than this share of the picture that moves while the empty scene is learnt, or that differs from it
// ever after, is somebody: some 300 pixels of 640 x 480.
constexpr double kNobody = 0.001;
constexpr double kDoubtfulForeground = 0.4, kMaxForeground = 0.7;
constexpr double kLongRun_s = 12 * 3600.0;
constexpr int64_t kHullVoxels = 100'000;
// Read for the offsets of each camera at most: 20 s of 1280 x 960 at 25 frames/s.
constexpr double kOffsetPixels = 500.0 * 1280 * 960;
constexpr double kLargestOffsetError = 1.0;  // frames
// results.jsonl, timings.json and the shells of some frames, as written for ordinary recordings.
constexpr double kBytesPerFrame = 3500, kBytesPerCameraFrame = 400, kBytesPerRun = 4e6;

class Checker {
 public:
  Checker(const Project& project, const CheckOptions& options) : project_(project), options_(options) {}

  CheckReport run() {
    const int64_t start_ns = trace_now_ns();
    take_samples();
    find_standing();
    for (size_t c = 0; c < samples_.size(); ++c) {
      check_decoding(c);
      check_empty_scene(c);
      check_foreground(c);
      if (!project_.cameras[c].detections.file.empty()) check_detections(c);
      check_placing(c);
    }
    check_common_view();
    check_views();
    check_agreement();
    check_detectors();
    check_offsets();
    check_disk();
    check_memory();
    check_time();
    report_.seconds = static_cast<double>(trace_now_ns() - start_ns) * 1e-9;
    return std::move(report_);
  }

 private:
  void add(const char* check, const std::string& camera, Verdict verdict, std::string figure,
           std::string limit, std::string remedy, int64_t frame = -1) {
    if (verdict == Verdict::passed) remedy.clear();
    report_.items.push_back(
        {check, camera, verdict, std::move(figure), std::move(limit), std::move(remedy), frame});
  }
  const std::string& name(size_t camera) const { return project_.cameras[camera].name; }
  bool without_video(size_t camera) const { return names_no_video(project_.cameras[camera].video); }
  bool usable(size_t camera) const { return samples_[camera].error.empty(); }

  void take_samples() {
    samples_.resize(project_.cameras.size());
    if (samples_.empty()) return;
    double rate = project_.cameras[0].frame_rate;
    moments_ = {0};
    if (const auto base = open_video(project_.cameras[0].video, {})) {
      const VideoInfo info = (*base)->info();
      if (rate <= 0) rate = info.frame_rate;
      frame_count_ = (*base)->wait_for_frame_count(options_.stop).value_or(info.frame_count);
      moments_ = sample_moments(**base, frame_count_, options_.moments);
      if (rate > 0) base_rate_ = rate;
    }
    tbb::parallel_for(size_t{0}, samples_.size(), [&](size_t c) {
      samples_[c] = sample_camera(project_, c, rate, moments_, *options_.backends, options_.stop);
    });
  }

  void check_decoding(size_t c) {
    const CameraSample& s = samples_[c];
    const std::string limit = "every sampled frame decodes";
    for (const MissingFile& missing : missing_)
      if (missing.camera == c && missing.role != FileRole::model)
        return add("decoding", name(c), options_.without_missing ? Verdict::doubtful : Verdict::failed,
                   missing_file_name(project_, missing) + " is missing: " + missing.path, limit,
                   "Put it back, or find it: vantage-cli relink PROJECT --folder DIR.");
    if (!s.error.empty())
      return add("decoding", name(c), Verdict::failed, s.error, limit,
                 "Choose the video again, or copy it again.");
    if (without_video(c))
      return add("decoding", name(c), Verdict::passed, "no video: its detections alone", limit, "");
    if (s.asked == 0)
      return add("decoding", name(c), Verdict::cannot_tell, "no frame was examined", limit,
                 "Check again, and let it end.");
    const Verdict verdict = s.decoded == s.asked       ? Verdict::passed
                            : 2 * s.decoded >= s.asked ? Verdict::doubtful
                                                       : Verdict::failed;
    std::string figure =
        formatted("%lld of %lld frames", static_cast<long long>(s.decoded), static_cast<long long>(s.asked));
    if (!s.problem.empty()) figure += "; " + s.problem;
    add("decoding", name(c), verdict, figure, limit, "Copy the video again from where it was recorded.",
        s.problem_frame);
  }

  // Whoever stands in what is learnt as empty is not found until they go, and leaves a ghost then. Only a
  // clip shows a scene empty: no later frame tells somebody who stays from a coat stand.
  void check_empty_scene(size_t c) {
    const CameraSample& s = samples_[c];
    if (!usable(c) || without_video(c)) return;
    const bool has_clip = !project_.cameras[c].background.empty();
    const std::string limit = formatted("an empty-scene clip in which at most %.1f %% moves", 100 * kNobody);
    if (s.learnt == 0)
      return add("empty scene", name(c), Verdict::cannot_tell, "nothing was learnt", limit,
                 "Fix the decoding first.");
    const double rate = s.info.frame_rate > 0 ? s.info.frame_rate : base_rate_;
    std::string figure = formatted("learnt from %lld frames (%.1f s) of %s; %.2f %% moved meanwhile",
                                   static_cast<long long>(s.learnt), static_cast<double>(s.learnt) / rate,
                                   has_clip ? "the clip" : "the recording itself", 100 * s.moved_share) +
                         changed_since(s) + shake_of(s);
    if (has_clip)
      return add("empty scene", name(c), s.moved_share > kNobody ? Verdict::doubtful : Verdict::passed,
                 figure, limit, "Check the clip: record it while nobody is in the picture.");
    if (s.scene) return check_learnt_scene(c, limit);
    const double staying = staying_share(s.masks);
    const bool contradicted = s.moved_share > kNobody || staying > kNobody;
    figure += formatted(", %.2f %% differed from it in every frame examined; the empty scene never appeared",
                        100 * staying);
    add("empty scene", name(c), contradicted ? Verdict::doubtful : Verdict::cannot_tell, figure, limit,
        "Anybody who stands there from the start is not found: give a clip of the empty scene (vantage-cli "
        "new "
        "--background), or analyse from where nobody is in the picture.");
  }

  static std::string changed_since(const CameraSample& s) {
    if (s.changed_share == 0) return {};
    return formatted("; %.2f %% of the picture has changed since and keeps still, and is taken for the scene",
                     100 * s.changed_share);
  }

  std::string shake_of(const CameraSample& s) const {
    const bool followed = project_.parameters.get<ForegroundParameters>().steady != Steadying::off;
    if (!followed || s.shake_px < kShakes_px) return {};
    return formatted("; the camera shakes by up to %.1f px, which is taken out", s.shake_px);
  }

  // How much of the picture showed a scene, learnt from the whole recording, too seldom to be sure of.
  // Somebody who stays cannot be told from a coat stand where nothing ever changed.
  void check_learnt_scene(size_t c, const std::string& limit) {
    const CameraSample& s = samples_[c];
    const double unsure = seldom_seen_share(*s.scene);
    add("empty scene", name(c), unsure > kNobody ? Verdict::doubtful : Verdict::cannot_tell,
        formatted(
            "learnt from %d pictures of the whole recording; %.2f %% of the picture showed it in less than "
            "half of them; the empty scene never appeared",
            s.scene->pictures, 100 * unsure) +
            shake_of(s),
        limit,
        "Who stays in one place all the time is not found: give a clip of the empty scene (vantage-cli new "
        "--background).");
  }

  void check_foreground(size_t c) {
    if (!usable(c) || without_video(c)) return;
    double most = 0, least = 1;
    int seen = 0;
    for (const Image& mask : samples_[c].masks) {
      if (!mask) continue;
      const ImageView<const uint8_t> view = mask.view<uint8_t>();
      int64_t count = 0;
      for (int y = 0; y < view.height; ++y)
        for (int x = 0; x < view.width; ++x) count += view.at(x, y) >= 128;
      const double share = static_cast<double>(count) / (static_cast<double>(view.width) * view.height);
      most = std::max(most, share), least = std::min(least, share), ++seen;
    }
    const std::string limit =
        formatted("%.2f %% to %.0f %% of the picture", 100 * kMinForeground, 100 * kDoubtfulForeground);
    if (seen == 0)
      return add("foreground", name(c), Verdict::cannot_tell, "no picture to examine", limit,
                 "Fix the decoding first.");
    const std::string figure = formatted("%.2f %% to %.2f %%", 100 * least, 100 * most);
    if (most < kMinForeground)
      return add("foreground", name(c), Verdict::doubtful, figure, limit,
                 "Nothing moves in the frames examined: look at the foreground overlay, or lower the "
                 "foreground's thresholds.");
    // A run is stopped only by a clip that shows another scene, and only where people come from the masks.
    const bool has_clip = !project_.cameras[c].background.empty();
    const bool decides = has_clip && people_source(project_) != PeopleSource::fused;
    const Verdict verdict = least > kMaxForeground && decides ? Verdict::failed
                            : least > kDoubtfulForeground     ? Verdict::doubtful
                                                              : Verdict::passed;
    add("foreground", name(c), verdict, figure, limit,
        std::string("The scene differs from what was learnt as empty: ") +
            (has_clip ? "use an empty-scene clip of this camera position and this light."
                      : "give an empty-scene clip (vantage-cli new --background).") +
            (people_source(project_) == PeopleSource::fused
                 ? " People come from detections and are not affected; volumes and height maps are."
                 : ""));
  }

  void check_detections(size_t c) {
    if (!usable(c)) return;  // said before
    const VideoInfo& info = samples_[c].info;
    DetectionsFinding finding = examine_detections(project_.cameras[c], info,
                                                   project_.parameters.get<DetectionParameters>().min_score);
    add("detections", name(c), finding.verdict, std::move(finding.figure), "boxes that lie in the pictures",
        std::move(finding.remedy));
  }

  void check_placing(size_t c) {
    const auto& camera = project_.cameras[c].calibration;
    const std::string limit = "above the floor, for the video's picture size";
    if (!camera)
      return add("calibration", name(c), Verdict::cannot_tell, "not calibrated", limit,
                 "Give a calibration for volumes and positions.");
    const VideoInfo& info = samples_[c].info;
    if (usable(c) && (info.width_px != camera->width_px() || info.height_px != camera->height_px()))
      return add("calibration", name(c), Verdict::failed,
                 formatted("for %dx%d px, the video has %dx%d px", camera->width_px(), camera->height_px(),
                           info.width_px, info.height_px),
                 limit, "Make the project again; see --scaled and --cropped of vantage-cli new.");
    const double height_m = camera->center_in_world_m().z();
    const Verdict verdict = height_m > 0   ? Verdict::passed
                            : upside_down_ ? Verdict::cannot_tell  // said once, of all cameras
                                           : Verdict::failed;
    add("calibration", name(c), verdict, formatted("stands at %.2f m", height_m), limit,
        "The camera lies below the floor: give the calibration's up-axis with --up-axis (z points down in "
        "this "
        "file: -z), or calibrate again.");
  }

  // All cameras below the floor: the file's z points down. The cameras are then compared as they stand with z
  // up, so that one of them that is wrong besides is named at once.
  void find_standing() {
    if (!project_.calibrated() || project_.cameras.empty()) return;
    cameras_ = project_.calibrations(checked_span(project_, moments_).begin);
    for (size_t c = 0; c < cameras_.size(); ++c) cameras_[c].set_name(name(c));
    upside_down_ = std::all_of(cameras_.begin(), cameras_.end(),
                               [](const Camera& camera) { return camera.center_in_world_m().z() < 0; });
    for (Camera& camera : cameras_)
      if (upside_down_) camera = turned_over(camera);
  }
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
      add("calibration", "", Verdict::failed, "all cameras stand below the floor", "cameras above the floor",
          "z points down in this calibration: make the project again with --up-axis=-z.");
    const auto grid = upside_down_
                          ? fit_grid_to_common_view(cameras_, kDefaultVoxelSize_m, kDefaultGridHeight_m)
                          : project_.effective_grid();
    if (!grid)
      return add("calibration", "", Verdict::failed, grid.error().message(),
                 "the cameras see a common volume", "Check units and up-axis of the calibration.");
    grid_ = coarse_grid(*grid, kHullVoxels);
    add("calibration", "", Verdict::passed,
        formatted("%.1f x %.1f x %.1f m", grid->nx * grid->voxel_size_m, grid->ny * grid->voxel_size_m,
                  grid->nz * grid->voxel_size_m),
        "the cameras see a common volume", "");
  }

  // Whether each camera stays as it is calibrated.
  void check_views() {
    std::vector<std::optional<CheckItem>> items(samples_.size());
    tbb::parallel_for(size_t{0}, samples_.size(), [&](size_t c) {
      if (!usable(c) || without_video(c)) return;  // said before
      const ProjectCamera& camera = project_.cameras[c];
      double rate = camera.frame_rate > 0 ? camera.frame_rate : samples_[c].info.frame_rate;
      if (rate <= 0) rate = base_rate_;
      items[c] = examine_view(camera, samples_[c].views, samples_[c].info.width_px, grid_ ? &*grid_ : nullptr,
                              {rate, base_rate_}, options_.stop);
    });
    for (std::optional<CheckItem>& item : items)
      if (item) report_.items.push_back(std::move(*item));
  }

  void check_agreement() {
    if (!grid_ || !project_.has_pictures()) return;
    FootageMasks footage{cameras_, *grid_, {}, proven_by_masks(), options_.stop};
    for (size_t m = 0; m < moments_.size(); ++m) {
      MaskSet& masks = footage.instants.emplace_back();
      for (size_t c = 0; c < samples_.size(); ++c) masks.push_back(fitting_mask(c, m, cameras_[c]));
    }
    for (CheckItem& item : examine_agreement(footage, outline_report(footage)))
      report_.items.push_back(std::move(item));
  }

  void check_detectors() {
    if (!grid_ || !project_.has_detections() || people_source(project_) != PeopleSource::fused) return;
    std::vector<VideoInfo> videos;
    for (const CameraSample& sample : samples_) videos.push_back(sample.info);
    for (CheckItem& item : examine_detectors({project_, cameras_, fusion_floor(project_, *grid_), videos,
                                              frame_count_, base_rate_, options_.moments, options_.stop}))
      report_.items.push_back(std::move(item));
  }

  // Masks learnt from the recording itself show where somebody stood at its start: they accuse, but do not
  // prove.
  bool proven_by_masks() const {
    return std::all_of(project_.cameras.begin(), project_.cameras.end(),
                       [](const ProjectCamera& camera) { return !camera.background.empty(); });
  }

  double largest_picture_px() const {
    double largest = 1;
    for (const CameraSample& sample : samples_)
      largest = std::max(largest, static_cast<double>(sample.info.width_px) * sample.info.height_px);
    return largest;
  }

  Image fitting_mask(size_t c, size_t moment, const Camera& camera) const {
    if (moment >= samples_[c].masks.size()) return {};
    const Image& mask = samples_[c].masks[moment];
    return mask && mask.width() == camera.width_px() && mask.height() == camera.height_px() ? mask : Image();
  }

  // Offsets that nobody has confirmed are compared with what the recordings show.
  void check_offsets() {
    const std::vector<ProjectCamera>& cameras = project_.cameras;
    const auto confirmed = [](const ProjectCamera& camera) { return camera.offset_confirmed; };
    if (!project_.has_pictures()) return;  // nothing tells
    if (cameras.size() < 2 || std::all_of(cameras.begin() + 1, cameras.end(), confirmed)) return;
    for (size_t c = 0; c < cameras.size(); ++c)
      if (!usable(c)) return;  // said before
    AlignOptions how;
    how.collect.backends = options_.backends;
    how.collect.max_frames = static_cast<int64_t>(
        std::min(options_.offsets_seconds * base_rate_, kOffsetPixels / largest_picture_px()));
    how.collect.stop = options_.stop;
    const Result<Alignment> found = align_project(project_, how);
    for (size_t c = 1; c < cameras.size(); ++c)
      if (!confirmed(cameras[c])) check_offset(c, found);
  }

  void check_offset(size_t c, const Result<Alignment>& found) {
    const std::string limit = formatted("within %.0f frame of the project's offset", kLargestOffsetError);
    const std::string remedy = "Find the offsets with vantage-cli sync --write, or give them by hand.";
    const std::string& base = name(0);
    if (!found) return add("offsets", name(c), Verdict::cannot_tell, found.error().message(), limit, remedy);
    const CameraAlignment& camera = found->estimate.cameras[c];
    if (!camera.offset_frames)
      return add("offsets", name(c), Verdict::cannot_tell, camera.reason, limit, remedy);
    if (camera.confidence < project_.parameters.get<SyncParameters>().min_confidence)
      return add("offsets", name(c), Verdict::cannot_tell,
                 formatted("motion and sound alone are only %.0f %% sure", 100 * camera.confidence), limit,
                 remedy);
    const double beside = *camera.offset_frames - project_.cameras[c].offset_frames;
    const bool good = std::abs(beside) <= kLargestOffsetError;
    std::string figure = formatted("%.1f frames from the project's offset", std::abs(beside));
    if (!good) {
      const double frames = std::round(*camera.offset_frames);
      figure = name(c) + (frames == 0 ? " appears to start with " + base
                                      : formatted(" appears to start %.0f frames %s ", std::abs(frames),
                                                  frames > 0 ? "before" : "after") +
                                            base);
    }
    add("offsets", name(c), good ? Verdict::passed : Verdict::doubtful, figure, limit, remedy);
  }

  void check_disk() {
    if (frame_count_ <= 0)
      return add("disk", "", Verdict::cannot_tell, "the recording's length is unknown",
                 "space for the results", "");
    const double needed =
        kBytesPerRun + static_cast<double>(frame_count_) *
                           (kBytesPerFrame + kBytesPerCameraFrame * static_cast<double>(samples_.size()));
    const std::optional<uint64_t> free = options_.free_bytes ? options_.free_bytes : free_on_disk();
    const std::string limit = formatted("%.1f MB for the results", needed * 1e-6);
    if (!free)
      return add("disk", "", Verdict::cannot_tell, "the free space cannot be determined", limit,
                 "Choose another folder.");
    const auto available = static_cast<double>(*free);
    const Verdict verdict = available < needed       ? Verdict::failed
                            : available < 2 * needed ? Verdict::doubtful
                                                     : Verdict::passed;
    add("disk", "", verdict, formatted("%.1f MB free", available * 1e-6), limit,
        "Free some space, or choose another folder with --out.");
  }

  // Memory that the run would take with the pictures, grid and parameters of the project.
  void check_memory() {
    AnalysedScene scene;
    for (const CameraSample& sample : samples_)
      if (sample.info.width_px > 0) scene.pictures.push_back({sample.info.width_px, sample.info.height_px});
    if (scene.pictures.size() < samples_.size() || scene.pictures.empty())
      return add("memory", "", Verdict::cannot_tell, "some picture sizes are unknown", "the free memory",
                 "Fix the decoding first.");
    if (project_.calibrated())
      if (const auto grid = project_.effective_grid()) scene.grid = *grid;
    scene.parameters = &project_.parameters;
    if (std::error_code code; !project_.detection_model.empty()) {
      const uintmax_t bytes = std::filesystem::file_size(project_.detection_model, code);
      scene.detection_model_bytes = code ? 0 : static_cast<double>(bytes);
    }
    scene.device = options_.device;
    scene.hardware_decoding = options_.device != Device::cpu;
    scene.pipeline = options_.pipeline;
    MemoryAvailable available = options_.memory;
    if (!available.host_bytes) available.host_bytes = free_host_bytes();
    const Result<MemoryPlan> plan = plan_memory(scene, available);
    const std::string limit = "the free memory";
    if (!plan)
      return add("memory", "", Verdict::failed, plan.error().what + " (" + plan.error().where + ")", limit,
                 plan.error().remedy);
    const bool on_device = options_.device != Device::cpu;
    add("memory", "", available.host_bytes ? Verdict::passed : Verdict::cannot_tell,
        "at most " + memory_text(plan->need, available) + ": " + shares_text(plan->need, on_device), limit,
        "The free memory is unknown.");
  }

  std::optional<uint64_t> free_on_disk() const {
    std::error_code code;
    std::filesystem::path folder =
        std::filesystem::absolute(options_.out.empty() ? project_.results_folder() : options_.out, code);
    while (!folder.empty() && !std::filesystem::exists(folder, code) && folder != folder.parent_path())
      folder = folder.parent_path();
    const std::filesystem::space_info space = std::filesystem::space(folder, code);
    if (code) return std::nullopt;
    return space.available;
  }

  void check_time() {
    if (!project_.has_pictures()) return;
    double slowest_s = 0;
    for (const CameraSample& sample : samples_) slowest_s = std::max(slowest_s, sample.seconds_per_frame);
    if (frame_count_ <= 0 || slowest_s <= 0)
      return add("time", "", Verdict::cannot_tell, "nothing could be measured", "under 12 hours",
                 "Fix the decoding first.");
    const double total_s = slowest_s * static_cast<double>(frame_count_);
    add("time", "", total_s > kLongRun_s ? Verdict::doubtful : Verdict::passed,
        formatted("at least %.0f s on the CPU for %lld frames (decoding and foreground)", total_s,
                  static_cast<long long>(frame_count_)),
        "under 12 hours", "Run a part with --frames, or on a GPU.");
  }

  const Project& project_;
  const CheckOptions& options_;
  CheckReport report_;
  std::vector<MissingFile> missing_ = missing_files(project_);
  std::vector<CameraSample> samples_;
  std::vector<int64_t> moments_;
  int64_t frame_count_ = -1;
  double base_rate_ = kUnknownFrameRate;
  std::vector<Camera> cameras_;  // calibrated, as they stand; empty: not all are
  bool upside_down_ = false;
  std::optional<VoxelGrid> grid_;
};

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

Verdict CheckReport::worst() const {
  Verdict worst = Verdict::passed;
  for (const CheckItem& item : items) worst = std::max(worst, item.verdict);
  return worst;
}

CheckOptions quick_check_options() {
  CheckOptions options;
  options.moments = 6;
  options.offsets_seconds = 6;
  return options;
}

CheckReport check_project(const Project& project, const CheckOptions& options) {
  return Checker(project, options).run();
}

}  // namespace vantage
