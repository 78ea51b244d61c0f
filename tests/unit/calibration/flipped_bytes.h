// Calibrations with a few bytes changed at random: refused, or read as cameras that can be.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tests/unit/calibration/read_text.h"

namespace vantage::test {

struct FlippedBytes {
  std::vector<std::string> sound;  // files that are read as they are
  uint32_t seed = 0;
  int rounds = 300;       // of each
  int min_refused = 0;    // of all: most changes are seen
  size_t kept_bytes = 0;  // at the beginning, by which the format is recognised
};

// `read`: the damaged text of sound[which].
inline void expect_no_crash(
    const FlippedBytes& flipped,
    const std::function<Result<Calibration>(const std::string& damaged, size_t which)>& read =
        [](const std::string& damaged, size_t) { return read_text(damaged); }) {
  std::mt19937 random(flipped.seed);
  SCOPED_TRACE("seed " + std::to_string(flipped.seed));
  int refused = 0;
  for (size_t which = 0; which < flipped.sound.size(); ++which)
    for (int round = 0; round < flipped.rounds; ++round) {
      std::string damaged = flipped.sound[which];
      for (size_t flips = 1 + random() % 4; flips > 0; --flips)
        damaged[flipped.kept_bytes + random() % (damaged.size() - flipped.kept_bytes)] =
            static_cast<char>(random() % 256);
      const auto cameras = read(damaged, which);
      refused += !cameras;
      if (!cameras) continue;
      for (const Camera& camera : cameras->cameras) {
        EXPECT_GT(camera.model().fx_px, 0);
        EXPECT_NEAR(camera.rotation_cam_from_world().determinant(), 1, 1e-6);
      }
    }
  EXPECT_GT(refused, flipped.min_refused);
}

}  // namespace vantage::test
