#include "core/pipeline/stages/stage_types.h"

#include <algorithm>
#include <cmath>

#include "core/detections/detection_parameters.h"
#include "core/pipeline/artifacts.h"
#include "core/pipeline/detail/person_motion.h"
#include "core/pipeline/stage.h"
#include "core/tracking/paths/path_tracker.h"
#include "core/tracking/tracker.h"

namespace vantage {
namespace {

class AppearanceStage final : public StageOf<&FrameArtifacts::appearance> {
 public:
  AppearanceStage(const ChainContext& context, std::unique_ptr<MemoryTransfer> transfer)
      : cameras_(context.calibrations),
        frame_rate_(context.frame_rate),
        live_(context.live),
        has_detections_(context.has_detections),
        transfer_(std::move(transfer)) {}

  static Result<std::unique_ptr<Stage>> make(ChainContext& context) {
    VANTAGE_ASSIGN(auto transfer, context.make_transfer());
    return std::make_unique<AppearanceStage>(context, std::move(transfer));
  }

  std::string_view name() const override { return kAppearanceStage; }
  std::vector<std::string_view> inputs() const override {
    return {kVideoStage, kForegroundStage, kPeopleStage};
  }
  Status configure(const ParameterStore& parameters) override {
    every_ = parameters.get<AppearanceParameters>().enabled ? 1 : 0;
    const bool paths = is_by_paths(parameters.get<TrackingParameters>().method, live_);
    if (every_ == 1 || !paths || parameters.get<PathParameters>().return_s <= 0 ||
        resolved_source(parameters, has_detections_) != PeopleSource::fused)
      return {};
    // Who comes back is told from independent looks, of frames that the detector examines.
    const int64_t examined = parameters.get<DetectionParameters>().every;
    every_ = std::max<int64_t>(1, std::llround(kIndependent_s * frame_rate_) / examined) * examined;
    return {};
  }
  // Cameras are those of the people stage.
  uint64_t own_hash() const override { return static_cast<uint64_t>(every_); }

  Result<Made> process(int64_t frame, const FrameArtifacts& inputs) override {
    auto artifact = std::make_shared<AppearanceArtifact>();
    const std::vector<FoundPerson>& people = inputs.people->found.people;
    if (every_ == 0 || frame % every_ != 0 || people.empty()) return artifact;
    VANTAGE_ASSIGN(const std::vector<Picture> pictures, host_pictures(inputs.video->frames.cameras, frame));
    const Result<std::vector<Image>>& masks = inputs.foreground->host_masks.get();
    if (!masks) return fail(masks.error());
    std::vector<AppearanceView> views;
    for (size_t c = 0; c < pictures.size(); ++c) {
      AppearanceView& view = views.emplace_back();
      view.camera = &cameras_[c];
      const Image& mask = masks->at(c);
      if (!mask) continue;
      view.picture = &pictures[c], view.mask = mask.view<uint8_t>();
    }
    artifact->people = measure_appearance(views, people);
    return artifact;
  }

 private:
  Result<std::vector<Picture>> host_pictures(const std::vector<CameraFrame>& cameras, int64_t frame) {
    std::vector<Picture> pictures;
    for (size_t c = 0; c < cameras.size(); ++c) {
      Picture picture = cameras[c].picture;
      if (picture) {
        VANTAGE_ASSIGN(picture, transfer_->download(picture, frame, static_cast<int>(c)));
      }
      pictures.push_back(std::move(picture));
    }
    return pictures;
  }

  const std::vector<Camera> cameras_;
  const double frame_rate_;
  const bool live_, has_detections_;
  const std::unique_ptr<MemoryTransfer> transfer_;  // brings pictures to the host
  int64_t every_ = 0;                               // so many frames; 0: none
};

}  // namespace

const StageType kAppearanceStageType = {.name = kAppearanceStage,
                                        .needs_calibration = true,
                                        .by_calibration = true,
                                        .enabled_by = kAppearanceStage,
                                        .tables = tables_of<AppearanceParameters>,
                                        .make = AppearanceStage::make};

size_t AppearanceArtifact::size_bytes() const {
  size_t total = sizeof *this;
  for (const std::vector<BodyColor>& person : people)
    total += sizeof person + person.size() * sizeof(BodyColor);
  return total;
}

}  // namespace vantage
