#include "core/pipeline/stages.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/pipeline/artifacts.h"
#include "core/pipeline/detail/person_motion.h"
#include "core/pipeline/head_views.h"
#include "core/pipeline/memory_needed.h"
#include "core/pipeline/person_skeletons.h"
#include "core/pipeline/stage.h"
#include "core/pipeline/stages/stage_types.h"

namespace vantage {
namespace {

// Host copies of displayed data, for a window whose OpenGL cannot read the chain's device memory.

extern const StageType kDisplayStageType;

class DisplayStage final : public StageOf<&FrameArtifacts::display> {
 public:
  DisplayStage(std::unique_ptr<MemoryTransfer> transfer, bool with_volume)
      : transfer_(std::move(transfer)), with_volume_(with_volume) {}

  static Result<std::unique_ptr<Stage>> make(ChainContext& context) {
    if (!context.host_display || !context.backends.on_gpu()) return nullptr;
    VANTAGE_ASSIGN(auto transfer, context.make_transfer());
    return std::make_unique<DisplayStage>(std::move(transfer), context.grid.has_value());
  }

  std::string_view name() const override { return kDisplayStage; }
  std::vector<std::string_view> inputs() const override {
    if (with_volume_) return {kVideoStage, kForegroundStage, kCarvingStage};
    return {kVideoStage, kForegroundStage};
  }
  Status configure(const ParameterStore&) override { return {}; }
  uint64_t own_hash() const override { return with_volume_; }

  Result<Made> process(int64_t frame, const FrameArtifacts& inputs) override {
    auto artifact = std::make_shared<DisplayArtifact>();
    const FrameSet& frames = inputs.video->frames;
    const auto& foreground = inputs.foreground->cameras;
    artifact->pictures.resize(frames.cameras.size());
    artifact->indicators.resize(foreground.size());
    for (size_t i = 0; i < frames.cameras.size(); ++i) {
      const int camera = static_cast<int>(i);
      if (const Picture& picture = frames.cameras[i].picture) {
        VANTAGE_ASSIGN(artifact->pictures[i], transfer_->download(picture, frame, camera));
      }
      if (const Image& indicator = foreground[i].indicator) {
        VANTAGE_ASSIGN(artifact->indicators[i], transfer_->download(indicator, frame, camera));
      }
    }
    if (with_volume_) VANTAGE_TRY(copy_shell(inputs.carving->volume, artifact.get()));
    return artifact;
  }

 private:
  Status copy_shell(const CarvedVolume& volume, DisplayArtifact* artifact) {
    const Result<VolumeCounts>& counts = volume.counts.get();
    if (!counts) return fail(counts.error());
    artifact->shell_count = counts->shell;
    if (counts->shell == 0) return {};
    const Result<Image>& ids = volume.shell_ids.get();
    if (!ids) return fail(ids.error());
    VANTAGE_ASSIGN(artifact->shell_ids, transfer_->download(*ids, volume.frame, -1));
    return {};
  }

  const std::unique_ptr<MemoryTransfer> transfer_;
  const bool with_volume_;
};

const StageType kDisplayStageType = {.name = kDisplayStage, .has_results = false, .make = DisplayStage::make};

}  // namespace

size_t DisplayArtifact::size_bytes() const {
  size_t total = sizeof *this + shell_ids.size_bytes();
  for (const Picture& picture : pictures) total += picture.size_bytes();
  for (const Image& indicator : indicators) total += indicator.size_bytes();
  return total;
}

namespace {

// Each person's velocity, from the flows of all cameras (core/pipeline/detail/person_motion.h); empty without
// flow.

extern const StageType kMotionStageType;

class MotionStage final : public StageOf<&FrameArtifacts::motion> {
 public:
  explicit MotionStage(const ChainContext& context) : cameras_(context.calibrations) {
    Hasher hasher;
    for (const ChainCamera& camera : context.cameras) {
      frame_rates_.push_back(camera.frame_rate);
      hasher.add(camera.frame_rate);
    }
    hash_ = hasher.value();
  }

  static Result<std::unique_ptr<Stage>> make(ChainContext& context) {
    return std::make_unique<MotionStage>(context);
  }

  std::string_view name() const override { return kMotionStage; }
  std::vector<std::string_view> inputs() const override {
    return {kForegroundStage, kPeopleStage, kFlowStage};
  }
  Status configure(const ParameterStore&) override { return {}; }
  uint64_t own_hash() const override { return hash_; }  // cameras are those of the people stage

