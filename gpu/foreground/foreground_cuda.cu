#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/foreground/foreground.h"
#include "core/foreground/gaussian_explain.h"
#include "gpu/algorithms.h"
#include "gpu/foreground/cleaning.cuh"
#include "gpu/foreground/light.cuh"
#include "gpu/foreground/update.cuh"
#include "gpu/runtime/kernel_graph.h"
#include "gpu/runtime/launch_shapes.h"
#include "gpu/runtime/upload.h"

namespace vantage::gpu {
namespace {

// The model's planes in one device buffer.
struct GaussianModel {
  BufferRef buffer;
  GaussianPlanes planes{};
  size_t size_bytes = 0;
  int64_t learnt_frames = 0;
};

constexpr int kPitchSamples = 64;  // rows start on 256 bytes

int padded(int samples) {
  return (samples + kPitchSamples - 1) / kPitchSamples * kPitchSamples;
}

GaussianModel layout(int width, int height) {
  GaussianModel model;
  const int chroma_width = (width + 1) / 2, chroma_height = (height + 1) / 2;
  model.planes.width = width;
  model.planes.height = height;
  model.planes.luma_pitch = padded(width);
  model.planes.chroma_pitch = padded(chroma_width);
  const size_t luma = static_cast<size_t>(model.planes.luma_pitch) * static_cast<size_t>(height);
  const size_t chroma = static_cast<size_t>(model.planes.chroma_pitch) * static_cast<size_t>(chroma_height);
  model.size_bytes = (2 * luma + 4 * chroma) * sizeof(float);
  return model;
}

void place(GaussianModel& model, BufferRef buffer) {
  GaussianPlanes& planes = model.planes;
  const size_t luma = static_cast<size_t>(planes.luma_pitch) * static_cast<size_t>(planes.height);
  const size_t chroma =
      static_cast<size_t>(planes.chroma_pitch) * static_cast<size_t>((planes.height + 1) / 2);
  auto* base = reinterpret_cast<float*>(buffer->data());
  planes.luma_mean = base;
  planes.luma_variance = base + luma;
  for (size_t c = 0; c < 2; ++c) {
    planes.chroma_mean[c] = base + 2 * luma + 2 * c * chroma;
    planes.chroma_variance[c] = planes.chroma_mean[c] + chroma;
  }
  model.buffer = std::move(buffer);
}

// The evidence of a frame in one buffer that lives as long as the model.
struct Scratch {
  BufferRef buffer;
  FrameEvidence evidence{};
};
size_t scratch_bytes(const GaussianPlanes& planes) {
  const size_t luma = static_cast<size_t>(planes.luma_pitch) * static_cast<size_t>(planes.height);
  const size_t blocks =
      static_cast<size_t>(planes.chroma_pitch) * static_cast<size_t>((planes.height + 1) / 2);
  return (luma + 6 * blocks) * sizeof(float) +
         kLightChannels * (kLightBins * sizeof(uint32_t) + sizeof(float)) + sizeof(unsigned long long);
}
Scratch scratch_in(BufferRef buffer, const GaussianPlanes& planes) {
  const size_t luma = static_cast<size_t>(planes.luma_pitch) * static_cast<size_t>(planes.height);
  const size_t blocks =
      static_cast<size_t>(planes.chroma_pitch) * static_cast<size_t>((planes.height + 1) / 2);
  auto* base = reinterpret_cast<float*>(buffer->data());
  Scratch scratch;
  scratch.evidence.distance = base;
  scratch.evidence.luma = base + luma;
  scratch.evidence.light = scratch.evidence.luma + blocks;
  scratch.evidence.chroma = scratch.evidence.light + blocks;
  scratch.evidence.difference = scratch.evidence.chroma + blocks;
  for (int c = 0; c < 2; ++c)
    scratch.evidence.chroma_difference[c] = scratch.evidence.difference + static_cast<size_t>(c + 1) * blocks;
  scratch.evidence.histograms = reinterpret_cast<uint32_t*>(scratch.evidence.chroma_difference[1] + blocks);
  static_assert(kLightBins % 2 == 0 && kPitchSamples % 2 == 0);
  scratch.evidence.mask_count =
      reinterpret_cast<unsigned long long*>(scratch.evidence.histograms + kLightChannels * kLightBins);
  scratch.evidence.gains = reinterpret_cast<float*>(scratch.evidence.mask_count + 1);
  scratch.buffer = std::move(buffer);
  return scratch;
}

class CudaState final : public ForegroundState {
 public:
  explicit CudaState(GaussianModel model) : model_(std::move(model)) {}
  size_t size_bytes() const override { return model_.size_bytes; }
  const GaussianModel& model() const { return model_; }

