#include "core/pipeline/stages/stage_types.h"

#include <algorithm>

#include "core/base/hash.h"
#include "core/heads/heads.h"
#include "core/people/triangulation/triangulation.h"
#include "core/pipeline/artifacts.h"
#include "core/pipeline/head_views.h"
#include "core/pipeline/memory_needed.h"
#include "core/pipeline/stage.h"

namespace vantage {
namespace {

constexpr double kHeadPixel = 5;     // per level: picture and codes of four block sizes
constexpr double kHeadScales = 3.2;  // pixels of all levels, four an octave, in pictures

struct HeadsStageOptions {
  std::shared_ptr<const HeadModel> model;
  std::vector<std::unique_ptr<HeadDetector>> detectors;  // one for each camera, all of the model
  std::vector<Camera> cameras;                           // empty without a calibration
  std::vector<IgnoredPixels> ignored;                    // by camera
  uint64_t ignored_hash = 0;                             // 0: nothing is ignored
};

class HeadsStage final : public StageOf<&FrameArtifacts::heads> {
 public:
  explicit HeadsStage(HeadsStageOptions options)
      : model_(std::move(options.model)),
        detectors_(std::move(options.detectors)),
        cameras_(std::move(options.cameras)),
        ignored_(std::move(options.ignored)),
        ignored_hash_(options.ignored_hash),
        sizes_(detectors_.size()) {}

  // Without a calibration heads are searched for everywhere in the pictures, and not joined to points.
  static Result<std::unique_ptr<Stage>> make(ChainContext& context) {
    HeadsStageOptions options;
    options.model = built_in_head_model();
    for (size_t i = 0; i < context.cameras.size(); ++i) {
      VANTAGE_ASSIGN(auto detector, context.backends.create<HeadDetector>({options.model}));
      options.detectors.push_back(std::move(detector));
    }
    options.cameras = context.calibrations;
    options.ignored = context.ignored_pixels();
    Hasher hasher;
    for (size_t i = 0; i < context.cameras.size(); ++i)
      if (!context.cameras[i].ignored.empty()) {
        add_to_hash(context.cameras[i].ignored, &hasher.add(i));
        options.ignored_hash = hasher.value();
      }
    return std::make_unique<HeadsStage>(std::move(options));
  }

  static void estimate_memory(const AnalysedScene& scene, MemoryEstimate* estimate) {
    if (!scene.get<HeadParameters>().enabled) return;
    estimate->add("heads",
                  kHeadPixel * kHeadScales * scene.pixels() * static_cast<double>(scene.calibration_spans),
                  "Switch the head detector off.");
  }

  std::string_view name() const override { return kHeadsStage; }
  std::vector<std::string_view> inputs() const override { return {kVideoStage}; }
  Status configure(const ParameterStore& parameters) override {
    parameters_ = parameters.get<HeadParameters>();
    std::fill(sizes_.begin(), sizes_.end(), Size{});
    Hasher hasher;
    hasher.add(parameters_.enabled);
    if (parameters_.enabled) hasher.add(parameters.hash(parameter_table<HeadParameters>().stage));
    if (parameters_.enabled && ignored_hash_ != 0) hasher.add(ignored_hash_);
    hash_ = hasher.value();
    return {};
  }
  // Its other parameters invalidate nothing while it is switched off.
  uint64_t own_hash() const override { return hash_; }

  Result<Made> process(int64_t frame, const FrameArtifacts& inputs) override {
    auto artifact = std::make_shared<HeadsArtifact>();
    if (!parameters_.enabled) return artifact;
    const std::vector<CameraFrame>& frames = inputs.video->frames.cameras;
    artifact->searched = true;
    std::vector<HeadsInView> views(frames.size());
    for (size_t i = 0; i < frames.size(); ++i) {
      if (!frames[i].picture) continue;
      VANTAGE_TRY(prepare(i, frames[i].picture));
      VANTAGE_ASSIGN(views[i], detectors_[i]->detect(frames[i].picture, frame));
      for (std::vector<Detection>* boxes : {&views[i].heads, &views[i].faint, &views[i].windows})
        std::erase_if(*boxes, [&](const Detection& box) {
          return ignored_[i].at(box.x + box.w / 2 - 0.5, box.y + box.h / 2 - 0.5);
        });
    }
    artifact->cameras = join_head_views(cameras_, views, *model_, parameters_);
    if (!cameras_.empty()) join(artifact.get());
    return artifact;
  }

 private:
  struct Size {
    int width = 0, height = 0;
    bool operator==(const Size&) const = default;
  };

  Status prepare(size_t camera, const Picture& picture) {
    const Size size{picture.width(), picture.height()};
    if (sizes_[camera] == size) return {};
    VANTAGE_ASSIGN(HeadSearch search, plan_head_search(size.width, size.height, parameters_,
                                                       cameras_.empty() ? nullptr : &cameras_[camera]));
    VANTAGE_TRY(detectors_[camera]->prepare(std::move(search), parameters_));
    sizes_[camera] = size;
    return {};
  }

  void join(HeadsArtifact* artifact) const {
    std::vector<PointInView> points;
    for (size_t i = 0; i < artifact->cameras.size(); ++i)
      for (const Detection& head : artifact->cameras[i])
        points.push_back({static_cast<int>(i), head.x + 0.5 * head.w - 0.5, head.y + 0.5 * head.h - 0.5});
    TriangulationParameters joining;
    joining.min_height_m = parameters_.min_height_m - kHeadBelowTop_m;
    joining.max_height_m = parameters_.max_height_m - kHeadBelowTop_m;
    for (const TriangulatedPoint& point : triangulate(cameras_, points, joining))
      artifact->heads.push_back({point.point_in_world_m.x(), point.point_in_world_m.y(),
                                 point.point_in_world_m.z(), static_cast<int>(point.points.size()),
                                 point.distance_m});
  }

  const std::shared_ptr<const HeadModel> model_;
  const std::vector<std::unique_ptr<HeadDetector>> detectors_;
  const std::vector<Camera> cameras_;
  const std::vector<IgnoredPixels> ignored_;
  const uint64_t ignored_hash_;
  HeadParameters parameters_;
  std::vector<Size> sizes_;  // the size for which each detector is prepared
  uint64_t hash_ = 0;
};

}  // namespace

const StageType kHeadsStageType = {.name = kHeadsStage,
                                   .by_calibration = true,
                                   .enabled_by = kHeadsStage,
                                   .tables = tables_of<HeadParameters>,
                                   .make = HeadsStage::make,
                                   .estimate_memory = HeadsStage::estimate_memory};

size_t HeadsArtifact::size_bytes() const {
  size_t total = sizeof *this + heads.size() * sizeof(SceneHead);
  for (const std::vector<Detection>& boxes : cameras)
    total += sizeof boxes + boxes.size() * sizeof(Detection);
  return total;
}

}  // namespace vantage
