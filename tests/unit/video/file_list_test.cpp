// One camera in several files plays as the one video that was cut into them.
#include "core/video/file_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "core/base/file.h"
#include "core/video/frame_source.h"
#include "tests/support/data.h"
#include "tests/unit/video/video_test_support.h"

namespace vantage::test {
namespace {

namespace fs = std::filesystem;

// A video of 200 frames, and its parts, each from a key picture to the next.
class FileListTest : public testing::Test {
 protected:
  static constexpr int kFrames = 200, kKeyEvery = 25;

  void SetUp() override {
    VANTAGE_NEED_FFMPEG();
    ASSERT_TRUE(
        run_ffmpeg("-f lavfi -i testsrc2=s=176x144:r=25:d=8 -c:v libx264 -preset ultrafast -bf 2 -g 25 "
                   "-sc_threshold 0 '" +
                   path("whole.mp4").string() + "'"));
    const auto source = open_checked(path("whole.mp4"));
    ASSERT_TRUE(source);
    whole_ = play(*source);
    ASSERT_EQ(whole_.size(), static_cast<size_t>(kFrames));
  }

  fs::path path(const std::string& name) const { return folder_.path() / name; }

  // Frames [begin, end), which key pictures bound, as they were encoded.
  ListedFile part(const std::string& name, int begin, int end) const {
    ListedFile entry{path(name), begin, end - begin};
    EXPECT_TRUE(run_ffmpeg(fmt_cut(begin, end) + " '" + entry.file.string() + "'"));
    const auto source = open_checked(entry.file);
    if (!source) return entry;
    EXPECT_EQ(source->wait_for_frame_count({}).value_or(0), entry.frames) << name;
    entry.identity = identify_video(entry.file.string()).value_or(VideoIdentity());
    return entry;
  }
  std::string fmt_cut(int begin, int end) const {
    return "-ss " + std::to_string(begin / 25.0) + " -i '" + path("whole.mp4").string() + "' -frames:v " +
           std::to_string(end - begin) + " -c copy";
  }
  FileList list_of(std::vector<ListedFile> files) const {
    return {"the clocks in their names", "2026-01-01T22:00:00", 25, 176, 144, std::move(files)};
  }
  std::unique_ptr<VideoSource> open(const FileList& list) const {
    EXPECT_TRUE(write_file_list(path("cam1.files"), list));
    return open_checked(path("cam1.files"));
  }

