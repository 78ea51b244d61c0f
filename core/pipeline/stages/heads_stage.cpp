#include "core/pipeline/stages/heads_stage.h"

#include <algorithm>
#include <cmath>

#include "core/base/hash.h"
#include "core/pipeline/artifacts.h"
#include "core/pipeline/head_views.h"
#include "core/triangulation/triangulation.h"

namespace vantage {
namespace {

constexpr double kPersonReach_m = 0.5;  // across the floor, from the head to who stands below

class HeadsStage final : public StageOf<&FrameArtifacts::heads> {
 public:
  explicit HeadsStage(HeadsStageOptions options)
      : model_(std::move(options.model)),
        detectors_(std::move(options.detectors)),
        cameras_(std::move(options.cameras)),
        sizes_(detectors_.size()) {}

  std::string_view name() const override { return kHeadsStage; }
  std::vector<std::string_view> inputs() const override {
    if (cameras_.empty()) return {kVideoStage};
    return {kVideoStage, kPeopleStage};
  }
  Status configure(const ParameterStore& parameters) override {
    parameters_ = parameters.get<HeadParameters>();
    std::fill(sizes_.begin(), sizes_.end(), Size{});
    Hasher hasher;
    hasher.add(parameters_.enabled);
    if (parameters_.enabled) hasher.add(parameters.hash(parameter_table<HeadParameters>().stage));
    hash_ = hasher.value();
    return {};
  }
  // Switched off, its other parameters make nothing out of date.
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
    }
    artifact->cameras = join_head_views(cameras_, views, *model_, parameters_);
    if (!cameras_.empty()) join(inputs.people->found.people, artifact.get());
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

  void join(const std::vector<Person>& people, HeadsArtifact* artifact) const {
    std::vector<PointInView> points;
    for (size_t i = 0; i < artifact->cameras.size(); ++i)
      for (const Detection& head : artifact->cameras[i])
        points.push_back({static_cast<int>(i), head.x + 0.5 * head.w - 0.5, head.y + 0.5 * head.h - 0.5});
    TriangulationParameters joining;
    joining.min_height_m = parameters_.min_height_m - kHeadBelowTop_m;
    joining.max_height_m = parameters_.max_height_m - kHeadBelowTop_m;
    for (const TriangulatedPoint& point : triangulate(cameras_, points, joining)) {
      SceneHead head{point.point_in_world_m.x(), point.point_in_world_m.y(),
                     point.point_in_world_m.z(), static_cast<int>(point.points.size()),
                     point.distance_m,           -1};
      double nearest_m = kPersonReach_m;
      for (size_t i = 0; i < people.size(); ++i) {
        const double away_m = std::hypot(people[i].x_m - head.x_m, people[i].y_m - head.y_m);
        if (away_m > nearest_m) continue;
        nearest_m = away_m;
        head.person = static_cast<int>(i);
      }
      artifact->heads.push_back(head);
    }
  }

  const std::shared_ptr<const HeadModel> model_;
  const std::vector<std::unique_ptr<HeadDetector>> detectors_;
  const std::vector<Camera> cameras_;
  HeadParameters parameters_;
  std::vector<Size> sizes_;  // what each detector is prepared for
  uint64_t hash_ = 0;
};

}  // namespace

std::unique_ptr<Stage> make_heads_stage(HeadsStageOptions options) {
  return std::make_unique<HeadsStage>(std::move(options));
}

}  // namespace vantage
