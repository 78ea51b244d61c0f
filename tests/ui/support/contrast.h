// How well two colours are told apart.
#pragma once

#include <QColor>
#include <algorithm>
#include <cmath>

namespace vantage::ui {

// As WCAG 2 has it: 1 to 21.
inline float contrast(const QColor& a, const QColor& b) {
  const auto luminance = [](const QColor& color) {
    const auto linear = [](float c) {
      return c <= 0.03928F ? c / 12.92F : std::pow((c + 0.055F) / 1.055F, 2.4F);
    };
    return 0.2126F * linear(color.redF()) + 0.7152F * linear(color.greenF()) +
           0.0722F * linear(color.blueF());
  };
  const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
  return (light + 0.05F) / (dark + 0.05F);
}

}  // namespace vantage::ui
