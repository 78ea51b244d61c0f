#include "core/pipeline/stages/stage_types.h"

#include <utility>

#include "core/base/hash.h"
#include "core/pipeline/artifacts.h"
#include "core/pipeline/memory_needed.h"
#include "core/pipeline/stage.h"

namespace vantage {
namespace {

constexpr double kVectorBytes = 9;                       // per pixel: two floats and a confidence
constexpr double kLevelBytes = 4 + (2 * 5 + 4 * 2) * 4;  // per level: picture, two expansions, four flows

struct FlowStageOptions {
  std::vector<std::string> names;                   // the cameras', in the project's order
  std::vector<std::unique_ptr<OpticalFlow>> flows;  // one per camera
  Device device = Device::cpu;
  std::unique_ptr<MemoryTransfer> transfer;  // brings the flows to the host
};

size_t bytes_of(const BufferRef& buffer) {
  return buffer ? buffer->size_bytes() : 0;
}

// The state of a camera after a frame.
struct CameraMemory {
  FlowState state;
  Image mask;                 // foreground of the last picture; empty unless requested
  int64_t camera_frame = -1;  // the last picture's
};

class FlowMemory final : public StageMemory {
 public:
  std::vector<CameraMemory> cameras;
  int64_t frame = -1;
  size_t size_bytes() const override {
    size_t total = sizeof *this;
    for (const CameraMemory& camera : cameras)
      total += sizeof camera + bytes_of(camera.state.last.buffer) + bytes_of(camera.mask.buffer()) +
               camera.state.last_flow.vectors.size_bytes() + camera.state.last_flow.confidence.size_bytes();
    return total;
  }
};

// An image on the host, row by row without padding; an empty one has no size.
template <typename T>
void write_plane(const ImageView<const T>& plane, ByteWriter* to) {
  to->add(plane.width).add(plane.height);
  for (int y = 0; y < plane.height; ++y) to->raw(plane.row(y), static_cast<size_t>(plane.width) * sizeof(T));
}
void write_bytes(const Image& image, ByteWriter* to) {
  write_plane(image ? image.view<uint8_t>() : ImageView<const uint8_t>(), to);
}

template <typename T>
Result<Image> read_plane(ByteReader* from) {
  const auto width = from->take<int>(), height = from->take<int>();
  if (width <= 0 || height <= 0) return Image();
  if (static_cast<size_t>(width) > from->left() / static_cast<size_t>(height))
    return fail(ErrorKind::bad_data, "a picture is damaged");
  VANTAGE_ASSIGN(Image image, Image::make(image_type_of<T>(), width, height, HostPool::shared()));
  for (int y = 0; y < height; ++y)
    from->raw(image.writable_view<T>().row(y), static_cast<size_t>(width) * sizeof(T));
  return image;
}

class FlowStage final : public StageOf<&FrameArtifacts::flow> {
 public:
  explicit FlowStage(FlowStageOptions options) : options_(std::move(options)), last_(options_.flows.size()) {}

  static Result<std::unique_ptr<Stage>> make(ChainContext& context) {
    FlowStageOptions options;
    options.device = context.backends.device;
    VANTAGE_ASSIGN(options.transfer, context.make_transfer());
    for (const ChainCamera& camera : context.cameras) {
      const int index = static_cast<int>(options.flows.size());
      options.names.push_back(camera.name);
      VANTAGE_ASSIGN(auto algorithm, context.backends.create<OpticalFlow>({index}));
      options.flows.push_back(std::move(algorithm));
    }
    return std::make_unique<FlowStage>(std::move(options));
  }

  static void estimate_memory(const AnalysedScene& scene, MemoryEstimate* estimate) {
    const auto flow = scene.get<OpticalFlowParameters>();
    if (!flow.enabled) return;
    double of_levels = 0, scale = 1;
    for (int level = 0; level < flow.levels; ++level, scale *= flow.pyramid_scale * flow.pyramid_scale)
      of_levels += scale;
    estimate->add("optical flow", (kLevelBytes + 4) * of_levels * scene.pixels(), "Switch optical flow off.");
    estimate->add_artifact(kVectorBytes * scene.pixels());
  }

  std::string_view name() const override { return kFlowStage; }
  std::vector<std::string_view> inputs() const override { return {kVideoStage, kForegroundStage}; }
  bool has_memory() const override { return true; }

  Status configure(const ParameterStore& parameters) override {
    parameters_ = parameters.get<OpticalFlowParameters>();
    Hasher hasher;
    hasher.add(parameters_.enabled);
    // Its other parameters invalidate nothing while it is switched off.
    if (parameters_.enabled)
      hasher.add(options_.device).add(parameters.hash(parameter_table<OpticalFlowParameters>().stage));
    hash_ = hasher.value();
    for (const auto& flow : options_.flows) flow->set_parameters(parameters_);
    return {};
  }
  uint64_t own_hash() const override { return hash_; }

  Result<Made> process(int64_t frame, const FrameArtifacts& inputs) override {
    const FrameSet& frames = inputs.video->frames;
    const auto& foreground = inputs.foreground->cameras;
    if (frame != frame_ + 1) VANTAGE_TRY(reset());  // a preview's memory may be that of any frame
    frame_ = frame;
    auto artifact = std::make_shared<FlowArtifact>();
    if (parameters_.enabled) artifact->cameras.resize(options_.flows.size());
    for (size_t c = 0; c < options_.flows.size(); ++c) {
      CameraFlow unused;
      CameraFlow& flow = parameters_.enabled ? artifact->cameras[c] : unused;
      if (Status done = step(c, frames.cameras[c], foreground[c].mask, frame, flow); !done) {
        Error error = std::move(done).error();
        error.where = options_.names[c] + (error.where.empty() ? "" : ", " + error.where);
        return fail(std::move(error));
      }
    }
    VANTAGE_TRY(to_host(frame, artifact->cameras));
    return artifact;
  }

