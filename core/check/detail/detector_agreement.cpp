#include "core/check/detail/detector_agreement.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "core/base/file.h"
#include "core/base/formatted.h"
#include "core/base/frame_rate.h"
#include "core/base/hash.h"
#include "core/detections/detection_parameters.h"
#include "core/detections/detection_store.h"
#include "core/detections/file_frames.h"
#include "core/detections/person_detector.h"
#include "core/fusion/detector_watch.h"
#include "core/project/project_times.h"
#include "core/tracking/tracker.h"
#include "core/video/sha256.h"

namespace vantage {
namespace {

constexpr int kLooks = 12;        // in each span: enough to tell how people move
constexpr int64_t kReach = 2000;  // frames that a span is searched for them
constexpr size_t kMinDetectingCameras = 3;

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
  const DetectionFileOptions options =
      reading_options(camera.detections, video.width_px, video.height_px,
                      effective_frame_rate(camera.frame_rate, video.frame_rate), video.frame_count);
  auto file = read_detection_file(camera.detections.file, options);
  if (!file) return std::nullopt;  // its own check says so
  const FileTiming timing =
      timing_of(camera.detections, *file, effective_frame_rate(camera.frame_rate, video.frame_rate));
  return FileFrames(std::make_shared<DetectionFile>(std::move(*file)), timing, video.picture_of_frame);
}

// What the model found in an earlier run; nothing where there was none.
std::vector<std::unique_ptr<DetectionStore>> stores_of(const DetectorCheck& check) {
  std::vector<std::unique_ptr<DetectionStore>> stores(check.project.cameras.size());
  const auto folder = std::filesystem::path(check.project.path).replace_extension(".detections");
  std::error_code none;
  if (check.project.detection_model.empty() || !std::filesystem::is_directory(folder, none)) return stores;
  Result<std::string> bytes = read_file(check.project.detection_model);
  if (!bytes) return stores;
  const ModelFile model{check.project.detection_model, sha256(*bytes), std::move(*bytes)};
  const auto parameters = check.project.parameters.get<DetectionParameters>();
  EngineOptions engine;
  engine.choice = parameters.engine;
  const auto detector = PersonDetector::open(model, parameters, engine);
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
    fusion_ = std::make_unique<PeopleFusion>(check.floor, models);
    fusion_->set_parameters(check.project.parameters.get<FusionParameters>());
    watch_.emplace(std::move(models), check.base_rate);
  }

  std::vector<DetectorState> run() {
    const int64_t last = std::min(check_.frame_count, check_.span.end);
    const int64_t apart = std::max<int64_t>((last - check_.span.begin) / std::max(check_.spans, 1), 1);
    for (int64_t begin = check_.span.begin; begin < last; begin += apart)
      examine_span(begin, std::min({begin + apart, begin + kReach, last}));
    return watch_->states();
  }

 private:
  // The first looks of a span; people get their IDs within it.
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
      for (const FusedPerson& person : people) places.push_back({person.x_m, person.y_m, person.height_m});
      const auto tracked = tracker.update(frame, places);
      std::vector<int64_t> ids;
      // IDs of different spans are different people.
      for (size_t i = 0; tracked && i < tracked->size(); ++i)
        ids.push_back((*tracked)[i].id > 0 ? begin * kIdsOfSpan + (*tracked)[i].id : 0);
      watch_->add(frame, detections, people, ids);
    }
  }

  std::vector<CameraDetections> detections_at(int64_t frame) const {
    std::vector<CameraDetections> all;
    for (size_t c = 0; c < boxes_.size(); ++c) {
      const double at =
          camera_frame_at(check_.project.cameras[c], static_cast<double>(frame), boxes_[c].rate_ratio);
      CameraDetections& one = all.emplace_back(boxes_[c].at(std::llround(at)));
      std::erase_if(one.people, [&](const PersonDetection& person) { return person.score < min_score_; });
    }
    return all;
  }

  static constexpr int64_t kIdsOfSpan = 10'000;
  const DetectorCheck& check_;
  const std::vector<Boxes> boxes_;
  const double min_score_;
  std::unique_ptr<PeopleFusion> fusion_;
  std::optional<DetectorWatch> watch_;
};

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
  item.figure = formatted("sees %lld of %lld people whom the other cameras see in its picture",
                          static_cast<long long>(state.seen), static_cast<long long>(state.expected));
  if (state.compared >= DetectorWatch::kMinCompared)
    item.figure += formatted(", boxes off by %.0f px", std::hypot(state.shift_x_px, state.shift_y_px));
  if (state.expected >= DetectorWatch::kMinCompared) return item;
  item.verdict = Verdict::cannot_tell;
  item.remedy = formatted("%lld have to be compared.", static_cast<long long>(DetectorWatch::kMinCompared));
  return item;
}

}  // namespace

std::vector<CheckItem> examine_detectors(const DetectorCheck& check) {
  std::vector<Boxes> boxes = boxes_of(check);
  std::vector<bool> any;
  for (const Boxes& one : boxes) any.push_back(one.any());
  if (static_cast<size_t>(std::count(any.begin(), any.end(), true)) < kMinDetectingCameras ||
      check.base_rate <= 0)
    return {};
  const std::vector<DetectorState> states = Examination(check, std::move(boxes)).run();
  std::vector<CheckItem> items;
  for (size_t c = 0; c < states.size(); ++c)
    if (any[c]) items.push_back(item_of(states[c], check.project.cameras[c].name));
  return items;
}

}  // namespace vantage