  Result<Made> process(int64_t, const FrameArtifacts& inputs) override {
    auto artifact = std::make_shared<MotionArtifact>();
    const auto& flows = inputs.flow->cameras;
    const std::vector<FoundPerson>& people = inputs.people->found.people;
    if (flows.empty() || people.empty()) return artifact;
    const Result<std::vector<Image>>& masks = inputs.foreground->host_masks.get();
    if (!masks) return fail(masks.error());
    std::vector<MotionView> views;
    for (size_t c = 0; c < flows.size(); ++c) {
      MotionView& view = views.emplace_back();
      view.camera = cameras_[c];
      view.frame_rate = frame_rates_[c];
      const Image& mask = masks->at(c);
      if (!flows[c].field || !mask) continue;
      view.flow = &flows[c];
      view.mask = mask.view<uint8_t>();
    }
    artifact->people = measure_motion(views, people);
    return artifact;
  }

 private:
  const std::vector<Camera> cameras_;
  std::vector<double> frame_rates_;  // one per camera
  uint64_t hash_ = 0;
};

const StageType kMotionStageType = {.name = kMotionStage,
                                    .needs_calibration = true,
                                    .by_calibration = true,
                                    .enabled_by = kFlowStage,
                                    .make = MotionStage::make};

}  // namespace

size_t MotionArtifact::size_bytes() const {
  return sizeof *this + people.size() * sizeof(people[0]);
}

namespace {

// The carved volume seen from above, copied to host memory: it is small and all downstream stages read it
// there. The carver upstream keeps its occupancy.

extern const StageType kFloorStageType;

constexpr double kFloorColumn = 3 * 4;  // occupied voxels and top of a column, and a copy

class FloorStage final : public StageOf<&FrameArtifacts::floor> {
 public:
  FloorStage(std::unique_ptr<FloorMapper> mapper, std::unique_ptr<MemoryTransfer> transfer)
      : mapper_(std::move(mapper)), transfer_(std::move(transfer)) {}

  static Result<std::unique_ptr<Stage>> make(ChainContext& context) {
    VANTAGE_ASSIGN(auto mapper, context.backends.create<FloorMapper>({*context.grid}));
    VANTAGE_ASSIGN(auto transfer, context.make_transfer());
    return std::make_unique<FloorStage>(std::move(mapper), std::move(transfer));
  }

  static void estimate_memory(const AnalysedScene& scene, MemoryEstimate* estimate) {
    estimate->add("people", kFloorColumn * scene.grid->nx * scene.grid->ny, kLargerVoxels);
  }

  std::string_view name() const override { return kFloorStage; }
  std::vector<std::string_view> inputs() const override { return {kCarvingStage}; }
  Status configure(const ParameterStore& parameters) override {
    mapper_->set_parameters(parameters.get<FloorMapParameters>());
    parameter_hash_ = parameters.hash(parameter_table<FloorMapParameters>().stage);
    return {};
  }
  // Grid and device are those of the carver.
  uint64_t own_hash() const override { return parameter_hash_; }

  Result<Made> process(int64_t frame, const FrameArtifacts& inputs) override {
    const CarvedVolume& volume = inputs.carving->volume;
    auto artifact = std::make_shared<FloorMapArtifact>();
    VANTAGE_ASSIGN(artifact->map, mapper_->map(volume.occupancy, frame));
    VANTAGE_ASSIGN(artifact->map.columns, transfer_->download(artifact->map.columns, frame, -1));
    VANTAGE_ASSIGN(artifact->map.tops, transfer_->download(artifact->map.tops, frame, -1));
    return artifact;
  }

 private:
  const std::unique_ptr<FloorMapper> mapper_;
  const std::unique_ptr<MemoryTransfer> transfer_;
  uint64_t parameter_hash_ = 0;
};

const StageType kFloorStageType = {.name = kFloorStage,
                                   .needs_calibration = true,
                                   .tables = tables_of<FloorMapParameters>,
                                   .make = FloorStage::make,
                                   .estimate_memory = FloorStage::estimate_memory};

}  // namespace

size_t FloorMapArtifact::size_bytes() const {
  return sizeof *this + map.columns.size_bytes() + map.tops.size_bytes();
}

namespace {

// A stage with one instance per span of constant calibrations.

struct StageSpan {
  int64_t begin = 0;  // the first frame set
  std::unique_ptr<Stage> stage;
};

class StageOfSpans final : public Stage {
 public:
  explicit StageOfSpans(std::vector<StageSpan> spans) : spans_(std::move(spans)) {}

