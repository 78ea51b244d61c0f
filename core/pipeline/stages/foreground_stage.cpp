#include "core/pipeline/stages/foreground_stage.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "core/base/hash.h"
#include "core/foreground/methods.h"
#include "core/foreground/steady_model.h"
#include "core/pipeline/artifacts.h"
#include "core/pipeline/memory_needed.h"
#include "core/pipeline/stages/foreground_footage.h"

namespace vantage {
namespace {

constexpr double kImagesBytes = 2;  // of a pixel: indicator and mask

struct ForegroundStageOptions {
  std::vector<ForegroundCamera> cameras;  // in the project's order, each with its later views behind it
  DeviceBackends backends;                // the models'; on the CPU the cameras are segmented in parallel
  // Brings clips and zeros to the device and masks to the host.
  std::unique_ptr<MemoryTransfer> transfer;
  StopSource stop;  // ends the learning
};

using CameraState = std::shared_ptr<const ForegroundState>;

// With its copy on the host, whether somebody has asked for that or not.
size_t bytes_of_mask(const Image& mask) {
  const bool copied = mask && mask.place().kind != MemoryKind::host;
  return mask.size_bytes() * (copied ? 2 : 1);
}

class ForegroundMemory final : public StageMemory {
 public:
  struct Camera {
    CameraState state;  // null: the model has seen nothing, or does not show this frame
    bool ready = false, has_background = false;
    int64_t learnt_frames = 0;
  };
  const ForegroundMethodInfo* method = nullptr;
  int64_t frame = -1;           // the last one
  std::vector<Camera> cameras;  // views, as the stage has them

  size_t size_bytes() const override {
    size_t total = sizeof *this;
    for (const Camera& camera : cameras)
      total += sizeof camera + (camera.state ? camera.state->size_bytes() : 0);
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
      Camera& camera = cameras_.emplace_back();
      camera.name = std::move(from.name);
      camera.from_frame = from.from_frame;
      if (from.camera == first_view_.size()) first_view_.push_back(cameras_.size() - 1);
      camera.footage = std::move(from.background);
      camera.has_clip = camera.footage.clip != nullptr;
      camera.reopen = std::move(from.reopen);
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

  // Its own, and those of methods that have some.
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
      for (Camera& camera : cameras_) camera.learnt = {}, camera.nothing_learnt = false;
    parameter_hash_ = foreground_parameter_hash(parameters);
    usable_ = use(foreground_method(parameters_));
    if (!usable_) return usable_;
    for (Camera& camera : cameras_) camera.model->set_parameters(parameters);
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
    VANTAGE_TRY(for_each_camera(frame, [&](size_t i, Camera& camera) -> Status {
      const Picture& picture = frames.cameras[i].picture;
      if (!picture) return {};
      if (!camera.ready) VANTAGE_TRY(learn_beforehand(camera, static_cast<int>(i)));
      VANTAGE_ASSIGN(artifact->cameras[i], segment(camera, static_cast<int>(i), picture, frame));
      return {};
    }));
    // A view that is over gives its memory back.
    for (size_t v = 0; v < cameras_.size(); ++v)
      if (cameras_[v].ready && !shows(v)) forget(cameras_[v]);
    artifact->host_masks = host_masks(artifact->cameras, frame);
    return artifact;
  }

  Result<PixelEvidence> explain(size_t camera, const Picture& picture, int x_px, int y_px) const override {
    if (!usable_) return fail(usable_.error());
    const Camera& asked = cameras_.at(view_at(camera, frame_ + 1));
    if (!asked.ready)
      return fail(ErrorKind::not_found,
                  "the camera stands otherwise from this frame on: nothing is known before", asked.name,
                  "Choose the next frame.");
    if (only_learns(asked))
      return fail(ErrorKind::not_found, "the camera learns its empty scene from this frame: nobody is in it",
                  asked.name, "Choose a frame behind foreground.learning_frames.");
    Result<PixelEvidence> found =
        dynamic_cast<const PixelExplainer&>(*asked.model).explain(picture, x_px, y_px);
    if (found) return found;
    Error error = std::move(found).error();
    error.where = asked.name;
    return fail(std::move(error));
  }

  // The state before frame 0: nothing but what is learnt beforehand.
  Status reset() override {
    if (!usable_) return usable_;
    fresh_ = false, frame_ = -1;
    for (Camera& camera : cameras_) forget(camera);
    return for_each_camera(0, [this](size_t i, Camera& camera) -> Status {
      return learn_beforehand(camera, static_cast<int>(i));
    });
  }

  Result<StageMemoryRef> save() const override {
    if (!method_->saves_state) return StageMemoryRef{};
    auto memory = std::make_shared<ForegroundMemory>();
    memory->method = method_;
    memory->frame = frame_;
    for (size_t v = 0; v < cameras_.size(); ++v) {
      const Camera& camera = cameras_[v];
      ForegroundMemory::Camera& kept = memory->cameras.emplace_back();
      if (!shows(v)) continue;
      if (camera.seen) {
        VANTAGE_ASSIGN(kept.state, camera.model->save());
      }
      kept.ready = camera.ready, kept.has_background = camera.has_background;
      kept.learnt_frames = camera.learnt_frames;
    }
    return memory;
  }

