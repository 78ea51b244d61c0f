#include "core/video/video_writer.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "tests/support/data.h"
#include "tests/unit/video/video_test_support.h"

namespace vantage::test {
namespace {

namespace fs = std::filesystem;

size_t files_in(const fs::path& folder) {
  return static_cast<size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(VideoWriterTest, LosslessVideoComesBackBitByBit) {
  const TemporaryFolder folder;
  for (const PictureLayout layout : {PictureLayout::i420, PictureLayout::nv12}) {
    const fs::path path = folder.path() / "lossless.mp4";
    const PictureFormat format{layout, 130, 78, ColorRange::limited, ColorMatrix::bt601};
    write_pattern_video(path, format, 30, {.frame_rate = 50, .crf = 0, .gop_frames = 9, .b_frames = 2});
    const auto source = open_checked(path);
    ASSERT_TRUE(source);
    EXPECT_DOUBLE_EQ(source->info().frame_rate, 50);
    for (int i = 0; i < 30; ++i) {
      const DecodedFrame frame = source->read().value();
      EXPECT_NEAR(static_cast<double>(frame.time_ns), i * 2e7, 1);
      EXPECT_EQ(frame.picture.format().range, ColorRange::limited);
      EXPECT_EQ(frame.picture.format().matrix, ColorMatrix::bt601);
      const Picture written = pattern(format, i);
      ASSERT_EQ(frame.picture.format().layout, PictureLayout::i420);
      for (int y = 0; y < 78; ++y)
        for (int x = 0; x < 130; ++x) ASSERT_EQ(frame.picture.plane(0).at(x, y), written.plane(0).at(x, y));
      for (int y = 0; y < 39; ++y)
        for (int x = 0; x < 65; ++x)
          for (int c = 0; c < 2; ++c) {
            const uint8_t expected = layout == PictureLayout::i420 ? written.plane(1 + c).at(x, y)
                                                                   : written.plane(1).at(2 * x + c, y);
            ASSERT_EQ(frame.picture.plane(1 + c).at(x, y), expected);
          }
    }
    EXPECT_FALSE(source->read());
  }
}

TEST(VideoWriterTest, SameInputGivesTheSameFile) {
  const TemporaryFolder folder;
  for (const char* name : {"a.mp4", "b.mp4"})
    write_pattern_video(folder.path() / name, {PictureLayout::i420, 96, 64}, 40);
  EXPECT_EQ((*open_video((folder.path() / "a.mp4").string(), {}))->content_hash(),
            (*open_video((folder.path() / "b.mp4").string(), {}))->content_hash());
}

TEST(VideoWriterTest, UnfinishedVideoLeavesNothingAndTheOldFileIntact) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "v.mp4";
  std::ofstream(path) << "old";
  {
    auto writer = VideoWriter::open(path, {PictureLayout::i420, 96, 64}, {});
    ASSERT_TRUE(writer);
    ASSERT_TRUE((*writer)->write(pattern({PictureLayout::i420, 96, 64}, 0)));
    EXPECT_EQ(fs::file_size(path), 3u);
  }
  EXPECT_EQ(files_in(folder.path()), 1u);
  EXPECT_EQ(fs::file_size(path), 3u);
}

TEST(VideoWriterTest, WrongUseAndUnwritableFoldersAreErrors) {
  const TemporaryFolder folder;
  const PictureFormat format{PictureLayout::i420, 96, 64};
  const auto absent = VideoWriter::open(folder.path() / "absent" / "v.mp4", format, {});
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().kind, ErrorKind::io);
  EXPECT_FALSE(absent.error().remedy.empty());
  EXPECT_FALSE(VideoWriter::open(folder.path() / "v.unknown", format, {}));
  EXPECT_EQ(VideoWriter::open(folder.path() / "v.mp4", {PictureLayout::i420, 97, 64}, {}).error().kind,
            ErrorKind::unsupported);
  EXPECT_FALSE(VideoWriter::open(folder.path() / "v.mp4", format, {.crf = 99}));
  auto writer = VideoWriter::open(folder.path() / "v.mp4", format, {});
  ASSERT_TRUE(writer);
  EXPECT_FALSE((*writer)->write(pattern({PictureLayout::i420, 64, 64}, 0)));
  EXPECT_FALSE((*writer)->write(Picture()));
  writer->reset();
  if (::geteuid() != 0) {
    fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
    EXPECT_EQ(VideoWriter::open(folder.path() / "v.mp4", format, {}).error().kind, ErrorKind::io);
    fs::permissions(folder.path(), fs::perms::owner_all);
  }
  EXPECT_EQ(files_in(folder.path()), 0u);
}

TEST(VideoWriterTest, FullDiskIsReportedAndLeavesNothing) {
  const TemporaryFolder folder;
  rlimit old = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {20000, old.rlim_max};  // a file that cannot grow, as on a full disk
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  Status status;
  {
    const PictureFormat format{PictureLayout::i420, 320, 240};
    auto writer = VideoWriter::open(folder.path() / "v.mp4", format, {.crf = 1});
    ASSERT_TRUE(writer);
    for (int i = 0; i < 60 && status; ++i) status = (*writer)->write(pattern(format, i));
    if (status) status = (*writer)->finish();
  }
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::io);
  EXPECT_NE(status.error().remedy.find("disk"), std::string::npos);
  EXPECT_EQ(files_in(folder.path()), 0u);
}

}  // namespace
}  // namespace vantage::test
