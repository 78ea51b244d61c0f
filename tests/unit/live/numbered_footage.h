// Stand-in cameras whose pictures show their number, for tests over the loopback interface.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "core/live/live_frame_source.h"
#include "core/live/test_cameras/stream_server.h"
#include "tests/support/data.h"
#include "tests/unit/video/video_test_support.h"

namespace vantage::test {

inline constexpr PictureFormat kNumberedFormat{PictureLayout::i420, 160, 96};
inline constexpr int kNumberedFrames = 50, kNumberBits = 6;

// A picture that shows its number: vertical bars, dark or bright.
inline Picture numbered(int number, const PictureFormat& format = kNumberedFormat) {
  Picture picture = std::move(*Picture::make(format, HostPool::shared()));
  for (int p = 0; p < 3; ++p) {
    auto plane = picture.writable_plane(p);
    for (int y = 0; y < plane.height; ++y)
      for (int x = 0; x < plane.width; ++x)
        plane.row(y)[x] = p > 0 ? 128 : (number >> (x * kNumberBits / plane.width)) & 1 ? 220 : 40;
  }
  return picture;
}

inline int number_in(const Picture& picture) {
  const auto plane = picture.plane(0);
  int number = 0;
  for (int bit = 0; bit < kNumberBits; ++bit)
    if (plane.row(plane.height / 2)[(2 * bit + 1) * plane.width / (2 * kNumberBits)] > 128)
      number |= 1 << bit;
  return number;
}

// Two seconds of numbered pictures.
struct NumberedFootage {
  TemporaryFolder folder;
  explicit NumberedFootage(int cameras, const PictureFormat& format = kNumberedFormat) {
    for (int c = 0; c < cameras; ++c) {
      auto writer = VideoWriter::open(path(c), format, {.gop_frames = 10, .b_frames = c % 3});
      EXPECT_TRUE(writer);
      for (int i = 0; i < kNumberedFrames; ++i) EXPECT_TRUE((*writer)->write(numbered(i, format)));
      EXPECT_TRUE((*writer)->finish());
    }
  }
  std::string path(int camera) const {
    return (folder.path() / ("cam" + std::to_string(camera + 1) + ".mp4")).string();
  }
  StreamServerOptions served(int cameras) const {
    StreamServerOptions options;
    for (int c = 0; c < cameras; ++c) options.cameras.push_back({"cam" + std::to_string(c + 1), path(c)});
    return options;
  }
};

inline LiveFrameSourceOptions watching(const StreamServer& server, int cameras,
                                       const std::string& scheme = "rtsp") {
  LiveFrameSourceOptions options;
  options.live.bound_s = 1;  // for machines that are busy with something else
  for (int c = 0; c < cameras; ++c)
    options.source.cameras.push_back(
        {"cam" + std::to_string(c + 1), scheme + server.address(static_cast<size_t>(c)).substr(4)});
  return options;
}

}  // namespace vantage::test
