#include "core/pipeline/stages/stage_types.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "core/base/hash.h"
#include "core/foreground/methods.h"
#include "core/foreground/steady_model.h"
#include "core/pipeline/artifacts.h"
#include "core/pipeline/memory_needed.h"
#include "core/pipeline/stages/foreground_view.h"

namespace vantage {
namespace {

constexpr double kImagesBytes = 2;  // bytes per pixel: indicator and mask

struct ForegroundStageOptions {
  std::vector<ForegroundCamera> cameras;  // in the project's order, each followed by its later views
  DeviceBackends backends;                // the models'; on the CPU the cameras are segmented in parallel
  // Copies clips and zeros to the device and masks to the host.
  std::unique_ptr<MemoryTransfer> transfer;
  StopSource stop;  // ends the learning
};

// The mask with its copy on the host, even before the copy is requested.
size_t bytes_of_mask(const Image& mask) {
  const bool copied = mask && mask.place().kind != MemoryKind::host;
  return mask.size_bytes() * (copied ? 2 : 1);
}

class ForegroundMemory final : public StageMemory {
 public:
  const ForegroundMethodInfo* method = nullptr;
  int64_t frame = -1;                         // the last one
  std::vector<ForegroundView::Memory> views;  // as in the stage

  size_t size_bytes() const override {
    size_t total = sizeof *this;
    for (const ForegroundView::Memory& view : views)
      total += sizeof view + (view.state ? view.state->size_bytes() : 0);
    return total;
  }
};

class ForegroundStage final : public StageOf<&FrameArtifacts::foreground>, public ForegroundExplainer {
 public:
  explicit ForegroundStage(ForegroundStageOptions options)
      : backends_(options.backends), transfer_(std::move(options.transfer)), stop_(options.stop) {
    Hasher hasher;
    hasher.add(backends_.device).add(options.cameras.size());
    for (ForegroundCamera& from : options.cameras) {
      for (const VideoSource* footage : {from.background.clip.get(), from.background.recording.get()}) {
        hasher.add(footage ? footage->content_hash() : 0);
        if (footage && !footage->info().conversion.empty()) hasher.add(footage->info().conversion);
      }
      if (from.background.recording) hasher.add(kSceneVersion);
      if (from.from_frame > 0) hasher.add(from.camera).add(from.from_frame).add(from.background.span.begin);
      if (from.background.span.end != INT64_MAX) hasher.add(from.background.span.end);
      if (!from.ignored.empty()) hasher.add(from.camera);
      add_to_hash(from.ignored, &hasher);
      if (from.camera == first_view_.size()) first_view_.push_back(views_.size());
      views_.emplace_back(std::move(from));
    }
    setup_hash_ = hasher.value();
  }

  static Result<std::unique_ptr<Stage>> make(ChainContext& context) {
    ForegroundStageOptions options;
    options.backends = context.backends;
    VANTAGE_ASSIGN(options.transfer, context.make_transfer());
    for (size_t i = 0; i < context.cameras.size(); ++i)
      for (size_t view = 0; view <= context.cameras[i].later.size(); ++view) {
        VANTAGE_ASSIGN(ForegroundCamera camera, open_background_footage(context, i, view));
        options.cameras.push_back(std::move(camera));
      }
    options.stop = context.stop;
    return std::make_unique<ForegroundStage>(std::move(options));
  }

  // The stage's own, and those of the methods.
  static ParameterTables tables() {
    ParameterTables tables = tables_of<ForegroundParameters>();
    for (const ForegroundMethodInfo& method : foreground_methods())
      if (method.parameters) tables.push_back(&method.parameters());
    return tables;
  }

  static void estimate_memory(const AnalysedScene& scene, MemoryEstimate* estimate) {
    const ForegroundMethodInfo& method = foreground_method(scene.get<ForegroundParameters>());
    estimate->add("foreground", method.bytes_per_px * scene.pixels(), kSmallerPictures);
    estimate->add_artifact(kImagesBytes * scene.pixels());
  }

  std::string_view name() const override { return kForegroundStage; }
  std::vector<std::string_view> inputs() const override { return {kVideoStage}; }
  bool has_memory() const override { return true; }

  Status configure(const ParameterStore& parameters) override {
    const ForegroundParameters before = std::exchange(parameters_, parameters.get<ForegroundParameters>());
    if (before.steady != parameters_.steady || before.whole_recording != parameters_.whole_recording)
      for (ForegroundView& view : views_) view.forget_footage();
    parameter_hash_ = foreground_parameter_hash(parameters);
    usable_ = use(foreground_method(parameters_));
    if (!usable_) return usable_;
    for (ForegroundView& view : views_) view.model().set_parameters(parameters);
    return {};
  }
  uint64_t own_hash() const override { return Hasher().add(setup_hash_).add(parameter_hash_).value(); }