  std::string_view name() const override { return first().name(); }
  std::vector<std::string_view> inputs() const override { return first().inputs(); }
  Status configure(const ParameterStore& parameters) override {
    for (const StageSpan& span : spans_) VANTAGE_TRY(span.stage->configure(parameters));
    return {};
  }
  uint64_t own_hash() const override {
    Hasher hasher;
    for (const StageSpan& span : spans_) hasher.add(span.begin).add(span.stage->own_hash());
    return hasher.value();
  }
  size_t workers() const override { return first().workers(); }
  Result<ArtifactRef> run(int64_t frame, const FrameArtifacts& inputs) override {
    const auto next =
        std::upper_bound(spans_.begin(), spans_.end(), frame,
                         [](int64_t wanted, const StageSpan& span) { return wanted < span.begin; });
    return std::prev(next)->stage->run(frame, inputs);
  }
  void put(ArtifactRef made, FrameArtifacts* artifacts) const override {
    first().put(std::move(made), artifacts);
  }

 private:
  const Stage& first() const { return *spans_.front().stage; }
  const std::vector<StageSpan> spans_;
};

// `spans`: of the same stage, in order of time, the first from 0 on. Errors: unsupported for a stage with
// memory, which would have to be passed on.
Result<std::unique_ptr<Stage>> make_stage_of_spans(std::vector<StageSpan> spans) {
  for (const StageSpan& span : spans)
    if (span.stage->has_memory())
      return fail(ErrorKind::unsupported, "a stage with memory cannot be another one later",
                  std::string(span.stage->name()));
  return std::make_unique<StageOfSpans>(std::move(spans));
}

// Joints of fused people in the scene (core/pipeline/person_skeletons.h), for each frame separately: limbs
// get constant lengths once a recording's results are complete (core/results/results_skeletons.h).

extern const StageType kSkeletonsStageType;

class SkeletonsStage final : public StageOf<&FrameArtifacts::skeletons> {
 public:
  explicit SkeletonsStage(std::vector<Camera> cameras) : cameras_(std::move(cameras)) {}

  static Result<std::unique_ptr<Stage>> make(ChainContext& context) {
    return std::make_unique<SkeletonsStage>(context.calibrations);
  }

  std::string_view name() const override { return kSkeletonsStage; }
  std::vector<std::string_view> inputs() const override { return {kDetectionsStage, kPeopleStage}; }
  Status configure(const ParameterStore& parameters) override {
    parameters_ = parameters.get<SkeletonParameters>();
    hash_ = parameters_.enabled ? parameters.hash(parameter_table<SkeletonParameters>().stage) : 0;
    return {};
  }
  uint64_t own_hash() const override { return hash_; }  // cameras are those of the people stage

  Result<Made> process(int64_t, const FrameArtifacts& inputs) override {
    auto artifact = std::make_shared<SkeletonsArtifact>();
    if (parameters_.enabled && !inputs.people->fused.empty())
      artifact->people =
          find_skeletons(cameras_, inputs.detections->cameras, inputs.people->fused, parameters_);
    return artifact;
  }

 private:
  const std::vector<Camera> cameras_;
  SkeletonParameters parameters_;
  uint64_t hash_ = 0;
};

const StageType kSkeletonsStageType = {.name = kSkeletonsStage,
                                       .needs_calibration = true,
                                       .by_calibration = true,
                                       .enabled_by = kSkeletonsStage,
                                       .tables = tables_of<SkeletonParameters>,
                                       .make = SkeletonsStage::make};

}  // namespace

size_t SkeletonsArtifact::size_bytes() const {
  size_t total = sizeof *this;
  for (const PersonSkeleton& person : people)
    total += sizeof person + person.joints.size() * sizeof(person.joints[0]);
  return total;
}

namespace {

// Heads of the height map joined with people and detected heads (core/pipeline/detail/head_views.h); empty
// without a height map. A separate stage, so that a change of people does not invalidate the height map.

extern const StageType kJoinedHeadsStageType;

class JoinedHeadsStage final : public StageOf<&FrameArtifacts::joined_heads> {
 public:
  static Result<std::unique_ptr<Stage>> make(ChainContext&) { return std::make_unique<JoinedHeadsStage>(); }

