#include "core/synth/detail/sporty.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vantage::synth {
namespace {

struct Square {
  int x0, y0, x1, y1;
};

double mean_of(ImageView<uint8_t> luma, const Square& s) {
  int64_t sum = 0;
  for (int y = s.y0; y < s.y1; ++y)
    for (int x = s.x0; x < s.x1; ++x) sum += luma.at(x, y);
  return static_cast<double>(sum) / ((s.x1 - s.x0) * (s.y1 - s.y0));
}

}  // namespace

bool do_sport(Random& random, PersonLook* look, Posture* posture) {
  if (random.uniform() < 0.8) {
    posture->lean_left = random.uniform(-1.1, 1.1);
    posture->lean_forward = random.uniform(-0.25, 0.9);
    // A person who bends keeps the head more upright than the trunk.
    const double kept = random.uniform(0, 0.8);
    posture->head_tilt_left = -kept * posture->lean_left + random.uniform(-0.2, 0.2);
    posture->head_nod = -kept * posture->lean_forward + random.uniform(-0.3, 0.3);
  }
  for (int side = 0; side < 2; ++side)
    if (random.uniform() < 0.5) posture->arm_outward[side] = random.uniform(0.3, 2.4);
  if (random.uniform() < 0.6) look->shirt = look->skin;
  look->shorts = random.uniform() < 0.7;
  const double worn = random.uniform();
  if (worn < 0.7) {
    look->headwear = worn < 0.35 ? Headwear::cap : Headwear::peaked_cap;
    look->peak_turn_left = random.uniform(-std::numbers::pi, std::numbers::pi);
    look->long_hair = false;
  }
  return random.uniform() < 0.35;
}

void veil_face(const PixelBox& head, Random& random, ImageView<uint8_t> luma) {
  if (head.empty()) return;
  const int width = head.x1 - head.x0, height = head.y1 - head.y0;
  const bool blurred = random.uniform() < 0.3;
  const int side = std::max(2, static_cast<int>(std::lround(width * random.uniform(0.15, 0.3))));
  const int left = head.x0 + static_cast<int>(width * random.uniform(-0.1, 0.2)),
            top = head.y0 + static_cast<int>(height * random.uniform(0.2, 0.45));
  const int x1 = std::min(luma.width, head.x1 + width / 10),
            y1 = std::min(luma.height, head.y1 + height / 10);
  const int step = blurred ? 1 : side;
  for (int y = std::max(0, top); y < y1; y += step)
    for (int x = std::max(0, left); x < x1; x += step) {
      const Square square{x, y, std::min(luma.width, x + side), std::min(luma.height, y + side)};
      const auto mean = static_cast<uint8_t>(std::lround(mean_of(luma, square)));
      for (int v = y; v < std::min(y + step, y1); ++v)
        for (int u = x; u < std::min(x + step, x1); ++u) luma.at(u, v) = mean;
    }
}

}  // namespace vantage::synth