  Result<Made> process(int64_t frame, const FrameArtifacts& inputs) override {
    if (!usable_) return fail(usable_.error());
    if (fresh_) VANTAGE_TRY(reset());
    const FrameSet& frames = inputs.video->frames;
    auto artifact = std::make_shared<ForegroundArtifact>();
    artifact->cameras.resize(first_view_.size());
    frame_ = frame;
    VANTAGE_TRY(for_each_camera(frame, [&](size_t i, ForegroundView& view) -> Status {
      const Picture& picture = frames.cameras[i].picture;
      if (!picture) return {};
      const ForegroundSetting setting = setting_of(i);
      if (!view.ready()) VANTAGE_TRY(view.learn_beforehand(setting));
      VANTAGE_ASSIGN(artifact->cameras[i], view.segment(picture, frame, setting));
      return {};
    }));
    // A view that has ended frees its memory.
    for (size_t v = 0; v < views_.size(); ++v)
      if (views_[v].ready() && !shows(v)) views_[v].forget();
    artifact->host_masks = host_masks(artifact->cameras, frame);
    return artifact;
  }

  Result<PixelEvidence> explain(size_t camera, const Picture& picture, int x_px, int y_px) const override {
    if (!usable_) return fail(usable_.error());
    const ForegroundView& asked = views_.at(view_at(camera, frame_ + 1));
    if (!asked.ready())
      return fail(ErrorKind::not_found,
                  "the camera has a new pose from this frame on: nothing is known of it before", asked.name(),
                  "Choose the next frame.");
    if (asked.only_learns(parameters_))
      return fail(ErrorKind::not_found,
                  "the camera learns its empty scene from this frame: it counts as empty", asked.name(),
                  "Choose a frame behind foreground.learning_frames.");
    Result<PixelEvidence> found =
        dynamic_cast<const PixelExplainer&>(asked.model()).explain(picture, x_px, y_px);
    if (found) return found;
    Error error = std::move(found).error();
    error.where = asked.name();
    return fail(std::move(error));
  }

  // The state before frame 0: only what is learnt beforehand.
  Status reset() override {
    if (!usable_) return usable_;
    fresh_ = false, frame_ = -1;
    for (ForegroundView& view : views_) view.forget();
    VANTAGE_TRY(for_each_camera(
        0, [this](size_t i, ForegroundView& view) { return view.examine(setting_of(i)); }, true));
    return for_each_camera(
        0, [this](size_t i, ForegroundView& view) { return view.learn_beforehand(setting_of(i)); });
  }

  Result<StageMemoryRef> save() const override {
    if (!method_->saves_state) return StageMemoryRef{};
    auto memory = std::make_shared<ForegroundMemory>();
    memory->method = method_;
    memory->frame = frame_;
    for (size_t v = 0; v < views_.size(); ++v) {
      ForegroundView::Memory& kept = memory->views.emplace_back();
      if (!shows(v)) continue;
      VANTAGE_ASSIGN(kept, views_[v].save());
    }
    return memory;
  }

  // A preview may have the memory of another method, which this one cannot use.
  Status restore(const StageMemory& saved) override {
    const auto& memory = dynamic_cast<const ForegroundMemory&>(saved);
    if (!usable_ || memory.method != method_ || memory.views.size() != views_.size()) return reset();
    fresh_ = false, frame_ = memory.frame;
    for (ForegroundView& view : views_) view.forget();
    return for_each_camera(std::max<int64_t>(frame_, 0), [&](size_t, ForegroundView& view) {
      return view.restore(memory.views[&view - views_.data()]);
    });
  }

  Status write_memory(ByteWriter* to) const override {
    if (!usable_) return usable_;
    to->add(method_->name).add(uint64_t{views_.size()}).add(frame_);
    for (size_t v = 0; v < views_.size(); ++v)
      if (shows(v)) VANTAGE_TRY(views_[v].write(to));
    return {};
  }

  Status read_memory(ByteReader* from) override {
    if (!usable_) return usable_;
    if (from->take_text() != method_->name || from->take<uint64_t>() != views_.size())
      return fail(ErrorKind::bad_data, "the background models are of another method or other cameras");
    fresh_ = false;
    from->take(&frame_);
    for (size_t v = 0; v < views_.size(); ++v) {
      views_[v].forget();
      if (shows(v)) VANTAGE_TRY(views_[v].read(from));
    }
    return {};
  }

