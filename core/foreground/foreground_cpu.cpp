#include "core/foreground/foreground_cpu.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <functional>
#include <new>
#include <string>

#include "core/foreground/foreground.h"
#include "core/foreground/gaussian_kernel.h"

namespace vantage {
namespace {

using foreground::GaussianRow;

constexpr int kRowPairsPerTask = 16;

// The six planes of the model in one piece of memory, without padding.
struct GaussianModel {
  enum Plane { luma, cb, cr };
  int width = 0, height = 0;
  int64_t learnt_frames = 0;
  std::vector<float> values;

  int chroma_width() const { return (width + 1) / 2; }
  int chroma_height() const { return (height + 1) / 2; }

  void start(int new_width, int new_height) {
    width = new_width, height = new_height;
    learnt_frames = 0;
    values.assign(2 * (luma_size() + 2 * chroma_size()), 0.0f);
  }
  GaussianRow row(Plane plane, int y) {
    const size_t size = plane == luma ? luma_size() : chroma_size();
    const size_t before = plane == luma ? 0 : 2 * (luma_size() + (plane == cr ? chroma_size() : 0));
    const auto row_width = static_cast<size_t>(plane == luma ? width : chroma_width());
    float* mean = values.data() + before + static_cast<size_t>(y) * row_width;
    return {mean, mean + size};
  }

 private:
  size_t luma_size() const { return static_cast<size_t>(width) * static_cast<size_t>(height); }
  size_t chroma_size() const {
    return static_cast<size_t>(chroma_width()) * static_cast<size_t>(chroma_height());
  }
};

class CpuState final : public ForegroundState {
 public:
  explicit CpuState(const GaussianModel& model) : model_(model) {}
  size_t size_bytes() const override { return model_.values.size() * sizeof(float); }
  const GaussianModel& model() const { return model_; }

 private:
  GaussianModel model_;
};

// The samples of one chroma row, planar or interleaved.
struct ChromaSamples {
  const uint8_t* cb;
  const uint8_t* cr;
  int step;
};

ChromaSamples chroma_samples(const Picture& picture, int y) {
  if (picture.format().layout == PictureLayout::i420)
    return {picture.plane(1).row(y), picture.plane(2).row(y), 1};
  return {picture.plane(1).row(y), picture.plane(1).row(y) + 1, 2};
}

class ForegroundCpu final : public ForegroundModel {
 public:
  ForegroundCpu(int camera, TraceRecorder* trace)
      : camera_(camera), trace_(trace), settings_(gaussian_settings({})) {}

  void reset() override { model_ = {}; }
  void set_parameters(const ForegroundParameters& parameters) override {
    settings_ = gaussian_settings(parameters);
  }

  Status learn(const Picture& empty_scene, int64_t frame) override {
    VANTAGE_TRY(prepare(empty_scene));
    const SpanGuard span(trace_, "gaussian_learn", "cpu foreground", frame, camera_, SpanKind::kernel);
    learn_prepared(empty_scene);
    return {};
  }

  Result<ForegroundImages> apply(const Picture& picture, int64_t frame) override {
    VANTAGE_TRY(prepare(picture));
    const SpanGuard span(trace_, "gaussian_segment", "cpu foreground", frame, camera_, SpanKind::kernel);
    ForegroundImages images;
    HostPool& pool = HostPool::shared();
    VANTAGE_ASSIGN(images.indicator, Image::make(ImageType::u8, picture.width(), picture.height(), pool));
    VANTAGE_ASSIGN(images.mask, Image::make(ImageType::u8, picture.width(), picture.height(), pool));
    if (model_.learnt_frames == 0) learn_prepared(picture);
    images.mask_count = for_row_pairs([&](int pair, std::vector<float>& chroma) {
      return segment_row_pair(picture, pair, chroma, images);
    });
    return images;
  }

  Result<std::shared_ptr<const ForegroundState>> save() const override {
    try {
      return std::make_shared<const CpuState>(model_);
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
      model_ = saved->model();
    } catch (const std::bad_alloc&) {
      return fail(ErrorKind::out_of_memory, "no memory for the background model", where());
    }
    return {};
  }

 private:
  std::string where() const { return "foreground, camera " + std::to_string(camera_); }

