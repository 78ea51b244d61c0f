#include "core/foreground/methods.h"

#include <new>
#include <string>

#include "core/algorithms.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/foreground/clean_image.h"
#include "core/foreground/detail/gaussian_passes.h"
#include "core/foreground/foreground.h"
#include "core/foreground/gaussian_explain.h"
#include "core/foreground/knn/knn.h"

namespace vantage {
namespace {

// The method `gaussian` on the CPU: threads by oneTBB, vector code chosen at run time (gaussian_kernel.h).

using foreground_detail::GaussianPasses;

class CpuState final : public ForegroundState {
 public:
  explicit CpuState(const GaussianModel& model) : model_(model) {}
  size_t size_bytes() const override { return model_.values.size() * sizeof(float); }
  const GaussianModel& model() const { return model_; }

 private:
  GaussianModel model_;
};

class GaussianCpu final : public ForegroundModel, public PixelExplainer {
 public:
  GaussianCpu(int camera, TraceRecorder* trace)
      : camera_(camera), trace_(trace), cleaning_(cleaning_steps({})) {}

  void reset() override { passes_.model() = {}; }
  void set_parameters(const ParameterStore& store) override {
    parameters_ = store.get<ForegroundParameters>();
    passes_.set_settings(gaussian_settings(parameters_));
    cleaning_ = cleaning_steps(parameters_);
  }

  Status learn(const Picture& empty_scene, int64_t frame) override {
    VANTAGE_TRY(prepare(empty_scene));
    const SpanGuard span(trace_, "gaussian_learn", "cpu foreground", frame, camera_, SpanKind::kernel);
    passes_.learn(empty_scene);
    return {};
  }

  Result<ForegroundImages> apply(const Picture& picture, int64_t frame) override {
    VANTAGE_TRY(prepare(picture));
    const SpanGuard span(trace_, "gaussian_segment", "cpu foreground", frame, camera_, SpanKind::kernel);
    ForegroundImages images;
    HostPool& pool = HostPool::shared();
    VANTAGE_ASSIGN(images.mask, Image::make(ImageType::u8, picture.width(), picture.height(), pool));
    if (passes_.model().learnt_frames == 0) passes_.learn(picture);
    // Votes go through the cleaning into the indicator, alternating between two images.
    Image spare;
    VANTAGE_ASSIGN(Image votes, Image::make(ImageType::u8, picture.width(), picture.height(), pool));
    if (!cleaning_.empty()) {
      VANTAGE_ASSIGN(spare, Image::make(ImageType::u8, picture.width(), picture.height(), pool));
    }
    const FrameLight light = passes_.light_of(picture);
    passes_.find_votes(picture, light, votes.writable_view<uint8_t>());
    clean_image(votes, spare, cleaning_);
    images.indicator = votes;
    images.mask_count = passes_.update(picture, light, images);
    return images;
  }

  Result<std::shared_ptr<const ForegroundState>> save() const override {
    try {
      return std::make_shared<const CpuState>(passes_.model());
    } catch (const std::bad_alloc&) {
      return fail(ErrorKind::out_of_memory, "no memory for a copy of the background model", where());
    }
  }

  Status restore(const ForegroundState& state) override {
    const auto* saved = dynamic_cast<const CpuState*>(&state);
    if (!saved)
      return fail(ErrorKind::invalid_argument, "the saved background model belongs to another device",
                  where());
    try {
      passes_.take(saved->model());
    } catch (const std::bad_alloc&) {
      return fail(ErrorKind::out_of_memory, "no memory for the background model", where());
    }
    return {};
  }

  Status write(ByteWriter* to) const override {
    const GaussianModel& model = passes_.model();
    to->add(model.width).add(model.height).add(model.learnt_frames).add(model.values);
    return {};
  }

