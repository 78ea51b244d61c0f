#include "core/foreground/foreground_cpu.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
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

constexpr int kRowPairsPerTask = 16, kCleaningRowsPerTask = 32;

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
      : camera_(camera), trace_(trace), settings_(gaussian_settings({})), cleaning_(cleaning_steps({})) {}

  void reset() override { model_ = {}; }
  void set_parameters(const ForegroundParameters& parameters) override {
    settings_ = gaussian_settings(parameters);
    cleaning_ = cleaning_steps(parameters);
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
    VANTAGE_ASSIGN(images.mask, Image::make(ImageType::u8, picture.width(), picture.height(), pool));
    if (model_.learnt_frames == 0) learn_prepared(picture);
    // Votes go through the cleaning into the indicator, alternating between two images.
    Image spare;
    VANTAGE_ASSIGN(Image votes, Image::make(ImageType::u8, picture.width(), picture.height(), pool));
    if (!cleaning_.empty()) {
      VANTAGE_ASSIGN(spare, Image::make(ImageType::u8, picture.width(), picture.height(), pool));
    }
    for_row_pairs([&](int pair, Scratch& scratch) { return vote_row_pair(picture, pair, scratch, votes); });
    for (size_t i = 0; i < cleaning_.size(); ++i) {
      clean(votes.view<uint8_t>(), cleaning_[i], spare.writable_view<uint8_t>());
      std::swap(votes, spare);
    }
    images.indicator = votes;
    images.mask_count =
        for_row_pairs([&](int pair, Scratch&) { return update_row_pair(picture, pair, images); });
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

  // For one chroma row.
  struct Scratch {
    std::vector<float> light, chroma;
  };

  // Calls work(pair, scratch) for each chroma row and the one or two luma rows it covers.
  // Returns the sum of what it returns: whole numbers, so the order does not matter.
  template <typename Work>
  int64_t for_row_pairs(const Work& work) {
    return tbb::parallel_reduce(
        tbb::blocked_range<int>(0, model_.chroma_height(), kRowPairsPerTask), int64_t{0},
        [&](const tbb::blocked_range<int>& range, int64_t sum) {
          const auto count = static_cast<size_t>(model_.chroma_width());
          Scratch scratch{std::vector<float>(count), std::vector<float>(count)};
          for (int pair = range.begin(); pair < range.end(); ++pair) sum += work(pair, scratch);
          return sum;
        },
        std::plus<>());
  }

  void learn_prepared(const Picture& picture) {
    const float share = 1.0f / static_cast<float>(++model_.learnt_frames);
    for_row_pairs([&](int pair, Scratch&) {
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

  int64_t vote_row_pair(const Picture& picture, int pair, Scratch& scratch, Image& votes) {
    const int upper = 2 * pair, lower = upper + 1;
    const bool both = lower < model_.height;
    const ImageView<const uint8_t> luma = picture.plane(0);
    foreground::light_row(
        {luma.row(upper), both ? luma.row(lower) : nullptr, model_.row(GaussianModel::luma, upper).mean,
         both ? model_.row(GaussianModel::luma, lower).mean : nullptr},
        model_.width, settings_.darkest_shadow, scratch.light.data());
    const ChromaSamples samples = chroma_samples(picture, pair);
    foreground::chroma_row(samples.cb, samples.cr, samples.step, model_.chroma_width(), settings_,
                           model_.row(GaussianModel::cb, pair), model_.row(GaussianModel::cr, pair),
                           scratch.light.data(), scratch.chroma.data());
    const ImageView<uint8_t> out = votes.writable_view<uint8_t>();
    for (int y = upper; y <= (both ? lower : upper); ++y)
      foreground::vote_row(luma.row(y), model_.width, scratch.light.data(), scratch.chroma.data(), settings_,
                           model_.row(GaussianModel::luma, y), out.row(y));
    return 0;
  }

  int64_t update_row_pair(const Picture& picture, int pair, ForegroundImages& images) {
    const int upper = 2 * pair, lower = std::min(upper + 1, model_.height - 1);
    const ImageView<const uint8_t> indicator = images.indicator.view<uint8_t>();
    const ImageView<uint8_t> mask = images.mask.writable_view<uint8_t>();
    int64_t count = 0;
    for (int y = upper; y <= lower; ++y) {
      count += foreground::mask_row(indicator.row(y), model_.width, mask.row(y));
      foreground::update_luma_row(picture.plane(0).row(y), model_.width, mask.row(y), settings_,
                                  model_.row(GaussianModel::luma, y));
    }
    const ChromaSamples samples = chroma_samples(picture, pair);
    foreground::update_chroma_row(samples.cb, samples.step, model_.width, mask.row(upper), mask.row(lower),
                                  settings_, model_.row(GaussianModel::cb, pair));
    foreground::update_chroma_row(samples.cr, samples.step, model_.width, mask.row(upper), mask.row(lower),
                                  settings_, model_.row(GaussianModel::cr, pair));
    return count;
  }

  static void clean(const ImageView<const uint8_t>& in, CleaningStep step, const ImageView<uint8_t>& out) {
    const int radius = step.radius;
    tbb::parallel_for(tbb::blocked_range<int>(0, in.height, kCleaningRowsPerTask), [&](const auto& range) {
      // Beyond the border stands what no minimum or maximum chooses.
      std::vector<uint8_t> row(static_cast<size_t>(in.width + 2 * radius),
                               step.maximum ? uint8_t{0} : uint8_t{255});
      for (int y = range.begin(); y < range.end(); ++y) {
        const uint8_t* rows[4 * kMaxCleaningRadius + 1];
        const int first = std::max(0, y - radius), last = std::min(in.height - 1, y + radius);
        for (int v = first; v <= last; ++v) rows[v - first] = in.row(v);
        foreground::extreme_of_rows(rows, last - first + 1, in.width, step.maximum, row.data() + radius);
        foreground::extreme_along_row(row.data() + radius, in.width, radius, step.maximum, out.row(y));
      }
    });
  }

  int camera_;
  TraceRecorder* trace_;
  GaussianSettings settings_;
  std::vector<CleaningStep> cleaning_;
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
