#include "core/run/analysis.h"

#include <algorithm>
#include <set>

#include "core/backend/memory_transfer.h"
#include "core/base/file.h"
#include "core/base/formatted.h"
#include "core/base/frame_rate.h"
#include "core/base/hash.h"
#include "core/detections/detection_remarks.h"
#include "core/pipeline/stages/appearance_stage.h"
#include "core/pipeline/stages/carving_stage.h"
#include "core/pipeline/stages/detections_stage.h"
#include "core/pipeline/stages/display_stage.h"
#include "core/pipeline/stages/floor_stage.h"
#include "core/pipeline/stages/flow_stage.h"
#include "core/pipeline/stages/foreground_stage.h"
#include "core/pipeline/stages/heads_stage.h"
#include "core/pipeline/stages/height_map_stage.h"
#include "core/pipeline/stages/joined_heads_stage.h"
#include "core/pipeline/stages/motion_stage.h"
#include "core/pipeline/stages/people_stage.h"
#include "core/pipeline/stages/tracking_stage.h"
#include "core/pipeline/stages/video_stage.h"
#include "core/project/fusion_floor.h"
#include "core/project/missing_files.h"
#include "core/video/no_video.h"
#include "core/video/sha256.h"

namespace vantage {
namespace {

// A calibration holds for one picture size.
Status check_sizes(const Project& project, const Recording& recording) {
  for (int i = 0; i < recording.camera_count(); ++i) {
    const ProjectCamera& camera = project.cameras[static_cast<size_t>(i)];
    if (!camera.calibration) continue;
    const VideoInfo info = recording.info(i);
    if (camera.calibration->width_px() == info.width_px && camera.calibration->height_px() == info.height_px)
      continue;
    return fail(ErrorKind::invalid_argument,
                "the video has " + size_text(info.width_px, info.height_px) + " px, its calibration " +
                    size_text(camera.calibration->width_px(), camera.calibration->height_px()) + " px",
                camera.name, "Calibrate at the video's size, or choose the matching video.");
  }
  return {};
}

RecordingOptions recording_options(const Project& project, const AnalysisOptions& options) {
  RecordingOptions recording;
  for (const ProjectCamera& camera : project.cameras)
    recording.cameras.push_back(
        {camera.name, camera.video, camera.offset_frames, camera.frame_rate, camera.offset_changes});
  if (options.backends.on_gpu()) recording.hardware = options.hardware;
  recording.trace = options.backends.context.trace;
  return recording;
}

// Of everything in a calibration that a view depends on; of the lens, where it sends two corners.
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
  return hasher.value();
}

// NAME.views.json beside the project.
std::filesystem::path views_path(const Project& project) {
  return std::filesystem::path(project.path).replace_extension(".views.json");
}

// The pictures of calibrated cameras have the calibration's size, whatever a stream changes to.
LiveRecordingOptions live_options(const Project& project, const AnalysisOptions& options) {
  LiveRecordingOptions live;
  live.recording = recording_options(project, options);
  live.live = options.live.value_or(LiveOptions());
  live.credentials =
      options.credentials ? options.credentials : make_credential_file(default_credential_path());
  live.stop = options.stop;
  live.delays_s = project.live_delays_s();
  for (const ProjectCamera& camera : project.cameras) {
    live.sizes.push_back(camera.calibration ? LiveRecordingOptions::Size{camera.calibration->width_px(),
                                                                         camera.calibration->height_px()}
                                            : LiveRecordingOptions::Size{});
    live.calibrations.push_back(camera.calibration ? hash_of(*camera.calibration) : 0);
  }
  if (!project.path.empty()) live.views = std::make_shared<KnownViews>(views_path(project));
  if (live.recording.hardware && options.backends.has<LumaThumbnails>())
    live.make_thumbnails = [backends = options.backends] { return backends.create<LumaThumbnails>({}); };
  return live;
}

// About a second between two memories of a stage.
int64_t checkpoint_interval(const Recording& recording, int64_t otherwise) {
  const double rate = recording.frame_rate();
  return rate > 0 ? std::max<int64_t>(1, static_cast<int64_t>(rate + 0.5)) : otherwise;
}

// Builds the chain's stages, one after the other.
class ChainBuilder {
 public:
  ChainBuilder(const Project& project, const AnalysisOptions& options,
               const std::vector<MissingFile>& missing, Recording& recording)
      : project_(project), options_(options), missing_(missing), recording_(recording) {}

  Status add_video() {
    VANTAGE_ASSIGN(auto transfer, make_transfer());
    stages_.push_back(make_video_stage(recording_, options_.backends.device, std::move(transfer)));
    return {};
  }

