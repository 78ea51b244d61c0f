// Colour maps that colour-blind people read too, each sampled at nine positions and mixed linearly between
// them.
//   viridis (S. van der Walt, N. Smith, 2015): heights
//   cividis (J. Nuñez, C. Anderton, R. Renslow, "Optimizing colormaps with consideration for color vision
//   deficiency", PLoS ONE 13(7), 2018): confidence and floor maps
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace vantage {

using ColorMap = std::array<std::array<float, 3>, 9>;

inline constexpr ColorMap kViridis = {{{0.267f, 0.005f, 0.329f},
                                       {0.279f, 0.175f, 0.483f},
                                       {0.230f, 0.322f, 0.546f},
                                       {0.173f, 0.449f, 0.558f},
                                       {0.128f, 0.567f, 0.551f},
                                       {0.158f, 0.684f, 0.502f},
                                       {0.369f, 0.789f, 0.383f},
                                       {0.678f, 0.864f, 0.190f},
                                       {0.993f, 0.906f, 0.144f}}};
inline constexpr ColorMap kCividis = {{{0.000f, 0.135f, 0.305f},
                                       {0.102f, 0.220f, 0.435f},
                                       {0.263f, 0.306f, 0.424f},
                                       {0.380f, 0.396f, 0.435f},
                                       {0.490f, 0.486f, 0.471f},
                                       {0.604f, 0.576f, 0.463f},
                                       {0.733f, 0.678f, 0.427f},
                                       {0.867f, 0.784f, 0.345f},
                                       {0.996f, 0.909f, 0.218f}}};

// Red, green and blue, 0 to 255; `t` is taken as 0 below 0 and as 1 above 1.
inline std::array<uint8_t, 3> mapped_color(const ColorMap& map, double t) {
  const double place = std::clamp(t, 0.0, 1.0) * (map.size() - 1);
  const auto low = std::min(static_cast<size_t>(place), map.size() - 2);
  const double share = place - static_cast<double>(low);
  std::array<uint8_t, 3> rgb{};
  for (size_t c = 0; c < 3; ++c)
    rgb[c] = static_cast<uint8_t>(255 * ((1 - share) * map[low][c] + share * map[low + 1][c]) + 0.5);
  return rgb;
}

}  // namespace vantage
