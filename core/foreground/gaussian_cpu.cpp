#include "core/foreground/gaussian_cpu.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <array>
#include <functional>
#include <new>
#include <string>

#include "core/base/formatted.h"
#include "core/foreground/clean_image.h"
#include "core/foreground/foreground.h"
#include "core/foreground/gaussian_kernel.h"
#include "core/foreground/light_gains.h"

namespace vantage {
namespace {

using foreground::GaussianRow;

using foreground::BlockRow;
using foreground::ChromaSamples;
using foreground::Neighbours;
using foreground::SceneRow;

constexpr int kRowPairsPerTask = 16, kGaussianRowsPerTask = 32;

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

// The intermediate results of one frame between the passes: of each 2x2 block what BlockRow holds, with one
// sample more on either side of a row; of each pixel its distance.
class FrameEvidence {
 public:
  void start(int width, int height) {
    width_ = static_cast<size_t>(width), stride_ = static_cast<size_t>((width + 1) / 2 + 2);
    const size_t blocks = stride_ * static_cast<size_t>((height + 1) / 2);
    for (std::vector<float>& plane : blocks_) plane.resize(blocks);
    distance_.resize(width_ * static_cast<size_t>(height));
  }
  BlockRow row(int y) {
    const auto plane = [&](int k) { return blocks_[k].data() + at(y); };
    return {plane(0), plane(1), plane(2), plane(3), plane(4), plane(5)};
  }
  float* distance(int y) { return distance_.data() + static_cast<size_t>(y) * width_; }

  // Repeats the outermost samples of a row in those beside it.
  void repeat_border(float* row) const {
    row[-1] = row[0];
    row[stride_ - 2] = row[stride_ - 3];
  }

 private:
  size_t at(int y) const { return static_cast<size_t>(y) * stride_ + 1; }

  size_t width_ = 0, stride_ = 0;
  std::vector<float> blocks_[6], distance_;  // in the order of BlockRow
};

// The rows around row y of `height`; row_of(y) gives a row.
template <typename RowOf>
Neighbours neighbours(int y, int height, const RowOf& row_of) {
  return {row_of(std::max(0, y - 1)), row_of(y), row_of(std::min(height - 1, y + 1))};
}

ChromaSamples chroma_samples(const Picture& picture, int y) {
  if (picture.format().layout == PictureLayout::i420)
    return {picture.plane(1).row(y), picture.plane(2).row(y), 1};
  return {picture.plane(1).row(y), picture.plane(1).row(y) + 1, 2};
}

class GaussianCpu final : public ForegroundModel {
 public:
  GaussianCpu(int camera, TraceRecorder* trace)
      : camera_(camera), trace_(trace), settings_(gaussian_settings({})), cleaning_(cleaning_steps({})) {}

  void reset() override { model_ = {}; }
  void set_parameters(const ParameterStore& store) override {
    const auto parameters = store.get<ForegroundParameters>();
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
    const FrameLight light = light_of(picture);
    for_row_pairs([&](int pair, Scratch& scratch) { return block_row(picture, pair, light, scratch); });
    for_row_pairs([&](int pair, Scratch&) { return shade_pair(pair, light); });
    for_row_pairs([&](int pair, Scratch& scratch) { return distance_rows(picture, pair, light, scratch); });
    vote_rows(light, votes.writable_view<uint8_t>());
    clean_image(votes, spare, cleaning_);
    images.indicator = votes;
    images.mask_count =
        for_row_pairs([&](int pair, Scratch&) { return update_row_pair(picture, pair, light, images); });
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
      evidence_.start(model_.width, model_.height);
    } catch (const std::bad_alloc&) {
      return fail(ErrorKind::out_of_memory, "no memory for the background model", where());
    }
    return {};
  }