  // Nothing where neither files nor a model are named. `notes`: what of the files was not understood.
  Status add_detections(std::shared_ptr<DetectorInUse> in_use, std::vector<std::string>* notes) {
    DetectionsStageOptions detections;
    for (size_t i = 0; i < project_.cameras.size(); ++i) {
      const auto index = static_cast<int>(i);
      DetectionsCamera& camera = detections.cameras.emplace_back();
      camera.name = project_.cameras[i].name;
      camera.video = hex64(recording_.info(index).content_hash);
      if (project_.cameras[i].detections.file.empty()) continue;
      VANTAGE_ASSIGN(camera.file, open_detections(index, notes));
    }
    if (!project_.detection_model.empty()) {
      VANTAGE_ASSIGN(std::string bytes, read_file(project_.detection_model));
      detections.model = ModelFile{project_.detection_model, sha256(bytes), std::move(bytes)};
    }
    detections.cuda = options_.backends.on_gpu();
    if (!project_.path.empty())
      detections.folder = std::filesystem::path(project_.path).replace_extension(".detections");
    VANTAGE_ASSIGN(detections.transfer, make_transfer());
    detections.live = dynamic_cast<const LiveRecording*>(&recording_) != nullptr;
    detections.in_use = std::move(in_use);
    stages_.push_back(make_detections_stage(std::move(detections)));
    return {};
  }

  Status add_foreground() {
    ForegroundStageOptions foreground;
    foreground.backends = options_.backends;
    VANTAGE_ASSIGN(foreground.transfer, make_transfer());
    for (size_t i = 0; i < project_.cameras.size(); ++i) {
      const int index = static_cast<int>(i);
      ForegroundCamera camera;
      camera.name = project_.cameras[i].name;
      if (!project_.cameras[i].background.empty()) {
        VANTAGE_ASSIGN(camera.background.clip, open_background(index));
        camera.reopen = reopener(project_.cameras[i].background, background_options(index), true);
      } else if (has_whole_recording(i)) {
        VANTAGE_ASSIGN(camera.background.recording, open_again(index));
        camera.reopen = reopener(project_.cameras[i].video, again_options(index), false);
      }
      foreground.cameras.push_back(std::move(camera));
    }
    foreground.stop = options_.stop;
    stages_.push_back(make_foreground_stage(std::move(foreground)));
    return {};
  }

  Status add_carving(const VoxelGrid& grid) {
    Carver::Arguments arguments;
    for (const Camera& camera : project_.calibrations()) arguments.cameras.push_back(camera.model());
    arguments.grid = grid;
    arguments.keep_occupancy = true;
    VANTAGE_ASSIGN(auto carver, options_.backends.create<Carver>(arguments));
    stages_.push_back(
        make_carving_stage(std::move(carver), arguments, options_.backends.device, options_.keep_confidence));
    return {};
  }

  Status add_people(const VoxelGrid& grid, const FloorCoverage& coverage) {
    VANTAGE_ASSIGN(auto mapper, options_.backends.create<FloorMapper>({grid}));
    VANTAGE_ASSIGN(auto map_transfer, make_transfer());
    stages_.push_back(make_floor_stage(std::move(mapper), std::move(map_transfer)));
    PeopleStageOptions people;
    people.areas = project_.areas();
    for (const ProjectCamera& camera : project_.cameras) people.names.push_back(camera.name);
    for (const Camera& camera : project_.calibrations()) people.cameras.push_back(camera.model());
    people.grid = grid;
    people.coverage = coverage;
    people.fusion_floor = fusion_floor(project_, grid);
    people.has_detections = project_.has_detections();
    VANTAGE_ASSIGN(people.sampler, options_.backends.create<MaskSampler>({}));
    VANTAGE_ASSIGN(people.occupancy,
                   options_.backends.create<OccupancyMapper>({people.cameras, grid, people.areas}));
    stages_.push_back(make_people_stage(std::move(people)));
    VANTAGE_ASSIGN(auto association, options_.backends.create<TrackAssociation>({}));
    stages_.push_back(make_tracking_stage(recording_.frame_rate(), std::move(association)));
    return {};
  }

  // Off unless heightmap.enabled is set; parameters switch it without a new chain.
  Status add_height_map() {
    HeightMapperOptions options;
    options.backends = options_.backends;
    options.cameras = project_.calibrations();
    options.region = project_.grid;
    stages_.push_back(make_height_map_stage(std::move(options)));
    return {};
  }