 private:
  GaussianModel model_;
};

PictureSamples samples_of(const Picture& picture) {
  const bool planar = picture.format().layout == PictureLayout::i420;
  const ImageView<const uint8_t> chroma = picture.plane(1);
  return {picture.plane(0),
          {chroma.data, planar ? picture.plane(2).data : chroma.data + 1},
          chroma.stride_bytes,
          planar ? 1 : 2};
}

LaunchGrid grid_of(const GaussianPlanes& planes) {
  const int blocks_wide = (planes.width + 1) / 2, blocks_high = (planes.height + 1) / 2;
  return {dim3(blocks_for(blocks_wide, kForegroundThreads), blocks_high), dim3(kForegroundThreads),
          Order::dependent};
}

LaunchGrid light_grid(const GaussianPlanes& planes) {
  const int wide = (planes.width / 2 + kLightSpacing - 1) / kLightSpacing,
            high = (planes.height / 2 + kLightSpacing - 1) / kLightSpacing;
  return {dim3(blocks_for(wide * high, kForegroundThreads)), dim3(kForegroundThreads)};
}

LaunchGrid cleaning_grid(const GaussianPlanes& planes) {
  return {dim3((planes.width + kCleaningWidth - 1) / kCleaningWidth,
               (planes.height + kCleaningHeight - 1) / kCleaningHeight),
          dim3(kCleaningWidth, kCleaningHeight), Order::dependent};
}

class ForegroundCuda final : public ForegroundModel, public PixelExplainer {
 public:
  ForegroundCuda(std::shared_ptr<Context> context, std::unique_ptr<Stream> stream, int camera)
      : context_(std::move(context)),
        stream_(std::move(stream)),
        camera_(camera),
        graph_(context_),
        settings_(gaussian_settings({})),
        cleaning_(cleaning_steps({})) {}

  void reset() override { model_ = {}, scratch_ = {}; }
  void set_parameters(const ParameterStore& store) override {
    parameters_ = store.get<ForegroundParameters>();
    settings_ = gaussian_settings(parameters_);
    cleaning_ = cleaning_steps(parameters_);
  }

  Status learn(const Picture& empty_scene, int64_t frame) override {
    VANTAGE_TRY(prepare(empty_scene));
    return context_->run([&]() -> Status {
      Work work(*stream_, label("foreground learn", frame));
      VANTAGE_TRY(work.reads(empty_scene.buffer()));
      VANTAGE_TRY(work.writes(model_.buffer));
      VANTAGE_TRY(enqueue_learn(work, empty_scene));
      return work.finish();
    });
  }

  Result<ForegroundImages> apply(const Picture& picture, int64_t frame) override {
    VANTAGE_TRY(prepare(picture));
    MemoryPool& pool = context_->device_pool();
    ForegroundImages images;
    // Votes go through the cleaning into the indicator, alternating between two images.
    Image spare;
    VANTAGE_ASSIGN(Image votes, Image::make(ImageType::u8, picture.width(), picture.height(), pool));
    if (!cleaning_.empty()) {
      VANTAGE_ASSIGN(spare, Image::make(ImageType::u8, picture.width(), picture.height(), pool));
    }
    VANTAGE_ASSIGN(images.mask, Image::make(ImageType::u8, picture.width(), picture.height(), pool));
    VANTAGE_ASSIGN(const auto arrived, PinnedBuffer<uint32_t>::take(*context_, 1));
    VANTAGE_ASSIGN(EventRef done, context_->run([&]() -> Result<EventRef> {
      Work work(*stream_, label("foreground", frame));
      VANTAGE_TRY(work.reads(picture.buffer()));
      VANTAGE_TRY(
          work.writes({model_.buffer, scratch_.buffer, votes.buffer(), images.mask.buffer(), arrived}));
      if (spare) VANTAGE_TRY(work.writes(spare.buffer()));
      if (model_.learnt_frames == 0) VANTAGE_TRY(enqueue_learn(work, picture));
      KernelSequence kernels;
      add_votes(kernels, picture, votes.writable_view<uint8_t>());
      for (const CleaningStep& step : cleaning_) {
        kernels.add("window_extreme", cleaning_grid(model_.planes), window_extreme, votes.view<uint8_t>(),
                    step, spare.writable_view<uint8_t>());
        std::swap(votes, spare);
      }
      kernels.add("gaussian_update", grid_of(model_.planes), gaussian_update, model_.planes,
                  samples_of(picture), settings_, scratch_.evidence, votes.view<uint8_t>(),
                  images.mask.writable_view<uint8_t>(), arrived.data());
      VANTAGE_TRY(graph_.launch(work, std::move(kernels)));
      VANTAGE_TRY(work.finish());
      return work.done();
    }));
    images.indicator = std::move(votes);
    images.mask_count = Deferred<int64_t>([context = context_, arrived, done]() -> Result<int64_t> {
      VANTAGE_TRY(context->wait(done));
      return int64_t{*arrived.data()};
    });
    return images;
  }

