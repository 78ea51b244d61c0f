// Rendered footage whose second camera started some frames before the first: what finds offsets proposes it
// after eight seconds.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>

#include "core/synth/synth.h"
#include "tests/support/data.h"

namespace vantage::test {

inline constexpr int64_t kOffsetFrames = 225;
inline constexpr double kOutOfStep = 9;  // frames

// The project; rendered once a program.
inline std::filesystem::path offset_footage() {
  static const TemporaryFolder folder;
  static const bool rendered = [] {
    SynthOptions options;
    options.cameras = options.people = 3;
    options.seconds = kOffsetFrames / options.frame_rate;
    options.width_px = 320, options.height_px = 240;
    options.truth_interval_frames = 100'000;
    options.offsets_frames = {0, kOutOfStep, 0};
    const Status status = render_recording(options, folder.path() / "hall", {}, {});
    EXPECT_TRUE(status) << status.error().message();
    return status.has_value();
  }();
  return rendered ? folder.path() / "hall" / "hall.vantage" : std::filesystem::path();
}

}  // namespace vantage::test