  Status reset() override {
    for (const auto& flow : options_.flows) flow->reset();
    last_.assign(options_.flows.size(), {});
    frame_ = -1;
    return {};
  }
  Result<StageMemoryRef> save() const override {
    auto memory = std::make_shared<FlowMemory>();
    memory->cameras = last_;
    for (size_t c = 0; c < last_.size(); ++c) memory->cameras[c].state = options_.flows[c]->save();
    memory->frame = frame_;
    return memory;
  }
  Status restore(const StageMemory& saved) override {
    const auto& memory = dynamic_cast<const FlowMemory&>(saved);
    last_ = memory.cameras;
    for (size_t c = 0; c < last_.size(); ++c) options_.flows[c]->restore(std::exchange(last_[c].state, {}));
    frame_ = memory.frame;
    return {};
  }

  // Memory kept for being switched on does not affect a chain that stays switched off.
  Status write_memory(ByteWriter* to) const override {
    to->add(frame_);
    if (!parameters_.enabled) return {};
    if (options_.device != Device::cpu)
      return fail(ErrorKind::unsupported, "optical flow on a GPU cannot be continued by another process",
                  "flow", "Let tasks warm up instead (vantage-cli plan --seams warm-up).");
    for (size_t c = 0; c < last_.size(); ++c) {
      const FlowState state = options_.flows[c]->save();
      to->add(last_[c].camera_frame);
      write_plane(state.last.plane, to);
      const Image& vectors = state.last_flow.vectors;
      write_plane(vectors ? vectors.view<float>() : ImageView<const float>(), to);
      to->add(state.last_flow.frame);
      write_bytes(state.last_flow.confidence, to), write_bytes(last_[c].mask, to);
    }
    return {};
  }
  Status read_memory(ByteReader* from) override {
    VANTAGE_TRY(reset());
    from->take(&frame_);
    for (size_t c = 0; parameters_.enabled && c < last_.size(); ++c) {
      FlowState state;
      from->take(&last_[c].camera_frame);
      VANTAGE_ASSIGN(const Image picture, read_plane<uint8_t>(from));
      if (picture) state.last = picture;
      VANTAGE_ASSIGN(state.last_flow.vectors, read_plane<float>(from));
      state.last_flow.width = state.last_flow.vectors.width() / 2;
      state.last_flow.height = state.last_flow.vectors.height();
      from->take(&state.last_flow.frame);
      VANTAGE_ASSIGN(state.last_flow.confidence, read_plane<uint8_t>(from));
      VANTAGE_ASSIGN(last_[c].mask, read_plane<uint8_t>(from));
      options_.flows[c]->restore(state);
    }
    return {};
  }

 private:
  Status step(size_t c, const CameraFrame& camera, const Image& mask, int64_t frame, CameraFlow& flow) {
    OpticalFlow& algorithm = *options_.flows[c];
    CameraMemory& last = last_[c];
    const FlowState state = algorithm.save();
    if (!camera.picture) {
      algorithm.reset();
      last = {};
      return {};
    }
    const FlowInput picture(camera.picture);
    const ImageView<const uint8_t>& before = state.last.plane;
    if (state.last.buffer && (before.width != picture.plane.width || before.height != picture.plane.height)) {
      algorithm.reset();
      last = {};
    } else if (state.last.buffer && camera.camera_frame == last.camera_frame) {
      return {};
    }
    if (parameters_.enabled) {
      FlowRequest request;
      request.confidence = parameters_.confidence;
      request.start_from_last = parameters_.start_from_last;
      if (parameters_.foreground_only) request.mask = last.mask;
      flow.camera_frames = camera.camera_frame - last.camera_frame;
      VANTAGE_ASSIGN(flow.field, algorithm.next(picture, request, frame));
    } else {
      algorithm.restore({picture, {}});
    }
    last.camera_frame = camera.camera_frame;
    last.mask = parameters_.foreground_only ? mask : Image();
    return {};
  }

  Status to_host(int64_t frame, std::vector<CameraFlow>& flows) {
    std::vector<Image> vectors, confidences;
    for (const CameraFlow& flow : flows) {
      vectors.push_back(flow.field.vectors);
      confidences.push_back(flow.field.confidence);
    }
    VANTAGE_ASSIGN(vectors, options_.transfer->download_all(vectors, frame));
    VANTAGE_ASSIGN(confidences, options_.transfer->download_all(confidences, frame));
    for (size_t c = 0; c < flows.size(); ++c) {
      flows[c].field.vectors = std::move(vectors[c]);
      flows[c].field.confidence = std::move(confidences[c]);
    }
    return {};
  }

  const FlowStageOptions options_;
  OpticalFlowParameters parameters_;
  uint64_t hash_ = 0;
  std::vector<CameraMemory> last_;  // without their states, which the algorithms hold
  int64_t frame_ = -1;
};

}  // namespace

const StageType kFlowStageType = {.name = kFlowStage,
                                  .enabled_by = kFlowStage,
                                  .tables = tables_of<OpticalFlowParameters>,
                                  .make = FlowStage::make,
                                  .estimate_memory = FlowStage::estimate_memory};

size_t FlowArtifact::size_bytes() const {
  size_t total = sizeof *this;
  for (const CameraFlow& camera : cameras)
    total += sizeof camera + camera.field.vectors.size_bytes() + camera.field.confidence.size_bytes();
  return total;
}

}  // namespace vantage
