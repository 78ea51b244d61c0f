#include "tests/unit/video/video_test_support.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

namespace vantage::test {
namespace {

std::string quoted(const std::filesystem::path& path) {
  return "'" + path.string() + "'";
}

std::string output_of(const std::string& command) {
  std::string output;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) return output;
  std::array<char, 4096> block;
  for (size_t n; (n = std::fread(block.data(), 1, block.size(), pipe)) > 0;) output.append(block.data(), n);
  ::pclose(pipe);
  return output;
}

}  // namespace

uint64_t test_seed() {
  const char* set = std::getenv("VANTAGE_TEST_SEED");
  return set && *set ? std::strtoull(set, nullptr, 10) : 20240607;
}

bool has_ffmpeg() {
  static const bool found = std::system("ffmpeg -version >/dev/null 2>&1") == 0;
  return found;
}

bool run_ffmpeg(const std::string& arguments) {
  return std::system(("ffmpeg -nostdin -v error -y " + arguments + " 2>/dev/null").c_str()) == 0;
}

std::vector<std::string> ffmpeg_frame_md5(const std::filesystem::path& video) {
  std::istringstream lines(output_of("ffmpeg -nostdin -v error -noautorotate -i " + quoted(video) +
                                     " -map 0:v:0 -fps_mode passthrough -f framemd5 - 2>/dev/null"));
  std::vector<std::string> sums;
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && line[0] != '#') sums.push_back(line.substr(line.rfind(' ') + 1));
  return sums;
}

std::unique_ptr<VideoSource> open_checked(const std::filesystem::path& video, int threads) {
  VideoOpenOptions options;
  options.native_checksum = true;
  options.by_count = true;  // as ffmpeg counts them
  options.decoder_threads = threads;
  Result<std::unique_ptr<VideoSource>> source = open_video(video.string(), options);
  if (!source) {
    ADD_FAILURE() << source.error().message();
    return nullptr;
  }
  return std::move(*source);
}

std::vector<std::string> play(VideoSource& source) {
  std::vector<std::string> sums;
  for (;;) {
    const Result<DecodedFrame> frame = source.read();
    if (!frame) {
      EXPECT_EQ(frame.error().kind, ErrorKind::end_of_stream) << frame.error().message();
      return sums;
    }
    EXPECT_EQ(frame->index, static_cast<int64_t>(sums.size()));
    EXPECT_EQ(static_cast<bool>(frame->picture), !frame->native_md5.empty());
    sums.push_back(frame->native_md5);
  }
}

void check_random_access(VideoSource& source, const std::vector<std::string>& expected, int count,
                         std::mt19937_64& random) {
  const auto frames = static_cast<int64_t>(expected.size());
  if (frames == 0) return;
  int64_t at = 0;
  for (int i = 0; i < count; ++i) {
    switch (random() % 4) {
      case 0:
        at = std::max<int64_t>(0, at - 1);
        break;
      case 1:
        at = std::min<int64_t>(frames - 1, at + 1 + static_cast<int64_t>(random() % 4));
        break;
      default:
        at = static_cast<int64_t>(random() % static_cast<uint64_t>(frames));
    }
    const Status found = source.seek(at);
    ASSERT_TRUE(found) << "seek to " << at << ": " << found.error().message();
    const int64_t last = std::min<int64_t>(frames, at + 1 + static_cast<int64_t>(random() % 3));
    for (; at < last; ++at) {
      const Result<DecodedFrame> frame = source.read();
      ASSERT_TRUE(frame) << "frame " << at << ": " << frame.error().message();
      ASSERT_EQ(frame->index, at);
      ASSERT_EQ(frame->native_md5, expected[at]) << "frame " << at << ", access " << i;
    }
    --at;
  }
  EXPECT_FALSE(source.seek(frames));
}

Picture pattern(const PictureFormat& format, int64_t frame) {
  Picture picture = Picture::make(format, HostPool::shared()).value();
  const auto n = static_cast<int>(frame);
  for (int p = 0; p < picture.plane_count(); ++p) {
    const ImageView<uint8_t> view = picture.writable_plane(p);
    for (int y = 0; y < view.height; ++y)
      for (int x = 0; x < view.width; ++x) {
        const int wave = ((x + 3 * n) / 8 + (y - n) / 8) % 16 * 9;
        const int block = x > n % view.width && x < n % view.width + 12 && y > 5 && y < 25 ? 60 : 0;
        view.at(x, y) = static_cast<uint8_t>(p == 0 ? 30 + wave + block : 100 + (wave + 7 * p + n) % 50);
      }
  }
  return picture;
}

void write_pattern_video(const std::filesystem::path& path, const PictureFormat& format, int frames,
                         const VideoWriterOptions& options) {
  auto writer = VideoWriter::open(path, format, options);
  ASSERT_TRUE(writer) << writer.error().message();
  for (int i = 0; i < frames; ++i) {
    const Status written = (*writer)->write(pattern(format, i));
    ASSERT_TRUE(written) << written.error().message();
  }
  const Status finished = (*writer)->finish();
  ASSERT_TRUE(finished) << finished.error().message();
}

bool same_pixels(const Picture& a, const Picture& b) {
  if (a.format().layout != b.format().layout || a.width() != b.width() || a.height() != b.height())
    return false;
  for (int p = 0; p < a.plane_count(); ++p)
    for (int y = 0; y < a.plane(p).height; ++y)
      if (std::memcmp(a.plane(p).row(y), b.plane(p).row(y), static_cast<size_t>(a.plane(p).width)) != 0)
        return false;
  return true;
}

}  // namespace vantage::test
