// NVDEC against software: every frame equal bit for bit once chroma is de-interleaved, in playing and after
// seeks.
#include <algorithm>
#include <cstring>
#include <optional>

#include "core/image/backend/memory_transfer.h"
#include "core/video/video_source.h"
#include "tests/gpu/device.h"
#include "tests/support/data.h"
#include "tests/unit/video/video_test_support.h"

namespace vantage {
namespace {

struct Clip {
  const char* path;
  const char* codec;
};

std::ostream& operator<<(std::ostream& out, const Clip& clip) {
  return out << clip.path;
}

// By the ffmpeg program.
struct MadeClip {
  const char* name;
  const char* arguments;
};

std::ostream& operator<<(std::ostream& out, const MadeClip& clip) {
  return out << clip.name;
}

// A failure names its reason.
std::unique_ptr<VideoSource> opened(const std::filesystem::path& path, const VideoOpenOptions& options) {
  Result<std::unique_ptr<VideoSource>> source = open_video(path.string(), options);
  if (!source) throw std::runtime_error(source.error().message());
  return std::move(*source);
}

class SourcesOfBoth : public ::testing::Test {
 protected:
  // The two sources, or a reason to skip.
  std::string open(const std::filesystem::path& path) {
    auto hardware = gpu::make_hardware_decode(0, &trace_);
    if (!hardware) return hardware.error().message();
    BackendRegistry registry;
    gpu::register_cuda_backends(registry);
    transfer_ = registry.create<MemoryTransfer>(Device::cuda, {&trace_, 0}, {}).value();
    software_ = opened(path, {});
    const VideoInfo info = software_->info();
    const std::string codec = info.codec + (info.pixel_format == "yuv420p10le" ? ", 10 bits" : "");
    if (!(*hardware)->supports(codec, info.width_px, info.height_px))
      return "this device does not decode " + codec;
    VideoOpenOptions options;
    options.hardware = *hardware;
    options.trace = &trace_;
    device_ = opened(path, options);
    return {};
  }

  // Compares the next frames of both sources; false at the end of the stream.
  bool compare_next() {
    const Result<DecodedFrame> expected = software_->read(), actual = device_->read();
    EXPECT_EQ(expected.has_value(), actual.has_value());
    if (!expected || !actual) return false;
    EXPECT_EQ(expected->index, actual->index);
    EXPECT_EQ(expected->time_ns, actual->time_ns);
    EXPECT_EQ(actual->picture.place().kind, MemoryKind::device) << device_->info().decoder;
    if (actual->picture.place().kind != MemoryKind::device) return false;
    const Picture fetched = transfer_->download(actual->picture, actual->index, -1).value();
    const bool same = same_pictures(expected->picture, fetched);
    EXPECT_TRUE(same) << "frame " << expected->index << " differs";
    return same;
  }

  static bool same_pictures(const Picture& planar, const Picture& interleaved) {
    PictureFormat format = interleaved.format();
    EXPECT_EQ(format.layout, PictureLayout::nv12);
    format.layout = PictureLayout::i420;
    EXPECT_TRUE(format == planar.format()) << "size, range or matrix differ";
    if (!(format == planar.format())) return false;
    for (int y = 0; y < planar.height(); ++y)
      if (std::memcmp(planar.plane(0).row(y), interleaved.plane(0).row(y),
                      static_cast<size_t>(planar.width())) != 0)
        return false;
    const ImageView<const uint8_t> chroma = interleaved.plane(1);
    for (int c = 0; c < 2; ++c) {
      const ImageView<const uint8_t> plane = planar.plane(1 + c);
      for (int y = 0; y < plane.height; ++y)
        for (int x = 0; x < plane.width; ++x)
          if (plane.at(x, y) != chroma.at(2 * x + c, y)) return false;
    }
    return true;
  }