  // Off unless flow.enabled is set.
  Status add_flow() {
    FlowStageOptions flow;
    flow.device = options_.backends.device;
    VANTAGE_ASSIGN(flow.transfer, make_transfer());
    for (size_t i = 0; i < project_.cameras.size(); ++i) {
      flow.names.push_back(project_.cameras[i].name);
      VANTAGE_ASSIGN(auto algorithm, options_.backends.create<OpticalFlow>({static_cast<int>(i)}));
      flow.flows.push_back(std::move(algorithm));
    }
    stages_.push_back(make_flow_stage(std::move(flow)));
    return {};
  }

  Status add_motion() {
    MotionStageOptions motion;
    motion.cameras = project_.calibrations();
    for (int i = 0; i < recording_.camera_count(); ++i) motion.frame_rates.push_back(frame_rate(i));
    stages_.push_back(make_motion_stage(std::move(motion)));
    return {};
  }

  // Off unless appearance.enabled is set.
  Status add_appearance() {
    AppearanceStageOptions appearance;
    appearance.cameras = project_.calibrations();
    VANTAGE_ASSIGN(appearance.transfer, make_transfer());
    stages_.push_back(make_appearance_stage(std::move(appearance)));
    return {};
  }

  // Off unless heads.enabled is set. Without a calibration everywhere in the picture, and no points.
  Status add_heads() {
    HeadsStageOptions heads;
    heads.model = built_in_head_model();
    for (size_t i = 0; i < project_.cameras.size(); ++i) {
      VANTAGE_ASSIGN(auto detector, options_.backends.create<HeadDetector>({heads.model}));
      heads.detectors.push_back(std::move(detector));
    }
    if (project_.calibrated()) heads.cameras = project_.calibrations();
    stages_.push_back(make_heads_stage(std::move(heads)));
    return {};
  }

  void add_joined_heads() { stages_.push_back(make_joined_heads_stage()); }

  Status add_display(bool with_volume) {
    VANTAGE_ASSIGN(auto transfer, make_transfer());
    stages_.push_back(make_display_stage(std::move(transfer), with_volume));
    return {};
  }

  std::vector<std::unique_ptr<Stage>> take() { return std::move(stages_); }

  std::vector<std::string> take_notes() { return std::move(notes_); }

  Result<std::unique_ptr<MemoryTransfer>> make_transfer() {
    return options_.backends.create<MemoryTransfer>({});
  }

 private:
  double frame_rate(int camera) const {
    return effective_frame_rate(project_.cameras[static_cast<size_t>(camera)].frame_rate,
                                recording_.info(camera).frame_rate);
  }

  Result<FileFrames> open_detections(int index, std::vector<std::string>* notes) {
    const ProjectCamera& camera = project_.cameras[static_cast<size_t>(index)];
    DetectionFileOptions options;
    options.width_px = recording_.info(index).width_px, options.height_px = recording_.info(index).height_px;
    VANTAGE_ASSIGN(DetectionFile file, read_detection_file(camera.detections.file, options));
    const std::string where = camera.name + ": " + camera.detections.file + " (" + file.format + "): ";
    for (const std::string& remark : remarks_on(file)) notes->push_back(where + remark);
    FileTiming timing;
    timing.offset_frames = camera.detections.offset_frames;
    const double rate = camera.detections.frame_rate > 0 ? camera.detections.frame_rate : file.frame_rate;
    if (rate > 0) timing.frames_per_frame = rate / frame_rate(index);
    return FileFrames(std::make_shared<DetectionFile>(std::move(file)), timing);
  }

  // A recording that can be looked at as a whole.
  bool has_whole_recording(size_t camera) const {
    const auto is_its_video = [&](const MissingFile& one) {
      return one.camera == camera && one.role == FileRole::video;
    };
    return !dynamic_cast<const LiveRecording*>(&recording_) &&
           std::none_of(missing_.begin(), missing_.end(), is_its_video) &&
           !names_no_video(project_.cameras[camera].video);
  }

  // Opens what a camera learns from beforehand once more.
  static std::function<Result<BackgroundFootage>()> reopener(const std::string& path,
                                                             const VideoOpenOptions& how, bool clip) {
    return [=]() -> Result<BackgroundFootage> {
      BackgroundFootage footage;
      VANTAGE_ASSIGN((clip ? footage.clip : footage.recording), open_video(path, how));
      return footage;
    };
  }

  VideoOpenOptions again_options(int index) const {
    VideoOpenOptions options;
    options.trace = options_.backends.context.trace;
    options.camera = index;
    options.stop = options_.stop;
    return options;
  }
  VideoOpenOptions background_options(int index) const {
    VideoOpenOptions options;
    if (options_.backends.on_gpu()) options.hardware = options_.hardware;
    options.trace = options_.backends.context.trace;
    options.camera = index;
    return options;
  }