  const TemporaryFolder folder_;
  std::vector<std::string> whole_;  // MD5 by frame
};

TEST_F(FileListTest, PlaysAndSeeksAsTheWholeVideoAcrossContainers) {
  const auto source = open(list_of(
      {part("a.mp4", 0, 50), part("b.mkv", 50, 125), part("c.ts", 125, 150), part("d.mp4", 150, 200)}));
  ASSERT_TRUE(source);
  const VideoInfo info = source->info();
  EXPECT_EQ(info.frame_count, kFrames);
  EXPECT_TRUE(info.frame_count_exact);
  EXPECT_TRUE(gaps_in(*info.picture_of_frame).empty());
  EXPECT_EQ(info.timing, "4 files by the clocks in their names");
  EXPECT_EQ(play(*source), whole_);
  for (int64_t frame = kFrames - 1; frame >= 0; --frame) {  // backward over every joint
    ASSERT_TRUE(source->seek(frame));
    ASSERT_EQ(source->read()->native_md5, whole_[static_cast<size_t>(frame)]) << frame;
    EXPECT_LE(source->start_before(frame), frame);
  }
  std::mt19937_64 random(test_seed());
  check_random_access(*source, whole_, 150, random);
  EXPECT_TRUE(source->problems().empty());
}

TEST_F(FileListTest, FramesOfNoFileAreUnknown) {
  ListedFile second = part("b.mkv", 50, 125), third = part("c.mp4", 125, 200);
  second.first_frame += 40, third.first_frame += 41;
  const FileList list = list_of({part("a.mp4", 0, 50), second, third});
  const auto source = open(list);
  ASSERT_TRUE(source);
  std::vector<std::string> expected = whole_;
  expected.insert(expected.begin() + 125, 1, "");
  expected.insert(expected.begin() + 50, 40, "");
  EXPECT_EQ(play(*source), expected);
  std::mt19937_64 random(test_seed());
  check_random_access(*source, expected, 100, random);
  const VideoInfo info = source->info();
  EXPECT_EQ(gaps_in(*info.picture_of_frame), (std::vector<VideoGap>{{50, 40}, {165, 1}}));
  EXPECT_EQ(info.picture_of_frame->at(90), 50);
  EXPECT_EQ(
      info.timing,
      "3 files by the clocks in their names, without pictures: frames 50 to 89 (1.60 s), frame 165 (0.04 s)");
  ASSERT_TRUE(source->seek(60));
  const auto frame = source->read();
  ASSERT_TRUE(frame);
  EXPECT_FALSE(frame->picture);
  EXPECT_EQ(frame->problem, "no file has a picture of this time");
  EXPECT_EQ(frame->time_ns, 2'400'000'000);
  EXPECT_EQ(source->problems().size(), 41u);
  EXPECT_EQ(
      file_list_lines(list),
      (std::vector<std::string>{"a.mp4: frames 0 to 49 (2.00 s)", "gap: frames 50 to 89 (1.60 s), unknown",
                                "b.mkv: frames 90 to 164 (3.00 s)", "gap: frame 165 (0.04 s), unknown",
                                "c.mp4: frames 166 to 240 (3.00 s)"}));
}

TEST_F(FileListTest, WhereFilesOverlapTheEarlierOneIsShown) {
  // The same 25 pictures are in both files; the second one's are marked by their position alone.
  ListedFile second = part("b.mp4", 50, 125);
  second.first_frame = 40;
  const FileList list = list_of({part("a.mp4", 0, 50), second});
  const auto source = open(list);
  ASSERT_TRUE(source);
  std::vector<std::string> expected(whole_.begin(), whole_.begin() + 50);
  expected.insert(expected.end(), whole_.begin() + 60, whole_.begin() + 125);
  EXPECT_EQ(play(*source), expected);
  std::mt19937_64 random(test_seed());
  check_random_access(*source, expected, 60, random);
  EXPECT_NE(file_list_text(list).find("where files overlap (0.40 s) the earlier one is shown"),
            std::string::npos);
  EXPECT_NE(file_list_lines(list).at(1).find("its first 10 frames (0.40 s) are not shown"), std::string::npos)
      << file_list_lines(list).at(1);
}

TEST_F(FileListTest, AFilesOwnGapsStay) {
  ASSERT_TRUE(run_ffmpeg("-i '" + path("whole.mp4").string() +
                         "' -vf select='not(between(n\\,10\\,19))' -fps_mode vfr "
                         "-c:v libx264 -preset ultrafast '" +
                         path("a.mp4").string() + "'"));
  const auto gapped = open_video(path("a.mp4").string(), {});
  ASSERT_TRUE(gapped);
  ListedFile first{path("a.mp4"), 0, (*gapped)->info().frame_count,
                   identify_video(path("a.mp4").string()).value(),
                   gaps_in(*(*gapped)->info().picture_of_frame)};
  ASSERT_EQ(first.frames, kFrames);
  ListedFile second = part("b.mp4", 0, 50);
  second.first_frame = kFrames;
  const auto source = open(list_of({first, second}));
  ASSERT_TRUE(source);
  EXPECT_EQ(gaps_in(*source->info().picture_of_frame), (std::vector<VideoGap>{{10, 10}}));
  for (const int64_t frame : {9, 10, 19, 20, 199, 200}) {
    ASSERT_TRUE(source->seek(frame));
    EXPECT_EQ(static_cast<bool>(source->read()->picture), frame < 10 || frame > 19) << frame;
  }
}

// Two cameras that recorded the same, cut at other times: their frame sets are those of the uncut videos.
TEST_F(FileListTest, CamerasCutAtDifferentTimesStayTogether) {
  ASSERT_TRUE(write_file_list(path("cam1.files"), list_of({part("a1.mp4", 0, 75), part("a2.mkv", 75, 200)})));
  ASSERT_TRUE(write_file_list(path("cam2.files"), list_of({part("b1.mp4", 0, 50), part("b2.mp4", 50, 125),
                                                           part("b3.mp4", 125, 200)})));
  FrameSourceOptions options;
  for (const char* name : {"cam1.files", "cam2.files", "whole.mp4"})
    options.cameras.push_back({.name = name, .path = path(name).string()});
  const auto source = FrameSource::open(std::move(options));
  ASSERT_TRUE(source) << source.error().message();
  EXPECT_EQ((*source)->frame_count(), kFrames);
  const auto expect = [&](int64_t frame) {
    const auto set = (*source)->read(frame);
    ASSERT_TRUE(set) << frame;
    for (const size_t camera : {0, 1}) {
      ASSERT_TRUE(set->cameras[camera].picture) << frame;
      EXPECT_TRUE(same_pixels(set->cameras[camera].picture, set->cameras[2].picture)) << frame;
    }
  };
  for (int64_t frame = 0; frame < kFrames; ++frame) expect(frame);
  for (const int64_t frame : {124, 125, 49, 50, 74, 75, 0}) expect(frame);
}

TEST_F(FileListTest, AFileThatIsMissingOrAnotherOneIsNamed) {
  const FileList list = list_of({part("a.mp4", 0, 50), part("b.mp4", 50, 125), part("c.mp4", 125, 200)});
  ASSERT_TRUE(write_file_list(path("cam1.files"), list));
  const auto error = [&] {
    const auto source = open_video(path("cam1.files").string(), {});
    return source ? std::string() : source.error().message();
  };
  EXPECT_EQ(error(), "");
  fs::rename(path("b.mp4"), path("kept.mp4"));
  EXPECT_NE(error().find("b.mp4: file 2 of 3 of "), std::string::npos) << error();
  fs::copy_file(path("kept.mp4"), path("b.mp4"));
  fs::resize_file(path("b.mp4"), fs::file_size(path("b.mp4")) / 2);
  EXPECT_NE(error().find(std::to_string(list.files[1].identity.bytes) + " were expected"), std::string::npos)
      << error();

  // As long, but of other content: its frames are unknown, the others' are shown.
  fs::copy_file(path("kept.mp4"), path("b.mp4"), fs::copy_options::overwrite_existing);
  std::fstream(path("b.mp4"), std::ios::in | std::ios::out | std::ios::binary)
      .seekp(1000)
      .write("XXXXXXXX", 8);
  const auto source = open_checked(path("cam1.files"));
  ASSERT_TRUE(source);
  std::vector<std::string> expected = whole_;
  std::fill(expected.begin() + 50, expected.begin() + 125, "");
  EXPECT_EQ(play(*source), expected);
  ASSERT_TRUE(source->seek(60));
  EXPECT_NE(source->read()->problem.find("its content is not the one that the list states"),
            std::string::npos);
  EXPECT_NE(source->problems().at(0).second.find("b.mp4"), std::string::npos);
}

FileList small_list(const fs::path& folder) {
  FileList list{"their chapters", "", 29.97, 96, 64, {}};
  list.files.push_back({folder / "day" / "a.mp4", 0, 100, {1000, 1}, {{5, 2}, {9, 1}}});
  list.files.push_back({folder / "b.mkv", 100, 50, {900, 2}, {}});
  return list;
}

TEST(FileListFile, IsReadAsItIsWritten) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "project" / "cam1.files";
  ASSERT_TRUE(make_folder(file.parent_path()));
  const FileList list = small_list(folder.path() / "night");
  ASSERT_TRUE(write_file_list(file, list));
  EXPECT_NE(read_file(file)->find("\"folder\": \"../night\""), std::string::npos) << *read_file(file);
  const auto read = read_file_list(file);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(*read, list);
  EXPECT_EQ(moved_to(list, "/x").files[0].file, "/x/day/a.mp4");
  const auto identity = identify_video(file.string());
  ASSERT_TRUE(identity);
  ASSERT_TRUE(write_file_list(file, moved_to(list, "/x")));
  EXPECT_EQ(identify_video(file.string()).value(), *identity) << "wherever the files lie";
}

TEST(FileListFile, DamageIsNamed) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "cam1.files";
  ASSERT_TRUE(write_file_list(file, small_list(folder.path())));
  const std::string good = read_file(file).value();
  const auto error_with = [&](const std::string& old, const std::string& replacement) {
    std::string text = good;
    const size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    text.replace(at, old.size(), replacement);
    EXPECT_TRUE(write_file_atomically(file, text));
    const auto read = read_file_list(file);
    return read ? std::string("it was read") : read.error().message();
  };
  for (const auto& [old, replacement, expected] : std::vector<std::array<std::string, 3>>{
           {"vantage files 1", "vantage files 9", "format: 'vantage files 1' was expected"},
           {"29.97", "-1", "frame_rate, width_px, height_px"},
           {"\"first_frame\": 0", "\"first_frame\": 3", "files, number 1, first_frame: 0 was expected"},
           {"\"first_frame\": 100", "\"first_frame\": -100", "files, number 2: first_frame of at least 0"},
           {"\"first_frame\": 100", "\"first_frame\": 9223372036854775807", "files, number 2: first_frame"},
           {"\"frames\": 50", "\"frames\": 0", "files, number 2: first_frame of at least 0 and frames"},
           {"\"b.mkv\"", "\"cam1.files\"", "files, number 2, file: the name of a video file was expected"},
           {"0000000000000002", "none", "files, number 2: bytes of at least 1 and a checksum"},
           {"\"checksum\"", "\"check\"", "checksum"},
           {"\"width_px\": 96", "\"width_px\": \"wide\"", "frame_rate, width_px, height_px"},
           {"{", "[", "list of one camera's files"}}) {
    const std::string error = error_with(old, replacement);
    EXPECT_NE(error.find(expected), std::string::npos) << error;
    EXPECT_NE(error.find("cam1.files"), std::string::npos) << error;
  }
}

}  // namespace
}  // namespace vantage::test
