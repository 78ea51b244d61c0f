// Video and empty-scene clip as files of different kinds: what is foreground does not depend on them.
#include <gtest/gtest.h>

#include <map>

#include "core/algorithms.h"
#include "core/foreground/foreground.h"
#include "tests/support/data.h"
#include "tests/support/uu_voxel.h"
#include "tests/unit/video/video_test_support.h"

namespace vantage::test {
namespace {

namespace fs = std::filesystem;

constexpr int kFrames = 10;  // of each clip
// Two codings of the same picture in 8 bits are rounded differently before anything is compared: half a level
// (root mean square) where range or matrix differ. That is what the edges of a mask show; without the
// conversions the agreement is far below one half.
constexpr double kLosslessAgreement = 0.97, kAgreement = 0.96, kSameCoding = 0.995;

struct Kind {
  const char* name;  // of a file; of a sequence with a number
  bool hd, full;     // matrix and range
  bool lossless;
  bool as_worked_in;  // rounded once, to the range and matrix of small pictures
  const char *pixels, *arguments;
};

constexpr Kind kKinds[] = {
    {"sd.mp4", false, false, true, true, "yuv420p",
     "-colorspace smpte170m -color_range tv -c:v libx264 -qp 0"},
    {"sd_full.mp4", false, true, true, false, "yuv420p",
     "-colorspace smpte170m -color_range pc -c:v libx264 -qp 0"},
    {"hd.mp4", true, false, true, false, "yuv420p", "-colorspace bt709 -color_range tv -c:v libx264 -qp 0"},
    {"hd_full.mp4", true, true, true, false, "yuv420p",
     "-colorspace bt709 -color_range pc -c:v libx264 -qp 0"},
    {"image%03d.png", false, true, true, true, "rgb24", "-c:v png"},
    {"image%03d.jpg", false, true, false, false, "yuvj420p", "-q:v 2 -c:v mjpeg"}};

struct Footage {
  fs::path file;
  int first_frame = 0;
};

// The frames as RGB: what the camera saw, from which every kind is made.
std::string as_images(const Footage& footage, const fs::path& folder) {
  fs::create_directories(folder);
  const std::string images = (folder / "seen%03d.png").string();
  EXPECT_TRUE(run_ffmpeg("-i '" + footage.file.string() + "' -vf \"select='between(n," +
                         std::to_string(footage.first_frame) + "," +
                         std::to_string(footage.first_frame + kFrames - 1) +
                         ")',scale=in_color_matrix=bt601:in_range=tv:out_range=pc,format=rgb24\"" +
                         " -fps_mode passthrough '" + images + "'"));
  return images;
}

// The pixels' format is one of the filters: FFmpeg 7 converts what is asked for behind them a second time,
// and otherwise.
std::vector<Picture> recoded(const std::string& images, const Kind& kind) {
  const std::string file = (fs::path(images).parent_path() / kind.name).string();
  EXPECT_TRUE(run_ffmpeg("-i '" + images + "' -vf scale=out_color_matrix=" + (kind.hd ? "bt709" : "bt601") +
                         ":out_range=" + (kind.full ? "pc" : "tv") +
                         ":flags=bilinear+accurate_rnd+bitexact,format=" + kind.pixels + " " +
                         kind.arguments + " '" + file + "'"));
  const auto source = open_checked(file);
  std::vector<Picture> pictures;
  while (const Result<DecodedFrame> frame = source->read()) pictures.push_back(frame->picture);
  EXPECT_EQ(pictures.size(), kFrames);
  return pictures;
}

std::vector<Image> masks_of(const std::vector<Picture>& clip, const std::vector<Picture>& video) {
  BackendRegistry registry;
  register_foreground_cpu(registry);
  const auto model = registry.create<ForegroundModel>(Device::cpu, {}, {}).value();
  std::vector<Image> masks;
  for (const Picture& picture : clip) EXPECT_TRUE(model->learn(picture, -1));
  for (size_t i = 0; i < video.size(); ++i)
    masks.push_back(model->apply(video[i], static_cast<int64_t>(i)).value().mask);
  return masks;
}

double agreement(const std::vector<Image>& a, const std::vector<Image>& b) {
  int64_t both = 0, either = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const ImageView<const uint8_t> one = a[i].view<uint8_t>(), two = b[i].view<uint8_t>();
    for (int y = 0; y < one.height; ++y)
      for (int x = 0; x < one.width; ++x) {
        both += one.at(x, y) && two.at(x, y);
        either += one.at(x, y) || two.at(x, y);
      }
  }
  return static_cast<double>(both) / static_cast<double>(either);
}

void check_all_pairs(const Footage& clip, const Footage& video) {
  const TemporaryFolder folder;
  std::vector<std::vector<Picture>> clips, videos;
  const std::string clip_images = as_images(clip, folder.path() / "clip"),
                    video_images = as_images(video, folder.path() / "video");
  for (const Kind& kind : kKinds) {
    clips.push_back(recoded(clip_images, kind));
    videos.push_back(recoded(video_images, kind));
  }
  const std::vector<Image> expected = masks_of(clips[0], videos[0]);
  double worst = 1, worst_lossless = 1;
  for (size_t c = 0; c < std::size(kKinds); ++c)
    for (size_t v = 0; v < std::size(kKinds); ++v) {
      const double share = agreement(masks_of(clips[c], videos[v]), expected);
      const bool lossless = kKinds[c].lossless && kKinds[v].lossless;
      const bool same = kKinds[c].as_worked_in && kKinds[v].as_worked_in;
      EXPECT_GE(share, same       ? kSameCoding
                       : lossless ? kLosslessAgreement
                                  : kAgreement)
          << kKinds[v].name << " with the empty scene " << kKinds[c].name;
      (lossless ? worst_lossless : worst) = std::min(lossless ? worst_lossless : worst, share);
    }
  ::testing::Test::RecordProperty("lossless", std::to_string(worst_lossless));
  ::testing::Test::RecordProperty("others", std::to_string(worst));
}

class ForegroundOfFilesOfEveryKind : public ::testing::TestWithParam<int> {};

TEST_P(ForegroundOfFilesOfEveryKind, AllPairsAgree) {
  VANTAGE_NEED_FFMPEG();
  VANTAGE_NEED_DATA(data, "uu-voxel-1p");
  const fs::path camera = data / uu_voxel_camera(GetParam());
  check_all_pairs({camera / "background.avi", 20}, {camera / "video.avi", 400});
}

INSTANTIATE_TEST_SUITE_P(Cameras, ForegroundOfFilesOfEveryKind, ::testing::Values(0, 2));

}  // namespace
}  // namespace vantage::test