 private:
  // Uses the models of a method; what the former ones learnt is dropped.
  Status use(const ForegroundMethodInfo& method) {
    if (method_ == &method) return {};
    std::vector<std::unique_ptr<ForegroundModel>> models;
    for (size_t i = 0; i < views_.size(); ++i) {
      VANTAGE_ASSIGN(auto model, make_steady_model(backends_, method.name, static_cast<int>(camera_of(i)),
                                                   views_[i].ignored()));
      models.push_back(std::move(model));
    }
    method_ = &method;
    fresh_ = true;
    for (size_t i = 0; i < views_.size(); ++i) views_[i].use(std::move(models[i]), method.saves_state);
    return {};
  }

  ForegroundSetting setting_of(size_t camera) const {
    return {parameters_, *transfer_, stop_, static_cast<int>(camera)};
  }

  // The index of a camera's view at a frame set.
  size_t view_at(size_t camera, int64_t frame) const {
    size_t view = first_view_.at(camera);
    const size_t end = camera + 1 < first_view_.size() ? first_view_[camera + 1] : views_.size();
    while (view + 1 < end && views_[view + 1].from_frame() <= frame) ++view;
    return view;
  }

  size_t camera_of(size_t view) const {
    const auto next = std::upper_bound(first_view_.begin(), first_view_.end(), view);
    return static_cast<size_t>(next - first_view_.begin()) - 1;
  }

  // True when the last frame shows the view.
  bool shows(size_t view) const { return view_at(camera_of(view), std::max<int64_t>(frame_, 0)) == view; }

  // Calls for all cameras, by index, with the view of the frame. On the CPU cameras are independent. A
  // device's work is enqueued from this thread, camera by camera.
  Status for_each_camera(int64_t frame, const std::function<Status(size_t, ForegroundView&)>& work,
                         bool on_host = false) {
    std::vector<Status> statuses(first_view_.size());
    const auto one = [&](size_t i) { statuses[i] = work(i, views_[view_at(i, frame)]); };
    if (on_host || !backends_.on_gpu())
      tbb::parallel_for(size_t{0}, statuses.size(), one);
    else
      for (size_t i = 0; i < statuses.size(); ++i) one(i);
    for (size_t i = 0; i < statuses.size(); ++i) {
      if (statuses[i]) continue;
      Error error = statuses[i].error();
      const std::string& name = views_[first_view_[i]].name();
      error.where = name + (error.where.empty() ? "" : ", " + error.where);
      return fail(std::move(error));
    }
    return {};
  }

  Deferred<std::vector<Image>> host_masks(const std::vector<ForegroundImages>& cameras, int64_t frame) const {
    std::vector<Image> masks;
    for (const ForegroundImages& camera : cameras) masks.push_back(camera.mask);
    return Deferred<std::vector<Image>>([masks = std::move(masks), transfer = transfer_, frame] {
      return transfer->download_all(masks, frame);
    });
  }

  const DeviceBackends backends_;
  const ForegroundMethodInfo* method_ = nullptr;  // the models'; null: none was chosen yet
  Status usable_ = fail(ErrorKind::invalid_argument, "no parameters were given", "foreground");
  bool fresh_ = false;  // the models have learnt nothing yet, not even what is learnt beforehand
  // Version of learning from recordings: a new number invalidates older results.
  static constexpr int kSceneVersion = 3;
  const std::shared_ptr<MemoryTransfer>
      transfer_;  // also used by artifacts whose masks were not requested yet
  const StopSource stop_;
  std::vector<ForegroundView> views_;  // in order of the cameras, each followed by its later views
  std::vector<size_t> first_view_;     // one per camera: first index in views_
  int64_t frame_ = -1;                 // the last one
  uint64_t setup_hash_ = 0, parameter_hash_ = 0;
  ForegroundParameters parameters_;
};

}  // namespace

const StageType kForegroundStageType = {.name = kForegroundStage,
                                        .tables = ForegroundStage::tables,
                                        .make = ForegroundStage::make,
                                        .estimate_memory = ForegroundStage::estimate_memory};

size_t ForegroundArtifact::size_bytes() const {
  size_t total = sizeof *this;
  for (const ForegroundImages& images : cameras)
    total += sizeof images + images.indicator.size_bytes() + bytes_of_mask(images.mask);
  return total;
}

Status ForegroundArtifact::finish() const {
  for (const ForegroundImages& images : cameras)
    if (const Result<int64_t>& count = images.mask_count.get(); !count) return fail(count.error());
  return {};
}

}  // namespace vantage
