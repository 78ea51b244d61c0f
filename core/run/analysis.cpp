#include "core/run/analysis.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/geometry/lens_inverse.h"
#include "core/image/backend/memory_transfer.h"
#include "core/pipeline/stage.h"
#include "core/pipeline/stages.h"
#include "core/pipeline/stages/stage_types.h"
#include "core/project/missing_files.h"
#include "core/project/project.h"
#include "core/project/scene_plan.h"
#include "core/run/run.h"
#include "core/video/no_video.h"

namespace vantage {
namespace {

Status check_calibration_sizes(const Project& project, const FrameSource& source) {
  for (int i = 0; i < source.camera_count(); ++i) {
    const ProjectCamera& camera = project.cameras[i];
    const VideoInfo info = source.info(i);
    if (camera.calibration)
      VANTAGE_TRY(check_calibration_size(*camera.calibration, camera.name, info.width_px, info.height_px));
  }
  return {};
}

FrameSourceOptions source_options(const Project& project, const AnalysisOptions& options) {
  FrameSourceOptions source;
  for (const ProjectCamera& camera : project.cameras)
    source.cameras.push_back(
        {camera.name, camera.video, camera.offset_frames, camera.frame_rate, camera.offset_changes});
  if (options.backends.on_gpu()) source.hardware = options.hardware;
  source.trace = options.backends.context.trace;
  return source;
}

// Hash of everything in a calibration that a view depends on; for a polynomial lens, the images of two
// corners.
uint64_t hash_of(const Camera& camera) {
  Hasher hasher;
  hasher.add(camera.width_px()).add(camera.height_px());
  const Eigen::Matrix3d intrinsics = camera.intrinsics();
  const Eigen::Matrix4d pose = camera.cam_from_world().matrix();
  for (const double value : intrinsics.reshaped()) hasher.add(value);
  for (const double value : pose.reshaped()) hasher.add(value);
  for (const Eigen::Vector2d& pixel :
       {Eigen::Vector2d(0, 0), Eigen::Vector2d(0.8 * camera.width_px(), camera.height_px())})
    for (const double value : camera.undistort(pixel).value_or(Eigen::Vector2d::Zero())) hasher.add(value);
  // Corners may lie outside of what a fisheye shows.
  if (camera.model().lens != LensModel::polynomial) {
    hasher.add(camera.model().lens);
    for (const double value : lens_coefficients(camera.model())) hasher.add(value);
  }
  return hasher.value();
}

// NAME.views.json next to the project.
std::filesystem::path views_path(const Project& project) {
  return std::filesystem::path(project.path).replace_extension(".views.json");
}

// The pictures of calibrated cameras have the calibration's size, whatever a stream changes to.
LiveFrameSourceOptions live_options(const Project& project, const AnalysisOptions& options) {
  LiveFrameSourceOptions live;
  live.source = source_options(project, options);
  live.live = options.live.value_or(LiveOptions());
  live.credentials =
      options.credentials ? options.credentials : make_credential_file(default_credential_path());
  live.stop = options.stop;
  live.delays_s = project.live_delays_s();
  for (const ProjectCamera& camera : project.cameras) {
    live.sizes.push_back(camera.calibration ? LiveFrameSourceOptions::Size{camera.calibration->width_px(),
                                                                           camera.calibration->height_px()}
                                            : LiveFrameSourceOptions::Size{});
    live.calibrations.push_back(camera.calibration ? hash_of(*camera.calibration) : 0);
  }
  if (!project.path.empty()) live.views = std::make_shared<KnownViews>(views_path(project));
  if (live.source.hardware && options.backends.has<LumaThumbnails>())
    live.make_thumbnails = [backends = options.backends] { return backends.create<LumaThumbnails>({}); };
  return live;
}

// Frames in about a second, between two kept memories of a stage.
int64_t checkpoint_interval(const FrameSource& source, int64_t otherwise) {
  const double rate = source.frame_rate();
  return rate > 0 ? std::max<int64_t>(1, static_cast<int64_t>(rate + 0.5)) : otherwise;
}

// The camera's video can be opened again and read as a whole.
bool has_recording(size_t camera, const Project& project, const std::vector<MissingFile>& missing,
                   bool live) {
  const auto is_its_video = [&](const MissingFile& one) {
    return one.camera == camera && one.role == FileRole::video;
  };
  return !live && std::none_of(missing.begin(), missing.end(), is_its_video) &&
         !names_no_video(project.cameras[camera].video);
}

void add_later_views(const ProjectCamera& camera, double base_rate, ChainCamera* chain) {
  for (const LaterCalibration& later : camera.later_calibrations) {
    const auto frame = static_cast<double>(later.from_frame);
    const double own = camera_frame_at(camera, frame, base_rate > 0 ? chain->frame_rate / base_rate : 1);
    chain->later.push_back({later.from_frame, std::llround(own), later.camera});
  }
}

// The context without the data from calibrations.
ChainContext context_of(const Project& project, const AnalysisOptions& options,
                        const std::vector<MissingFile>& missing, FrameSource& source) {
  ChainContext context{.backends = options.backends, .hardware = options.hardware, .source = source};
  context.live = dynamic_cast<const LiveFrameSource*>(&source) != nullptr;
  context.host_display = options.host_display;
  context.keep_confidence = options.keep_confidence;
  context.stop = options.stop;
  for (size_t i = 0; i < project.cameras.size(); ++i) {
    const ProjectCamera& camera = project.cameras[i];
    const VideoInfo video = source.info(static_cast<int>(i));
    context.cameras.push_back({.name = camera.name,
                               .video = camera.video,
                               .background = camera.background,
                               .has_recording = has_recording(i, project, missing, context.live),
                               .frame_rate = effective_frame_rate(camera.frame_rate, video.frame_rate),
                               .detections = camera.detections,
                               .ignored = camera.ignored,
                               .calibration = camera.calibration});
    add_later_views(camera, source.frame_rate(), &context.cameras.back());
  }
  context.frame_rate = source.frame_rate();
  context.has_detections = project.has_detections() || options.detect;
  context.detection_model = project.detection_model, context.joints_model = project.joints_model;
  context.detect = options.detect;
  if (!project.path.empty())
    context.detections_folder = std::filesystem::path(project.path).replace_extension(".detections");
  return context;
}

Status add_calibrated_scene(const Project& project, const VoxelGrid& grid, ChainContext* context) {
  context->calibrations = project.calibrations();
  for (const int64_t frame : project.calibration_changes()) {
    CalibrationSpan& span = context->later_spans.emplace_back();
    span.begin = frame, span.calibrations = project.calibrations(frame);
    VANTAGE_ASSIGN(span.coverage, make_floor_coverage(models_of(span.calibrations), grid));
  }
  context->grid = grid;
  context->region = project.grid;
  context->areas = project.areas();
  context->fusion_floor = fusion_floor(project, grid);
  VANTAGE_ASSIGN(context->coverage, make_floor_coverage(models_of(context->calibrations), grid));
  return {};
}

// Live cameras report conversions when they connect.
void note_conversions(const Project& project, const FrameSource& source, std::vector<std::string>* notes) {
  for (size_t i = 0; i < project.cameras.size(); ++i)
    if (const std::string words = source.info(static_cast<int>(i)).conversion; !words.empty())
      notes->push_back(project.cameras[i].name + ": pictures are converted, " + words);
}

// Number of live pictures that wait for the camera with the longest transit, and for the bound.
std::vector<double> waiting_pictures(const Project& project, const LiveOptions& live,
                                     const FrameSource& source) {
  const std::vector<double> delays_s = project.live_delays_s();
  std::vector<double> waiting;
  for (size_t i = 0; i < delays_s.size(); ++i) {
    const double wait_s = *std::max_element(delays_s.begin(), delays_s.end()) - delays_s[i] + live.bound_s;
    waiting.push_back(wait_s * source.info(static_cast<int>(i)).frame_rate);
  }
  return waiting;
}

Result<MemoryPlan> plan_memory(const Project& project, const AnalysisOptions& options, FrameSource& source,
                               const std::optional<VoxelGrid>& grid) {
  AnalysedScene scene;
  for (int i = 0; i < source.camera_count(); ++i)
    scene.pictures.push_back({source.info(i).width_px, source.info(i).height_px});
  if (dynamic_cast<const LiveFrameSource*>(&source))
    scene.waiting = waiting_pictures(project, options.live.value_or(LiveOptions()), source);
  scene.grid = grid;
  scene.parameters = &project.parameters;
  scene.detection_model_bytes = bytes_of_models(project);
  if (grid && (project.has_detections() || options.detect)) scene.fusion_floor = fusion_floor(project, *grid);
  scene.calibration_spans = 1 + project.calibration_changes().size();
  scene.device = options.backends.device;
  scene.hardware_decoding = options.hardware != nullptr;
  scene.keep_confidence = options.keep_confidence;
  scene.pipeline = options.pipeline;
  MemoryAvailable available = options.memory;
  if (!available.host_bytes) available.host_bytes = free_host_bytes();
  if (options.backends.on_gpu() && !available.device_bytes) {
    VANTAGE_ASSIGN(const auto transfer, options.backends.create<MemoryTransfer>({}));
    VANTAGE_ASSIGN(available.device_bytes, transfer->free_bytes());
  }
  return vantage::plan_memory(scene, available);
}

}  // namespace

struct Analysis::Impl {
  std::unique_ptr<FrameSource> source;
  LiveFrameSource* live = nullptr;  // the source, if it is live
  std::optional<VoxelGrid> grid;
  std::optional<FloorCoverage> coverage;
  std::unique_ptr<Pipeline> pipeline;  // reads the source: destroyed first
  std::vector<std::string> notes;
  std::shared_ptr<DetectorInUse> detector = std::make_shared<DetectorInUse>();
  Device device = Device::cpu;
  MemoryPlan memory;
  std::unique_ptr<MemoryTransfer> display_transfer;  // only with the display stage
  std::unique_ptr<MemoryTransfer> transfer;          // for what is examined in addition to the chain
  DeviceBackends backends;
  struct Span {
    int64_t begin = 0;
    std::vector<PinholeCamera<double>> cameras;
  };
  std::vector<Span> spans;  // in the order of time; none without a calibration
};

namespace {

// A camera that is left out needs no empty scene either.
Project without_missing_files(Project project, const std::vector<MissingFile>& missing,
                              std::vector<std::string>* notes) {
  for (const MissingFile& one : missing) {
    ProjectCamera& camera = project.cameras[one.camera];
    if (one.role == FileRole::model)
      project.detection_model.clear();
    else if (one.role == FileRole::joints_model)
      project.joints_model.clear();
    else if (one.role == FileRole::detections)
      camera.detections.file.clear();
    else
      camera.background.clear();
    notes->push_back(one.role == FileRole::video
                         ? camera.name + " is left out, its video is missing or cannot be opened: " + one.path
                         : missing_file_name(project, one) +
                               " is missing; continuing without it: " + one.path);
  }
  return project;
}

// Adds videos that are there and cannot be opened to the missing ones, and notes why.
void add_damaged(const Project& project, std::vector<MissingFile>* missing, std::vector<std::string>* notes) {
  for (size_t i = 0; i < project.cameras.size(); ++i) {
    const ProjectCamera& camera = project.cameras[i];
    const auto is_it = [&](const MissingFile& one) { return one.camera == i && one.role == FileRole::video; };
    if (std::any_of(missing->begin(), missing->end(), is_it)) continue;
    const auto opened = open_video(camera.video, {});
    if (opened || opened.error().kind == ErrorKind::out_of_memory) continue;
    missing->push_back({i, FileRole::video, camera.video, camera.video_identity});
    notes->push_back(camera.name + " cannot be opened: " + opened.error().message());
  }
}

// True where nothing is left of any camera: neither a video nor, where the project names none, detections.
bool everything_is_missing(const Project& project, const std::vector<MissingFile>& missing) {
  std::set<size_t> blind;
  for (const MissingFile& one : missing)
    if (one.role == FileRole::video ||
        (one.role == FileRole::detections && names_no_video(project.cameras[one.camera].video)))
      blind.insert(one.camera);
  return blind.size() == project.cameras.size();
}

}  // namespace

Result<std::unique_ptr<Analysis>> Analysis::open(const Project& whole, const AnalysisOptions& options) {
  if (!options.backends) return fail(ErrorKind::invalid_argument, "no backends were given");
  std::vector<MissingFile> missing = missing_files(whole);
  if (!options.without_missing || whole.live() || everything_is_missing(whole, missing))
    VANTAGE_TRY(check_project_files(whole));
  auto impl = std::make_unique<Impl>();
  if (options.without_missing && options.without_damaged) {
    add_damaged(whole, &missing, &impl->notes);
    if (everything_is_missing(whole, missing))
      return fail(ErrorKind::bad_data, "none of the videos can be opened", whole.path.string());
  }
  const Project project = without_missing_files(whole, missing, &impl->notes);
  impl->device = options.backends.device;
  FrameSourceOptions source = source_options(project, options);
  for (const MissingFile& one : missing) {
    if (one.role != FileRole::video) continue;
    FrameSourceCamera& camera = source.cameras[one.camera];
    const auto& calibration = project.cameras[one.camera].calibration;
    camera.missing = true;
    if (calibration) camera.width_px = calibration->width_px(), camera.height_px = calibration->height_px();
  }
  if (options.live || has_live_address(source.cameras)) {
    VANTAGE_ASSIGN(auto live, open_live_cameras(project, options));
    impl->live = live.get();
    impl->source = std::move(live);
  } else {
    VANTAGE_ASSIGN(impl->source, FrameSource::open(std::move(source)));
  }
  VANTAGE_TRY(check_calibration_sizes(project, *impl->source));
  for (const std::string& problem : impl->source->problems()) impl->notes.push_back(problem);
  if (!impl->live) note_conversions(project, *impl->source, &impl->notes);
  if (project.calibrated()) {
    VANTAGE_ASSIGN(impl->grid, project.effective_grid());
  } else {
    impl->notes.push_back("3-D and people need a calibration: the chain ends at the foreground.");
  }
  VANTAGE_ASSIGN(impl->memory, plan_memory(project, options, *impl->source, impl->grid));
  ChainContext context = context_of(project, options, missing, *impl->source);
  context.detector = impl->detector;
  impl->backends = options.backends;
  VANTAGE_ASSIGN(impl->transfer, context.make_transfer());
  if (impl->grid) {
    VANTAGE_TRY(add_calibrated_scene(project, *impl->grid, &context));
    impl->coverage = context.coverage;
    impl->spans.push_back({0, models_of(context.calibrations)});
    for (const CalibrationSpan& span : context.later_spans)
      impl->spans.push_back({span.begin, models_of(span.calibrations)});
  }
  VANTAGE_ASSIGN(auto stages, make_stages(context));
  for (std::string& note : context.notes) impl->notes.push_back(std::move(note));
  if (options.host_display && options.backends.on_gpu()) {
    VANTAGE_ASSIGN(impl->display_transfer, context.make_transfer());
  }
  PipelineOptions pipeline = impl->memory.pipeline;
  pipeline.trace = options.backends.context.trace;
  // On a GPU the stages before the people cost little and their masks are not in host memory; live frames
  // come once.
  if (impl->live || options.backends.on_gpu()) pipeline.kept = nullptr;
  if (impl->live) pipeline.unseen = UnseenFrames::go_on;
  pipeline.checkpoint_interval_frames =
      checkpoint_interval(*impl->source, pipeline.checkpoint_interval_frames);
  VANTAGE_ASSIGN(impl->pipeline, Pipeline::make(std::move(stages), pipeline));
  VANTAGE_TRY(impl->pipeline->configure(project.parameters));
  return std::unique_ptr<Analysis>(new Analysis(std::move(impl)));
}

Result<std::unique_ptr<LiveFrameSource>> open_live_cameras(const Project& project,
                                                           const AnalysisOptions& options) {
  return LiveFrameSource::open(live_options(project, options));
}

Analysis::Analysis(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Analysis::~Analysis() = default;

Result<FrameResultRef> Analysis::pictures(int64_t frame, const StopSource& stop) {
  FrameEffort effort;
  effort.last_stage = kVideoStage;
  VANTAGE_ASSIGN(FrameResultRef result, impl_->pipeline->frame(frame, effort, stop));
  if (!impl_->display_transfer || result->display()) return result;
  auto display = std::make_shared<DisplayArtifact>();
  for (const CameraFrame& camera : result->frames()->cameras) {
    Picture& copy = display->pictures.emplace_back();
    if (!camera.picture) continue;
    const int index = static_cast<int>(display->pictures.size()) - 1;
    VANTAGE_ASSIGN(copy, impl_->display_transfer->download(camera.picture, frame, index));
  }
  display->indicators.resize(display->pictures.size());
  auto shown = std::make_shared<FrameResult>(*result);
  shown->artifacts.display = std::move(display);
  return shown;
}

Result<std::shared_ptr<const VolumeCut>> Analysis::cut(const FrameResult& result,
                                                       const CarvingParameters& parameters,
                                                       const CutPlane& plane) {
  if (!result.foreground() || !impl_->grid) return nullptr;
  VANTAGE_ASSIGN(const std::vector<Image> indicators, host_indicators(result));
  VANTAGE_ASSIGN(VolumeCut cut,
                 cut_volume({cameras(result.frame), *impl_->grid}, parameters, indicators, plane));
  return std::make_shared<const VolumeCut>(std::move(cut));
}

Result<std::vector<Image>> Analysis::host_indicators(const FrameResult& result) {
  std::vector<Image> indicators;
  const ForegroundArtifact* foreground = result.foreground();
  for (size_t c = 0; foreground && c < foreground->cameras.size(); ++c) {
    Image indicator = foreground->cameras[c].indicator;
    if (indicator) {
      VANTAGE_ASSIGN(indicator, impl_->transfer->download(indicator, result.frame, static_cast<int>(c)));
    }
    indicators.push_back(std::move(indicator));
  }
  return indicators;
}

Result<Picture> Analysis::host_picture(const FrameResult& result, size_t camera) {
  const FrameSet* frames = result.frames();
  if (!frames || camera >= frames->cameras.size() || !frames->cameras[camera].picture) return Picture();
  return impl_->transfer->download(frames->cameras[camera].picture, result.frame, static_cast<int>(camera));
}

Result<std::vector<uint32_t>> Analysis::host_shell(const FrameResult& result) {
  std::vector<uint32_t> ids;
  const CarvedVolume* volume = result.volume();
  if (!volume) return ids;
  VANTAGE_ASSIGN(const VolumeCounts counts, Result<VolumeCounts>(volume->counts.get()));
  if (counts.shell == 0) return ids;
  VANTAGE_ASSIGN(Image shell, Result<Image>(volume->shell_ids.get()));
  VANTAGE_ASSIGN(shell, impl_->transfer->download(shell, result.frame, -1));
  const uint32_t* first = shell.view<uint32_t>().data;
  ids.assign(first, first + counts.shell);
  return ids;
}

const DeviceBackends& Analysis::backends() const {
  return impl_->backends;
}
std::vector<PinholeCamera<double>> Analysis::cameras(int64_t frame) const {
  const auto next = std::find_if(impl_->spans.begin(), impl_->spans.end(),
                                 [frame](const Impl::Span& span) { return span.begin > frame; });
  return next == impl_->spans.begin() ? std::vector<PinholeCamera<double>>() : std::prev(next)->cameras;
}
FrameSource& Analysis::source() {
  return *impl_->source;
}
LiveFrameSource* Analysis::live() {
  return impl_->live;
}
Pipeline& Analysis::pipeline() {
  return *impl_->pipeline;
}
const MemoryPlan& Analysis::memory() const {
  return impl_->memory;
}

const VoxelGrid* Analysis::grid() const {
  return impl_->grid ? &*impl_->grid : nullptr;
}
const FloorCoverage* Analysis::coverage() const {
  return impl_->coverage ? &*impl_->coverage : nullptr;
}
const std::vector<std::string>& Analysis::notes() const {
  return impl_->notes;
}
std::optional<DetectorProvenance> Analysis::detector() const {
  return impl_->detector->get();
}
Device Analysis::device() const {
  return impl_->device;
}

}  // namespace vantage