  std::string_view name() const override { return kJoinedHeadsStage; }
  std::vector<std::string_view> inputs() const override {
    return {kHeightMapStage, kPeopleStage, kHeadsStage};
  }
  Status configure(const ParameterStore&) override { return {}; }
  uint64_t own_hash() const override { return 0; }

  Result<Made> process(int64_t, const FrameArtifacts& inputs) override {
    auto artifact = std::make_shared<JoinedHeadsArtifact>();
    artifact->joined =
        join_heads(inputs.heightmap->estimate.heads, inputs.people->found.people, inputs.heads->heads);
    return artifact;
  }
};

const StageType kJoinedHeadsStageType = {.name = kJoinedHeadsStage,
                                         .needs_calibration = true,
                                         .enabled_by = kHeightMapStage,
                                         .has_results = false,
                                         .make = JoinedHeadsStage::make};

}  // namespace

size_t JoinedHeadsArtifact::size_bytes() const {
  return sizeof *this + joined.size() * sizeof(JoinedHead);
}

namespace {

// A stage's inputs stand before it.
constexpr const StageType* kStages[] = {
    &kVideoStageType,     &kDetectionsStageType,  &kForegroundStageType, &kFlowStageType,
    &kCarvingStageType,   &kFloorStageType,       &kHeadsStageType,      &kPeopleStageType,
    &kTrackingStageType,  &kMotionStageType,      &kAppearanceStageType, &kSkeletonsStageType,
    &kHeightMapStageType, &kJoinedHeadsStageType, &kDisplayStageType,
};

// One instance for all frames, or one per span of constant calibrations.
Result<std::unique_ptr<Stage>> make_stage(const StageType& type, ChainContext& context) {
  if (!type.by_calibration || context.later_spans.empty()) return type.make(context);
  std::vector<StageSpan> spans;
  VANTAGE_ASSIGN(std::unique_ptr<Stage> first, type.make(context));
  if (!first) return first;
  spans.push_back({0, std::move(first)});
  const size_t notes = context.notes.size();
  for (CalibrationSpan& span : context.later_spans) {
    const auto exchange = [&] {
      std::swap(context.calibrations, span.calibrations);
      std::swap(context.coverage, span.coverage);
    };
    exchange();
    Result<std::unique_ptr<Stage>> made = type.make(context);
    exchange();
    if (!made) return made;
    spans.push_back({span.begin, std::move(*made)});
  }
  context.notes.resize(notes);  // all spans have the notes of the first
  return make_stage_of_spans(std::move(spans));
}

}  // namespace

std::vector<IgnoredPixels> ChainContext::ignored_pixels() const {
  std::vector<IgnoredPixels> ignored;
  for (size_t c = 0; c < cameras.size(); ++c) {
    const VideoInfo video = source.info(static_cast<int>(c));
    ignored.emplace_back(cameras[c].ignored, video.width_px, video.height_px);
  }
  return ignored;
}

std::span<const StageType* const> stage_types() {
  return kStages;
}

Result<std::vector<std::unique_ptr<Stage>>> make_stages(ChainContext& context) {
  std::vector<std::unique_ptr<Stage>> stages;
  for (const StageType* type : stage_types()) {
    if (type->needs_calibration && !context.grid) continue;
    VANTAGE_ASSIGN(std::unique_ptr<Stage> stage, make_stage(*type, context));
    if (stage) stages.push_back(std::move(stage));
  }
  return stages;
}

std::vector<std::string_view> stages_with_results(
    bool calibrated, const std::function<bool(std::string_view stage)>& enabled) {
  std::vector<std::string_view> names;
  for (const StageType* stage : stage_types()) {
    if (!stage->has_results || (stage->needs_calibration && !calibrated)) continue;
    if (stage->enabled_by.empty() || enabled(stage->enabled_by)) names.push_back(stage->name);
  }
  return names;
}

std::vector<std::string_view> stages_with_results(bool calibrated, const ParameterStore& parameters) {
  return stages_with_results(
      calibrated, [&](std::string_view stage) { return parameters.get(stage, "enabled").value_or(0) != 0; });
}

}  // namespace vantage