  Status prepare(const Picture& picture) {
    if (!picture || picture.place().kind != MemoryKind::host)
      return fail(ErrorKind::invalid_argument, "the picture is not in host memory", where());
    if (!model_.values.empty()) {
      if (picture.width() == model_.width && picture.height() == model_.height) return {};
      return fail(ErrorKind::invalid_argument,
                  "a picture of " + std::to_string(picture.width()) + "x" + std::to_string(picture.height()) +
                      " pixels after one of " + std::to_string(model_.width) + "x" +
                      std::to_string(model_.height),
                  where(), "Use an empty-scene clip and a video of the same size.");
    }
    try {
      model_.start(picture.width(), picture.height());
    } catch (const std::bad_alloc&) {
      return fail(ErrorKind::out_of_memory, "no memory for the background model", where());
    }
    return {};
  }

  // Calls work(pair, scratch for one chroma row) for each chroma row and the one or two luma rows it covers.
  // Returns the sum of what it returns: whole numbers, so the order does not matter.
  template <typename Work>
  int64_t for_row_pairs(const Work& work) {
    return tbb::parallel_reduce(
        tbb::blocked_range<int>(0, model_.chroma_height(), kRowPairsPerTask), int64_t{0},
        [&](const tbb::blocked_range<int>& range, int64_t sum) {
          std::vector<float> scratch(static_cast<size_t>(model_.chroma_width()));
          for (int pair = range.begin(); pair < range.end(); ++pair) sum += work(pair, scratch);
          return sum;
        },
        std::plus<>());
  }

  void learn_prepared(const Picture& picture) {
    const float share = 1.0f / static_cast<float>(++model_.learnt_frames);
    for_row_pairs([&](int pair, std::vector<float>&) {
      for (int y = 2 * pair; y < std::min(2 * pair + 2, model_.height); ++y)
        foreground::learn_row(picture.plane(0).row(y), 1, model_.width, share,
                              model_.row(GaussianModel::luma, y));
      const ChromaSamples samples = chroma_samples(picture, pair);
      const int count = model_.chroma_width();
      foreground::learn_row(samples.cb, samples.step, count, share, model_.row(GaussianModel::cb, pair));
      foreground::learn_row(samples.cr, samples.step, count, share, model_.row(GaussianModel::cr, pair));
      return int64_t{0};
    });
  }

  int64_t segment_row_pair(const Picture& picture, int pair, std::vector<float>& chroma,
                           ForegroundImages& images) {
    const ChromaSamples samples = chroma_samples(picture, pair);
    const GaussianRow cb = model_.row(GaussianModel::cb, pair), cr = model_.row(GaussianModel::cr, pair);
    foreground::chroma_row(samples.cb, samples.cr, samples.step, model_.chroma_width(), settings_, cb, cr,
                           chroma.data());
    const int upper = 2 * pair, lower = std::min(upper + 1, model_.height - 1);
    const ImageView<uint8_t> indicator = images.indicator.writable_view<uint8_t>();
    const ImageView<uint8_t> mask = images.mask.writable_view<uint8_t>();
    int64_t count = 0;
    for (int y = upper; y <= lower; ++y)
      count +=
          foreground::segment_luma_row(picture.plane(0).row(y), model_.width, chroma.data(), settings_,
                                       model_.row(GaussianModel::luma, y), indicator.row(y), mask.row(y));
    foreground::update_chroma_row(samples.cb, samples.step, model_.width, mask.row(upper), mask.row(lower),
                                  settings_.learning_rate, cb);
    foreground::update_chroma_row(samples.cr, samples.step, model_.width, mask.row(upper), mask.row(lower),
                                  settings_.learning_rate, cr);
    return count;
  }

  int camera_;
  TraceRecorder* trace_;
  GaussianSettings settings_;
  GaussianModel model_;
};

}  // namespace

void register_foreground_cpu(BackendRegistry& registry) {
  registry.add<ForegroundModel>(
      Device::cpu,
      [](const BackendContext& context,
         const ForegroundModel::Arguments& arguments) -> Result<std::unique_ptr<ForegroundModel>> {
        return std::make_unique<ForegroundCpu>(arguments.camera, context.trace);
      });
}

}  // namespace vantage