  Result<std::shared_ptr<const ForegroundState>> save() const override {
    if (!model_.buffer) return std::make_shared<const CudaState>(GaussianModel{});
    VANTAGE_ASSIGN(GaussianModel copy, copy_of(model_, "copy model to checkpoint"));
    return std::make_shared<const CudaState>(std::move(copy));
  }

  Status restore(const ForegroundState& state) override {
    const auto* saved = dynamic_cast<const CudaState*>(&state);
    if (!saved ||
        (saved->model().buffer && saved->model().buffer->place() != context_->device_pool().place()))
      return fail(ErrorKind::invalid_argument, "the saved background model belongs to another device",
                  where());
    if (!saved->model().buffer) {
      reset();
      return {};
    }
    VANTAGE_ASSIGN(GaussianModel model, copy_of(saved->model(), "copy checkpoint to model"));
    VANTAGE_TRY(start_scratch(model.planes));
    model_ = std::move(model);
    return {};
  }

  // Runs the CPU's passes, which give the same bits, on a copy of the model.
  Result<PixelEvidence> explain(const Picture& picture, int x_px, int y_px) const override {
    VANTAGE_ASSIGN(vantage::GaussianModel model, host_model());
    return explain_gaussian(std::move(model), parameters_, picture, x_px, y_px);
  }

 private:
  std::string where() const { return "foreground, camera " + std::to_string(camera_); }
  WorkLabel label(const char* name, int64_t frame) const {
    return {.name = name, .frame = frame, .camera = camera_};
  }

  Status prepare(const Picture& picture) {
    if (!picture || picture.place() != context_->device_pool().place())
      return fail(ErrorKind::invalid_argument,
                  "the picture is not in the memory of cuda:" + std::to_string(context_->device()), where());
    if (model_.buffer) {
      if (picture.width() == model_.planes.width && picture.height() == model_.planes.height) return {};
      return fail(ErrorKind::invalid_argument,
                  "a picture of " + std::to_string(picture.width()) + "x" + std::to_string(picture.height()) +
                      " pixels after one of " + std::to_string(model_.planes.width) + "x" +
                      std::to_string(model_.planes.height),
                  where(), "Use an empty-scene clip and a video of the same size.");
    }
    GaussianModel model = layout(picture.width(), picture.height());
    VANTAGE_ASSIGN(const auto buffer, filled<std::byte>(*stream_, model.size_bytes, 0));
    place(model, buffer);
    VANTAGE_TRY(start_scratch(model.planes));
    model_ = std::move(model);
    return {};
  }

  Status start_scratch(const GaussianPlanes& planes) {
    VANTAGE_ASSIGN(const auto buffer, filled<std::byte>(*stream_, scratch_bytes(planes), 0));
    scratch_ = scratch_in(buffer, planes);
    return {};
  }

  void add_votes(KernelSequence& kernels, const Picture& picture, const ImageView<uint8_t>& votes) {
    const LaunchGrid grid = grid_of(model_.planes);
    const PictureSamples samples = samples_of(picture);
    FrameEvidence& evidence = scratch_.evidence;
    evidence.black = black_level(picture.format());
    Order order = Order::after_previous;
    if (settings_.largest_change > 1.0f && model_.planes.width > 1 && model_.planes.height > 1) {
      kernels.add("count_light", light_grid(model_.planes), count_light, model_.planes, samples, evidence);
      order = Order::dependent;
    }
    kernels.add("find_gains", {dim3(kLightChannels), dim3(32), order}, find_gains, evidence, settings_);
    kernels.add("gaussian_blocks", grid, gaussian_blocks, model_.planes, samples, settings_, evidence);
    if (settings_.shaded_weight > 0.0f)
      kernels.add("gaussian_shade", grid, gaussian_shade, model_.planes, settings_, evidence);
    kernels.add("gaussian_distance", grid, gaussian_distance, model_.planes, samples, settings_, evidence);
    kernels.add("gaussian_vote", grid, gaussian_vote, model_.planes, settings_, evidence, votes);
  }

