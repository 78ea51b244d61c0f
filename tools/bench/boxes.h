// Detections for benches, like those of a sliding window: clusters of about twenty similar boxes around each
// head.
#pragma once

#include <random>
#include <vector>

#include "core/primitives/nms.h"

namespace vantage::cli {

inline std::vector<Detection> clustered_boxes(int n) {
  std::mt19937 random(12345);
  std::uniform_real_distribution<float> x(0, 4600), y(0, 1800), size(24, 90), jitter(-0.15f, 0.15f),
      score(0, 1);
  std::vector<Detection> centres(static_cast<size_t>(std::max(1, n / 20)));
  for (Detection& c : centres) c = {x(random), y(random), size(random), 0, 0, 0};
  std::vector<Detection> boxes(static_cast<size_t>(n));
  for (size_t i = 0; i < boxes.size(); ++i) {
    const Detection& c = centres[i % centres.size()];
    const float side = c.w * (1 + jitter(random));
    boxes[i] = {c.x + c.w * jitter(random), c.y + c.w * jitter(random), side, side, score(random), 0};
  }
  return boxes;
}

}  // namespace vantage::cli