  // A preview may bring the memory of another method, which says nothing to this one.
  Status restore(const StageMemory& saved) override {
    const auto& memory = dynamic_cast<const ForegroundMemory&>(saved);
    if (!usable_ || memory.method != method_ || memory.cameras.size() != cameras_.size()) return reset();
    fresh_ = false, frame_ = memory.frame;
    for (Camera& camera : cameras_) forget(camera);
    return for_each_camera(std::max<int64_t>(frame_, 0), [&](size_t, Camera& camera) -> Status {
      const ForegroundMemory::Camera& kept = memory.cameras[static_cast<size_t>(&camera - cameras_.data())];
      camera.learnt_frames = kept.learnt_frames;
      camera.ready = kept.ready, camera.has_background = kept.has_background;
      camera.seen = kept.state != nullptr;
      return camera.seen ? camera.model->restore(*kept.state) : Status();
    });
  }

  Status write_memory(ByteWriter* to) const override {
    if (!usable_) return usable_;
    to->add(method_->name).add(uint64_t{cameras_.size()}).add(frame_);
    for (size_t v = 0; v < cameras_.size(); ++v) {
      const Camera& camera = cameras_[v];
      if (!shows(v)) continue;
      to->add(uint8_t{camera.seen}).add(uint8_t{camera.ready}).add(uint8_t{camera.has_background});
      to->add(camera.learnt_frames);
      if (camera.seen) VANTAGE_TRY(camera.model->write(to));
    }
    return {};
  }

  Status read_memory(ByteReader* from) override {
    if (!usable_) return usable_;
    if (from->take_text() != method_->name || from->take<uint64_t>() != cameras_.size())
      return fail(ErrorKind::bad_data, "the background models are of another method or other cameras");
    fresh_ = false;
    from->take(&frame_);
    for (size_t v = 0; v < cameras_.size(); ++v) {
      Camera& camera = cameras_[v];
      forget(camera);
      if (!shows(v)) continue;
      camera.seen = from->take<uint8_t>() != 0, camera.ready = from->take<uint8_t>() != 0;
      camera.has_background = from->take<uint8_t>() != 0;
      from->take(&camera.learnt_frames);
      if (camera.seen) VANTAGE_TRY(camera.model->read(from));
    }
    return {};
  }

 private:
  // A camera; where it stands otherwise later, one of its views.
  struct Camera {
    std::string name;
    int64_t from_frame = 0;  // the first frame set
    bool ready = false;      // what comes beforehand is learnt
    std::unique_ptr<ForegroundModel> model;
    BackgroundFootage footage;  // until it is read
    std::function<Result<BackgroundFootage>()> reopen;
    bool has_clip = false;
    bool looked = false;          // the footage was read
    bool nothing_learnt = false;  // and told nothing
    CameraState learnt;           // from it; null: nothing, or the method cannot save it
    bool has_background = false;  // and begins with that
    bool seen = false;            // the model has learnt or segmented a picture
    int64_t learnt_frames = 0;    // of the camera's own first frames
    Image zeros;
  };

  // The models of a method; what others have learnt is forgotten.
  Status use(const ForegroundMethodInfo& method) {
    if (method_ == &method) return {};
    std::vector<std::unique_ptr<ForegroundModel>> models;
    for (size_t i = 0; i < cameras_.size(); ++i) {
      VANTAGE_ASSIGN(auto model, make_steady_model(backends_, method.name, static_cast<int>(camera_of(i))));
      models.push_back(std::move(model));
    }
    method_ = &method;
    fresh_ = true;
    for (size_t i = 0; i < cameras_.size(); ++i) {
      Camera& camera = cameras_[i];
      camera.model = std::move(models[i]);
      camera.learnt = {};
      camera.ready = camera.seen = camera.has_background = camera.nothing_learnt = false;
      camera.learnt_frames = 0;
    }
    return {};
  }

  // The state before a view's first picture.
  static void forget(Camera& camera) {
    camera.model->reset();
    camera.ready = camera.seen = camera.has_background = false;
    camera.learnt_frames = 0;
  }

  // The view of a camera that a frame set has.
  size_t view_at(size_t camera, int64_t frame) const {
    size_t view = first_view_.at(camera);
    const size_t end = camera + 1 < first_view_.size() ? first_view_[camera + 1] : cameras_.size();
    while (view + 1 < end && cameras_[view + 1].from_frame <= frame) ++view;
    return view;
  }

  size_t camera_of(size_t view) const {
    const auto next = std::upper_bound(first_view_.begin(), first_view_.end(), view);
    return static_cast<size_t>(next - first_view_.begin()) - 1;
  }

