// How a source deals with hardware that refuses: without a GPU, through hardware that never works.
#include <gtest/gtest.h>

extern "C" {
#include <libavutil/hwcontext.h>
}

#include "core/video/detail/frame_decoder.h"
#include "tests/support/data.h"
#include "tests/unit/video/video_test_support.h"

namespace vantage::test {
namespace {

class NoHardware final : public HardwareDecode {
 public:
  explicit NoHardware(bool supports, ErrorKind kind = ErrorKind::unsupported)
      : supports_(supports), kind_(kind) {}
  Result<AVBufferRef*> device_context() override {
    ++contexts;
    return fail(kind_, "the device has no decoder");
  }
  Result<Picture> copy_out(const AVFrame&, int, int64_t) override {
    return fail(ErrorKind::unsupported, "never called");
  }
  bool supports(const std::string& codec, int width_px, int height_px) const override {
    asked = codec + " " + std::to_string(width_px) + "x" + std::to_string(height_px);
    return supports_;
  }
  mutable std::string asked;
  int contexts = 0;

 private:
  bool supports_;
  ErrorKind kind_;
};

// A device of another kind than the decoder's, so that no hardware decoder gets going. FFmpeg's own AV1
// decoder then starts and gives no picture at all; that of H.264 decodes in software.
class UselessHardware final : public HardwareDecode {
 public:
  Result<AVBufferRef*> device_context() override { return av_hwdevice_ctx_alloc(AV_HWDEVICE_TYPE_DRM); }
  Result<Picture> copy_out(const AVFrame&, int, int64_t) override {
    return fail(ErrorKind::unsupported, "never called");
  }
  bool supports(const std::string&, int, int) const override { return true; }
};

// Until the end, and beyond what is waited for.
TEST(HardwareDecodeTest, HardwareWithoutAPictureGivesWayToSoftware) {
  for (const int frames : {20, static_cast<int>(FrameDecoder::kPacketsOnTrial) + 20}) {
    const TemporaryFolder folder;
    const std::string video = (folder.path() / "v.mkv").string();
    if (!run_ffmpeg("-f lavfi -i testsrc2=s=96x64:r=25 -frames:v " + std::to_string(frames) +
                    " -pix_fmt yuv420p -c:v libaom-av1 -usage realtime -cpu-used 8 -g 50 '" + video + "'"))
      GTEST_SKIP() << "this ffmpeg makes no AV1";
    const auto software = open_checked(video);
    const std::vector<std::string> expected = play(*software);
    ASSERT_EQ(expected.size(), static_cast<size_t>(frames));
    VideoOpenOptions options;
    options.hardware = std::make_shared<UselessHardware>();
    options.native_checksum = true;
    const auto source = open_video(video, options);
    ASSERT_TRUE(source) << source.error().message();
    EXPECT_EQ((*source)->info().decoder, "software (the hardware refused the stream)");
    EXPECT_EQ(play(**source), expected);
    EXPECT_TRUE((*source)->problems().empty());
    ASSERT_TRUE((*source)->seek(frames / 2));
    EXPECT_EQ((*source)->read().value().native_md5, expected[frames / 2]);
  }
}

TEST(HardwareDecodeTest, RefusalFallsBackToSoftwareAndSaysWhy) {
  const TemporaryFolder folder;
  const auto video = folder.path() / "v.mp4";
  write_pattern_video(video, {PictureLayout::i420, 96, 64}, 20);
  const std::vector<std::string> expected = play(*open_checked(video));
  for (const bool supports : {false, true}) {
    const auto hardware = std::make_shared<NoHardware>(supports);
    VideoOpenOptions options;
    options.hardware = hardware;
    options.native_checksum = true;
    const auto source = open_video(video.string(), options);
    ASSERT_TRUE(source) << source.error().message();
    EXPECT_EQ(hardware->asked, "h264 96x64");
    EXPECT_EQ(hardware->contexts, supports ? 1 : 0);
    const std::string decoder = (*source)->info().decoder;
    EXPECT_EQ(decoder.rfind("software (", 0), 0u) << decoder;
    if (supports) {
      EXPECT_NE(decoder.find("no decoder"), std::string::npos) << decoder;
    }
    EXPECT_EQ(play(**source), expected);
  }
}

TEST(HardwareDecodeTest, ALostDeviceIsAnErrorNotAFallBack) {
  const TemporaryFolder folder;
  const auto video = folder.path() / "v.mp4";
  write_pattern_video(video, {PictureLayout::i420, 96, 64}, 5);
  VideoOpenOptions options;
  options.hardware = std::make_shared<NoHardware>(true, ErrorKind::device_lost);
  const auto source = open_video(video.string(), options);
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().kind, ErrorKind::device_lost);
}

}  // namespace
}  // namespace vantage::test
