#include "core/pipeline/stages/detections_stage.h"

#include <algorithm>

#include "core/base/hash.h"
#include "core/base/log.h"
#include "core/base/trace.h"
#include "core/detections/detection_parameters.h"
#include "core/detections/detection_store.h"
#include "core/pipeline/artifacts.h"

namespace vantage {
namespace {

class DetectionsStage final : public StageOf<&FrameArtifacts::detections> {
 public:
  explicit DetectionsStage(DetectionsStageOptions options)
      : options_(std::move(options)), stores_(options_.cameras.size()) {
    for (const DetectionsCamera& camera : options_.cameras) {
      has_files_ = has_files_ || camera.file;
      all_files_ = all_files_ && camera.file;
    }
    Hasher hasher;
    for (const DetectionsCamera& camera : options_.cameras) hasher.add(camera.file ? camera.file->hash() : 0);
    files_hash_ = hasher.value();
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
    if (on() && uses_model()) {
      hasher.add(options_.model->sha256).add(parameters_.family).add(parameters_.long_side_px);
      hasher.add(parameters_.overlap).add(parameters_.every);
      VANTAGE_TRY(open_detector());
      hasher.add(detector_->provenance().engine).add(detector_->provenance().engine_version);
    }
    hash_ = hasher.value();
    return {};
  }
  // Where it does nothing, its parameters make nothing out of date.
  uint64_t own_hash() const override { return hash_; }

  Result<Made> process(int64_t frame, const FrameArtifacts& inputs) override {
    auto artifact = std::make_shared<DetectionsArtifact>();
    if (!on()) return artifact;
    artifact->present = true;
    const std::vector<CameraFrame>& frames = inputs.video->frames.cameras;
    const bool looking = uses_model() && looks_at(frame);
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
    }
    if (looking) rest_until_ns_ = 2 * trace_now_ns() - start_ns;
    return artifact;
  }

 private:
  bool uses_model() const { return options_.model && !all_files_; }
  bool on() const { return parameters_.enabled && (has_files_ || uses_model()); }
  bool looks_at(int64_t frame) const {
    if (options_.live) return frame >= next_look_ && trace_now_ns() >= rest_until_ns_;
    return frame % parameters_.every == 0;
  }

  Status open_detector() {
    if (detector_) return {};
    EngineOptions engine;
    engine.choice = parameters_.engine, engine.cuda = options_.cuda;
    VANTAGE_ASSIGN(detector_, PersonDetector::open(*options_.model, parameters_, engine));
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
    if (!options_.live)
      if (auto known = stores_[camera]->find(frame.camera_frame)) return std::move(*known);
    Picture picture = frame.picture;
    if (picture.place().kind == MemoryKind::device) {
      VANTAGE_ASSIGN(picture, options_.transfer->download(picture, set, static_cast<int>(camera)));
    }
    VANTAGE_ASSIGN(found.people, detector_->detect(picture));
    found.known = true;
    if (!options_.live)
      if (const Status kept = stores_[camera]->add(frame.camera_frame, found); !kept && !told_) {
        told_ = true;
        log_warning(kept.error().message());
      }
    return found;
  }

  DetectionsStageOptions options_;
  DetectionParameters parameters_;
  bool configured_ = false;
  bool has_files_ = false, all_files_ = true;
  uint64_t files_hash_ = 0, hash_ = 0;
  std::unique_ptr<PersonDetector> detector_;
  std::vector<std::unique_ptr<DetectionStore>> stores_;  // by camera; null where it has a file
  int64_t next_look_ = 0, rest_until_ns_ = 0;            // live
  bool told_ = false;                                    // that what is found cannot be kept
};

}  // namespace

std::unique_ptr<Stage> make_detections_stage(DetectionsStageOptions options) {
  return std::make_unique<DetectionsStage>(std::move(options));
}

}  // namespace vantage