  TraceRecorder trace_;
  std::unique_ptr<MemoryTransfer> transfer_;
  std::unique_ptr<VideoSource> software_, device_;
};
class NvdecTest : public SourcesOfBoth, public ::testing::WithParamInterface<Clip> {};
class NvdecMadeClips : public SourcesOfBoth, public ::testing::WithParamInterface<MadeClip> {};

TEST_P(NvdecTest, GivesTheFramesOfTheSoftwareDecoder) {
  VANTAGE_NEED_DATA(path, GetParam().path);
  if (const std::string reason = open(path); !reason.empty()) GTEST_SKIP() << reason;
  ASSERT_EQ(software_->info().codec, GetParam().codec);
  int frames = 0;
  while (compare_next()) ++frames;
  EXPECT_EQ(frames, software_->wait_for_frame_count({}).value());
}

TEST_P(NvdecTest, SeeksToTheSameFrames) {
  VANTAGE_NEED_DATA(path, GetParam().path);
  if (const std::string reason = open(path); !reason.empty()) GTEST_SKIP() << reason;
  const int64_t count = software_->wait_for_frame_count({}).value();
  ASSERT_EQ(device_->wait_for_frame_count({}).value(), count);
  for (const int64_t index : {count / 2, count / 2 - 1, int64_t{0}, count - 2, int64_t{7}}) {
    ASSERT_TRUE(software_->seek(index));
    ASSERT_TRUE(device_->seek(index));
    EXPECT_TRUE(compare_next()) << "after a seek to " << index;
    EXPECT_TRUE(compare_next()) << "behind a seek to " << index;
  }
}

// Many pictures are kept, more than the decoder has surfaces, while decoding goes on: none may be
// overwritten.
TEST_P(NvdecTest, KeptPicturesStayAsTheyAre) {
  VANTAGE_NEED_DATA(path, GetParam().path);
  if (const std::string reason = open(path); !reason.empty()) GTEST_SKIP() << reason;
  constexpr int kKept = 40;
  std::vector<Picture> kept;
  for (int i = 0; i < kKept; ++i) {
    const Result<DecodedFrame> frame = device_->read();
    ASSERT_TRUE(frame) << frame.error().message();
    kept.push_back(frame->picture);
  }
  for (int i = 0; i < kKept; ++i)
    ASSERT_TRUE(same_pictures(software_->read().value().picture, transfer_->download(kept[i], i, -1).value()))
        << "frame " << i;
}

// 10 bits are narrowed to 8, and colours are converted, alike by hardware and software; odd sizes are cropped
// out of the surface.
TEST_P(NvdecMadeClips, GiveTheFramesOfTheSoftwareDecoder) {
  constexpr int kFrames = 50;
  const test::TemporaryFolder folder;
  const std::string video = (folder.path() / (std::string(GetParam().name) + ".mp4")).string();
  if (!test::run_ffmpeg("-f lavfi -i testsrc2=s=322x242:r=25 -frames:v " + std::to_string(kFrames) + " " +
                        GetParam().arguments + " '" + video + "'"))
    GTEST_SKIP() << "this ffmpeg cannot make it";
  if (const std::string reason = open(video); !reason.empty()) GTEST_SKIP() << reason;
  EXPECT_EQ(device_->info().decoder, "nvdec");
  EXPECT_EQ(device_->info().conversion, software_->info().conversion);
  int frames = 0;
  while (compare_next()) ++frames;
  EXPECT_EQ(frames, kFrames);
}

INSTANTIATE_TEST_SUITE_P(
    Codecs, NvdecMadeClips,
    ::testing::Values(
        MadeClip{"h264_full", "-pix_fmt yuv420p -color_range pc -c:v libx264"},
        MadeClip{"h264_rotated", "-pix_fmt yuv420p -c:v libx264 -metadata:s:v rotate=90"},
        MadeClip{"hevc10_rotated",
                 "-pix_fmt yuv420p10le -color_range pc -c:v libx265 -x265-params log-level=none "
                 "-metadata:s:v rotate=270"},
        MadeClip{"h264_bt709", "-pix_fmt yuv420p -colorspace bt709 -c:v libx264"},
        MadeClip{"h264_full_bt709", "-pix_fmt yuv420p -color_range pc -colorspace bt709 -c:v libx264"},
        MadeClip{"hevc10_full_bt2020",
                 "-pix_fmt yuv420p10le -color_range pc -colorspace bt2020nc -c:v libx265 "
                 "-x265-params log-level=none"},
        MadeClip{"hevc", "-pix_fmt yuv420p -c:v libx265 -x265-params log-level=none"},
        MadeClip{"hevc10", "-pix_fmt yuv420p10le -c:v libx265 -x265-params log-level=none"},
        MadeClip{"vp9", "-pix_fmt yuv420p -c:v libvpx-vp9 -cpu-used 8 -b:v 400k"},
        MadeClip{"vp9_10", "-pix_fmt yuv420p10le -c:v libvpx-vp9 -profile:v 2 -cpu-used 8 -b:v 400k"},
        MadeClip{"av1", "-pix_fmt yuv420p -c:v libaom-av1 -cpu-used 8"},
        MadeClip{"av1_10", "-pix_fmt yuv420p10le -c:v libaom-av1 -cpu-used 8"}),
    [](const ::testing::TestParamInfo<MadeClip>& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(Clips, NvdecTest,
                         ::testing::Values(Clip{"pose2sim/single/cam01.mp4", "h264"},
                                           Clip{"pose2sim/single/cam02.mp4", "vp9"},
                                           Clip{"pose2sim/multi/cam01.mp4", "h264"},
                                           Clip{"sync-sports1/sports1_cam18.mp4", "h264"}),
                         [](const ::testing::TestParamInfo<Clip>& info) {
                           std::string name = info.param.path;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

}  // namespace
}  // namespace vantage
