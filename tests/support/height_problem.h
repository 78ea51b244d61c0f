// Random problems for belief propagation on heights, for tests and the bench.
#pragma once

#include <cmath>
#include <random>

#include "core/height_map/height_map.h"

namespace vantage::test {

struct HeightCase {
  int width, height, heights;
  double steepest = 1.5;  // of the shifts, in labels a pixel
};

struct HeightFixture {
  CostVolume costs;
  HeightSolver::Arguments arguments;
};

inline Image plane(int width, int height) {
  return Image::make(ImageType::f32, width, height, HostPool::shared()).value();
}

// Smooth hills of the best height with noise, as heads make: neighbours agree mostly.
inline HeightFixture height_fixture(const HeightCase& problem, const HeightMapParameters& parameters,
                                    unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> unit(0, 1);
  HeightFixture fixture;
  const int w = problem.width, h = problem.height;
  fixture.arguments = {w, h, {plane(w, h), plane(w, h)}};
  const float steepest = static_cast<float>(problem.steepest);
  for (Image* shifts : {&fixture.arguments.shifts.right, &fixture.arguments.shifts.down})
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x)
        shifts->writable_view<float>().at(x, y) =
            steepest * (std::sin(0.03f * static_cast<float>(x + 2 * y)) + 0.3f * (unit(random) - 0.5f));
  fixture.costs = {w, h, parameters.labels(), plane(w, (problem.heights + 1) * h)};
  const ImageView<float> costs = fixture.costs.costs.writable_view<float>();
  const float labels = static_cast<float>(problem.heights);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      const float hill = std::sin(0.21f * static_cast<float>(x)) * std::sin(0.17f * static_cast<float>(y));
      const float best = labels * (0.5f + 0.4f * hill);
      for (int k = 0; k < problem.heights; ++k)
        costs.at(x, k * h + y) =
            hill > -0.2f
                ? 0.25f * unit(random) + std::min(0.5f, 0.08f * std::abs(static_cast<float>(k) - best))
                : 0.4f + 0.3f * unit(random);
      costs.at(x, problem.heights * h + y) = static_cast<float>(parameters.no_head_cost);
    }
  return fixture;
}

}  // namespace vantage::test
