#include "core/foreground/gaussian_explain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <utility>

#include "core/foreground/clean_image.h"
#include "core/foreground/detail/gaussian_passes.h"

namespace vantage {
namespace {

using foreground::BlockRow;
using foreground::SceneRow;
using foreground_detail::GaussianPasses;

// One pixel of a frame whose passes were made.
class ExplainedPixel {
 public:
  ExplainedPixel(GaussianPasses* passes, const Picture& picture, const FrameLight& light, int x, int y)
      : passes_(*passes),
        picture_(picture),
        light_(light),
        x_(x),
        y_(y),
        block_(passes->evidence().row(y / 2)) {
    for (std::vector<float>* row : {&low_, &high_}) row->resize(static_cast<size_t>(picture.width()));
  }

  PixelEvidence evidence() {
    PixelEvidence found;
    const GaussianSettings& s = passes_.settings();
    const double luma = add_luma(&found), k = block_.light[x_ / 2];
    add_chroma(&found);
    PixelEvidence::Gaussian& own = found.gaussian.emplace();
    own.luma_distance = luma;
    found.distance = passes_.evidence().distance(y_)[x_];
    own.chroma_distance = std::sqrt(std::max(0.0, found.distance * found.distance - luma * luma));
    own.gain = light_.gain;
    own.light = k / light_.gain, own.darkest = light_.darkest / light_.gain;
    own.difference = block_.difference[x_ / 2];
    own.shade = shade_of(block_.light[x_ / 2], light_);
    own.undecided = undecided_level(block_.luma[x_ / 2], block_.light[x_ / 2], light_, s) / 255.0;
    const auto [smallest, largest] = extremes();
    own.sharpened = sharpened(static_cast<float>(found.distance), smallest, largest, s);
    found.vote = vote_of(static_cast<float>(own.sharpened), s);
    return found;
  }

 private:
  // The luma component; its distance from the scene.
  double add_luma(PixelEvidence* to) {
    const GaussianSettings& s = passes_.settings();
    const SceneRow scene = passes_.scene_row(GaussianModel::luma, y_, s.displacement, low_, high_);
    const foreground::GaussianRow model = passes_.model().row(GaussianModel::luma, y_);
    const float value = picture_.plane(0).row(y_)[x_], k = block_.light[x_ / 2];
    ComponentEvidence& luma = to->components.emplace_back();
    luma.name = "Y'", luma.value = value, luma.mean = model.mean[x_];
    luma.sigma = std::sqrt(std::max(scene.variance[x_], s.min_variance));
    luma.low = light_.black + k * (scene.low[x_] - light_.black);
    luma.high = light_.black + light_.gain * (scene.high[x_] - light_.black);
    const float outside = beyond(value, {scene.low[x_], scene.high[x_]}, light_.black, {k, light_.gain});
    luma.beyond = outside;
    return std::sqrt(in_variances(outside, scene.variance[x_], s.min_variance));
  }

  void add_chroma(PixelEvidence* to) {
    const foreground::ChromaSamples samples = foreground_detail::chroma_samples(picture_, y_ / 2);
    const int at = x_ / 2;
    add_component("Cb", GaussianModel::cb, samples.cb[at * samples.step], block_.cb[at], to);
    add_component("Cr", GaussianModel::cr, samples.cr[at * samples.step], block_.cr[at], to);
  }

  // `rest`: what neither the interval nor the colour of shadows explains.
  void add_component(const char* name, GaussianModel::Plane plane, float value, float rest,
                     PixelEvidence* to) {
    const GaussianSettings& s = passes_.settings();
    const int at = x_ / 2;
    const float k = block_.light[at];
    const SceneRow scene =
        passes_.scene_row(plane, y_ / 2, kChromaDisplacement * s.displacement, low_, high_);
    ComponentEvidence& component = to->components.emplace_back();
    component.name = name, component.value = value;
    component.mean = passes_.model().row(plane, y_ / 2).mean[at];
    component.sigma = std::sqrt(std::max(scene.variance[at], s.min_variance));
    component.low = 128.0 + k * (scene.low[at] - 128.0f),
    component.high = 128.0 + k * (scene.high[at] - 128.0f);
    component.beyond = rest;
  }

  // Extremes of the distances of the 3x3 pixels around.
  std::pair<float, float> extremes() {
    float smallest = passes_.evidence().distance(y_)[x_], largest = smallest;
    for (int v = std::max(0, y_ - 1); v <= std::min(picture_.height() - 1, y_ + 1); ++v)
      for (int u = std::max(0, x_ - 1); u <= std::min(picture_.width() - 1, x_ + 1); ++u) {
        smallest = std::min(smallest, passes_.evidence().distance(v)[u]);
        largest = std::max(largest, passes_.evidence().distance(v)[u]);
      }
    return {smallest, largest};
  }

  GaussianPasses& passes_;
  const Picture& picture_;
  const FrameLight& light_;
  const int x_, y_;
  const BlockRow block_;
  std::vector<float> low_, high_;
};

Result<PixelEvidence> explain(GaussianModel model, const ForegroundParameters& parameters,
                              const Picture& picture, int x_px, int y_px) {
  GaussianPasses passes;
  passes.set_settings(gaussian_settings(parameters));
  if (model.values.empty()) model.start(picture.width(), picture.height());
  passes.take(std::move(model));
  if (passes.model().learnt_frames == 0) passes.learn(picture);
  HostPool& pool = HostPool::shared();
  VANTAGE_ASSIGN(Image votes, Image::make(ImageType::u8, picture.width(), picture.height(), pool));
  VANTAGE_ASSIGN(Image spare, Image::make(ImageType::u8, picture.width(), picture.height(), pool));
  const LightGains gains = passes.gains_of(picture);
  const FrameLight light =
      frame_light(black_level(picture.format()), gains, passes.settings().darkest_shadow);
  passes.find_votes(picture, light, votes.writable_view<uint8_t>());
  PixelEvidence evidence = ExplainedPixel(&passes, picture, light, x_px, y_px).evidence();
  PixelEvidence::Gaussian& own = *evidence.gaussian;
  const double low = parameters.distance_low, high = parameters.distance_high;
  evidence.mask_begins = low + 0.5 * (high > low ? high - low : 0.01);
  own.blue = gains.of[kBlue], own.red = gains.of[kRed];
  own.before_cleaning = votes.view<uint8_t>().at(x_px, y_px);
  clean_image(votes, spare, cleaning_steps(parameters));
  own.cleaned = votes.view<uint8_t>().at(x_px, y_px);
  return evidence;
}

}  // namespace

Result<PixelEvidence> explain_gaussian(GaussianModel model, const ForegroundParameters& parameters,
                                       const Picture& picture, int x_px, int y_px) {
  if (!picture || picture.place().kind != MemoryKind::host)
    return fail(ErrorKind::invalid_argument, "the picture is not in host memory", "foreground");
  const bool same = picture.width() == model.width && picture.height() == model.height;
  if (!model.values.empty() && !same)
    return fail(ErrorKind::invalid_argument, "the picture's size differs from the model's", "foreground");
  if (x_px < 0 || y_px < 0 || x_px >= picture.width() || y_px >= picture.height())
    return fail(ErrorKind::invalid_argument, "no such pixel", "foreground");
  try {
    return explain(std::move(model), parameters, picture, x_px, y_px);
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::out_of_memory, "no memory for a copy of the background model", "foreground");
  }
}

}  // namespace vantage
