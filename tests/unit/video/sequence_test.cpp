#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "core/image/image_files.h"
#include "tests/support/data.h"
#include "tests/unit/video/video_test_support.h"

namespace vantage::test {
namespace {

namespace fs = std::filesystem;

void write_image(const fs::path& path, int value, int width = 32, int height = 20) {
  Image image = Image::make(ImageType::u8, width, height, HostPool::shared()).value();
  const ImageView<uint8_t> view = image.writable_view<uint8_t>();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) view.at(x, y) = static_cast<uint8_t>(value + x);
  const Status written = write_png_gray(path, image);
  ASSERT_TRUE(written) << written.error().message();
}

// What a grey level of a PNG is in the range that is worked in.
int limited(int full) {
  return static_cast<int>(std::lround(16 + full * 219 / 255.0));
}

fs::path numbered(const fs::path& folder, int number) {
  char name[32];
  std::snprintf(name, sizeof name, "img_%04d.png", number);
  return folder / name;
}

void check_gapped(const std::string& path, int shift) {
  const auto opened = open_video(path, {});
  ASSERT_TRUE(opened) << opened.error().message();
  VideoSource& source = **opened;
  EXPECT_EQ(source.info().frame_count, 5);
  EXPECT_TRUE(source.info().frame_count_exact);
  for (int64_t i = 0; i < 5; ++i) {
    const DecodedFrame frame = source.read().value();
    EXPECT_EQ(frame.index, i);
    EXPECT_EQ(frame.time_ns, -1);
    const bool missing = i == 2 || i == 3;
    EXPECT_EQ(!frame.picture, missing);
    EXPECT_EQ(!frame.problem.empty(), missing) << frame.problem;
    if (missing) {
      EXPECT_NE(frame.problem.find(std::to_string(shift + i)), std::string::npos) << frame.problem;
    } else {
      EXPECT_EQ(frame.picture.plane(0).at(3, 2), limited(10 * static_cast<int>(i) + 3));
    }
  }
  EXPECT_EQ(source.read().error().kind, ErrorKind::end_of_stream);
  ASSERT_TRUE(source.seek(1));
  EXPECT_EQ(source.read()->index, 1);
  EXPECT_EQ(source.seek(5).error().kind, ErrorKind::end_of_stream);
  EXPECT_EQ(source.problems().size(), 2u);
}

TEST(ImageSequenceTest, PatternFolderAndWildcardKeepGaps) {
  const TemporaryFolder folder;
  for (const int i : {0, 1, 4}) write_image(numbered(folder.path(), 7 + i), 10 * i);
  std::ofstream(folder.path() / "notes.txt") << "not an image";
  check_gapped((folder.path() / "img_%04d.png").string(), 7);
  check_gapped(folder.path().string(), 7);
  check_gapped((folder.path() / "*.png").string(), 7);
  const uint64_t hash = (*open_video(folder.path().string(), {}))->content_hash();
  fs::rename(numbered(folder.path(), 11), numbered(folder.path(), 12));
  EXPECT_NE((*open_video(folder.path().string(), {}))->content_hash(), hash);
}

TEST(ImageSequenceTest, GreyIsLumaInLimitedRange) {
  const TemporaryFolder folder;
  write_image(folder.path() / "a1.png", 40, 33, 21);  // odd sizes
  const DecodedFrame frame = (*open_video(folder.path().string(), {}))->read().value();
  EXPECT_EQ(frame.picture.format().range, ColorRange::limited);
  EXPECT_EQ(frame.picture.format().matrix, ColorMatrix::bt601);
  ASSERT_EQ(frame.picture.width(), 33);
  EXPECT_EQ(frame.picture.plane(1).width, 17);
  EXPECT_EQ(frame.picture.plane(1).height, 11);
  for (int y = 0; y < 21; ++y)
    for (int x = 0; x < 33; ++x) ASSERT_EQ(frame.picture.plane(0).at(x, y), limited(40 + x)) << x << " " << y;
  for (int y = 0; y < 11; ++y)
    for (int x = 0; x < 17; ++x) ASSERT_EQ(frame.picture.plane(1).at(x, y), 128) << x << " " << y;
}

TEST(ImageSequenceTest, FilesOfOtherNamesAndADamagedOne) {
  const TemporaryFolder folder;
  write_image(folder.path() / "alpha.png", 1);
  write_image(folder.path() / "beta.png", 2);
  std::ofstream(folder.path() / "gamma.png") << "damaged";
  write_image(folder.path() / "zeta.png", 4, 48, 16);
  const auto source = open_video((folder.path() / "*.png").string(), {});
  ASSERT_TRUE(source) << source.error().message();
  EXPECT_EQ((*source)->info().frame_count, 4);
  EXPECT_EQ((*source)->read()->picture.plane(0).at(0, 0), limited(1));
  EXPECT_EQ((*source)->read()->picture.plane(0).at(0, 0), limited(2));
  const DecodedFrame broken = (*source)->read().value();
  EXPECT_FALSE(broken.picture);
  EXPECT_FALSE(broken.problem.empty());
  EXPECT_EQ((*source)->read()->picture.width(), 48);
  ASSERT_EQ((*source)->problems().size(), 1u);
  EXPECT_EQ((*source)->problems()[0].first, 2);
}

TEST(ImageSequenceTest, NothingThereIsAnError) {
  const TemporaryFolder folder;
  for (const char* name : {"", "img_%04d.png", "*.jpg"}) {
    const auto source = open_video((folder.path() / name).string(), {});
    ASSERT_FALSE(source) << name;
    EXPECT_EQ(source.error().kind, ErrorKind::not_found);
  }
  EXPECT_FALSE(open_video((folder.path() / "absent" / "*.png").string(), {}));
}

// The grey levels of the pictures that a folder plays, and -1 where there is none.
std::vector<int> played(const fs::path& folder) {
  const auto source = open_video(folder.string(), {});
  EXPECT_TRUE(source) << source.error().message();
  std::vector<int> levels;
  for (int64_t i = 0; source && i < (*source)->info().frame_count; ++i) {
    const auto frame = (*source)->read();
    levels.push_back(frame && frame->picture ? frame->picture.plane(0).at(0, 0) : -1);
  }
  return levels;
}

TEST(ImageSequenceTest, PicturesPlayInTheOrderOfTheNumberThatCounts) {
  std::vector<int> expected;
  for (int i = 0; i < 12; ++i) expected.push_back(limited(10 * i));
  for (const char* form : {"%d.png", "frame_%d_640x480.png", "cam1.%d.png", "%d_cam2.png", "shot (%d).png",
                           "2024-05-17_%d_final.png", "img%04d.png"}) {
    const TemporaryFolder folder;
    char name[64];
    for (int i = 0; i < 12; ++i) {
      std::snprintf(name, sizeof name, form, i);
      write_image(folder.path() / name, 10 * i);
    }
    EXPECT_EQ(played(folder.path()), expected) << form;
    write_image(folder.path() / "._cover.png", 3);
    write_image(folder.path() / "cover.png", 3);
    EXPECT_EQ(played(folder.path()), expected) << form << " with a picture of another name";
    EXPECT_NE((*open_video(folder.path().string(), {}))->info().order.find("cover.png"), std::string::npos)
        << form;
  }
}

TEST(ImageSequenceTest, NamesInMillisecondsAreTimesAndTwoCamerasAQuestion) {
  const TemporaryFolder folder;
  std::vector<int> expected;
  for (int i = 0; i < 24; ++i) {
    write_image(folder.path() / (std::to_string(40 * i) + ".png"), 10 * i % 200);
    expected.push_back(limited(10 * i % 200));
  }
  EXPECT_EQ(played(folder.path()), expected);
  const TemporaryFolder two;
  for (int i = 0; i < 6; ++i)
    for (const char* camera : {"cam1_", "cam2_"})
      write_image(two.path() / (camera + std::to_string(i) + ".png"), i);
  const auto both = open_video(two.path().string(), {});
  ASSERT_FALSE(both);
  EXPECT_NE(both.error().message().find("several cameras in one folder"), std::string::npos)
      << both.error().message();
  EXPECT_EQ((*open_video((two.path() / "cam1_%d.png").string(), {}))->info().frame_count, 6);
  EXPECT_EQ((*open_video((two.path() / "cam2_*.png").string(), {}))->info().frame_count, 6);
}

TEST(ImageSequenceTest, ColourImagesEqualFfmpegs) {
  VANTAGE_NEED_FFMPEG();
  const TemporaryFolder folder;
  ASSERT_TRUE(run_ffmpeg("-f lavfi -i testsrc2=s=64x48:r=25:d=1 -frames:v 3 '" +
                         (folder.path() / "f%d.png").string() + "'"));
  ASSERT_TRUE(run_ffmpeg("-f lavfi -i testsrc2=s=64x48:r=25:d=1 -frames:v 3 '" +
                         (folder.path() / "f%d.jpg").string() + "'"));
  for (const char* extension : {"png", "jpg"}) {
    const std::string pattern = (folder.path() / ("f%d." + std::string(extension))).string();
    const auto source = open_checked(pattern);
    ASSERT_TRUE(source);
    EXPECT_EQ(play(*source), ffmpeg_frame_md5(pattern));
    EXPECT_EQ(source->info().conversion,
              source->info().pixel_format == "yuvj420p"
                  ? "full to limited range"
                  : "rgb24 to yuv420p by libswscale (bilinear), full to limited range");
    ASSERT_TRUE(source->seek(0));
    EXPECT_EQ(source->read()->picture.format().range, ColorRange::limited);
  }
}

}  // namespace
}  // namespace vantage::test