  Status enqueue_learn(Work& work, const Picture& picture) {
    const float share = 1.0f / static_cast<float>(model_.learnt_frames + 1);
    LaunchGrid grid = grid_of(model_.planes);
    grid.order = Order::after_previous;
    VANTAGE_TRY(
        launch(work, "gaussian_learn", grid, gaussian_learn, model_.planes, samples_of(picture), share));
    ++model_.learnt_frames;
    return {};
  }

  Result<GaussianModel> copy_of(const GaussianModel& model, const char* name) const {
    VANTAGE_ASSIGN(BufferRef buffer, context_->device_pool().take(model.size_bytes));
    VANTAGE_TRY(context_->run([&]() -> Status {
      Work work(*stream_, {.name = {}, .frame = -1, .camera = camera_});
      VANTAGE_TRY(work.reads(model.buffer));
      VANTAGE_TRY(work.writes(buffer));
      VANTAGE_TRY(work.copy(name, buffer->data(), model.buffer->data(), model.size_bytes));
      return work.finish();
    }));
    GaussianModel copy = model;
    place(copy, std::move(buffer));
    return copy;
  }

  // The model, without row padding.
  Result<vantage::GaussianModel> host_model() const {
    vantage::GaussianModel host;
    if (!model_.buffer) return host;
    VANTAGE_ASSIGN(const auto bytes, PinnedBuffer<std::byte>::take(*context_, model_.size_bytes));
    VANTAGE_ASSIGN(const EventRef done, context_->run([&]() -> Result<EventRef> {
      Work work(*stream_, {.name = {}, .frame = -1, .camera = camera_});
      VANTAGE_TRY(work.reads(model_.buffer));
      VANTAGE_TRY(work.writes(bytes));
      VANTAGE_TRY(work.copy("copy model to host", bytes.data(), model_.buffer->data(), model_.size_bytes));
      VANTAGE_TRY(work.finish());
      return work.done();
    }));
    VANTAGE_TRY(context_->wait(done));
    const GaussianPlanes& planes = model_.planes;
    host.start(planes.width, planes.height);
    host.learnt_frames = model_.learnt_frames;
    const auto copy_plane = [&](vantage::GaussianModel::Plane plane, const float* mean, const float* variance,
                                int width, int height, int pitch) {
      const auto* base = reinterpret_cast<const float*>(model_.buffer->data());
      const auto* copied = reinterpret_cast<const float*>(bytes.data());
      for (int y = 0; y < height; ++y) {
        const foreground::GaussianRow row = host.row(plane, y);
        std::copy_n(copied + (mean - base) + static_cast<ptrdiff_t>(y) * pitch, width, row.mean);
        std::copy_n(copied + (variance - base) + static_cast<ptrdiff_t>(y) * pitch, width, row.variance);
      }
    };
    copy_plane(vantage::GaussianModel::luma, planes.luma_mean, planes.luma_variance, planes.width,
               planes.height, planes.luma_pitch);
    for (int c = 0; c < 2; ++c)
      copy_plane(c == 0 ? vantage::GaussianModel::cb : vantage::GaussianModel::cr, planes.chroma_mean[c],
                 planes.chroma_variance[c], host.chroma_width(), host.chroma_height(), planes.chroma_pitch);
    return host;
  }

  std::shared_ptr<Context> context_;
  std::unique_ptr<Stream> stream_;
  int camera_;
  KernelGraph graph_;
  ForegroundParameters parameters_;
  GaussianSettings settings_;
  std::vector<CleaningStep> cleaning_;
  GaussianModel model_;
  Scratch scratch_;
};

Result<std::unique_ptr<ForegroundModel>> make(const BackendContext& backend,
                                              const ForegroundModel::Arguments& arguments) {
  VANTAGE_ASSIGN(std::shared_ptr<Context> context, Context::get(backend.device_index));
  VANTAGE_ASSIGN(
      std::unique_ptr<Stream> stream,
      Stream::make(context, "foreground cam" + std::to_string(arguments.camera + 1), backend.trace));
  return std::make_unique<ForegroundCuda>(std::move(context), std::move(stream), arguments.camera);
}

}  // namespace

void register_foreground_cuda(BackendRegistry& registry) {
  registry.add<ForegroundModel>(Device::cuda, make);
}

}  // namespace vantage::gpu
