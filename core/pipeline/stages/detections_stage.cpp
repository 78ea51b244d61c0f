#include "core/pipeline/stages/stage_types.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "core/base/log.h"
#include "core/base/trace.h"
#include "core/detections/detection_file.h"
#include "core/detections/detection_parameters.h"
#include "core/detections/detection_store.h"
#include "core/fusion/body_box.h"
#include "core/pipeline/artifacts.h"
#include "core/pipeline/detector_models.h"
#include "core/pipeline/memory_needed.h"
#include "core/pipeline/stage.h"

namespace vantage {
namespace {

// Memory of a detector's engine: the engine, copies of the model, bytes per pixel of the input.
constexpr double kEngine = 6e7, kModelCopies = 4, kInputPixel = 600;

struct DetectionsCamera {
  std::string name;
  IgnoredRegions ignored;
  std::optional<FileFrames> file;  // preferred to the model
  std::string video;               // checksum; stored detections of the model are for this video only
};

struct DetectionsStageOptions {
  std::vector<DetectionsCamera> cameras;
  std::vector<IgnoredPixels> ignored;  // by camera
  DetectorModels models;               // the file of people may be empty: no model
  PictureDetector detect;              // preferred to the model; empty: none
  bool cuda = false;                   // the model may run on the device if its engine can
  std::filesystem::path folder;        // for the model's detections; empty: kept in memory only
  std::unique_ptr<MemoryTransfer> transfer;
  bool live = false;
  std::shared_ptr<DetectorInUse> in_use;  // null: not needed
};

// Parts of the file that were not understood go into the context's notes.
Result<FileFrames> open_detections(ChainContext& context, size_t index) {
  const ChainCamera& camera = context.cameras[index];
  const VideoInfo video = context.source.info(static_cast<int>(index));
  const DetectionFileOptions options = reading_options(camera.detections, video.width_px, video.height_px,
                                                       camera.frame_rate, video.frame_count);
  VANTAGE_ASSIGN(FileFrames frames,
                 read_file_frames(camera.detections, options, camera.frame_rate, video.picture_of_frame));
  const std::string where = camera.name + ": " + camera.detections.file + " (" + frames.file().format + "): ";
  for (const std::string& remark : remarks_on(frames.file())) context.notes.push_back(where + remark);
  if (frames.counts_pictures())
    context.notes.push_back(where +
                            "its frames count the video's pictures, not its times, as the video's gaps show");
  return frames;
}

class DetectionsStage final : public StageOf<&FrameArtifacts::detections> {
 public:
  explicit DetectionsStage(DetectionsStageOptions options)
      : options_(std::move(options)), stores_(options_.cameras.size()) {
    for (const DetectionsCamera& camera : options_.cameras) {
      has_files_ = has_files_ || camera.file;
      all_files_ = all_files_ && camera.file;
    }
    Hasher hasher;
    for (const DetectionsCamera& camera : options_.cameras) {
      hasher.add(camera.file ? camera.file->hash() : 0);
      add_to_hash(camera.ignored, &hasher);
    }
    files_hash_ = hasher.value();
  }

  static Result<std::unique_ptr<Stage>> make(ChainContext& context) {
    DetectionsStageOptions options;
    for (size_t i = 0; i < context.cameras.size(); ++i) {
      DetectionsCamera& camera = options.cameras.emplace_back();
      camera.name = context.cameras[i].name;
      camera.ignored = context.cameras[i].ignored;
      camera.video = hex64(context.source.info(static_cast<int>(i)).content_hash);
      if (context.cameras[i].detections.file.empty()) continue;
      VANTAGE_ASSIGN(camera.file, open_detections(context, i));
    }
    options.ignored = context.ignored_pixels();
    options.detect = context.detect;
    if (!options.detect && !context.detection_model.empty()) {
      VANTAGE_ASSIGN(options.models, read_models(context.detection_model, context.joints_model));
    }
    if (!context.joints_model.empty() && options.models.joints.bytes.empty())
      context.notes.push_back("the model of joints is not used: no model detects people");
    options.cuda = context.backends.on_gpu();
    options.folder = context.detections_folder;
    VANTAGE_ASSIGN(options.transfer, context.make_transfer());
    options.live = context.live;
    options.in_use = context.detector;
    return std::make_unique<DetectionsStage>(std::move(options));
  }

  static void estimate_memory(const AnalysedScene& scene, MemoryEstimate* estimate) {
    const auto detections = scene.get<DetectionParameters>();
    if (!detections.enabled || scene.detection_model_bytes <= 0) return;
    const double input = static_cast<double>(detections.long_side_px) * detections.long_side_px;
    estimate->add({"detections", kEngine + kModelCopies * scene.detection_model_bytes + kInputPixel * input,
                   0, "Switch the detector off, or use a smaller model or input."});
  }

  std::string_view name() const override { return kDetectionsStage; }
  std::vector<std::string_view> inputs() const override { return {kVideoStage}; }