  Status write(ByteWriter* to) const override {
    to->add(model_.width).add(model_.height).add(model_.learnt_frames).add(model_.values);
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
    model_ = std::move(model);
    evidence_.start(model_.width, model_.height);
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
                  "a picture of " + size_text(picture.width(), picture.height()) + " pixels after one of " +
                      size_text(model_.width, model_.height),
                  where(), "Use an empty-scene clip and a video of the same size.");
    }
    try {
      model_.start(picture.width(), picture.height());
      evidence_.start(picture.width(), picture.height());
    } catch (const std::bad_alloc&) {
      return fail(ErrorKind::out_of_memory, "no memory for the background model", where());
    }
    return {};
  }

  // The scene's intervals along one row, of luma or of both chroma components.
  struct Scratch {
    std::vector<float> low[2], high[2];
  };

  // Calls work(pair, scratch) for each chroma row and the one or two luma rows it covers.
  // Returns the sum of what it returns: whole numbers, so the order does not matter.
  template <typename Work>
  int64_t for_row_pairs(const Work& work) {
    return tbb::parallel_reduce(
        tbb::blocked_range<int>(0, model_.chroma_height(), kRowPairsPerTask), int64_t{0},
        [&](const tbb::blocked_range<int>& range, int64_t sum) {
          Scratch scratch;
          for (auto* rows : {scratch.low, scratch.high})
            for (int c = 0; c < 2; ++c) rows[c].resize(static_cast<size_t>(model_.width));
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

  foreground::LumaRows luma_rows(const Picture& picture, int pair) {
    const int upper = 2 * pair, lower = upper + 1;
    const bool both = lower < model_.height;
    const ImageView<const uint8_t> luma = picture.plane(0);
    return {luma.row(upper), both ? luma.row(lower) : nullptr, model_.row(GaussianModel::luma, upper).mean,
            both ? model_.row(GaussianModel::luma, lower).mean : nullptr};
  }

  FrameLight light_of(const Picture& picture) {
    const float black = black_level(picture.format());
    LightGains gains;
    if (settings_.largest_change > 1.0f) {
      std::array<uint32_t, size_t{kLightChannels} * kLightBins> histograms{};
      for (int pair = 0; pair < model_.height / 2; pair += kLightSpacing)
        foreground::count_light(
            luma_rows(picture, pair), chroma_samples(picture, pair), model_.row(GaussianModel::cb, pair).mean,
            model_.row(GaussianModel::cr, pair).mean, model_.width, black, histograms.data());
      gains = light_gains(histograms, settings_.largest_change);
    }
    return frame_light(black, gains, settings_.darkest_shadow);
  }

  // The scene's interval around row y of a plane.
  SceneRow scene_row(GaussianModel::Plane plane, int y, float displacement, std::vector<float>& low,
                     std::vector<float>& high) {
    const bool luma = plane == GaussianModel::luma;
    const int height = luma ? model_.height : model_.chroma_height();
    foreground::interval_row(neighbours(y, height, [&](int v) { return model_.row(plane, v).mean; }),
                             luma ? model_.width : model_.chroma_width(), displacement, low.data(),
                             high.data());
    return {low.data(), high.data(), model_.row(plane, y).variance};
  }

  int64_t block_row(const Picture& picture, int pair, const FrameLight& frame, Scratch& scratch) {
    const BlockRow row = evidence_.row(pair);
    foreground::light_row(luma_rows(picture, pair), model_.width, frame, row.luma, row.light, row.difference);
    const float displacement = kChromaDisplacement * settings_.displacement;
    foreground::chroma_row(chroma_samples(picture, pair), model_.chroma_width(), frame, settings_,
                           scene_row(GaussianModel::cb, pair, displacement, scratch.low[0], scratch.high[0]),
                           scene_row(GaussianModel::cr, pair, displacement, scratch.low[1], scratch.high[1]),
                           row);
    for (float* plane : {row.difference, row.cb, row.cr}) evidence_.repeat_border(plane);
    return 0;
  }

  int64_t shade_pair(int pair, const FrameLight& frame) {
    const BlockRow row = evidence_.row(pair);
    if (settings_.shaded_weight > 0.0f)
      foreground::shade_row(evidence_.row(std::max(0, pair - 1)), row,
                            evidence_.row(std::min(model_.chroma_height() - 1, pair + 1)),
                            model_.chroma_width(), frame, settings_);
    evidence_.repeat_border(row.chroma);
    return 0;
  }

  int64_t distance_rows(const Picture& picture, int pair, const FrameLight& frame, Scratch& scratch) {
    const int last = model_.chroma_height() - 1;
    const BlockRow own = evidence_.row(pair);
    for (int y = 2 * pair; y < std::min(2 * pair + 2, model_.height); ++y) {
      const BlockRow next = evidence_.row(std::clamp(y % 2 ? pair + 1 : pair - 1, 0, last));
      foreground::distance_row(
          picture.plane(0).row(y), model_.width, model_.row(GaussianModel::luma, y).mean,
          scene_row(GaussianModel::luma, y, settings_.displacement, scratch.low[0], scratch.high[0]),
          own.light, {own.chroma, own.difference, next.chroma, next.difference}, frame, settings_,
          evidence_.distance(y));
    }
    return 0;
  }

  void vote_rows(const FrameLight& frame, const ImageView<uint8_t>& votes) {
    tbb::parallel_for(tbb::blocked_range<int>(0, votes.height, kGaussianRowsPerTask), [&](const auto& range) {
      for (int y = range.begin(); y < range.end(); ++y) {
        const BlockRow blocks = evidence_.row(y / 2);
        foreground::vote_row(neighbours(y, votes.height, [&](int v) { return evidence_.distance(v); }),
                             votes.width, {blocks.luma, blocks.light}, frame, settings_, votes.row(y));
      }
    });
  }

  int64_t update_row_pair(const Picture& picture, int pair, const FrameLight& frame,
                          ForegroundImages& images) {
    const int upper = 2 * pair, lower = std::min(upper + 1, model_.height - 1);
    const ImageView<const uint8_t> indicator = images.indicator.view<uint8_t>();
    const ImageView<uint8_t> mask = images.mask.writable_view<uint8_t>();
    int64_t count = 0;
    for (int y = upper; y <= lower; ++y) {
      count += foreground::mask_row(indicator.row(y), model_.width, mask.row(y));
      foreground::update_luma_row(picture.plane(0).row(y), model_.width, mask.row(y), frame, settings_,
                                  model_.row(GaussianModel::luma, y));
    }
    const ChromaSamples samples = chroma_samples(picture, pair);
    const float* block_luma = evidence_.row(pair).luma;
    foreground::update_chroma_row(samples.cb, samples.step, model_.width, block_luma, frame.balance[0],
                                  mask.row(upper), mask.row(lower), frame, settings_,
                                  model_.row(GaussianModel::cb, pair));
    foreground::update_chroma_row(samples.cr, samples.step, model_.width, block_luma, frame.balance[1],
                                  mask.row(upper), mask.row(lower), frame, settings_,
                                  model_.row(GaussianModel::cr, pair));
    return count;
  }

  int camera_;
  TraceRecorder* trace_;
  GaussianSettings settings_;
  std::vector<CleaningStep> cleaning_;
  GaussianModel model_;
  FrameEvidence evidence_;
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
