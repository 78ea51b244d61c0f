#include "core/synth/detail/clutter.h"

#include <algorithm>
#include <cmath>

#include "core/synth/random.h"

namespace vantage::synth {
namespace {

// An ellipse or a rectangle, turned, with a gradient and perhaps stripes or grain.
struct Shape {
  double x, y, along, across, cosine, sine;
  bool round;
  double gray, slope, stripes, grain;
  uint32_t salt;
};

Shape make_shape(Random& random, int width, int height) {
  constexpr double kSmallest_px = 3, kLargest_px = 220;
  Shape shape{};
  shape.x = random.uniform(-20, width + 20);
  shape.y = random.uniform(-20, height + 20);
  // Inverse of the distribution of r^-3 between the two sizes.
  const double low = 1 / (kSmallest_px * kSmallest_px), high = 1 / (kLargest_px * kLargest_px);
  shape.along = 1 / std::sqrt(low + (high - low) * random.uniform());
  shape.across = shape.along * (random.uniform() < 0.2 ? random.uniform(0.03, 0.15) : random.uniform(0.3, 1));
  // Upright half of the time, as most things made by people are.
  const double angle = random.uniform() < 0.5 ? random.uniform(-0.06, 0.06) + (random.below(2) ? 1.5708 : 0)
                                              : random.uniform(0, 3.1416);
  shape.cosine = std::cos(angle);
  shape.sine = std::sin(angle);
  shape.round = random.uniform() < 0.5;
  shape.gray = random.uniform(5, 250);
  shape.slope = random.uniform(-60, 60);
  shape.stripes = random.uniform() < 0.12 ? random.uniform(0.3, 2) : 0;
  shape.grain = random.uniform() < 0.4 ? random.uniform(2, 40) : 0;
  shape.salt = static_cast<uint32_t>(random.bits());
  return shape;
}

uint8_t shade(const Shape& shape, double u, double v, int x, int y) {
  double value = shape.gray + shape.slope * u;
  if (shape.stripes > 0) value += 40 * std::sin(v * shape.across * shape.stripes);
  if (shape.grain > 0) value += shape.grain * (lattice(x, y, shape.salt) - 0.5f);
  return static_cast<uint8_t>(std::clamp(value, 0.0, 255.0));
}

void paint(const Shape& shape, ImageView<uint8_t> picture) {
  const int x0 = std::max(0, static_cast<int>(shape.x - shape.along * 1.5)),
            x1 = std::min(picture.width, static_cast<int>(shape.x + shape.along * 1.5) + 1);
  const int y0 = std::max(0, static_cast<int>(shape.y - shape.along * 1.5)),
            y1 = std::min(picture.height, static_cast<int>(shape.y + shape.along * 1.5) + 1);
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x) {
      const double dx = x - shape.x, dy = y - shape.y;
      const double u = (dx * shape.cosine + dy * shape.sine) / shape.along;
      const double v = (dy * shape.cosine - dx * shape.sine) / shape.across;
      const bool inside = shape.round ? u * u + v * v <= 1 : std::abs(u) <= 1 && std::abs(v) <= 1;
      if (inside) picture.at(x, y) = shade(shape, u, v, x, y);
    }
}

}  // namespace

void paint_clutter(uint64_t seed, ImageView<uint8_t> picture) {
  Random random(seed, 0x6c656166);
  for (int y = 0; y < picture.height; ++y)
    std::fill_n(picture.row(y), picture.width, static_cast<uint8_t>(random.below(2) * 60 + 90));
  // Few large ones first, so that the picture is covered.
  for (int i = 0; i < 40; ++i) {
    Shape shape = make_shape(random, picture.width, picture.height);
    shape.along = random.uniform(60, 260);
    shape.across = shape.along * random.uniform(0.2, 1);
    paint(shape, picture);
  }
  const int count = random.below(900) + 60;
  for (int i = 0; i < count; ++i) paint(make_shape(random, picture.width, picture.height), picture);
}

}  // namespace vantage::synth