  Status configure(const ParameterStore& parameters) override {
    const auto before = parameters_;
    parameters_ = parameters.get<DetectionParameters>();
    if (!configured_ || before.family != parameters_.family || before.engine != parameters_.engine ||
        before.long_side_px != parameters_.long_side_px || before.overlap != parameters_.overlap)
      detector_.reset();
    configured_ = true;
    Hasher hasher;
    if (on()) hasher.add(parameters_.min_score).add(files_hash_);
    // Two functions cannot be compared, so each instance is a version of its own.
    if (on() && looks() && options_.detect) hasher.add(instance_).add(parameters_.every);
    if (on() && looks() && !options_.detect) {
      hasher.add(options_.models.people.sha256).add(options_.models.joints.sha256);
      hasher.add(parameters_.family).add(parameters_.long_side_px);
      hasher.add(parameters_.overlap).add(parameters_.every);
      VANTAGE_TRY(open_detector());
      hasher.add(detector_->provenance().engine).add(detector_->provenance().engine_version);
    }
    hash_ = hasher.value();
    return {};
  }
  // Parameters of a switched-off stage invalidate nothing.
  uint64_t own_hash() const override { return hash_; }

  Result<Made> process(int64_t frame, const FrameArtifacts& inputs) override {
    auto artifact = std::make_shared<DetectionsArtifact>();
    if (!on()) return artifact;
    artifact->present = true;
    const std::vector<CameraFrame>& frames = inputs.video->frames.cameras;
    const bool looking = looks() && looks_at(frame);
    const int64_t start_ns = trace_now_ns();
    for (size_t i = 0; i < frames.size(); ++i) {
      CameraDetections& found = artifact->cameras.emplace_back();
      if (options_.cameras[i].file) {
        found = options_.cameras[i].file->at(frames[i].camera_frame);
      } else if (looking) {
        VANTAGE_ASSIGN(found, look(i, frames[i], frame));
      }
      std::erase_if(found.people,
                    [&](const PersonDetection& person) { return person.score < parameters_.min_score; });
      drop_ignored(options_.ignored[i], &found.people);
    }
    if (looking) rest_until_ns_ = 2 * trace_now_ns() - start_ns;
    return artifact;
  }

 private:
  bool looks() const {
    return (!options_.models.people.bytes.empty() || options_.detect) && !all_files_;
  }  // detects in pictures
  bool on() const { return parameters_.enabled && (has_files_ || looks()); }
  bool looks_at(int64_t frame) const {
    if (options_.live) return frame >= next_look_ && trace_now_ns() >= rest_until_ns_;
    return frame % parameters_.every == 0;
  }

  Status open_detector() {
    if (detector_) return {};
    EngineOptions engine;
    engine.choice = parameters_.engine, engine.cuda = options_.cuda;
    VANTAGE_ASSIGN(detector_, PersonDetector::open(options_.models, parameters_, engine));
    if (options_.in_use) options_.in_use->set(detector_->provenance());
    for (size_t i = 0; i < stores_.size(); ++i) {
      if (options_.cameras[i].file) continue;
      DetectorProvenance provenance = detector_->provenance();
      provenance.video = options_.cameras[i].video;
      const auto& folder = options_.live ? std::filesystem::path() : options_.folder;
      auto store = DetectionStore::open(folder, options_.cameras[i].name, provenance);
      if (!store) {
        log_warning(store.error().message());
        store = DetectionStore::open({}, options_.cameras[i].name, provenance);
      }
      stores_[i] = std::move(*store);
    }
    return {};
  }

  Result<CameraDetections> look(size_t camera, const CameraFrame& frame, int64_t set) {
    CameraDetections found;
    next_look_ = set + parameters_.every;
    if (!frame.picture || frame.camera_frame < 0) return found;
    if (!options_.live && !options_.detect)
      if (auto known = stores_[camera]->find(frame.camera_frame)) return std::move(*known);
    Picture picture = frame.picture;
    if (picture.place().kind == MemoryKind::device) {
      VANTAGE_ASSIGN(picture, options_.transfer->download(picture, set, static_cast<int>(camera)));
    }
    if (options_.detect) return options_.detect(camera, picture, set);
    VANTAGE_ASSIGN(found.people, detector_->detect(picture));
    found.known = true;
    if (!options_.live)
      if (const Status kept = stores_[camera]->add(frame.camera_frame, found); !kept && !reported_) {
        reported_ = true;
        log_warning(kept.error().message());
      }
    return found;
  }

  inline static std::atomic<uint64_t> instances_ = 0;

  DetectionsStageOptions options_;
  const uint64_t instance_ = ++instances_;
  DetectionParameters parameters_;
  bool configured_ = false;
  bool has_files_ = false, all_files_ = true;
  uint64_t files_hash_ = 0, hash_ = 0;
  std::unique_ptr<PersonDetector> detector_;
  std::vector<std::unique_ptr<DetectionStore>> stores_;  // one per camera; null where it has a file
  int64_t next_look_ = 0, rest_until_ns_ = 0;            // live
  bool reported_ = false;                                // an error of storing was reported
};

}  // namespace

const StageType kDetectionsStageType = {.name = kDetectionsStage,
                                        .has_results = false,
                                        .tables = tables_of<DetectionParameters>,
                                        .make = DetectionsStage::make,
                                        .estimate_memory = DetectionsStage::estimate_memory};

size_t DetectionsArtifact::size_bytes() const {
  size_t total = sizeof *this + cameras.size() * sizeof(CameraDetections);
  for (const CameraDetections& camera : cameras)
    for (const PersonDetection& person : camera.people)
      total += sizeof person + person.keypoints.size() * sizeof(Keypoint);
  return total;
}

}  // namespace vantage