  Status read(ByteReader* from) override {
    GaussianModel model;
    std::vector<float> values;
    const auto width = from->take<int>(), height = from->take<int>();
    const auto learnt_frames = from->take<int64_t>();
    from->take(&values);
    constexpr int kMaxSide_px = 1 << 15;
    const bool sane = width >= 0 && height >= 0 && width <= kMaxSide_px && height <= kMaxSide_px;
    if (sane && !values.empty()) model.start(width, height);
    if (!sane || from->damaged() || model.values.size() != values.size())
      return fail(ErrorKind::bad_data, "the background model is damaged", where());
    model.values = std::move(values), model.learnt_frames = learnt_frames;
    passes_.take(std::move(model));
    return {};
  }

  Result<PixelEvidence> explain(const Picture& picture, int x_px, int y_px) const override {
    try {
      return explain_gaussian(passes_.model(), parameters_, picture, x_px, y_px);
    } catch (const std::bad_alloc&) {
      return fail(ErrorKind::out_of_memory, "no memory for a copy of the background model", where());
    }
  }

 private:
  std::string where() const { return "foreground, camera " + std::to_string(camera_); }

  Status prepare(const Picture& picture) {
    if (!picture || picture.place().kind != MemoryKind::host)
      return fail(ErrorKind::invalid_argument, "the picture is not in host memory", where());
    const GaussianModel& model = passes_.model();
    if (!model.values.empty()) {
      if (picture.width() == model.width && picture.height() == model.height) return {};
      return fail(ErrorKind::invalid_argument,
                  "a picture of " + size_text(picture.width(), picture.height()) + " pixels after one of " +
                      size_text(model.width, model.height),
                  where(), "Use an empty-scene clip and a video of the same size.");
    }
    try {
      passes_.start(picture.width(), picture.height());
    } catch (const std::bad_alloc&) {
      return fail(ErrorKind::out_of_memory, "no memory for the background model", where());
    }
    return {};
  }

  int camera_;
  TraceRecorder* trace_;
  ForegroundParameters parameters_;
  std::vector<CleaningStep> cleaning_;
  GaussianPasses passes_;
};

void register_gaussian_cpu(BackendRegistry& registry) {
  registry.add<ForegroundModel>(
      Device::cpu,
      [](const BackendContext& context,
         const ForegroundModel::Arguments& arguments) -> Result<std::unique_ptr<ForegroundModel>> {
        return std::make_unique<GaussianCpu>(arguments.camera, context.trace);
      });
}

#ifdef VANTAGE_KNN
constexpr auto kRegisterKnn = register_knn_cpu;
#else
constexpr void (*kRegisterKnn)(BackendRegistry&) = nullptr;  // built without OpenCV's video module
#endif

}  // namespace

std::span<const ForegroundMethodInfo> foreground_methods() {
  static constexpr ForegroundMethodInfo kMethods[] = {
      // 12 of the model: 2 values of each luma pixel and of both chroma planes, floats; 11 of evidence,
      // distances and votes.
      {.name = ForegroundModel::kDefaultMethod, .bytes_per_px = 24, .register_cpu = register_gaussian_cpu},
      // 21 samples of 4 bytes, the picture in B, G, R twice, its mask.
      {.name = "knn",
       .parameters = parameter_table<KnnParameters>,
       .saves_state = false,
       .bytes_per_px = 91,
       .register_cpu = kRegisterKnn},
  };
  return kMethods;
}

std::vector<std::string> foreground_method_names() {
  std::vector<std::string> names;
  for (const ForegroundMethodInfo& method : foreground_methods()) names.emplace_back(method.name);
  return names;
}

const ForegroundMethodInfo& foreground_method(const ForegroundParameters& parameters) {
  return foreground_methods()[static_cast<size_t>(parameters.method)];
}

uint64_t foreground_parameter_hash(const ParameterStore& parameters) {
  const uint64_t stage = parameters.hash(parameter_table<ForegroundParameters>().stage);
  const ForegroundMethodInfo& method = foreground_method(parameters.get<ForegroundParameters>());
  if (!method.parameters) return stage;
  return Hasher().add(stage).add(parameters.hash(method.parameters().stage)).value();
}

void register_foreground_cpu(BackendRegistry& registry) {
  for (const ForegroundMethodInfo& method : foreground_methods())
    if (method.register_cpu) method.register_cpu(registry);
}

}  // namespace vantage
