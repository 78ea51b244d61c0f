// The gains of light_change.h from counted histograms, on the host: for the CPU model and for what is learnt
// as the scene.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>

#include "core/foreground/gaussian_pixel.h"

namespace vantage {

// The gains from kLightChannels histograms of kLightBins each, by LightChannel.
inline LightGains light_gains(std::span<const uint32_t> histograms, float largest_change) {
  LightGains gains;
  for (const LightChannel channel : {kBrightness, kBlue, kRed}) {
    const auto bins = histograms.subspan(static_cast<size_t>(channel) * kLightBins, kLightBins);
    const uint32_t total = std::accumulate(bins.begin(), bins.end(), uint32_t{0});
    if (total < kFewestLightSamples) continue;
    uint32_t before = 0;
    for (int bin = 0; bin < kLightBins; ++bin) {
      const uint32_t count = bins[bin];
      if (holds_median(before, count, total))
        gains.of[channel] = light_gain(channel, bin, before, count, total, largest_change);
      before += count;
    }
  }
  return gains;
}

}  // namespace vantage