  // A camera's recording a second time, to learn its scene.
  Result<std::unique_ptr<VideoSource>> open_again(int index) {
    return open_video(project_.cameras[static_cast<size_t>(index)].video, again_options(index));
  }

  Result<std::unique_ptr<VideoSource>> open_background(int index) {
    const ProjectCamera& camera = project_.cameras[static_cast<size_t>(index)];
    VANTAGE_ASSIGN(auto source, open_video(camera.background, background_options(index)));
    const VideoInfo clip = source->info(), video = recording_.info(index);
    if (clip.width_px != video.width_px || clip.height_px != video.height_px)
      return fail(ErrorKind::invalid_argument,
                  "the empty-scene clip has " + size_text(clip.width_px, clip.height_px) + " px, the video " +
                      size_text(video.width_px, video.height_px) + " px",
                  camera.name, "Use a clip of the same camera at the same size.");
    if (!clip.conversion.empty())
      notes_.push_back(camera.name + ": pictures of the empty scene are converted, " + clip.conversion);
    return source;
  }

  const Project& project_;
  const AnalysisOptions& options_;
  const std::vector<MissingFile>& missing_;
  Recording& recording_;
  std::vector<std::unique_ptr<Stage>> stages_;
  std::vector<std::string> notes_;
};

}  // namespace