  // Whether the last frame shows the view.
  bool shows(size_t view) const { return view_at(camera_of(view), std::max<int64_t>(frame_, 0)) == view; }

  // Cameras by number, with the view that the frame has. The CPU's do not touch each other. A device's work
  // is enqueued from this thread, camera by camera.
  Status for_each_camera(int64_t frame, const std::function<Status(size_t, Camera&)>& work) {
    std::vector<Status> statuses(first_view_.size());
    const auto one = [&](size_t i) { statuses[i] = work(i, cameras_[view_at(i, frame)]); };
    if (!backends_.on_gpu())
      tbb::parallel_for(size_t{0}, statuses.size(), one);
    else
      for (size_t i = 0; i < statuses.size(); ++i) one(i);
    for (size_t i = 0; i < statuses.size(); ++i) {
      if (statuses[i]) continue;
      Error error = statuses[i].error();
      const std::string& name = cameras_[first_view_[i]].name;
      error.where = name + (error.where.empty() ? "" : ", " + error.where);
      return fail(std::move(error));
    }
    return {};
  }

  bool only_learns(const Camera& camera) const {
    return !camera.has_background && camera.learnt_frames < parameters_.learning_frames;
  }

  Result<ForegroundImages> segment(Camera& camera, int index, const Picture& picture, int64_t frame) {
    const bool learning = only_learns(camera);
    camera.seen = true;
    if (!learning) return camera.model->apply(picture, frame);
    VANTAGE_TRY(camera.model->learn(picture, frame));
    ++camera.learnt_frames;
    VANTAGE_ASSIGN(Image zeros, empty_scene(camera, index, picture, frame));
    return ForegroundImages{zeros, zeros, int64_t{0}};
  }

  Deferred<std::vector<Image>> host_masks(const std::vector<ForegroundImages>& cameras, int64_t frame) const {
    std::vector<Image> masks;
    for (const ForegroundImages& camera : cameras) masks.push_back(camera.mask);
    return Deferred<std::vector<Image>>([masks = std::move(masks), transfer = transfer_, frame] {
      return transfer->download_all(masks, frame);
    });
  }

  // Images are immutable once handed on, so all learning frames share one.
  Result<Image> empty_scene(Camera& camera, int index, const Picture& picture, int64_t frame) {
    if (camera.zeros && camera.zeros.width() == picture.width() && camera.zeros.height() == picture.height())
      return camera.zeros;
    VANTAGE_ASSIGN(Image zeros,
                   Image::make(ImageType::u8, picture.width(), picture.height(), HostPool::shared()));
    std::memset(zeros.buffer()->data(), 0, zeros.buffer()->size_bytes());
    VANTAGE_ASSIGN(zeros, transfer_->upload(zeros, frame, index));
    camera.zeros = zeros;
    return zeros;
  }

  // From the footage, the first time; then from what was saved of it or, where the method cannot, from the
  // footage again.
  Status learn_beforehand(Camera& camera, int index) {
    camera.ready = true;
    if (camera.nothing_learnt || (!camera.has_clip && !parameters_.whole_recording)) return {};
    if (!camera.learnt) VANTAGE_TRY(read_footage(camera, index));
    if (camera.nothing_learnt) return {};
    camera.has_background = camera.seen = true;
    return camera.learnt ? camera.model->restore(*camera.learnt) : Status();
  }

  Status read_footage(Camera& camera, int index) {
    if (camera.looked && camera.reopen) {
      VANTAGE_ASSIGN(camera.footage, camera.reopen());
    }
    LearnBackgroundOptions how;
    how.transfer = transfer_.get();
    how.camera = index;
    how.from_recording = parameters_.whole_recording;
    how.steady = parameters_.steady;
    how.stop = stop_;
    VANTAGE_ASSIGN(const LearntBackground learnt, learn_background(camera.footage, *camera.model, how));
    camera.looked = true;
    camera.footage = {};
    camera.nothing_learnt = learnt.frames == 0;
    if (camera.nothing_learnt || !method_->saves_state) return {};
    VANTAGE_ASSIGN(camera.learnt, camera.model->save());
    return {};
  }

  const DeviceBackends backends_;
  const ForegroundMethodInfo* method_ = nullptr;  // of the models; null: none was chosen yet
  Status usable_ = fail(ErrorKind::invalid_argument, "no parameters were given", "foreground");
  bool fresh_ = false;  // the models have learnt nothing yet, not even what comes beforehand
  // Version of what is learnt from recordings: another number makes older results out of date.
  static constexpr int kSceneVersion = 3;
  const std::shared_ptr<MemoryTransfer> transfer_;  // also of artifacts whose masks nobody has asked for yet
  const StopSource stop_;
  std::vector<Camera> cameras_;     // by camera, each with its later views behind it
  std::vector<size_t> first_view_;  // by camera: where it begins in cameras_
  int64_t frame_ = -1;              // the last one
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
