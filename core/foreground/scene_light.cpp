#include "core/foreground/scene_light.h"

#include <array>

#include "core/foreground/foreground.h"
#include "core/foreground/light_gains.h"

namespace vantage {
namespace {

constexpr float kLargestSceneChange = 4;

}  // namespace

LightGains light_between(const Picture& picture, const Picture& reference) {
  const float black = black_level(reference.format());
  std::array<uint32_t, size_t{kLightChannels} * kLightBins> histograms{};
  for (int y = 0; y < picture.height() / 2; y += 2)
    for (int x = 0; x < picture.width() / 2; x += 2) {
      const float luma = block_luma(picture.plane(0), x, y) - black,
                  expected = block_luma(reference.plane(0), x, y) - black;
      const int bin = light_bin(4 * luma, 4 * expected);
      if (bin < 0) continue;
      ++histograms[static_cast<size_t>(kBrightness * kLightBins + bin)];
      for (const LightChannel channel : {kBlue, kRed}) {
        const int plane = channel == kBlue ? 1 : 2;
        const int its = balance_bin(luma, static_cast<float>(picture.plane(plane).row(y)[x]) - 128, expected,
                                    static_cast<float>(reference.plane(plane).row(y)[x]) - 128,
                                    1 / (channel == kBlue ? kBlueShare : kRedShare));
        if (its >= 0) ++histograms[static_cast<size_t>(channel * kLightBins + its)];
      }
    }
  return light_gains(histograms, kLargestSceneChange);
}

}  // namespace vantage