namespace {

// Live cameras say it when they connect.
void note_conversions(const Project& project, const Recording& recording, std::vector<std::string>* notes) {
  for (size_t i = 0; i < project.cameras.size(); ++i)
    if (const std::string words = recording.info(static_cast<int>(i)).conversion; !words.empty())
      notes->push_back(project.cameras[i].name + ": pictures are converted, " + words);
}

// Pictures of live cameras wait for those of the camera whose are longest under way, and for the bound.
std::vector<double> waiting_pictures(const Project& project, const LiveOptions& live,
                                     const Recording& recording) {
  const std::vector<double> delays_s = project.live_delays_s();
  std::vector<double> waiting;
  for (size_t i = 0; i < delays_s.size(); ++i) {
    const double wait_s = *std::max_element(delays_s.begin(), delays_s.end()) - delays_s[i] + live.bound_s;
    waiting.push_back(wait_s * recording.info(static_cast<int>(i)).frame_rate);
  }
  return waiting;
}

Result<MemoryPlan> plan_memory(const Project& project, const AnalysisOptions& options, Recording& recording,
                               const std::optional<VoxelGrid>& grid) {
  AnalysedScene scene;
  for (int i = 0; i < recording.camera_count(); ++i)
    scene.pictures.push_back({recording.info(i).width_px, recording.info(i).height_px});
  if (dynamic_cast<const LiveRecording*>(&recording))
    scene.waiting = waiting_pictures(project, options.live.value_or(LiveOptions()), recording);
  scene.grid = grid;
  scene.parameters = &project.parameters;
  if (std::error_code code; !project.detection_model.empty()) {
    const uintmax_t bytes = std::filesystem::file_size(project.detection_model, code);
    scene.detection_model_bytes = code ? 0 : static_cast<double>(bytes);
  }
  if (grid && project.has_detections()) scene.fusion_floor = fusion_floor(project, *grid);
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
  std::unique_ptr<Recording> recording;
  LiveRecording* live = nullptr;  // the same, when it is one
  std::optional<VoxelGrid> grid;
  std::optional<FloorCoverage> coverage;
  std::unique_ptr<Pipeline> pipeline;  // reads the recording: goes first
  std::vector<std::string> notes;
  std::shared_ptr<DetectorInUse> detector = std::make_shared<DetectorInUse>();
  Device device = Device::cpu;
  MemoryPlan memory;
  std::unique_ptr<MemoryTransfer> display_transfer;  // only with the display stage
  std::unique_ptr<MemoryTransfer> cut_transfer;
  std::vector<PinholeCamera<double>> cameras;  // of a calibrated project
};

namespace {

// A camera that is left out needs no empty scene either.
Project without_missing_files(Project project, const std::vector<MissingFile>& missing,
                              std::vector<std::string>* notes) {
  for (const MissingFile& one : missing) {
    ProjectCamera& camera = project.cameras[one.camera];
    if (one.role == FileRole::model)
      project.detection_model.clear();
    else if (one.role == FileRole::detections)
      camera.detections.file.clear();
    else
      camera.background.clear();
    notes->push_back(one.role == FileRole::video
                         ? camera.name + " is left out, its video is missing: " + one.path
                         : missing_file_name(project, one) + " is missing; going on without it: " + one.path);
  }
  return project;
}

// Nothing is left of any camera: neither a video nor, where the project names none, detections.
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
  const std::vector<MissingFile> missing = missing_files(whole);
  if (!options.without_missing || whole.live() || everything_is_missing(whole, missing))
    VANTAGE_TRY(check_project_files(whole));
  auto impl = std::make_unique<Impl>();
  const Project project = without_missing_files(whole, missing, &impl->notes);
  impl->device = options.backends.device;
  RecordingOptions recording = recording_options(project, options);
  for (const MissingFile& one : missing) {
    if (one.role != FileRole::video) continue;
    RecordingCamera& camera = recording.cameras[one.camera];
    const auto& calibration = project.cameras[one.camera].calibration;
    camera.missing = true;
    if (calibration) camera.width_px = calibration->width_px(), camera.height_px = calibration->height_px();
  }
  if (options.live || has_live_address(recording.cameras)) {
    VANTAGE_ASSIGN(auto live, LiveRecording::open(live_options(project, options)));
    impl->live = live.get();
    impl->recording = std::move(live);
  } else {
    VANTAGE_ASSIGN(impl->recording, Recording::open(std::move(recording)));
  }
  VANTAGE_TRY(check_sizes(project, *impl->recording));
  for (const std::string& problem : impl->recording->problems()) impl->notes.push_back(problem);
  if (!impl->live) note_conversions(project, *impl->recording, &impl->notes);
  if (project.calibrated()) {
    VANTAGE_ASSIGN(impl->grid, project.effective_grid());
  } else {
    impl->notes.push_back("3-D and people need a calibration: the chain ends at the foreground.");
  }
  VANTAGE_ASSIGN(impl->memory, plan_memory(project, options, *impl->recording, impl->grid));
  ChainBuilder builder(project, options, missing, *impl->recording);
  VANTAGE_TRY(builder.add_video());
  VANTAGE_TRY(builder.add_detections(impl->detector, &impl->notes));
  VANTAGE_TRY(builder.add_foreground());
  for (std::string& note : builder.take_notes()) impl->notes.push_back(std::move(note));
  VANTAGE_TRY(builder.add_flow());
  if (impl->grid) {
    for (const Camera& camera : project.calibrations()) impl->cameras.push_back(camera.model());
    VANTAGE_ASSIGN(impl->coverage, make_floor_coverage(impl->cameras, *impl->grid));
    VANTAGE_ASSIGN(impl->cut_transfer, builder.make_transfer());
    VANTAGE_TRY(builder.add_carving(*impl->grid));
    VANTAGE_TRY(builder.add_people(*impl->grid, *impl->coverage));
    VANTAGE_TRY(builder.add_motion());
    VANTAGE_TRY(builder.add_appearance());
    VANTAGE_TRY(builder.add_height_map());
  }
  VANTAGE_TRY(builder.add_heads());
  if (impl->grid) builder.add_joined_heads();
  if (options.host_display && options.backends.on_gpu()) {
    VANTAGE_TRY(builder.add_display(impl->grid.has_value()));
    VANTAGE_ASSIGN(impl->display_transfer, builder.make_transfer());
  }
  PipelineOptions pipeline = impl->memory.pipeline;
  pipeline.trace = options.backends.context.trace;
  if (impl->live) pipeline.unseen = UnseenFrames::go_on;
  pipeline.checkpoint_interval_frames =
      checkpoint_interval(*impl->recording, pipeline.checkpoint_interval_frames);
  VANTAGE_ASSIGN(impl->pipeline, Pipeline::make(builder.take(), pipeline));
  VANTAGE_TRY(impl->pipeline->configure(project.parameters));
  return std::unique_ptr<Analysis>(new Analysis(std::move(impl)));
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
  const ForegroundArtifact* foreground = result.foreground();
  if (!foreground || !impl_->grid) return nullptr;
  std::vector<Image> indicators;
  for (const ForegroundImages& camera : foreground->cameras) {
    Image indicator = camera.indicator;
    if (indicator) {
      VANTAGE_ASSIGN(indicator, impl_->cut_transfer->download(indicator, result.frame,
                                                              static_cast<int>(indicators.size())));
    }
    indicators.push_back(std::move(indicator));
  }
  VANTAGE_ASSIGN(VolumeCut cut, cut_volume({impl_->cameras, *impl_->grid}, parameters, indicators, plane));
  return std::make_shared<const VolumeCut>(std::move(cut));
}

Recording& Analysis::recording() {
  return *impl_->recording;
}
LiveRecording* Analysis::live() {
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
