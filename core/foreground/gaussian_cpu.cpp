#include "core/foreground/gaussian_cpu.h"

#include <new>
#include <string>

#include "core/base/formatted.h"
#include "core/foreground/clean_image.h"
#include "core/foreground/detail/gaussian_passes.h"
#include "core/foreground/foreground.h"
#include "core/foreground/gaussian_explain.h"

namespace vantage {
namespace {

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

}  // namespace

void register_gaussian_cpu(BackendRegistry& registry) {
  registry.add<ForegroundModel>(
      Device::cpu,
      [](const BackendContext& context,
         const ForegroundModel::Arguments& arguments) -> Result<std::unique_ptr<ForegroundModel>> {
        return std::make_unique<GaussianCpu>(arguments.camera, context.trace);
      });
}

}  // namespace vantage
