// The colours of the window, after M. Okabe and K. Ito, "Color Universal Design" (2008): told apart by
// colour-blind people. Colour never stands alone: there is always a number, a shape or a word beside it.
#pragma once

#include <QColor>
#include <array>

namespace vantage::ui {

inline constexpr QRgb kViewBackground = 0xff1e1e1e;
inline constexpr QRgb kForegroundOverlay = 0xff56b4e9;
inline constexpr QRgb kDoubtful = 0xffe69f00;
inline constexpr QRgb kFailed = 0xffd55e00;
inline constexpr QRgb kSelection = 0xfff0e442;

// The square beside a camera's name and its frustum in the scene.
QColor camera_color(int camera);

// Viridis (S. van der Walt, N. Smith, 2015), sampled at nine places; `t` in [0,1].
inline constexpr std::array<std::array<float, 3>, 9> kViridis = {{{0.267f, 0.005f, 0.329f},
                                                                  {0.279f, 0.175f, 0.483f},
                                                                  {0.230f, 0.322f, 0.546f},
                                                                  {0.173f, 0.449f, 0.558f},
                                                                  {0.128f, 0.567f, 0.551f},
                                                                  {0.158f, 0.684f, 0.502f},
                                                                  {0.369f, 0.789f, 0.383f},
                                                                  {0.678f, 0.864f, 0.190f},
                                                                  {0.993f, 0.906f, 0.144f}}};

}  // namespace vantage::ui
