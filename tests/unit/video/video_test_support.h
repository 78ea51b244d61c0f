// What the video tests share: the ffmpeg program as the reference, and synthetic footage.
#pragma once

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "core/image/picture.h"
#include "core/video/video_source.h"
#include "core/video/video_writer.h"

namespace vantage::test {

// The seed of this run: VANTAGE_TEST_SEED, or a fixed one. Printed by whoever uses it.
uint64_t test_seed();

bool has_ffmpeg();
// Runs the ffmpeg program; false when it fails.
bool run_ffmpeg(const std::string& arguments);
// MD5 of every frame as `ffmpeg -fps_mode passthrough -f framemd5` gives it, in order.
std::vector<std::string> ffmpeg_frame_md5(const std::filesystem::path& video);

// Every frame's native MD5 ("" for a frame without a picture), read from first to last. A failure adds a test
// failure.
std::vector<std::string> play(VideoSource& source);
std::unique_ptr<VideoSource> open_checked(const std::filesystem::path& video, int threads = 1);

// Seeks, steps back and plays on, `count` times, comparing each frame with `expected`.
void check_random_access(VideoSource& source, const std::vector<std::string>& expected, int count,
                         std::mt19937_64& random);

// A moving pattern, different in every frame.
Picture pattern(const PictureFormat& format, int64_t frame);
void write_pattern_video(const std::filesystem::path& path, const PictureFormat& format, int frames,
                         const VideoWriterOptions& options = {});
bool same_pixels(const Picture& a, const Picture& b);

}  // namespace vantage::test

#define VANTAGE_NEED_FFMPEG() \
  if (!::vantage::test::has_ffmpeg()) GTEST_SKIP() << "the ffmpeg program is not installed"
